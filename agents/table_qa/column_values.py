"""The different texts of a column in words, all of them or those without a row of some kind."""

from __future__ import annotations

from collections.abc import Sequence

from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.operations import Operation
from agents.table_qa.query_plan import TablePlan
from agents.table_qa.result_wording import (
    MOST_CITED_ROWS,
    ResultSentence,
    TableAnswer,
    UsedRows,
    column_of,
    describe_conditions,
    make_answer,
    target_of,
)
from core.table_queries import QueryGroup, QueryResult

MOST_VALUES_NAMED = 12


def tell_values(plan: TablePlan, candidate: CandidateTable, found: QueryResult) -> TableAnswer:
    """Return the different cells of a column, each with the first of its rows; `found` is grouped by it."""
    names = [" ".join(group.key.split()) for group in found.groups]
    value = "; ".join(names)
    sentence = ResultSentence(f"{column_of(candidate, target_of(plan))} over {found.matched_rows:,} rows: {value} ({len(names)} different).", value)
    shown = tuple(row for group in found.groups for row in group.first_rows[:1])
    used = UsedRows(len(shown), tuple(row.ordinal for row in shown), shown)
    return make_answer(plan, candidate, used, sentence)


def tell_without(plan: TablePlan, candidate: CandidateTable, left: Sequence[QueryGroup], every: int) -> TableAnswer:
    """Return what has no row that fulfils `plan.excluded`, of `every` different ones, each with the first of its rows."""
    by = plan.label if plan.operation is Operation.LIST else plan.target
    names = [" ".join(group.key.split()) for group in left]
    denied = plan.excluded.words if plan.excluded is not None else ""
    said = f"{column_of(candidate, by or 0)}{describe_conditions(plan)} without a row where {denied}"
    value = f"{len(names):,}" if plan.operation is Operation.COUNT else "; ".join(names[:MOST_VALUES_NAMED]) or "none"
    rest = f" ({'; '.join(names[:MOST_VALUES_NAMED])})" if plan.operation is Operation.COUNT and names else ""
    shown = tuple(row for group in left for row in group.first_rows[:1])[:MOST_CITED_ROWS]
    sentence = f"{said}: {value}{rest} ({len(names):,} of {every:,})." if not rest else f"{said}: {value} of {every:,}{rest}."
    return make_answer(plan, candidate, UsedRows(len(shown), tuple(row.ordinal for row in shown), shown), ResultSentence(sentence, value))
