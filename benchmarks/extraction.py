"""What is read of the documents under VANTAGE_DATA: expected phrases, page counts, hostile files, milliseconds, pages a second.

    python -m benchmarks.extraction [--format pdf] [--no-recognition] [--misses] [--json FILE]

The first pass reads text without recognition, and is the one that is timed; what then waits for recognition (scans, pictures of text) is read
in a second pass, timed on its own. With --no-recognition that pass is left out, and scans count neither way.

A phrase counts as found when it stands in the text (or is the document's own title) once white space, hyphenation and ligatures are folded; where
the manifest's note says so, its cells are compared one by one, or the displayed date or number counts for the raw one.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import re
import statistics
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.machine import describe, percentile, print_table
from core.documents import ExtractedDocument, PageUnit
from core.errors import ExtractionError, NeedsRecognition, VantageError
from ingestion.workers.pool import Extraction, ExtractionPool
from ingestion.workers.worker_protocol import Demand

ROOT = Path(__file__).resolve().parent.parent
# Formats that need recognition (OCR): without it they are printed, and not summed up with the rest.
UNREADABLE_KINDS = frozenset({"pdf_scanned"})
_PAGE = 3_000  # characters, where a format has no pages
# As others were measured on these files and as many that are kept aside (two cores, warm process, default settings): the share of the sound
# phrases and of all phrases that they find, white space aside, and the milliseconds a file, median and p95.
OTHER_TOOLS = (
    ("Tika 3.3", "98 %", "91 %", "19", "86"),
    ("pypdf, python-docx, openpyxl, python-pptx, BeautifulSoup (they wrote most of the phrases)", "96 %", "97 %", "8.4", "238"),
    ("kreuzberg", "92 %", "85 %", "1.3", "42"),
    ("unstructured", "87 %", "82 %", "37", "1322"),
    ("markitdown", "86 %", "81 %", "69", "1693"),
    ("PyMuPDF, PDF alone (AGPL)", "", "", "7.9", "35"),
)
_SEPARATORS = re.compile(r"[,;\t|\"]+")


def documents_folder() -> Path:
    """The folder of evaluation documents; it may be absent."""
    return Path(os.environ.get("VANTAGE_DATA", ROOT.parent / "shared" / "data")) / "documents"


@dataclass(slots=True)
class ExtractionResult:
    """What became of one file: `error` is "" or the class of the error, `reason` its sentence. `recognition` are the milliseconds of a second
    reading with recognition, which `milliseconds` leave out; 0 where there was none."""

    row: dict[str, str]
    milliseconds: float
    error: str = ""
    reason: str = ""
    document: ExtractedDocument | None = None
    recognition: float = 0.0

    @property
    def expected(self) -> dict[str, Any]:
        expected: dict[str, Any] = json.loads(self.row["expected"] or "{}")
        return expected

    @property
    def needs_recognition(self) -> bool:
        """Whether some of it can only be read by recognition."""
        return self.error == NeedsRecognition.__name__ or bool(self.document and self.document.unread_pages)

    @property
    def page_count(self) -> int:
        """Pages, sheets or slides; where a format has none, 3,000 characters count as one."""
        return 0 if self.document is None else len(self.document.pages) or max(1, round(len(self.document.text) / _PAGE))


def fold_text(text: str) -> str:
    """`text` for comparison: no white space, no hyphens, no ligatures, no marks of tables and lists."""
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"[\s|\u2010\u2011\u00ad-]+", "", text).casefold()


def is_phrase_found(result: ExtractionResult, folded: Callable[[str], str] = fold_text) -> bool:
    """Whether the expected phrase stands in what was read."""
    if result.document is None:
        return False
    phrase, note = str(result.expected["phrase"]), result.row["phrase_note"]
    text = folded(result.document.text + "\n" + result.document.metadata.title)
    if folded(phrase) in text:
        return True
    if note.startswith("separators"):
        return all(folded(cell) in text for cell in _SEPARATORS.split(phrase) if cell.strip())
    return note.startswith("display") and any(folded(form) in text for form in _display_forms(phrase))


def strip_spaces(text: str) -> str:
    """`text` for the strict comparison: only white space is left out, and two hyphens of Unicode count as the common one."""
    return re.sub(r"\s+", "", text.replace("\u2010", "-").replace("\u2011", "-"))


def _display_forms(phrase: str) -> list[str]:
    """Other ways to write a raw date or number: without midnight, without a trailing zero, rounded to fifteen figures."""
    forms = [phrase.removesuffix(" 00:00:00"), phrase.removesuffix(".0")]
    try:
        forms.append(f"{float(phrase):.15g}")
    except ValueError:
        return forms
    return forms


async def read_files(rows: list[dict[str, str]], folder: Path, *, recognize: bool = True) -> list[ExtractionResult]:
    """Read the files one after another in one warm worker; what waits for recognition then is read once more with it where it is wanted."""
    pool = ExtractionPool(1)
    results = []
    try:
        if rows:
            await _read_file(pool, rows[0], folder, recognize=False)  # starts the worker
        for row in rows:
            results.append(await _read_file(pool, row, folder, recognize=False))
        for index, result in enumerate(results):
            if recognize and result.needs_recognition:
                again = await _read_file(pool, result.row, folder, recognize=True)
                results[index] = replace(again, milliseconds=result.milliseconds, recognition=again.milliseconds)
    finally:
        await pool.close()
    return results


async def _read_file(pool: ExtractionPool, row: dict[str, str], folder: Path, *, recognize: bool) -> ExtractionResult:
    started = time.perf_counter()
    try:
        extraction: Extraction = await pool.extract(folder / row["file"], Demand(recognize=recognize))
    except ExtractionError as error:
        return ExtractionResult(row, _milliseconds(started), type(error).__name__, str(error))
    except VantageError as error:
        return ExtractionResult(row, _milliseconds(started), f"!{type(error).__name__}", str(error))
    return ExtractionResult(row, _milliseconds(started), document=extraction.document)


def _milliseconds(started: float) -> float:
    return 1000 * (time.perf_counter() - started)


@dataclass(slots=True)
class ExtractionTally:
    """Counts for one group of files. Pairs are (right, of); `milliseconds` are those of every file, `read` and `count` the milliseconds and pages
    of those that gave a document without recognition."""

    files: int = 0
    sound: list[int] = field(default_factory=lambda: [0, 0])
    phrases: list[int] = field(default_factory=lambda: [0, 0])
    pages: list[int] = field(default_factory=lambda: [0, 0])
    errors: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)
    recognition: float = 0.0
    read: float = 0.0
    count: int = 0

    def add(self, result: ExtractionResult) -> None:
        self.files += 1
        self.milliseconds.append(result.milliseconds)
        self.recognition += result.recognition
        if not result.needs_recognition and not result.recognition:
            self.read += result.milliseconds if result.document else 0.0
            self.count += result.page_count
        if result.error:
            self.errors[result.error] += 1
        if result.expected.get("phrase"):
            found = is_phrase_found(result)
            _count_pair(self.phrases, right=found)
            if not result.row["phrase_note"]:
                _count_pair(self.sound, right=found)
        if (right := has_right_pages(result)) is not None:
            _count_pair(self.pages, right=right)

    def row(self, name: str) -> list[str]:
        times = f"{statistics.median(self.milliseconds):.1f}", f"{percentile(self.milliseconds, 0.95):.0f}"
        rate = f"{1000 * self.count / self.read:,.0f}" if self.read else ""
        recognition = f"{self.recognition / 1000:.0f}" if self.recognition else ""
        shares = _format_share(self.sound), _format_share(self.phrases), _format_pair(self.pages)
        return [name, str(self.files), *shares, *times, rate, recognition, _format_errors(self.errors)]


def _count_pair(pair: list[int], *, right: bool) -> None:
    pair[0] += right
    pair[1] += 1


def has_right_pages(result: ExtractionResult) -> bool | None:
    """Whether pages, slides or sheets are as expected; None if nothing is expected or nothing was read."""
    document, expected = result.document, result.expected
    if document is None:
        return None
    if document.page_unit is PageUnit.SHEET and "sheets" in expected:
        return [page.label.removesuffix(" (hidden)") for page in document.pages] == [" ".join(name.split()) for name in expected["sheets"]]
    key = {PageUnit.PAGE: "pages", PageUnit.SLIDE: "slides"}.get(document.page_unit, "")
    return len(document.pages) == expected[key] if key in expected else None


def must_be_locked(result: ExtractionResult) -> bool:
    """Whether the file opens only with a password that we do not have."""
    return "encrypted" in result.row["hostile"] and "phrase" not in result.expected


def print_report(results: list[ExtractionResult], *, recognized: bool) -> None:
    tallies: dict[str, ExtractionTally] = defaultdict(ExtractionTally)
    everything = "all formats" if recognized else "all but scans"
    counted = [result for result in results if recognized or result.row["format"] not in UNREADABLE_KINDS]
    for result in results:
        tallies[result.row["format"]].add(result)
    tallies = dict(sorted(tallies.items()))
    tallies[everything] = ExtractionTally()
    for result in counted:
        tallies[everything].add(result)
    sys.stdout.write(f"{len(results)} files, {describe()}, one warm worker\n")
    sys.stdout.write("ms a file and pages a second are those of the whole worker (text, profile, packing) without recognition\n\n")
    head = ["format", "files", "sound phrases", "all phrases", "counts", "median ms", "p95 ms", "pages/s", "recognition, s", "errors"]
    print_table(head, [tally.row(name) for name, tally in tallies.items()])
    sys.stdout.write("\nothers (figures for all formats, on these files and as many that are kept aside)\n\n")
    print_table(["reader", "sound phrases", "all phrases", "median ms", "p95 ms"], OTHER_TOOLS)
    sound = [result for result in counted if result.expected.get("phrase") and not result.row["phrase_note"]]
    strict = sum(is_phrase_found(result, strip_spaces) for result in sound)
    print(f"\nsound phrases with nothing folded but white space (ligatures and hyphens as they are): {_format_share([strict, len(sound)])}")
    _print_hostile(results)
    print("slowest: " + ", ".join(f"{r.row['file']} {r.milliseconds:,.0f} ms" for r in sorted(results, key=lambda r: -r.milliseconds)[:6]))


def _print_hostile(results: list[ExtractionResult]) -> None:
    hostile = [result for result in results if result.row["hostile"]]
    clean = [result for result in hostile if not result.error.startswith("!")]
    with_phrase = [result for result in hostile if result.expected.get("phrase")]
    locked = [result for result in results if must_be_locked(result)]
    print(f"hostile files that ended with text or a reason: {len(clean)} of {len(hostile)}")
    others = "Tika 39, kreuzberg 38, markitdown 34 of 44"
    print(f"hostile files with a phrase, found: {sum(map(is_phrase_found, with_phrase))} of {len(with_phrase)} ({others})")
    print(
        f"locked files: {len(locked)}, returned as text {sum(r.document is not None for r in locked)}, "
        f"{_format_errors(Counter(r.error for r in locked))}"
    )


def print_misses(results: list[ExtractionResult], *, recognized: bool) -> None:
    for result in results:
        unread = not recognized and result.row["format"] in UNREADABLE_KINDS
        if not unread and result.expected.get("phrase") and not is_phrase_found(result):
            print(f"phrase  {result.row['file']} | {result.expected['phrase']!r} | {result.row['phrase_note'][:40]} | {result.error} {result.reason}")
        if has_right_pages(result) is False and result.document:
            labels = [page.label for page in result.document.pages][:8]
            print(f"pages   {result.row['file']} | {labels} of {len(result.document.pages)} | {str(result.expected)[:120]}")
        if result.error and not result.row["hostile"] and not unread:
            print(f"error   {result.row['file']} | {result.error}: {result.reason}")


def _format_share(pair: list[int]) -> str:
    return f"{_format_pair(pair)} {100 * pair[0] / pair[1]:.1f}%" if pair[1] else ""


def _format_pair(pair: list[int]) -> str:
    return f"{pair[0]}/{pair[1]}" if pair[1] else ""


def _format_errors(errors: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in errors.most_common())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--format", help="only this folder of the data set")
    parser.add_argument("--no-recognition", action="store_true", help="leave out the second pass, which reads scans and pictures")
    parser.add_argument("--misses", action="store_true", help="print each phrase and count that was missed")
    parser.add_argument("--json", type=Path, help="write one line for each file")
    arguments = parser.parse_args()
    folder = documents_folder()
    if not (folder / "manifest.csv").exists():
        print(f"skipped: no documents at {folder} (set VANTAGE_DATA)")
        return
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if arguments.format in (None, row["format"])]
    recognized = not arguments.no_recognition
    results = asyncio.run(read_files(rows, folder, recognize=recognized))
    print_report(results, recognized=recognized)
    if arguments.misses:
        print_misses(results, recognized=recognized)
    if arguments.json:
        lines = [{"file": r.row["file"], "ms": round(r.milliseconds, 1), "error": r.error, "reason": r.reason} for r in results]
        arguments.json.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
