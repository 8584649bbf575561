"""A document cut into what is read at a time: sentences, headings and table rows with their cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.documents import Block, BlockKind, ExtractedDocument, Table
from core.language.sentences import split_sentences

_LONGEST = 600  # characters of a line that is read at a time: evidence should be a sentence, not a page
_CUT = re.compile(r"[;:,]\s|\s")
_TABLE_ROWS = 5_000
_SKIPPED = frozenset({BlockKind.FURNITURE, BlockKind.CODE})


class ExtractionLine(NamedTuple):
    """A sentence, a heading or a row. `cells` are the spans of a row's cells, with `header` the words above each ("" where none)."""

    start: int
    end: int
    is_heading: bool = False
    cells: tuple[tuple[int, int], ...] = ()
    header: tuple[str, ...] = ()


def lines_of(document: ExtractedDocument, limit: int) -> Iterator[ExtractionLine]:
    """Yield the lines of the first `limit` characters in order; running heads and code are left out, a table's header row as well."""
    for block in document.blocks:
        if block.start >= limit:
            return
        if block.kind in _SKIPPED or block.start >= block.end:
            continue
        if block.kind is BlockKind.TABLE and block.table is not None:
            yield from _row_lines(document, document.tables[block.table], block)
        elif block.kind is BlockKind.HEADING:
            yield ExtractionLine(block.start, min(block.end, block.start + _LONGEST), is_heading=True)
        else:
            yield from _sentence_lines(document.text, block, limit)


def _sentence_lines(text: str, block: Block, limit: int) -> Iterator[ExtractionLine]:
    body = text[block.start : min(block.end, limit)]
    for start, end in split_sentences(body):
        for first, last in _split_long(body, start, end):
            yield ExtractionLine(block.start + first, block.start + last)


def _split_long(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a sentence in pieces that are not too long, cut at a mark or a blank where there is one."""
    while end - start > _LONGEST:
        marks = [match.end() for match in _CUT.finditer(body, start + _LONGEST // 2, start + _LONGEST)]
        cut = marks[-1] if marks else start + _LONGEST
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _row_lines(document: ExtractedDocument, table: Table, block: Block) -> Iterator[ExtractionLine]:
    """Yield the rows of the block: a table that goes on over pages has a block for each."""
    header = tuple(cell.lower() for cell in table.rows[0]) if table.header_rows and table.rows else ()
    for number in range(table.header_rows, min(len(table.rows), _TABLE_ROWS)):
        start, end = table.row_spans[number]
        if not block.start <= start < block.end:
            continue
        cells, names, place = [], [], start
        for column, cell in enumerate(table.rows[number]):
            found = document.text.find(cell, place, end) if cell else -1
            if found >= 0:
                cells.append((found, found + len(cell)))
                names.append(header[column] if column < len(header) else "")
                place = found + len(cell)
        if cells:
            yield ExtractionLine(start, end, cells=tuple(cells), header=tuple(names))
