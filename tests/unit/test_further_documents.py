"""Passages of further documents: where one document fills the first places, the best passage of each of the others follows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.search import RetrievalRequest, Strategy
from retrieval.retriever import HybridRetriever
from settings import SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import BACKENDS, chunk_library, document

HYBRID = Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0)
LONG = document("long", *(f"The lease ends in March {number}." for number in range(6)), first_chunk=100)
OTHERS = [
    document(f"other{number}", "Nothing of it.", f"A lease {'of the red house ' * number}", "Lease of sea.", first_chunk=200 + 10 * number)
    for number in range(1, 5)
]


@pytest.fixture
async def many(tmp_path: Path) -> AsyncIterator[HybridRetriever]:
    """Six sections of one document fit best, then four documents of one chunk."""
    documents = [LONG, *OTHERS]
    index = await BACKENDS[0].open(tmp_path)
    await index.upsert(documents)
    await index.commit()
    library = chunk_library(documents, sections=[str(number) for number in range(6)])
    yield HybridRetriever(index, library, WordEmbedder(), None, SearchSettings())
    await index.close()


@pytest.mark.parametrize(
    ("top_k", "limit", "more"),
    [(1, 3, 0), (3, 3, 2), (4, 5, 3), (5, 5, 4), (10, 10, 0), (5, 4, 0)],
    ids=["one wanted", "three", "four", "all", "all found anyway", "more wanted than passages"],
)
async def test_the_best_passage_of_each_further_document_follows(many: HybridRetriever, top_k: int, limit: int, more: int) -> None:
    request = RetrievalRequest(text="The lease ends in March.", strategy=HYBRID, top_k=top_k)
    found = await many.retrieve(request)
    assert {candidate.document_id for candidate in found.candidates[:6]} == {"long"}
    passages, after = await many.assemble_passages(request, found, limit)
    first, further = passages[: len(passages) - more], passages[len(passages) - more :]
    assert len(first) <= limit
    assert len({passage.document_id for passage in further}) == len(further) == more
    assert not {passage.document_id for passage in further} & {passage.document_id for passage in first}
    best = {candidate.document_id: candidate.chunk_id for candidate in reversed(found.candidates)}
    assert all(passage.anchor == best[passage.document_id] for passage in passages[:1] + further)
    assert [passage.anchor_score for passage in further] == sorted((passage.anchor_score for passage in further), reverse=True)
    ranked = list(dict.fromkeys(candidate.document_id for candidate in found.candidates))
    assert list(dict.fromkeys(passage.document_id for passage in passages)) == ranked[: len({passage.document_id for passage in passages})]
    assert [passage.stages["passages"].rank for passage in passages] == list(range(1, len(passages) + 1))
    assert after.reports[-1].left == len(passages)


async def test_a_further_document_with_a_word_that_was_ruled_out_stays_away(many: HybridRetriever) -> None:
    request = RetrievalRequest(text="The lease ends in March.", strategy=HYBRID, top_k=5, must_not=["sea", "nothing", "red house of the red"])
    found = await many.retrieve(request)
    passages, _ = await many.assemble_passages(request, found, 5)
    assert {passage.document_id for passage in passages} == {"long", "other1"}
