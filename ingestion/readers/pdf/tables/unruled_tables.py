"""Tables without lines around their cells: columns by white space, a heading folded upward, rows by lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from ingestion.readers.pdf.tables.columns import ColumnPiece, TableColumns, column_gaps
from ingestion.readers.pdf.tables.rulings import PageRules
from ingestion.readers.pdf.tables.spanning_headings import span_by_centers, span_by_rules
from ingestion.readers.pdf.tables.table_model import Rule, TableGrid, WordLine
from ingestion.readers.pdf.tables.text_segments import is_numeric, is_year, join_cell_lines

_MOST_HEADING_LINES = 8
_BESIDE = 0.25  # em
_LEAST_HANGING = 3
_HANGING_SHARE = 0.2  # of the lines of a table

LinePieces = list[ColumnPiece]


def read_unruled(lines: Sequence[WordLine], rules: PageRules, cuts: Sequence[float] = ()) -> TableGrid | None:
    """Read the table that the lines make; None where there are not two columns and two rows. `cuts` are drawn sides of columns."""
    columns = TableColumns(column_gaps(lines), lines, cuts)
    if columns.count < 2:
        return None
    pieces = [columns.split_line(line) for line in lines]
    for own in pieces:
        span_by_rules(own, rules.pieces, columns)
    inner = _inner_rules(rules, lines, columns)
    grid = TableGrid([], [], (columns.left, lines[0].top, columns.right, lines[-1].bottom), column_sides=columns.sides)
    head = _count_heading_lines(lines, pieces, inner)
    if head:
        _span_headings(pieces, head, columns)
        _fold_heading(grid, pieces[:head], columns.count)
    grid.heading_rows = len(grid.rows)
    grid.bold_rows = [all(word.bold for line in lines[:head] for word in line.words)] * len(grid.rows)
    bands = _bands(lines, inner, head, pieces) or _gaps_between_rows(lines[head:], pieces[head:])
    _BodyReader(grid, lines[head:], pieces[head:], columns).read_rows(bands)
    return grid if len(grid.rows) >= 2 else None


def read_body(grid: TableGrid, lines: Sequence[WordLine], columns: TableColumns, rules: PageRules) -> None:
    """Add lines below the heading that `grid` holds, in its columns."""
    pieces = [columns.split_line(line) for line in lines]
    bands = _bands(lines, _inner_rules(rules, lines, columns), 0, pieces) or _gaps_between_rows(lines, pieces)
    _BodyReader(grid, lines, pieces, columns).read_rows(bands)


def _inner_rules(rules: PageRules, lines: Sequence[WordLine], columns: TableColumns) -> list[Rule]:
    """Return the rules that run across the table between its first and last line."""
    return [rule for rule in rules.lines if lines[0].top < rule.position < lines[-1].bottom and rule.length > 0.8 * columns.width]


# -- heading -----------------------------------------------------------------------------------------------------------------------------


def has_figures(pieces: LinePieces) -> bool:
    """Return whether at least half of a row's cells behind the first column are numbers."""
    behind = [piece for piece in pieces if piece.first > 0]
    return bool(behind) and sum(is_numeric(piece.text) for piece in behind) >= max(1, 0.5 * len(behind))


def _names_years(pieces: LinePieces) -> bool:
    """Return whether all numbers of a line are years: then they may stand above columns."""
    return all(is_year(piece.text) for piece in pieces if piece.first and is_numeric(piece.text))


def _count_heading_lines(lines: Sequence[WordLine], pieces: Sequence[LinePieces], inner: Sequence[Rule]) -> int:
    """Count the lines of the heading: those above the first rule across below which figures start, or above the first line of figures."""
    figures = [has_figures(own) and not _names_years(own) for own in pieces]
    head = next((line for line, are_figures in enumerate(figures[: _MOST_HEADING_LINES + 1]) if are_figures), 0)
    above = [sum(line.middle < rule.position for line in lines) for rule in inner]
    ruled = next((count for count in above if max(1, head) <= count <= min(7, head + 3, len(lines) - 2)), head)
    if ruled <= 2 or not any(figures[:ruled]):
        head = ruled
    return next((count for count in above if 1 <= count < head and _are_row_names(pieces[count:head])), head)


def _are_row_names(pieces: Sequence[LinePieces]) -> bool:
    return all(len(own) == 1 and own[0].first == own[0].last == 0 for own in pieces)


def _span_headings(pieces: Sequence[LinePieces], head: int, columns: TableColumns) -> None:
    extents: dict[int, tuple[float, float]] = {}
    for piece in (piece for own in pieces for piece in own if piece.first == piece.last):
        left, right = extents.get(piece.first, (piece.segment.left, piece.segment.right))
        extents[piece.first] = min(left, piece.segment.left), max(right, piece.segment.right)
    named: set[int] = set()
    for own in reversed(pieces[:head]):
        span_by_centers(own, named & extents.keys(), extents, columns.em)
        named |= {piece.first for piece in own if piece.first == piece.last}


def _fold_heading(grid: TableGrid, heading: Sequence[LinePieces], count: int) -> None:
    """Fold a heading: lines with headings over several columns stay rows of their own; all others fold into one row below."""
    names: dict[int, list[str]] = {}
    for pieces in heading:
        row = [""] * count
        for piece in pieces:
            if piece.last > piece.first:
                row[piece.first] = piece.text
                grid.spans.append((len(grid.rows), piece.first, 1, piece.last - piece.first + 1))
            else:
                names.setdefault(piece.first, []).append(piece.text)
        if any(row):
            grid.rows.append(row)
    if not names:
        return
    levels, lowest = len(grid.rows), [""] * count
    covered = {column for _, first, _, width in grid.spans for column in range(first, first + width)}
    height = levels + (not levels or any(column in covered for column in names))
    for column, texts in names.items():
        if levels and column not in covered:
            grid.rows[0][column] = join_cell_lines(texts)
            if height > 1:
                grid.spans.append((0, column, height, 1))
        else:
            lowest[column] = join_cell_lines(texts)
    if height > levels:
        grid.rows.append(lowest)


# -- body --------------------------------------------------------------------------------------------------------------------------------


def _bands(lines: Sequence[WordLine], inner: Sequence[Rule], head: int, pieces: Sequence[LinePieces]) -> list[float]:
    """Return the rules between the rows of the body, where most rows have one; else none."""
    crossing = sorted(rule.position for rule in inner if head == 0 or rule.position > lines[head - 1].middle)
    rows = sum(map(has_figures, pieces[head:])) or len(lines) - head
    return crossing if len(crossing) >= max(3, 0.3 * rows) else []


def _gaps_between_rows(lines: Sequence[WordLine], pieces: Sequence[LinePieces]) -> list[float]:
    """Return the places between rows of several lines that more white space sets apart than the lines of one row; none where the table is not so
    set.
    """
    steps = [after.middle - before.middle for before, after in pairwise(lines)]
    if len(steps) < 4:
        return []
    narrow = sorted(steps)[len(steps) // 4]
    breaks = [index + 1 for index, step in enumerate(steps) if step > 1.3 * narrow]
    groups = [range(start, end) for start, end in pairwise([0, *breaks, len(lines)])]
    if len(breaks) < max(2, 0.2 * len(steps)) or sum(len(group) > 1 for group in groups) < max(2, 0.3 * len(groups)):
        return []
    one_row = sum(sum(has_figures(pieces[index]) for index in group) == 1 for group in groups)
    if one_row < 0.8 * len(groups):
        return []
    return [(lines[index - 1].middle + lines[index].middle) / 2 for index in breaks]


def _hanging_column(pieces: Sequence[LinePieces]) -> int | None:
    """Return the column of words behind the first that again and again goes on alone in a line below rows of three cells and more; None where none
    does.
    """
    below = Counter(own[0].first for above, own in pairwise(pieces) if len(above) >= 3 and _hangs(own, own[0].first) and _fills(above, own[0].first))
    column, count = next(iter(below.most_common(1)), (0, 0))
    return column if count >= max(_LEAST_HANGING, _HANGING_SHARE * len(pieces)) else None


def _hangs(pieces: LinePieces, column: int) -> bool:
    return len(pieces) == 1 and column > 0 and pieces[0].first == column and not is_numeric(pieces[0].text)


def _fills(pieces: LinePieces, column: int) -> bool:
    return any(piece.first == column and not is_numeric(piece.text) for piece in pieces)


class _BodyReader:
    """Puts the lines below the heading into a grid's rows."""

    def __init__(self, grid: TableGrid, lines: Sequence[WordLine], pieces: Sequence[LinePieces], columns: TableColumns) -> None:
        self._grid = grid
        self._lines = lines
        self._pieces = pieces
        self._columns = columns
        steps = [after.middle - before.middle for before, after in pairwise(lines)]
        self._step = median(steps) if steps else 0.0
        self._lefts = Counter((piece.first, round(piece.segment.left)) for own in pieces if len(own) > 1 for piece in own)
        self._figures = [has_figures(own) for own in pieces]
        self._numbers = [any(is_numeric(piece.text) for piece in own) for own in pieces]
        self._hanging = _hanging_column(pieces)

    def read_rows(self, bands: Sequence[float]) -> None:
        for index in range(len(self._lines)):
            self._span_centered_title(index)
            if index and (self._interleaves(index) or (not self._follows_title(index) and self._belongs_to_last(index, bands))):
                self._add_to_last(index)
            else:
                self._add_row(index)

    def _span_centered_title(self, index: int) -> None:
        """Span a title in the middle of all columns of figures over them, unless it begins where a column does."""
        pieces, columns = self._pieces[index], self._columns
        if len(pieces) != 1 or not pieces[0].first or columns.count < 3 or is_numeric(pieces[0].text):
            return
        if self._lefts[pieces[0].first, round(pieces[0].segment.left)] > 1:
            return
        left, right = columns.gaps[0], columns.right
        if abs(pieces[0].segment.middle - (left + right) / 2) < 0.12 * (right - left):
            pieces[0].first, pieces[0].last = 1, columns.count - 1

    def _follows_title(self, index: int) -> bool:
        """Return whether a row of figures stands below a title over several columns."""
        above = self._pieces[index - 1]
        return self._figures[index] and len(above) == 1 and above[0].last > above[0].first

    def _interleaves(self, index: int) -> bool:
        """Return whether the line goes on with a first row of names whose cells hold one or two lines, so that each line reaches up beside the one
        above, in other columns. (Below, a name may stand in the middle of the rows that it names.)"""
        above, line = self._lines[index - 1], self._lines[index]
        if self._grid.heading_rows or len(self._grid.rows) != 1 or any(self._numbers[: index + 1]):
            return False
        if 2 * sum(self._numbers) <= len(self._numbers):
            return False
        if above.bottom - line.top <= _BESIDE * min(above.size, line.size):
            return False
        return {piece.first for piece in self._pieces[index - 1]}.isdisjoint(piece.first for piece in self._pieces[index])

    def _belongs_to_last(self, index: int, bands: Sequence[float]) -> bool:
        return self._within_band(index, bands) if bands else self._continues(index)

    def _within_band(self, index: int, bands: Sequence[float]) -> bool:
        """Return whether no rule divides the line from the one above, nor the row above has figures in the columns of this line's figures."""
        if any(self._lines[index - 1].middle < at < self._lines[index].middle for at in bands):
            return False
        row, pieces = self._grid.rows[-1], self._pieces[index]
        figures = [piece for piece in pieces if piece.first and is_numeric(piece.text)]
        return not (len(pieces) > 1 and self._figures[index] and 2 * sum(is_numeric(row[piece.first]) for piece in figures) >= len(figures))

    def _continues(self, index: int) -> bool:
        """Return whether the line goes on with the cells of the one above: fewer pieces, no figures, set closer than the rows."""
        pieces = self._pieces[index]
        if self._hanging is not None and _hangs(pieces, self._hanging):
            return bool(self._grid.rows[-1][self._hanging])
        if len(pieces) >= len(self._pieces[index - 1]) or self._figures[index]:
            return False
        return self._lines[index].middle - self._lines[index - 1].middle < 0.86 * self._step and len(pieces) <= 1 + self._columns.count // 3

    def _add_to_last(self, index: int) -> None:
        row = self._grid.rows[-1]
        for piece in self._pieces[index]:
            row[piece.first] = join_cell_lines([text for text in (row[piece.first], piece.text) if text])

    def _add_row(self, index: int) -> None:
        row = [""] * self._columns.count
        for piece in self._pieces[index]:
            row[piece.first] = piece.text
            if piece.last > piece.first:
                self._grid.spans.append((len(self._grid.rows), piece.first, 1, piece.last - piece.first + 1))
        self._grid.rows.append(row)
        self._grid.bold_rows.append(all(word.bold for word in self._lines[index].words))
