"""How many headings of the documents under VANTAGE_DATA are found as headings, and how many that are found are none: precision and recall.

    python -m benchmarks.headings [--format pdf] [--show]

The reference are the markdown files that the data set has for some documents; those without any heading say nothing and are left out. A heading
counts as found where its letters and figures are the same (the section's number aside). Running text inside a heading, or two headings in one, is a
miss.
"""

from __future__ import annotations

import argparse
import csv
import html
import re
from collections import Counter
from pathlib import Path

from benchmarks.extraction import documents_folder
from core.documents import BlockKind, ExtractedDocument
from core.errors import ExtractionError
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract

_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.M)
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)


def reference_headings(markdown: str) -> list[str]:
    """The texts of a markdown file's headings."""
    plain = _FENCE.sub("", markdown)
    return [re.sub(r"[*_`]|\\(?=.)", "", html.unescape(title)) for title in _HEADING.findall(plain)]


def found_headings(document: ExtractedDocument) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is BlockKind.HEADING]


def fold_title(title: str) -> str:
    """A heading for comparison: its letters and figures, without a number in front or behind."""
    plain = "".join(letter if letter.isalnum() or letter == "." else " " for letter in title.casefold())
    return re.sub(r"^\s*[\d.]+\s+|\s+[\d.]+\s*$", "", plain).replace(" ", "").replace(".", "")


def count_matches(expected: list[str], found: list[str]) -> int:
    """How many headings are in both."""
    return sum((Counter(map(fold_title, expected)) & Counter(map(fold_title, found))).values())


def rows_with_reference(folder: Path, wanted: str) -> list[tuple[Path, Path]]:
    """(document, markdown) of all rows of the manifest that have a reference in markdown."""
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["format"] == wanted and row["groundtruth"].endswith(".md")]
    return [(folder / row["file"], folder / row["groundtruth"]) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--format", default="pdf", help="the folder of the data set")
    parser.add_argument("--show", action="store_true", help="print what was missed and what is none")
    arguments = parser.parse_args()
    folder = documents_folder()
    if not (folder / "manifest.csv").exists():
        print(f"skipped: no documents at {folder} (set VANTAGE_DATA)")
        return
    right = expected_count = found_count = 0
    for path, markdown in rows_with_reference(folder, arguments.format):
        expected = reference_headings(markdown.read_text(encoding="utf-8"))
        if not expected:
            continue  # some references mark no headings at all
        try:
            found = found_headings(extract(Source(path.read_bytes(), path.name, recognize=False)))
        except ExtractionError as error:
            print(f"{path.name:45} {type(error).__name__}")
            continue
        both = count_matches(expected, found)
        right, expected_count, found_count = right + both, expected_count + len(expected), found_count + len(found)
        print(f"{path.name:45} expected {len(expected):3}  found {len(found):3}  right {both:3}")
        if arguments.show:
            _print_titles("missed", expected, found)
            _print_titles("none", found, expected)
    print(f"recall {right}/{expected_count}, precision {right}/{found_count}")


def _print_titles(what: str, titles: list[str], others: list[str]) -> None:
    left = Counter(map(fold_title, titles)) - Counter(map(fold_title, others))
    for title in titles:
        if left[fold_title(title)] > 0:
            left[fold_title(title)] -= 1
            print(f"    {what}: {title[:110]!r}")


if __name__ == "__main__":
    main()
