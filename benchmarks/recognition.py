"""How well and how fast scanned pages are recognised: character and word accuracy, processor seconds a page, memory.

    python -m benchmarks.recognition [--pages 24] [--tesseract] [--json FILE]

Known text: pages of sound PDFs under VANTAGE_DATA that have a text layer are drawn as pictures at 150, 200 and 300 dpi, and at 200 dpi with
noise, askew and upside down; what is recognised is compared with the layer. Real scans: those of `pdf_scanned` that have a ground truth in
text beside them. Character accuracy is 1 - edit distance / length, white space folded (ISRI, Rice et al. 1996); words are compared as bags,
so that another reading order costs nothing there: columns, tables and drawings have no one right order.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import resource
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
from ingestion.extractors.pdf_lines import PageText
from ingestion.extractors.pdf_read import read_page
from ingestion.extractors.source import OcrLimits
from ingestion.ocr.engines import read_picture
from ingestion.ocr.pages import page_text
from ingestion.ocr.recognizer import Picture
from ingestion.ocr.rendering import by_pdfium
from ingestion.ocr.tesseract import TesseractRecognizer, installed_packs

_LETTERS = (300, 6_000)  # of a page that is worth comparing
_SPACES = re.compile(r"\s+")
_MARKDOWN = re.compile(r"^#+\s*|^\|?[-:| ]+\|?$|<!--.*?-->|[*_`|]|\\(?=[_*])", re.M)


@dataclass(frozen=True, slots=True)
class Score:
    """One page under one condition. `characters` and `words` are accuracies, 0..1."""

    file: str
    condition: str
    engine: str
    letters: int
    characters: float
    words: float
    cpu_seconds: float


def folded(text: str) -> str:
    """`text` with white space as one space, without ligatures, hyphens at line ends and differences between quotes."""
    text = unicodedata.normalize("NFKC", text.replace("\ufffe", "").replace("\u00ad", ""))
    text = re.sub(r"(?<=\w)-\s*\n\s*(?=[a-zà-ÿ])", "", text)
    for signs, sign in (("“”„″", '"'), ("‘’′`", "'"), ("–—−‐‑", "-"), ("•●■▪", "•")):
        text = re.sub(f"[{signs}]", sign, text)
    return _SPACES.sub(" ", text).strip()


def accuracies(truth: str, found: str) -> tuple[float, float]:
    """Character and word accuracy of `found`."""
    truth, found = folded(truth), folded(found)
    distance = Levenshtein.distance(truth, found)
    expected, got = Counter(truth.split()), Counter(found.split())
    words = sum((expected & got).values()) / max(1, expected.total(), got.total())
    return max(0.0, 1 - distance / max(1, len(truth))), words


def joined(page: PageText) -> str:
    return "\n".join(line.text for line in page.lines if not line.hidden)


# -- pages whose text is known ------------------------------------------------------------------------------------------------------------


def known_pages(folder: Path, wanted: int) -> Iterator[tuple[str, Any, int, str]]:
    """Pages with a text layer of Latin letters, spread over the files: name, open document, page number, text."""
    found = 0
    for path in sorted((folder / "pdf").glob("*.pdf")):
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError:
            continue
        for number in sorted({1, min(3, len(document))}):
            page = read_page(document, number)
            text = joined(page)
            if _is_comparable(page, text) and found < wanted:
                found += 1
                yield path.name, document, number, text
        document.close()
        if found >= wanted:
            return


def _is_comparable(page: PageText, text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    latin = sum(character.isalpha() and "LATIN" in unicodedata.name(character, "") for character in text)
    pictures = any(line.hidden for line in page.lines)
    return _LETTERS[0] <= len(text) <= _LETTERS[1] and latin > 0.98 * letters > 0 and not pictures and not page.undecoded and not page.turned


def conditions() -> dict[str, tuple[float, Callable[[Picture], Picture]]]:
    """Resolution and damage of each."""
    return {
        "150 dpi": (150, lambda picture: picture),
        "200 dpi": (200, lambda picture: picture),
        "300 dpi": (300, lambda picture: picture),
        "200 dpi, noise": (200, noisy),
        "200 dpi, askew 2.5 degrees": (200, askew),
        "200 dpi, upside down": (200, lambda picture: np.ascontiguousarray(picture[::-1, ::-1])),
        "100 dpi, noise": (100, noisy),
    }


def noisy(picture: Picture) -> Picture:
    """Grey paper, blur, grain and specks, as a copier leaves them."""
    random = np.random.default_rng(11)
    grey = cv2.GaussianBlur(picture, (3, 3), 0.8).astype(np.float32) * 0.82 + 30
    grey += random.normal(0, 12, grey.shape[:2])[:, :, np.newaxis]
    specks = random.random(grey.shape[:2]) < 0.0008
    grey[specks] = 40
    return np.asarray(np.clip(grey, 0, 255), np.uint8)


def askew(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 2.5, 1)
    return np.asarray(cv2.warpAffine(picture, matrix, (width, height), borderValue=(255, 255, 255)), np.uint8)


def measure_known(folder: Path, pages: int, engines: dict[str, Callable[[Picture], str]]) -> list[Score]:
    scores = []
    for name, document, number, truth in known_pages(folder, pages):
        for condition, (dpi, damage) in conditions().items():
            page = document[number - 1]
            picture = damage(by_pdfium(page, dpi / 72))
            page.close()
            for engine, read in engines.items():
                scores.append(_score(f"{name} p. {number}", condition, engine, truth, picture, read))
    return scores


def measure_scans(folder: Path, engines: dict[str, Callable[[Picture], str]]) -> list[Score]:
    """Real scans with a ground truth in Markdown or text."""
    scores = []
    for path in sorted((folder / "pdf_scanned").glob("*.pdf")):
        truths = [file for file in sorted((folder / "groundtruth").glob(f"{path.name}*")) if file.suffix in (".md", ".txt")]
        if not truths:
            continue
        document = pypdfium2.PdfDocument(path)
        found: dict[str, list[str]] = defaultdict(list)
        seconds: Counter[str] = Counter()
        for index in range(len(document)):
            page = document[index]
            picture = by_pdfium(page, 200 / 72)
            page.close()
            for engine, read in engines.items():
                started = _cpu()
                found[engine].append(read(picture))
                seconds[engine] += _cpu() - started  # type: ignore[assignment]
        truth = _MARKDOWN.sub("", truths[0].read_text(encoding="utf-8"))
        for engine, texts in found.items():
            score = accuracies(truth, "\n".join(texts))
            scores.append(Score(path.name, "real scan", engine, len(folded(truth)), *score, seconds[engine] / len(document)))
        document.close()
    return scores


def _score(file: str, condition: str, engine: str, truth: str, picture: Picture, read: Callable[[Picture], str]) -> Score:
    started = _cpu()
    text = read(picture)
    seconds = _cpu() - started
    return Score(file, condition, engine, len(folded(truth)), *accuracies(truth, text), seconds)


def _cpu() -> float:
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


# -- engines ------------------------------------------------------------------------------------------------------------------------------


def vantage(picture: Picture) -> str:
    reading = read_picture(picture, OcrLimits(engine="rapidocr", threads=1), time.monotonic() + 600)
    return joined(page_text(reading, 1, 200 / 72))


def tesseract(picture: Picture) -> str:
    """As its own command reads a page, orientation found by itself."""
    lines = TesseractRecognizer(("eng",)).recognize(picture, time.monotonic() + 600)
    return "\n".join(line.text for line in lines)


def resident_peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# -- report -------------------------------------------------------------------------------------------------------------------------------


def report(scores: list[Score]) -> None:
    groups: dict[tuple[str, str], list[Score]] = defaultdict(list)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=24)
    parser.add_argument("--tesseract", action="store_true", help="beside Tesseract, where it is installed")
    parser.add_argument("--misses", action="store_true", help="each page below 97 % of the words")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    folder = documents_folder()
    if not folder.is_dir():
        print(f"There are no evaluation documents at {folder}: nothing was measured. Set VANTAGE_DATA.")
        return
    engines: dict[str, Callable[[Picture], str]] = {"vantage": vantage}
    if chosen.tesseract and "eng" in installed_packs():
        engines["tesseract"] = tesseract
    scores = measure_scans(folder, engines) + measure_known(folder, chosen.pages, engines)
    report(scores)
    if chosen.misses:
        for score in sorted(scores, key=lambda score: score.words):
            if score.words < 0.97 and score.engine == "vantage":
                print(f"{score.words:7.2%} {score.characters:7.2%} {score.condition:28} {score.file}")
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(score) for score in scores], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
