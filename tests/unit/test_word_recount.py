"""The words of the first candidates are counted again: with the titles above them, and where only the meaning found them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from core.documents import StoredChunk
from core.ports import Hit, IndexedDocument, Library
from core.search import Filters, Retrieval, RetrievalRequest, StageReport, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.leg import LegResult
from retrieval.leg_runner import LegResults
from retrieval.retriever import HybridRetriever
from retrieval.word_recount import STAGE, TITLE_SHARE, WordRecount
from settings import SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import DIMENSION, chunk_library, document, fill

QUESTION = "flutter of swept wings"
TITLE = "Flutter of swept wings"
DOCUMENTS = [
    document("titled", "Bending and torsion were measured in a tunnel.", "The frequency rises with the speed of the tunnel.", first_chunk=1),
    document("plain", "Flutter of swept wings in a tunnel.", first_chunk=10),
    document("near", "Swept panels flutter at speed, other panels bend at speed.", first_chunk=20),
    document("other", "The cook bakes bread.", first_chunk=30),
]
HYBRID = Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.0)


class TitledLibrary:
    """The part of a library that retrieval reads. The passages of one document have a title in front of what is embedded, and no heading: as a text
    file is stored."""

    def __init__(self, documents: Sequence[IndexedDocument] = DOCUMENTS, titled: str = "titled", title: str = TITLE) -> None:
        self._inner, self._titled, self._title = chunk_library(documents), titled, title

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        found = await self._inner.chunks(tenant, chunk_ids)
        titled = {number: chunk.model_copy(update={"prefix": self._title}) for number, chunk in found.items() if chunk.document_id == self._titled}
        return found | titled


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    made = await EmbeddedIndex.open(tmp_path, dimension=DIMENSION, document_weight=0.1, faiss_above=10**6)
    await fill(made, *DOCUMENTS)
    yield made
    await made.close()


async def search(index: EmbeddedIndex, recounted: int, request: RetrievalRequest | None = None, **options: Any) -> Retrieval:
    retriever = HybridRetriever(index, cast(Library, TitledLibrary()), WordEmbedder(), None, SearchSettings(recounted=recounted, **options))
    return await retriever.retrieve(request or RetrievalRequest(text=QUESTION, strategy=HYBRID))


def scores(found: Retrieval) -> dict[int, float]:
    return {candidate.chunk_id: candidate.score for candidate in found.candidates}


def recount_report(found: Retrieval) -> StageReport | None:
    return next((report for report in found.reports if report.stage == STAGE), None)


async def test_a_title_counts_in_every_passage_of_its_document(index: EmbeddedIndex) -> None:
    before, after = await search(index, 0), await search(index, 20)
    lift = {number: score - scores(before)[number] for number, score in scores(after).items()}
    assert lift[1] > 0.02
    assert lift[2] > 0.02, "though not a word of the question stands in it"
    assert lift[1] < 0.3 * TITLE_SHARE * 1.5, "a title counts for less than the same words in the passage"
    assert lift[10] == lift[30] == pytest.approx(0.0), "nothing stands above these"
    assert max(scores(after), key=lambda number: scores(after)[number]) == 10


async def test_what_only_the_meaning_found_has_its_words(index: EmbeddedIndex) -> None:
    words = (await index.search_lexical("default", QUESTION, Filters(), 50)).hits
    meant = tuple(Hit(number, each.id, 0.5) for each in DOCUMENTS for number in [each.chunks[0].id])
    legs = LegResults({"lexical": LegResult(tuple(hit for hit in words if hit.chunk_id == 10)), "dense": LegResult(meant)})
    recount = WordRecount(index, cast(Library, TitledLibrary()), depth=20)
    assert await recount.recount_words(RetrievalRequest(text=QUESTION, strategy=HYBRID), legs, {hit.chunk_id: hit.score for hit in meant})
    listed = {hit.chunk_id: hit.score for hit in words}
    assert legs.recounted_words.keys() == {1, 20}, "10 has what the index gave it, 30 none of the words"
    assert legs.recounted_words[20] == pytest.approx(listed[20], rel=0.3), "the length that is usual is that of the first ones"
    assert legs.reports[0].parameters == {"missed": 2}


async def test_the_trace_says_it_and_the_signals_stay(index: EmbeddedIndex) -> None:
    before, after = await search(index, 0), await search(index, 20)
    report = recount_report(after)
    assert report is not None
    assert report.entered == len(after.candidates)
    assert "flutter" not in f"{report.parameters} {report.note}".lower(), "a report outlives the document whose words these are"
    assert recount_report(before) is None
    assert after.signals == before.signals


async def test_only_the_first_are_read(index: EmbeddedIndex) -> None:
    report = recount_report(await search(index, 2))
    assert report is None or report.entered == 2


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        ({"use_hybrid": False}, {}),
        ({"without": ["lexical"]}, {}),
        ({"without": ["dense"]}, {}),
        ({"strategy": HYBRID.model_copy(update={"lexical": 1.0, "dense": 0.0})}, {}),
        ({"text": "zebra"}, {}),
        ({}, {"fusion": "rrf"}),
    ],
    ids=["meaning alone", "no words", "no meaning", "words alone", "no word is known", "by ranks"],
)
async def test_other_searches_stay_as_they_are(index: EmbeddedIndex, changes: dict[str, Any], options: dict[str, Any]) -> None:
    request = RetrievalRequest.model_validate({"text": QUESTION, "strategy": HYBRID, **changes})
    before, after = await search(index, 0, request, **options), await search(index, 20, request, **options)
    assert recount_report(after) is None
    assert before.candidates
    assert after.candidates == before.candidates


async def test_a_title_that_the_text_breaks_into_lines_counts_once(tmp_path: Path) -> None:
    broken = document("broken", "Flutter of\nswept wings .\n\nBending and torsion.", first_chunk=1)
    made = await EmbeddedIndex.open(tmp_path, dimension=DIMENSION, document_weight=0.1, faiss_above=10**6)
    await fill(made, broken, document("plain", "Flutter in a tunnel.", first_chunk=10))
    library = TitledLibrary([broken], "broken", f"{TITLE} .")
    retriever = HybridRetriever(made, cast(Library, library), WordEmbedder(), None, SearchSettings())
    found = await retriever.retrieve(RetrievalRequest(text=QUESTION, strategy=HYBRID))
    assert found.candidates
    assert recount_report(found) is None
    await made.close()
