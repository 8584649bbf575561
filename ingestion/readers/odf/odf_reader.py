"""OpenDocument texts, spreadsheets, presentations and drawings (.odt, .ods, .odp, .odg and their flat and template forms)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import IO, Any

from lxml import etree

from core.documents import BlockKind, ExtractedDocument, PageUnit
from core.errors import Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.cell_values import plain_number
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line, clean_text
from ingestion.readers.base.office_package import FAILURES
from ingestion.readers.base.sheet_tables import group_rows, place_groups
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.odf.odf_package import DRAW, OFFICE, PRESENTATION, STYLE, TABLE, OdfPackage, OdfStyles, metadata, open_odf
from ingestion.readers.odf.odf_tables import TableReader
from ingestion.readers.odf.odf_text import OdfTextWalker

# Of the flat forms (one XML document) the name promises nothing binary.
FORMATS = (
    Format(
        name="odt",
        title="OpenDocument text",
        kind=FileKind.WORD,
        viewer=Viewer.TEXT,
        suffixes=(".odt",),
        rare_suffixes=(".ott", ".sxw"),
        name_role=NameRole.PROMISES,
        type="odf",
        zip_members=("META-INF/manifest.xml",),
        spoken_endings=("odt",),
    ),
    Format("fodt", "flat OpenDocument text", FileKind.WORD, Viewer.TEXT, (".fodt",), type="odf", parsers=("odt",)),
    Format(
        name="ods",
        title="OpenDocument spreadsheet",
        kind=FileKind.SPREADSHEET,
        viewer=Viewer.SHEET,
        suffixes=(".ods",),
        rare_suffixes=(".ots", ".sxc"),
        name_role=NameRole.PROMISES,
        type="odf",
        spoken_endings=("ods",),
    ),
    Format("fods", "flat OpenDocument spreadsheet", FileKind.SPREADSHEET, Viewer.SHEET, (".fods",), type="odf", parsers=("ods",)),
    Format(
        name="odp",
        title="OpenDocument presentation",
        kind=FileKind.PRESENTATION,
        viewer=Viewer.SLIDES,
        suffixes=(".odp",),
        rare_suffixes=(".otp", ".sxi"),
        name_role=NameRole.PROMISES,
        type="odf",
        spoken_endings=("odp",),
    ),
    Format("fodp", "flat OpenDocument presentation", FileKind.PRESENTATION, Viewer.SLIDES, (".fodp",), type="odf", parsers=("odp",)),
    Format("odg", "OpenDocument drawing", FileKind.PRESENTATION, Viewer.TEXT, rare_suffixes=(".odg",), type="odf"),
)
_FRAMES = ("header", "header-left", "header-first", "footer", "footer-left", "footer-first")
_TITLE = "title"
_FOOTERS = frozenset({"footer", "header", "date-time", "page-number"})


def extract(source: Source) -> ExtractedDocument:
    """Read a text, spreadsheet, presentation or drawing, by what its body holds.

    Raises:
        Malformed: its container or its content is damaged beyond reading.
        LimitExceeded, Encrypted: see `open_odf`.
        Empty: no text in it.
    """
    package = open_odf(source)
    if _is_spreadsheet(package):
        return _read_spreadsheet(package, source.limits)
    content = package.part("content.xml")
    if content is None:
        raise Malformed("This OpenDocument file is damaged: its content is missing or cannot be read (content.xml).")
    body = next(content.iter(f"{OFFICE}body"), None)
    kinds = {child.tag for child in body} if body is not None else set()
    if body is None or not kinds:
        raise Malformed("This OpenDocument file is damaged: it has no body.")
    if kinds & {f"{OFFICE}presentation", f"{OFFICE}drawing"}:
        return _read_slides(package, content, body, source.limits)
    return _read_text(package, content, body, source.limits)


def _is_spreadsheet(package: OdfPackage) -> bool:
    """Return whether the body is a spreadsheet, found without reading the rest: sheets may be too large for a tree."""
    with package.open_content() as stream, contextlib.suppress(Malformed):  # damage is found again, and reported, where the body is read
        for _, element in _events(stream, ("start",), f"{OFFICE}spreadsheet", f"{OFFICE}text", f"{OFFICE}presentation", f"{OFFICE}drawing"):
            return bool(element.tag == f"{OFFICE}spreadsheet")
    return False


def _events(stream: IO[bytes], events: tuple[str, ...], *tags: str) -> Iterator[tuple[str, Any]]:
    """Yield elements as they come.

    Raises:
        Malformed: where the stream is damaged, behind the elements that come before.
    """
    try:
        yield from etree.iterparse(stream, events=events, tag=tags, resolve_entities=False, no_network=True, recover=True)
    except (*FAILURES, RuntimeError) as error:
        raise Malformed(f"This OpenDocument file is damaged: its content cannot be read ({str(error)[:100]}).") from error


# -- texts -------------------------------------------------------------------------------------------------------------------------------


def _read_text(package: OdfPackage, content: Any, body: Any, limits: ExtractionLimits) -> ExtractedDocument:
    builder = DocumentBuilder("odt", limit=limits.characters)
    builder.metadata = metadata(package)
    styles_part = package.part("styles.xml")
    walk = OdfTextWalker(builder, package, OdfStyles(styles_part, content))
    _place_page_frames(builder, walk, styles_part, "header")
    walk.walk_blocks(body)
    _place_page_frames(builder, walk, styles_part, "footer")
    return builder.build()


def _place_page_frames(builder: DocumentBuilder, walk: OdfTextWalker, styles: Any | None, kind: str) -> None:
    """Place the text of page headers or footers, each once."""
    seen: set[str] = set()
    for frame in styles.iter(*(f"{STYLE}{name}" for name in _FRAMES if name.startswith(kind))) if styles is not None else ():
        text = clean_text(walk.flat_text(frame, 0))
        if text not in seen and re.search(r"[^\W\d_]", text):
            builder.block(BlockKind.FURNITURE, text)
        seen.add(text)


# -- slides ------------------------------------------------------------------------------------------------------------------------------


def _read_slides(package: OdfPackage, content: Any, body: Any, limits: ExtractionLimits) -> ExtractedDocument:
    drawing = body.find(f"{OFFICE}drawing") is not None
    builder = DocumentBuilder("odg" if drawing else "odp", page_unit=PageUnit.PAGE if drawing else PageUnit.SLIDE, limit=limits.characters)
    builder.metadata = metadata(package)
    styles = OdfStyles(package.part("styles.xml"), content)
    pages = list(body.iter(f"{DRAW}page"))
    for number, page in enumerate(pages[: limits.pages], start=1):
        hidden = page.get(f"{DRAW}style-name") in styles.hidden
        builder.page(f"{number} (hidden)" if hidden else str(number))
        _place_slide(builder, OdfTextWalker(builder, package, styles), page)
    if len(pages) > limits.pages:
        builder.warn(f"Only the first {limits.pages:,} of {len(pages):,} slides were read.")
    return builder.build()


def _place_slide(builder: DocumentBuilder, walk: OdfTextWalker, page: Any) -> None:
    """Place the title first, then the shapes in their order, then notes and comments."""
    title = next((shape for shape in page if shape.get(f"{PRESENTATION}class") == _TITLE and _words(walk, shape)), None)
    heading = _words(walk, title) if title is not None else ""
    if heading and len(heading) <= 300:
        builder.heading(heading, 1)
    else:
        title = None
        builder.section()
    for shape in page:
        if shape is title or shape.tag in (f"{PRESENTATION}notes", f"{OFFICE}annotation") or not isinstance(shape.tag, str):
            continue
        if shape.get(f"{PRESENTATION}class") in _FOOTERS:
            builder.block(BlockKind.FURNITURE, walk.flat_text(shape, 0))
        elif shape.get(f"{PRESENTATION}placeholder") != "true":
            walk.walk_blocks([shape])
    _place_notes(builder, walk, page)
    walk.walk_blocks(page.findall(f"{OFFICE}annotation"))


def _place_notes(builder: DocumentBuilder, walk: OdfTextWalker, page: Any) -> None:
    for frame in page.iterfind(f"{PRESENTATION}notes/*"):
        if frame.get(f"{PRESENTATION}class") not in _FOOTERS and frame.tag != f"{DRAW}page-thumbnail":
            builder.block(BlockKind.NOTE, walk.flat_text(frame, 0))


def _words(walk: OdfTextWalker, shape: Any) -> str:
    return clean_line(walk.flat_text(shape, 0))


# -- spreadsheets ------------------------------------------------------------------------------------------------------------------------


def _read_spreadsheet(package: OdfPackage, limits: ExtractionLimits) -> ExtractedDocument:
    builder = DocumentBuilder("ods", page_unit=PageUnit.SHEET, limit=limits.characters)
    builder.metadata = metadata(package)
    with package.open_content() as stream:
        _SpreadsheetReader(builder, package, limits).read(stream)
    return builder.build()


class _SpreadsheetReader:
    """Reads the sheets of a spreadsheet row by row; nothing of a row is kept but its texts."""

    def __init__(self, builder: DocumentBuilder, package: OdfPackage, limits: ExtractionLimits) -> None:
        self._builder = builder
        self._styles = OdfStyles()
        self._walk = OdfTextWalker(builder, package, self._styles)
        self._cells_left = limits.cells
        self._most_sheets = limits.pages
        self._begin_sheet("")

    def _begin_sheet(self, label: str) -> None:
        self._label = label
        self._open_sheet = False
        self._rows: list[tuple[int, list[str]]] = []
        self._notes: list[str] = []
        self._reader = TableReader(self._cell)

    def read(self, stream: IO[bytes]) -> None:
        """Place all sheets, as far as the file goes."""
        try:
            self._read_elements(stream)
        except Malformed as error:
            if not self._label:
                raise
            self._builder.warn(str(error))
        if self._label and self._open_sheet:
            self._close_table()  # the file breaks off, or the limits are reached
            self._builder.note_omitted_rows()
            self._builder.warn(f"Only the first {self._reader.position:,} rows of sheet “{self._label}” and the sheets before it were read.")

    def _read_elements(self, stream: IO[bytes]) -> None:
        tags = (f"{STYLE}style", f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}shapes")
        depth = 0
        for event, element in _events(stream, ("start", "end"), *tags):
            if element.tag == f"{TABLE}table":
                depth += 1 if event == "start" else -1
                if depth == (1 if event == "start" else 0):
                    self._open_table(element) if event == "start" else self._close_table()
            elif event == "end" and element.tag == f"{STYLE}style":
                self._styles.add(element)
            elif event == "end" and depth == 1:
                self._read_row(element) if element.tag == f"{TABLE}table-row" else self._place_shapes(element)
                _free_element(element)
            if self._cells_left <= 0 or self._builder.full or self._builder.page_count > self._most_sheets:
                break

    def _open_table(self, table: Any) -> None:
        name = clean_line(table.get(f"{TABLE}name") or "") or f"Sheet {self._builder.page_count + 1}"
        self._begin_sheet(f"{name} (hidden)" if table.get(f"{TABLE}style-name") in self._styles.hidden else name)
        self._builder.page(self._label)
        self._open_sheet = True

    def _read_row(self, element: Any) -> None:
        for row in self._reader.row(element):
            filled = sum(1 for text in row if text)
            if filled and self._cells_left > 0:
                self._cells_left -= filled
                self._rows.append((self._reader.position, row))

    def _place_shapes(self, element: Any) -> None:
        """Place charts and text boxes that lie on the sheet."""
        if text := clean_text(self._walk.flat_text(element, 0)):
            self._notes.append(text)

    def _close_table(self) -> None:
        groups = group_rows(iter(self._rows))
        if groups or self._notes:
            self._builder.heading(self._label, 1)
        merged = [(row + 1, column, rows, columns) for row, column, rows, columns in self._reader.spans]
        place_groups(self._builder, groups, merged)
        for note in self._notes:
            self._builder.block(BlockKind.NOTE, note)
        if self._reader.truncated:
            self._builder.warn(f"Sheet “{self._label}” repeats rows too often: each was read up to a thousand times.")
        self._open_sheet = False

    def _cell(self, cell: Any) -> str:
        for note in cell.findall(f"{OFFICE}annotation"):
            author = clean_line(note.findtext("{http://purl.org/dc/elements/1.1/}creator") or "")
            if text := clean_line(self._walk.flat_text(note, 1)):
                self._notes.append(f"Comment by {author}: {text}" if author else f"Comment: {text}")
        return _value(cell) or clean_line("\n".join(self._walk.flat_text([part], 1) for part in cell if part.tag != f"{OFFICE}annotation"))


def _free_element(element: Any) -> None:
    """Free a row that was read, and those before it that lxml still holds."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def _value(cell: Any) -> str:
    """Return a typed cell as in every other workbook: dates in ISO form, percentages and currencies marked; "" for text."""
    kind, value = cell.get(f"{OFFICE}value-type") or "", cell.get(f"{OFFICE}value") or ""
    if kind == "date":
        return (cell.get(f"{OFFICE}date-value") or "").removesuffix("T00:00:00").replace("T", " ")[:19]
    if kind == "boolean":
        return (cell.get(f"{OFFICE}boolean-value") or "").upper()
    if kind not in ("float", "percentage", "currency") or len(value) > 40:
        return ""
    try:
        number = float(value)
    except ValueError:
        return ""
    if kind == "percentage":
        return f"{plain_number(float(f'{number * 100:.12g}'))}%"
    currency = cell.get(f"{OFFICE}currency") or ""
    return f"{plain_number(number)} {currency}".strip() if kind == "currency" else plain_number(number)
