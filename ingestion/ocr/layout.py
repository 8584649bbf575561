"""Puts recognised pieces of text in reading order: columns, rows, words with spaces between them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.recognized_lines import LinePlace
from ingestion.readers.base.page_lines import PageLine

# How the detector's boxes lie around the letters, in heights of the box: measured against the boxes that PDFium tells of the same letters.
_LETTERS = 0.82
_LEFT, _RIGHT, _BELOW = 0.15, 0.1, 0.1
_STEP = 1.2  # sizes that differ less are taken for one: a line's box is higher with a "g" or an "l" in it
_WORD_GAP = 1.3  # in heights: what is further apart is another cell
_SPANNING = 0.6  # of a region's width
_COLUMN_LINES = 3
_COLUMN_CHARACTERS = 14
_MOST_CLEAR = 16  # of so many pieces one may reach into the band between two columns
_OVER = 1.0  # heights by which a box may reach over the middle of that band
_MAX_DEPTH = 6


@dataclass(slots=True)
class TextPiece:
    """A piece of a line with its place in points, the page upright and straight; `sideways` where it runs up or down the page. `place` is where it
    stands on the page as it is, not straightened."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    sideways: bool = False
    place: LinePlace | None = None

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


def lines_in_order(pieces: Sequence[TextPiece], number: int) -> list[PageLine]:
    """Return the lines of page `number` as they are read, those that run sideways last."""
    flat = [piece for piece in pieces if not piece.sideways]
    rows = [row for region in _regions(flat) for row in _rows(region)]
    lines = [_line(cell, number) for row in rows for cell in _cells(row)]
    aside = [piece for piece in pieces if piece.sideways]
    for piece in sorted(aside, key=lambda piece: (piece.left, piece.top)):
        lines.append(_line([piece], number))
    _unify_sizes(lines)
    return lines


# -- columns -----------------------------------------------------------------------------------------------------------------------------


def _regions(pieces: list[TextPiece], depth: int = 0) -> list[list[TextPiece]]:
    """Split the pieces into stretches that are each read row by row. Lines across all columns part what is above them from what is below."""
    gutter = _gutter(pieces) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [pieces]
    found: list[list[TextPiece]] = []
    left: list[TextPiece] = []
    right: list[TextPiece] = []

    def close() -> None:
        for column in (left, right):
            if column:
                found.extend(_regions(column.copy(), depth + 1))
                column.clear()

    for piece in sorted(pieces, key=lambda piece: piece.middle):
        if piece.right <= gutter + _OVER * piece.height:
            left.append(piece)
        elif piece.left >= gutter - _OVER * piece.height:
            right.append(piece)
        else:
            close()
            if found and found[-1] and found[-1][-1].left < gutter < found[-1][-1].right:
                found[-1].append(piece)
            else:
                found.append([piece])
    close()
    return found


def _gutter(pieces: list[TextPiece]) -> float | None:
    """Return where a blank band runs down between two columns of prose; None where there is none."""
    if len(pieces) < 2 * _COLUMN_LINES:
        return None
    start, end = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    narrow = [piece for piece in pieces if piece.right - piece.left < _SPANNING * (end - start)]
    high = statistics.median(piece.height for piece in pieces)
    best: tuple[float, float] | None = None
    for low, far in _blank_bands(narrow):
        if far - low >= 0.5 * high and _parts_columns(narrow, (low + far) / 2) and (best is None or far - low > best[1] - best[0]):
            best = (low, far)
    return (best[0] + best[1]) / 2 if best else None


def _blank_bands(pieces: Sequence[TextPiece]) -> list[tuple[float, float]]:
    """Return stretches of the horizontal axis that hardly any piece covers, between the first and the last. Boxes are wider than their letters."""
    edges = sorted([(piece.left + _LEFT * piece.height, 1) for piece in pieces] + [(piece.right - _RIGHT * piece.height, -1) for piece in pieces])
    bands: list[tuple[float, float]] = []
    covering, allowed = 0, len(pieces) // _MOST_CLEAR
    for (place, change), (following, _) in pairwise(edges):
        covering += change
        if covering <= allowed and following > place:
            if bands and bands[-1][1] == place:
                bands[-1] = (bands[-1][0], following)
            else:
                bands.append((place, following))
    return bands


def _parts_columns(pieces: Sequence[TextPiece], at: float) -> bool:
    """Return whether prose stands on both sides at the same height; short pieces side by side are the cells of a table, read row by row."""
    sides = (
        [piece for piece in pieces if piece.right <= at + _OVER * piece.height],
        [piece for piece in pieces if piece.left >= at - _OVER * piece.height],
    )
    for side in sides:
        if len(side) < _COLUMN_LINES or statistics.median(len(piece.text) for piece in side) < _COLUMN_CHARACTERS:
            return False
    tops, bottoms = [min(piece.top for piece in side) for side in sides], [max(piece.bottom for piece in side) for side in sides]
    shorter = min(bottoms[0] - tops[0], bottoms[1] - tops[1])
    return min(bottoms) - max(tops) > 0.3 * shorter


# -- rows --------------------------------------------------------------------------------------------------------------------------------


def _rows(pieces: Sequence[TextPiece]) -> list[list[TextPiece]]:
    """Group pieces at one height, from the left; rows from the top."""
    rows: list[list[TextPiece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        last = rows[-1] if rows else None
        if last and abs(statistics.fmean(other.middle for other in last) - piece.middle) < 0.5 * min(last[-1].height, piece.height):
            last.append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _cells(row: Sequence[TextPiece]) -> list[list[TextPiece]]:
    """Group pieces that are no further apart than words are."""
    cells = [[row[0]]]
    for before, piece in pairwise(row):
        if piece.left - before.right > _WORD_GAP * min(before.height, piece.height):
            cells.append([])
        cells[-1].append(piece)
    return cells


def _line(cell: Sequence[TextPiece], number: int) -> PageLine:
    text = " ".join(piece.text for piece in cell)
    places = tuple((piece.text, piece.place) for piece in cell if piece.place)
    if cell[0].sideways:
        size = _LETTERS * (cell[0].right - cell[0].left)
        return PageLine(text, number, cell[0].left, cell[0].right, cell[0].bottom, size, bold=False, sideways=True, places=places)
    height = max(piece.height for piece in cell)
    gap = max((after.left - before.right for before, after in pairwise(cell)), default=0.0)
    left, right = cell[0].left + _LEFT * height, cell[-1].right - _RIGHT * height
    bottom = statistics.fmean(piece.bottom for piece in cell) - _BELOW * height
    return PageLine(text, number, left, max(left, right), bottom, _LETTERS * height, bold=False, gap=gap / height, places=places)


def _unify_sizes(lines: Sequence[PageLine]) -> None:
    """Unify sizes that differ only by the letters that happen to stand in a line; the most common keeps its value."""
    if not lines:
        return
    by_size = sorted(lines, key=lambda line: line.size)
    half, count = sum(len(line.text) for line in lines) / 2, 0
    body = by_size[-1].size
    for line in by_size:
        count += len(line.text)
        if count >= half:
            body = line.size
            break
    for line in lines:
        line.size = round(2 * body * _STEP ** round(math.log(max(line.size, 0.5) / max(body, 0.5), _STEP))) / 2
