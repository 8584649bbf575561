"""The words of columns' names and of cells, as questions are matched with them."""

from __future__ import annotations

import re

from agents.table_qa.table_question import words_of
from core.language.content_words import stems
from core.language.stems import stem
from core.tables import Column

_CAMEL_CASE = re.compile(r"(?<=[a-zäöü])(?=[A-ZÄÖÜ])")  # "unitPrice" is two words
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_UNIT_TAIL = re.compile(r"(?:,|\s[-–]|\sin)\s+([^›]{1,24})$", re.I)
LONGEST_CELL = 120  # characters


def column_stems(column: Column) -> frozenset[str]:
    """Return the words of a column's name by their stems, without its unit and without what stands in brackets, where something is left."""
    unit = stems(column.unit) | {word.casefold() for word in column.unit.split()}
    name = _CAMEL_CASE.sub(" ", column.name.replace("_", " "))
    bare = _BRACKETS.sub(" ", name)
    tail = _UNIT_TAIL.search(bare) if column.unit else None
    if tail and (set(tail[1].casefold().split()) & unit or any(sign in tail[1] for sign in "$€£¥%")):
        bare = bare[: tail.start()]
    found = stems_of_name(bare) - unit
    return found or (stems_of_name(name) - unit) or stems_of_name(name) or frozenset({column.name.casefold()})


def stems_of_name(name: str) -> frozenset[str]:
    """Return the stems of a name's words."""
    return frozenset(word.stem for word in words_of(name) if not word.is_plain)


def tokens_of(cell: str) -> tuple[str, ...]:
    """Return the words of a cell in lower case."""
    return tuple(word.text.casefold() for word in words_of(cell[:LONGEST_CELL]))


def is_same(asked: str, token: str) -> bool:
    """Return whether a word of a question and a word of a cell are the same but for their endings."""
    return asked == token or (len(token) > 3 and stem(asked) == stem(token))
