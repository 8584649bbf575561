"""How many rows a question says that it adds up: "the two hotel stays"."""

from __future__ import annotations

import re
from typing import NamedTuple

from agents.table_qa.time_parser import Span
from core.language.numbers import number_words
from core.language.word_files import join_alternatives
from core.table_queries import QueryResult

_NUMBERS = number_words("en", "de", least=2, most=10)
# The last word before one of these is the noun: "the two new reach trucks for Quay 7".
_BEHIND_NOUN = r"for|in|of|on|at|from|to|by|with|under|during|and|together|cost|was|were|are|is|did|für|von|im|in|am|an|bei|auf|aus|mit|zusammen"
_SAID_NUMBER = re.compile(
    rf"\b(?:the|these|those|all|die|alle)\s+(?P<number>{join_alternatives(_NUMBERS)})\s+(?=[^\W\d_])"
    rf"(?:(?:[^\W\d_][\w-]*\s+){{0,3}}?(?P<noun>[^\W\d_][\w-]*)(?=\s+(?:{_BEHIND_NOUN})\b|\s*[?.,;]|\s*$))?",
    re.I,
)


class SaidRows(NamedTuple):
    """`number` rows of a `noun`, as the question has it; "" where that cannot be told. `span` is where the number stands."""

    number: int
    span: Span
    noun: str

    def are(self, found: QueryResult) -> bool:
        """Return whether they are the rows that were found: as many, or one that is called the same in the plural ("Reach trucks, Quay 7")."""
        if found.filled_rows != 1:
            return found.filled_rows == self.number
        plural = re.compile(rf"\b{re.escape(self.noun)}\b", re.I)
        return bool(self.noun) and any(plural.search(cell) for row in found.rows for cell in row.cells)


def find_said_rows(text: str) -> SaidRows | None:
    """Return the rows that a question says it adds up; None where it does not say how many."""
    found = _SAID_NUMBER.search(text)
    if found is None:
        return None
    return SaidRows(_NUMBERS[found["number"].casefold()], Span(*found.span("number")), found["noun"] or "")
