"""CSV, TSV and their kin: one table, its delimiter found from the data."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from core.documents import ExtractedDocument
from core.errors import Malformed
from ingestion.builder import DocumentBuilder
from ingestion.extractors.charset import decode
from ingestion.extractors.grid import guess_header_rows
from ingestion.extractors.source import Source

_DELIMITERS = ",;\t|:"
_SAMPLE_LINES = 50
_SEPARATOR_LINE = re.compile(r"\Asep=(.)\r?\n", re.I)


def extract(source: Source) -> ExtractedDocument:
    """The rows as one table; the first row names the columns if it looks like names. A file over the limits is cut with a warning.

    Raises:
        Malformed: a single cell is larger than the limit of characters (an open quotation mark).
        Empty: no cell holds anything.
    """
    decoded = decode(source.data, limit=4 * source.limits.characters)
    builder = DocumentBuilder("csv", limit=source.limits.characters)
    text = decoded.text.removeprefix("\ufeff")
    delimiter = ""
    if match := _SEPARATOR_LINE.match(text):
        delimiter, text = match[1], text[match.end() :]
    rows, total = _read(text, delimiter or sniff_delimiter(text, source.suffix), source)
    width = max(map(len, rows), default=0)
    header = 1 if len(rows) > 1 and _names_columns(rows) else 0
    builder.table(rows, header_rows=header)
    if total > len(rows):
        builder.warn(f"Only the first {len(rows):,} of {total:,} rows of {width:,} columns were read.")
    elif decoded.truncated:
        builder.warn(f"Only the first {len(rows):,} rows were read: the file is larger than the limit of {source.limits.characters:,} characters.")
    return builder.build()


def _read(text: str, delimiter: str, source: Source) -> tuple[list[list[str]], int]:
    """The rows within the limits, and how many there are."""
    csv.field_size_limit(source.limits.characters)
    rows: list[list[str]] = []
    cells = characters = total = 0
    try:
        for row in _rows(text, delimiter):
            total += 1
            cells += max(1, len(row))
            characters += sum(map(len, row)) + 3 * len(row)
            if cells <= source.limits.cells and characters < source.limits.characters:
                rows.append(row)
    except csv.Error as error:
        raise Malformed(f"The table cannot be read after row {total:,}: {error}.") from error
    return rows, total


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    yield from csv.reader(io.StringIO(text.replace("\0", ""), newline=""), delimiter=delimiter, skipinitialspace=True)


def sniff_delimiter(text: str, suffix: str = "") -> str:
    """The delimiter under which the first rows have several cells and agree best on how many; a suffix of .tsv or .psv decides a draw."""
    favourite = {".tsv": "\t", ".tab": "\t", ".psv": "|"}.get(suffix, ",")
    sample = "\n".join(text[:200_000].splitlines()[:_SAMPLE_LINES])
    best, best_score = favourite, 0.0
    for delimiter in sorted(_DELIMITERS, key=lambda candidate: candidate != favourite):
        score = _agreement(sample, delimiter)
        if score > best_score + 0.01:
            best, best_score = delimiter, score
    return best


def _agreement(sample: str, delimiter: str) -> float:
    try:
        widths = Counter(len(row) for row in _rows(sample, delimiter) if any(row))
    except csv.Error:
        return 0.0
    if not widths:
        return 0.0
    width, count = max(widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    # A colon stands in times and prose: it must be the only candidate.
    return 0.0 if width < 2 else count / widths.total() * (0.5 if delimiter == ":" else 1.0) + min(width, 20) / 1000


def _names_columns(rows: list[list[str]]) -> bool:
    """A table without any figures still has names in its first row, if they are all different."""
    first = [cell.strip() for cell in rows[0]]
    return bool(guess_header_rows(rows)) or (len(first) == 1 and first[0] != "" and not first[0].replace(".", "").isdigit())
