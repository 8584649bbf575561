"""The calculation that a question asks of one table: over which column, groups and rows, and how far that reading can be trusted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.table_qa.aims import INFERRED, Aim, basic, doubt_of, is_about, names_rows, one, said, summed
from agents.table_qa.apart import difference, pair_of
from agents.table_qa.conditions import FIRST_DAY, Condition, Unfit, answered, cell_conditions, compared, equalled, take_units, timed, valued
from agents.table_qa.counting import count, counted_run
from agents.table_qa.differences import Apart
from agents.table_qa.linking import Matching
from agents.table_qa.operations import Operation
from agents.table_qa.question import Word
from agents.table_qa.ranking import extreme
from agents.table_qa.words import GENERIC, PEOPLE, RATES
from core.table_queries import GroupPart
from core.tables import ColumnType
from core.wording import stem, stems

# What is taken from a confidence of 1: for a word that nothing explains, for one that is only a way of asking, and for a cell that holds more than
# what was said. `aims` has what is taken for a column.
_UNEXPLAINED, _USUAL, _LOOSE = 0.2, 0.02, 0.1
_EXTREMES = frozenset({Operation.HIGHEST, Operation.LOWEST})
_OF_ALL = frozenset({Operation.COUNT, Operation.SUM, Operation.AVERAGE, Operation.MEDIAN})
_WHOLE_TABLE = 30  # rows of a table that is listed as it stands
_DAY_PARTS = {stem(word): part for words, part in (("month monat", GroupPart.MONTH), ("year jahr", GroupPart.YEAR)) for word in words.split()}
_PARTS = frozenset(stem(word) for word in "percent share proportion part".split())


@dataclass(frozen=True, slots=True)
class Plan:
    """`target` is the column that is computed over (None where rows are counted), `label` the one that tells the rows apart. `inner` is computed
    for each group where `group` is set; with HIGHEST and LOWEST the best group is the answer. `distinct` counts different cells.

    `named` words of the question name the target: between tables that fit equally well the one whose column is named more fully is meant.
    Of a difference `other` is the second column, None where two rows are compared; `apart` says how the question asks for it.
    `rank`: the second highest; `limit` of the highest or lowest are asked for; `measured`: the target is a figure, no year and no number of
    something; `part` of a day makes the groups; `notes` say what the question left open.
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
    other: int | None = None
    apart: Apart | None = None
    rank: int = 1
    limit: int = 1
    measured: bool = False
    part: GroupPart = GroupPart.CELL
    notes: tuple[str, ...] = ()


def plan_for(matching: Matching) -> Plan:
    """Plan the calculation of a question over a table. Raises UnfitTable where the table does not hold what is asked, AmbiguousQuestion where it
    holds it twice."""
    asked = matching.asked
    by_day = _day_group(matching)
    group = by_day[0] if by_day is not None else _group(matching)
    reserved = _reserved(matching)
    matching.takes(reserved)
    cells = matching.cells()
    conditions = cell_conditions(matching, cells)
    matching.free |= set(reserved)
    take_units(matching, cells)
    conditions += answered(matching) + equalled(matching) + valued(matching)
    aim = _AIMS.get(asked.operation, _figure)(matching, conditions)
    if group is not None:
        if aim.operation in {Operation.LOOKUP, Operation.LIST, Operation.DIFFERENCE} or group == aim.target:
            raise Unfit
        aim = replace(aim, group=group, part=by_day[1] if by_day is not None else GroupPart.CELL)
    conditions += compared(matching, aim.target)
    conditions += timed(matching)
    _explain_entity(matching, aim)
    if asked.asks.of_two or (aim.operation is Operation.DIFFERENCE and aim.other is None):
        if pair_of(conditions) is None:
            raise Unfit
    elif aim.operation in _EXTREMES and any(each.place == aim.label and each.exact for each in conditions):
        raise Unfit  # the highest of what is named already
    confidence = _confidence(matching, aim, conditions)
    return Plan(
        operation=aim.operation,
        target=aim.target,
        conditions=tuple(conditions),
        inner=aim.inner,
        group=aim.group,
        label=aim.label,
        distinct=aim.distinct,
        confidence=confidence,
        named=aim.named,
        other=aim.other,
        apart=asked.asks.apart if aim.operation is Operation.DIFFERENCE else None,
        rank=asked.asks.rank,
        limit=asked.asks.limit,
        measured=aim.target in matching.measures(),
        part=aim.part,
        notes=tuple(dict.fromkeys(matching.notes)),
    )


def _confidence(matching: Matching, aim: Aim, conditions: Sequence[Condition]) -> float:
    """Return how far the reading explains the question. Raises UnfitTable where it leaves a word that it cannot leave."""
    left, name, usual = matching.unexplained()
    guessed = aim.target is not None and aim.doubt >= INFERRED
    whole = not conditions and aim.operation in {Operation.COUNT, Operation.SUM}
    if aim.operation in _EXTREMES and aim.doubt and any(matching.words[at] in left for at in _behind(matching)):
        raise Unfit  # "train loops" is not "Persons trained"
    sure = guessed or whole or aim.operation in {Operation.LIST, Operation.DIFFERENCE}
    if name or (sure and left) or _speaks_of_another(matching, aim, conditions) or not _may_compute(matching, aim, conditions):
        # A word that is left over restricts what is counted in all rows, or speaks of another column than the one that is guessed at.
        raise Unfit
    doubt = (
        aim.doubt
        + matching.doubt
        + _UNEXPLAINED * (len(left) + _asks_for_another(matching, aim, left))
        + _USUAL * usual
        + _LOOSE * sum(0.5 if each.phrase else 1 for each in conditions if not each.exact)
    )
    if not conditions and (aim.operation is Operation.LOOKUP or (aim.operation is Operation.LIST and not _is_whole_table(matching))):
        raise Unfit
    return max(0.0, 1.0 - doubt)


def _speaks_of_another(matching: Matching, aim: Aim, conditions: Sequence[Condition]) -> bool:
    """Return whether the highest is taken of one column while a word that is left over names another: "max term" is not the highest fine, "lap time"
    not the number of laps. What the table is called, too, counts only where it stands where the column is named."""
    if aim.operation not in _EXTREMES:
        return not conditions and aim.operation in _OF_ALL and _leaves_a_column(matching, aim)
    if aim.target is None:
        return False
    used = {aim.target, aim.label, aim.group, *(each.place for each in conditions)}
    others = frozenset(name for place, names in enumerate(matching.names) if place not in used for name in names)
    others -= matching.names[aim.target] | stems(matching.columns[aim.target].name)
    left = [at for at in sorted(matching.free) if matching.words[at].stem in others]
    if any(_stands_with(matching, at, aim.target) for at in left):
        return True
    return bool(aim.doubt) and any(matching.words[at].stem not in matching.context | GENERIC for at in left)


def _leaves_a_column(matching: Matching, aim: Aim) -> bool:
    """Return whether a word that is left over names a column by which rows may be told from each other: "product codes with status OK" are not
    all."""
    known = matching.context | GENERIC | PEOPLE | (matching.names[aim.target] if aim.target is not None else frozenset())
    used = {aim.target, aim.label, aim.group}
    others = [place for place in range(len(matching.columns)) if place not in used and not matching.tells_rows_apart(place)]
    wanted = frozenset(name for place in others for name in matching.names[place]) - known
    return any(matching.words[at].stem in wanted for at in matching.free)


def _stands_with(matching: Matching, at: int, target: int) -> bool:
    """Return whether the word is the noun behind the superlative, alone or behind a word that names the target: "lap time", not "order amount"."""
    run = _behind(matching)
    naming = [place for place in run if matching.words[place].stem in matching.names[target]]
    return at in run and (not naming or at == run[-1] == naming[-1] + 1)


def _behind(matching: Matching) -> list[int]:
    """The words that follow the superlative without a plain one between them."""
    end, run = matching.asked.asks.extreme_end, list[int]()
    for place, word in enumerate(matching.words):
        if word.start >= end and not matching.asked.text[end : word.start].strip() and not word.plain:
            run.append(place)
            end = word.end
    return run


def _is_whole_table(matching: Matching) -> bool:
    """Return whether a short table is asked for as it stands, by what stands over it: "list the capital items"."""
    said = {word.stem for word in matching.words if not word.plain}
    over = frozenset(stems(" ".join([matching.hand.table.caption, *matching.hand.table.section[-1:]]))) - GENERIC
    return matching.hand.facts.rows <= _WHOLE_TABLE and bool(over) and over <= said


def _may_compute(matching: Matching, aim: Aim, conditions: Sequence[Condition]) -> bool:
    """Not a share that nobody computes, and no sum of two where one is asked of: "how much did the crane cost" with two cranes."""
    adds_up = aim.operation is Operation.SUM and matching.asked.asks.much and any(each.several for each in conditions)
    is_told = aim.operation is not Operation.LOOKUP or matching.asked.asks.apart is None or _names_change(matching, aim)
    return not adds_up and is_told and _relations_are_said(matching, aim)


def _names_change(matching: Matching, aim: Aim) -> bool:
    """Return whether the cell that is told where a change is asked for is of a column that is called so."""
    return aim.target is not None and bool(matching.names[aim.target] & matching.computing)


def _relations_are_said(matching: Matching, aim: Aim) -> bool:
    """Return whether shares and changes that are asked for are what the column, a cell or the table is called: they are not computed."""
    target = aim.target
    known = matching.captioned | (matching.names[target] if target is not None else frozenset())
    if target is not None and matching.columns[target].type is ColumnType.PERCENT:
        known |= _PARTS
    places = [at for span in matching.asked.relative for at in matching.places_in(span)]
    return all(at not in matching.free or matching.words[at].stem in known for at in places)


def _asks_for_another(matching: Matching, aim: Aim, left: Sequence[Word]) -> bool:
    """Return whether what stands behind "which" is nothing that the table knows: the highest of its rows may be of another kind."""
    entity = matching.asked.entity
    return aim.operation in _EXTREMES and entity is not None and any(entity.meets((word.start, word.end)) for word in left)


def _reserved(matching: Matching) -> list[int]:
    """Words that are the whole name of a column of figures: they name it, whatever cell says the same."""
    if matching.asked.operation is Operation.COUNT:
        return []
    return [at for named in matching.named(matching.measures()) if named.share == 1 for at in named.places]


def _day_group(matching: Matching) -> tuple[int, GroupPart] | None:
    """The column of days behind "per month" and "by year", where no column is called so."""
    within = [at for at in matching.places_in(matching.asked.group) if matching.words[at].stem in _DAY_PARTS]
    dated = matching.of_type(ColumnType.DATE)
    if not within or not dated or matching.named(range(len(matching.columns)), within=within):
        return None
    matching.takes(within)
    if len(dated) > 1:
        matching.notes.append(f"The time is taken by “{matching.columns[dated[0]].name}”.")
        matching.doubt += FIRST_DAY
    return dated[0], _DAY_PARTS[matching.words[within[0]].stem]


def _group(matching: Matching) -> int | None:
    """The column behind "per" or "by". A price per unit is a column's name, not a group; "by Kestrel" names a cell."""
    found = _group_named(matching)
    if found is None and matching.asked.asks.per and matching.asked.operation is Operation.SUM:
        raise Unfit
    return found


def _group_named(matching: Matching) -> int | None:
    asked = matching.asked
    within = [at for at in matching.places_in(asked.group) if at in matching.free]
    if not within:
        return None
    whole = [named for named in matching.named(matching.measures()) if named.share == 1 and set(named.places) & set(within) and len(named.places) > 1]
    if whole:
        return None
    measures = set(matching.measures())
    ranks = asked.operation in _EXTREMES
    named = matching.named([place for place in range(len(matching.columns)) if place not in measures], within=within)
    if len(named) == 1 and not ranks:
        matching.takes(named[0].places)
        return None if asked.operation is Operation.AVERAGE and matching.tells_rows_apart(named[0].place) else named[0].place
    if asked.by or ranks:
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
    found = basic(matching, matching.named(measures)) or summed(matching, measures)
    named = one(matching, found, said(matching, found))
    if asked.asks.per and (named is None or matching.names[named.place] & RATES):
        raise Unfit  # prices and shares are not added up where nobody says so
    if named is not None:
        return Aim(asked.operation, named.place, doubt=doubt_of(named), named=len(named.places))
    suited = [place for place in matching.suited("much") if place in measures] if asked.asks.much else []
    money = [place for place in matching.money() if place in measures] if asked.operation is Operation.SUM else []
    possible = matching.basic(suited or matching.in_unit(measures) or money or measures)
    if len(possible) != 1 or not (conditions or is_about(matching)):
        raise Unfit
    return Aim(asked.operation, possible[0], doubt=INFERRED)


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


def _list(matching: Matching, conditions: Sequence[Condition]) -> Aim:
    """The rows that fulfil the conditions, or what they are called: what is asked for is what the rows are, or a column that names them."""
    asked = matching.asked
    restricted = {condition.place for condition in conditions}
    either = [each for each in conditions if each.named > 1]
    if any(not each.exact for each in either):
        raise Unfit  # several words that several cells hold
    if either and re.search(r"\b(?:or|oder)\b", asked.text):  # which of the two it is
        return Aim(Operation.LIST, either[0].place, label=either[0].place)
    others = [place for place in range(len(matching.columns)) if place not in matching.measures() and place not in restricted]
    if asked.of_subject:
        raise Unfit
    if asked.who:
        people = [place for place in others if matching.names[place] & PEOPLE]
        if not people:
            raise Unfit
        return Aim(Operation.LIST, people[0], label=people[0])
    run = counted_run(matching, asked.listed or 0, restricted)
    found = [each for each in matching.named(others, within=run) if each.share == 1 and run[-1] in each.places] if run else []
    if len(found) == 1:
        matching.takes(found[0].places)
        return Aim(Operation.LIST, found[0].place, label=found[0].place)
    if not run or not names_rows(matching, run):
        raise Unfit
    return Aim(Operation.LIST)


_AIMS = {
    Operation.COUNT: count,
    Operation.HIGHEST: extreme,
    Operation.LOWEST: extreme,
    Operation.LOOKUP: _lookup,
    Operation.LIST: _list,
    Operation.DIFFERENCE: difference,
}


def _explain_entity(matching: Matching, aim: Aim) -> None:
    """Behind "which" may stand what the table's rows are, by the table's own name."""
    if aim.operation in {Operation.HIGHEST, Operation.LOWEST}:
        matching.takes(at for at in matching.places_in(matching.asked.entity) if matching.words[at].stem in matching.context)
