"""The document builder: the only way an extractor makes an `ExtractedDocument`, so that the model's promises hold by construction.

An extractor says what it sees, in reading order (`heading`, `paragraph`, `table`, `page`, ...). The builder cleans each text, puts it behind the
last one, and works out spans, sections and pages. Nothing that was placed is ever changed afterwards.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.documents import Block, BlockKind, DocumentFigure, ExtractedDocument, Link, Metadata, Page, PageUnit, Section, Table
from core.errors import Empty
from core.recognized_lines import LinePlace, locate_lines, pack_page

MAX_CHARACTERS = 20_000_000
_CELL_SEPARATOR = " | "
# Control characters that no reader wants, among them NUL (PostgreSQL refuses it), noncharacters, lone surrogates (UTF-8 refuses them), and the
# private range, whose glyphs mean something only in the font of their file.
_UNWANTED = re.compile("[\ue000-\uf8ff\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile(r"[^\S\n]+")
_BLANK_LINES = re.compile(r"\n{3,}")
Span = tuple[int, int, int, int]  # row, column, rows, columns
_IGNORED_TARGET = re.compile(r"#|(?:javascript|data|mailto|tel|about|blob|cid):", re.I)
_MAX_LINKS, _MAX_TARGET = 5_000, 2_000
_ADJACENT_KINDS = frozenset({BlockKind.LIST_ITEM, BlockKind.FURNITURE})


def clean_text(text: str) -> str:
    """Return `text` with line ends as "\\n", no control characters, runs of spaces as one and no blanks at the ends of lines. Idempotent."""
    if _is_clean(text):
        return text.strip()
    text = _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def clean_code(text: str) -> str:
    """Clean code as `clean_text` does, but keep indentation and inner spaces; tabs become four spaces."""
    text = _UNWANTED.sub("", _LINE_ENDS.sub("\n", text)).expandtabs(4)
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n").rstrip()


def clean_line(text: str) -> str:
    """Return `text` on one line, as a heading or a table cell holds it."""
    return text.strip() if _is_clean(text) else " ".join(clean_text(text).split())


def _is_clean(text: str) -> bool:
    """Return whether this is one line of printable characters (no control, private or unassigned ones, no other blanks than spaces): nearly every
    cell and line."""
    return text.isprintable() and "  " not in text


@dataclass(frozen=True, slots=True)
class _SectionMark:
    offset: int
    title: str
    level: int
    page: int | None


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """Where a table stands on its sheet: the number of its first row, and those of its columns where they are not the first ones; both from 1."""

    first_row: int = 1
    columns: Sequence[int] = ()


class DocumentBuilder:
    """Collects blocks in reading order and builds the document.

    `limit` bounds the characters of the text: what comes after it is dropped with a warning (`full` tells an extractor to stop). An extractor of
    pages says in `unread_pages` and `recognized_pages` which of them need recognition and which had it, and in
    `figures` what pictures there are.
    """

    def __init__(self, parser: str, *, page_unit: PageUnit = PageUnit.NONE, limit: int = MAX_CHARACTERS) -> None:
        self.metadata = Metadata()
        self.full = False
        self.unread_pages: list[int] = []
        self.recognized_pages: list[int] = []
        self.figures: list[DocumentFigure] = []
        self._parser = parser
        self._unit = page_unit
        self._limit = limit
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._marks: list[_SectionMark] = []
        self._labels: list[str] = []
        self._starts: list[int | None] = []
        self._warnings: list[str] = []
        self._links: list[Link] = []
        self._turned: dict[int, int] = {}
        self._places: dict[int, list[LinePlace]] = {}
        self._pending_section: _SectionMark | None = None

    # -- structure -------------------------------------------------------------------------------------------------------------------

    def page(self, label: str = "") -> int:
        """Begin a page, sheet or slide and return its number, counted from 1. It starts at the next block, the first at 0."""
        self._labels.append(clean_line(label) or str(len(self._labels) + 1))
        self._starts.append(None if len(self._labels) > 1 else 0)
        return len(self._labels)

    def note_turn(self, degrees: int) -> None:
        """Note that the page that was begun last stands upright after a clockwise turn of so many degrees."""
        self._turned[len(self._labels)] = degrees

    def section(self, title: str = "", level: int = 1) -> None:
        """Begin a section whose title does not stand in the text: an untitled slide, the text behind a chapter. "" ends all headings."""
        self._pending_section = _SectionMark(-1, clean_line(title), max(1, min(6, level)), None)

    # -- blocks ----------------------------------------------------------------------------------------------------------------------

    def heading(self, text: str, level: int = 1) -> None:
        """Add a heading of level 1 to 6, which opens a section."""
        line = clean_line(text)
        level = max(1, min(6, level))
        if block := self._place(BlockKind.HEADING, line, level):
            self._marks.append(_SectionMark(block.start, line, level, block.page))

    def paragraph(self, text: str) -> None:
        """Add a paragraph."""
        self._place(BlockKind.PARAGRAPH, clean_text(text))

    def list_item(self, text: str, depth: int = 1) -> None:
        """Add one item with its marker ("• milk", "2. eggs") as it should be read; `depth` counts from 1."""
        self._place(BlockKind.LIST_ITEM, clean_text(text), max(1, depth))

    def code(self, text: str) -> None:
        """Add code: indentation and inner spaces stay."""
        self._place(BlockKind.CODE, clean_code(text))

    def block(self, kind: BlockKind, text: str) -> None:
        """Add a block without a level: paragraph, caption, quote, note or furniture."""
        self._place(kind, clean_text(text))

    def table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        header_rows: int = 1,
        caption: str = "",
        spans: Sequence[Span] = (),
        last_page: int | None = None,
        sheet: SheetPlace | None = None,
    ) -> int | None:
        """Add a table of cell texts. Rows without any text are left out; short rows are filled up, so that the table is a rectangle.

        `spans` are cells over several rows or columns as (row, column, rows, columns) of the rows as given; `last_page` is the page on which it
        ends, where that is another one; `sheet` is where it stands on its sheet. Returns its number, by which `add_rows` adds to it; None where
        no row holds any text.
        """
        kept = [(index, [clean_line(cell) for cell in row]) for index, row in enumerate(rows)]
        kept = [(index, row) for index, row in kept if any(row)]
        if not kept:
            return None
        header_rows = sum(index < header_rows for index, _ in kept)
        width = _used_width([row for _, row in kept])
        grid = tuple(tuple(row[:width] + [""] * (width - len(row))) for _, row in kept)
        moved = _move_spans(spans, [index for index, _ in kept], width)
        table = Table(0, 0, (), (), header_rows, None, clean_line(caption), tuple(moved), last_page)
        if sheet is not None:
            columns = sheet.columns or range(1, width + 1)
            table = replace(table, row_numbers=tuple(sheet.first_row + index for index, _ in kept), column_numbers=tuple(columns[:width]))
        return self._place_table(grid, table)

    def add_rows(self, number: int, rows: Sequence[Sequence[str]], *, spans: Sequence[Span] = ()) -> None:
        """Add the rows of table `number` that stand on the next page, as a block of its own; `spans` count from the first of these rows."""
        before = self._tables[number]
        width = len(before.rows[0])
        kept = [(index, row) for index, row in enumerate([clean_line(cell) for cell in row[:width]] for row in rows) if any(row)]
        if not kept:
            return
        grid = tuple(tuple(row + [""] * (width - len(row))) for _, row in kept)
        moved = _move_spans(spans, [index for index, _ in kept], width)
        self._place_table(grid, Table(0, 0, (), (), 0, None, "", tuple(moved), None), number)

    def link(self, anchor: str, target: str) -> None:
        """Add a link in the block that was placed last: `anchor` is the text that carries it (the whole block where it is not found there)."""
        target = clean_line(target)
        if not self._blocks or not target or _IGNORED_TARGET.match(target) or len(target) > _MAX_TARGET or len(self._links) >= _MAX_LINKS:
            return
        block, anchor = self._blocks[-1], clean_line(anchor)
        start = next((link.end for link in reversed(self._links[-1:]) if link.end > block.start), block.start)
        at = "".join(self._pieces[-1:]).find(anchor, start - block.start) if anchor else -1
        span = (block.start + at, block.start + at + len(anchor)) if at >= 0 else (block.start, block.end)
        self._links.append(Link(*span, target))

    def note_line_places(self, lines: Sequence[tuple[str, LinePlace]]) -> None:
        """Note where the recognised lines of the block that was placed last stand on its page, each with its text."""
        if lines and self._blocks and (found := locate_lines(self._pieces[-1], self._blocks[-1].start, lines)):
            self._places.setdefault(len(self._labels), []).extend(found)

    def note_omitted_rows(self, rows: int = 1, number: int = -1, *, counted: bool = False) -> None:
        """Note that so many rows behind those of the last table, or of table `number`, were not read; at least so many, where they are not
        `counted`."""
        if self._tables and rows:
            table = self._tables[number]
            self._tables[number] = replace(table, left_out=table.left_out + rows, uncounted=table.uncounted or not counted)

    def warn(self, sentence: str) -> None:
        """Add a sentence for the ledger; the document then counts as partial. The same sentence is kept once."""
        if sentence not in self._warnings:
            self._warnings.append(sentence)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings so far."""
        return tuple(self._warnings)

    @property
    def position(self) -> tuple[int, int | None]:
        """The length of the text so far, and the number of the page that was begun last."""
        return self._length, len(self._labels) or None

    @property
    def page_count(self) -> int:
        """The number of pages begun so far."""
        return len(self._labels)

    @property
    def has_text(self) -> bool:
        """True where anything but furniture was placed."""
        return any(block.kind is not BlockKind.FURNITURE for block in self._blocks)

    # -- the document ----------------------------------------------------------------------------------------------------------------

    def build(self) -> ExtractedDocument:
        """Build the finished document.

        Raises:
            Empty: no block holds any text, and there is no picture that could be described.
        """
        if not self._blocks and not self.figures:
            raise Empty("There is no text in this file.")
        text = "".join(self._pieces)
        return ExtractedDocument(
            text=text,
            blocks=tuple(self._blocks),
            sections=tuple(self._sections(len(text))) if self._blocks else (),
            tables=tuple(self._tables),
            pages=tuple(self._pages(len(text))),
            page_unit=self._unit,
            metadata=self.metadata,
            parser=self._parser,
            warnings=tuple(self._warnings),
            links=tuple(self._links),
            places=tuple(pack_page(page, lines) for page, lines in self._places.items()),
            unread_pages=tuple(self.unread_pages),
            recognized_pages=tuple(self.recognized_pages),
            figures=tuple(self.figures),
        )

    # -- inside ----------------------------------------------------------------------------------------------------------------------

    def _place(self, kind: BlockKind, text: str, level: int = 0, table: int | None = None) -> Block | None:
        text = self._cut_to_limit(text)
        if not text:
            return None
        start = self._begin(kind)
        self._append(text)
        block = Block(kind, start, self._length, len(self._labels) or None, level, table)
        self._blocks.append(block)
        return block

    def _place_table(self, grid: tuple[tuple[str, ...], ...], table: Table, number: int | None = None) -> int | None:
        """Put the rows of `grid` into the text as far as it has room, as a new table or behind the rows of table `number`; `table` says the rest of
        what is known of them. Returns the table's number."""
        lines = [_CELL_SEPARATOR.join(row).rstrip(" |").strip() for row in grid]
        room = self._limit - self._length - 2
        kept = len(lines) if sum(map(len, lines)) + len(lines) <= room else _lines_that_fit(lines, room)
        block = self._place(BlockKind.TABLE, "\n".join(lines[:kept]), table=len(self._tables) if number is None else number)
        if kept < len(lines):
            self._cut()
        if block is None:
            if number is not None:
                self.note_omitted_rows(len(lines), number, counted=True)
            return None
        table = replace(table, left_out=table.left_out + len(lines) - kept)
        placed, at = [], block.start
        for line in lines[:kept]:
            placed.append((at, at + len(line)))
            at += len(line) + 1
        merged = tuple(_move_spans(table.spans, range(kept), len(grid[0])))
        if number is not None:
            self._tables[number] = _extend_table(self._tables[number], grid[:kept], placed, merged)
            self.note_omitted_rows(len(lines) - kept, number, counted=True)
            return number
        last_page = table.last_page if table.last_page != block.page else None
        table = replace(table, start=block.start, end=block.end, page=block.page, spans=merged, last_page=last_page)
        table = replace(table, rows=grid[:kept], row_spans=tuple(placed), row_numbers=table.row_numbers[:kept])
        self._tables.append(replace(table, header_rows=min(table.header_rows, kept)))
        return len(self._tables) - 1

    def _cut_to_limit(self, text: str) -> str:
        if self.full:
            return ""
        if self._length + len(text) + 2 > self._limit:
            self._cut()
            return text[: max(0, self._limit - self._length - 2)].rstrip()
        return text

    def _cut(self) -> None:
        self.full = True
        self.warn(f"The text was cut after {self._limit:,} characters.")

    def _begin(self, kind: BlockKind) -> int:
        """Write the white space before a block and return the offset where the block starts."""
        if self._blocks:
            last = self._blocks[-1].kind
            self._append("\n" if kind is last and kind in _ADJACENT_KINDS else "\n\n")
        start = self._length
        for index in range(len(self._starts) - 1, -1, -1):
            if self._starts[index] is not None:
                break
            self._starts[index] = start
        if self._pending_section is not None:
            self._marks.append(replace(self._pending_section, offset=start, page=len(self._labels) or None))
            self._pending_section = None
        return start

    def _append(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def _pages(self, end: int) -> list[Page]:
        starts = [end if start is None else start for start in self._starts]
        bounds = [*starts, end]
        turned = self._turned
        return [Page(at + 1, label, bounds[at], bounds[at + 1], turned.get(at + 1, 0)) for at, label in enumerate(self._labels)]

    def _sections(self, end: int) -> list[Section]:
        """Make sections from the marks."""
        marks = self._kept_marks()
        sections: list[Section] = []
        if not marks or marks[0].offset > 0:
            page = self._blocks[0].page
            sections.append(Section((), 0, marks[0].offset if marks else end, 0, page))
        open_headings: list[_SectionMark] = []
        stops = [mark.offset for mark in marks[1:]] + [end]
        for mark, stop in zip(marks, stops, strict=False):  # without marks there is one stop too many
            open_headings = [*(heading for heading in open_headings if heading.level < mark.level), mark] if mark.title else []
            path = tuple(heading.title for heading in open_headings)
            sections.append(Section(path, mark.offset, stop, mark.level if mark.title else 0, mark.page))
        return sections

    def _kept_marks(self) -> list[_SectionMark]:
        """Return the marks; one at the place of another one (an untitled section that begins with a heading) gives way to it."""
        ends: list[_SectionMark | None] = [*self._marks, None]
        return [mark for mark, after in pairwise(ends) if mark and (after is None or after.offset > mark.offset)]


def _used_width(rows: list[list[str]]) -> int:
    """Return the number of columns up to the last one that holds text."""
    return max(max((i + 1 for i, cell in enumerate(row) if cell), default=0) for row in rows)


def _extend_table(table: Table, rows: Sequence[tuple[str, ...]], placed: Sequence[tuple[int, int]], spans: Sequence[Span]) -> Table:
    """Return `table` with more rows behind its own; `spans` count from the first of them."""
    shift = len(table.rows)
    moved = tuple((row + shift, column, down, across) for row, column, down, across in spans)
    return replace(table, end=placed[-1][1], rows=(*table.rows, *rows), row_spans=(*table.row_spans, *placed), spans=(*table.spans, *moved))


def _move_spans(spans: Sequence[Span], kept_rows: Sequence[int], width: int) -> list[Span]:
    """Return spans where they stand once only `kept_rows` (ascending) and the first `width` columns are left; what spans one cell then is none."""
    moved = []
    for row, column, rows, columns in spans:
        first, end = bisect_left(kept_rows, row), bisect_left(kept_rows, row + rows)
        wide = min(column + columns, width) - column
        if end > first and wide > 0 and (end - first > 1 or wide > 1):
            moved.append((first, column, end - first, wide))
    return moved


def _lines_that_fit(lines: list[str], room: int) -> int:
    for count, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return count
    return len(lines)
