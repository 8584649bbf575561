"""Rows whose share is all or nothing, as a question says it: "every case was imported" is 100 under "Imported (%)"."""

from __future__ import annotations

import re

from agents.table_qa.named_parts import NamedColumn
from agents.table_qa.operations import Operation
from agents.table_qa.row_conditions import RowCondition
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.time_parser import Span
from core.table_queries import ValueWithin
from core.tables import ColumnType

_WHOLE = re.compile(
    r"\b(?:every(?:\s+(?:one|single\s+one))?|each(?:\s+one)?|all|100\s?(?:%|per\s?cent)|jede[rnms]?|alle|sämtliche)\b(?:\s+(?:of|der|von)\b)?", re.I
)
_WITHOUT = re.compile(r"\b(?:none|not\s+one|not\s+a\s+single|keine[rnms]?)\b(?:\s+(?:of|der|von)\b)?", re.I)
_LEAST_SHARES = 2  # columns of shares that make a whole together
_COUNTED = frozenset({Operation.COUNT, Operation.LIST})
_EVERY_ROW = re.compile(r"\W*(?:all|alle|list\s+all|show\s+all)\b", re.I)


def whole_share_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict the rows that are counted or listed to those of which all, or none, is what one of several columns of shares is called."""
    asked = matching.question
    said = _find_said(asked.text, asked.request.counted_start or 0)
    if said is None or asked.operation not in _COUNTED or asked.comparisons or asked.negation is not None:
        return []
    whole, start, end = said
    found = _find_shares(matching, end)
    if len(found) != 1 or not _reaches_whole(matching, found[0].place, whole=whole):
        return []
    matching.mark_explained(found[0].places)
    place, bound = found[0].place, 100.0 if whole else 0.0
    words = f"“{matching.candidate.column_name(place)}” is {bound:.0f}"
    return [RowCondition(place, words, ValueWithin(place, bound, bound), span=Span(start, max(matching.words[at].end for at in found[0].places)))]


def _find_shares(matching: TableMatch, start: int) -> list[NamedColumn]:
    """Columns of shares that stand side by side and are called wholly behind `start`."""
    shares = matching.columns_of_type(ColumnType.PERCENT)
    within = [at for at in sorted(matching.free_places) if matching.words[at].start >= start]
    return [each for each in matching.find_named(shares, within=within) if each.share == 1] if len(shares) >= _LEAST_SHARES else []


def _find_said(text: str, counted: int) -> tuple[bool, int, int] | None:
    """Return whether all or none is said, and where; what is counted or listed itself is no part of a whole ("list all countries", "how many of all
    countries")."""
    opening = _EVERY_ROW.match(text)
    for pattern, whole in ((_WITHOUT, False), (_WHOLE, True)):
        match = pattern.search(text, opening.end() if opening is not None else 0)
        if match is not None and text[min(counted, match.start()) : match.start()].strip() not in {"of", "of the", "von"}:
            return whole, match.start(), match.end()
    return None


def _reaches_whole(matching: TableMatch, place: int, *, whole: bool) -> bool:
    """Return whether the shares are of a hundred, and no fractions of one."""
    high = matching.candidate.facts.columns[place].high
    return high is not None and (not whole or 1.0 < high <= 100.0)
