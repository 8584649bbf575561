"""The text of OpenDocument files: paragraphs with what hangs on them, lists, tables, frames, in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from core.documents import BlockKind
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line, clean_text
from ingestion.readers.base.formulas import mathml_text
from ingestion.readers.base.table_grid import guess_header_rows
from ingestion.readers.odf.odf_package import DRAW, OFFICE, PRESENTATION, TABLE, TEXT, XLINK, ListLevel, OdfPackage, OdfStyles, repeat_count
from ingestion.readers.odf.odf_tables import TableReader
from ingestion.readers.office.docx_numbering import format_numeral

_SVG = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_MATH = "{http://www.w3.org/1998/Math/MathML}math"
_MAX_NESTING = 60
_KINDS = (
    (re.compile(r"^(?:title|titel)$"), BlockKind.HEADING),
    (re.compile(r"^(?:caption|illustration|drawing|figure|beschriftung|legend)$"), BlockKind.CAPTION),
    (re.compile(r"^(?:quotations?|quote|intense quote|block text)$"), BlockKind.QUOTE),
    (re.compile(r"^(?:preformatted text|source text|html preformatted|code.*|listing.*)$"), BlockKind.CODE),
    (re.compile(r"^(?:contents \d+|index \d+|header.*|footer.*)$"), BlockKind.FURNITURE),
)
_FORMATS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "1": "decimal"}
# What holds no text of the document itself: deleted text, declarations, pronunciations, marks, scripts.
_SKIPPED = frozenset(
    {
        f"{TEXT}{name}"
        for name in "tracked-changes ruby-text note-citation sequence-decls variable-decls user-field-decls dde-connection-decls".split()
    }
    | {f"{OFFICE}{name}" for name in "event-listeners forms scripts".split()}
    | {f"{TEXT}alphabetical-index-auto-mark-file", f"{TEXT}hidden-text", f"{PRESENTATION}notes"}
)
_SHAPES = frozenset(
    f"{DRAW}{name}" for name in "frame custom-shape rect ellipse circle line polyline polygon path connector caption g a page-thumbnail".split()
)


@dataclass(slots=True)
class InlineText:
    """The text of a paragraph; `frames` are the shapes anchored in it, `notes` its footnotes and comments."""

    pieces: list[str] = field(default_factory=list)
    frames: list[Any] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def read_inline(element: Any) -> InlineText:
    """Read the text of a paragraph or heading as a person sees it."""
    found = InlineText()
    _collect_inline(element, found, 0)
    return found


def _collect_inline(element: Any, found: InlineText, depth: int) -> None:
    if element.text:
        found.pieces.append(_collapse_spaces(element.text))
    for child in element:
        tag = child.tag
        if tag == f"{TEXT}s":
            found.pieces.append(" " * repeat_count(child, f"{TEXT}c", 100))
        elif tag == f"{TEXT}tab":
            found.pieces.append("\t")
        elif tag == f"{TEXT}line-break":
            found.pieces.append("\n")
        elif tag in (f"{TEXT}note", f"{OFFICE}annotation"):
            found.notes.append(child)
        elif tag in _SHAPES:
            found.frames.append(child)
        elif isinstance(tag, str) and tag not in _SKIPPED and depth < _MAX_NESTING:
            _collect_inline(child, found, depth + 1)
        if child.tail:
            found.pieces.append(_collapse_spaces(child.tail))


def _collapse_spaces(text: str) -> str:
    return re.sub(r"[ \t\r\n]+", " ", text)


class OdfTextWalker:
    """Places the blocks below an element in reading order."""

    def __init__(self, builder: DocumentBuilder, package: OdfPackage, styles: OdfStyles) -> None:
        self._builder = builder
        self._package = package
        self._styles = styles
        self._counters: dict[str, list[int]] = {}
        self._lists: list[str] = []
        self._furniture = 0

    def walk_blocks(self, parent: Any, depth: int = 0) -> None:
        """Place everything below `parent`."""
        for child in parent if depth < _MAX_NESTING else ():
            if self._builder.full:
                return
            tag = child.tag
            if tag == f"{TEXT}h":
                self._place_paragraph(child, min(6, repeat_count(child, f"{TEXT}outline-level", 6)), depth)
            elif tag == f"{TEXT}p":
                self._place_paragraph(child, 0, depth)
            elif tag == f"{TEXT}list":
                self._place_list(child, depth)
            elif tag == f"{TABLE}table":
                self.place_table(child, depth)
            elif tag in _SHAPES:
                self.place_shape(child, depth)
            elif tag == f"{OFFICE}annotation":
                self._place_note(child, depth)
            elif isinstance(tag, str) and tag not in _SKIPPED:
                self._walk_container(child, depth)

    def _walk_container(self, element: Any, depth: int) -> None:
        """Walk a container: sections are read as if they were not there; tables of contents and indexes repeat what stands elsewhere."""
        repeats = element.tag in (f"{TEXT}index-body",)
        self._furniture += repeats
        self.walk_blocks(element, depth + 1)
        self._furniture -= repeats

    # -- paragraphs ------------------------------------------------------------------------------------------------------------------

    def _place_paragraph(self, element: Any, level: int, depth: int, marker: str = "") -> None:
        found = read_inline(element)
        text = clean_text(found.text)
        if text:
            self._place_text(element, text, level, marker)
        for frame in found.frames:
            self.place_shape(frame, depth + 1)
        for note in found.notes:
            self._place_note(note, depth + 1)

    def _place_text(self, element: Any, text: str, level: int, marker: str) -> None:
        kind = self._kind(element)
        if self._furniture:
            self._builder.block(BlockKind.FURNITURE, text)
        elif (level or kind is BlockKind.HEADING) and len(text) <= 300:
            number = element.find(f"{TEXT}number")
            label = "" if number is None or clean_line(number.text or "") in text else f"{number.text} "
            self._builder.heading(label + text, level or 1)
        elif self._lists:
            self._builder.list_item(f"{marker} {text}" if marker else text, len(self._lists))
        elif kind is BlockKind.CODE:
            self._builder.code(read_inline(element).text)
        elif kind is BlockKind.HEADING:
            self._builder.paragraph(text)
        else:
            self._builder.block(kind, text)

    def _kind(self, element: Any) -> BlockKind:
        for name in self._styles.names(element.get(f"{TEXT}style-name") or ""):
            for pattern, kind in _KINDS:
                if pattern.search(name):
                    return kind
        return BlockKind.PARAGRAPH

    def _place_note(self, note: Any, depth: int) -> None:
        """Place a footnote, endnote or comment."""
        if note.tag == f"{OFFICE}annotation":
            author = clean_line(note.findtext(f"{_DC}creator") or "")
            mark = f"Comment by {author}" if author else "Comment"
            body = note
        else:
            mark = f"Note {clean_line(note.findtext(f'{TEXT}note-citation') or '')}".strip()
            body = note.find(f"{TEXT}note-body")
        text = self.flat_text(body, depth) if body is not None else ""
        if text:
            self._builder.block(BlockKind.NOTE, f"{mark}: {text}")

    # -- lists -----------------------------------------------------------------------------------------------------------------------

    def _place_list(self, element: Any, depth: int) -> None:
        style = element.get(f"{TEXT}style-name") or (self._lists[-1] if self._lists else "")
        self._lists.append(style)
        level, place = len(self._lists), self._styles.list_level(style, len(self._lists))
        counters = self._counters.setdefault(style, [0] * 11)
        continued = element.get(f"{TEXT}continue-numbering") == "true" or element.get(f"{TEXT}continue-list")
        if level <= 10 and not continued:
            counters[level] = place.start - 1
        for item in element:
            if item.tag == f"{TEXT}list-item":
                self._place_item(item, self._label(item, place, counters, level), depth)
            elif item.tag == f"{TEXT}list-header":
                self.walk_blocks(item, depth + 1)
        self._lists.pop()

    def _label(self, item: Any, place: ListLevel, counters: list[int], level: int) -> str:
        """Return the label of the next item: "2.", "(a)", "•"."""
        if level > 10 or place.format == "•" or not any(child.tag in (f"{TEXT}p", f"{TEXT}h") for child in item):
            return "•"
        start = item.get(f"{TEXT}start-value") or ""
        counters[level] = int(start) if start.isdecimal() and len(start) < 8 else counters[level] + 1
        if not place.format:
            return (place.prefix + place.suffix).strip()
        first = max(1, level - max(1, place.shown_levels) + 1)
        numbers = [format_numeral(max(1, counters[at]), _FORMATS.get(place.format, "decimal")) for at in range(first, level + 1)]
        return place.prefix + ".".join(numbers) + place.suffix

    def _place_item(self, item: Any, label: str, depth: int) -> None:
        for child in item:
            if child.tag in (f"{TEXT}p", f"{TEXT}h"):
                level = repeat_count(child, f"{TEXT}outline-level", 6) if child.tag == f"{TEXT}h" else 0
                self._place_paragraph(child, level, depth + 1, label)
                label = ""
            elif depth < _MAX_NESTING:
                self.walk_blocks([child], depth + 1)

    # -- tables and shapes -----------------------------------------------------------------------------------------------------------

    def place_table(self, element: Any, depth: int = 0) -> None:
        """Place a table of a text or a slide. One cell alone is a frame around text."""
        reader = TableReader(lambda cell: self.flat_text(cell, depth + 1))
        rows = list(reader.rows(element))
        if len(rows) == 1 and len(rows[0]) == 1 and (cell := next(element.iter(f"{TABLE}table-cell"), None)) is not None:
            self.walk_blocks(cell, depth + 1)
            return
        named = reader.header_rows if 0 < reader.header_rows < len(rows) else guess_header_rows(rows)
        first = element.get(f"{TABLE}use-first-row-styles") == "true" and len(rows) > 1
        self._builder.table(rows, header_rows=named or int(first), spans=reader.spans)
        if reader.truncated:
            self._builder.warn("A table repeats cells or rows too often: it was read in part.")

    def place_shape(self, shape: Any, depth: int = 0) -> None:
        """Place a frame or a drawn shape: its text, its table, its formula, or what describes its picture."""
        if depth > _MAX_NESTING:
            return
        for child in shape:
            if child.tag == f"{DRAW}text-box":
                self.walk_blocks(child, depth + 1)
            elif child.tag == f"{DRAW}object":
                self._place_object(child, depth)
            elif child.tag in _SHAPES or child.tag in (f"{TABLE}table", f"{TEXT}p", f"{TEXT}h", f"{TEXT}list"):
                self.walk_blocks([child], depth + 1)
        described = [clean_line(shape.findtext(f"{_SVG}{name}") or "") for name in ("title", "desc")]
        if shape.find(f"{DRAW}image") is not None and any(described):
            self._builder.block(BlockKind.CAPTION, " ".join(filter(None, described)))

    def _place_object(self, element: Any, depth: int) -> None:
        """Place an embedded formula, or a chart as the table that it was drawn from."""
        link = (element.get(f"{XLINK}href") or "").removeprefix("./")
        root = self._package.part(f"{link}/content.xml") if link else None
        if root is None:
            root = element  # a flat file holds it in place
        for formula in root.iter(_MATH):
            self._builder.paragraph(mathml_text(formula))
        for chart in root.iter("{urn:oasis:names:tc:opendocument:xmlns:chart:1.0}chart"):
            title = chart.find("{urn:oasis:names:tc:opendocument:xmlns:chart:1.0}title")
            self._builder.block(BlockKind.CAPTION, self.flat_text(title, depth + 1) if title is not None else "")
            for table in chart.iter(f"{TABLE}table"):
                self.place_table(table, depth + 1)

    def flat_text(self, element: Any, depth: int) -> str:
        """Return all text below an element, for a cell or a note: paragraphs as lines, list items with a dash, inner tables row by row."""
        lines: list[str] = []
        for child in element if depth < _MAX_NESTING else ():
            if child.tag in (f"{TEXT}p", f"{TEXT}h"):
                lines += self._paragraph_lines(child, depth + 1)
            elif child.tag == f"{TABLE}table":
                inner = TableReader(lambda cell: self.flat_text(cell, depth + 1))
                lines += [", ".join(filter(None, map(clean_line, row))) for row in inner.rows(child)]
            elif isinstance(child.tag, str) and child.tag not in _SKIPPED and not child.tag.startswith((_DC, f"{OFFICE}annotation")):
                lines.append(self.flat_text(child, depth + 1))
        return "\n".join(line for line in lines if line.strip())

    def _paragraph_lines(self, paragraph: Any, depth: int) -> Iterator[str]:
        """Yield a paragraph's own text, then that of its frames, comments and notes."""
        found = read_inline(paragraph)
        yield found.text
        yield from (self.flat_text(frame, depth) for frame in found.frames)
        yield from (f"({self.flat_text(note, depth)})" for note in found.notes if note.tag == f"{OFFICE}annotation")
        yield from (f"(Note: {self.flat_text(note, depth)})" for note in found.notes if note.tag == f"{TEXT}note")
