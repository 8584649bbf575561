"""How far apart two things are in a table: two columns of one row, or one column of two rows."""

from __future__ import annotations

from collections.abc import Sequence

from agents.table_qa.aims import PARTIAL, Aim, basic, doubt_of, one, said
from agents.table_qa.conditions import Condition, Unfit
from agents.table_qa.differences import Apart
from agents.table_qa.linking import Matching
from agents.table_qa.operations import Operation
from agents.table_qa.times import Span
from core.table_queries import CellIs
from core.tables import ColumnType
from core.wording import stem, stems

_CHANGES = frozenset(stem(word) for word in "difference variance gap change increase decrease growth rise fall drop decline".split())


def pair_of(conditions: Sequence[Condition]) -> Condition | None:
    """Return the condition that names two cells of one column; None for none and for several."""
    found = [each for each in conditions if isinstance(each.where, CellIs) and each.named == len(each.where.texts) == 2]
    return found[0] if len(found) == 1 else None


def difference(matching: Matching, conditions: Sequence[Condition]) -> Aim:
    """Return the two columns that the two sides name wholly, else the column in which two rows are compared."""
    apart = matching.asked.asks.apart
    if apart is None or _is_told(matching, apart):
        raise Unfit
    columns = _two_columns(matching, conditions, apart)
    rows = pair_of(conditions)
    if columns is not None:
        if rows is not None:
            raise Unfit  # both would be meant
        first, second = columns
        return Aim(Operation.DIFFERENCE, first, other=second, named=2)
    if rows is None:
        raise Unfit
    aim = _of_two_rows(matching, conditions)
    if apart.percent and aim.target is not None and matching.columns[aim.target].type is ColumnType.PERCENT:
        raise Unfit  # points or per cent of a percentage: nobody says which
    return aim


def _is_told(matching: Matching, apart: Apart) -> bool:
    """Return whether a column is called what is asked for ("Change 2023–2024", "Variance"): it says so itself."""
    asking = stems(" ".join(matching.asked.text[span.start : span.end] for span in apart.used[:1]))
    return any(asking & _CHANGES & stems(column.name) for column in matching.columns)


def _two_columns(matching: Matching, conditions: Sequence[Condition], apart: Apart) -> tuple[int, int] | None:
    """The columns of figures that the sides name, each only one: what their names have beside that must be the same."""
    taken = {condition.place for condition in conditions}
    measures = [place for place in matching.measures() if place not in taken]
    one_side, other_side = (_named_by(matching, side, measures) for side in apart.sides)
    if len(one_side) != 1 or len(other_side) != 1 or one_side == other_side:
        return None
    first, second = one_side[0], other_side[0]
    asked = frozenset(word.stem for word in matching.words)
    rest = matching.names[first] - asked
    if rest != matching.names[second] - asked or not _same_kind(matching, first, second, percent=apart.percent):
        raise Unfit
    matching.takes(at for at, word in enumerate(matching.words) if word.stem in matching.names[first] | matching.names[second])
    return first, second


def _named_by(matching: Matching, side: Span, measures: Sequence[int]) -> list[int]:
    """Of the columns that a side names best those of which the whole question names most: "sea" in front of "budget and actual" is of both."""
    within = [at for at in matching.places_in(side) if at in matching.free]
    found = matching.named(measures, within=within) if within else []
    asked = frozenset(word.stem for word in matching.words)
    more = [len(matching.names[each.place] & asked) for each in found]
    return [each.place for each, named in zip(found, more, strict=True) if named == max(more)]


def _same_kind(matching: Matching, first: int, second: int, *, percent: bool) -> bool:
    one, other = matching.columns[first], matching.columns[second]
    kinds = {ColumnType.PERCENT, ColumnType.AMOUNT}
    alike = one.unit == other.unit and (one.type is other.type or not {one.type, other.type} & kinds)
    return alike and not (percent and one.type is ColumnType.PERCENT)


def _of_two_rows(matching: Matching, conditions: Sequence[Condition]) -> Aim:
    measures = [place for place in matching.measures() if place not in {condition.place for condition in conditions}]
    found = basic(matching, matching.named(measures))
    named = one(matching, found, said(matching, found))
    if named is not None:
        return Aim(Operation.DIFFERENCE, named.place, doubt=doubt_of(named), named=len(named.places))
    counted = matching.counting() if matching.asked.asks.counted is not None else []
    possible = matching.money() if matching.asked.asks.much else counted if len(counted) == 1 else measures
    if len(possible) != 1:
        raise Unfit
    return Aim(Operation.DIFFERENCE, possible[0], doubt=PARTIAL)
