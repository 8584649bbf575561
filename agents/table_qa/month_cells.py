"""Rows that are called by months ("July 2026", "Juli"), and times of several of them: "from June to August", "in the second quarter", "since May"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.time_parser import NamedTime
from core.language.months import months_in_cells
from core.language.word_files import join_alternatives
from core.table_queries import CellIs
from core.tables import ColumnType

_MONTH_CELL = re.compile(rf"(?P<month>{join_alternatives(months_in_cells())})\.?(?:\W+(?P<year>(?:19|20)\d\d))?", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH_OF_DAY = 7  # characters of an ISO day


@dataclass(frozen=True, slots=True)
class _Month:
    number: int
    year: str  # "" where the cell has none


def month_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict the rows by times of several months, where a column of texts holds months alone. A single month is named by its cell. Raises
    UnfitTable where the table has none of the months."""
    if matching.question.request.difference is not None:
        return []  # "from May to June" names two rows
    place = next((place for place, column in enumerate(matching.columns) if column.type is ColumnType.TEXT and _months_of(matching, place)), None)
    found: list[RowCondition] = []
    for time in matching.question.times if place is not None else ():
        condition = _month_condition(matching, time, place or 0)
        found += [condition] if condition is not None else []
    return found


def _months_of(matching: TableMatch, place: int) -> dict[str, _Month]:
    """Return the cells of a column with their months; {} where one of them is none, or there are not several."""
    found = {}
    for cell in matching.candidate.facts.columns[place].texts:
        match = _MONTH_CELL.fullmatch(" ".join(cell.split()))
        if match is None and cell.strip():
            return {}
        if match is not None:
            found[cell] = _Month(months_in_cells()[match["month"].casefold()], match["year"] or "")
    return found if len(found) > 1 else {}


def _month_condition(matching: TableMatch, time: NamedTime, place: int) -> RowCondition | None:
    places = [at for at in matching.places_in(time.span) if at in matching.free_places]
    named = [at for at in places if _YEAR.fullmatch(matching.words[at].text) is None]
    months = _months_of(matching, place)
    has_years = all(each.year for each in months.values())
    if not named or _is_single(time) or matching.find_named(matching.measures(), within=named) or not (has_years or _is_within_a_year(time)):
        return None
    matching.mark_explained(places if has_years else [at for at in places if at in named or matching.words[at].text in matching.context_stems])
    return _cells_within(matching, time, place, months)


def _cells_within(matching: TableMatch, time: NamedTime, place: int, months: Mapping[str, _Month]) -> RowCondition | None:
    """The months of the time; None where these are all, UnfitTable where there are none."""
    cells = frozenset(cell for cell, month in months.items() if _is_within(time, month))
    if not cells:
        raise UnfitTable
    if len(cells) == len(months):
        return None
    return RowCondition(place, f"“{matching.candidate.column_name(place)}” is {time.words}", CellIs(place, cells), span=time.span)


def _is_single(time: NamedTime) -> bool:
    """Return whether one month is meant, or a day of it."""
    if time.months:
        return len(time.months) == 1
    return time.first_day[:_MONTH_OF_DAY] == time.last_day[:_MONTH_OF_DAY]


def _is_within_a_year(time: NamedTime) -> bool:
    """Return whether the months are those of one year, whichever it is."""
    return len({time.first_day[:4], time.last_day[:4]} - {""}) <= 1


def _is_within(time: NamedTime, month: _Month) -> bool:
    if time.months:
        return month.number in time.months
    first, last = time.first_day[:_MONTH_OF_DAY], time.last_day[:_MONTH_OF_DAY]
    said = f"{month.year or (first or last)[:4]}-{month.number:02}"
    return (not first or first <= said) and (not last or said <= last)
