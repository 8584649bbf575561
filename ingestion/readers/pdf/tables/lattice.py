"""Closed cells between drawn lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from ingestion.readers.pdf.tables.linked_groups import LinkedGroups
from ingestion.readers.pdf.tables.rulings import TOUCH, merge_rules
from ingestion.readers.pdf.tables.table_model import Box, PageWord, Rule

_OPEN = 8.0  # points: how far rules must stick out over the outermost crossing line for their ends to be a side of the table
_FEWEST_SIDES, _NAMED = 4, 0.6
_APART = 24.0  # points between a heading that is ruled apart and its table
_SAME = 2.5  # points: sides so near one another are one
MAX_UNITS = 60_000


@dataclass(slots=True)
class LatticeCell:
    """A cell over some rows and columns with its words."""

    rows: int
    columns: int
    words: list[PageWord] = field(default_factory=list)


@dataclass(slots=True)
class Lattice:
    """A ruled table without its texts: the places of its lines and its cells by (row, column) of their first corner."""

    xs: list[float]
    ys: list[float]
    cells: dict[tuple[int, int], LatticeCell]

    @property
    def box(self) -> Box:
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]


def find_lattices(rules: Sequence[Rule]) -> list[Lattice]:
    """Return the tables that a group of touching rules closes, open outer sides closed at the ends of the rules."""
    horizontal = [rule for rule in rules if rule.horizontal]
    vertical = [rule for rule in rules if not rule.horizontal]
    if len(horizontal) < 2 or not vertical:
        return []
    complete = merge_rules([*rules, *_outer_sides(horizontal, vertical)])
    boxes = _closed_boxes([rule for rule in complete if rule.horizontal], [rule for rule in complete if not rule.horizontal])
    return [lattice for group in _group_touching(boxes) if (lattice := _lattice(group)) is not None]


def _outer_sides(horizontal: list[Rule], vertical: list[Rule]) -> list[Rule]:
    """Return the sides that are missing where the rules across stick out."""
    xs, ys = [rule.position for rule in vertical], [rule.position for rule in horizontal]
    sides: list[Rule] = []
    if len(horizontal) >= 3 or len(vertical) >= 2:
        left, right = min(rule.start for rule in horizontal), max(rule.end for rule in horizontal)
        open_sides = [end for end, gap in ((left, min(xs) - left), (right, right - max(xs))) if gap > _OPEN]
        sides += [Rule(False, end, min(ys), max(ys)) for end in open_sides]
    return [*sides, *(_open_ends(ys, vertical) if len(vertical) >= 2 else ())]


def _open_ends(ys: Sequence[float], vertical: Sequence[Rule]) -> Iterator[Rule]:
    """Yield the upper and the lower side where at least two columns end together beyond the lines."""
    top, bottom = min(rule.start for rule in vertical), max(rule.end for rule in vertical)
    above = [rule.position for rule in vertical if abs(rule.start - top) < TOUCH + 1]
    below = [rule.position for rule in vertical if abs(rule.end - bottom) < TOUCH + 1]
    for end, gap, among in ((top, min(ys) - top, above), (bottom, bottom - max(ys), below)):
        if gap > _OPEN and len(among) >= 2:
            yield Rule(True, end, min(among), max(among))


def _closed_boxes(horizontal: list[Rule], vertical: list[Rule]) -> list[Box]:
    """Return the boxes that the rules close: units of the finest net, joined wherever no rule divides them."""
    xs, ys = distinct_values(rule.position for rule in vertical), distinct_values(rule.position for rule in horizontal)
    if len(xs) < 2 or len(ys) < 2 or len(xs) * len(ys) > MAX_UNITS:
        return []
    above, beside = _ruled_units(horizontal, ys, xs), _ruled_units(vertical, xs, ys)
    seen = [[False] * (len(xs) - 1) for _ in range(len(ys) - 1)]
    boxes = []
    for row, column in product(range(len(ys) - 1), range(len(xs) - 1)):
        if not seen[row][column] and (region := _region(row, column, above, beside, seen)):
            first_row, first, last_row, last = region
            boxes.append((xs[first], ys[first_row], xs[last + 1], ys[last_row + 1]))
    return boxes


def _ruled_units(rules: list[Rule], positions: list[float], places: list[float]) -> list[list[bool]]:
    """Return for each position of rules which units between `places` one runs over."""
    ruled = [[False] * (len(places) - 1) for _ in positions]
    for rule in rules:
        for unit in _covered_units(places, rule):
            ruled[nearest_index(positions, rule.position)][unit] = True
    return ruled


def _covered_units(places: list[float], rule: Rule) -> range:
    """Return the units of `places` over which a rule runs from end to end."""
    first = bisect_right(places, rule.start + TOUCH)
    first -= first > 0 and places[first - 1] >= rule.start - TOUCH
    return range(first, bisect_right(places, rule.end + TOUCH) - 1)


def _region(row: int, column: int, above: list[list[bool]], beside: list[list[bool]], seen: list[list[bool]]) -> tuple[int, int, int, int] | None:
    """Return the units reached from one without crossing a rule, as first and last row and column; None where they are no closed box."""
    rows, columns = len(seen), len(seen[0])
    stack, reached, closed = [(row, column)], [], True
    seen[row][column] = True
    while stack:
        r, c = stack.pop()
        reached.append((r, c))
        for wall, r2, c2 in ((above[r][c], r - 1, c), (above[r + 1][c], r + 1, c), (beside[c][r], r, c - 1), (beside[c + 1][r], r, c + 1)):
            if wall:
                continue
            if not (0 <= r2 < rows and 0 <= c2 < columns):
                closed = False
            elif not seen[r2][c2]:
                seen[r2][c2] = True
                stack.append((r2, c2))
    first_row, last_row = min(r for r, _ in reached), max(r for r, _ in reached)
    first, last = min(c for _, c in reached), max(c for _, c in reached)
    whole = len(reached) == (last_row - first_row + 1) * (last - first + 1)
    return (first_row, first, last_row, last) if closed and whole else None


def _group_touching(boxes: list[Box]) -> list[list[Box]]:
    """Return boxes in groups that share corners."""
    owners: dict[tuple[int, int], int] = {}
    groups = LinkedGroups(len(boxes))
    for index, (left, top, right, bottom) in enumerate(boxes):
        for corner in ((left, top), (right, top), (left, bottom), (right, bottom)):
            groups.link(index, owners.setdefault((round(corner[0]), round(corner[1])), index))
    return groups.split_items(boxes)


def _lattice(boxes: list[Box]) -> Lattice | None:
    xs, ys = distinct_values([x for box in boxes for x in (box[0], box[2])]), distinct_values([y for box in boxes for y in (box[1], box[3])])
    if len(xs) < 2 or len(ys) < 2:
        return None
    cells = {}
    for left, top, right, bottom in boxes:
        row, column = nearest_index(ys, top), nearest_index(xs, left)
        cells[row, column] = LatticeCell(max(1, nearest_index(ys, bottom) - row), max(1, nearest_index(xs, right) - column))
    return Lattice(xs, ys, cells)


def join_headings(found: Sequence[Lattice], words: Sequence[PageWord]) -> list[Lattice]:
    """Join headings that are ruled apart (one row right above, in the same columns, with nothing between) to their tables."""
    heads = [lattice for lattice in found if len(lattice.ys) == 2]
    joined: list[Lattice] = []
    used: set[int] = set()
    for lattice in found:
        head = next((head for head in heads if id(head) not in used and _is_heading_of(head, lattice, words)), None)
        if head is None:
            joined.append(lattice)
            continue
        used.add(id(head))
        cells = {(row + 1, column): cell for (row, column), cell in lattice.cells.items()}
        names = head.cells if len(head.xs) > 2 else {(0, column): LatticeCell(1, 1) for column in range(len(lattice.xs) - 1)}
        joined.append(Lattice(lattice.xs, [head.ys[0], *lattice.ys], {**names, **cells}))
    return [lattice for lattice in joined if id(lattice) not in used]


def _is_heading_of(head: Lattice, table: Lattice, words: Sequence[PageWord]) -> bool:
    if head is table or len(head.xs) not in (2, len(table.xs)) or not 0 < table.ys[0] - head.ys[-1] < _APART:
        return False
    sides = table.xs if len(head.xs) > 2 else [table.xs[0], table.xs[-1]]
    if any(abs(one - other) > TOUCH + 1 for one, other in zip(head.xs, sides, strict=True)):
        return False
    between = (head.xs[0], head.ys[-1], head.xs[-1], table.ys[0])
    if any(word.is_inside(between) for word in words):
        return False
    return len(head.xs) > 2 or _stand_over_columns([word for word in words if word.is_inside(head.box)], table.xs)


def _stand_over_columns(words: Sequence[PageWord], xs: Sequence[float]) -> bool:
    """Return whether the words of a box without sides of columns name most columns of the table below, and none hangs over a side."""
    if len(xs) < _FEWEST_SIDES or any(word.left + 1 < side < word.right - 1 for word in words for side in xs):
        return False
    named = {bisect_right(xs, word.x) for word in words}
    return len(named) >= _NAMED * (len(xs) - 1)


def fill_cells(lattice: Lattice, words: Sequence[PageWord]) -> list[PageWord]:
    """Put each word into the cell that holds its middle, and return the words inside the lattice's box."""
    owner = {}
    for (row, column), cell in lattice.cells.items():
        for r in range(row, row + cell.rows):
            for c in range(column, column + cell.columns):
                owner[r, c] = cell
    box = lattice.box
    inside = [word for word in words if word.is_inside(box)]
    for word in inside:
        x, y = word.x, word.y
        place = (bisect_right(lattice.ys, y) - 1, bisect_right(lattice.xs, x) - 1)
        if place not in owner:  # a line is missing, but those of the other rows and columns say where the cell is
            owner[place] = lattice.cells[place] = LatticeCell(1, 1)
        owner[place].words.append(word)
    return inside


def distinct_values(values: Iterable[float]) -> list[float]:
    """Return sorted values without those within _SAME of the one before."""
    out: list[float] = []
    for value in sorted(values):
        if not out or value - out[-1] > _SAME:
            out.append(value)
    return out


def nearest_index(places: list[float], value: float) -> int:
    """Return the index of the place nearest to `value`."""
    index = bisect_right(places, value)
    if index == 0:
        return 0
    return index if index < len(places) and places[index] - value < value - places[index - 1] else index - 1
