"""The calculation that a question asks of one table: over which column, groups and rows, and how far that reading can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.statements import stem
from agents.table_aims import INFERRED, ROWS, Aim, basic, doubt_of, is_about, one, said
from agents.table_conditions import Condition, Unfit, answered, cell_conditions, compared, timed
from agents.table_counting import count, counted_run
from agents.table_matching import Matching, Named
from agents.table_question import Operation, Word
from agents.table_words import PEOPLE
from core.tables import ColumnType

# What is taken from a confidence of 1: for a word that nothing explains, for one that is only a way of asking, and for a cell that holds more than
# what was said. table_aims has what is taken for a column.
_UNEXPLAINED, _USUAL, _LOOSE = 0.2, 0.02, 0.1
_EXTREMES = frozenset({Operation.HIGHEST, Operation.LOWEST})
_PARTS = frozenset(stem(word) for word in "percent share proportion part".split())


@dataclass(frozen=True, slots=True)
class Plan:
    """`target` is the column that is computed over (None where rows are counted), `label` the one that tells the rows apart. `inner` is computed
    for each group where `group` is set; with HIGHEST and LOWEST the best group is the answer. `distinct` counts different cells.

    `named` words of the question name the target: between tables that fit equally well the one whose column is named more fully is meant.
    """

    operation: Operation
    target: int | None
    conditions: tuple[Condition, ...]
    inner: Operation | None = None
    group: int | None = None
    label: int | None = None
    distinct: bool = False
    confidence: float = 1.0
    named: int = 0


def plan_for(matching: Matching) -> Plan:
    """Raises Unfit where the table does not hold what is asked, Unclear where it holds it twice."""
    asked = matching.asked
    group = _group(matching)
    reserved = _reserved(matching)
    matching.takes(reserved)
    cells = matching.cells()
    conditions = cell_conditions(matching, cells)
    matching.free |= set(reserved)
    conditions += answered(matching)
    aim = _AIMS.get(asked.operation, _figure)(matching, conditions)
    if group is not None:
        if aim.operation in {Operation.LOOKUP, Operation.MEDIAN} or group == aim.target:
            raise Unfit
        aim = replace(aim, group=group)
    conditions += compared(matching, aim.target)
    conditions += timed(matching)
    _explain_entity(matching, aim)
    left, name, usual = matching.unexplained()
    guessed = aim.target is not None and aim.doubt >= INFERRED
    whole = not conditions and aim.operation in {Operation.COUNT, Operation.SUM}
    if name or ((guessed or whole) and left) or not _relations_are_said(matching, aim):
        raise Unfit  # a word that is left over restricts what is counted in all rows, or speaks of another column than the one that is guessed at
    doubt = (
        aim.doubt
        + _UNEXPLAINED * (len(left) + _asks_for_another(matching, aim, left))
        + _USUAL * usual
        + _LOOSE * sum(not each.exact for each in conditions)
    )
    if aim.operation is Operation.LOOKUP and not conditions:
        raise Unfit
    return Plan(aim.operation, aim.target, tuple(conditions), aim.inner, aim.group, aim.label, aim.distinct, max(0.0, 1.0 - doubt), aim.named)


def _relations_are_said(matching: Matching, aim: Aim) -> bool:
    """Whether shares and changes that are asked for are what the column, a cell or the table is called: they are not computed."""
    target = aim.target
    known = matching.captioned | (matching.names[target] if target is not None else frozenset())
    if target is not None and matching.columns[target].type is ColumnType.PERCENT:
        known |= _PARTS
    places = [at for span in matching.asked.relative for at in matching.places_in(span)]
    return all(at not in matching.free or matching.words[at].stem in known for at in places)


def _asks_for_another(matching: Matching, aim: Aim, left: Sequence[Word]) -> bool:
    """Whether what stands behind "which" is nothing that the table knows: the highest of its rows may be of another kind."""
    entity = matching.asked.entity
    return aim.operation in _EXTREMES and entity is not None and any(entity.meets((word.start, word.end)) for word in left)


def _reserved(matching: Matching) -> list[int]:
    """Words that are the whole name of a column of figures: they name it, whatever cell says the same."""
    if matching.asked.operation is Operation.COUNT:
        return []
    return [at for named in matching.named(matching.measures()) if named.share == 1 for at in named.places]


def _group(matching: Matching) -> int | None:
    """The column behind "per" or "by". A price per unit is a column's name, not a group; "by Kestrel" names a cell."""
    asked = matching.asked
    within = [at for at in matching.places_in(asked.group) if at in matching.free]
    if not within:
        return None
    whole = [named for named in matching.named(matching.measures()) if named.share == 1 and set(named.places) & set(within) and len(named.places) > 1]
    if whole:
        return None
    measures = set(matching.measures())
    extreme = asked.operation in {Operation.HIGHEST, Operation.LOWEST}
    named = matching.named([place for place in range(len(matching.columns)) if place not in measures], within=within)
    if len(named) == 1 and not extreme:
        matching.takes(named[0].places)
        return None if asked.operation is Operation.AVERAGE and matching.tells_rows_apart(named[0].place) else named[0].place
    if asked.by or extreme:
        return None
    if asked.operation is Operation.AVERAGE and matching.words[within[0]].stem in matching.context:
        matching.takes(within[:1])  # an average per order, where each row is an order
        return None
    raise Unfit


# -- aims ----------------------------------------------------------------------------------------------------------------------------


def _figure(matching: Matching, conditions: Sequence[Condition]) -> Aim:
    """A sum, an average or a median: over the column that is named, else over the only one that it can be."""
    asked = matching.asked
    measures = matching.measures()
    if asked.operation is Operation.SUM:
        measures = [place for place in measures if matching.columns[place].type is not ColumnType.PERCENT]
    found = basic(matching, matching.named(measures)) or _summed(matching, measures)
    named = one(matching, found, said(matching, found))
    if named is not None:
        return Aim(asked.operation, named.place, doubt=doubt_of(named), named=len(named.places))
    suited = [place for place in matching.suited("much") if place in measures] if asked.much else []
    possible = matching.basic(suited or matching.in_unit(measures) or measures)
    if len(possible) != 1 or not (conditions or is_about(matching)):
        raise Unfit
    return Aim(asked.operation, possible[0], doubt=INFERRED)


def _summed(matching: Matching, measures: Sequence[int]) -> list[Named]:
    """The column that is only called a total, where a total is asked for."""
    found = [place for place in measures if matching.names[place] <= matching.computing]
    return [Named(place, matching.columns[place], 1.0, ()) for place in found]


def _extreme(matching: Matching, conditions: Sequence[Condition]) -> Aim:
    """The row, or the group, with the highest or lowest figure."""
    asked = matching.asked
    label = _entity(matching)
    if asked.often or (asked.inner is Operation.COUNT):
        return _most_often(matching, label)
    ordered = matching.measures() + matching.of_type(ColumnType.DATE)
    outside = [at for at in sorted(matching.free) if at not in matching.places_in(asked.entity)]
    found = matching.named(ordered, within=outside)
    suited = matching.suited(asked.extreme)
    if suited:  # the cheapest is told by a price, whatever else the question names
        found = [each for each in found if each.place in suited] or [
            Named(place, matching.columns[place], 0.5, ()) for place in matching.basic(suited)
        ]
    found = basic(matching, found) or _summed(matching, matching.measures())
    named = one(matching, found, said(matching, found))
    if named is None and asked.most and label is not None and _names_rows(matching, outside):
        return _most_rows(matching, label)
    if named is None:
        return _with_groups(matching, _only_measure(matching, label))
    return _with_groups(matching, Aim(asked.operation, named.place, label=label, doubt=doubt_of(named), named=len(named.places)))


def _most_rows(matching: Matching, label: int) -> Aim:
    """Which has most of what the rows are; where each has one row, the column that counts them says it."""
    operation = matching.asked.operation
    if not matching.tells_rows_apart(label):
        return Aim(operation, None, Operation.COUNT, label, label)
    counting = matching.counting()
    if len(counting) != 1:
        raise Unfit
    return Aim(operation, counting[0], label=label, doubt=INFERRED)


def _directed(matching: Matching, aim: Aim) -> Aim:
    """The oldest by a date is the earliest, the youngest the latest."""
    if aim.target is None or matching.columns[aim.target].type is not ColumnType.DATE or matching.asked.extreme not in {"oldest", "youngest"}:
        return aim
    return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)


def _only_measure(matching: Matching, label: int | None) -> Aim:
    measures = matching.measures()
    if len(measures) != 1 or not is_about(matching):
        raise Unfit
    return Aim(matching.asked.operation, measures[0], label=label, doubt=INFERRED)


def _with_groups(matching: Matching, aim: Aim) -> Aim:
    """ "The most" and "the highest total" of something that has several rows are of its rows together."""
    asked = matching.asked
    aim = _directed(matching, aim)
    if aim.label is None or aim.target is None or matching.columns[aim.target].type is ColumnType.DATE:
        return aim
    cells = [row.cells[aim.label] for row in matching.hand.data]
    repeated = len(set(cells)) < len(cells)
    inner = asked.inner or (Operation.SUM if asked.most else None)
    if not repeated or inner is None:
        return aim
    if inner is Operation.SUM and matching.columns[aim.target].type is ColumnType.PERCENT:
        raise Unfit
    return replace(aim, inner=inner, group=aim.label)


def _most_often(matching: Matching, label: int | None) -> Aim:
    """ "The most common status", "which carrier has the highest number of shipments"."""
    textual = [place for place in range(len(matching.columns)) if place not in matching.measures()]
    if label is None:
        found = matching.named(textual)
        named = one(matching, found, said(matching, found))
        label = named.place if named is not None else None
    if label is None:
        raise Unfit
    found = [each for each in matching.named(matching.measures()) if each.share == 1]
    if len(found) == 1:
        matching.takes(found[0].places)
        return _with_groups(matching, Aim(matching.asked.operation, found[0].place, Operation.SUM, label=label))
    return Aim(matching.asked.operation, None, Operation.COUNT, label, label)


def _names_rows(matching: Matching, within: Sequence[int]) -> bool:
    """Whether what there are most of is what the rows are: the table is called so, or its identifiers."""
    named = {name for place, names in enumerate(matching.names) if place not in matching.measures() for name in names}
    known = [at for at in within if at in matching.free and matching.words[at].stem in matching.context | named | ROWS]
    matching.takes(known)
    return bool(known)


def _entity(matching: Matching) -> int | None:
    """The column of what is asked for ("which carrier", "who")."""
    asked = matching.asked
    measures = set(matching.measures())
    within = [at for at in matching.places_in(asked.entity) if at in matching.free]
    others = [place for place in range(len(matching.columns)) if place not in measures]
    found = matching.named(others, within=within) if within else []
    if len(found) == 1:
        matching.takes(found[0].places)
        return found[0].place
    behind = counted_run(matching, asked.extreme_end, set()) if asked.extreme else []
    found = [each for each in matching.named(others, within=behind) if each.share == 1] if behind else []
    if len(found) == 1 and matching.columns[found[0].place].type is ColumnType.TEXT:
        matching.takes(found[0].places)
        return found[0].place
    if asked.who:
        people = [place for place in others if matching.names[place] & PEOPLE]
        return people[0] if people else None
    return None


def _lookup(matching: Matching, conditions: Sequence[Condition]) -> Aim:
    """The cell of a row that the question names."""
    if not conditions and not matching.asked.times:
        raise Unfit
    places = {condition.place for condition in conditions}
    found = matching.named([place for place in range(len(matching.columns)) if place not in places])
    named = one(matching, found, said(matching, found))
    if named is None:
        raise Unfit
    return Aim(Operation.LOOKUP, named.place, doubt=doubt_of(named), named=len(named.places))


_AIMS = {Operation.COUNT: count, Operation.HIGHEST: _extreme, Operation.LOWEST: _extreme, Operation.LOOKUP: _lookup}


def _explain_entity(matching: Matching, aim: Aim) -> None:
    """Behind "which" may stand what the table's rows are, by the table's own name."""
    if aim.operation in {Operation.HIGHEST, Operation.LOWEST}:
        matching.takes(at for at in matching.places_in(matching.asked.entity) if matching.words[at].stem in matching.context)
