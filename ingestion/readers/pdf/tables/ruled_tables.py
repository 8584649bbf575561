"""Ruled tables: the cells of a lattice, read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingestion.readers.pdf.tables.lattice import Lattice, LatticeCell, fill_cells
from ingestion.readers.pdf.tables.rulings import PageRules
from ingestion.readers.pdf.tables.table_model import Box, PageWord, Segment, Span, TableGrid, WordLine
from ingestion.readers.pdf.tables.text_segments import WIDE, is_numeric, lines_of, segments_of, text_of
from ingestion.readers.pdf.tables.unruled_tables import read_unruled

_CAPTION = re.compile(r"(?:tables?|exhibits?|figures?|notes?|sources?)\b", re.I)
_REACH = 100.0  # points: how far right of a row another column may begin
_LINES_OF_BOX = 3  # a box over the whole width with fewer lines is a row
_FEWEST_LINES = 4  # with several figures, for a ruled column to be several
_NARROW = 0.45  # em: gaps that divide the words of one ruled row


@dataclass(slots=True)
class _GridRow:
    """A row while it is read: its top and bottom, and its cells by column."""

    top: float
    bottom: float
    cells: dict[int, LatticeCell]

    @property
    def bold(self) -> bool:
        words = [word for cell in self.cells.values() for word in cell.words]
        return bool(words) and all(word.bold for word in words)


def read_lattice(lattice: Lattice, words: Sequence[PageWord], rules: PageRules) -> TableGrid | None:
    """Read the table that stands in a lattice; None where it is empty or no table."""
    inside = fill_cells(lattice, words)
    if _drop_open_body(lattice):
        inside = [word for word in inside if word.is_inside(lattice.box)]
    if len(lattice.cells) < 2 or len(inside) < 2:
        return None
    filled = sum(bool(cell.words) for cell in lattice.cells.values()) / len(lattice.cells)
    _divide_open_rows(lattice)
    if _columns_are_missing(lattice):
        grid = read_unruled(lines_of(inside, WIDE), rules, cuts=lattice.xs[1:-1])
        if grid is not None:
            grid.box = lattice.box
            grid.is_ruled = True
            return grid
    rows = _rows(lattice)
    if _goes_on_beside(rows, lattice.box, words, rules):
        return None
    grid = _make_grid(lattice, rows)
    _drop_titles(grid, rows)
    _drop_empty_rows_and_columns(grid, rows)
    _add_row_names(grid, rows, words)
    grid.bold_rows = [row.bold for row in rows]
    grid.filled_share = filled
    return grid if _holds_a_table(grid) else None


def _make_grid(lattice: Lattice, rows: Sequence[_GridRow]) -> TableGrid:
    grid = TableGrid([[""] * (len(lattice.xs) - 1) for _ in rows], [], lattice.box, is_ruled=True, column_sides=list(pairwise(lattice.xs)))
    for index, row in enumerate(rows):
        for column, cell in row.cells.items():
            grid.rows[index][column] = text_of(cell.words)
            if cell.rows > 1 or cell.columns > 1:
                grid.spans.append((index, column, cell.rows, cell.columns))
    return grid


# -- cells that rules leave open ---------------------------------------------------------------------------------------------------------


def _drop_open_body(lattice: Lattice) -> bool:
    """Leave out boxes over the whole width, below the others, whose lines stand in the columns of the heading above without lines between:
    `table_completion` reads them as rows."""
    width, top = len(lattice.xs) - 1, len(lattice.ys) - 1
    if width < 3:
        return False
    words: list[PageWord] = []
    while top and (cell := lattice.cells.get((top - 1, 0))) is not None and (cell.rows, cell.columns) == (1, width):
        words += cell.words
        top -= 1
    lines, boxes = lines_of(words, WIDE), len(lattice.ys) - 1 - top
    if not top or len(lines) < _LINES_OF_BOX * boxes or not _stand_in_columns(lines, lattice.xs[1:-1]):
        return False
    lattice.cells = {place: cell for place, cell in lattice.cells.items() if place[0] < top}
    lattice.ys = lattice.ys[: top + 1]
    return True


def _stand_in_columns(lines: Sequence[WordLine], cuts: Sequence[float]) -> bool:
    """Return whether at least three of the lines, and a third, are divided, most of those with figures, and hardly one crosses a side of a column."""
    divided = [line for line in lines if len(line.segments) > 1]
    if len(divided) < max(3, len(lines) / 3):
        return False
    crossing = sum(any(part.left + 1 < cut < part.right - 1 for part in line.segments for cut in cuts) for line in divided)
    figures = sum(any(is_numeric(part.text) for part in line.segments[1:]) for line in divided)
    return crossing <= 0.15 * len(divided) and figures > 0.5 * len(divided)


def _divide_open_rows(lattice: Lattice) -> None:
    """Divide cells over three columns and more whose one line of text stands in the columns of the other rows."""
    for (row, column), cell in sorted(lattice.cells.items()):
        if cell.columns < 3 or not cell.words:
            continue
        lines = lines_of(cell.words, _NARROW)
        if len(lines) == 1 and not _divide_evenly(lattice, row, column, cell, lines[0]):
            _divide_at_columns(lattice, row, column, cell, lines[0])


def _divide_evenly(lattice: Lattice, row: int, column: int, cell: LatticeCell, line: WordLine) -> bool:
    """Return whether each heading stands over the same number of columns."""
    parts = segments_of(cell.words, WIDE * line.size)
    each, rest = divmod(cell.columns, len(parts))
    if len(parts) < 2 or each < 2 or rest:
        return False
    xs = lattice.xs
    for index, part in enumerate(parts):
        if not xs[column + index * each] - 2 <= part.middle <= xs[column + (index + 1) * each] + 2:
            return False
    for index, part in enumerate(parts):
        lattice.cells[row, column + index * each] = LatticeCell(cell.rows, each, part.words)
    return True


def _divide_at_columns(lattice: Lattice, row: int, column: int, cell: LatticeCell, line: WordLine) -> None:
    cuts = lattice.xs[column + 1 : column + cell.columns]
    if any(part.left + 0.5 < cut < part.right - 0.5 for part in line.segments for cut in cuts):
        return
    parts: dict[int, list[PageWord]] = {}
    for part in line.segments:
        parts.setdefault(sum(cut <= part.middle for cut in cuts), []).extend(part.words)
    if len(parts) >= max(2, 0.5 * cell.columns):
        for index in range(cell.columns):
            lattice.cells[row, column + index] = LatticeCell(cell.rows, 1, parts.get(index, []))


def _columns_are_missing(lattice: Lattice) -> bool:
    """Return whether one ruled column holds several columns of figures."""
    for column in range(len(lattice.xs) - 1):
        cells = [cell.words for (_, first), cell in lattice.cells.items() if first == column and cell.columns == 1 and cell.words]
        words = [word for own in cells for word in own]
        if len(words) < max(8, len(cells) + _FEWEST_LINES):
            continue
        lines = lines_of(words, WIDE)
        several = [line for line in lines if len(line.segments) > 1]
        if len(several) >= max(_FEWEST_LINES, 0.6 * len(lines)) and sum(_is_figures(line.segments[1:]) for line in several) > 0.6 * len(several):
            return True
    return False


def _is_figures(segments: Sequence[Segment]) -> bool:
    return all(is_numeric(segment.text) for segment in segments)


# -- rows --------------------------------------------------------------------------------------------------------------------------------


def _rows(lattice: Lattice) -> list[_GridRow]:
    """Return the rows of the lattice; a band that holds several lines of figures in its cells becomes a row for each line."""
    count = len(lattice.ys) - 1
    by_band: list[dict[int, LatticeCell]] = [{} for _ in range(count)]
    for (row, column), cell in lattice.cells.items():
        by_band[row][column] = cell
    rows: list[_GridRow] = []
    starts: list[int] = []
    for band, cells in enumerate(by_band):
        starts.append(len(rows))
        if lines := _lines_of_figures(cells, count):
            rows += [_line_row(line, cells) for line in lines]
        else:
            rows.append(_GridRow(lattice.ys[band], lattice.ys[band + 1], cells))
    starts.append(len(rows))
    for band, cells in enumerate(by_band):
        for cell in cells.values():
            if cell.rows > 1:
                cell.rows = starts[min(count, band + cell.rows)] - starts[band]
    return rows


def _line_row(line: WordLine, cells: dict[int, LatticeCell]) -> _GridRow:
    row = _GridRow(line.top, line.bottom, {})
    for column, cell in cells.items():
        own = {id(word) for word in cell.words}
        words = [word for word in line.words if id(word) in own]
        if words:
            row.cells[column] = LatticeCell(1, cell.columns, words)
    return row


def _lines_of_figures(cells: dict[int, LatticeCell], bands: int) -> list[WordLine]:
    filled = [cell for cell in cells.values() if cell.words]
    if len(filled) < 2 or any(cell.rows > 1 for cell in filled) or sum(len(cell.words) > 1 for cell in filled) < 2:
        return []
    lines = [lines_of(cell.words, WIDE) for cell in filled]
    counts = sorted((len(own) for own in lines), reverse=True)
    if not _may_be_rows(counts, bands) or _count_figure_cells(lines) < max(1, 0.5 * (len(lines) - 1)):
        return []
    shared = lines_of([word for cell in filled for word in cell.words], WIDE)
    return shared if len(shared) <= 1.34 * counts[0] + 1 else []


def _may_be_rows(counts: Sequence[int], bands: int) -> bool:
    """Return whether two cells have at least three lines, or in a short table at least three cells two lines each."""
    return counts[1] >= 3 or (counts[0] == counts[-1] == 2 and bands <= 3 and len(counts) >= 3)


def _count_figure_cells(cells: Sequence[Sequence[WordLine]]) -> int:
    """Count the cells most of whose lines are figures."""
    return sum(sum(is_numeric(line.text) for line in own) > 0.6 * len(own) for own in cells)


# -- what belongs to the table -----------------------------------------------------------------------------------------------------------


def _drop_titles(grid: TableGrid, bands: list[_GridRow]) -> None:
    """Leave out a caption or a note in a cell over the whole width at the table's head or foot."""
    for last in (False, True):
        while len(grid.rows) > 3:
            row = len(grid.rows) - 1 if last else 0
            text = _text_over_all(grid, row)
            if not (len(text.split()) > 12 or _CAPTION.match(text)):
                break
            grid.title = grid.title or ("" if last else text)
            del grid.rows[row], bands[row]
            grid.spans = [(r - (not last), c, rows, columns) for r, c, rows, columns in grid.spans if r != row]
            grid.box = (grid.box[0], grid.box[1], grid.box[2], bands[-1].bottom) if last else (grid.box[0], bands[0].top, grid.box[2], grid.box[3])


def _text_over_all(grid: TableGrid, row: int) -> str:
    """Return the text of a row whose only filled cell runs over all columns; "" for another row."""
    filled = [column for column, text in enumerate(grid.rows[row]) if text]
    if len(filled) != 1 or grid.width <= 1:
        return ""
    over_all = any(span[:2] == (row, filled[0]) and span[3] == grid.width for span in grid.spans)
    return grid.rows[row][filled[0]] if over_all else ""


def _drop_empty_rows_and_columns(grid: TableGrid, bands: list[_GridRow]) -> None:
    """Leave out rows and columns without any text."""
    rows = [row for row, texts in enumerate(grid.rows) if any(texts)]
    columns = [column for column in range(grid.width) if any(texts[column] for texts in grid.rows)]
    if len(rows) == len(grid.rows) and len(columns) == grid.width:
        return
    bands[:] = [bands[row] for row in rows]
    grid.rows = [[grid.rows[row][column] for column in columns] for row in rows]
    grid.column_sides = [grid.column_sides[column] for column in columns]
    grid.spans = list(_spans_within(grid.spans, rows, columns))


def _spans_within(spans: Sequence[Span], rows: list[int], columns: list[int]) -> Iterator[Span]:
    """Yield the spans in the rows and columns that are left, as far as they still run over several."""
    for row, column, over_rows, over_columns in spans:
        if row in rows and column in columns:
            height, width = sum(row <= each < row + over_rows for each in rows), sum(column <= each < column + over_columns for each in columns)
            if height > 1 or width > 1:
                yield rows.index(row), columns.index(column), height, width


def _add_row_names(grid: TableGrid, bands: list[_GridRow], words: Sequence[PageWord]) -> None:
    """Add the names of the rows as the first column where they stand left of the ruled part, without rules."""
    if len(grid.rows) < 4:
        return
    left = [word for word in words if word.right <= grid.box[0] + 2 and grid.box[1] - 1 < word.y < grid.box[3] + 1]
    names = [_row_name_words(band, grid.box, left) for band in bands] if len(left) >= 0.7 * len(bands) else []
    if not _are_row_names(names):
        return
    start = min(word.left for name in names for word in name)
    grid.rows = [[text_of(name), *texts] for name, texts in zip(names, grid.rows, strict=True)]
    grid.spans = [(r, c + 1, rows, columns) for r, c, rows, columns in grid.spans]
    grid.column_sides = [(start, grid.box[0]), *grid.column_sides]
    grid.box = (start, *grid.box[1:])


def _are_row_names(names: Sequence[Sequence[PageWord]]) -> bool:
    """Return whether most rows have a name, the names are short, and they begin or end below one another."""
    given = [name for name in names if name]
    if not given or len(given) < 0.7 * len(names) or sum(map(len, given)) > 6 * len(given):
        return False
    starts = sorted(min(word.left for word in name) for name in given)
    ends = sorted(max(word.right for word in name) for name in given)
    return _interquartile_range(starts) <= 12 or _interquartile_range(ends) <= 6


def _goes_on_beside(rows: Sequence[_GridRow], box: Box, words: Sequence[PageWord], rules: PageRules) -> bool:
    """Return whether figures stand right of most rows with no line between: the rules then close only a part of the table."""
    beside = [word for word in words if 0 < word.left - box[2] < _REACH and box[1] < word.y < box[3] and is_numeric(word.text)]
    walls = [rule for rule in rules.vertical if rule.position > box[2] + 3] if beside else []
    free = [word for word in beside if not any(wall.position < word.left and wall.start < word.y < wall.end for wall in walls)]
    count = sum(any(row.top < word.y < row.bottom for word in free) for row in rows)
    return len(rows) > 1 and count >= 0.7 * len(rows)


def _row_name_words(band: _GridRow, box: Box, words: Sequence[PageWord]) -> list[PageWord]:
    """Return those of the words left of a table that stand left of a row, each near the next."""
    beside = [word for word in words if band.top - 1 < word.y < band.bottom + 1]
    name: list[PageWord] = []
    edge = box[0]
    for word in sorted(beside, key=lambda word: -word.right):
        if edge - word.right > (8 if name else 150):
            break
        name.append(word)
        edge = min(edge, word.left)
    return name


def _interquartile_range(values: list[float]) -> float:
    """Return the distance between the quartiles."""
    return values[int(0.75 * len(values))] - values[int(0.25 * len(values))]


def _holds_a_table(grid: TableGrid) -> bool:
    """Return whether enough cells have text, in several rows and columns, and the texts are no paragraphs."""
    filled = [(row, column) for row, texts in enumerate(grid.rows) for column, text in enumerate(texts) if text]
    size = len(grid.rows) * grid.width
    if len({row for row, _ in filled}) < 2 or len({column for _, column in filled}) < 2 or len(filled) < 4:
        return False
    if len(filled) < 0.15 * size or (len(filled) < 6 and len(filled) < 0.7 * size):
        return False
    if sum(len(grid.rows[row][column].split()) > 25 for row, column in filled) > 0.5 * len(filled):
        return False
    return sum(sum(map(bool, texts)) > 1 for texts in grid.rows) >= 0.3 * len(grid.rows)
