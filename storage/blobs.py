"""Compressed values: texts in segments, document structures, traces. And float16 vectors as plain bytes."""

from __future__ import annotations

import json
import zlib
from datetime import datetime
from typing import TYPE_CHECKING, Any

from core.documents import Block, BlockKind, ExtractedDocument, Link, Metadata, Page, PageUnit, Section, Table
from core.errors import Unavailable
from storage.schema import dump_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    from numpy.typing import NDArray

# Code points in a segment: long enough to compress, short enough that cutting out one chunk is cheap. 50 chunks out of 30 documents, none in
# memory, took 4.2 / 5.0 / 7.2 ms with 8,192 / 16,384 / 32,768, at 1,563 / 1,386 / 1,350 bytes on disk for each chunk (benchmarks/storage.py).
SEGMENT = 16_384
_LEVEL = 4
_ROWS = 1000  # of a table that are written at once


def pack_json(value: Any) -> bytes:
    """Return `value` as compressed JSON, every string storable."""
    return zlib.compress(dump_json(value).encode(), _LEVEL)


def unpack_json(blob: bytes) -> Any:
    """Return the value that `pack_json` was given. Raises Unavailable when the bytes are damaged."""
    return json.loads(_inflate(blob))


def split_text(text: str) -> list[bytes]:
    """Return `text` cut into compressed segments of SEGMENT code points; an empty text has none."""
    return [zlib.compress(text[start : start + SEGMENT].encode(), _LEVEL) for start in range(0, len(text), SEGMENT)]


def segment_text(blob: bytes) -> str:
    return _inflate(blob).decode()


def segment_range(start: int, end: int) -> range:
    """Return the ordinals of the segments that [start:end] touches."""
    return range(start // SEGMENT, max(start, end - 1) // SEGMENT + 1)


def slice_segments(segments: dict[int, str], start: int, end: int) -> str:
    """Return text[start:end] from the segments of `segment_range(start, end)`."""
    touched = segment_range(start, end)
    joined = "".join(segments.get(ordinal, "") for ordinal in touched)
    offset = touched[0] * SEGMENT
    return joined[start - offset : end - offset]


def _inflate(blob: bytes) -> bytes:
    try:
        return zlib.decompress(blob)
    except zlib.error as error:
        raise Unavailable(f"A stored text is damaged ({error}). Check the disk, then index the folder again with --force.") from error


def pack_vectors(vectors: NDArray[np.float16]) -> bytes:
    import numpy as np  # a quarter of a second, and `vantage status` counts without it

    return np.ascontiguousarray(vectors, dtype="<f2").tobytes()


def unpack_vectors(blob: bytes, rows: int, dimension: int) -> NDArray[np.float16]:
    """Return float16 [rows, dimension], read-only: it shares the memory of `blob`."""
    import numpy as np

    return np.frombuffer(blob, dtype="<f2").reshape(rows, dimension)


def pack_structure(document: ExtractedDocument) -> bytes:
    """Pack everything of the document but its text, written piece by piece: a table may have hundreds of thousands of rows."""
    packer = zlib.compressobj(_LEVEL)
    return b"".join([*(packer.compress(piece.encode()) for piece in _structure(document)), packer.flush()])


def _structure(document: ExtractedDocument) -> Iterator[str]:
    yield '{"tables":['
    for place, table in enumerate(document.tables):
        yield ("," if place else "") + "["
        yield dump_json([table.start, table.end])[1:-1]
        for rows in (table.rows, table.row_spans):
            yield ",["
            for first in range(0, len(rows), _ROWS):
                yield ("," if first else "") + dump_json(rows[first : first + _ROWS])[1:-1]
            yield "]"
        yield "," + dump_json([table.header_rows, table.page, table.caption, table.spans, table.last_page, _numbers(table)])[1:]
    about = document.metadata
    yield (
        "],"
        + dump_json(
            {
                "blocks": [[block.kind.value, block.start, block.end, block.page, block.level, block.table] for block in document.blocks],
                "sections": [
                    [section.path, section.start, section.end, section.level, section.page, section.language] for section in document.sections
                ],
                "pages": [[page.number, page.label, page.start, page.end, *([page.turned] if page.turned else [])] for page in document.pages],
                "page_unit": document.page_unit.value,
                "parser": document.parser,
                "warnings": document.warnings,
                "unread_pages": document.unread_pages,
                "recognized_pages": document.recognized_pages,
                "links": [[link.start, link.end, link.target] for link in document.links],
                "metadata": [about.title, about.authors, _write_time(about.created_at), _write_time(about.modified_at), about.language, about.extra],
            }
        )[1:]
    )


def unpack_structure(blob: bytes, text: str) -> ExtractedDocument:
    """Return the document as it was extracted, around its text."""
    stored = unpack_json(blob)
    title, authors, created, modified, language, extra = stored["metadata"]
    return ExtractedDocument(
        text=text,
        blocks=tuple(Block(BlockKind(kind), *rest) for kind, *rest in stored["blocks"]),
        sections=tuple(Section(tuple(path), *rest) for path, *rest in stored["sections"]),
        tables=tuple(_table(row) for row in stored["tables"]),
        pages=tuple(Page(*row) for row in stored["pages"]),
        page_unit=PageUnit(stored["page_unit"]),
        metadata=Metadata(title, tuple(authors), _read_time(created), _read_time(modified), language, extra),
        parser=stored["parser"],
        warnings=tuple(stored["warnings"]),
        unread_pages=tuple(stored.get("unread_pages", ())),
        recognized_pages=tuple(stored.get("recognized_pages", ())),
        links=tuple(Link(*row) for row in stored.get("links", ())),
    )


def _numbers(table: Table) -> list[Any]:
    """Return the numbers of its rows, and of its columns. Most rows stand one below the other: such a stretch is its first number and its length."""
    stretches: list[list[int]] = []
    for number in table.row_numbers:
        if stretches and number == sum(stretches[-1]):
            stretches[-1][1] += 1
        else:
            stretches.append([number, 1])
    return [stretches, table.column_numbers]


def _table(row: list[Any]) -> Table:
    """Return the table of its stored row. What an earlier version wrote ends with the caption, or with the last page."""
    start, end, rows, row_spans, header_rows, page, caption, *more = row
    spans, last_page = more[:2] or ((), None)
    stretches, columns = more[2] if len(more) > 2 else ((), ())
    return Table(
        start,
        end,
        _tuples(rows),
        tuple((first, last) for first, last in row_spans),
        header_rows,
        page,
        caption,
        tuple((top, left, down, right) for top, left, down, right in spans),
        last_page,
        row_numbers=tuple(first + at for first, length in stretches for at in range(length)),
        column_numbers=tuple(columns),
    )


def _tuples(rows: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)


def _write_time(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def _read_time(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None
