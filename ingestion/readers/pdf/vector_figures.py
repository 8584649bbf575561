"""Charts and drawings of a PDF that are made of lines and areas: found by their captions, as no single object of the file is the figure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.readers.base.page_lines import PageLine, PageText

Box = tuple[float, float, float, float]  # left, top, right, bottom in points of the page as shown

# Tables have captions as well; they are read as tables.
_FIGURE = re.compile(r"^(?:figure|fig\.|chart|exhibit|graph|abbildung|abb\.|grafik|figura|gráfico|graphique|рис\.)\s*\S{0,4}\d", re.IGNORECASE)
_LEAST_SHAPES = 8
_LEAST_WIDTH, _LEAST_HEIGHT = 90.0, 50.0  # points
_GAP = 60.0  # points between a caption and the drawing
_WIDE = 0.8  # of the page: what is wider and higher is the page's own ground or frame
_PROSE, _LETTERS = 0.6, 45  # of the drawing's width, and letters, from which a line on it is prose and not a label
_MARGIN = 6.0
_MOST_LINES, _MOST_CAPTIONS = 600, 20  # of one page


def find_drawings(shapes: Sequence[Box], page: PageText) -> Iterator[tuple[Box, str, PageLine]]:
    """Yield the box of each drawing, what tells it from others, and its caption's first line. `shapes` are what is drawn on the page."""
    begun = captions(page)
    if not (begun and shapes):
        return
    paper = (page.width, page.height)
    drawn = [box for box in shapes if not _is_background(box, paper)]
    stops = [line for line in page.lines if _ends_drawing(line, drawn)]
    for caption in begun:
        box = _drawing_beside(drawn, caption, (page.lines, stops), above=True) or _drawing_beside(drawn, caption, (page.lines, stops), above=False)
        if box is not None:
            place = (max(0.0, box[0]), max(0.0, box[1]), min(paper[0], box[2]), min(paper[1], box[3]))
            yield place, hashlib.sha256(f"{page.number} {place}".encode()).hexdigest(), caption


def captions(page: PageText) -> list[PageLine]:
    """Return the lines in which captions of figures begin; none on pages that are turned, or too crowded to be searched."""
    if page.rotation or len(page.lines) > _MOST_LINES:
        return []
    return [line for line in page.lines if _FIGURE.match(line.text)][:_MOST_CAPTIONS]


def is_shape(kind: int) -> bool:
    """Return whether an object of PDFium is a line, an area or a shade."""
    return kind in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_SHADING)


def boxes_as_shown(page: Any, boxes: Sequence[Box]) -> list[Box]:
    """Map boxes of the file's coordinates (left, bottom, right, top) to a page that is not rotated."""
    left, _, _, top = page.get_bbox()
    return [(x0 - left, top - y1, x1 - left, top - y0) for x0, y0, x1, y1 in boxes] if not page.get_rotation() else []


def _is_background(box: Box, paper: tuple[float, float]) -> bool:
    return box[2] - box[0] > _WIDE * paper[0] and box[3] - box[1] > _WIDE * paper[1]


def _drawing_beside(shapes: Sequence[Box], caption: PageLine, text: tuple[Sequence[PageLine], Sequence[PageLine]], *, above: bool) -> Box | None:
    """Find what is drawn next to a caption, on one side of it, up to the prose that follows: with its labels. `text` are the lines of the page, and
    those of them that no drawing reaches over."""
    lines, stops = text
    edge = caption.y - caption.size if above else caption.y
    limit = _prose_edge(caption, stops, above=above)
    low, high = (limit, edge) if above else (edge, limit)
    own = [box for box in _shapes_between(shapes, low, high) if box[2] > caption.left - 200 and box[0] < caption.right + 200]
    if len(own) < _LEAST_SHAPES:
        return None
    box = _enclose(own)
    far = edge - box[3] if above else box[1] - edge
    if far > _GAP or _is_small(box) or _is_text_frame(box, lines):
        return None
    left, top, right, bottom = _add_labels(box, [line for line in lines if low < line.y <= high + 1 and line is not caption])
    return left - _MARGIN, max(top, low) - _MARGIN, right + _MARGIN, min(bottom, high) + (0.0 if above else _MARGIN)


def _shapes_between(shapes: Sequence[Box], low: float, high: float) -> Iterator[Box]:
    return (box for box in shapes if box[1] >= low - 1 and box[3] <= high + 1)


def _enclose(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _is_small(box: Box) -> bool:
    return box[2] - box[0] < _LEAST_WIDTH or box[3] - box[1] < _LEAST_HEIGHT


def _add_labels(box: Box, lines: Sequence[PageLine]) -> Box:
    """Return the box of a drawing with those of the lines that stand above, on or below it."""
    labels = [line for line in lines if line.left < box[2] + 40 and line.right > box[0] - 40]
    left, right = min([box[0], *(line.left for line in labels)]), max([box[2], *(line.right for line in labels)])
    top, bottom = min([box[1], *(line.y - line.size for line in labels)]), max([box[3], *(line.y for line in labels)])
    return left, top, right, bottom


def _ends_drawing(line: PageLine, shapes: Sequence[Box]) -> bool:
    """Return whether a drawing ends before this line: a running head, a heading, another caption, or prose that stands in no box of the drawing."""
    if line.level or line.furniture or _FIGURE.match(line.text):
        return True
    middle = line.y - line.size / 2
    boxed = any(box[0] - 2 <= line.left and line.right <= box[2] + 2 and box[1] <= middle <= box[3] for box in shapes)
    return len(line.text) >= _LETTERS and not boxed


def _prose_edge(caption: PageLine, stops: Sequence[PageLine], *, above: bool) -> float:
    """Return where what a drawing does not reach over ends above a caption, or begins below it."""
    stops = [line for line in stops if line is not caption and line.left < caption.right and line.right > caption.left]
    if above:
        return max((line.y for line in stops if line.y <= caption.y - caption.size + 1), default=0.0)
    return min((line.y - line.size for line in stops if line.y - line.size >= caption.y - 1), default=1e6)


def _is_text_frame(box: Box, lines: Sequence[PageLine]) -> bool:
    """Return whether sentences stand on the drawing: it is then the frame of a box of text, or the rules of a table."""
    inside = [line for line in lines if box[0] <= line.left and line.right <= box[2] and box[1] <= line.y - line.size / 2 <= box[3]]
    return any(line.right - line.left > _PROSE * (box[2] - box[0]) and len(line.text) >= _LETTERS for line in inside)
