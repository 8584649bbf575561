"""CSV, TSV and their kin: one table, its delimiter found from the data."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from core.documents import ExtractedDocument
from core.errors import LimitExceeded, Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import encoding_of
from ingestion.readers.base.document_builder import DocumentBuilder, SheetPlace
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.base.table_grid import guess_header_rows

FORMATS = (
    Format(
        name="csv",
        title="CSV",
        kind=FileKind.SPREADSHEET,
        viewer=Viewer.SHEET,
        suffixes=(".csv", ".tsv"),
        rare_suffixes=(".tab", ".psv"),
        name_role=NameRole.CHOOSES,
        spoken_endings=("csv", "tsv"),
        doc_type="data",
        is_streamed=True,
        inline=((".csv", "text/plain; charset=utf-8"),),
    ),
)
_DELIMITERS = ",;\t|:"
_SAMPLE_LINES = 50
_SAMPLE_BYTES = 4 * MEBIBYTE
_COUNTED = 32 * MEBIBYTE  # what is left of a cut file is read to its end if it is no more than this
_SEPARATOR_LINE = re.compile(r"\Asep=(.)\r?\n", re.I)


def extract(source: Source) -> ExtractedDocument:
    """Read the rows as one table; the first row names the columns if it looks like names. A file over the limits is cut with a warning: it is read
    line by line, and never whole.

    Raises:
        Malformed: a single cell is larger than the limit of characters (an open quotation mark).
        LimitExceeded: the first row is larger than that.
        Empty: no cell holds anything.
    """
    builder = DocumentBuilder("csv", limit=source.limits.characters)
    sample = source.read_beginning(_SAMPLE_BYTES)
    encoding = encoding_of(sample)
    text = sample.decode(encoding, errors="replace").removeprefix("\ufeff")
    match = _SEPARATOR_LINE.match(text)
    delimiter = match[1] if match else sniff_delimiter(text, source.suffix)
    with source.open() as stream:
        reader = _RowReader(stream, encoding, delimiter, source, skip_line=bool(match))
        rows = reader.rows()
        total = reader.describe_total()
    if total and not rows:
        raise LimitExceeded(f"Its first row alone is longer than the limit of {source.limits.characters:,} characters: this is no table.")
    width = max(map(len, rows), default=0)
    header = _header_rows(rows) if len(rows) > 1 else 0
    builder.table(rows, header_rows=header, sheet=SheetPlace())
    if total:
        builder.note_omitted_rows(max(1, reader.counted_rows - len(rows)), counted=total[0].isdigit())
        builder.warn(f"Only the first {len(rows):,} of {total} rows of {width:,} columns were read.")
    return builder.build()


class _RowReader:
    """Reads rows from a stream until the limits are reached."""

    def __init__(self, stream: BinaryIO, encoding: str, delimiter: str, source: Source, *, skip_line: bool) -> None:
        self._stream = stream
        self._limits = source.limits
        self._size = source.size
        self._lines = self._pieces(io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline=""))
        self._delimiter = delimiter
        self._read = 0
        self._cut = False
        if skip_line:
            next(self._lines, None)

    def _pieces(self, text: io.TextIOWrapper) -> Iterator[str]:
        """Yield lines; one without end comes in pieces, so that it is never in memory whole."""
        first = True
        while line := text.readline(self._limits.characters):
            yield (line.removeprefix("\ufeff") if first else line).replace("\0", "")
            first = False
        text.detach()  # closing it is the owner's

    def rows(self) -> list[list[str]]:
        """Read the rows within the limits."""
        csv.field_size_limit(self._limits.characters)
        self._table = csv.reader(self._lines, delimiter=self._delimiter, skipinitialspace=True)
        rows: list[list[str]] = []
        cells = characters = 0
        try:
            for row in self._table:
                self._read += 1
                cells += max(1, len(row))
                characters += sum(map(len, row)) + 3 * len(row)
                if cells > self._limits.cells or characters >= self._limits.characters:
                    self._cut = True
                    break
                rows.append(row)
        except csv.Error as error:
            raise Malformed(f"The table cannot be read after row {self._read:,}: {error}.") from error
        return rows

    @property
    def counted_rows(self) -> int:
        """The rows that were counted, read or not."""
        return self._read

    def describe_total(self) -> str:
        """Tell how many rows there are, where they were not all read: counted, or by the line ends of a large file; "" if all were read."""
        if not self._cut:
            return ""
        if self._size - self._stream.tell() > _COUNTED:
            ends = 0
            while block := self._stream.read(1 << 22):
                ends += block.count(b"\n")
            self._read += ends
            return f"about {self._read:,}"
        try:
            self._read += sum(1 for _ in self._table)
        except csv.Error:
            return f"more than {self._read:,}"
        return f"{self._read:,}"


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    yield from csv.reader(io.StringIO(text.replace("\0", ""), newline=""), delimiter=delimiter, skipinitialspace=True)


def sniff_delimiter(text: str, suffix: str = "") -> str:
    """Return the delimiter under which the first rows have several cells and agree best on how many; a suffix of .tsv or .psv decides a draw."""
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


def _header_rows(rows: list[list[str]]) -> int:
    """Return the number of header rows: a table without any figures still has names in its first row, if they are all different."""
    first = [cell.strip() for cell in rows[0]]
    is_name = len(first) == 1 and first[0] != "" and not first[0].replace(".", "").isdecimal()
    return guess_header_rows(rows) or (1 if is_name else 0)
