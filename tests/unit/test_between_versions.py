"""A document is made anew while a question is asked: its old passages are gone, the index does not have the new ones yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.search import RetrievalRequest, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.retriever import HybridRetriever
from settings import SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import DIMENSION, chunk_library, document

TEXT = "The lease ends in March."
OLD, NEW = document("lease", TEXT, first_chunk=1), document("lease", TEXT, first_chunk=101)
OTHER = document("pump", "The pump needs oil.", first_chunk=20)
REQUEST = RetrievalRequest(text="When does the lease end?", strategy=Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0))


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    made = await EmbeddedIndex.open(tmp_path, dimension=DIMENSION, document_weight=0.3, faiss_above=10**6)
    await made.upsert([OLD, OTHER])
    await made.commit()
    yield made
    await made.close()


async def test_it_is_found_as_soon_as_the_index_has_its_new_version(index: EmbeddedIndex) -> None:
    retriever = HybridRetriever(index, chunk_library([NEW, OTHER]), WordEmbedder(), None, SearchSettings())
    found = await retriever.rerank(REQUEST, await retriever.retrieve(REQUEST))
    assert 1 in {candidate.chunk_id for candidate in found.candidates}

    async def follow() -> None:
        await asyncio.sleep(0.02)
        await index.upsert([NEW])
        await index.commit()

    following = asyncio.create_task(follow())
    passages, after = await retriever.assemble_passages(REQUEST, found, 2)
    await following
    assert (passages[0].content, passages[0].chunks) == (TEXT, [101])
    assert {candidate.chunk_id for candidate in after.candidates} == {101, 20}
    assert [report.stage for report in after.reports][-1] == "passages"
    assert "rerank" in {report.stage for report in after.reports}  # as the first time


async def test_a_document_that_was_deleted_is_not_waited_for(index: EmbeddedIndex) -> None:
    searched = 0

    class Counting(WordEmbedder):
        async def embed_query(self, text: str) -> NDArray[np.float32]:
            nonlocal searched
            searched += 1
            return await super().embed_query(text)

    retriever = HybridRetriever(index, chunk_library([OTHER]), Counting(), None, SearchSettings())
    found = await retriever.retrieve(REQUEST)
    before = searched
    passages, _ = await retriever.assemble_passages(REQUEST, found, 2)
    assert ({passage.document_id for passage in passages}, searched) == ({"pump"}, before)


async def test_an_index_that_does_not_follow_costs_the_document_and_no_more(index: EmbeddedIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retrieval.retriever._BETWEEN_VERSIONS", (0.0, 0.0))
    retriever = HybridRetriever(index, chunk_library([NEW, OTHER]), WordEmbedder(), None, SearchSettings())
    passages, _ = await retriever.assemble_passages(REQUEST, await retriever.retrieve(REQUEST), 2)
    assert {passage.document_id for passage in passages} == {"pump"}
