"""Conditions on times: the days of the rows, their years, and the months that they are called by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.time_parser import NamedTime, find_times
from core.table_queries import CellIs, DayWithin, ValueWithin
from core.tables import ColumnType

_DUE = frozenset({"due", "fällig"})
SAID_AROUND_DOUBT = 0.04  # and where only the text around the table says the time
FIRST_DAY_DOUBT = 0.08  # what is taken from the confidence where one of several days is meant
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_RANGE = re.compile(r"\b([^\W\d_]{3,})\.?\s*[-–—]\s*([^\W\d_]{3,}\.?\s+(?:19|20)\d\d)\b")  # "January–June 2023"


def time_conditions(matching: TableMatch, conditions: Sequence[RowCondition] = ()) -> list[RowCondition]:
    """Restrict rows by the times that neither a cell nor a column's name explains; where `conditions` name rows, the text around a table without
    days may say the time of all of it. Raises AmbiguousQuestion for several columns of dates, UnfitTable for none."""
    names_rows = any(each.exact and isinstance(each.where, CellIs) for each in conditions)
    found = []
    for time in matching.question.times:
        places = [at for at in matching.places_in(time.span) if not matching.words[at].is_plain and not _is_lead(matching.words[at].text)]
        if not any(at in matching.free_places for at in places):
            continue
        if names_rows and _is_said_around(matching, time, places):
            matching.doubt += SAID_AROUND_DOUBT
            matching.mark_explained(places)
            continue
        condition = _time_condition(matching, time, places)
        matching.mark_explained(places)
        found += [condition] if condition is not None else []
    return found


def _is_lead(word: str) -> bool:
    return word.casefold() in {"before", "until", "till", "since", "after", "between", "during", "through", "quarter", "half", "end"}


def _time_condition(matching: TableMatch, time: NamedTime, places: Sequence[int]) -> RowCondition | None:
    """None where the table's own name says the time."""
    dated = _find_dated_columns(matching, places)
    if len(dated) > 1:  # the first one is the day of the thing itself, others are promised, due, delivered or paid
        others = ", ".join(f"“{matching.candidate.column_name(place)}”" for place in dated[1:])
        matching.notes.append(f"The time is taken by “{matching.candidate.column_name(dated[0])}”; other days of the table are {others}.")
        matching.doubt += FIRST_DAY_DOUBT
    if len(dated) == 1:  # the only day of the rows is the one on which they are due
        matching.mark_explained(at for at, word in enumerate(matching.words) if word.text.casefold() in _DUE)
    if dated:
        within = DayWithin(dated[0], time.first_day, time.last_day, time.months)
        return RowCondition(dated[0], f"“{matching.candidate.column_name(dated[0])}” is {time.words}", within, span=time.span)
    years = [place for place in range(len(matching.columns)) if matching.holds_years(place)]
    time = _year_of(matching, time, places)
    if len(years) == 1 and _is_of_whole_years(time):
        return RowCondition(years[0], f"“{matching.candidate.column_name(years[0])}” is {time.words}", _years(years[0], time), span=time.span)
    if not _is_said_by_names(matching, time, places):
        raise UnfitTable
    return None


def _is_said_by_names(matching: TableMatch, time: NamedTime, places: Sequence[int]) -> bool:
    """Return whether the names of the table and its document say the time."""
    said = ({matching.words[at].stem, matching.words[at].text.casefold()} for at in places)
    has_words = all(words & matching.context_stems for words in said) and not _is_of_another_year(matching, time)
    return has_words or _is_period_of_caption(matching, time)


def _is_said_around(matching: TableMatch, time: NamedTime, places: Sequence[int]) -> bool:
    """Return whether a table without days or years stands under a heading, or in a document, that says the very words of the time."""
    timed = matching.columns_of_type(ColumnType.DATE) or [place for place in range(len(matching.columns)) if matching.holds_years(place)]
    if timed or _is_said_by_names(matching, time, places) or _YEAR.search(" ".join([matching.candidate.table.caption, *_names(matching)])):
        return False
    said = ({matching.words[at].stem, matching.words[at].text.casefold()} for at in places)
    return all(words & matching.candidate.surrounding_stems for words in said)


def _names(matching: TableMatch) -> list[str]:
    return [column.name for column in matching.columns]


def _find_dated_columns(matching: TableMatch, places: Sequence[int]) -> list[int]:
    """The columns of days; of several those that are named."""
    dated = matching.columns_of_type(ColumnType.DATE)
    if len(dated) < 2:
        return dated
    named = matching.find_named(dated, within=sorted(matching.free_places | set(places)))
    matching.mark_explained(at for each in named for at in each.places)
    return [each.place for each in named] or dated


def _is_of_whole_years(time: NamedTime) -> bool:
    begins, ends = not time.first_day or time.first_day.endswith("01-01"), not time.last_day or time.last_day.endswith("12-31")
    return not time.months and begins and ends


def _is_of_another_year(matching: TableMatch, time: NamedTime) -> bool:
    """Return whether the caption names other years than are asked for, though the document is called after these."""
    years = set(_YEAR.findall(matching.candidate.table.caption))
    return bool(years) and years.isdisjoint({time.first_day[:4], time.last_day[:4]})


def _is_period_of_caption(matching: TableMatch, time: NamedTime) -> bool:
    """Return whether the caption names the very days: "January–June 2023" over "in the first half of 2023"."""
    caption = _RANGE.sub(r"from \1 to \2", matching.candidate.table.caption)
    named = {(each.first_day, each.last_day) for each in find_times(caption, [])}
    return bool(time.first_day and time.last_day) and named == {(time.first_day, time.last_day)}


def _year_of(matching: TableMatch, time: NamedTime, places: Sequence[int]) -> NamedTime:
    """The year alone, where a column is the quarter or month that stands before it ("the third quarter of 2006" over "Q3")."""
    year = time.first_day[:4]
    if not year or year != time.last_day[:4] or all(at in matching.free_places for at in places):
        return time
    return replace(time, words=f"in {year}", first_day=f"{year}-01-01", last_day=f"{year}-12-31")


def _years(place: int, time: NamedTime) -> ValueWithin:
    first, last = (float(day[:4]) if day else None for day in (time.first_day, time.last_day))
    return ValueWithin(place, first, last)
