"""The words of columns' names and of cells, as questions are matched with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set

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


def holds_run(tokens: tuple[str, ...], said: tuple[str, ...]) -> bool:
    """Return whether a cell that is longer than `said` holds those stems one behind the other."""
    found = tuple(stem(token) for token in tokens) if len(tokens) > len(said) else ()
    return any(found[at : at + len(said)] == said for at in range(len(found) - len(said) + 1))


def holds_all(tokens: tuple[str, ...], said: tuple[str, ...]) -> bool:
    """Return whether a cell has all of those stems, in any order: "Bain, J Matthew" of "Matthew Bain"."""
    return set(said) <= {stem(token) for token in tokens}


def cells_by_word(cells: Mapping[tuple[str, ...], set[str]], asked: Set[str]) -> dict[str, set[str]]:
    """Return the cells of several words by those of their words that are asked for. `cells` has them by their words."""
    found: dict[str, set[str]] = {}
    for tokens, texts in cells.items():
        for token in tokens if len(tokens) > 1 else ():
            if token in asked:
                found.setdefault(token, set()).update(texts)
    return found


def is_same(asked: str, token: str) -> bool:
    """Return whether a word of a question and a word of a cell are the same but for their endings."""
    return asked == token or (len(token) > 3 and stem(asked) == stem(token))


def leaves_only_year(said: str, cells: Set[str]) -> bool:
    """Return whether one cell holds what is said and a year behind it: "September 2026" is meant by "September" where no other year has one."""
    return len(cells) == 1 and re.fullmatch(rf"{re.escape(said)}\W+(?:19|20)\d\d", next(iter(cells)).strip(), re.IGNORECASE) is not None
