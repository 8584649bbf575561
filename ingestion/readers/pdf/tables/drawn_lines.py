"""The straight lines drawn on a PDF page, from PDFium's path objects."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pypdfium2.raw as pdfium

from ingestion.readers.pdf import pdfium_ffi as pdf_calls
from ingestion.readers.pdf.tables.page_coordinates import turn_point, turned_page_size
from ingestion.readers.pdf.tables.table_model import Box, Rule

_THIN = 3.5  # points: a filled area as thin as this is a line
_THINNEST = 0.1  # points: thinner areas have no corners
_STRAIGHT = 0.5  # points: how far a line may lean
_SHORT, _FEW_POINTS = 2.0, 9  # a path of more points than a frame has may draw a curve in pieces as short as this
_MANY_POINTS = 24
_SMALLEST_BOX, _MOSTLY = 10.0, 0.8
_DEPTH = 4  # forms inside forms
_INTRICATE = 60  # segments
_SIMPLE = 5  # segments of a box: its bounds tell all of a thin one
_COLORS = 4
_MOST_CROOKED = 2_000
_PATH, _IMAGE, _FORM = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM
_MOVE, _CURVE = pdfium.FPDF_SEGMENT_MOVETO, pdfium.FPDF_SEGMENT_BEZIERTO

PathMatrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
_IDENTITY: PathMatrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class RuleCollector:
    """Collects the rules of one page, at most `limit` line segments of its paths.

    `strong_rules` are lines, thin areas and outlined boxes, `weak_rules` the sides of shaded areas (which often run round the lines of text and not
    round the cells). `crooked_boxes` are the boxes of curves and slanted lines: charts have many, tables few."""

    def __init__(self, box: Box, rotation: int, limit: int) -> None:
        self.strong_rules: list[Rule] = []
        self.weak_rules: list[Rule] = []
        self.crooked_boxes: list[Box] = []
        self.truncated = False
        self._left = limit
        self._box = box
        self._rotation = rotation
        self._size = turned_page_size(box, rotation)
        self._numbers = (ctypes.c_float * 4)()
        self._modes = (ctypes.c_int * 2)()
        self._matrix = pdfium.FS_MATRIX()
        self._channels = (ctypes.c_uint * (2 * _COLORS))()
        first = ctypes.addressof(self._numbers)
        self._at = [first + 4 * index for index in range(4)]
        first = ctypes.addressof(self._modes)
        self._modes_at = (first, first + 4)
        first = ctypes.addressof(self._channels)
        self._channels_at = [first + 4 * index for index in range(2 * _COLORS)]
        self._matrix_at = ctypes.addressof(self._matrix)

    def collect_rules(self, objects: Sequence[tuple[int, int]]) -> None:
        """Read objects of the page (`pdf_calls.objects_on`)."""
        self._collect_objects(objects, _IDENTITY, 0)

    def _collect_objects(self, objects: Sequence[tuple[int, int]], outer: PathMatrix, depth: int) -> None:
        for kind, item in objects:
            if self._left <= 0:
                self.truncated = True
                return
            self._left -= 1
            if kind == _PATH:
                self._collect_path(item, outer)
            elif kind == _IMAGE:
                self._collect_thin_image(_multiply(self._matrix_of(item), outer))
            elif kind == _FORM and depth < _DEPTH:
                self._collect_objects(pdf_calls.objects_in(item, self._left), _multiply(self._matrix_of(item), outer), depth + 1)

    def _matrix_of(self, item: int) -> PathMatrix:
        matrix = self._matrix
        if not pdf_calls.matrix(item, self._matrix_at):
            return _IDENTITY
        return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f

    def _collect_path(self, item: int, outer: PathMatrix) -> None:
        if not pdf_calls.draw_mode(item, *self._modes_at):
            return
        filled, stroked = self._modes
        if not filled and not stroked:
            return
        count: int = pdf_calls.count_segments(item)
        if filled and not stroked and 3 < count <= _SIMPLE and self._collect_thin_area(item, outer):
            self._left -= count
            return
        matrix = _multiply(self._matrix_of(item), outer)
        if count > _INTRICATE and self._starts_with_curve(item):
            self._collect_crooked(self._corners(item, matrix))
            return
        outlined = bool(stroked) and not (filled and self._has_one_color(item))
        for points, curved in self._parts(item, count, matrix):
            corners = _rounded_box(points) if curved else points
            if corners is None:
                self._collect_crooked(points)
            else:
                self._collect_part(corners, outlined=outlined, stroked=bool(stroked))

    def _collect_thin_area(self, item: int, outer: PathMatrix) -> bool:
        """Keep a filled box that is as thin as a line, by its bounds alone."""
        if outer[1] or outer[2] or not pdf_calls.bounds(item, *self._at):
            return False
        left, bottom, right, top = self._numbers
        first, second = self._to_page(left, bottom, outer), self._to_page(right, top, outer)
        width, height = abs(second[0] - first[0]), abs(second[1] - first[1])
        if not _THINNEST <= min(width, height) < _THIN or self._starts_with_curve(item, 3):
            return False
        x, y = min(first[0], second[0]), min(first[1], second[1])
        if not self._is_off_page(x, y, x + width, y + height):
            self._collect_thin_box(x, y, x + width, y + height)
        return True

    def _starts_with_curve(self, item: int, end: int = 9) -> bool:
        """Return whether one of a path's first segments is a curve: then it is a drawing whose every point need not be asked for."""
        return _CURVE in (pdf_calls.segment_kind(pdf_calls.segment(item, index)) for index in range(1, end))

    def _has_one_color(self, item: int) -> bool:
        fill, stroke = self._channels_at[:_COLORS], self._channels_at[_COLORS:]
        if not pdf_calls.fill_color(item, *fill) or not pdf_calls.stroke_color(item, *stroke):
            return False
        return self._channels[:3] == self._channels[_COLORS : _COLORS + 3]

    def _parts(self, item: int, count: int, matrix: PathMatrix) -> Iterator[tuple[list[Point], bool]]:
        """Yield the path's parts as the points of the page that they join, and whether a part is curved."""
        x, y = self._at[:2]
        numbers = self._numbers
        points: list[Point] = []
        curved = False
        last = 0
        if count > self._left:
            self.truncated = True
        taken = min(count, self._left)
        self._left -= taken
        for index in range(taken):
            segment = pdf_calls.segment(item, index)
            kind = pdf_calls.segment_kind(segment)
            if not pdf_calls.segment_point(segment, x, y):
                continue
            if kind == _MOVE:
                if len(points) > 1:
                    yield _close_points(points, last), curved
                points, curved = [], False
            elif kind == _CURVE:
                curved = True
            points.append(self._to_page(numbers[0], numbers[1], matrix))
            last = segment
        if len(points) > 1 and taken == count:
            yield _close_points(points, last), curved

    def _corners(self, item: int, matrix: PathMatrix) -> list[Point]:
        """Return the first points of a path: where it begins is enough to know of a drawing."""
        points = []
        for index in range(9):
            if pdf_calls.segment_point(pdf_calls.segment(item, index), *self._at[:2]):
                points.append(self._to_page(self._numbers[0], self._numbers[1], matrix))
        return points

    def _to_page(self, x: float, y: float, matrix: PathMatrix) -> Point:
        a, b, c, d, e, f = matrix
        if not self._rotation:
            return a * x + c * y + e - self._box[0], self._box[3] - (b * x + d * y + f)
        return turn_point(a * x + c * y + e, b * x + d * y + f, self._box, self._rotation)

    def _is_off_page(self, left: float, top: float, right: float, bottom: float) -> bool:
        return right < 0 or bottom < 0 or left > self._size[0] or top > self._size[1]

    def _collect_part(self, points: list[Point], *, outlined: bool, stroked: bool) -> None:
        if len(points) == 2:
            (x0, y0), (x1, y1) = points
            if not self._is_off_page(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)):
                self._collect_line(x0, y0, x1, y1, strong=stroked)
            return
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
        if self._is_off_page(left, top, right, bottom):
            return
        thin = min(right - left, bottom - top) < _THIN
        lined = thin and len({(round(x, 1), round(y, 1)) for x, y in points[:_FEW_POINTS]}) <= 2  # there and back again
        if thin and not lined:
            self._collect_thin_box(left, top, right, bottom)
            return
        if _is_mostly_slanted(points) or _is_drawn_line(points):
            self._collect_crooked(points)
            return
        strong = stroked if lined else outlined
        for (x0, y0), (x1, y1) in pairwise(points):
            self._collect_side(x0, y0, x1, y1, strong=strong)

    def _collect_line(self, x0: float, y0: float, x1: float, y1: float, *, strong: bool) -> None:
        if min(abs(x1 - x0), abs(y1 - y0)) > _STRAIGHT:
            self._collect_crooked([(x0, y0), (x1, y1)])
        else:
            self._collect_side(x0, y0, x1, y1, strong=strong)

    def _collect_crooked(self, points: list[Point]) -> None:
        if len(self.crooked_boxes) < _MOST_CROOKED:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            self.crooked_boxes.append((min(xs), min(ys), max(xs), max(ys)))

    def _collect_thin_box(self, left: float, top: float, right: float, bottom: float) -> None:
        if right - left >= bottom - top:
            self.strong_rules.append(Rule(True, (top + bottom) / 2, left, right))
        else:
            self.strong_rules.append(Rule(False, (left + right) / 2, top, bottom))

    def _collect_side(self, x0: float, y0: float, x1: float, y1: float, *, strong: bool) -> None:
        """Keep one piece that runs along an axis."""
        rules = self.strong_rules if strong else self.weak_rules
        if abs(y1 - y0) <= _STRAIGHT < abs(x1 - x0):
            rules.append(Rule(True, (y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif abs(x1 - x0) <= _STRAIGHT < abs(y1 - y0):
            rules.append(Rule(False, (x0 + x1) / 2, min(y0, y1), max(y0, y1)))

    def _collect_thin_image(self, matrix: PathMatrix) -> None:
        """Collect a line that is drawn as a picture a point high, as some writers do."""
        ends = [self._to_page(x, y, matrix) for x in (0.0, 1.0) for y in (0.0, 1.0)]
        xs, ys = [x for x, _ in ends], [y for _, y in ends]
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if min(width, height) < _THIN and max(width, height) > 10:
            self._collect_thin_box(min(xs), min(ys), max(xs), max(ys))


def _close_points(points: list[Point], last: int) -> list[Point]:
    """Return the points of a part, back to the first where its last segment closes it."""
    return [*points, points[0]] if pdf_calls.segment_closes(last) else points


def _is_mostly_slanted(points: list[Point]) -> bool:
    """Return whether more of a path leans than runs along an axis; pieces of a point or two count as leaning: curves are drawn with them."""
    along = leaning = 0.0
    few = len(points) <= _FEW_POINTS
    for (x0, y0), (x1, y1) in pairwise(points):
        width, height = abs(x1 - x0), abs(y1 - y0)
        longer = width if width > height else height
        if min(width, height) <= _STRAIGHT and (few or longer > _SHORT):
            along += longer
        else:
            leaning += longer
    return leaning > along


def _rounded_box(points: list[Point]) -> list[Point] | None:
    """Return the corners of a box whose corners (or some of them) are rounded: most of it runs along its sides. None for other curves."""
    if len(points) > _MANY_POINTS:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    if min(right - left, bottom - top) < _SMALLEST_BOX:
        return None
    steps = [(abs(x1 - x0), abs(y1 - y0)) for (x0, y0), (x1, y1) in pairwise(points)]
    if sum(max(step) for step in steps if min(step) <= _STRAIGHT) < _MOSTLY * 2 * (right - left + bottom - top):
        return None
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def _is_drawn_line(points: list[Point]) -> bool:
    """Return whether one stroke goes through so many places that it is the line of a chart or an outline, even where its steps run along an axis."""
    if len(points) <= _MANY_POINTS:
        return False
    return min(len({round(x) for x, _ in points}), len({round(y) for _, y in points})) > _MANY_POINTS // 2


def _multiply(inner: PathMatrix, outer: PathMatrix) -> PathMatrix:
    """Return the matrix that applies `inner` first."""
    if outer is _IDENTITY:
        return inner
    a, b, c, d, e, f = inner
    u, v, w, x, y, z = outer
    return a * u + b * w, a * v + b * x, c * u + d * w, c * v + d * x, e * u + f * w + y, e * v + f * x + z
