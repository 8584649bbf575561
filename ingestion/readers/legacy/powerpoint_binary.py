"""The records of PowerPoint 97 to 2003 (MS-PPT): the objects that are alive, slides in their order, shapes with their texts."""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

_MAX_DEPTH = 40
_MAX_RECORDS = 500_000
_MAX_EDITS = 10_000
_MOST_CELLS = 10_000
DOCUMENT, SLIDE, SLIDE_ATOM, NOTES, SLIDE_LIST, SLIDE_PERSIST = 1000, 1006, 1007, 1008, 4080, 1011
_USER_EDIT, _PERSIST_DIRECTORY = 4085, 6002
_TEXT_HEADER, _TEXT_CHARS, _TEXT_BYTES, _OUTLINE_TEXT = 3999, 4000, 4008, 3998
_GROUP, _SHAPE, _CLIENT_TEXT, _CHILD_ANCHOR, _MORE_OPTIONS = 0xF003, 0xF004, 0xF00D, 0xF00F, 0xF122
_TABLE_PROPERTY = 0x039F
TITLES, BODIES = frozenset({0, 6}), frozenset({1, 5, 7, 8})
NOTES_TEXT, OTHER = 2, 4


@dataclass(frozen=True, slots=True)
class PptRecord:
    """A record of the stream: its type, its instance, and where its body lies."""

    type: int
    instance: int
    begin: int
    end: int
    container: bool


@dataclass(frozen=True, slots=True)
class SlideText:
    """A text with its type: a title (0, 6), a body (1, 5, 7, 8), notes (2) or other (4)."""

    kind: int
    text: str


@dataclass(slots=True)
class SlideShape:
    """A shape of a slide: its texts, or the rows of a table."""

    texts: list[SlideText] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    spans: list[tuple[int, int, int, int]] = field(default_factory=list)


@dataclass(slots=True)
class SlideContent:
    """A slide in its order. `hidden` slides are left out of the show."""

    shapes: list[SlideShape] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    hidden: bool = False


class PowerPointBinary:
    """The stream of one presentation. Loops over what the file says are bounded; what does not fit together is left out."""

    def __init__(self, stream: bytes, current_edit: int) -> None:
        self._stream = stream
        self._left = _MAX_RECORDS
        self._objects, self._document = self._read_object_offsets(current_edit)

    def slides(self, limit: int) -> list[SlideContent] | None:
        """Read the slides in the order of the show; None where the tables that give it are damaged."""
        document = self._record(self._objects.get(self._document, -1))
        if document is None or document.type != DOCUMENT:
            return None
        lists = [child for child in self._children(document) if child.type == SLIDE_LIST]
        notes = {identifier: entry for entry, identifier in self._entries(lists, 2)}
        found = []
        for entry, _ in self._entries(lists, 0)[:limit]:
            slide = self._record(self._objects.get(entry.reference, -1))
            content = self._slide(slide, entry.texts) if slide is not None and slide.type == SLIDE else SlideContent([SlideShape(entry.texts)])
            content.notes = self._notes(notes.get(self._notes_of(slide)) if slide is not None else None)
            content.hidden = slide is not None and self._is_hidden(slide)
            found.append(content)
        return found or None

    def all_texts(self) -> list[SlideText]:
        """Read every text of the stream in its order, for a file without usable tables."""
        found: list[SlideText] = []
        kind = OTHER
        for record in self._flat_records(0, len(self._stream), 0):
            if record.type == _TEXT_HEADER:
                kind = self._number(record, OTHER)
            elif record.type in (_TEXT_CHARS, _TEXT_BYTES):
                found.append(SlideText(kind, self._text(record)))
        return found

    # -- records ---------------------------------------------------------------------------------------------------------------------

    def _record(self, offset: int) -> PptRecord | None:
        if offset < 0 or offset + 8 > len(self._stream) or self._left <= 0:
            return None
        self._left -= 1
        head, kind, size = struct.unpack_from("<HHI", self._stream, offset)
        return PptRecord(kind, head >> 4, offset + 8, min(offset + 8 + size, len(self._stream)), head & 0xF == 0xF)

    def _children(self, record: PptRecord) -> Iterator[PptRecord]:
        at = record.begin
        while at + 8 <= record.end and (child := self._record(at)) is not None:
            yield child
            at = child.end

    def _flat_records(self, begin: int, end: int, depth: int) -> Iterator[PptRecord]:
        for child in self._children(PptRecord(0, 0, begin, end, container=True)):
            yield child
            if child.container and depth < _MAX_DEPTH:
                yield from self._flat_records(child.begin, child.end, depth + 1)

    def _number(self, record: PptRecord, default: int = 0) -> int:
        return int(struct.unpack_from("<I", self._stream, record.begin)[0]) if record.end - record.begin >= 4 else default

    def _text(self, record: PptRecord) -> str:
        content = self._stream[record.begin : record.end]
        return content.decode("utf-16-le", errors="replace") if record.type == _TEXT_CHARS else content.decode("latin-1")

    # -- tables ----------------------------------------------------------------------------------------------------------------------

    def _read_object_offsets(self, offset: int) -> tuple[dict[int, int], int]:
        """Return offsets of the live objects by number, and the number of the document: the newest edit wins."""
        objects: dict[int, int] = {}
        document = -1
        seen: set[int] = set()
        while offset not in seen and len(seen) < _MAX_EDITS:
            seen.add(offset)
            edit = self._record(offset)
            if edit is None or edit.type != _USER_EDIT or edit.end - edit.begin < 20:
                break
            offset, directory, number = struct.unpack_from("<III", self._stream, edit.begin + 8)
            document = number if document < 0 else document
            for key, place in self._directory(self._record(directory)):
                objects.setdefault(key, place)
        return objects, document

    def _directory(self, record: PptRecord | None) -> Iterator[tuple[int, int]]:
        if record is None or record.type != _PERSIST_DIRECTORY:
            return
        at = record.begin
        while at + 4 <= record.end:
            head = struct.unpack_from("<I", self._stream, at)[0]
            first, count = head & 0xFFFFF, min(head >> 20, (record.end - at - 4) // 4)
            yield from zip(range(first, first + count), struct.unpack_from(f"<{count}I", self._stream, at + 4), strict=True)
            at += 4 + 4 * max(count, head >> 20)

    def _entries(self, lists: list[PptRecord], instance: int) -> list[tuple[_SlideEntry, int]]:
        """Return (entry, identifier) of the slides (0) or the notes (2), with the texts of their outline."""
        entries: list[tuple[_SlideEntry, int]] = []
        for holder in lists:
            kind = OTHER
            for child in self._children(holder) if holder.instance == instance else ():
                if child.type == SLIDE_PERSIST and child.end - child.begin >= 16:
                    reference, _, _, identifier = struct.unpack_from("<IIII", self._stream, child.begin)
                    entries.append((_SlideEntry(reference), identifier))
                elif child.type == _TEXT_HEADER:
                    kind = self._number(child, OTHER)
                    if entries:
                        entries[-1][0].texts.append(SlideText(kind, ""))
                elif child.type in (_TEXT_CHARS, _TEXT_BYTES) and entries and entries[-1][0].texts:
                    entries[-1][0].texts[-1] = SlideText(kind, self._text(child))
        return entries

    def _notes_of(self, slide: PptRecord) -> int:
        atom = next((child for child in self._children(slide) if child.type == SLIDE_ATOM), None)
        return int(struct.unpack_from("<I", self._stream, atom.begin + 16)[0]) if atom is not None and atom.end - atom.begin >= 20 else -1

    def _is_hidden(self, slide: PptRecord) -> bool:
        """Return whether the slide is hidden: bit 2 of the flags of the atom about the show (1017)."""
        atom = next((child for child in self._children(slide) if child.type == 1017 and child.end - child.begin >= 12), None)
        return atom is not None and bool(self._stream[atom.begin + 10] & 4)

    # -- shapes ----------------------------------------------------------------------------------------------------------------------

    def _slide(self, slide: PptRecord, outline: list[SlideText]) -> SlideContent:
        content = SlideContent()
        self._collect_shapes(slide, content, outline, 0)
        return content

    def _collect_shapes(self, parent: PptRecord, content: SlideContent, outline: list[SlideText], depth: int) -> None:
        for child in self._children(parent) if depth < _MAX_DEPTH else ():
            if child.type == _GROUP and self._is_table(child):
                content.shapes.append(self._table(child, outline))
            elif child.type == _SHAPE:
                if texts := self._texts(child, outline):
                    content.shapes.append(SlideShape(texts))
            elif child.container and child.type not in (SLIDE_LIST, DOCUMENT):
                self._collect_shapes(child, content, outline, depth + 1)

    def _texts(self, shape: PptRecord, outline: list[SlideText]) -> list[SlideText]:
        """Return the texts of a shape, those that stand in the outline looked up there."""
        found: list[SlideText] = []
        kind = OTHER
        for record in self._flat_records(shape.begin, shape.end, 0):
            if record.type == _TEXT_HEADER:
                kind = self._number(record, OTHER)
            elif record.type in (_TEXT_CHARS, _TEXT_BYTES):
                found.append(SlideText(kind, self._text(record)))
            elif record.type == _OUTLINE_TEXT and 0 <= self._number(record) < len(outline):
                found.append(outline[self._number(record)])
        return [text for text in found if text.text.strip()]

    def _is_table(self, group: PptRecord) -> bool:
        """Return whether the first shape of a group carries the properties of a table."""
        first = next(self._children(group), None)
        for record in self._children(first) if first is not None and first.type == _SHAPE else ():
            if record.type == _MORE_OPTIONS:
                codes = (struct.unpack_from("<H", self._stream, record.begin + 6 * number)[0] for number in range((record.end - record.begin) // 6))
                return any(code & 0x3FFF == _TABLE_PROPERTY for number, code in enumerate(codes) if number < record.instance)
        return False

    def _table(self, group: PptRecord, outline: list[SlideText]) -> SlideShape:
        """Return rows by the upper edges of the cells, columns by their left ones; a cell spans the edges that its own far edges pass."""
        cells = self._table_cells(group, outline)
        filled = [cell for cell in cells if cell[4]]
        tops, lefts = sorted({cell[0] for cell in cells}), sorted({cell[1] for cell in filled})
        rows = [[""] * len(lefts) for _ in tops]
        spans = []
        for top, left, bottom, right, text in filled:
            row, column = bisect_left(tops, top), bisect_left(lefts, left)
            rows[row][column] = text
            height, width = max(1, bisect_left(tops, bottom) - row), max(1, bisect_left(lefts, right) - column)
            if height > 1 or width > 1:
                spans.append((row, column, height, width))
                for below in rows[row + 1 : row + height]:
                    below[column] = below[column] or text
        return SlideShape(rows=rows, spans=spans)

    def _table_cells(self, group: PptRecord, outline: list[SlideText]) -> list[tuple[int, int, int, int, str]]:
        """Return top, left, bottom, right and text of each cell."""
        cells: list[tuple[int, int, int, int, str]] = []
        for shape in self._children(group):
            anchor = next((child for child in self._children(shape) if child.type == _CHILD_ANCHOR), None) if shape.type == _SHAPE else None
            if anchor is not None and anchor.end - anchor.begin >= 16 and len(cells) < _MOST_CELLS:
                left, top, right, bottom = struct.unpack_from("<4i", self._stream, anchor.begin)
                cells.append((top, left, bottom, right, " ".join(text.text for text in self._texts(shape, outline))))
        return cells

    def _notes(self, entry: _SlideEntry | None) -> list[str]:
        notes = self._record(self._objects.get(entry.reference, -1)) if entry is not None else None
        if entry is None or notes is None or notes.type != NOTES:
            return []
        content = self._slide(notes, entry.texts)
        return [text.text for shape in content.shapes for text in shape.texts if text.kind == NOTES_TEXT]


@dataclass(slots=True)
class _SlideEntry:
    reference: int
    texts: list[SlideText] = field(default_factory=list)
