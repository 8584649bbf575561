"""The different texts of a column in words."""

from __future__ import annotations

from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.query_plan import TablePlan
from agents.table_qa.result_wording import ResultSentence, TableAnswer, UsedRows, column_of, make_answer, target_of
from core.table_queries import QueryResult


def tell_values(plan: TablePlan, candidate: CandidateTable, found: QueryResult) -> TableAnswer:
    """Return the different cells of a column, each with the first of its rows; `found` is grouped by it."""
    names = [" ".join(group.key.split()) for group in found.groups]
    value = "; ".join(names)
    sentence = ResultSentence(f"{column_of(candidate, target_of(plan))} over {found.matched_rows:,} rows: {value} ({len(names)} different).", value)
    shown = tuple(row for group in found.groups for row in group.first_rows[:1])
    used = UsedRows(len(shown), tuple(row.ordinal for row in shown), shown)
    return make_answer(plan, candidate, used, sentence)
