"""The share of some rows in others, by their number or by a column that adds up, in words."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.query_plan import TablePlan
from agents.table_qa.result_wording import ResultSentence, TableAnswer, column_of, make_answer, shown_figure, used_rows
from core.table_queries import QueryResult


def tell_share(plan: TablePlan, candidate: CandidateTable, part: QueryResult, whole: QueryResult, own: tuple[str, ...]) -> TableAnswer | None:
    """Return what share the one result is of the other; `own` are the conditions of the part alone, in words. None for a share of nothing."""
    of, some = (Decimal(each.matched_rows) if plan.target is None else each.value or Decimal(0) for each in (whole, part))
    if of <= 0 or some < 0:
        return None
    value = f"{(some * 100 / of).quantize(Decimal('0.01'), ROUND_HALF_UP).normalize():f}%"
    figures = (f"{some:,} of {of:,} rows",) if plan.target is None else tuple(shown_figure(each, candidate, plan.target) for each in (some, of))
    what = "rows" if plan.target is None else column_of(candidate, plan.target)
    among = [each.words for each in plan.conditions if each.words not in own]
    rest = f", of those where {' and '.join(among)}" if among else ""
    sentence = f"Share of {what} where {' and '.join(own)}{rest}: {value} ({' of '.join(figures)})."
    return make_answer(plan, candidate, used_rows(part, part.matched_rows), ResultSentence(sentence, value))
