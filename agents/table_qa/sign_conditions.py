"""Conditions that a question says by a word for what is lacking or left over ("short of rice", "lost water", "had a surplus"): figures below or above
zero in the column that holds both."""

from __future__ import annotations

import re

from agents.table_qa.operations import Operation
from agents.table_qa.row_conditions import RowCondition
from agents.table_qa.schema_linking import TableMatch
from agents.table_qa.table_question import TableQuestion
from agents.table_qa.table_vocabulary import BALANCES, DEFICITS, SURPLUSES
from agents.table_qa.time_parser import Span
from core.table_queries import ValueWithin

_BELOW = re.compile(
    r"\b(?:short\s+of|deficits?|shortfalls?|shortages?|loss(?:es)?|lost|lose|loses|lack(?:s|ed)?|defizite?|fehlbetr[aä]ge?n?|verluste?)\b", re.I
)
_ABOVE = re.compile(r"\b(?:surplus(?:es)?|profits?|gain(?:s|ed)?|überschüsse?n?|überschuss(?:es)?|gewinne?n?)\b", re.I)
_INSTEAD = re.compile(r"\b(?:instead\s+of|rather\s+than|and\s+not|but\s+not|statt|anstelle)\b[^.;?]*", re.I)
_COUNTED = frozenset({Operation.COUNT, Operation.LIST})


def sign_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict the rows that are counted or listed to those above or below zero, where the question says one of the two; a figure that is compared
    ("a deficit of more than 5") says more, and "no deficit" neither."""
    said = _find_said(matching.question)
    if said is None:
        return []
    below, match = said
    places = [place for place in matching.measures() if _holds_both(matching, place)]
    if not places or len({_rows_by_sign(matching, place) for place in places}) != 1:
        return []
    place, last = places[0], max(match.end(), *(rest.end() for rest in _INSTEAD.finditer(matching.question.text)), 0)
    matching.mark_explained(matching.places_in(Span(match.start(), last)))
    where = ValueWithin(place, high=0.0, open_high=True) if below else ValueWithin(place, low=0.0, open_low=True)
    words = f"“{matching.candidate.column_name(place)}” is {'below' if below else 'above'} 0"
    return [RowCondition(place, words, where, span=Span(*match.span()))]


def _find_said(asked: TableQuestion) -> tuple[bool, re.Match[str]] | None:
    """Return whether what is lacking is said, with the word; None where nothing of the kind is, or both."""
    text = _INSTEAD.sub(lambda rest: " " * len(rest[0]), asked.text)
    below, above = _BELOW.search(text), _ABOVE.search(text)
    said = below or above
    if said is None or (below and above) or asked.operation not in _COUNTED or asked.comparisons or asked.negation is not None:
        return None
    return below is not None, said


def _holds_both(matching: TableMatch, place: int) -> bool:
    """Return whether a column is called what is left over or lacking, and has figures of both kinds."""
    facts = matching.candidate.facts.columns[place]
    called = bool(matching.name_stems[place] & (SURPLUSES | DEFICITS | BALANCES))
    return called and facts.low is not None and facts.high is not None and facts.low < 0 < facts.high


def _rows_by_sign(matching: TableMatch, place: int) -> tuple[int, int]:
    """Equal for two columns that are below zero in the same rows."""
    texts = matching.candidate.facts.columns[place].texts
    lower = [rows for text, rows in texts.items() if _is_below_zero(text)]
    return sum(each.rows for each in lower), sum(each.rows_checksum for each in lower)


def _is_below_zero(text: str) -> bool:
    return re.match(r"\s*(?:[-−–(△▲]|.*\d-\s*$)", text) is not None and any(c in "123456789" for c in text)
