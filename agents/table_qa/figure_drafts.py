"""Drafts of a figure over rows (a sum, an average, a median) and of a single cell: the column that is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from agents.table_qa.figure_conditions import columns_of_currency
from agents.table_qa.measure_rows import find_measure_column
from agents.table_qa.named_parts import NamedColumn
from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import (
    INFERRED_COLUMN_DOUBT,
    PlanDraft,
    basic_columns,
    doubt_of,
    is_about,
    names_rows,
    naming_words,
    only_column,
    total_columns,
)
from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_vocabulary import ACTUAL, PEOPLE, PLACES, PLANNED, RATES
from core.language.stems import stem
from core.table_queries import CellIs
from core.tables import ColumnType

_MUCH_OF_THING = re.compile(
    r"^\W*how\s+(?:much|high|large)\s+(?:is|was|are|were)\s+(?:the|our|their)\s+(?:[\w-]+\s+){0,3}?(?P<head>[\w-]+)\W*$", re.IGNORECASE
)
_FIGURE_WORDS = frozenset(stem(word) for word in "total sum amount cost spending expense price value figure number revenue turnover".split())

_WHERE_OR_WHEN = re.compile(r"^\W*(?:(?P<where>where|wo)|(?P<when>when|wann))\s+(?:is|are|was|were|do|does|did|can|will|ist|sind|war|waren)\b", re.I)
_WORTH = frozenset(stem(word) for word in "value amount spending expense turnover worth".split())


def draft_figure(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    """A sum, an average or a median: over the column that is named, else over the only one that it can be."""
    asked = matching.question
    measures = matching.measures()
    if asked.operation is Operation.SUM:
        measures = [place for place in measures if matching.columns[place].type is not ColumnType.PERCENT]
    found = basic_columns(matching, matching.find_named(measures)) or total_columns(matching, measures)
    named = only_column(matching, found, naming_words(matching, found))
    if asked.request.is_per_group and (named is None or matching.name_stems[named.place] & RATES):
        raise UnfitTable  # prices and shares are not added up where nobody says so
    if named is not None:
        return PlanDraft(asked.operation, named.place, doubt=doubt_of(named), named=len(named.places))
    possible = matching.find_basic(_likely_measures(matching, measures))
    if len(possible) != 1 or not (conditions or is_about(matching)) or _asks_for_other_thing(matching):
        raise UnfitTable
    return PlanDraft(asked.operation, possible[0], doubt=INFERRED_COLUMN_DOUBT)


def draft_share(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    """A share of a column that adds up, where the words for the whole name one, else of the rows that they name."""
    if find_measure_column(matching) is not None:
        raise UnfitTable  # its rows are a number and a share of each thing
    asked = matching.question.request.share
    within = [at for at in matching.places_in(asked.whole if asked is not None else None) if at in matching.free_places]
    found = basic_columns(matching, matching.find_named(_adding_columns(matching), within=within)) if within else []
    named = only_column(matching, found, naming_words(matching, found))
    if named is not None:
        return PlanDraft(Operation.SHARE, named.place, doubt=doubt_of(named), named=len(named.places))
    if any(matching.words[at].stem in _FIGURE_WORDS | PLANNED | ACTUAL for at in within):
        worth = matching.money_columns()
        if not worth:
            raise UnfitTable
        return PlanDraft(Operation.SHARE, worth[0], doubt=INFERRED_COLUMN_DOUBT)
    if not _are_of_rows(matching, within, conditions):
        raise UnfitTable
    return PlanDraft(Operation.SHARE)


def _are_of_rows(matching: TableMatch, within: Sequence[int], conditions: Sequence[RowCondition]) -> bool:
    """Return whether the words name what the rows are; of one row alone nobody asks what share of them it is."""
    people = [at for at in within if matching.words[at].stem in PEOPLE and matching.names_people]
    matching.mark_explained(people)
    single = any(matching.tells_rows_apart(each.place) and isinstance(each.where, CellIs) for each in conditions)
    return not single and (names_rows(matching, within) or bool(people))


def _adding_columns(matching: TableMatch) -> list[int]:
    figures = [place for place in matching.measures() if matching.columns[place].type is not ColumnType.PERCENT]
    return [place for place in figures if not matching.name_stems[place] & RATES]


def _asks_for_other_thing(matching: TableMatch) -> bool:
    """Return whether "how much is the service charge" names by its last word a thing that neither the table nor a column is called."""
    asked = _MUCH_OF_THING.match(matching.question.text)
    known = matching.context_stems.union(*matching.name_stems) | matching.computing_stems | _FIGURE_WORDS
    return asked is not None and stem(asked["head"].lower()) not in known


def _likely_measures(matching: TableMatch, measures: Sequence[int]) -> Sequence[int]:
    """Of columns of which none is named those of money where money is asked for, those in a unit that is said, the one of money for a sum, or all."""
    asked = matching.question
    suited = [place for place in matching.columns_suited_to("much") if place in measures] if asked.request.asks_for_money else []
    is_worth = asked.operation is Operation.SUM or any(word.stem in _WORTH for word in matching.words)
    money = [place for place in matching.money_columns() if place in measures] if is_worth else []
    return suited or matching.columns_in_unit(measures) or money or measures


def draft_lookup(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft:
    """The cell of a row that the question names."""
    if not conditions and not matching.question.times:
        raise UnfitTable
    places = {condition.place for condition in conditions}
    among = [place for place in _columns_of_answers(matching) if place not in places]
    found = _find_asked_names(matching, places) or matching.find_named(among)
    found = found or _figures_that_are_checked(matching) or _where_or_when(matching, conditions)
    named = only_column(matching, found, naming_words(matching, found))
    if named is None or (matching.question.asks_who and named.column.type is not ColumnType.TEXT):
        raise UnfitTable  # "who owns the energy budget" asks for no figure
    if matching.question.asks_day and among == [named.place]:
        named = replace(named, implied=True)  # the only day of the row
    operation = Operation.SUM if _is_of_several_months(matching, conditions, named.place) else Operation.LOOKUP
    return PlanDraft(operation, named.place, doubt=doubt_of(named), named=len(named.places))


def _columns_of_answers(matching: TableMatch) -> Sequence[int]:
    """Figures where one is held against a number, days where a day is asked for, else all columns."""
    if matching.question.checked is not None:
        return matching.measures()
    days = matching.columns_of_type(ColumnType.DATE) if matching.question.asks_day else []
    return days or range(len(matching.columns))


def _find_asked_names(matching: TableMatch, restricted: Set[int]) -> list[NamedColumn]:
    """The column of texts whose whole name stands behind "which": "which countries had …" asks for no figure "per country"."""
    within = [at for at in matching.places_in(matching.question.entity) if at in matching.free_places]
    measures = set(matching.measures())
    texts = [place for place in matching.columns_of_type(ColumnType.TEXT) if place not in restricted | measures]
    found = [each for each in matching.find_named(texts, within=within) if each.share == 1] if within else []
    return found if len(found) == 1 else []


def _figures_that_are_checked(matching: TableMatch) -> list[NamedColumn]:
    """The money of the row where "is it more than 5,000 dollars" names no column."""
    checked = matching.question.checked
    worth = columns_of_currency(matching, checked.currency) if checked is not None and checked.currency else []
    return [NamedColumn(place, matching.columns[place], 1.0, ()) for place in worth]


def _where_or_when(matching: TableMatch, conditions: Sequence[RowCondition]) -> list[NamedColumn]:
    """The only column of places, or of days, where the row is named and "where" or "when" asks for nothing else of it."""
    asked = _WHERE_OR_WHEN.match(matching.question.text)
    if asked is None or not any(matching.tells_rows_apart(each.place) for each in conditions):
        return []
    places = [place for place, names in enumerate(matching.name_stems) if names & PLACES]
    found = matching.columns_of_type(ColumnType.DATE) if asked["when"] else [place for place in places if place not in matching.measures()]
    return [NamedColumn(place, matching.columns[place], 1.0, ()) for place in found] if len(found) == 1 else []


def _is_of_several_months(matching: TableMatch, conditions: Sequence[RowCondition], place: int) -> bool:
    """Return whether a figure that adds up is asked for over several months: it is their sum."""
    times = {each.span for each in matching.question.times}
    several = any(isinstance(each.where, CellIs) and len(each.where.texts) > 1 and each.span in times for each in conditions)
    adds_up = place in matching.measures() and matching.columns[place].type is not ColumnType.PERCENT and not matching.name_stems[place] & RATES
    return several and adds_up
