"""Drafts of a plan before the table's rows are chosen: the operation and the column, as far as the question names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.table_qa.column_choice import prefer_actual
from agents.table_qa.named_parts import NamedColumn
from agents.table_qa.operations import Operation
from agents.table_qa.row_conditions import AmbiguousQuestion
from agents.table_qa.schema_linking import TableMatch
from core.language.stems import stem
from core.table_queries import GroupPart

# What is taken from a confidence of 1 for a column that is named in part or not at all.
PARTIAL_NAME_DOUBT, INFERRED_COLUMN_DOUBT = 0.1, 0.15
ROW_WORDS = frozenset(stem(word) for word in "row entry entries record line".split())


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """A plan before its conditions are known. `other` is a second column that the first is set against; `doubt` is taken from the confidence."""

    operation: Operation
    target: int | None = None
    inner: Operation | None = None
    other: int | None = None
    group: int | None = None
    label: int | None = None
    distinct: bool = False
    doubt: float = 0.0
    named: int = 0
    part: GroupPart = GroupPart.CELL


def only_column(matching: TableMatch, found: Sequence[NamedColumn], what: str) -> NamedColumn | None:
    """Return the only column found; None for none. Raises AmbiguousQuestion where several columns fit equally; of a plan and what came of it that is
    meant."""
    if len(found) > 1:
        found = prefer_actual(matching, found)
    if len(found) > 1:
        names = " and ".join(f"“{each.column.name}”" for each in found[:4])
        raise AmbiguousQuestion(f"{'Two' if len(found) == 2 else len(found)} columns fit “{what}” equally: {names}. Say which is meant.")
    if found:
        matching.mark_explained(found[0].places)
    return found[0] if found else None


def naming_words(matching: TableMatch, found: Sequence[NamedColumn]) -> str:
    """Return the question's words that name the columns, else its superlative."""
    return (" ".join(matching.words[at].text for at in found[0].places) if found else "") or matching.question.request.extreme


def doubt_of(named: NamedColumn) -> float:
    """Return what a column that is named in part takes from the confidence."""
    return 0.0 if named.share == 1 or named.implied else PARTIAL_NAME_DOUBT


def basic_columns(matching: TableMatch, found: list[NamedColumn]) -> list[NamedColumn]:
    chosen = matching.find_basic([each.place for each in found]) if len(found) > 1 else [each.place for each in found]
    return [each for each in found if each.place in chosen]


def is_about(matching: TableMatch) -> bool:
    """Return whether the question names the table."""
    return any(matching.words[at].stem in matching.context_stems for at in matching.free_places)


def total_columns(matching: TableMatch, measures: Sequence[int]) -> list[NamedColumn]:
    """Return the column that is only called a total, where a total is asked for."""
    found = [place for place in measures if matching.name_stems[place] <= matching.computing_stems]
    return [NamedColumn(place, matching.columns[place], 1.0, ()) for place in found]


def names_rows(matching: TableMatch, within: Sequence[int]) -> bool:
    """Return whether what there are most of is what the rows are: the table is called so, or its identifiers."""
    named = {name for place, names in enumerate(matching.name_stems) if place not in matching.measures() for name in names}
    known = [at for at in within if at in matching.free_places and matching.words[at].stem in matching.context_stems | named | ROW_WORDS]
    matching.mark_explained(known)
    return bool(known)


def names_column(matching: TableMatch, within: Sequence[int], place: int) -> bool:
    """Return whether one of these words is a word of the column's name."""
    return any(matching.words[at].stem in matching.name_stems[place] for at in within)
