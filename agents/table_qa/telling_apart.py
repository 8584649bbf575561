"""How far apart two figures are, in words."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from agents.table_qa.hands import TableInHand
from agents.table_qa.plan import Plan
from agents.table_qa.telling import Calculated, Said, column_of, decimal_of, made, shown_figure, shown_value, target_of, used_of, where_of
from core.table_queries import Selected
from core.tables import ColumnType, TableRow


class _Figure(NamedTuple):
    """`name` is what stands in the sentence for a figure, `shown` the figure as it is written there."""

    name: str
    value: Decimal
    shown: str


def tell_rows_apart(plan: Plan, hand: TableInHand, found: Selected, rows: Sequence[TableRow], by: int) -> Calculated | None:
    """Return how far apart the target's figures of two rows are; `rows` in the order of the question, `by` the column that names them."""
    target = target_of(plan)
    figures = [_Figure(row.cells[by], decimal_of(row, target), shown_value(row.values[target], hand, target)) for row in rows]
    return _told(plan, hand, found, column_of(hand, target), figures)


def tell_columns_apart(plan: Plan, hand: TableInHand, found: Selected, other: int) -> Calculated | None:
    """Return how far apart two columns of the only row are."""
    (row,), places = found.rows, (target_of(plan), other)
    if not all(isinstance(row.values[place], float) for place in places):
        return None
    figures = [_Figure(column_of(hand, place), decimal_of(row, place), shown_value(row.values[place], hand, place)) for place in places]
    where = where_of(plan).removeprefix(" ")
    return _told(plan, hand, found, f"{where[:1].upper()}{where[1:]}" if where else column_of(hand, places[0]), figures)


def _told(plan: Plan, hand: TableInHand, found: Selected, head: str, figures: Sequence[_Figure]) -> Calculated | None:
    """None where per cent are asked for and nobody says of which figure, or of one that is not above zero."""
    higher, lower = sorted(figures, key=lambda each: -each.value)
    stated = f"{head}: {higher.name} {higher.shown}, {lower.name} {lower.shown}"
    if plan.apart is not None and plan.apart.percent:
        base = figures[plan.apart.base] if plan.apart.base is not None else None
        if base is None or lower.value <= 0:
            return None
        value = f"{(higher.value - lower.value) * 100 / base.value:.2f}".rstrip("0").rstrip(".") + "%"
        compared = f"{higher.name} is higher by {value}" if base is lower else f"{lower.name} is lower by {value}"
        return made(plan, hand, used_of(found, found.matched), Said(f"{stated}; {compared} of {base.shown}.", value))
    apart, target = higher.value - lower.value, target_of(plan)
    is_share = hand.table.columns[target].type is ColumnType.PERCENT
    value = shown_figure(apart, hand, target)
    value = f"{value.rstrip('%')} percentage points" if is_share else value
    compared = f"{higher.name} is higher by {value}" if apart else f"the difference is {value}"
    return made(plan, hand, used_of(found, found.matched), Said(f"{stated}; {compared}.", value))
