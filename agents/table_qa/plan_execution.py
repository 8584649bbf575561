"""A plan carried out: its TableQuery, what comes back, and the words for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.column_values import tell_values, tell_without
from agents.table_qa.difference_columns import pair_of
from agents.table_qa.difference_wording import tell_columns_apart, tell_rows_apart
from agents.table_qa.lists import MOST_VALUES
from agents.table_qa.operations import Operation
from agents.table_qa.query_plan import TablePlan
from agents.table_qa.result_wording import (
    MOST_CITED_ROWS,
    MOST_GROUPS,
    MOST_LISTED_ROWS,
    TableAnswer,
    tell_best,
    tell_best_group,
    tell_cell,
    tell_count,
    tell_figure,
    tell_groups,
    tell_list,
    tell_top,
    unnamed_rest,
    unnamed_totals,
)
from agents.table_qa.row_conditions import RowCondition
from agents.table_qa.share_wording import tell_share
from core.table_queries import Aggregate, CellIs, FigureExceeds, GroupPart, HasNoValue, Order, QueryGroup, QueryResult, TableQuery, ValueWithin

RunQuery = Callable[[TableQuery], Awaitable[QueryResult]]
_MOST_EQUAL_ROWS = 3  # rows of one cell that all say the same
_MOST_EXCLUDED = 200  # groups of which some are left out
_SURE_OF_NONE = 0.9  # confidence from which "0 rows" is an answer: a word that is not explained may be why
_AGGREGATES = {
    Operation.COUNT: Aggregate.COUNT,
    Operation.SUM: Aggregate.SUM,
    Operation.AVERAGE: Aggregate.AVERAGE,
    Operation.MEDIAN: Aggregate.MEDIAN,
}
_SHARED_PLACE = "Several share a place: no row alone has the one that is asked for."
_RANK_ORDERS = {Operation.HIGHEST: Order.HIGHEST, Operation.LOWEST: Order.LOWEST}


async def execute_plan(plan: TablePlan, candidate: CandidateTable, run: RunQuery) -> TableAnswer | None:
    """Run a plan's query and put the result into words; None where the table turns out not to hold it: no such row, no figure, several cells that say
    different things."""
    query = TableQuery(tuple(each.where for each in plan.conditions), plan.target, limit=MOST_CITED_ROWS, decimals=_decimals(plan, candidate))
    if plan.group is not None:
        return await _execute_groups(plan, candidate, query, run)
    if plan.excluded is not None:
        return await _execute_without(plan, plan.excluded, candidate, run)
    return await _EXECUTORS.get(plan.operation, _execute_figure)(plan, candidate, query, run)


async def _execute_figure(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    plan, query = await _exclude_totals(plan, candidate, query, run)
    found = await run(replace(query, aggregate=_AGGREGATES[plan.operation]))
    if plan.said_rows is not None and not plan.said_rows.are(found):
        return None  # "the two stays" are not the three rows that were found
    return tell_figure(plan, candidate, found) if found.value is not None else None


async def _execute_list(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    if plan.distinct:
        found = await run(replace(query, aggregate=Aggregate.COUNT, target=None, group=plan.target, limit=MOST_VALUES))
        return tell_values(plan, candidate, found) if found.groups else None
    found = await run(replace(query, target=None, limit=MOST_LISTED_ROWS))
    none_compares = any(isinstance(each.where, ValueWithin | HasNoValue | FigureExceeds) for each in plan.conditions)
    return tell_list(plan, candidate, found) if found.matched_rows or none_compares else None


async def _exclude_totals(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> tuple[TablePlan, TableQuery]:
    """Rows that are only called a total are not added to the others, and the answer says so."""
    rest = unnamed_totals(plan, candidate)
    left = await run(replace(query, where=(*query.where, replace(rest, negated=False)))) if rest is not None else None
    if rest is None or left is None or not left.matched_rows or any(each.place == rest.column for each in plan.conditions):
        return plan, query
    names = ", ".join(f"“{name}”" for name in dict.fromkeys(row.cells[rest.column] for row in left.rows))
    notes = (f"Left out is what is called a total: {names}.",)
    return replace(plan, notes=(*plan.notes, *notes)), replace(query, where=(*query.where, rest))


def _decimals(plan: TablePlan, candidate: CandidateTable) -> int:
    return candidate.facts.columns[plan.target].decimals if plan.target is not None else 0


async def _execute_count(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    if plan.target is not None:
        found = await run(replace(query, aggregate=Aggregate.DIFFERENT))
        if found.value != found.matched_rows:
            return tell_count(plan, candidate, found)
    plan, query = await _exclude_totals(replace(plan, target=None), candidate, query, run)
    found = await run(replace(query, target=None, aggregate=Aggregate.COUNT))
    if not found.matched_rows and plan.confidence < _SURE_OF_NONE:
        return None
    return tell_count(plan, candidate, found)


async def _execute_without(plan: TablePlan, excluded: RowCondition, candidate: CandidateTable, run: RunQuery) -> TableAnswer | None:
    """What has no row that fulfils the condition: all groups but those that have one."""
    by = plan.label if plan.operation is Operation.LIST else plan.target
    where = tuple(each.where for each in plan.conditions)
    query = TableQuery(where, None, Aggregate.COUNT, group=by, limit=_MOST_EXCLUDED)
    every, those = await run(query), await run(replace(query, where=(*where, excluded.where)))
    if every.group_count > len(every.groups) or not those.groups:
        return None  # the same as all: that a word was misread is likelier
    left = {group.key for group in those.groups}
    return tell_without(plan, candidate, [group for group in every.groups if group.key not in left], every.group_count)


async def _execute_lookup(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    found = await run(replace(query, target=None))
    if not found.rows or plan.target is None:
        return None
    texts = {row.cells[plan.target].strip() for row in found.rows}
    if len(texts) != 1 or found.matched_rows > _MOST_EQUAL_ROWS or not next(iter(texts)):
        return None
    return tell_cell(plan, candidate, found)


async def _execute_difference(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    """Two cells of the only row, or one of each of the two rows that two cells name."""
    found = await run(query)
    if plan.other is not None:
        return tell_columns_apart(plan, candidate, found, plan.other) if found.matched_rows == 1 else None
    pair = pair_of(plan.conditions)
    if pair is None or found.matched_rows != 2 or found.filled_rows != 2:
        return None
    rows = sorted(found.rows, key=lambda row: pair.order.index(row.cells[pair.place]) if row.cells[pair.place] in pair.order else 2)
    return tell_rows_apart(plan, candidate, found, rows, pair.place) if {row.cells[pair.place] for row in rows} == set(pair.order) else None


async def _execute_share(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    """The rows of the part, which what stands behind the verb restricts, in all; None where nothing restricts them."""
    own = [each for each in plan.conditions if plan.share is not None and each.span is not None and plan.share.part.meets(each.span)]
    if not own or any(plan.share is not None and each.span is not None and plan.share.whole.meets(each.span) for each in own):
        return None
    plan, query = await _exclude_totals(plan, candidate, query, run)
    query = replace(query, aggregate=Aggregate.COUNT if plan.target is None else Aggregate.SUM)
    shared = [each.where for each in own]
    whole = await run(replace(query, where=tuple(where for where in query.where if where not in shared)))
    return tell_share(plan, candidate, await run(query), whole, tuple(each.words for each in own))


async def _execute_ranking(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    """Rank rows. What a table puts together at its end ("Others") is left out where anything else is there."""
    ranked = replace(query, order=_RANK_ORDERS[plan.operation], limit=max(plan.limit, plan.rank))
    rest, notes = unnamed_rest(plan, candidate), tuple[str, ...]()
    found = await run(replace(ranked, where=(*ranked.where, rest))) if rest is not None else await run(ranked)
    if rest is not None:
        left = await run(replace(query, where=(*query.where, replace(rest, negated=False))))
        if left.filled_rows and found.filled_rows:
            notes = _describe_excluded([row.cells[rest.column] for row in left.rows])
            found = replace(found, matched_rows=found.matched_rows + left.matched_rows, filled_rows=found.filled_rows + left.filled_rows)
        elif not found.filled_rows:
            found = await run(ranked)
    if len(found.rows) < plan.rank:
        return None
    if plan.rank > 1 and len({row.values[plan.target or 0] for row in found.rows[: plan.rank]}) < plan.rank:
        return tell_top(replace(plan, limit=plan.rank), candidate, found, (*notes, _SHARED_PLACE))
    return tell_top(plan, candidate, found, notes) if plan.limit > 1 else tell_best(plan, candidate, found, notes)


def _describe_excluded(labels: Sequence[str]) -> tuple[str, ...]:
    names = list(dict.fromkeys(labels))
    return (
        f"{', '.join(f'“{name}”' for name in names)} {'is' if len(names) == 1 else 'are'} no single one{'s' * (len(names) > 1)} and not compared.",
    )


async def _execute_groups(plan: TablePlan, candidate: CandidateTable, query: TableQuery, run: RunQuery) -> TableAnswer | None:
    """One figure for each group; the best of them where the highest is asked for."""
    order = _RANK_ORDERS.get(plan.operation, Order.STORED)
    operation = (plan.inner or Operation.SUM) if plan.operation in _RANK_ORDERS else plan.operation
    if operation not in _AGGREGATES:
        return None
    aggregate = _AGGREGATES[operation]
    target = plan.target if aggregate is not Aggregate.COUNT else None
    rest = unnamed_rest(replace(plan, label=plan.group), candidate) if order is not Order.STORED and plan.part is GroupPart.CELL else None
    if rest is not None:
        plan = replace(plan, notes=(*plan.notes, *_describe_excluded(sorted(rest.texts))))
        query = replace(query, where=(*query.where, rest))
    found = await run(replace(query, target=target, aggregate=aggregate, group=plan.group, part=plan.part, order=order, limit=MOST_GROUPS))
    if len(found.groups) < plan.rank:
        return None
    if order is Order.STORED:
        return tell_groups(plan, candidate, found, operation)
    tied = _best_groups(plan, found, of_counts=aggregate is Aggregate.COUNT and order is Order.HIGHEST)
    if not tied:
        return None
    if plan.group is not None:
        query = replace(query, where=(*query.where, CellIs(plan.group, frozenset(group.first_rows[0].cells[plan.group] for group in tied))))
    rows = await run(replace(query, target=target))
    return tell_best_group(plan, candidate, found, tied, rows, operation)


def _best_groups(plan: TablePlan, found: QueryResult, *, of_counts: bool) -> list[QueryGroup]:
    """Return the groups at the rank that is asked for; none where several share a place before it, where they have no figure, or where each stands
    there once: there are most of none."""
    if len({group.value for group in found.groups[: plan.rank]}) < plan.rank:
        return []
    best = found.groups[plan.rank - 1].value
    if best is None or (of_counts and best == 1):
        return []
    return [group for group in found.groups if group.value == best]


_EXECUTORS = {
    Operation.COUNT: _execute_count,
    Operation.LOOKUP: _execute_lookup,
    Operation.LIST: _execute_list,
    Operation.SHARE: _execute_share,
    Operation.DIFFERENCE: _execute_difference,
    Operation.HIGHEST: _execute_ranking,
    Operation.LOWEST: _execute_ranking,
}
