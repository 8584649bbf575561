"""The office that leads what "who is in charge of" names: "Warehouse Manager" for the warehouse, and not its deputy."""

from __future__ import annotations

from collections.abc import Iterable, Set

from agents.table_qa.heading_words import tokens_of
from agents.table_qa.row_conditions import RowCondition
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.time_parser import Span
from core.language.office_wording import LEADERS, WHO_LEADS
from core.language.stems import stem
from core.table_queries import CellIs
from core.tables import ColumnType


def office_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows to the only office of a column that leads the thing."""
    asked = WHO_LEADS.match(matching.question.text)
    span = Span(*asked.span("thing")) if asked is not None else None
    wanted = {matching.words[at].stem for at in matching.places_in(span) if at in matching.free_places}
    for place in matching.columns_of_type(ColumnType.TEXT) if wanted else []:
        found = _leading_offices(matching.candidate.facts.columns[place].texts, wanted)
        if len(found) == 1:
            matching.mark_explained(range(len(matching.words)))  # the form of the question is known from its first word to its last
            words = f"“{matching.candidate.column_name(place)}” is “{found[0]}”"
            return [RowCondition(place, words, CellIs(place, frozenset(found)), span=span)]
    return []


def _leading_offices(cells: Iterable[str], wanted: Set[str]) -> list[str]:
    """The offices of the thing alone, else all that name it: up to their first comma, behind which a place may stand."""
    words = {cell: {stem(word) for word in tokens_of(cell.split(",", maxsplit=1)[0])} for cell in cells}
    leading = [cell for cell, each in words.items() if wanted < each and each & LEADERS]
    return [cell for cell in leading if words[cell] - wanted <= LEADERS] or leading
