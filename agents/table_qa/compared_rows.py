"""The two rows that a question sets apart in more words than their names: "more cases tied to an intimate relationship than to retaliation"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.table_qa.heading_words import stems_of_name
from agents.table_qa.operations import Operation
from agents.table_qa.row_conditions import RowCondition
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.time_parser import Span
from core.table_queries import CellIs
from core.tables import ColumnType

_LEAST_SHARED = 2  # words of a cell that a side says, unless it has but one
_LEAST_SHARE = 0.6  # of a cell's words
_MOST_CELLS = 200
_LEADS = frozenset("to by with from in on of for through".split())


def compared_row_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict the rows to the two whose names the two sides of a difference hold nearly; none where cells are named letter by letter, or where a
    side could be another row."""
    apart = matching.question.request.difference
    if apart is None or matching.question.operation is not Operation.DIFFERENCE or any(each.is_exact for each in matching.find_cells()):
        return []
    found = []
    for place in matching.columns_of_type(ColumnType.TEXT):
        if not matching.tells_rows_apart(place) or len(matching.candidate.facts.columns[place].texts) > _MOST_CELLS:
            continue
        first, second = (_find_cell(matching, place, side) for side in apart.sides)
        if first is not None and second is not None and first[0] != second[0]:
            found.append((place, first, second))
    if len(found) != 1:
        return []
    place, (one, ones), (other, others) = found[0]
    places = sorted({*ones, *others})
    matching.mark_explained([*places, *_verbs_before(matching, [*ones, *others])])
    words = f"“{matching.candidate.column_name(place)}” is “{one}” or “{other}”"
    span = Span(matching.words[places[0]].start, matching.words[places[-1]].end)
    return [RowCondition(place, words, CellIs(place, frozenset({one, other})), exact=False, named=2, order=(one, other), phrase=True, span=span)]


def _find_cell(matching: TableMatch, place: int, side: Span) -> tuple[str, list[int]] | None:
    """The only cell that shares most words with a side, with the places of these."""
    said = {matching.words[at].stem: at for at in matching.places_in(side) if at in matching.free_places}
    shared = {cell: stems_of_name(cell) & said.keys() for cell in matching.candidate.facts.columns[place].texts if cell.strip()}
    near = {cell: words for cell, words in shared.items() if _is_near(cell, words)}
    most = max(map(len, near.values()), default=0)
    best = [cell for cell, words in near.items() if len(words) == most]
    rivals = [cell for cell, words in shared.items() if len(words) >= most and cell not in best]
    return (best[0], [said[word] for word in near[best[0]]]) if len(best) == 1 and not rivals else None


def _is_near(cell: str, words: frozenset[str]) -> bool:
    return len(words) >= max(_LEAST_SHARED, _LEAST_SHARE * len(stems_of_name(cell)))


def _verbs_before(matching: TableMatch, places: Sequence[int]) -> list[int]:
    """The participles that lead to what is named: "tied to", "caused by"."""
    found = []
    for at, word in enumerate(matching.words[:-1]):
        leads = matching.words[at + 1].text.casefold() in _LEADS and re.fullmatch(r"[a-z]+ed", word.text) is not None
        if leads and any(at < place <= at + 4 for place in places):
            found.append(at)
    return found
