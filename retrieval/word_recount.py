"""The words of the first candidates, counted again: whether the leg for words reached them or not, and with what stands above them.

Of what only the meaning found, the leg for words says nothing, so the fusion would take it to hold no word of the question; its cosine is completed
in the same way. And the index of words holds a passage below its headings: in a file without any, the title's words stand in the first passage
alone, though they belong to all. So a first candidate has the BM25 that the index gave it, or would have, and a part of what its title adds. Only the
first are read (docs/decisions/0044); the signals of "not found" stay those of the index.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.documents import HEADING_SEPARATOR, StoredChunk
from core.ports import Library, SearchIndex
from core.search import RetrievalRequest, StageReport
from retrieval.leg_runner import LegResults
from retrieval.lexical_schema import add_headings
from retrieval.topic_words import TopicWords, score_topic_words

STAGE = "recount"
TITLE_SHARE = 0.5  # of what the words above a passage add: a title says less of a passage than the passage does
_OPENING = 100  # characters more than twice what stands above: a title that a file breaks into lines is found in them
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WordRecount:
    """The first `depth` candidates are counted again; 0: none."""

    index: SearchIndex
    library: Library
    depth: int

    async def recount_words(self, request: RetrievalRequest, legs: LegResults, fused: Mapping[int, float]) -> bool:
        """Give the first candidates of a search for words and meaning their words anew, and the legs the report of it; False where nothing changes.
        `fused` are the scores of the first list. Raises VantageError as index and library do."""
        strategy, started = request.strategy, time.perf_counter()
        is_mixed = strategy.lexical > 0 and strategy.dense > 0 and bool(legs.hits.get("lexical")) and bool(legs.hits.get("dense"))
        if not self.depth or not is_mixed or legs.crossing is not None:
            return False
        first = sorted(fused, key=lambda number: (-fused[number], number))[: self.depth]
        listed = {hit.chunk_id: hit.score for hit in legs.hits["lexical"]}
        counted = await self._count_words(request, first)
        scores = {number: listed.get(number, own) + above for number, (own, above) in counted.items()}
        legs.recounted_words = {number: score for number, score in scores.items() if score > listed.get(number, 0.0)}
        if not legs.recounted_words:
            return False
        missed = len(legs.recounted_words.keys() - listed.keys())
        legs.reports.append(
            StageReport(
                stage=STAGE,
                entered=len(first),
                left=len(legs.recounted_words),
                duration_ms=round((time.perf_counter() - started) * 1000, 3),
                parameters={"missed": missed},
                note=f"The question's words in {missed} passages that only their meaning found, and in the titles above"
                f" {len(legs.recounted_words) - missed} others.",
            )
        )
        return True

    async def _count_words(self, request: RetrievalRequest, numbers: Sequence[int]) -> dict[int, tuple[float, float]]:
        """Return chunk id -> the BM25 of the question in what the index has of the chunk, and what the words above it add."""
        texts = {number: _read_texts(chunk) for number, chunk in (await self.library.chunks(request.tenant, numbers)).items()}
        question = TopicWords(Counter(self.index.terms(request.text)), {})
        idf = await self.index.idf(request.tenant, request.text)
        own = score_topic_words(question, idf, {number: indexed for number, (indexed, _) in texts.items()}, self.index.terms)
        whole = score_topic_words(question, idf, {number: text for number, (_, text) in texts.items()}, self.index.terms)
        added = {number for number, (indexed, text) in texts.items() if indexed != text}
        return {number: (own[number], TITLE_SHARE * max(whole[number] - own[number], 0.0) if number in added else 0.0) for number in texts}


def _read_texts(chunk: StoredChunk) -> tuple[str, str]:
    """Return a chunk's text as the index has it, and with what is embedded in front of it and does not stand in its beginning already."""
    indexed = add_headings(HEADING_SEPARATOR.join(chunk.section), chunk.text)
    opening = _join_words(indexed[: 2 * len(chunk.prefix) + _OPENING])
    above = [line for line in chunk.prefix.replace(HEADING_SEPARATOR, "\n").splitlines() if _join_words(line) not in opening]
    return indexed, "\n".join([*above, indexed])


def _join_words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
