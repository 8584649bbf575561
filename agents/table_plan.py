"""The calculation that a question asks of one table: over which column, groups and rows, and how far that reading can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.statements import stem
from agents.table_conditions import Condition, Unclear, Unfit, answered, cell_conditions, compared, timed
from agents.table_matching import PEOPLE, WHO, Matching, Named
from agents.table_question import Operation
from core.tables import ColumnType

# What is taken from a confidence of 1: for a word that nothing explains, for one that is only a way of asking, for a column that is named in part
# or not at all, and for a cell that holds more than what was said.
_UNEXPLAINED, _USUAL, _PARTIAL, _INFERRED, _LOOSE = 0.2, 0.02, 0.1, 0.15, 0.1
_ROWS = frozenset(stem(word) for word in "row entry entries record line".split())


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


@dataclass(frozen=True, slots=True)
class _Aim:
    """What is aimed at before the conditions are known; `doubt` is taken from the confidence."""

    operation: Operation
    target: int | None = None
    inner: Operation | None = None
    group: int | None = None
    label: int | None = None
    distinct: bool = False
    doubt: float = 0.0
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
    if name:
        raise Unfit
    doubt = aim.doubt + _UNEXPLAINED * len(left) + _USUAL * usual + _LOOSE * sum(not each.exact for each in conditions)
    if aim.operation is Operation.LOOKUP and not conditions:
        raise Unfit
    return Plan(aim.operation, aim.target, tuple(conditions), aim.inner, aim.group, aim.label, aim.distinct, max(0.0, 1.0 - doubt), aim.named)


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


def _one(matching: Matching, found: Sequence[Named], what: str) -> Named | None:
    """The only one; None for none. Raises Unclear where several columns fit equally."""
    if len(found) > 1:
        names = " and ".join(f"“{each.column.name}”" for each in found[:4])
        raise Unclear(f"{'Two' if len(found) == 2 else len(found)} columns fit “{what}” equally: {names}. Say which is meant.")
    if found:
        matching.takes(found[0].places)
    return found[0] if found else None


def _said(matching: Matching, found: Sequence[Named]) -> str:
    return (" ".join(matching.words[at].text for at in found[0].places) if found else "") or matching.asked.extreme


def _doubt(named: Named) -> float:
    return 0.0 if named.share == 1 or named.implied else _PARTIAL


def _figure(matching: Matching, conditions: Sequence[Condition]) -> _Aim:
    """A sum, an average or a median: over the column that is named, else over the only one that it can be."""
    asked = matching.asked
    measures = matching.measures()
    if asked.operation is Operation.SUM:
        measures = [place for place in measures if matching.columns[place].type is not ColumnType.PERCENT]
    found = matching.named(measures)
    named = _one(matching, found, _said(matching, found))
    if named is not None:
        return _Aim(asked.operation, named.place, doubt=_doubt(named), named=len(named.places))
    suited = [place for place in matching.suited("much") if place in measures] if asked.much else []
    possible = suited or matching.in_unit(measures) or measures
    if len(possible) != 1 or not (conditions or _is_about(matching)):
        raise Unfit
    return _Aim(asked.operation, possible[0], doubt=_INFERRED)


def _is_about(matching: Matching) -> bool:
    """Whether the question names the table."""
    return any(matching.words[at].stem in matching.context for at in matching.free)


def _count(matching: Matching, conditions: Sequence[Condition]) -> _Aim:
    """Rows where the table is called what is counted; different cells of a column that is called so; the sum of a column of such numbers."""
    asked = matching.asked
    restricted = {condition.place for condition in conditions}
    run = _run(matching, asked.counted or 0, restricted)
    if not run:
        if not _counts_cells(conditions):
            raise Unfit
        return _Aim(Operation.COUNT)
    head = run[-1:]
    every = [place for place in range(len(matching.columns)) if place not in restricted]
    found = [each for each in matching.named(every, within=run) if head[0] in each.places]
    whole = [each for each in found if each.share == 1]
    if len(whole) == 1:
        return _counted_column(matching, whole[0])
    if _are_rows(matching, matching.words[head[0]].stem):
        matching.takes([*head, *(at for at in run if matching.words[at].stem in matching.context)])
        return _Aim(Operation.COUNT)
    named = _one(matching, found, matching.words[head[0]].text)
    if named is None:
        raise Unfit
    return replace(_counted_column(matching, named), doubt=_doubt(named))


def _are_rows(matching: Matching, noun: str) -> bool:
    """Whether the rows are what the noun says: the table is called so, or each row names a person and people are asked for."""
    people = noun in PEOPLE and any(names & WHO for names in matching.names)
    return noun in matching.context or noun in _ROWS or people


def _counts_cells(conditions: Sequence[Condition]) -> bool:
    """ "How many managers": what is counted is itself a cell."""
    return bool(conditions) and all(condition.exact for condition in conditions)


def _counted_column(matching: Matching, named: Named) -> _Aim:
    matching.takes(named.places)
    if named.place in matching.measures() and named.column.type in {ColumnType.INTEGER, ColumnType.NUMBER}:
        return _Aim(Operation.SUM, named.place)
    if named.column.type in {ColumnType.AMOUNT, ColumnType.PERCENT, ColumnType.BOOLEAN}:
        raise Unfit
    return _Aim(Operation.COUNT, named.place, distinct=True)


def _run(matching: Matching, start: int, restricted: set[int]) -> list[int]:
    """The free words that follow at `start` without another between them: what is counted, its noun the last."""
    run: list[int] = []
    for at, word in enumerate(matching.words):
        if word.start < start:
            continue
        if at not in matching.free:
            if run or not word.plain:
                if run:
                    break
                continue
            if word.text.casefold() not in {"the", "of", "all", "my", "our", "different"}:
                break
            continue
        run.append(at)
    while len(run) > 1 and (matching.words[run[-1]].text.endswith(("ed", "ing")) or not _is_known(matching, run[-1], restricted)):
        run.pop()  # a verb behind the noun ("orders came"), or the column of a condition ("people report to …")
    return run


def _is_known(matching: Matching, at: int, restricted: set[int]) -> bool:
    word = matching.words[at].stem
    return _are_rows(matching, word) or any(word in names for place, names in enumerate(matching.names) if place not in restricted)


def _extreme(matching: Matching, conditions: Sequence[Condition]) -> _Aim:
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
        found = [each for each in found if each.place in suited] or [Named(place, matching.columns[place], 0.5, ()) for place in suited]
    named = _one(matching, found, _said(matching, found))
    if named is None and asked.most and label is not None and _names_rows(matching, outside):
        return _Aim(asked.operation, None, Operation.COUNT, label, label)
    if named is None:
        return _with_groups(matching, _only_measure(matching, label))
    return _with_groups(matching, _Aim(asked.operation, named.place, label=label, doubt=_doubt(named), named=len(named.places)))


def _directed(matching: Matching, aim: _Aim) -> _Aim:
    """The oldest by a date is the earliest, the youngest the latest."""
    if aim.target is None or matching.columns[aim.target].type is not ColumnType.DATE or matching.asked.extreme not in {"oldest", "youngest"}:
        return aim
    return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)


def _only_measure(matching: Matching, label: int | None) -> _Aim:
    measures = matching.measures()
    if len(measures) != 1 or not _is_about(matching):
        raise Unfit
    return _Aim(matching.asked.operation, measures[0], label=label, doubt=_INFERRED)


def _with_groups(matching: Matching, aim: _Aim) -> _Aim:
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


def _most_often(matching: Matching, label: int | None) -> _Aim:
    """ "The most common status", "which carrier has the highest number of shipments"."""
    textual = [place for place in range(len(matching.columns)) if place not in matching.measures()]
    if label is None:
        found = matching.named(textual)
        named = _one(matching, found, _said(matching, found))
        label = named.place if named is not None else None
    if label is None:
        raise Unfit
    found = [each for each in matching.named(matching.measures()) if each.share == 1]
    if len(found) == 1:
        matching.takes(found[0].places)
        return _with_groups(matching, _Aim(matching.asked.operation, found[0].place, Operation.SUM, label=label))
    return _Aim(matching.asked.operation, None, Operation.COUNT, label, label)


def _names_rows(matching: Matching, within: Sequence[int]) -> bool:
    """Whether what there are most of is what the rows are: the table is called so, or its identifiers."""
    named = {name for place, names in enumerate(matching.names) if place not in matching.measures() for name in names}
    known = [at for at in within if at in matching.free and matching.words[at].stem in matching.context | named | _ROWS]
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
    behind = _run(matching, asked.extreme_end, set()) if asked.extreme else []
    found = [each for each in matching.named(others, within=behind) if each.share == 1] if behind else []
    if len(found) == 1 and matching.columns[found[0].place].type is ColumnType.TEXT:
        matching.takes(found[0].places)
        return found[0].place
    if asked.who:
        people = [place for place in others if matching.names[place] & PEOPLE]
        return people[0] if people else None
    return None


def _lookup(matching: Matching, conditions: Sequence[Condition]) -> _Aim:
    """The cell of a row that the question names."""
    if not conditions:
        raise Unfit
    places = {condition.place for condition in conditions}
    found = matching.named([place for place in range(len(matching.columns)) if place not in places])
    named = _one(matching, found, _said(matching, found))
    if named is None:
        raise Unfit
    return _Aim(Operation.LOOKUP, named.place, doubt=_doubt(named), named=len(named.places))


_AIMS = {Operation.COUNT: _count, Operation.HIGHEST: _extreme, Operation.LOWEST: _extreme, Operation.LOOKUP: _lookup}


def _explain_entity(matching: Matching, aim: _Aim) -> None:
    """Behind "which" may stand what the table's rows are, by the table's own name."""
    if aim.operation in {Operation.HIGHEST, Operation.LOWEST}:
        matching.takes(at for at in matching.places_in(matching.asked.entity) if matching.words[at].stem in matching.context)
