"""Word documents: python-docx opens the package, the body is walked as XML so that nothing in it is passed over."""

from __future__ import annotations

import re
from typing import Any

import docx
from docx.opc.constants import RELATIONSHIP_TYPE as RELATION
from docx.oxml.exceptions import InvalidXmlError

from core.documents import BlockKind, ExtractedDocument
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder, clean_text
from ingestion.readers.base.figure_collection import FigureCollector
from ingestion.readers.base.office_package import FAILURES, core_metadata, open_package, parse_xml
from ingestion.readers.base.source import Source
from ingestion.readers.base.table_grid import Cell, guess_header_rows, join_merged_cells, lay_out_cells
from ingestion.readers.office.charts import place_chart, read_chart
from ingestion.readers.office.docx_numbering import Numbering
from ingestion.readers.office.docx_styles import Styles
from ingestion.readers.office.docx_text import PICTURES, ParagraphText, W, read_paragraph

FORMATS = (
    Format(
        name="docx",
        title="Word document",
        kind=FileKind.WORD,
        viewer=Viewer.TEXT,
        suffixes=(".docx", ".docm"),
        rare_suffixes=(".dotx",),
        name_role=NameRole.PROMISES,
        zip_members=("word/document.xml",),
        spoken_endings=("docx",),
        spoken_with_files=("docm",),
    ),
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATION_ID = f"{{{_RELATIONS}}}id"
_POINT, _POINT_TEXT = (f"{{http://schemas.openxmlformats.org/drawingml/2006/main}}{name}" for name in ("p", "t"))
_MAX_NESTING = 40
_DELETED_END = f"{W}pPr/{W}rPr/{W}del"
# Wrappers around blocks; what they hold is read as if they were not there.
_WRAPPERS = frozenset(f"{W}{name}" for name in "sdt sdtContent customXml smartTag ins moveTo body txbxContent docPartObj".split())


def extract(source: Source) -> ExtractedDocument:
    """Read a .docx, .docm or .dotx, also one in the strict form of the standard.

    Raises:
        Malformed: the package cannot be opened.
        LimitExceeded, Encrypted: see `open_package`.
        Empty: no text in it.
    """
    document = open_package(source, _load, "Word document")
    builder = DocumentBuilder("docx", limit=source.limits.characters)
    builder.metadata = core_metadata(source.data)
    figures = FigureCollector(source, builder)
    walk = _DocxWalker(builder, document, figures)
    walk.place_frame(RELATION.HEADER)
    walk.walk_blocks(document.element.body, 0)
    walk.offer_other_pictures(document.element.body)
    walk.place_frame(RELATION.FOOTER)
    walk.place_other_notes()
    figures.finish()
    return builder.build()


def _load(file: Any) -> Any:
    try:
        document = docx.Document(file)
    except InvalidXmlError as error:
        raise ValueError(str(error)) from error
    _ = document.element.body  # a package without one fails here, where it can be repaired
    return document


class _DocxWalker:
    """Goes through the body in reading order. `_notes` are the footnotes, endnotes and comments that were not reached yet."""

    def __init__(self, builder: DocumentBuilder, document: Any, figures: FigureCollector) -> None:
        self._builder, self._figures = builder, figures
        self._shown: set[str] = set()
        self._part = document.part
        self._styles = Styles(self._root(RELATION.STYLES))
        self._numbering = Numbering(self._root(RELATION.NUMBERING))
        self._notes: dict[tuple[str, str], Any] = {}
        for kind, relation in (("footnote", RELATION.FOOTNOTES), ("endnote", RELATION.ENDNOTES), ("comment", RELATION.COMMENTS)):
            root = self._root(relation)
            for note in root if root is not None else ():
                if note.tag == f"{W}{kind}" and note.get(f"{W}type") not in ("separator", "continuationSeparator", "continuationNotice"):
                    self._notes[kind, note.get(f"{W}id") or ""] = note
        self._marks_headings = self._styles.marks_headings(document.element.body)

    def _root(self, relation: str) -> Any | None:
        """Return the root element of the first part of a kind; None if it is absent or cannot be parsed."""
        for link in self._part.rels.values():
            if link.reltype == relation and not link.is_external:
                try:
                    return parse_xml(link.target_part.blob)
                except FAILURES:
                    return None
        return None

    # -- blocks ----------------------------------------------------------------------------------------------------------------------

    def walk_blocks(self, parent: Any, depth: int) -> None:
        before = ""  # of a paragraph whose end was deleted: it goes on in the next one
        for child in parent:
            if self._builder.full or depth > _MAX_NESTING:
                return
            if child.tag == f"{W}p":
                before = self._place_paragraph(child, depth, before)
            elif child.tag == f"{W}tbl":
                self._place_table(child, depth)
            elif child.tag in _WRAPPERS:
                self.walk_blocks(child, depth + 1)
            elif child.tag == f"{W}altChunk":
                self._place_foreign_part(child.get(_RELATION_ID) or "")
        self._builder.paragraph(clean_text(before))

    def _place_paragraph(self, element: Any, depth: int, before: str) -> str:
        """Place a paragraph behind the words `before` of one that runs into it; returns its own words where it runs into the next."""
        found = read_paragraph(element)
        text = clean_text(before + found.text)
        runs_on = element.find(_DELETED_END) is not None
        if text and not runs_on:
            self._place_text(element, text)
            self._place_links(element)
        for box in found.boxes:
            self.walk_blocks(box, depth + 1)
        self._place_drawings(found)
        for key in found.notes:
            if (note := self._notes.pop(key, None)) is not None:
                self._place_note(key, note)
        return before + found.text if runs_on else ""

    def _place_drawings(self, found: ParagraphText) -> None:
        """Place charts as the tables they were drawn from, SmartArt as its points, pictures as what is said of them."""
        for identifier in found.parts:
            link = self._part.rels.get(identifier)
            if link is None or link.is_external:
                continue
            try:
                root = parse_xml(link.target_part.blob)
                if link.reltype.endswith("/chart"):
                    place_chart(self._builder, read_chart(root))
                else:
                    for point in root.iter(_POINT):
                        self._builder.list_item("".join(run.text or "" for run in point.iter(_POINT_TEXT)))
            except FAILURES:
                self._builder.warn("A chart or drawing could not be read.")
        for description in found.picture_descriptions:
            self._builder.block(BlockKind.CAPTION, description)
        for identifier in found.pictures:
            self._offer_picture(identifier)

    def _offer_picture(self, identifier: str) -> None:
        """Offer a picture to a vision model, where there is one."""
        link = self._part.rels.get(identifier)
        if link is not None and not link.is_external:
            self._shown.add(identifier)
            self._figures.add_file(lambda: bytes(link.target_part.blob))

    def offer_other_pictures(self, body: Any) -> None:
        """Add the pictures in tables and fields, whose text is read without their paragraphs."""
        for tag, name in PICTURES.items() if self._figures.enabled else ():
            for element in body.iter(tag):
                identifier = element.get(f"{{{_RELATIONS}}}{name}") or ""
                if identifier not in self._shown:
                    self._offer_picture(identifier)

    def _place_text(self, element: Any, text: str) -> None:
        style = self._styles.style_of(element)
        label = self._numbering.label(style.list_id, style.list_depth) if style.list_id else ""
        labelled = f"{label} {text}" if label and label != "•" else text
        if style.heading and len(text) <= 300:
            self._builder.heading(labelled, style.heading)
        elif style.kind is BlockKind.CODE:
            self._builder.code(read_paragraph(element).text)
        elif style.kind is not BlockKind.PARAGRAPH:
            self._builder.block(style.kind, text)
        elif style.list_id:
            self._builder.list_item(f"{label or '•'} {text}", style.list_depth + 1)
        elif not self._marks_headings and self._styles.looks_like_heading(element, text):
            self._builder.heading(text, 2)
        else:
            self._builder.paragraph(text)

    def _place_links(self, element: Any) -> None:
        """Place the links of the block that was just placed."""
        for link in element.iter(f"{W}hyperlink"):
            relation = self._part.rels.get(link.get(_RELATION_ID) or "")
            if relation is not None and relation.is_external:
                self._builder.link(read_paragraph(link).text, relation.target_ref)

    def _place_note(self, key: tuple[str, str], note: Any) -> None:
        text = " ".join(read_paragraph(paragraph).text for paragraph in note.iter(f"{W}p"))
        kind, identifier = key
        author = note.get(f"{W}author") or ""
        mark = (f"Comment by {author}" if author else "Comment") if kind == "comment" else f"Note {identifier}"
        if clean_text(text):
            self._builder.block(BlockKind.NOTE, f"{mark}: {text}")

    def place_other_notes(self) -> None:
        """Place the notes whose reference was in no paragraph (a table, a field)."""
        for key, note in self._notes.items():
            self._place_note(key, note)

    def place_frame(self, relation: str) -> None:
        """Place the text of page headers or footers, each once."""
        seen: set[str] = set()
        for link in self._part.rels.values():
            if link.reltype != relation or link.is_external:
                continue
            try:
                root = parse_xml(link.target_part.blob)
            except FAILURES:
                continue
            text = clean_text("\n".join(read_paragraph(paragraph).text for paragraph in root.iter(f"{W}p")))
            if text not in seen and re.search(r"[^\W\d_]", text):
                self._builder.block(BlockKind.FURNITURE, text)
            seen.add(text)

    def _place_foreign_part(self, identifier: str) -> None:
        """Place a part in another format that Word shows in place: web pages and plain text are read."""
        link = self._part.rels.get(identifier)
        if link is None or link.is_external:
            return
        part = link.target_part
        if "html" in part.content_type:
            from ingestion.readers.text.html import place_html

            metadata = self._builder.metadata
            place_html(self._builder, decode(part.blob).text)
            self._builder.metadata = metadata
        elif part.content_type.startswith("text/"):
            self._builder.paragraph(decode(part.blob).text)
        else:
            self._builder.warn(f"A part in another format was not read ({part.content_type}).")

    # -- tables ----------------------------------------------------------------------------------------------------------------------

    def _place_table(self, table: Any, depth: int) -> None:
        rows = list(_rows(table))
        if len(rows) == 1 and len(list(_cells(rows[0]))) == 1:
            self.walk_blocks(next(_cells(rows[0])), depth + 1)  # a frame around text
            return
        cells = [[_cell(cell) for cell in _cells(row)] for row in rows]
        grid = lay_out_cells(join_merged_cells([_indent_cells(row) + line for row, line in zip(rows, cells, strict=True)]))
        declared = 0
        while declared < len(rows) and rows[declared].find(f"{W}trPr/{W}tblHeader") is not None:
            declared += 1
        header = declared if 0 < declared < len(rows) else guess_header_rows(grid.rows)
        self._builder.table(grid.rows, header_rows=header, spans=grid.spans)


def _rows(table: Any) -> Any:
    for child in table:
        if child.tag == f"{W}tr":
            if child.find(f"{W}trPr/{W}del") is None:
                yield child
        elif child.tag in _WRAPPERS:
            yield from _rows(child)


def _cells(row: Any) -> Any:
    for child in row:
        if child.tag == f"{W}tc":
            yield child
        elif child.tag in _WRAPPERS:
            yield from _cells(child)


def _cell(element: Any) -> tuple[Cell, str]:
    """Return a cell, and how it merges with the one above, as `join_merged_cells` wants it."""
    properties = element.find(f"{W}tcPr")
    span, merge = 1, ""
    if properties is not None:
        wide, down = properties.find(f"{W}gridSpan"), properties.find(f"{W}vMerge")
        value = wide.get(f"{W}val") if wide is not None else "1"
        span = int(value) if value and value.isdecimal() and len(value) < 5 else 1
        merge = ("first" if down.get(f"{W}val") == "restart" else "on") if down is not None else ""
    return Cell(_cell_text(element, 0), columns=span), merge


def _indent_cells(row: Any) -> list[tuple[Cell, str]]:
    """Return the columns that a row leaves free at its beginning."""
    before = row.find(f"{W}trPr/{W}gridBefore")
    value = before.get(f"{W}val") or "" if before is not None else ""
    return [(Cell("", columns=int(value)), "")] if value.isdecimal() and 0 < int(value) < 100 else []


def _cell_text(element: Any, depth: int) -> str:
    """Return the paragraphs of a cell; a table inside is written row by row."""
    parts: list[str] = []
    for child in element if depth < _MAX_NESTING else ():
        if child.tag == f"{W}p":
            found = read_paragraph(child)
            parts.append(found.text)
            parts += [_cell_text(box, depth + 1) for box in found.boxes]
        elif child.tag == f"{W}tbl":
            parts += [", ".join(_cell_text(cell, depth + 1) for cell in _cells(row)) for row in _rows(child)]
        elif child.tag in _WRAPPERS:
            parts.append(_cell_text(child, depth + 1))
    return "\n".join(part for part in parts if part.strip())
