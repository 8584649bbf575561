"""Columns by white space: where the lines of a table leave gaps above one another, and which column each piece of a line stands in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ingestion.readers.pdf.tables.table_model import Segment, WordLine
from ingestion.readers.pdf.tables.text_segments import is_numeric, segments_of

_NARROWEST = 0.25  # em: the narrowest white column between two columns
_CROSSING = 0.12  # part of the lines that may run across a gap
_FEW = 6  # below this many lines none may
_FEWEST_ROWS = 3
_NEAR = 0.55  # em: gaps that divide a line into the pieces that are given to columns


class ColumnPiece:
    """Part of a line with the columns from `first` to `last` that it stands in."""

    __slots__ = ("first", "last", "segment")

    def __init__(self, first: int, last: int, segment: Segment) -> None:
        self.first = first
        self.last = last
        self.segment = segment

    @property
    def text(self) -> str:
        return self.segment.text


def column_gaps(lines: Sequence[WordLine]) -> list[float]:
    """Return the middles of the white gaps between columns, from the lines with most segments."""
    several = [line for line in lines if len(line.segments) > 1]
    if not several:
        return []
    body = _fullest_lines(several)
    em = median(line.size for line in body)
    allowed = _CROSSING * len(body) if len(body) >= _FEW else 0
    rows = {id(line) for line in body}
    headings = [line for line in several if id(line) not in rows]
    white = [gap for gap in _white_stretches(body, allowed) if gap[1] - gap[0] >= _NARROWEST * em]
    gaps = [_clearest_middle(gap, headings) for gap in _split_empty_column_gaps(white, headings, em)]
    return [gap for gap in gaps if _is_mostly_free(gap, lines)]


def _fullest_lines(several: Sequence[WordLine]) -> list[WordLine]:
    """Return the lines with most segments; of these the rows of figures, if there are enough: they, unlike headings, stand over one column."""
    counts = sorted(len(line.segments) for line in several)
    most = counts[int(len(counts) * 0.85)] if len(counts) > 3 else counts[-1]
    body = [line for line in several if len(line.segments) >= max(2, 0.55 * most)]
    figures = [line for line in body if _has_figures(line)]
    return figures if len(figures) >= max(_FEWEST_ROWS, 0.5 * len(body)) else body


def _split_empty_column_gaps(gaps: list[tuple[float, float]], headings: Sequence[WordLine], em: float) -> list[tuple[float, float]]:
    """Return the gaps, those divided in which a heading stands that names a column without any entry: each other column has one heading beside it."""
    fullest = max(headings, key=lambda line: len(line.segments), default=None)
    if fullest is None:
        return gaps
    inside = [part for part in fullest.segments if any(start + 0.5 * em < part.left and part.right < end - 0.5 * em for start, end in gaps)]
    middles = [(start + end) / 2 for start, end in gaps]
    others = [bisect_right(middles, part.middle) for part in fullest.segments if part not in inside]
    if others != list(range(len(gaps) + 1)):
        return gaps
    divided = []
    for start, end in gaps:
        edge = start
        for part in inside:
            if edge < part.left and part.right < end:
                divided.append((edge, part.left))
                edge = part.right
        divided.append((edge, end))
    return divided


def _is_mostly_free(gap: float, lines: Sequence[WordLine]) -> bool:
    """Return whether more lines leave the gap than run across it."""
    crossing = sum(any(part.left < gap < part.right for part in line.segments) for line in lines)
    leaving = sum(line.left < gap < line.right for line in lines) - crossing
    return leaving >= crossing


def _clearest_middle(gap: tuple[float, float], headings: Sequence[WordLine]) -> float:
    """Return the middle of that part of a gap over which the fewest headings run."""
    parts = [part for line in headings for part in line.segments if part.left < gap[1] and part.right > gap[0]]
    edges = sorted({*gap, *(x for part in parts for x in (part.left, part.right) if gap[0] < x < gap[1])})
    stretches = [(sum(part.left < (a + b) / 2 < part.right for part in parts), a - b, (a + b) / 2) for a, b in pairwise(edges)]
    return min(stretches)[2]


def _has_figures(line: WordLine) -> bool:
    return any(is_numeric(part.text) for part in line.segments[1:])


def _white_stretches(body: Sequence[WordLine], allowed: float) -> list[tuple[float, float]]:
    """Return the stretches of x that at most `allowed` segments cover, between the first and the last edge of any segment."""
    changes = sorted([(part.left, 1) for line in body for part in line.segments] + [(part.right, -1) for line in body for part in line.segments])
    white: list[tuple[float, float]] = []
    depth = 0
    for (x, step), (following, _) in pairwise(changes):
        depth += step
        if depth <= allowed and following > x:
            if white and white[-1][1] >= x:
                white[-1] = (white[-1][0], following)
            else:
                white.append((x, following))
    return white


class TableColumns:
    """The columns of a table: its gaps, its outer edges, the height of its letters."""

    def __init__(self, gaps: Sequence[float], lines: Sequence[WordLine], cuts: Sequence[float] = ()) -> None:
        self.em = median(line.size for line in lines)
        self.cuts = cuts
        free = [gap for gap in gaps if all(abs(gap - cut) > 1.2 * self.em for cut in cuts)]
        self.gaps = sorted([*free, *cuts])
        self.left = min(line.left for line in lines)
        self.right = max(line.right for line in lines)

    @property
    def count(self) -> int:
        return len(self.gaps) + 1

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def sides(self) -> list[tuple[float, float]]:
        """Left and right of each column."""
        return list(pairwise([self.left, *self.gaps, self.right]))

    def column_at(self, x: float) -> int:
        """Return the column that holds x."""
        return bisect_right(self.gaps, x)

    def split_line(self, line: WordLine) -> list[ColumnPiece]:
        """Split a line into pieces by columns; those that fall into one column are joined."""
        joined: list[ColumnPiece] = []
        for segment in segments_of(line.words, _NEAR * line.size, self.cuts):
            for piece in self._split_segment(segment):
                if joined and joined[-1].last >= piece.first:
                    before = joined[-1]
                    before.last = max(before.last, piece.last)
                    before.segment = Segment(before.segment.words + piece.segment.words)
                else:
                    joined.append(piece)
        return joined

    def _split_segment(self, segment: Segment) -> list[ColumnPiece]:
        first, last = self._extent(segment)
        if last - first >= 2 and (parts := self._split_headings(segment, first, last)):
            return parts
        if last > first and len(segment.words) > 1 and (parts := self._split_trailing_number(segment, first, last)):
            return parts
        return [ColumnPiece(first, last, segment)]

    def _extent(self, segment: Segment) -> tuple[int, int]:
        """Return first and last column of a segment; one that hangs over a little into the next column stays in its own."""
        first, last = self.column_at(segment.left + 0.5), self.column_at(segment.right - 0.5)
        if last - first == 1:
            over_left, over_right = self.gaps[first] - segment.left, segment.right - self.gaps[first]
            limit = min(0.35 * segment.width, 1.2 * self.em)
            if over_left < limit:
                return last, last
            if over_right < limit:
                return first, first
        return first, last

    def _split_headings(self, segment: Segment, first: int, last: int) -> list[ColumnPiece]:
        """Split headings of neighbouring columns with a plain space between, where each gap falls between two words."""
        words, near = segment.words, 0.35 * self.em
        cuts = [0]
        for gap in self.gaps[first:last]:
            places = [i + 1 for i in range(len(words) - 1) if words[i].right - near <= gap <= words[i + 1].left + near]
            if not places or places[0] <= cuts[-1]:
                return []
            cuts.append(places[0])
        ends = [*cuts[1:], len(words)]
        return [ColumnPiece(first + i, first + i, Segment(words[start:end])) for i, (start, end) in enumerate(zip(cuts, ends, strict=True))]

    def _split_trailing_number(self, segment: Segment, first: int, last: int) -> list[ColumnPiece]:
        """Split a long name that runs into its row's first number."""
        *words, number = segment.words
        gap, near = self.gaps[last - 1], 0.6 * self.em
        before = words[-1]
        if not is_numeric(number.text) or before.right > gap + near or number.left < gap - near or self.column_at(number.x) != last:
            return []
        name = Segment(words)
        return [ColumnPiece(first, max(first, self.column_at((name.right + before.left) / 2)), name), ColumnPiece(last, last, Segment([number]))]
