"""Rows that stand under a heading inside their table ("Best practice scenario"), where a question names it."""

from __future__ import annotations

from collections.abc import Sequence
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


class _Block(NamedTuple):
    """Rows `first` to `last` under a heading, and the words that it is known by."""

    heading: str
    words: frozenset[str]
    first: int
    last: int


def heading_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows to those under the only heading whose own words the question says all."""
    blocks = _list_blocks(matching)
    said = {matching.words[at].stem: at for at in sorted(matching.free_places)}
    shared = [name for place, block in enumerate(blocks) for name in block.words & frozenset().union(*(each.words for each in blocks[:place]))]
    over = stems(" ".join([matching.candidate.table.caption, *matching.candidate.table.section]))
    own = [block.words - frozenset(shared) - over for block in blocks]
    named = [place for place, words in enumerate(own) if words and words <= said.keys()]
    if len(named) != 1:
        return []
    block = blocks[named[0]]
    places = [said[word] for word in block.words & said.keys()]
    matching.mark_explained([*places, *_find_leading(matching, places)])
    return [RowCondition(NO_COLUMN, f"the row stands under “{block.heading}”", StandsWithin(block.first, block.last))]


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
