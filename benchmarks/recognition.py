"""How well and how fast scanned pages are recognised: character and word accuracy, processor seconds a page, memory.

    python -m benchmarks.recognition [--pages 6] [--minutes 4] [--seed 5] [--no-tesseract] [--json FILE]

Known text: pages, drawn by lot, of sound PDFs under VANTAGE_DATA that have a text layer are made pictures at 150, 200 and 300 dpi, and at
200 dpi with noise, askew and upside down; what is recognised is compared with the layer, in the order in which the product reads it. Real
scans: those of `pdf_scanned` with at most two pages that have a ground truth in text beside them. Tesseract reads the same pictures where it is
installed. Character accuracy is 1 - edit distance / length, white space folded (ISRI, Rice et al. 1996); words are compared as bags, so that
another reading order costs nothing there: tables and drawings have no one right order. Each line is printed as it is measured;
no page is begun after `--minutes`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import resource
import subprocess
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2
from rapidfuzz.distance import Levenshtein

from benchmarks.extraction import documents_folder
from ingestion.ocr.engines import read_picture
from ingestion.ocr.page_recognition import page_text
from ingestion.ocr.recognizer import Picture
from ingestion.ocr.rendering import draw_by_pdfium
from ingestion.ocr.tesseract import installed_packs
from ingestion.readers.base.page_lines import PageText
from ingestion.readers.base.source import OcrLimits
from ingestion.readers.pdf.line_extraction import read_page
from ingestion.readers.pdf.reading_order import sort_page_lines

_LETTERS = (300, 6_000)  # of a page that is worth comparing
_FIRST_PAGES = 20  # of a file, one of which is drawn
_MOST_SCANNED = 2  # pages; a longer scan would cost minutes
_DPI = 200.0
_ENGINES_WORD = re.compile(r"[._]ocr[._]")  # in the name of a ground truth: what another engine reads is no truth

Engine = Callable[[Picture, float], str]  # a picture and its dots per inch

_SPACES = re.compile(r"\s+")
_MARKDOWN = re.compile(r"^#+\s*|^\|?[-:| ]+\|?$|<!--.*?-->|[*_`|]|\\(?=[_*])", re.M)


@dataclass(frozen=True, slots=True)
class PageScore:
    """One page under one condition. `characters` and `words` are accuracies, 0..1."""

    file: str
    condition: str
    engine: str
    letters: int
    characters: float
    words: float
    cpu_seconds: float


def fold_text(text: str) -> str:
    """`text` with white space as one space, without ligatures, hyphens at line ends and differences between quotes."""
    text = unicodedata.normalize("NFKC", text.replace("\ufffe", "").replace("\u00ad", ""))
    text = re.sub(r"(?<=\w)-\s*\n\s*(?=[a-zà-ÿ])", "", text)
    for signs, sign in (("“”„″", '"'), ("‘’′`", "'"), ("–—−‐‑", "-"), ("•●■▪", "•")):
        text = re.sub(f"[{signs}]", sign, text)
    return _SPACES.sub(" ", text).strip()


def measure_accuracies(truth: str, found: str) -> tuple[float, float]:
    """Character and word accuracy of `found`."""
    truth, found = fold_text(truth), fold_text(found)
    distance = Levenshtein.distance(truth, found)
    expected, got = Counter(truth.split()), Counter(found.split())
    words = sum((expected & got).values()) / max(1, expected.total(), got.total())
    return max(0.0, 1 - distance / max(1, len(truth))), words


def join_lines(page: PageText) -> str:
    return "\n".join(line.text for line in page.lines if not line.hidden)


# -- pages whose text is known ------------------------------------------------------------------------------------------------------------


def draw_known_pages(folder: Path, wanted: int, seed: int) -> Iterator[tuple[str, Any, int, str]]:
    """Pages with a text layer of Latin letters, one of each file, drawn by lot: name, open document, page number, text."""
    lot = random.Random(seed)
    paths = sorted([*(folder / "pdf").glob("*.pdf"), *(folder / "pdf_tables").glob("*.pdf")])
    lot.shuffle(paths)
    found = 0
    for path in paths:
        if found >= wanted:
            return
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError:
            continue
        try:
            number = lot.randint(1, max(1, min(len(document), _FIRST_PAGES)))
            page = read_page(document, number) if len(document) else None
            if page is not None and _is_comparable(page, join_lines(page)):
                sort_page_lines(page)
                found += 1
                yield path.name, document, number, join_lines(page)
        finally:
            document.close()


def _is_comparable(page: PageText, text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    latin = sum(character.isalpha() and "LATIN" in unicodedata.name(character, "") for character in text)
    pictures = any(line.hidden for line in page.lines)
    return _LETTERS[0] <= len(text) <= _LETTERS[1] and latin > 0.98 * letters > 0 and not pictures and not page.undecoded_share and not page.rotation


def page_conditions() -> dict[str, tuple[float, Callable[[Picture], Picture]]]:
    """Resolution and damage of each."""
    return {
        "200 dpi": (200, lambda picture: picture),
        "200 dpi, noise": (200, add_noise),
        "200 dpi, upside down": (200, lambda picture: np.ascontiguousarray(picture[::-1, ::-1])),
        "200 dpi, askew 2.5 degrees": (200, rotate_slightly),
        "150 dpi": (150, lambda picture: picture),
        "300 dpi": (300, lambda picture: picture),
    }


def add_noise(picture: Picture) -> Picture:
    """Grey paper, blur, grain and specks, as a copier leaves them."""
    generator = np.random.default_rng(11)
    grey = cv2.GaussianBlur(picture, (3, 3), 0.8).astype(np.float32) * 0.82 + 30
    grey += generator.normal(0, 12, grey.shape[:2])[:, :, np.newaxis]
    specks = generator.random(grey.shape[:2]) < 0.0008
    grey[specks] = 40
    return np.asarray(np.clip(grey, 0, 255), np.uint8)


def rotate_slightly(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 2.5, 1)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderValue=(255, 255, 255)), np.uint8)


def measure_known(folder: Path, drawn: tuple[int, int], engines: dict[str, Engine], deadline: float) -> Iterator[PageScore]:
    """`drawn` is the number of pages and the seed of the lot."""
    for name, document, number, truth in draw_known_pages(folder, *drawn):
        if time.monotonic() > deadline:
            print("The time is over: the pages that are left were not measured (--minutes).")
            return
        for condition, (dpi, damage) in page_conditions().items():
            page = document[number - 1]
            picture = damage(draw_by_pdfium(page, dpi / 72))
            page.close()
            for engine, read in engines.items():
                text, seconds = _time_reading(read, picture, dpi)
                yield PageScore(f"{name} p. {number}", condition, engine, len(fold_text(truth)), *measure_accuracies(truth, text), seconds)


def measure_scans(folder: Path, engines: dict[str, Engine]) -> Iterator[PageScore]:
    """Real scans with a ground truth in Markdown or text."""
    for path in sorted((folder / "pdf_scanned").glob("*.pdf")):
        texts = [file for file in sorted((folder / "groundtruth").glob(f"{path.name}*")) if file.suffix in (".md", ".txt")]
        truths = [file for file in texts if not _ENGINES_WORD.search(file.name.removeprefix(path.name))]
        if texts and not truths:
            print(f"{path.name}: what stands beside it is the output of another engine, no truth. It was left out.")
        document = pypdfium2.PdfDocument(path)
        if truths and len(document) <= _MOST_SCANNED:
            truth = _MARKDOWN.sub("", truths[0].read_text(encoding="utf-8"))
            for engine, read in engines.items():
                read_pages = [_time_reading(read, _draw_page(document, index), _DPI) for index in range(len(document))]
                score = measure_accuracies(truth, "\n".join(text for text, _ in read_pages))
                yield PageScore(
                    path.name, "real scan", engine, len(fold_text(truth)), *score, sum(seconds for _, seconds in read_pages) / len(document)
                )
        document.close()


def _draw_page(document: Any, index: int) -> Picture:
    page = document[index]
    try:
        return draw_by_pdfium(page, _DPI / 72)
    finally:
        page.close()


def _time_reading(read: Engine, picture: Picture, dpi: float) -> tuple[str, float]:
    """What is read, and the processor seconds that it took, those of programs that were started included."""
    started = _cpu_seconds()
    return read(picture, dpi), _cpu_seconds() - started


def _cpu_seconds() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


# -- engines ------------------------------------------------------------------------------------------------------------------------------


def read_with_vantage(picture: Picture, dpi: float) -> str:
    reading = read_picture(picture, OcrLimits(engine="rapidocr", threads=1), time.monotonic() + 600)
    page = page_text(reading, 1, dpi / 72)
    sort_page_lines(page)
    return join_lines(page)


def read_with_tesseract(picture: Picture, dpi: float) -> str:
    """As its own command reads a page, orientation found by itself (--psm 1), in one thread."""
    _, encoded = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    command = ["tesseract", "stdin", "stdout", "-l", "eng", "--psm", "1", "--dpi", f"{dpi:g}"]
    done = subprocess.run(
        command, input=encoded.tobytes(), capture_output=True, timeout=600, check=False, env={**os.environ, "OMP_THREAD_LIMIT": "1"}
    )
    return done.stdout.decode("utf-8", errors="replace")


def resident_peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# -- report -------------------------------------------------------------------------------------------------------------------------------


def report(scores: list[PageScore]) -> None:
    groups: dict[tuple[str, str], list[PageScore]] = defaultdict(list)
    for score in scores:
        groups[score.condition, score.engine].append(score)
    print(f"{'condition':30} {'engine':11} {'pages':>5} {'characters':>10} {'words':>7} {'worst':>7} {'CPU s/page':>10}")
    for (condition, engine), group in groups.items():
        letters = sum(score.letters for score in group)
        characters = sum(score.characters * score.letters for score in group) / max(1, letters)
        words = sum(score.words * score.letters for score in group) / max(1, letters)
        cpu = sum(score.cpu_seconds for score in group) / len(group)
        print(f"{condition:30} {engine:11} {len(group):5} {characters:10.2%} {words:7.2%} {min(score.words for score in group):7.2%} {cpu:10.2f}")
    print(f"memory peak of this process: {resident_peak_mb():,.0f} MB; {platform.processor() or platform.machine()}, one thread")


def _print_score(score: PageScore) -> PageScore:
    print(f"{score.condition:27} {score.engine:9} {score.characters:7.2%} {score.words:7.2%} {score.cpu_seconds:6.2f} s  {score.file}", flush=True)
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=6)
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--seed", type=int, default=5, help="of the lot by which pages are drawn")
    parser.add_argument("--no-tesseract", action="store_true", help="leave Tesseract out where it is installed")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    folder = documents_folder()
    if not folder.is_dir():
        print(f"There are no evaluation documents at {folder}: nothing was measured. Set VANTAGE_DATA.")
        return
    deadline = time.monotonic() + 60 * chosen.minutes
    engines: dict[str, Engine] = {"vantage": read_with_vantage}
    if {"eng", "osd"} <= installed_packs() and not chosen.no_tesseract:
        engines["tesseract"] = read_with_tesseract
    elif not chosen.no_tesseract:
        print("Tesseract is not installed with its packs eng and osd: nothing stands beside.")
    scores = [_print_score(score) for score in measure_scans(folder, engines)]
    scores += [_print_score(score) for score in measure_known(folder, (chosen.pages, chosen.seed), engines, deadline)]
    report(scores)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(score) for score in scores], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
