"""Superlatives over a table: the column in which something is the highest or lowest, and the rows or groups that are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.table_qa.aims import INFERRED, Aim, basic, doubt_of, is_about, names_rows, one, said, summed
from agents.table_qa.conditions import Condition, Unclear, Unfit
from agents.table_qa.counting import counted_run
from agents.table_qa.linking import Matching, Named
from agents.table_qa.operations import Operation
from agents.table_qa.words import DEFICITS, GREW, GROWTH, PEOPLE, RATES, SPEEDS, SURPLUSES, TIMES, WHO
from core.tables import ColumnType
from core.wording import stem

_ADDED = frozenset(
    stem(word) for word in "revenue sales turnover cost costs amount quantity units pieces orders total sum umsatz kosten menge stück".split()
)


def extreme(matching: Matching, conditions: Sequence[Condition]) -> Aim:
    """Return the row, or the group, with the highest or lowest figure."""
    asked = matching.asked
    if conditions and (cell := _called_so(matching, conditions)) is not None:
        return cell
    label = _entity(matching)
    if asked.asks.often or (asked.asks.inner is Operation.COUNT):
        return _most_often(matching, label)
    ordered = matching.measures() + matching.of_type(ColumnType.DATE)
    outside = [at for at in sorted(matching.free) if at not in matching.places_in(asked.entity)]
    found = matching.named(ordered, within=outside)
    suited = matching.suited(asked.asks.extreme)
    if suited:  # the cheapest is told by a price, whatever else the question names
        found = [each for each in found if each.place in suited] or [
            Named(place, matching.columns[place], 0.5, ()) for place in matching.basic(suited)
        ]
    found = basic(matching, found) or summed(matching, matching.measures())
    named = one(matching, found, said(matching, found))
    if asked.asks.limit > 1 and label is not None and not matching.tells_rows_apart(label):
        raise Unfit  # the top three of what has several rows each
    if named is None and asked.asks.most and label is not None and names_rows(matching, outside):
        return _most_rows(matching, label)
    if named is None:
        return _with_groups(matching, _only_measure(matching, label))
    return _with_groups(matching, Aim(asked.operation, named.place, label=label, doubt=doubt_of(named), named=len(named.places)))


def _called_so(matching: Matching, conditions: Sequence[Condition]) -> Aim | None:
    """The cell under "Max Term" of the row that is named: nothing is compared in a column of words that is called the highest."""
    restricted = {condition.place for condition in conditions}
    texts = [place for place in matching.of_type(ColumnType.TEXT) if place not in restricted]
    called = [place for place in texts if stem(matching.asked.asks.extreme) in matching.names[place]]
    found = matching.named(called)
    named = one(matching, found, said(matching, found)) if len(found) == 1 else None
    return None if named is None else Aim(Operation.LOOKUP, named.place, doubt=doubt_of(named), named=len(named.places))


def _most_rows(matching: Matching, label: int) -> Aim:
    """Return which has most of what the rows are; where each has one row, the column that counts them says it."""
    operation = matching.asked.operation
    if not matching.tells_rows_apart(label):
        return Aim(operation, None, Operation.COUNT, label, label)
    counting = matching.counting()
    if len(counting) != 1:
        raise Unfit
    return Aim(operation, counting[0], label=label, doubt=INFERRED)


def _directed(matching: Matching, aim: Aim) -> Aim:
    """The oldest by a date is the earliest, the youngest the latest."""
    if aim.target is None or matching.columns[aim.target].type is not ColumnType.DATE or matching.asked.asks.extreme not in {"oldest", "youngest"}:
        return aim
    return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)


def _timed_speed(matching: Matching, aim: Aim) -> Aim:
    """The fastest has the lowest time; by a column that is neither a time nor a speed nobody is the fastest."""
    if aim.target is None or matching.asked.asks.extreme not in SPEEDS:
        return aim
    if matching.names[aim.target] & TIMES or matching.columns[aim.target].unit in {"s", "min", "h"}:
        return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)
    if not matching.suited(matching.asked.asks.extreme) and not _tells_growth(matching, aim.target):
        raise Unfit
    return aim


def _tells_growth(matching: Matching, target: int) -> bool:
    """Return whether "grew fastest" is asked of figures that are called growth."""
    verbs = [at for at, word in enumerate(matching.words) if word.text.casefold() in GREW]
    if not verbs or not GROWTH & (matching.names[target] | matching.captioned):
        return False
    matching.takes(verbs)
    return True


def _below_zero(matching: Matching, aim: Aim) -> Aim:
    """The largest deficit of a column that holds surplus and deficit is its lowest figure."""
    lost = any(word.stem in DEFICITS for word in matching.words)
    if aim.target is None or not lost or not matching.names[aim.target] & SURPLUSES:
        return aim
    matching.notes.append(f"In “{matching.columns[aim.target].name}” a figure below zero is what is lacking.")
    return replace(aim, operation=Operation.LOWEST if aim.operation is Operation.HIGHEST else Operation.HIGHEST)


def _only_measure(matching: Matching, label: int | None) -> Aim:
    measures = matching.measures()
    if len(measures) != 1 or not is_about(matching) or matching.is_unnamed(measures[0]):
        raise Unfit
    return Aim(matching.asked.operation, measures[0], label=label, doubt=INFERRED)


def _with_groups(matching: Matching, aim: Aim) -> Aim:
    """ "The most" and "the highest total" of something that has several rows are of its rows together."""
    asked = matching.asked
    aim = _below_zero(matching, _timed_speed(matching, _directed(matching, aim)))
    if aim.label is None or aim.target is None or matching.columns[aim.target].type is ColumnType.DATE:
        return aim
    repeated = not matching.tells_rows_apart(aim.label)
    inner = asked.asks.inner or (Operation.SUM if asked.asks.most or _adds_up(matching, aim.target) else None)
    if not repeated or asked.asks.of_two:
        return aim
    if inner is None and matching.suited(asked.asks.extreme):
        name, column = (matching.columns[place].name for place in (aim.label, aim.target))
        raise Unclear(f"“{name}” has several rows each: say whether the total or the average of “{column}” is meant, or the single highest.")
    if inner is None:
        return aim
    if inner is Operation.SUM and matching.columns[aim.target].type is ColumnType.PERCENT:
        raise Unfit
    return replace(aim, inner=inner, group=aim.label)


def _adds_up(matching: Matching, target: int) -> bool:
    """Return whether the highest of something that has several rows is of its rows together: of money and pieces, not of rates, prices or degrees."""
    column = matching.columns[target]
    if matching.suited(matching.asked.asks.extreme) or matching.names[target] & RATES or column.type is ColumnType.PERCENT:
        return False
    return column.type is ColumnType.AMOUNT or bool(matching.names[target] & _ADDED)


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
    if any(matching.words[at].stem in PEOPLE for at in within):  # "which player" over "Name"
        people = [place for place in others if matching.names[place] & (PEOPLE | WHO)]
        if people:
            matching.takes(at for at in within if matching.words[at].stem in PEOPLE)
            return people[0]
    behind = counted_run(matching, asked.asks.extreme_end, set()) if asked.asks.extreme else []
    found = [each for each in matching.named(others, within=behind) if each.share == 1] if behind else []
    figures = {name for place in measures for name in matching.names[place]}
    is_by_another = bool(found) and any(matching.words[at].stem in figures for at in behind if at not in found[0].places)  # "lap time"
    if len(found) == 1 and matching.columns[found[0].place].type is ColumnType.TEXT and not is_by_another:
        matching.takes(found[0].places)
        return found[0].place
    if asked.who:
        people = [place for place in others if matching.names[place] & PEOPLE]
        if not people and not matching.names_people:
            raise Unfit  # it would be told whom only by chance
        return people[0] if people else None
    return None
