"""Pictures and charts on the pages of a PDF for a vision model, as they are shown: with the labels drawn over them, and their captions."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from core.errors import LimitExceeded
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.figure_collection import LONGEST_SIDE, FigureCollector, PicturePosition
from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.pdf.line_heuristics import CAPTION
from ingestion.readers.pdf.vector_figures import boxes_as_shown, captions, find_drawings, is_shape

_MAX_OBJECTS, _MAX_DEPTH = 2_000, 3
_MAX_PIECES = 200  # pictures of one page: more are a map or a drawing in tiles
_TOUCHING = 2.0  # points between the pieces of one picture
_LEAST_PART = 0.015  # of the page
_LEAST_PIXELS = 20_000
_WRITTEN_OVER = 0.15  # of the picture's area: more text on it is a page of text, or the picture is its background
_WHOLE, _PAGE_OF_TEXT = 0.5, 200  # part of the page from which a picture is the page, and letters with which that is text
_NEAR = 40.0  # points between a picture and its caption
_CAPTION_LINES = 4
_FORM_SHAPES = 50  # shapes of a drawing in a form that are counted: enough to know that it is one
_RAW = 16 * MEBIBYTE  # bytes of a picture as it lies in the file, beyond which two of one size and length are taken for the same
_MEMORY_SHARE = 0.4
_DPI = 200.0
_POINTS = 72.0

Box = tuple[float, float, float, float]  # left, top, right, bottom in points of the page as shown


@dataclass(frozen=True, slots=True)
class _ImagePiece:
    box: Box
    pixels: int
    digest: str


class PdfFigures:
    """Puts the pictures of pages into the builder, where they are wanted."""

    def __init__(self, source: Source, builder: DocumentBuilder, document: Any) -> None:
        self._figures = FigureCollector(source, builder)
        self._document = document
        self._decoded = int(_MEMORY_SHARE * source.limits.memory_mb) * MEBIBYTE

    def add_pages(self, pages: Sequence[PageText]) -> None:
        """Add the pictures of all pages, each page from the top to the bottom, by their lines as they were read."""
        for page in pages if self._figures.enabled else ():
            self._add_page(page)
        self._figures.finish()

    def _add_page(self, page: PageText) -> None:
        try:
            drawn_page = self._document[page.number - 1]
        except pypdfium2.PdfiumError:
            return  # said of the page already
        try:
            size = drawn_page.get_size()
            pieces = list(_pieces(drawn_page))
            shapes = boxes_as_shown(drawn_page, list(_shapes(drawn_page))) if captions(page) else []
        finally:
            drawn_page.close()
        found = [(box, digest) for box, digest in _merge_pieces(pieces) if _is_picture(box, size, page)]
        taken = {caption for box, _ in found if (caption := caption_of(box, page))}
        for box, digest in found:
            self._offer_picture(page, box, digest, caption_of(box, page))
        for box, digest, first in find_drawings(shapes, page):
            caption = _read_caption(first, page)
            if caption not in taken:
                self._offer_picture(page, box, digest, caption)

    def _offer_picture(self, page: PageText, box: Box, digest: str, caption: str) -> None:
        dpi = min(_DPI, LONGEST_SIDE * _POINTS / max(box[2] - box[0], box[3] - box[1]))
        size = (round((box[2] - box[0]) * dpi / _POINTS), round((box[3] - box[1]) * dpi / _POINTS))
        self._figures.add_drawn(size, digest, lambda: self._draw_box(page.number, box, dpi), PicturePosition(page.number, caption))

    def _draw_box(self, number: int, box: Box, dpi: float) -> Image.Image:
        """Draw a box of the page. Raises ValueError for what cannot be drawn."""
        from ingestion.ocr.rendering import Renderer  # few files need what it imports

        try:
            pixels, _ = Renderer(decoded_bytes=self._decoded).draw_part(self._document, number, box, dpi)
        except (LimitExceeded, pypdfium2.PdfiumError) as error:
            raise ValueError(str(error)) from error
        return Image.fromarray(pixels)


# -- what is drawn -------------------------------------------------------------------------------------------------------------------


def _pieces(page: Any) -> Iterator[_ImagePiece]:
    """Yield the pictures of an open page, as the file counts them, at their places as shown."""
    images = _images(page, pdfium.FPDFPage_GetObject, pdfium.FPDFPage_CountObjects(page), page, None)
    for drawn, box in islice(images, _MAX_PIECES):
        facts = pdfium.FPDF_IMAGEOBJ_METADATA()
        pdfium.FPDFImageObj_GetImageMetadata(drawn, page, facts)
        place = _box_as_shown(page, box)
        if place is not None:
            yield _ImagePiece(place, facts.width * facts.height, _digest(drawn, (facts.width, facts.height)))


def _images(page: Any, get: Any, count: int, owner: Any, form: Box | None, depth: int = 0) -> Iterator[tuple[Any, Box]]:
    """Yield the pictures. Those in a form have the form's own coordinates: their place is the form's."""
    for index in range(min(count, _MAX_OBJECTS)):
        drawn = get(owner, index)
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            yield drawn, form or _bounds(drawn)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            inner = pdfium.FPDFFormObj_CountObjects(drawn)
            yield from _images(page, pdfium.FPDFFormObj_GetObject, inner, drawn, form or _bounds(drawn), depth + 1)


def _shapes(page: Any) -> Iterator[Box]:
    """Yield the boxes of what is drawn on an open page, in the file's coordinates."""
    for index in range(min(pdfium.FPDFPage_CountObjects(page), _MAX_OBJECTS)):
        drawn = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if is_shape(kind):
            yield _bounds(drawn)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:  # a drawing that was put in as a whole
            inner = pdfium.FPDFFormObj_CountObjects(drawn)
            shapes = sum(is_shape(pdfium.FPDFPageObj_GetType(pdfium.FPDFFormObj_GetObject(drawn, each))) for each in range(min(inner, _FORM_SHAPES)))
            yield from [_bounds(drawn)] * shapes


def _bounds(drawn: Any) -> Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _box_as_shown(page: Any, box: Box) -> Box | None:
    """Return a box as the file counts (left, bottom, right, top) where it stands on the page as shown, cut at its edges; None outside of them."""
    left, bottom, right, top = page.get_bbox()
    x0, y0, x1, y1 = max(box[0], left), max(box[1], bottom), min(box[2], right), min(box[3], top)
    if x1 - x0 < 1 or y1 - y0 < 1:
        return None
    match page.get_rotation():
        case 90:
            return y0 - bottom, x0 - left, y1 - bottom, x1 - left
        case 180:
            return right - x1, y0 - bottom, right - x0, y1 - bottom
        case 270:
            return top - y1, right - x1, top - y0, right - x0
    return x0 - left, top - y1, x1 - left, top - y0


def _digest(drawn: Any, size: tuple[int, int]) -> str:
    """Return a digest that is the same for the same picture, without decoding it."""
    length = pdfium.FPDFImageObj_GetImageDataRaw(drawn, None, 0)
    digest = hashlib.sha256(f"{size} {length}".encode())
    if 0 < length <= _RAW:
        buffer = (ctypes.c_ubyte * length)()
        pdfium.FPDFImageObj_GetImageDataRaw(drawn, buffer, length)
        digest.update(buffer)
    return digest.hexdigest()


# -- which of it is a figure -----------------------------------------------------------------------------------------------------------


def _merge_pieces(pieces: Sequence[_ImagePiece]) -> list[tuple[Box, str]]:
    """Merge pieces that touch into one picture, from the top to the bottom; those of too few pixels are left out."""
    groups: list[tuple[Box, list[_ImagePiece]]] = []
    for piece in pieces:
        box, members = piece.box, [piece]
        apart = []
        for other, those in groups:
            if _are_touching(box, other):
                box, members = _bounding_box(box, other), [*those, *members]
            else:
                apart.append((other, those))
        groups = [*apart, (box, members)]
    large = [(box, members) for box, members in groups if sum(member.pixels for member in members) >= _LEAST_PIXELS]
    return [
        (box, hashlib.sha256("".join(member.digest for member in members).encode()).hexdigest() if len(members) > 1 else members[0].digest)
        for box, members in sorted(large, key=lambda group: (group[0][1], group[0][0]))
    ]


def _are_touching(one: Box, other: Box) -> bool:
    across = one[0] - _TOUCHING <= other[2] and other[0] - _TOUCHING <= one[2]
    return across and one[1] - _TOUCHING <= other[3] and other[1] - _TOUCHING <= one[3]


def _bounding_box(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _is_picture(box: Box, size: tuple[float, float], page: PageText) -> bool:
    """Return whether a picture is large enough, and neither a page of text nor what text is printed on."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    paper = max(1.0, size[0] * size[1])
    if area < _LEAST_PART * paper:
        return False
    if area >= _WHOLE * paper and sum(len(line.text) for line in page.lines if not line.furniture) >= _PAGE_OF_TEXT:
        return False
    return bool(page.rotation) or _text_coverage(box, page.lines) <= _WRITTEN_OVER * area


def _text_coverage(box: Box, lines: Sequence[PageLine]) -> float:
    covered = 0.0
    for line in lines:
        width = min(box[2], line.right) - max(box[0], line.left)
        height = min(box[3], line.y) - max(box[1], line.y - line.size)
        covered += max(0.0, width) * max(0.0, height)
    return covered


def caption_of(box: Box, page: PageText) -> str:
    """Return the lines below or above a picture that begin as a caption does ("Figure 3: Rents by year"); "" where there are none."""
    if page.rotation:
        return ""
    near = [
        (_distance(box, line), index)
        for index, line in enumerate(page.lines)
        if line.right > box[0] - _NEAR and line.left < box[2] + _NEAR and CAPTION.match(line.text)
    ]
    distance, first = min(near, default=(_NEAR + 1, 0))
    if distance > _NEAR:
        return ""
    return _read_caption(page.lines[first], page)


def _read_caption(begin: PageLine, page: PageText) -> str:
    """Return a caption from its first line on."""
    first = next(index for index, line in enumerate(page.lines) if line is begin)
    lines = [begin]
    for line in page.lines[first + 1 : first + _CAPTION_LINES]:
        before = lines[-1]
        if not 0 < line.y - before.y <= 1.8 * max(line.size, before.size) or abs(line.size - before.size) > 0.15 * before.size:
            break
        lines.append(line)
    return " ".join(line.text for line in lines)


def _distance(box: Box, line: PageLine) -> float:
    """Return the points between a picture and a line below or above it; 0 for one that reaches into it."""
    return max(0.0, line.y - line.size - box[3], box[1] - line.y)
