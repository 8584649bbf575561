"""Conditions on figures: comparisons with numbers, and numbers beside what a column is called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.table_qa.column_choice import prefer_actual
from agents.table_qa.named_parts import NamedCells
from agents.table_qa.operations import is_spending
from agents.table_qa.row_conditions import AmbiguousQuestion, RowCondition, UnfitTable
from agents.table_qa.schema_linking import NUMERIC, TableMatch
from agents.table_qa.table_question import NumberComparison, number_in
from agents.table_qa.table_vocabulary import COUNTING, CURRENCIES, PIECES
from agents.table_qa.time_parser import Span
from core.language.numbers import find_power
from core.table_queries import ValueWithin

_EXCEEDS = re.compile(r"^exceed(?:s|ed|ing)?\b", re.I)
_EQUALS = re.compile(r"\s*(?:(?:of|is|was|at|von|ist|=|:)\s*)?", re.I)  # between a column's name and the figure that its cell is
_NEAR_BEFORE, _NEAR_BEHIND = 40, 30  # characters around a comparison in which its column is named


def comparison_conditions(matching: TableMatch, target: int | None) -> list[RowCondition]:
    """Restrict rows by comparisons with numbers. Raises AmbiguousQuestion where several columns could be compared with the number, UnfitTable where
    none can."""
    return [_comparison_condition(matching, each, target) for each in matching.question.comparisons]


def _comparison_condition(matching: TableMatch, comparison: NumberComparison, target: int | None) -> RowCondition:
    place = _column_of(matching, comparison, target)
    column = matching.columns[place]
    factor = 10.0 ** next((power for word in column.unit.split() if (power := find_power(word))), 0)
    factor = factor if comparison.currency or _largest(comparison) >= factor else 1.0
    low, high = (bound / factor if bound is not None else None for bound in (comparison.low, comparison.high))
    said = _EXCEEDS.sub("above", matching.question.text[comparison.span.start : comparison.span.end].strip())
    unit = f" {comparison.currency}" if comparison.currency and comparison.currency not in said else ""
    words = f"“{matching.candidate.column_name(place)}” is {said}{unit}"
    return RowCondition(place, words, ValueWithin(place, low, high, comparison.open_low, comparison.open_high), span=comparison.span)


def _largest(comparison: NumberComparison) -> float:
    return max(abs(each) for each in (comparison.low, comparison.high) if each is not None)


def _column_of(matching: TableMatch, comparison: NumberComparison, target: int | None) -> int:
    """Return the column whose figures are compared: the named one, else that of the unit, else the only one that it can be."""
    measures, start, end = matching.measures(), comparison.span.start, comparison.span.end
    near = matching.places_in(Span(start - _NEAR_BEFORE, start)) + matching.places_in(Span(end, end + _NEAR_BEHIND))
    named = matching.find_named(measures, within=[at for at in near if at in matching.free_places])
    meant = prefer_actual(matching, named)
    word_behind = matching.places_in(Span(end, end + 12))[:1]
    if len(meant) == 1:
        matching.mark_explained([*meant[0].places, *(at for at in word_behind if matching.words[at].stem in COUNTING)])
        return meant[0].place
    fitting = _columns_of_unit(matching, comparison, word_behind) or _likely_columns(matching, target)
    if len(fitting) == 1:
        matching.mark_explained(word_behind)
        return fitting[0]
    if target is not None and target in fitting:
        return target
    if not fitting:
        raise UnfitTable
    names = ", ".join(f"“{matching.candidate.column_name(place)}”" for place in fitting[:4])
    raise AmbiguousQuestion(f"Several columns hold figures that could be meant ({names}): say which.")


def _columns_of_unit(matching: TableMatch, comparison: NumberComparison, word_behind: Sequence[int]) -> list[int]:
    """Return the columns in the currency of the comparison, or in the unit behind it. Raises UnfitTable where none is of the currency."""
    measures = matching.measures()
    if comparison.currency:
        money = columns_of_currency(matching, comparison.currency)
        money = money or [place for place in matching.columns_suited_to("much") if not matching.columns[place].unit]
        if not money:
            raise UnfitTable
        return money
    if any(matching.words[at].stem in PIECES for at in word_behind):
        return matching.counting_columns()
    behind = {matching.words[at].text.casefold().rstrip("s") for at in word_behind}
    return [place for place in measures if behind & {word.rstrip("s") for word in matching.columns[place].unit.casefold().split()}]


def _likely_columns(matching: TableMatch, target: int | None) -> list[int]:
    measures = matching.measures()
    if target is not None and target in measures:
        return [target]
    return (matching.money_columns() if is_spending(matching.question.text) else []) or measures


def columns_of_currency(matching: TableMatch, currency: str) -> list[int]:
    """Return the columns in a currency, the one that says what a row is worth where it is among them."""
    money = [place for place in matching.measures() if _is_money(matching, place, currency)]
    return [place for place in money if place in matching.money_columns()] or money


def _is_money(matching: TableMatch, place: int, currency: str) -> bool:
    unit = matching.columns[place].unit.split()
    return bool(unit) and (unit[0] == currency or {unit[0], currency} <= {"$", "USD", "CAD", "AUD"})


def number_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by numbers in front of what a column of figures is called: "12 pallets", "a 10,000 dollar fine"."""
    found = []
    for at in sorted(matching.free_places):
        word = matching.words[at]
        number = number_in(word.text) if word.text[0].isdigit() else None
        is_time = any(time.span.meets((word.start, word.end)) for time in matching.question.times)
        behind = at + 2 if at + 1 in matching.free_places and matching.words[at + 1].text.casefold() in CURRENCIES else at + 1
        if number is None or is_time or behind not in matching.free_places:
            continue
        noun = matching.words[behind].stem
        places = [place for place in matching.measures() if noun in matching.name_stems[place] - COUNTING]
        if len(places) == 1:
            name = matching.candidate.column_name(places[0])
            found.append(RowCondition(places[0], f"“{name}” is {word.text}", ValueWithin(places[0], number, number), span=Span(word.start, word.end)))
            matching.mark_explained(range(at, behind + 1))
    return found


def value_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by numbers behind what a column of figures is called: "at a dose of 10 g" over "Dose (g)"."""
    found = []
    for at in sorted(matching.free_places):
        word = matching.words[at]
        number = number_in(word.text) if word.text[0].isdigit() else None
        if number is None or any(time.span.meets((word.start, word.end)) for time in matching.question.times):
            continue
        run = _run_before(matching, at)
        named = matching.find_named(matching.columns_of_type(*NUMERIC), within=run) if run else []
        if len(named) == 1 and run[-1] in named[0].places:
            column = named[0].place
            name = matching.candidate.column_name(column)
            found.append(RowCondition(column, f"“{name}” is {word.text}", ValueWithin(column, number, number), span=Span(word.start, word.end)))
            matching.mark_explained([at, *named[0].places, *_unit_behind(matching, at, named[0].place)])
    return found


def explain_units(matching: TableMatch, cells: Sequence[NamedCells]) -> None:
    """Mark as explained the units behind the cells that the question names."""
    for each in cells:
        matching.mark_explained(_unit_behind(matching, each.places[-1], each.place))


def explain_checked_unit(matching: TableMatch, target: int | None) -> None:
    """Mark as explained the unit behind the number that a figure is held against: "60 minutes" over "Crossing (min)"."""
    checked = matching.question.checked
    unit = matching.columns[target].unit.casefold() if checked is not None and target is not None else ""
    behind = matching.places_in(Span(checked.span.end, checked.span.end + 3))[:1] if checked is not None and unit else []
    matching.mark_explained(at for at in behind if matching.words[at].text.casefold().startswith(unit))


def _unit_behind(matching: TableMatch, at: int, place: int) -> list[int]:
    """The word behind a figure where it is the unit of its column: "10 g"."""
    if at + 1 not in matching.free_places:
        return []
    said, column = matching.words[at + 1].text.casefold(), matching.columns[place]
    return [at + 1] if said == column.unit.casefold() or re.search(rf"[(\[]{re.escape(said)}[)\]]", column.name.casefold()) else []


def _run_before(matching: TableMatch, at: int) -> list[int]:
    """The free words that stand together in front of a number, with "of", "is" or "=" between it and them."""
    run: list[int] = []
    start = matching.words[at].start
    for place in range(at - 1, -1, -1):
        word = matching.words[place]
        if run and (matching.question.text[word.end : start].strip() or place not in matching.free_places):
            break
        if place in matching.free_places:
            if not _EQUALS.fullmatch(matching.question.text[word.end : start]):
                break
            run.insert(0, place)
            start = word.start
        elif not word.is_plain:
            break
    return run
