"""Words and topics in the documents of a library: where they stand, in all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from core.search import Filters


@dataclass(frozen=True, slots=True)
class Mention:
    """`count` places of a document where the words stand; [start:end] of its text is the first one. `is_near`: the words do not stand there, these
    places are near them in meaning."""

    document_id: str
    count: int
    start: int
    end: int
    is_near: bool = False


@dataclass(frozen=True, slots=True)
class Mentions:
    """The mentions of words by document id. `is_complete` False: so many passages hold one of the words that not all were looked at."""

    by_document: dict[str, Mention]
    is_complete: bool


class MentionFinder(Protocol):
    async def find_mentions(self, tenant: str, words: str, filters: Filters, *, together: bool) -> Mentions:
        """Return the documents with these words: `together` as they stand, whatever their letter case; else all of them, in any form, in one
        passage."""
        ...


@dataclass(frozen=True, slots=True)
class NearTopic:
    """Places that are about a topic in other words. `words` are those that the documents hold, in their own language ("" where they hold none);
    `mentions` by document id, without them what is near in meaning."""

    words: str = ""
    mentions: dict[str, Mention] = field(default_factory=dict)


class TopicFinder(Protocol):
    async def find_near(self, tenant: str, topic: str, filters: Filters, *, question: str) -> NearTopic:
        """Return what is near a topic whose words stand nowhere together. `question` is the whole request: it says in which language the topic is."""
        ...
