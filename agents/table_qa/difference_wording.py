"""How far apart two figures are, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.column_relations import are_of_other_times, meets_relation
from agents.table_qa.query_plan import TablePlan
from agents.table_qa.relation_parser import RelationQuestion
from agents.table_qa.result_wording import (
    ResultSentence,
    TableAnswer,
    column_of,
    decimal_of,
    describe_conditions,
    make_answer,
    shown_figure,
    shown_value,
    target_of,
    used_rows,
)
from agents.table_qa.table_question import NumberComparison, number_in
from core.language.numbers import find_power
from core.table_queries import QueryResult
from core.tables import ColumnType, TableRow


class _NamedFigure(NamedTuple):
    """`name` is what stands in the sentence for a figure, `text` the figure as it is written there."""

    name: str
    value: Decimal
    text: str


def tell_rows_apart(plan: TablePlan, candidate: CandidateTable, found: QueryResult, rows: Sequence[TableRow], by: int) -> TableAnswer | None:
    """Return how far apart the target's figures of two rows are; `rows` in the order of the question, `by` the column that names them."""
    target = target_of(plan)
    figures = [_NamedFigure(row.cells[by], decimal_of(row, target), shown_value(row.values[target], candidate, target)) for row in rows]
    return _describe_difference(plan, candidate, found, column_of(candidate, target), figures)


def tell_columns_apart(plan: TablePlan, candidate: CandidateTable, found: QueryResult, other: int) -> TableAnswer | None:
    """Return how far apart two columns of the only row are."""
    (row,), places = found.rows, (target_of(plan), other)
    if not all(isinstance(row.values[place], float) for place in places):
        return None
    figures = [
        _NamedFigure(column_of(candidate, place), decimal_of(row, place), shown_value(row.values[place], candidate, place)) for place in places
    ]
    if plan.relation is not None and plan.relation.asks_how_far and _belie_question(plan.relation, figures):
        return None
    where = describe_conditions(plan).removeprefix(" ")
    told = _describe_difference(plan, candidate, found, f"{where[:1].upper()}{where[1:]}" if where else column_of(candidate, places[0]), figures)
    if told is None or plan.relation is None or not plan.relation.asks_whether:
        return told
    holds = meets_relation(plan.relation, float(figures[0].value), float(figures[1].value))
    return begin_with_verdict(told, holds=holds)


def _belie_question(relation: RelationQuestion, figures: Sequence[_NamedFigure]) -> bool:
    """Return whether two figures of different times by their names say that it is not so at all: that nine months are below a year's budget tells
    nothing to who asks how far over budget something was."""
    first, other = figures
    return not meets_relation(relation, float(first.value), float(other.value)) and are_of_other_times(first.name, other.name)


def tell_whether(told: TableAnswer, asked: NumberComparison, target: int | None) -> TableAnswer | None:
    """Return the answer with yes or no to whether its figure is so; None where it has no single one, or one in thousands and millions."""
    column = told.candidate.table.columns[target] if target is not None else None
    figure = number_in(re.sub(r"[^\d.,-]", "", told.calculation.value)) if told.calculation.value else None
    if figure is None or (column is not None and (column.type is ColumnType.DATE or any(find_power(word) for word in column.unit.split()))):
        return None
    low = asked.low is None or (figure > asked.low if asked.open_low else figure >= asked.low)
    high = asked.high is None or (figure < asked.high if asked.open_high else figure <= asked.high)
    return begin_with_verdict(told, holds=low and high)


def begin_with_verdict(told: TableAnswer, *, holds: bool) -> TableAnswer:
    """Return the answer with yes or no in front."""
    word = "Yes" if holds else "No"
    sentence = f"{word}: {told.calculation.sentence[:1].lower()}{told.calculation.sentence[1:]}"
    return replace(told, calculation=told.calculation.model_copy(update={"sentence": sentence, "value": word}))


def _describe_difference(
    plan: TablePlan, candidate: CandidateTable, found: QueryResult, head: str, figures: Sequence[_NamedFigure]
) -> TableAnswer | None:
    """None where per cent are asked for and nobody says of which figure, or of one that is not above zero."""
    higher, lower = sorted(figures, key=lambda each: -each.value)
    stated = f"{head}: {higher.name} {higher.text}, {lower.name} {lower.text}"
    if plan.difference is not None and plan.difference.percent:
        base = figures[plan.difference.base] if plan.difference.base is not None else None
        if base is None or lower.value <= 0:
            return None
        value = f"{(higher.value - lower.value) * 100 / base.value:.2f}".rstrip("0").rstrip(".") + "%"
        compared = f"{higher.name} is higher by {value}" if base is lower else f"{lower.name} is lower by {value}"
        return make_answer(plan, candidate, used_rows(found, found.matched_rows), ResultSentence(f"{stated}; {compared} of {base.text}.", value))
    if plan.difference is not None and plan.difference.ratio:
        return _describe_ratio(plan, candidate, found, stated, figures)
    apart, target = higher.value - lower.value, target_of(plan)
    is_share = candidate.table.columns[target].type is ColumnType.PERCENT
    value = shown_figure(apart, candidate, target)
    value = f"{value.rstrip('%')} percentage points" if is_share else value
    compared = f"{higher.name} is higher by {value}" if apart else f"the difference is {value}"
    return make_answer(plan, candidate, used_rows(found, found.matched_rows), ResultSentence(f"{stated}; {compared}.", value))


def _describe_ratio(
    plan: TablePlan, candidate: CandidateTable, found: QueryResult, stated: str, figures: Sequence[_NamedFigure]
) -> TableAnswer | None:
    """None for a ratio to nothing."""
    one, other = figures
    if other.value <= 0:
        return None
    value = f"{one.value / other.value:.2f}".rstrip("0").rstrip(".")
    told = ResultSentence(f"{stated}; {one.name} is {value} times {other.name}.", value)
    return make_answer(plan, candidate, used_rows(found, found.matched_rows), told)
