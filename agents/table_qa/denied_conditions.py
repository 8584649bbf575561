"""What a question leaves out: "not from Germany", "no driver", "have not done first aid", "excluding air".

Which vehicles have no driver?          -> rows whose cell under "Driver" is empty
Which orders are not from Germany?      -> rows whose country is another
Which employees have not done first aid? -> employees without any such row
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import PlanDraft
from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import NUMERIC, TableMatch
from agents.table_qa.time_parser import Span
from core.table_queries import CellIs, FigureExceeds, HasNoValue, TruthIs, ValueWithin

_OF_ALL_ROWS = re.compile(
    r"(?:\b(?:no|never|without|kein\w*|nie|ohne)$|\b(?:have|has|had|did|do|does|hat|haben|hatte\w*)\s*(?:not|n['’]t|nicht)$)", re.I
)
_WORDS_OF_A_COLUMN = 3  # words behind "no" that may name a column
_LEAST_PREFIX = 5  # letters that a word of a heading and one of the question share: "approval" and "Approved by"


def leave_out(matching: TableMatch, conditions: Sequence[RowCondition], aim: PlanDraft) -> tuple[list[RowCondition], RowCondition | None]:
    """Return the conditions with what the question denies turned round, and a condition that no row of what is listed may fulfil, if one is meant.
    Raises UnfitTable where it denies what the table does not hold: the opposite would be told."""
    said = matching.question.negation
    if said is None or any(each.span is not None and each.span.meets(said) for each in conditions):
        return list(conditions), None
    matching.mark_explained(matching.places_in(said))
    behind = [each for each in conditions if each.span is not None and each.span.start >= said.end]
    empty = _empty_cells(matching, said, needs_some=bool(behind))
    if empty is not None:
        return [*conditions, empty], None
    if not behind:
        raise UnfitTable
    denied = min(behind, key=lambda each: each.span or said)
    rest = [each for each in conditions if each is not denied]
    if _is_of_all_rows(matching, aim, denied, said):
        return rest, denied
    return [*rest, _turn_round(denied)], None


def _empty_cells(matching: TableMatch, said: Span, *, needs_some: bool) -> RowCondition | None:
    """The empty cells of the column named right behind "no"; of figures those of zero where none is empty. `needs_some`: only where some are."""
    run = _words_behind(matching, said)
    place = _column_of(matching, run) if run else None
    if place is None:
        return None
    is_empty = _has_empty_cells(matching, place)
    is_zero = not is_empty and _has_zeros(matching, place)
    if needs_some and not (is_empty or is_zero):
        return None
    matching.mark_explained(at for at in run if at == run[0] or matching.words[at].stem in matching.name_stems[place])
    where = ValueWithin(place, 0, 0) if is_zero else HasNoValue(place)
    return RowCondition(place, f"“{matching.candidate.column_name(place)}” is {'0' if is_zero else 'empty'}", where, span=said)


def _words_behind(matching: TableMatch, said: Span) -> list[int]:
    """The next words, where nothing has explained the first of them."""
    run = [at for at, word in enumerate(matching.words) if word.start >= said.end and not word.is_plain][:_WORDS_OF_A_COLUMN]
    return run if run and run[0] in matching.free_places else []


def _column_of(matching: TableMatch, run: Sequence[int]) -> int | None:
    named = matching.find_named(range(len(matching.columns)), within=[at for at in run if at in matching.free_places])
    places = [each.place for each in named] or _columns_like(matching, run[0])
    return places[0] if len(places) == 1 else None


def _has_empty_cells(matching: TableMatch, place: int) -> bool:
    return matching.candidate.facts.columns[place].values < matching.candidate.facts.rows


def _has_zeros(matching: TableMatch, place: int) -> bool:
    facts = matching.candidate.facts.columns[place]
    return matching.columns[place].type in NUMERIC and facts.low is not None and facts.high is not None and facts.low <= 0 <= facts.high


def _columns_like(matching: TableMatch, at: int) -> list[int]:
    begins = matching.words[at].text.casefold()[:_LEAST_PREFIX]
    names = [matching.candidate.column_name(place).casefold().split() for place in range(len(matching.columns))]
    return [place for place, words in enumerate(names) if len(begins) == _LEAST_PREFIX and any(word.startswith(begins) for word in words)]


def _is_of_all_rows(matching: TableMatch, aim: PlanDraft, denied: RowCondition, said: Span) -> bool:
    """Return whether none of several rows may fulfil it: "customers with no late shipment" have other rows."""
    lists = aim.operation is Operation.LIST or (aim.operation is Operation.COUNT and aim.distinct)
    by = aim.label if aim.operation is Operation.LIST else aim.target
    if not lists or by is None or by == denied.place or matching.tells_rows_apart(by):
        return False
    before = matching.question.text[: said.end]
    return _OF_ALL_ROWS.search(before) is not None and not (isinstance(denied.where, TruthIs) and re.search(r"(?:not|n['’]t|nicht)$", before))


def _turn_round(denied: RowCondition) -> RowCondition:
    where, words = denied.where, denied.words
    match where:
        case CellIs():
            words = re.sub(r"” (is|holds) “", lambda verb: "” is not “" if verb[1] == "is" else "” does not hold “", words, count=1)
            return replace(denied, words=words, where=replace(where, negated=True), exact=False, phrase=True, named=1)
        case TruthIs():
            return replace(denied, words=re.sub(r" is yes$", " is no", words), where=replace(where, value=False))
        case ValueWithin(column, low, high, open_low, open_high) if (low is None) != (high is None):
            return replace(denied, words=words.replace("” is ", "” is not ", 1), where=ValueWithin(column, high, low, not open_high, not open_low))
        case FigureExceeds(column, other, or_equal):
            return replace(denied, words=words.replace("” is ", "” is not ", 1), where=FigureExceeds(other, column, not or_equal))
        case _:
            raise UnfitTable
