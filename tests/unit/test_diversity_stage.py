"""A search that is asked for diversity: near copies go before the first candidates are chosen, and only then is the rest spread."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from core.search import RetrievalRequest, Strategy
from retrieval.diversity import find_near_copies
from retrieval.diversity_stage import COPIES_STAGE
from retrieval.embedded_index import EmbeddedIndex
from retrieval.retriever import HybridRetriever
from settings import SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import BACKENDS, chunk_library, document

COPIES = [
    document(f"copy{number:02}", "Winches are greased each May by the yard.", first_chunk=number) for number in range(1, 71)
]  # more than the candidates of a leg
OTHERS = [
    document(f"other{number}", f"Winches {word} in the yard.", first_chunk=100 + number)
    for number, word in enumerate(("rust", "rest", "creak", "turn", "hang", "swing", "stand", "lift", "jam", "spin"))
]


@pytest.fixture
async def retriever(tmp_path: Path) -> AsyncIterator[HybridRetriever]:
    index = await BACKENDS[0].open(tmp_path)
    assert isinstance(index, EmbeddedIndex)
    await index.upsert([*COPIES, *OTHERS])
    await index.commit()
    yield HybridRetriever(index, chunk_library([*COPIES, *OTHERS]), WordEmbedder(), None, SearchSettings())
    await index.close()


def ask(weight: float) -> RetrievalRequest:
    strategy = Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0)
    return RetrievalRequest(text="When are winches greased in May by the yard?", strategy=strategy, diversity_weight=weight)


async def test_a_page_that_stands_there_seventy_times_is_shown_once(retriever: HybridRetriever) -> None:
    crowded = await retriever.retrieve(ask(0.0))
    assert len({each.document_id[:4] for each in crowded.candidates}) == 1
    found = await retriever.retrieve(ask(0.2))
    documents = [each.document_id for each in found.candidates]
    assert [each for each in documents if each.startswith("copy")] == documents[:1]
    assert len(documents) == 11
    report = next(each for each in found.reports if each.stage == COPIES_STAGE)
    assert (report.entered, report.left) == (80, 11)
    assert report.dropped[0].reason.startswith("nearly the same as a passage above it")


def test_near_copies_by_hand() -> None:
    vectors = {1: [1.0, 0.0], 2: [0.999, 0.045], 3: [0.0, 1.0], 4: [0.6, 0.8], 6: [1.0, 0.0]}
    rows = {number: np.array(vector, np.float32) for number, vector in vectors.items()}
    assert find_near_copies([1, 2, 3, 4, 5, 6], rows, 0.95) == {2, 6}
    assert find_near_copies([5, 1, 7], rows, 0.95) == set()
    assert find_near_copies([], {}, 0.95) == set()
