"""What is read of the documents under VANTAGE_DATA: expected phrases, page counts, hostile files, milliseconds.

    python -m benchmarks.extraction [--format pdf] [--misses] [--json FILE]

A phrase counts as found when it stands in the text (or is the document's own title) once white space, hyphenation and ligatures are folded; where
the manifest's note says so, its cells are compared one by one, or the displayed date or number counts for the raw one.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import platform
import re
import statistics
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.documents import ExtractedDocument, PageUnit
from core.errors import ExtractionError, VantageError
from ingestion.worker_pool import Extraction, ExtractionPool

ROOT = Path(__file__).resolve().parent.parent
# Formats that need recognition (OCR): printed, not summed up with the rest.
UNREAD = frozenset({"pdf_scanned"})
_SEPARATORS = re.compile(r"[,;\t|\"]+")


def documents_folder() -> Path:
    """The folder of evaluation documents; it may be absent."""
    return Path(os.environ.get("VANTAGE_DATA", ROOT.parent / "shared" / "data")) / "documents"


@dataclass(slots=True)
class Result:
    """What became of one file: `error` is "" or the class of the error, `reason` its sentence."""

    row: dict[str, str]
    milliseconds: float
    error: str = ""
    reason: str = ""
    document: ExtractedDocument | None = None

    @property
    def expected(self) -> dict[str, Any]:
        expected: dict[str, Any] = json.loads(self.row["expected"] or "{}")
        return expected


def folded(text: str) -> str:
    """`text` for comparison: no white space, no hyphens, no ligatures, no marks of tables and lists."""
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"[\s|\u2010\u2011\u00ad-]+", "", text).casefold()


def phrase_found(result: Result, folded: Callable[[str], str] = folded) -> bool:
    """Whether the expected phrase stands in what was read."""
    if result.document is None:
        return False
    phrase, note = str(result.expected["phrase"]), result.row["phrase_note"]
    text = folded(result.document.text + "\n" + result.document.metadata.title)
    if folded(phrase) in text:
        return True
    if note.startswith("separators"):
        return all(folded(cell) in text for cell in _SEPARATORS.split(phrase) if cell.strip())
    return note.startswith("display") and any(folded(form) in text for form in _displayed(phrase))


def unspaced(text: str) -> str:
    """`text` for the strict comparison: only white space is left out, and two hyphens of Unicode count as the common one."""
    return re.sub(r"\s+", "", text.replace("\u2010", "-").replace("\u2011", "-"))


def _displayed(phrase: str) -> list[str]:
    """Other ways to write a raw date or number: without midnight, without a trailing zero, rounded to fifteen figures."""
    forms = [phrase.removesuffix(" 00:00:00"), phrase.removesuffix(".0")]
    try:
        forms.append(f"{float(phrase):.15g}")
    except ValueError:
        return forms
    return forms


async def read_all(rows: list[dict[str, str]], folder: Path) -> list[Result]:
    """Read the files one after another in one warm worker."""
    pool = ExtractionPool(1)
    results = []
    try:
        if rows:
            await _read(pool, rows[0], folder)  # starts the worker
        for row in rows:
            results.append(await _read(pool, row, folder))
    finally:
        await pool.close()
    return results


async def _read(pool: ExtractionPool, row: dict[str, str], folder: Path) -> Result:
    started = time.perf_counter()
    try:
        extraction: Extraction = await pool.extract(folder / row["file"])
    except ExtractionError as error:
        return Result(row, _milliseconds(started), type(error).__name__, str(error))
    except VantageError as error:
        return Result(row, _milliseconds(started), f"!{type(error).__name__}", str(error))
    return Result(row, _milliseconds(started), document=extraction.document)


def _milliseconds(started: float) -> float:
    return 1000 * (time.perf_counter() - started)


@dataclass(slots=True)
class Tally:
    """Counts for one group of files. Pairs are (right, of)."""

    files: int = 0
    sound: list[int] = field(default_factory=lambda: [0, 0])
    phrases: list[int] = field(default_factory=lambda: [0, 0])
    pages: list[int] = field(default_factory=lambda: [0, 0])
    errors: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)

    def add(self, result: Result) -> None:
        self.files += 1
        self.milliseconds.append(result.milliseconds)
        if result.error:
            self.errors[result.error] += 1
        if result.expected.get("phrase"):
            found = phrase_found(result)
            _count(self.phrases, right=found)
            if not result.row["phrase_note"]:
                _count(self.sound, right=found)
        if (right := pages_right(result)) is not None:
            _count(self.pages, right=right)


def _count(pair: list[int], *, right: bool) -> None:
    pair[0] += right
    pair[1] += 1


def pages_right(result: Result) -> bool | None:
    """Whether pages, slides or sheets are as expected; None if nothing is expected or nothing was read."""
    document, expected = result.document, result.expected
    if document is None:
        return None
    if document.page_unit is PageUnit.SHEET and "sheets" in expected:
        return [page.label.removesuffix(" (hidden)") for page in document.pages] == [" ".join(name.split()) for name in expected["sheets"]]
    key = {PageUnit.PAGE: "pages", PageUnit.SLIDE: "slides"}.get(document.page_unit, "")
    return len(document.pages) == expected[key] if key in expected else None


def must_be_locked(result: Result) -> bool:
    """Whether the file opens only with a password that we do not have."""
    return "encrypted" in result.row["hostile"] and "phrase" not in result.expected


def print_report(results: list[Result]) -> None:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for result in results:
        tallies[result.row["format"]].add(result)
        if result.row["format"] not in UNREAD:
            tallies["all that is read"].add(result)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{len(results)} files, {machine}, one warm worker\n")
    print(f"{'format':24} {'files':>5} {'sound phrases':>15} {'all phrases':>15} {'pages':>9} {'median ms':>10} {'p95 ms':>8}  errors")
    for name, tally in sorted(tallies.items(), key=lambda item: (item[0] == "all that is read", item[0])):
        times = sorted(tally.milliseconds)
        cells = f"{_share(tally.sound):>15} {_share(tally.phrases):>15} {_pair(tally.pages):>9}"
        print(
            f"{name:24} {tally.files:5} {cells} {statistics.median(times):10.1f} {times[int(0.95 * (len(times) - 1))]:8.1f}  {_errors(tally.errors)}"
        )
    sound = [r for r in results if r.row["format"] not in UNREAD and r.expected.get("phrase") and not r.row["phrase_note"]]
    strict = sum(phrase_found(result, unspaced) for result in sound)
    print(f"\nsound phrases with nothing folded but white space (ligatures and hyphens as they are): {_share([strict, len(sound)])}")
    hostile = [result for result in results if result.row["hostile"]]
    clean = [result for result in hostile if not result.error.startswith("!")]
    with_phrase = [result for result in hostile if result.expected.get("phrase")]
    locked = [result for result in results if must_be_locked(result)]
    print(f"hostile files that ended with text or a reason: {len(clean)} of {len(hostile)}")
    print(f"hostile files with a phrase, found: {sum(map(phrase_found, with_phrase))} of {len(with_phrase)}")
    print(f"locked files: {len(locked)}, returned as text {sum(r.document is not None for r in locked)}, {_errors(Counter(r.error for r in locked))}")
    print("slowest: " + ", ".join(f"{r.row['file']} {r.milliseconds:,.0f} ms" for r in sorted(results, key=lambda r: -r.milliseconds)[:6]))


def print_misses(results: list[Result]) -> None:
    for result in results:
        if result.row["format"] not in UNREAD and result.expected.get("phrase") and not phrase_found(result):
            print(f"phrase  {result.row['file']} | {result.expected['phrase']!r} | {result.row['phrase_note'][:40]} | {result.error} {result.reason}")
        if pages_right(result) is False and result.document:
            labels = [page.label for page in result.document.pages][:8]
            print(f"pages   {result.row['file']} | {labels} of {len(result.document.pages)} | {str(result.expected)[:120]}")
        if result.error and not result.row["hostile"] and result.row["format"] not in UNREAD:
            print(f"error   {result.row['file']} | {result.error}: {result.reason}")


def _share(pair: list[int]) -> str:
    return f"{_pair(pair)} {100 * pair[0] / pair[1]:.1f}%" if pair[1] else ""


def _pair(pair: list[int]) -> str:
    return f"{pair[0]}/{pair[1]}" if pair[1] else ""


def _errors(errors: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in errors.most_common())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--format", help="only this folder of the data set")
    parser.add_argument("--misses", action="store_true", help="print each phrase and count that was missed")
    parser.add_argument("--json", type=Path, help="write one line for each file")
    arguments = parser.parse_args()
    folder = documents_folder()
    if not (folder / "manifest.csv").exists():
        print(f"skipped: no documents at {folder} (set VANTAGE_DATA)")
        return
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if arguments.format in (None, row["format"])]
    results = asyncio.run(read_all(rows, folder))
    print_report(results)
    if arguments.misses:
        print_misses(results)
    if arguments.json:
        lines = [{"file": r.row["file"], "ms": round(r.milliseconds, 1), "error": r.error, "reason": r.reason} for r in results]
        arguments.json.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
