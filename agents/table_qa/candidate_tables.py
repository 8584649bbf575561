"""A table as questions are matched with it: its columns' own names, and what its document is called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from core.language.content_words import stems
from core.table_queries import TableFacts
from core.tables import StoredTable

LEVEL_SEPARATOR = " › "  # between the levels of a heading, as the readers of files write it


@dataclass(frozen=True)
class CandidateTable:
    """A table with what its columns hold and what its document is called; `is_only_table`: the document has no other, so that its name is the
    table's. `surroundings` is the text that stands around it, `document_text` all of its document's."""

    table: StoredTable
    facts: TableFacts
    filename: str = ""
    title: str = ""
    is_only_table: bool = True
    surroundings: str = ""
    document_text: str = ""

    @property
    def display_name(self) -> str:
        return self.table.caption or self.filename

    @cached_property
    def titles(self) -> frozenset[str]:
        """Levels that stand over all columns: each names the table, and tells none of them from another; one of them may be called so itself."""
        levels = [column.name.split(LEVEL_SEPARATOR) for column in self.table.columns]
        over = frozenset(level for each in levels for level in each[:-1])
        return over.intersection(*levels) if len(levels) > 1 else frozenset()

    @cached_property
    def surrounding_stems(self) -> frozenset[str]:
        """Words of the text around the table: they say what it is of, as far as a question has to say it."""
        return stems(self.surroundings)

    def is_mentioned(self, word: str) -> bool:
        """Return whether the document has a word, letter case aside."""
        return re.search(rf"\b{re.escape(word)}\b", self.document_text, re.IGNORECASE) is not None

    def column_name(self, place: int) -> str:
        """Return what a column is called, without the table's titles over it."""
        name = self.table.columns[place].name
        return LEVEL_SEPARATOR.join(level for level in name.split(LEVEL_SEPARATOR) if level not in self.titles) or name
