"""The straight lines drawn on a PDF page, from PDFium's path objects."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.extractors.pdf_tables.frame import size_of, turned
from ingestion.extractors.pdf_tables.model import Box, Rule

_THIN = 3.5  # points: a filled area as thin as this is a line
_STRAIGHT = 0.5  # points: how far a line may lean
_SHORT, _FEW_POINTS = 2.0, 9  # a path of more points than a frame has may draw a curve in pieces as short as this
_DEPTH = 4  # forms inside forms
_INTRICATE = 60  # segments
_COLORS = 4
_MOST_CROOKED = 2_000

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Drawing:
    """Collects the rules of one page, at most `limit` line segments of its paths.

    `strong` are lines, thin areas and outlined boxes, `weak` the sides of shaded areas (which often run round the lines of text and not round
    the cells). `crooked` are the boxes of curves and slanted lines: charts have many, tables few.
    """

    def __init__(self, box: Box, rotation: int, limit: int) -> None:
        self.strong: list[Rule] = []
        self.weak: list[Rule] = []
        self.crooked: list[Box] = []
        self.cut = False
        self._left = limit
        self._box = box
        self._rotation = rotation
        self._size = size_of(box, rotation)
        self._x, self._y = ctypes.c_float(), ctypes.c_float()
        self._fill, self._stroke = ctypes.c_int(), ctypes.c_int()
        self._matrix = pdfium.FS_MATRIX()
        self._channels = [ctypes.c_uint() for _ in range(2 * _COLORS)]

    def read(self, page: Any) -> None:
        """Read all objects of a page."""
        raw = page.raw
        for index in range(pdfium.FPDFPage_CountObjects(raw)):
            if self._left <= 0:
                self.cut = True
                return
            self._object(pdfium.FPDFPage_GetObject(raw, index), _IDENTITY, 0)

    def _object(self, item: Any, outer: Matrix, depth: int) -> None:
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            return
        self._left -= 1
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            self._path(item, _times(self._matrix_of(item), outer))
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            self._image(_times(self._matrix_of(item), outer))
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEPTH:
            matrix = _times(self._matrix_of(item), outer)
            for index in range(pdfium.FPDFFormObj_CountObjects(item)):
                if self._left <= 0:
                    self.cut = True
                    return
                self._object(pdfium.FPDFFormObj_GetObject(item, index), matrix, depth + 1)

    def _matrix_of(self, item: Any) -> Matrix:
        matrix = self._matrix
        if not pdfium.FPDFPageObj_GetMatrix(item, matrix):
            return _IDENTITY
        return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f

    def _path(self, item: Any, matrix: Matrix) -> None:
        if not pdfium.FPDFPath_GetDrawMode(item, self._fill, self._stroke):
            return
        filled, stroked = bool(self._fill.value), bool(self._stroke.value)
        if not filled and not stroked:
            return
        count = pdfium.FPDFPath_CountSegments(item)
        if count > _INTRICATE and self._opens_curved(item):
            self._note_crooked(self._corners(item, matrix))
            return
        outlined = stroked and not (filled and self._one_color(item))
        for points, curved in self._parts(item, matrix):
            if curved:
                self._note_crooked(points)
            else:
                self._part(points, outlined=outlined, stroked=stroked)

    def _opens_curved(self, item: Any) -> bool:
        """Whether one of a path's first segments is a curve: then it is a drawing whose every point need not be asked for."""
        kinds = (pdfium.FPDFPathSegment_GetType(pdfium.FPDFPath_GetPathSegment(item, index)) for index in range(1, 9))
        return pdfium.FPDF_SEGMENT_BEZIERTO in kinds

    def _one_color(self, item: Any) -> bool:
        channels = self._channels
        if not pdfium.FPDFPageObj_GetFillColor(item, *channels[:_COLORS]) or not pdfium.FPDFPageObj_GetStrokeColor(item, *channels[_COLORS:]):
            return False
        return [value.value for value in channels[:3]] == [value.value for value in channels[_COLORS : _COLORS + 3]]

    def _parts(self, item: Any, matrix: Matrix) -> Iterator[tuple[list[Point], bool]]:
        """The path's parts as the points of the page that they join, and whether a part is curved."""
        points: list[Point] = []
        curved = False
        for index in range(pdfium.FPDFPath_CountSegments(item)):
            if self._left <= 0:
                self.cut = True
                return
            self._left -= 1
            segment = pdfium.FPDFPath_GetPathSegment(item, index)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if not pdfium.FPDFPathSegment_GetPoint(segment, self._x, self._y):
                continue
            if kind == pdfium.FPDF_SEGMENT_MOVETO:
                if len(points) > 1:
                    yield points, curved
                points, curved = [], False
            curved = curved or kind == pdfium.FPDF_SEGMENT_BEZIERTO
            points.append(self._point(matrix))
            if pdfium.FPDFPathSegment_GetClose(segment):
                points.append(points[0])
        if len(points) > 1:
            yield points, curved

    def _corners(self, item: Any, matrix: Matrix) -> list[Point]:
        """The first points of a path: where it begins is enough to know of a drawing."""
        points = []
        for index in range(9):
            if pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFPath_GetPathSegment(item, index), self._x, self._y):
                points.append(self._point(matrix))
        return points

    def _point(self, matrix: Matrix) -> Point:
        a, b, c, d, e, f = matrix
        x, y = self._x.value, self._y.value
        return turned(a * x + c * y + e, b * x + d * y + f, self._box, self._rotation)

    def _part(self, points: list[Point], *, outlined: bool, stroked: bool) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
        if right < 0 or bottom < 0 or left > self._size[0] or top > self._size[1]:
            return
        corners = len({(round(x, 1), round(y, 1)) for x, y in points})
        thin = min(right - left, bottom - top) < _THIN
        if thin and corners > 2:
            self._thin(left, top, right, bottom)
            return
        if _leans(points):
            self._note_crooked(points)
            return
        strong = stroked if corners <= 2 else (outlined or thin)
        for (x0, y0), (x1, y1) in pairwise(points):
            self._side(x0, y0, x1, y1, strong=strong)

    def _note_crooked(self, points: list[Point]) -> None:
        if len(self.crooked) < _MOST_CROOKED:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            self.crooked.append((min(xs), min(ys), max(xs), max(ys)))

    def _thin(self, left: float, top: float, right: float, bottom: float) -> None:
        if right - left >= bottom - top:
            self.strong.append(Rule(True, (top + bottom) / 2, left, right))
        else:
            self.strong.append(Rule(False, (left + right) / 2, top, bottom))

    def _side(self, x0: float, y0: float, x1: float, y1: float, *, strong: bool) -> None:
        """Keep one piece that runs along an axis."""
        rules = self.strong if strong else self.weak
        if abs(y1 - y0) <= _STRAIGHT < abs(x1 - x0):
            rules.append(Rule(True, (y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif abs(x1 - x0) <= _STRAIGHT < abs(y1 - y0):
            rules.append(Rule(False, (x0 + x1) / 2, min(y0, y1), max(y0, y1)))

    def _image(self, matrix: Matrix) -> None:
        """Some writers draw their lines as pictures a point high."""
        a, b, c, d, e, f = matrix
        ends = [turned(a * x + c * y + e, b * x + d * y + f, self._box, self._rotation) for x in (0, 1) for y in (0, 1)]
        xs, ys = [x for x, _ in ends], [y for _, y in ends]
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if min(width, height) < _THIN and max(width, height) > 10:
            self._thin(min(xs), min(ys), max(xs), max(ys))


def _leans(points: list[Point]) -> bool:
    """Whether more of a path leans than runs along an axis; pieces of a point or two count as leaning: curves are drawn with them."""
    along = leaning = 0.0
    for (x0, y0), (x1, y1) in pairwise(points):
        width, height = abs(x1 - x0), abs(y1 - y0)
        straight = min(width, height) <= _STRAIGHT and (len(points) <= _FEW_POINTS or max(width, height) > _SHORT)
        along += max(width, height) if straight else 0.0
        leaning += 0.0 if straight else max(width, height)
    return leaning > along


def _times(inner: Matrix, outer: Matrix) -> Matrix:
    """The matrix that applies `inner` first."""
    a, b, c, d, e, f = inner
    u, v, w, x, y, z = outer
    return a * u + b * w, a * v + b * x, c * u + d * w, c * v + d * x, e * u + f * w + y, e * v + f * x + z
