"""PowerPoint presentations: python-pptx opens the package, each slide is walked as XML so that groups and unusual shapes are not passed over."""

from __future__ import annotations

from functools import partial
from typing import Any

import pptx
from pptx.exc import InvalidXmlError

from core.documents import BlockKind, ExtractedDocument, PageUnit
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line, clean_text
from ingestion.readers.base.figure_collection import FigureCollector, PicturePosition
from ingestion.readers.base.formulas import omml_text
from ingestion.readers.base.office_package import FAILURES, core_metadata, open_package, parse_xml
from ingestion.readers.base.source import Source
from ingestion.readers.base.table_grid import Cell, guess_header_rows, lay_out_cells
from ingestion.readers.office.charts import place_chart, read_chart

FORMATS = (
    Format(
        name="pptx",
        title="PowerPoint presentation",
        kind=FileKind.PRESENTATION,
        viewer=Viewer.SLIDES,
        suffixes=(".pptx", ".pptm"),
        rare_suffixes=(".potx", ".ppsx"),
        name_role=NameRole.PROMISES,
        zip_members=("ppt/presentation.xml",),
        spoken_endings=("pptx",),
        spoken_with_files=("pptm",),
    ),
)
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_DIAGRAM_DATA = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"
_TITLES = frozenset({"title", "ctrTitle"})
_FRAME = frozenset({"ftr", "hdr", "dt", "sldNum"})
_BODY = frozenset({"body", "obj", "", "subTitle"})
_MAX_NESTING = 40


def extract(source: Source) -> ExtractedDocument:
    """Read a .pptx, .pptm, .potx or .ppsx.

    Raises:
        Malformed: the package cannot be opened.
        LimitExceeded, Encrypted: see `open_package`.
        Empty: no slide holds any text.
    """
    slides = open_package(source, _load, "PowerPoint presentation")
    builder = DocumentBuilder("pptx", page_unit=PageUnit.SLIDE, limit=source.limits.characters)
    builder.metadata = core_metadata(source.data)
    figures = FigureCollector(source, builder)
    for number, slide in enumerate(slides[: source.limits.pages], start=1):
        hidden = slide.element.get("show") in ("0", "false")
        builder.page(f"{number} (hidden)" if hidden else str(number))
        _SlidePlacer(builder, slide, figures).place_slide()
    figures.finish()
    if len(slides) > source.limits.pages:
        builder.warn(f"Only the first {source.limits.pages:,} of {len(slides):,} slides were read.")
    return builder.build()


def _load(file: Any) -> Any:
    try:
        return list(pptx.Presentation(file).slides)
    except InvalidXmlError as error:
        raise ValueError(str(error)) from error


class _SlidePlacer:
    """Places one slide: its title first, then its shapes in their order, then notes and comments."""

    def __init__(self, builder: DocumentBuilder, slide: Any, figures: FigureCollector) -> None:
        self._builder, self._figures = builder, figures
        self._slide = slide
        self._title: Any = None

    def place_slide(self) -> None:
        tree = self._slide.element.find(f"{_P}cSld/{_P}spTree")
        shapes = tree if tree is not None else ()
        self._title = next((shape for shape in self._slide.element.iter(f"{_P}sp") if _role(shape) in _TITLES and _text(shape).strip()), None)
        title = clean_line(_text(self._title)) if self._title is not None else ""
        if title and len(title) <= 300:
            self._builder.heading(title, 1)
        else:
            self._title = None
            self._builder.section()
        self._place_shapes(shapes, 0)
        self._place_notes()

    def _place_shapes(self, shapes: Any, depth: int) -> None:
        for shape in shapes if depth < _MAX_NESTING else ():
            if shape is self._title:
                continue
            if shape.tag in (f"{_P}sp", f"{_P}cxnSp"):
                self._place_shape(shape)
            elif shape.tag == f"{_P}grpSp":
                self._place_shapes(shape, depth + 1)
            elif shape.tag == f"{_P}graphicFrame":
                self._place_graphic(shape)
            elif shape.tag == f"{_P}pic":
                self._offer_picture(shape)
            elif shape.tag == f"{_MC}AlternateContent":
                branches = [branch for branch in shape if len(branch)]
                if branches:
                    self._place_shapes(branches[0], depth + 1)

    def _place_shape(self, shape: Any) -> None:
        body = shape.find(f"{_P}txBody")
        if body is None:
            return
        role = _role(shape)
        if role in _FRAME:
            self._builder.block(BlockKind.FURNITURE, _text(shape))
            return
        paragraphs = [(paragraph, text) for paragraph in body.iter(f"{_A}p") if (text := _paragraph(paragraph)).strip()]
        if role in _BODY and len(paragraphs) > 1:
            for paragraph, text in paragraphs:
                self._builder.list_item(text, _level(paragraph))
        else:
            self._builder.paragraph("\n".join(text for _, text in paragraphs))

    def _place_graphic(self, frame: Any) -> None:
        for table in frame.iter(f"{_A}tbl"):
            self._place_table(table)
        for chart in frame.iter(_CHART):
            self._place_chart(chart.get(f"{_R}id") or "")
        for diagram in frame.iter(_DIAGRAM):
            self._place_diagram(diagram.get(_DIAGRAM_DATA) or "")

    def _offer_picture(self, shape: Any) -> None:
        """Offer a picture to a vision model, where there is one, with what its author says of it."""
        said = shape.find(f"{_P}nvPicPr/{_P}cNvPr")
        for blip in shape.iter(f"{_A}blip"):
            identifier = blip.get(f"{_R}embed") or ""
            spot = PicturePosition(caption=(said.get("descr") or "") if said is not None else "")
            self._figures.add_file(partial(self._blob, identifier), spot)

    def _blob(self, identifier: str) -> bytes:
        return bytes(self._slide.part.related_part(identifier).blob)

    def _place_table(self, table: Any) -> None:
        rows = [[_cell(cell) for cell in row.findall(f"{_A}tc") if not _is_covered(cell)] for row in table.findall(f"{_A}tr")]
        grid = lay_out_cells(rows)
        properties = table.find(f"{_A}tblPr")
        named = properties is not None and properties.get("firstRow") in ("1", "true") and len(grid.rows) > 1
        self._builder.table(grid.rows, header_rows=1 if named else guess_header_rows(grid.rows), spans=grid.spans)

    def _place_chart(self, identifier: str) -> None:
        """Place a chart as the table it was drawn from."""
        try:
            chart = read_chart(parse_xml(self._slide.part.related_part(identifier).blob))
        except FAILURES:
            self._builder.warn("A chart could not be read.")
            return
        place_chart(self._builder, chart)

    def _place_diagram(self, identifier: str) -> None:
        """Place the words of a SmartArt drawing, one paragraph for each of its points."""
        try:
            root = parse_xml(self._slide.part.related_part(identifier).blob)
        except FAILURES:
            self._builder.warn("A drawing could not be read.")
            return
        for paragraph in root.iter(f"{_A}p"):
            self._builder.list_item(_paragraph(paragraph))

    def _place_notes(self) -> None:
        for link in self._slide.part.rels.values():
            if link.is_external or not link.reltype.endswith(("/notesSlide", "/comments")):
                continue
            try:
                root = parse_xml(link.target_part.blob)
            except FAILURES:
                continue
            if link.reltype.endswith("/comments"):
                for comment in root.iter("{*}text", "{*}txBody"):
                    self._builder.block(BlockKind.NOTE, "Comment: " + (_text(comment) or comment.text or ""))
                continue
            for shape in root.iter(f"{_P}sp"):
                if _role(shape) not in _FRAME | {"sldImg"} and (text := clean_text(_text(shape))):
                    self._builder.block(BlockKind.NOTE, text)


def _role(shape: Any) -> str:
    """Return the type of a placeholder, "" for one without a type, "none" for a shape that is none."""
    placeholder = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return (placeholder.get("type") or "") if placeholder is not None else "none"


def _text(element: Any) -> str:
    return "\n".join(_paragraph(paragraph) for paragraph in element.iter(f"{_A}p"))


def _paragraph(paragraph: Any) -> str:
    pieces = []
    for node in paragraph.iter(f"{_A}t", f"{_A}br", f"{_A}tab", f"{_M}oMath"):
        if node.tag == f"{_M}oMath":
            pieces.append(f" {omml_text(node)} ")
        else:
            pieces.append(node.text or "" if node.tag == f"{_A}t" else "\n" if node.tag == f"{_A}br" else "\t")
    return "".join(pieces)


def _level(paragraph: Any) -> int:
    properties = paragraph.find(f"{_A}pPr")
    level = properties.get("lvl") if properties is not None else None
    return int(level) + 1 if level and level.isdecimal() else 1


def _cell(cell: Any) -> Cell:
    return Cell(_text(cell), columns=_span(cell, "gridSpan"), rows=_span(cell, "rowSpan"))


def _is_covered(cell: Any) -> bool:
    return cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true")


def _span(cell: Any, name: str) -> int:
    value = cell.get(name) or "1"
    return int(value) if value.isdecimal() and len(value) < 5 else 1
