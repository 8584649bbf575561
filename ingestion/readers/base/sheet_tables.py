"""Sheets as tables, for every kind of workbook: rows are cut at blank ones, lines above a table are its title, merged cells are spans."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ingestion.readers.base.document_builder import DocumentBuilder, SheetPlace, Span
from ingestion.readers.base.table_grid import are_column_names, guess_header_rows, is_number

# Merged places that are filled with the text of their first cell; more than this is no sheet that a person made.
_MAX_FILLED = 200_000
_HEAD = 4  # rows of a part in which its columns are named
_WIDE = 4  # columns of a table whose title may be two cells at its edges


@dataclass(slots=True)
class RowBlock:
    """Rows between blank ones; `first_row` counts from 1. `columns` are the places that hold anything."""

    first_row: int
    rows: list[list[str]] = field(default_factory=list)
    columns: set[int] = field(default_factory=set)

    @property
    def last_row(self) -> int:
        return self.first_row + len(self.rows) - 1


def group_rows(rows: Iterable[tuple[int, list[str]]]) -> list[RowBlock]:
    """Cut rows at blank rows. A part that has no names of its own and fits under the columns of the last one belongs to it."""
    groups: list[RowBlock] = []
    for number, row in rows:
        if not groups or number != groups[-1].last_row + 1:
            groups.append(RowBlock(number))
        groups[-1].rows.append(row)
        groups[-1].columns.update(place for place, text in enumerate(row) if text)
    merged: list[RowBlock] = []
    for group in groups:
        last = merged[-1] if merged else None
        if last and _continues(last, group):
            # The blank rows stay blank, so that every row stands where its number says; the builder leaves them out.
            last.rows += [[] for _ in range(min(group.first_row - last.last_row - 1, 1000))]
            last.rows += group.rows
        else:
            merged.append(group)
    return merged


def _continues(last: RowBlock, group: RowBlock) -> bool:
    near = group.first_row - last.last_row <= 1000
    fits = len(last.columns) > 1 and len(group.columns) > 1 and group.columns <= last.columns
    return near and fits and not _repeats_names(last, group) and guess_header_rows(_keep_columns(group.rows, sorted(group.columns))) != 1


def _repeats_names(last: RowBlock, group: RowBlock) -> bool:
    """Return whether the columns are named again, as over the same figures of another year."""
    beginning = [_keep_columns([row], sorted(last.columns))[0] for row in last.rows[:_HEAD]]
    return any(are_column_names(row) and row in beginning for row in _keep_columns(group.rows[:_HEAD], sorted(last.columns)))


def place_groups(builder: DocumentBuilder, groups: Sequence[RowBlock], merged: Sequence[Span] = ()) -> None:
    """Place the tables of one sheet. `merged` are its merged cells as (row from 1, column from 0, rows, columns)."""
    left = _MAX_FILLED
    ordered = sorted(merged)
    for group in groups:
        begin, end = bisect_left(ordered, (group.first_row,)), bisect_left(ordered, (group.last_row + 1,))
        inside = [_move_span(span, group) for span in ordered[begin:end]]
        left -= _repeat_down(group, inside, left)
        _place_group(builder, group, inside)


def _move_span(span: Span, group: RowBlock) -> Span:
    row, column, rows, columns = span
    first = row - group.first_row
    return first, column, min(rows, len(group.rows) - first), columns


def _repeat_down(group: RowBlock, spans: Sequence[Span], left: int) -> int:
    """Repeat a cell over several rows in each, so that every row can be read alone; return how many were filled."""
    filled = 0
    for row, column, rows, _ in spans:
        text = group.rows[row][column] if column < len(group.rows[row]) else ""
        if not text:
            continue
        for line in group.rows[row + 1 : row + rows]:
            if filled >= left:
                return filled
            line.extend([""] * (column + 1 - len(line)))
            line[column] = line[column] or text
            filled += 1
    return filled


def _place_group(builder: DocumentBuilder, group: RowBlock, spans: list[Span]) -> None:
    """Place a group of cells. Lines with one cell above a table are its title; a group that is one column wide is a list of lines."""
    rows, title = group.rows, _count_title_rows(group)
    for row in rows[:title]:
        builder.paragraph(" ".join(filter(None, row)))
    caption = " ".join(filter(None, rows[title - 1])) if title else ""
    used = sorted(group.columns)
    table = _keep_columns(rows[title:], used)
    if len(table) == 1 and len(table[0]) == 1:
        builder.paragraph(table[0][0])
        return
    kept = [span for row, *rest in spans if row >= title and (span := _narrow_span((row - title, *rest), used))]
    header = guess_header_rows(table)
    if upper := _count_upper_header_rows(table, kept):
        header = upper
    place = SheetPlace(group.first_row + title, [column + 1 for column in used])
    builder.table(table, header_rows=header, caption=caption, spans=kept, sheet=place)


def _count_title_rows(group: RowBlock) -> int:
    rows, title = group.rows, 0
    while title < len(rows) and sum(1 for text in rows[title] if text) == 1 and len(group.columns) > 1:
        title += 1
    if title == len(rows):
        title = 0
    return title + _is_title_from_edge_to_edge(group, title)


def _is_title_from_edge_to_edge(group: RowBlock, place: int) -> bool:
    """Return whether a row holds only its first and its last cell, above one that names the columns: "In millions of CHF … January–June 2023"."""
    used = sorted(group.columns)
    if len(used) < _WIDE or len(group.rows) <= place + 2:
        return False
    above, names = _keep_columns(group.rows[place : place + 2], used)
    filled = [number for number, text in enumerate(above) if text]
    return filled == [0, len(used) - 1] and are_column_names(names) and not any(is_number(above[number]) for number in filled)


def _narrow_span(span: Sequence[int], used: Sequence[int]) -> Span | None:
    """Return the span in the columns that are kept; None if nothing of it is left."""
    row, column, rows, columns = span
    places = [place for place, origin in enumerate(used) if column <= origin < column + columns]
    return (row, places[0], rows, len(places)) if places and (rows > 1 or len(places) > 1) else None


def _count_upper_header_rows(table: list[list[str]], spans: Sequence[Span]) -> int:
    """Return 2 where names of the first row stand over several names of the second one; they are then repeated over each. 0 otherwise."""
    wide = [span for span in spans if span[0] == 0 and span[3] > 1]
    if not wide or len(table) < 3 or any(map(_is_measured, [*table[0], *table[1]])) or not _are_lower_names(table[1]):
        return 0
    for _, column, _, columns in wide:
        table[0][column : column + columns] = [table[0][column]] * len(table[0][column : column + columns])
    return 2


def _is_measured(text: str) -> bool:
    """Return whether a text is a number other than a year or a count."""
    return bool(text) and is_number(text) and not text.strip().isdecimal()


def _are_lower_names(row: Sequence[str]) -> bool:
    filled = [text for text in row if text]
    years = all(len(text) == 4 for text in filled if text.isdecimal())
    return len(filled) >= 0.6 * len(row) and years and all(len(text) <= 60 for text in filled)


def _keep_columns(rows: list[list[str]], used: Sequence[int]) -> list[list[str]]:
    """Return the rows without the columns that are empty in all of them."""
    return [[row[place] if place < len(row) else "" for place in used] for row in rows]
