"""The two columns of figures that a question sets against each other, and the rows in which one is above the other."""

from __future__ import annotations

from collections.abc import Sequence

from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import PlanDraft
from agents.table_qa.relation_parser import RelationQuestion
from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_vocabulary import ACTUAL, BUDGETS, PLANNED, TIME_STEMS
from core.language.content_words import stems
from core.table_queries import FigureExceeds

_WORDS_OF_A_COLUMN = 3  # words behind "below the" that may name a column


def relation_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows to those in which one column is above or below another. Raises UnfitTable where the table has no two such columns."""
    asked = matching.question.request.relation
    if asked is None or matching.question.operation is Operation.DIFFERENCE:
        return []
    first, other = _two_columns(matching, asked)
    name, by = matching.candidate.column_name(first), matching.candidate.column_name(other)
    where = FigureExceeds(first, other) if asked.is_above else FigureExceeds(other, first, asked.or_equal)
    word = "above" if asked.is_above else "not above" if asked.or_equal else "below"
    return [RowCondition(first, f"“{name}” is {word} “{by}”", where, span=asked.span)]


def draft_relation(matching: TableMatch, asked: RelationQuestion) -> PlanDraft:
    """How far the two columns are apart in the row that the question names."""
    first, other = _two_columns(matching, asked)
    return PlanDraft(Operation.DIFFERENCE, first, other=other, named=2)


def _two_columns(matching: TableMatch, asked: RelationQuestion) -> tuple[int, int]:
    measures = matching.measures()
    other = _only(_planned_columns(matching, measures) if asked.other is None else _named_in(matching, _run_in(matching, asked), measures))
    rest = [place for place in measures if place != other and _are_alike(matching, place, other)]
    first = _only(_named_in(matching, matching.places_in(asked.one), rest) if asked.one is not None else _partners(matching, other, rest))
    said = matching.name_stems[first] | matching.name_stems[other]
    places = [at for at, word in enumerate(matching.words) if said & set(matching.stems_at(at)) or word.stem in PLANNED | ACTUAL]
    matching.mark_explained(places)
    note_other_times(matching, first, other)
    return first, other


def note_other_times(matching: TableMatch, first: int, other: int) -> None:
    """Note that two columns are of different times by their names, which nobody asked for: "Budget 2026", "Actual Jan to Sep"."""
    asked = frozenset(word.stem for word in matching.words)
    one, two = ((matching.name_stems[place] & TIME_STEMS) - asked for place in (first, other))
    if one != two:
        names = " and ".join(f"“{matching.candidate.column_name(place)}”" for place in (first, other))
        matching.notes.append(f"{names} may be of different times.")


def are_of_other_times(one: str, other: str) -> bool:
    """Return whether two columns are of different times by their names."""
    return stems(one) & TIME_STEMS != stems(other) & TIME_STEMS


def _only(places: Sequence[int]) -> int:
    if len(places) != 1:
        raise UnfitTable
    return places[0]


def _run_in(matching: TableMatch, asked: RelationQuestion) -> list[int]:
    """The words that name the column: of two sides all, behind "below the" those that follow at once."""
    places = matching.places_in(asked.other)
    if asked.one is not None:
        return places
    ends = next((number for number, at in enumerate(places) if matching.words[at].is_plain), len(places))
    return places[: min(ends, _WORDS_OF_A_COLUMN)]


def _named_in(matching: TableMatch, within: Sequence[int], among: Sequence[int]) -> list[int]:
    """Of the columns that the words name best those of which the whole question names most."""
    free = [at for at in within if at in matching.free_places]
    found = [each.place for each in matching.find_named(among, within=free)] if free else []
    if not found and any(matching.words[at].stem in PLANNED for at in free):
        found = _planned_columns(matching, among)
    return _most_named(matching, found)


def _most_named(matching: TableMatch, places: Sequence[int]) -> list[int]:
    said = {stem for at in range(len(matching.words)) for stem in matching.stems_at(at)}
    named = {place: len(matching.name_stems[place] & said) for place in places}
    return [place for place in places if named[place] == max(named.values())]


def _planned_columns(matching: TableMatch, among: Sequence[int]) -> list[int]:
    planned = [place for place in among if matching.name_stems[place] & PLANNED]
    allowed = [place for place in planned if matching.name_stems[place] & BUDGETS]
    return _most_named(matching, allowed or planned)


def _partners(matching: TableMatch, other: int, rest: Sequence[int]) -> Sequence[int]:
    """The column that is measured by another: the one that the question names beside it, what came of a plan, or the only one there is."""
    own = matching.name_stems[other]
    named = [place for place in _named_beside(matching, rest) if matching.name_stems[place] - own - ACTUAL]
    if len(named) == 1:
        return named
    actual = [place for place in rest if matching.name_stems[place] & ACTUAL]
    same = [place for place in actual if matching.name_stems[place] - ACTUAL == own - PLANNED]
    return same or actual or (rest if own & PLANNED or len(rest) == 1 else [])


def _named_beside(matching: TableMatch, among: Sequence[int]) -> list[int]:
    """The columns that other words of the question name for the most part, or that those behind name."""
    asked = matching.question.request.relation
    spent = _run_in(matching, asked) if asked is not None else []
    beside = [at for at in sorted(matching.free_places) if at not in spent]
    behind = [at for at in beside if spent and at > spent[0]]
    mostly = [each.place for each in matching.find_named(among, within=beside) if each.share > 0.5]
    return mostly or [each.place for each in matching.find_named(among, within=behind)]


def _are_alike(matching: TableMatch, one: int, other: int) -> bool:
    first, second = matching.columns[one], matching.columns[other]
    return first.unit == second.unit and (first.type is second.type or not first.unit)


def meets_relation(asked: RelationQuestion, figure: float, other: float) -> bool:
    """Return whether the figure is above or below the other, as the question asks."""
    if asked.is_above:
        return figure > other
    return figure <= other if asked.or_equal else figure < other
