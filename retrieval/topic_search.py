"""core.ports.TopicFinder: documents about a topic in other words, and in another language than it was asked for.

A topic alone, without "show me everything about", lies near the passages that speak of it and far from all others. Measured with topics in other
words than the documents', and with topics that they lack (the nearest passage's scaled cosine at least NEAR_COSINE): squad2_500 18 of 24 and 0 of 22,
scifact 12 of 15 and 1 of 20, cranfield 6 of 7 and 0 of 17; German topics by the multilingual encoder 14 of 20 and 0 of 20, 11 of 14 and 0 of 20.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.errors import VantageError
from core.ports import REFERENCE_SCALE, Embedder, Hit, Library, Mention, MentionFinder, MultilingualSearch, NearTopic, QuestionLanguages, SearchIndex
from core.search import Filters

NEAR_COSINE = REFERENCE_SCALE.related  # where a question lies to a passage that answers it
MIN_WORDS = 6  # words of a passage that can be about something: single words lie near anything
SEARCH_DEPTH = 200  # passages that are looked at
_LONGEST = 12  # words of a topic; what is longer is a question


class TopicSearch:
    """`in_english(topic, language)` is the topic by a list of words, "" where one of its words is not on it."""

    def __init__(
        self,
        index: SearchIndex,
        library: Library,
        embedder: Embedder,
        mentions: MentionFinder,
        in_english: Callable[[str, str], str],
        other_languages: tuple[QuestionLanguages, MultilingualSearch] | None = None,
    ) -> None:
        self._index, self._library, self._embedder, self._mentions = index, library, embedder, mentions
        self._in_english, self._other_languages = in_english, other_languages

    async def find_near(self, tenant: str, topic: str, filters: Filters, *, question: str) -> NearTopic:
        """Find near topics by the words of a translation, else by meaning: of a topic in English by the library's own encoder, of another by the
        multilingual one.
        """
        if not 0 < len(topic.split()) <= _LONGEST:
            return NearTopic()
        language = await self._foreign_language(tenant, question)
        if not language:
            return NearTopic(mentions=await self._search_by_meaning(tenant, topic, filters))
        words = self._in_english(topic, language)
        if not words:
            return NearTopic(mentions=await self._search_across_languages(tenant, topic, filters))
        found = (await self._mentions.find_mentions(tenant, words, filters, together=False)).by_document
        return NearTopic(words, found) if found else NearTopic(mentions=await self._search_by_meaning(tenant, words, filters))

    async def _foreign_language(self, tenant: str, question: str) -> str:
        """Return the language of a request that is not in English, else ""."""
        if self._other_languages is None:
            return ""
        guess = await self._other_languages[0].detect_language(tenant, question)
        return guess.language if guess.is_foreign else ""

    async def _search_by_meaning(self, tenant: str, topic: str, filters: Filters) -> dict[str, Mention]:
        hits = await self._index.search_dense(tenant, await self._embedder.embed_query(topic), filters, SEARCH_DEPTH)
        scale = self._embedder.scale
        return await self._collect_mentions(tenant, (hit for hit in hits if scale.rescale(hit.score) >= NEAR_COSINE))

    async def _search_across_languages(self, tenant: str, topic: str, filters: Filters) -> dict[str, Mention]:
        """Search in the other languages; nothing where the encoder is missing or has read nothing yet: the search itself says so."""
        if self._other_languages is None:
            return {}
        search = self._other_languages[1]
        try:
            if not (await search.check_readiness(tenant, start=True)).filled_documents:
                return {}
            hits = await search.search(tenant, await search.embed_query(topic), filters, SEARCH_DEPTH)
        except VantageError:
            return {}
        return await self._collect_mentions(tenant, (hit for hit in hits if hit.score >= NEAR_COSINE))

    async def _collect_mentions(self, tenant: str, near: Iterable[Hit]) -> dict[str, Mention]:
        """Return by document its passages of some words; the place is the nearest one's."""
        hits = list(near)
        chunks = await self._library.chunks(tenant, [hit.chunk_id for hit in hits])
        found: dict[str, Mention] = {}
        for hit in hits:
            chunk = chunks.get(hit.chunk_id)
            if chunk is None or len(chunk.text.split()) < MIN_WORDS:
                continue
            first = found.get(hit.document_id)
            start, end = (first.start, first.end) if first is not None else (chunk.start, chunk.end)
            found[hit.document_id] = Mention(hit.document_id, (first.count if first is not None else 0) + 1, start, end, is_near=True)
        return found
