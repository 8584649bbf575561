"""The tables of one page: ruled ones first, then those between horizontal rules, then those that white space alone makes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter

from ingestion.extractors.pdf.tables.completion import complete
from ingestion.extractors.pdf.tables.frame import size_of
from ingestion.extractors.pdf.tables.grids import read_lattice
from ingestion.extractors.pdf.tables.lattice import lattices, with_headings
from ingestion.extractors.pdf.tables.lines import line_of, lines_of
from ingestion.extractors.pdf.tables.model import Box, Geometry, Grid, Rule, TextLine, Word
from ingestion.extractors.pdf.tables.plausible import Surroundings, is_drawing, is_table
from ingestion.extractors.pdf.tables.regions import frames, runs, text_columns
from ingestion.extractors.pdf.tables.rulings import Across, across, gathered, merged
from ingestion.extractors.pdf.tables.unruled import read_unruled

_HEIGHT = attrgetter("y")
_SPARSE = 0.5  # part of the cells of a ruled table that are filled; below, curves inside tell a chart on a net
_BESIDE = 8.0  # points: how far a rule may stick out of a frame


def page_tables(geometry: Geometry) -> list[Grid]:
    """Find the tables of a page, from above."""
    if len(geometry.words) < 4:
        return []
    strong = _on_page(merged(geometry.strong), geometry)
    rules = across(strong)
    found = _ruled(strong, geometry, rules, [])
    if geometry.weak:
        every = _on_page(merged([*geometry.strong, *geometry.weak]), geometry)
        rules = rules if rules.lines else across(every)
        found += _ruled([rule for rule in every if not any(_rule_in(rule, grid.box) for grid in found)], geometry, rules, found)
    words = [word for word in geometry.words if not any(word.inside(grid.box) for grid in found)]
    lines = lines_of(words)
    completed = {id(line) for grid in found for line in complete(grid, lines, rules)}
    free = [rule for rule in rules.lines if not any(_crosses(rule, grid.box) for grid in found)]
    unruled = _Unruled([line for line in lines if id(line) not in completed], Across(rules.pieces, free), geometry.crooked).read()
    tables = [grid for grid in found if not is_drawing(grid, geometry.crooked, _SPARSE)]
    for grid in (*tables, *unruled):
        grid.settle()
    return sorted([*tables, *unruled], key=lambda grid: (grid.box[1], grid.box[0]))


def _on_page(rules: Sequence[Rule], geometry: Geometry) -> list[Rule]:
    width, height = size_of(geometry.box, geometry.rotation)
    limits = {True: (height, width), False: (width, height)}
    return [rule for rule in rules if 0 < rule.at < limits[rule.horizontal][0] and rule.end > 0 and rule.start < limits[rule.horizontal][1]]


def _ruled(rules: Sequence[Rule], geometry: Geometry, around: Across, taken: Sequence[Grid]) -> list[Grid]:
    """Ruled tables, the larger first; one that overlaps another is left out."""
    drawn = with_headings([lattice for group in gathered(rules) for lattice in lattices(group)], geometry.words)
    words = sorted(geometry.words, key=_HEIGHT) if drawn else []
    grids = [grid for lattice in drawn if (grid := read_lattice(lattice, _beside(words, lattice.box), around))]
    kept: list[Grid] = []
    for grid in sorted(grids, key=lambda grid: -_area(grid.box)):
        if not any(_overlap(grid.box, other.box) for other in [*taken, *kept]):
            kept.append(grid)
    return kept


class _Unruled:
    """Tables without ruled cells in the lines that are left."""

    def __init__(self, lines: list[TextLine], rules: Across, crooked: Sequence[Box]) -> None:
        self._lines = lines
        self._rules = rules
        self._crooked = crooked
        self._used: set[int] = set()
        self._found: list[Grid] = []

    def read(self) -> list[Grid]:
        self._framed(self._lines)
        parts = [part for stretch in self._unused(self._lines) for part in text_columns(stretch)]
        for part in parts:
            self._framed(part)
        for part in parts:
            for stretch in self._unused(part):
                for run in runs(stretch):
                    grid = read_unruled(run, self._rules)
                    if grid is not None and is_table(grid, Surroundings(False, run, self._crooked)):
                        self._found.append(grid)
        return self._found

    def _framed(self, lines: Sequence[TextLine]) -> None:
        for frame in frames(self._rules.lines, lines):
            body = [line for line in frame.lines if not any(id(word) in self._used for word in line.words)]
            if len(body) < 2:
                continue
            inside = [rule for rule in self._rules.lines if rule.start > frame.left - _BESIDE and rule.end < frame.right + _BESIDE]
            grid = read_unruled(body, Across(self._rules.pieces, inside))
            if grid is not None and is_table(grid, Surroundings(frame.rules >= 3, body, self._crooked)):
                self._found.append(grid)
                self._used.update(id(word) for line in body for word in line.words)

    def _unused(self, lines: Sequence[TextLine]) -> list[list[TextLine]]:
        """Stretches of lines between those that tables took; of lines taken in part, what is left."""
        stretches: list[list[TextLine]] = [[]]
        for line in lines:
            words = [word for word in line.words if id(word) not in self._used]
            if len(words) == len(line.words):
                stretches[-1].append(line)
            elif words:
                stretches[-1].append(line_of(words))
            else:
                stretches.append([])
        return [stretch for stretch in stretches if stretch]


def _beside(words: Sequence[Word], box: Box) -> Sequence[Word]:
    """Return those of the words, which stand in order, that are as high as the box."""
    return words[bisect_left(words, box[1] - 2, key=_HEIGHT) : bisect_right(words, box[3] + 2, key=_HEIGHT)]


def _rule_in(rule: Rule, box: Box) -> bool:
    left, top, right, bottom = (rule.start, rule.at, rule.end, rule.at) if rule.horizontal else (rule.at, rule.start, rule.at, rule.end)
    return left >= box[0] - 4 and top >= box[1] - 4 and right <= box[2] + 4 and bottom <= box[3] + 4


def _crosses(rule: Rule, box: Box) -> bool:
    return box[1] - 3 <= rule.at <= box[3] + 3 and rule.start < box[2] and rule.end > box[0]


def _overlap(one: Box, other: Box) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > 2 and min(one[3], other[3]) - max(one[1], other[1]) > 2


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
