"""The tables of one page: ruled ones first, then those between horizontal rules, then those that white space alone makes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter

from ingestion.readers.pdf.tables.lattice import find_lattices, join_headings
from ingestion.readers.pdf.tables.page_coordinates import turned_page_size
from ingestion.readers.pdf.tables.ruled_tables import read_lattice
from ingestion.readers.pdf.tables.rulings import PageRules, arrange_rules, group_touching_rules, merge_rules
from ingestion.readers.pdf.tables.table_completion import add_unruled_body
from ingestion.readers.pdf.tables.table_filter import Surroundings, is_drawing, is_table
from ingestion.readers.pdf.tables.table_model import Box, PageGeometry, PageWord, Rule, TableGrid, WordLine
from ingestion.readers.pdf.tables.table_regions import find_frames, find_runs, split_text_columns, without_overprints
from ingestion.readers.pdf.tables.text_segments import line_of, lines_of
from ingestion.readers.pdf.tables.unruled_tables import read_unruled

_HEIGHT = attrgetter("y")
_SPARSE = 0.5  # part of the cells of a ruled table that are filled; below, curves inside tell a chart on a net
_BESIDE = 8.0  # points: how far a rule may stick out of a frame


def find_page_tables(geometry: PageGeometry) -> list[TableGrid]:
    """Find the tables of a page, from above."""
    if len(geometry.words) < 4:
        return []
    found, rules = _find_all_ruled(geometry)
    lines = lines_of([word for word in geometry.words if not any(word.is_inside(grid.box) for grid in found)])
    completed = {id(line) for grid in found for line in add_unruled_body(grid, lines, rules)}
    free = [rule for rule in rules.lines if not any(_crosses(rule, grid.box) for grid in found)]
    rest = without_overprints([line for line in lines if id(line) not in completed])
    unruled = _UnruledTableFinder(rest, PageRules(rules.pieces, free), geometry.crooked_boxes).find_tables()
    tables = [*(grid for grid in found if not is_drawing(grid, geometry.crooked_boxes, _SPARSE)), *unruled]
    for grid in tables:
        grid.drop_covered_spans()
    return sorted(tables, key=lambda grid: (grid.box[1], grid.box[0]))


def _find_all_ruled(geometry: PageGeometry) -> tuple[list[TableGrid], PageRules]:
    """Return the ruled tables, those that only weak rules close behind the others, and the rules of the page."""
    strong = _rules_on_page(merge_rules(geometry.strong_rules), geometry)
    rules = arrange_rules(strong)
    found = _find_ruled(strong, geometry, rules, [])
    if not geometry.weak_rules:
        return found, rules
    every = _rules_on_page(merge_rules([*geometry.strong_rules, *geometry.weak_rules]), geometry)
    rules = rules if rules.lines else arrange_rules(every)
    outside = [rule for rule in every if not any(_is_rule_inside(rule, grid.box) for grid in found)]
    return found + _find_ruled(outside, geometry, rules, found), rules


def _rules_on_page(rules: Sequence[Rule], geometry: PageGeometry) -> list[Rule]:
    width, height = turned_page_size(geometry.box, geometry.rotation)
    limits = {True: (height, width), False: (width, height)}
    return [rule for rule in rules if 0 < rule.position < limits[rule.horizontal][0] and rule.end > 0 and rule.start < limits[rule.horizontal][1]]


def _find_ruled(rules: Sequence[Rule], geometry: PageGeometry, around: PageRules, taken: Sequence[TableGrid]) -> list[TableGrid]:
    """Return ruled tables, the larger first; one that overlaps another is left out."""
    drawn = join_headings([lattice for group in group_touching_rules(rules) for lattice in find_lattices(group)], geometry.words)
    words = sorted(geometry.words, key=_HEIGHT) if drawn else []
    grids = [grid for lattice in drawn if (grid := read_lattice(lattice, _words_beside(words, lattice.box), around))]
    kept: list[TableGrid] = []
    for grid in sorted(grids, key=lambda grid: -_area(grid.box)):
        if not any(_boxes_overlap(grid.box, other.box) for other in [*taken, *kept]):
            kept.append(grid)
    return kept


class _UnruledTableFinder:
    """Tables without ruled cells in the lines that are left."""

    def __init__(self, lines: list[WordLine], rules: PageRules, crooked: Sequence[Box]) -> None:
        self._lines = lines
        self._rules = rules
        self._crooked = crooked
        self._used: set[int] = set()
        self._found: list[TableGrid] = []

    def find_tables(self) -> list[TableGrid]:
        self._find_framed(self._lines)
        parts = [part for stretch in self._unused_lines(self._lines) for part in split_text_columns(stretch)]
        for part in parts:
            self._find_framed(part)
        for part in parts:
            for stretch in self._unused_lines(part):
                for run in find_runs(stretch):
                    grid = read_unruled(run, self._rules)
                    if grid is not None and is_table(grid, Surroundings(False, run, self._crooked)):
                        self._found.append(grid)
        return self._found

    def _find_framed(self, lines: Sequence[WordLine]) -> None:
        for frame in find_frames(self._rules.lines, lines):
            body = [line for line in frame.lines if not any(id(word) in self._used for word in line.words)]
            if len(body) < 2:
                continue
            inside = [rule for rule in self._rules.lines if rule.start > frame.left - _BESIDE and rule.end < frame.right + _BESIDE]
            grid = read_unruled(body, PageRules(self._rules.pieces, inside))
            if grid is not None and is_table(grid, Surroundings(frame.rules >= 3, body, self._crooked)):
                self._found.append(grid)
                self._used.update(id(word) for line in body for word in line.words)

    def _unused_lines(self, lines: Sequence[WordLine]) -> list[list[WordLine]]:
        """Return stretches of lines between those that tables took; of lines taken in part, what is left."""
        stretches: list[list[WordLine]] = [[]]
        for line in lines:
            words = [word for word in line.words if id(word) not in self._used]
            if len(words) == len(line.words):
                stretches[-1].append(line)
            elif words:
                stretches[-1].append(line_of(words))
            else:
                stretches.append([])
        return [stretch for stretch in stretches if stretch]


def _words_beside(words: Sequence[PageWord], box: Box) -> Sequence[PageWord]:
    """Return those of the words, which stand in order, that are as high as the box."""
    return words[bisect_left(words, box[1] - 2, key=_HEIGHT) : bisect_right(words, box[3] + 2, key=_HEIGHT)]


def _is_rule_inside(rule: Rule, box: Box) -> bool:
    left, top, right, bottom = (
        (rule.start, rule.position, rule.end, rule.position) if rule.horizontal else (rule.position, rule.start, rule.position, rule.end)
    )
    return left >= box[0] - 4 and top >= box[1] - 4 and right <= box[2] + 4 and bottom <= box[3] + 4


def _crosses(rule: Rule, box: Box) -> bool:
    return box[1] - 3 <= rule.position <= box[3] + 3 and rule.start < box[2] and rule.end > box[0]


def _boxes_overlap(one: Box, other: Box) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > 2 and min(one[3], other[3]) - max(one[1], other[1]) > 2


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
