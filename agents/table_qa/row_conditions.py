"""Conditions that restrict the rows by the cells that a question names and by yes-or-no columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.table_qa.named_parts import NamedCells
from agents.table_qa.operations import Operation
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.time_parser import Span
from core.language.content_words import stems
from core.table_queries import CellIs, TableCondition, TruthIs
from core.tables import ColumnType

# "after Elver College" asks for another row than Elver College's.
_NEIGHBOUR_WORDS = re.compile(
    r"\b(?:after|before|behind|following|below|beside|next\s+to|previous\s+to|prior\s+to|than|nach|vor|hinter|unter)\s+(?:the\s+)?$", re.I
)
_NOT_BOOLEAN = re.compile(r"(?:\b(?:not|n['’]t|never|nicht)\s+(?:yet\s+)?(?:been\s+)?|\bun)$", re.I)
_ORIGIN = {
    "from": frozenset("origin from sender source start departure supplier vendor".split()),
    "to": frozenset("destination to receiver target recipient end arrival customer".split()),
}


class AmbiguousQuestion(Exception):
    """The question fits the table in two ways; the message says which."""


class UnfitTable(Exception):
    """The table does not hold what the question asks."""


@dataclass(frozen=True, slots=True)
class RowCondition:
    """`words` say it as a person reads it ("“Region” is “North”"); `place` is its column, `named` how many texts of it the question names, `several`
    whether one thing is named ("the crane") and several different cells hold its word ("Overhead crane C1", "Overhead crane C2"), `order` the cells
    as the question names them, where each is one, `phrase` whether the only cell is meant that holds several words side by side. `span` is where
    the question says it."""

    place: int
    words: str
    where: TableCondition
    exact: bool = True
    named: int = 1
    several: bool = False
    order: tuple[str, ...] = ()
    phrase: bool = False
    span: Span | None = None


def cell_conditions(matching: TableMatch, cells: Sequence[NamedCells]) -> list[RowCondition]:
    """Restrict rows by the cells that are named. Cells of one column are alternatives, those of different columns hold together. Raises
    AmbiguousQuestion where a text stands in two columns."""
    chosen: dict[int, list[NamedCells]] = {}
    last: NamedCells | None = None
    for places in sorted(dict.fromkeys(each.places for each in cells)):
        rivals = [each for each in cells if each.places == places]
        one = last = _choose_neighbour(matching, rivals, last) or _choose_column(matching, rivals)
        before = matching.question.text[: matching.words[places[0]].start]
        compares = matching.question.operation is Operation.DIFFERENCE or matching.question.request.of_two
        if _NEIGHBOUR_WORDS.search(before) and not compares:
            raise UnfitTable
        chosen.setdefault(one.place, []).append(one)
        matching.mark_explained(one.places)
    return [_cells_condition(matching, place, found) for place, found in chosen.items()]


def _choose_neighbour(matching: TableMatch, rivals: list[NamedCells], last: NamedCells | None) -> NamedCells | None:
    """The cell of the same column as the one before, where "and" or "or" joins the two: "from Bilbao and Oslo"."""
    if last is None:
        return None
    between = matching.question.text[matching.words[last.places[-1]].end : matching.words[rivals[0].places[0]].start]
    joined = re.fullmatch(r"\s*(?:,|and|or|und|oder|,\s*and|,\s*or)\s*(?:from|to|in)?\s*", between)
    return next((each for each in rivals if each.place == last.place), None) if joined else None


def _choose_column(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells:
    """Return the cells that are meant where words name cells of several columns. Raises AmbiguousQuestion."""
    if len(rivals) == 1:
        return rivals[0]
    for choose in (_choose_by_name, _choose_by_word_before, _choose_key, _choose_same_rows):
        if (chosen := choose(matching, rivals)) is not None:
            return chosen
    matching.mark_explained(rivals[0].places)
    columns = " and ".join(f"“{matching.candidate.column_name(each.place)}”" for each in rivals)
    raise AmbiguousQuestion(f"“{rivals[0].words}” stands in the columns {columns}: say which is meant.")


def _choose_by_name(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    """Those of the column that is named; "Who does Ann report to?" asks for what stands in the column that the verb names."""
    named = matching.find_named([each.place for each in rivals], within=range(len(matching.words)))
    if len(named) == 1 and not matching.question.asks_of_subject:
        return next(each for each in rivals if each.place == named[0].place)
    others = [each for each in rivals if named and each.place != named[0].place]
    return others[0] if len(others) == 1 else None


def _choose_by_word_before(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    """ "From Bilbao": of the column of origins."""
    first = rivals[0].places[0]
    lead = matching.words[first - 1].text.casefold() if first else ""
    led = [each for each in rivals if matching.name_stems[each.place] & _ORIGIN.get(lead, frozenset())]
    return led[0] if len(led) == 1 else None


def _choose_key(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    """The extension of a person is that of the row that is the person's."""
    if matching.question.operation is not Operation.LOOKUP:
        return None
    keys = [each for each in rivals if matching.tells_rows_apart(each.place)]
    return keys[0] if len(keys) == 1 else None


def _choose_same_rows(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    return rivals[0] if len({_rows_of(matching, each) for each in rivals}) == 1 else None


def _rows_of(matching: TableMatch, cells: NamedCells) -> tuple[int, int]:
    """Equal for two texts that the same rows have."""
    same = [matching.candidate.facts.columns[cells.place].texts[text] for text in cells.texts]
    return sum(each.rows for each in same), sum(each.rows_checksum for each in same)


def _cells_condition(matching: TableMatch, place: int, found: Sequence[NamedCells]) -> RowCondition:
    texts = frozenset(text for each in found for text in each.texts)
    exact = all(each.is_exact for each in found)
    named = len({each.words.casefold() for each in found})
    order = tuple(dict.fromkeys(next(iter(each.texts)) for each in found if len(each.texts) == 1))
    words = _describe_cells(matching, place, found, exact=exact)
    at = sorted(each for cells in found for each in cells.places)
    span = Span(matching.words[at[0]].start, matching.words[at[-1]].end)
    if exact:
        return RowCondition(place, words, CellIs(place, texts), exact, named, order=order, span=span)
    singular = not any(matching.words[each.places[-1]].text.casefold().endswith("s") for each in found)
    phrase = len(texts) == 1 and all(len(each.places) > 1 for each in found)
    several = singular and len(texts) > len(found)
    return RowCondition(place, words, CellIs(place, texts), exact, named, several=several, order=order, phrase=phrase, span=span)


def _describe_cells(matching: TableMatch, place: int, found: Sequence[NamedCells], *, exact: bool) -> str:
    shown = " or ".join(dict.fromkeys(f"“{min(each.texts) if each.is_exact else each.words}”" for each in found))
    called = "the row" if matching.is_unnamed(place) else f"“{matching.candidate.column_name(place)}”"
    return f"{called} {'is' if exact else 'holds'} {shown}"


def boolean_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by yes-or-no columns that the question names: "paid", "not paid", "unpaid"."""
    found = []
    for place in matching.columns_of_type(ColumnType.BOOLEAN):
        others = (names for other, names in enumerate(matching.name_stems) if other != place)
        wanted = matching.name_stems[place].difference(*others)  # a word that several columns have names none of them
        for at in sorted(matching.free_places):
            word = matching.words[at]
            negated = word.text.casefold().startswith("un") and bool(stems(word.text[2:]) & wanted)
            if word.stem in wanted or negated:
                says = not (negated or _NOT_BOOLEAN.search(matching.question.text[: word.start]))
                name = matching.candidate.column_name(place)
                found.append(RowCondition(place, f"“{name}” is {'yes' if says else 'no'}", TruthIs(place, says), span=Span(word.start, word.end)))
                matching.mark_explained([at])
                break
    return found


def unlike_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by the opposite of a cell: "unpaid" where a status is "paid"."""
    found = []
    for at in sorted(matching.free_places):
        word = matching.words[at]
        bare = word.text.casefold().removeprefix("un")
        cells = [(place, cell) for place in matching.columns_of_type(ColumnType.TEXT) for cell in matching.candidate.facts.columns[place].texts]
        named = [(place, cell) for place, cell in cells if bare != word.text.casefold() and cell.strip().casefold() == bare]
        if len(named) == 1:
            ((place, cell),) = named
            words = f"“{matching.candidate.column_name(place)}” is not “{cell}”"
            found.append(RowCondition(place, words, CellIs(place, frozenset({cell}), negated=True), exact=False, phrase=True))
            matching.mark_explained([at])
    return found
