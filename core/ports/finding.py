"""Where words stand in the documents of a library, all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.search import Filters


@dataclass(frozen=True, slots=True)
class Mention:
    """`count` places of a document where the words stand; [start:end] of its text is the first one."""

    document_id: str
    count: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mentions:
    """By document id. `complete` False: so many passages hold one of the words that not all were looked at."""

    found: dict[str, Mention]
    complete: bool


class MentionFinder(Protocol):
    async def mentions(self, tenant: str, words: str, filters: Filters, *, together: bool) -> Mentions:
        """Documents with these words: `together` as they stand, whatever their letter case; else all of them, in any form, in one passage."""
        ...
