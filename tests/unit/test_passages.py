"""Passage assembly: which chunks become one, what the text is, and in which order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import StoredChunk
from core.ports import IndexedDocument, Library
from core.search import Candidate, StageScore
from retrieval.passages import PassageAssembly, coherence, group_runs
from tests.support.indexes import chunk_library, document, stored_chunk, vector_of


class Vectors:
    """The part of a search index that assembly asks."""

    def __init__(self, documents: list[IndexedDocument]) -> None:
        self.known = {chunk.id: chunk.vector.astype(np.float32) for each in documents for chunk in each.chunks}

    async def vectors(self, tenant: str, chunk_ids: list[int]) -> dict[int, np.ndarray]:
        return {chunk_id: self.known[chunk_id] for chunk_id in chunk_ids if chunk_id in self.known}


def candidates(*pairs: tuple[int, float]) -> list[Candidate]:
    return [
        Candidate(chunk_id=chunk_id, document_id="a", score=score, stages={"fusion": StageScore(rank=rank, score=score)})
        for rank, (chunk_id, score) in enumerate(pairs, start=1)
    ]


def assembly(documents: list[IndexedDocument], library: Library, budget: int = 100) -> PassageAssembly:
    return PassageAssembly(library, Vectors(documents), budget)  # type: ignore[arg-type]  # a fake of the one method that is asked


async def test_neighbours_become_one_text_exactly_as_in_the_document() -> None:
    one = document("a", "First part.", "Second part.", "Third part.", "Fourth part.", first_chunk=1)
    library = chunk_library([one], separator="\n \n")
    found = await assembly([one], library).assemble("default", candidates((2, 0.9), (1, 0.5), (4, 0.2)), 5)
    text = (await library.content("default", "a")).text
    assert [passage.chunks for passage in found] == [[1, 2, 3, 4]]  # the gap of one is closed
    assert found[0].content == text[found[0].start : found[0].end] == text
    assert (found[0].anchor, found[0].anchor_score, found[0].page) == (2, 0.9, 1)
    assert found[0].stages["fusion"].rank == 1
    expected = [float(vector_of(x) @ vector_of(y)) for x, y in (("First part.", "Second part."), ("Second part.", "Third part."))]
    assert 0 < found[0].coherence_score <= 1
    assert coherence([vector_of("First part."), vector_of("Second part."), vector_of("Third part.")]) == pytest.approx(sum(expected) / 2, abs=1e-5)


async def test_sections_documents_and_distance_keep_chunks_apart() -> None:
    one = document("a", "one", "two", "three", "four", "five", "six", first_chunk=1)
    two = document("b", "other", first_chunk=50)
    library = chunk_library([one, two], sections=["S", "S", "T", "T", "T", "T"])
    found = await assembly([one, two], library).assemble("default", candidates((2, 0.9), (3, 0.8), (6, 0.7), (50, 0.6)), 5)
    assert [passage.chunks for passage in found] == [[2], [3], [6], [50]]
    assert [passage.section for passage in found] == [["S"], ["T"], ["T"], ["S"]]
    assert all(passage.coherence_score == 1.0 for passage in found)


async def test_the_budget_holds_and_the_limit_too() -> None:
    texts = ["word " * 39 + "end." for _ in range(6)]
    one = document("a", *texts, first_chunk=1)
    found = await assembly([one], chunk_library([one]), budget=100).assemble("default", candidates(*((n, 1 - n / 10) for n in range(1, 7))), 2)
    assert [passage.chunks for passage in found] == [[1, 2], [3, 4]]


async def test_overlapping_and_touching_chunks_need_no_document() -> None:
    text = "0123456789abcdefghij"
    one = document("a", *"xyz", first_chunk=1)
    pieces = {n: stored_chunk(n, "a", n, (start, text[start:end])) for n, start, end in ((1, 0, 8), (2, 5, 12), (3, 12, 20))}
    library = chunk_library([one])
    library.stored.update(pieces)  # type: ignore[attr-defined]  # the fake behind the port
    found = await assembly([one], library).assemble("default", candidates((3, 0.9), (1, 0.8), (2, 0.7)), 5)
    assert [(passage.content, passage.start, passage.end) for passage in found] == [(text, 0, 20)]


async def test_a_vanished_chunk_is_left_out() -> None:
    one = document("a", "one", first_chunk=1)
    found = await assembly([one], chunk_library([one])).assemble("default", candidates((99, 0.9), (1, 0.8)), 5)
    assert [passage.chunks for passage in found] == [[1]]
    assert await assembly([one], chunk_library([one])).assemble("default", [], 5) == []


places = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 25)), unique=True, max_size=25)


@given(found=places, budget=st.integers(10, 400))
def test_every_chunk_is_in_exactly_one_run_and_runs_are_within_the_budget(found: list[tuple[int, int]], budget: int) -> None:
    ranked = [_piece(document_number, ordinal) for document_number, ordinal in found]
    runs = group_runs(ranked, budget)
    assert sorted(chunk.id for run in runs for chunk in run) == sorted(chunk.id for chunk in ranked)
    for run in runs:
        assert len({(chunk.document_id, *chunk.section) for chunk in run}) == 1
        assert [chunk.ordinal for chunk in run] == sorted(chunk.ordinal for chunk in run)
        assert len(run) == 1 or sum(chunk.tokens for chunk in run) <= budget
    best = [min(ranked.index(chunk) for chunk in run) for run in runs]
    assert best == sorted(best)


def _piece(document_number: int, ordinal: int) -> StoredChunk:
    text = "word " * (ordinal * 7 % 40 + 1)
    return stored_chunk(document_number * 100 + ordinal, f"d{document_number}", ordinal, (ordinal * 1000, text), [f"s{ordinal // 9}"])
