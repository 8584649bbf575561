"""Tables in which each thing has a row of numbers and one of shares ("Anxiety | Count | 81", "Anxiety | Percentage | 16.4%"): which of the two a
question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.table_qa.named_parts import NamedColumn
from agents.table_qa.operations import Operation
from agents.table_qa.plan_drafts import PlanDraft
from agents.table_qa.row_conditions import RowCondition, UnfitTable
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.time_parser import Span
from core.table_queries import CellIs
from core.tables import ColumnType

_COUNT = re.compile(r"\W*(?:counts?|numbers?|no\.?|n|anzahl|number\s+of\s+\w+)\W*", re.I)
_SHARE = re.compile(r"\W*(?:percentages?|per\s?cent|pct\.?|%|shares?|prozent|anteil)\W*", re.I)
_ASKS_SHARE = re.compile(r"\b(?:percentage|per\s?cent|share|proportion|prozent(?:satz)?|anteil)\b|%", re.I)
_DENIED = re.compile(r"\b(?:not|no|nicht|rather\s+than|instead\s+of)\s+(?:the\s+|a\s+|die\s+|der\s+|den\s+)?$", re.I)
_MEASURES = 2


def measure_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict the rows to those of numbers for "how many", and to those of shares for "what percentage"; words in brackets that say which
    ("the count, not the percentage") are of no other cell."""
    place = find_measure_column(matching)
    asks_count = matching.question.operation is Operation.COUNT
    if place is None or matching.question.operation not in {Operation.COUNT, Operation.LOOKUP}:
        return []
    text = matching.question.text
    denied = [(lead, match) for match in _ASKS_SHARE.finditer(text) if (lead := _DENIED.search(text[: match.start()])) is not None]
    share = len(list(_ASKS_SHARE.finditer(text))) > len(denied)
    if not (share or asks_count):
        return []
    wanted = _SHARE if share else _COUNT
    texts = frozenset(text for text in matching.candidate.facts.columns[place].texts if wanted.fullmatch(text))
    measuring = [at for at, word in enumerate(matching.words) if _COUNT.fullmatch(word.text) or _SHARE.fullmatch(word.text)]
    matching.mark_explained(measuring)
    name = matching.candidate.column_name(place)
    span = Span(denied[0][0].start(), denied[0][1].end()) if denied else None
    return [RowCondition(place, f"“{name}” is “{min(texts)}”", CellIs(place, texts), span=span)]


def find_measure_column(matching: TableMatch) -> int | None:
    """The column of texts that only say whether the row has a number or a share."""
    for place in matching.columns_of_type(ColumnType.TEXT):
        texts = [text for text in matching.candidate.facts.columns[place].texts if text.strip()]
        counts, shares = sum(map(_is_count, texts)), sum(map(_is_share, texts))
        if len(texts) == _MEASURES and counts == shares == 1:
            return place
    return None


def _is_count(text: str) -> bool:
    return _COUNT.fullmatch(text) is not None


def _is_share(text: str) -> bool:
    return _SHARE.fullmatch(text) is not None


def draft_measured_cell(matching: TableMatch, conditions: Sequence[RowCondition]) -> PlanDraft | None:
    """The cell of the row of numbers, under the column that the words behind "how many" name, else those before them; None for other tables.
    Raises UnfitTable where no row or no column is named: its rows are none of the things."""
    measure = find_measure_column(matching)
    if measure is None or not any(each.place == measure for each in conditions):
        return None
    if sum(each.place != measure and _names_one_thing(each) for each in conditions) != 1:
        raise UnfitTable
    among = [place for place in range(len(matching.columns)) if place not in {each.place for each in conditions}]
    named = _find_measured_column(matching, among)
    if named is None:
        raise UnfitTable
    matching.mark_explained([*named.places, *_find_names_before(matching, among)])
    return PlanDraft(Operation.LOOKUP, named.place, named=len(named.places))


def _find_names_before(matching: TableMatch, among: Sequence[int]) -> list[int]:
    """The words in front of "how many" that name another column: "among those who suffered from …"."""
    start = matching.question.request.counted_start or 0
    stems = frozenset().union(*(matching.name_stems[place] for place in among))
    return [at for at in matching.free_places if matching.words[at].start < start and matching.words[at].stem in stems]


def _find_measured_column(matching: TableMatch, among: Sequence[int]) -> NamedColumn | None:
    """The only column whose whole name is said behind "how many", else anywhere."""
    start, free = matching.question.request.counted_start or 0, sorted(matching.free_places)
    for within in ([at for at in free if matching.words[at].start >= start], free):
        named = [each for each in matching.find_named(among, within=within) if each.share == 1]
        if named:
            return named[0] if len(named) == 1 else None
    return None


def _names_one_thing(condition: RowCondition) -> bool:
    return isinstance(condition.where, CellIs) and condition.exact and condition.named == 1
