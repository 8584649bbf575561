"""Rows that stand under a heading inside their table ("Best practice scenario"), where a question names it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from agents.table_qa.row_conditions import RowCondition
from agents.table_qa.schema_linking import TableMatch
from core.language.content_words import stems
from core.table_queries import StandsWithin

NO_COLUMN = -1  # the place of a condition that is of no column
_LEADING = frozenset({"under", "within", "among", "unter"})
_ARTICLES = frozenset("the a an der die das dem den".split())
_BEHIND_ALL = 2**31 - 1  # an ordinal
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_MOST_BETWEEN = 2  # words from one figure of a range to the other: "1.0 to 1.99", "between 1.0 and 1.99"
_LONGEST_UNIT = 3  # letters


class _Block(NamedTuple):
    """Rows `first` to `last` under a heading, and the words that it is known by."""

    heading: str
    words: frozenset[str]
    first: int
    last: int


def heading_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows to those under the only heading that the question names."""
    blocks = _list_blocks(matching)
    said = {name: at for at in sorted(matching.free_places) for name in _sayings(matching.words[at].text, matching.words[at].stem)}
    named = _find_named(matching, blocks, said)
    if named is None:
        return []
    block, words = named
    places = [said[word] for word in words if word in said]
    matching.mark_explained([*places, *_find_leading(matching, places), *_find_range(matching, block)])
    return [RowCondition(NO_COLUMN, f"the row stands under “{block.heading}”", StandsWithin(block.first, block.last))]


def leaves_heading(matching: TableMatch) -> bool:
    """Return whether a word that nothing explains stands in some of the headings inside the table: rows under one of them are meant."""
    blocks = _list_blocks(matching)
    if not blocks:
        return False
    shared = frozenset.intersection(*(each.words for each in blocks))
    words = frozenset().union(*(each.words for each in blocks)) - shared - _known(matching)
    return any(not words.isdisjoint(_sayings(matching.words[at].text, matching.words[at].stem)) for at in matching.free_places)


def _known(matching: TableMatch) -> frozenset[str]:
    over = stems(" ".join([matching.candidate.table.caption, *matching.candidate.table.section]))
    return over.union(*matching.name_stems)


def _sayings(text: str, stem: str) -> tuple[str, str]:
    return stem, text.casefold()


def _find_named(matching: TableMatch, blocks: Sequence[_Block], said: Mapping[str, int]) -> tuple[_Block, frozenset[str]] | None:
    """The only block whose own words are all said: those that tell it from the blocks above it, else all in front of its brackets, of which the
    longest name is meant ("semi-medium", not "medium"), else the range inside them ("2.0 - 3.99")."""
    over = stems(" ".join([matching.candidate.table.caption, *matching.candidate.table.section]))
    ranged = [(block, frozenset[str]()) for block in blocks if _find_range(matching, block)]
    for found in (_find_by_own_words(blocks, said, over), _find_by_bare_words(blocks, said, over), ranged):
        if len(found) == 1:
            return found[0]
    return None


def _find_by_own_words(blocks: Sequence[_Block], said: Mapping[str, int], over: frozenset[str]) -> list[tuple[_Block, frozenset[str]]]:
    found = []
    for place, block in enumerate(blocks):
        shared = block.words & frozenset().union(*(each.words for each in blocks[:place]))
        own = block.words - shared - over
        found += [(block, block.words)] if own and own <= said.keys() else []
    return found


def _find_by_bare_words(blocks: Sequence[_Block], said: Mapping[str, int], over: frozenset[str]) -> list[tuple[_Block, frozenset[str]]]:
    found = [(block, words) for block in blocks if (words := _bare_words(block.heading) - over) and words <= said.keys()]
    most = max((len(words) for _, words in found), default=0)
    return [(block, words) for block, words in found if len(words) == most]


def _bare_words(heading: str) -> frozenset[str]:
    """The words in front of the brackets, each part of a compound for itself."""
    return stems(_BRACKETS.sub(" ", heading).replace("-", " "))


def _find_range(matching: TableMatch, block: _Block) -> list[int]:
    """The places of the two figures of the block's range, where the question says both, one behind the other."""
    figures = _FIGURE.findall(block.heading)
    texts = [word.text for word in matching.words]
    numbers = [at for at in range(len(texts)) if texts[at][0].isdigit()]
    pairs = [(one, other) for one, other in pairwise(numbers) if other - one <= _MOST_BETWEEN]
    found = [pair for pair in pairs if len(figures) == len(pair) and [texts[at] for at in pair] == figures]
    if not found:
        return []
    behind = found[0][1] + 1
    unit = [behind] if behind in matching.free_places and len(texts[behind]) <= _LONGEST_UNIT else []
    return [*found[0], *unit]


def _find_leading(matching: TableMatch, places: Sequence[int]) -> list[int]:
    """The words that lead to the heading's: "under the best practice scenario"."""
    before = [at - 2 if matching.words[at - 1].text.casefold() in _ARTICLES else at - 1 for at in places if at]
    return [at for at in before if at >= 0 and matching.words[at].text.casefold() in _LEADING]


def _list_blocks(matching: TableMatch) -> list[_Block]:
    """The headings of one cell with the rows below each up to the next; what stands over all columns is the heading of the rows above the first."""
    lone = [(row.ordinal, _only_cell(row.cells)) for row in matching.candidate.facts.heading_rows]
    places = [(ordinal, text) for ordinal, text in lone if text]
    if not places:
        return []
    over = " ".join(sorted(matching.candidate.titles))
    edges = [(-1, over), *places, (_BEHIND_ALL, "")]
    return [_Block(text, stems(text), at + 1, end - 1) for (at, text), (end, _) in pairwise(edges) if text and end > at + 1]


def _only_cell(cells: Sequence[str]) -> str:
    filled = set(filter(None, cells))
    return filled.pop() if len(filled) == 1 else ""
