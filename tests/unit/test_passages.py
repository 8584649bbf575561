"""Passage assembly: which chunks become one, what the text is, and in which order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import StoredChunk
from core.ports import IndexedDocument, Library
from core.search import Candidate, StageScore
from retrieval.literal_matches import promote_full_matches, promote_named, promote_records
from retrieval.passage_assembly import PassageAssembly, coherence, group_runs
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


async def test_a_passage_whose_text_vanished_or_changed_is_left_out() -> None:
    one, two = document("a", "one", "two", first_chunk=1), document("b", "three", first_chunk=50)
    gone: tuple[str, object] = ("texts", {})
    for name, value in (gone, ("generation", 2)):
        library = chunk_library([one, two])
        setattr(library, name, value)
        found = await assembly([one, two], library).assemble("default", candidates((1, 0.9), (2, 0.8), (50, 0.7)), 5)
        assert [passage.content for passage in found] == ["three"], name


async def test_what_matched_weakly_makes_no_passage_longer() -> None:
    one = document("a", *(f"part {n}." for n in range(40)), first_chunk=1)
    two = document("b", *(f"other {n}." for n in range(40)), first_chunk=1000)
    strong, weak = [(10, 0.9), (1000, 0.8), (1010, 0.7), (1020, 0.6), (1030, 0.5)], [(11, 0.2), (12, 0.1)]
    found = await assembly([one, two], chunk_library([one, two]), 1000).assemble("default", candidates(*strong, *weak), 1)
    assert [passage.chunks for passage in found] == [[10]]
    more = await assembly([one, two], chunk_library([one, two]), 1000).assemble("default", candidates(*strong, *weak), 3)
    assert [passage.chunks for passage in more] == [[10, 11, 12], [1000], [1010]]


async def test_weak_matches_fill_up_where_there_are_too_few_passages() -> None:
    one = document("a", *(f"part {n}." for n in range(40)), first_chunk=1)
    library = chunk_library([one], sections=["S"] * 7 + [f"T{n}" for n in range(33)])
    ranked = candidates(*((n, 1 - n / 100) for n in range(1, 10)))
    found = await assembly([one], library, 1000).assemble("default", ranked, 2)
    assert [passage.chunks for passage in found] == [[1, 2, 3, 4, 5, 6], [8]]


def overlapping() -> tuple[Library, list[IndexedDocument], str]:
    """A text of thirty letters in chunks of ten that repeat two of the one before."""
    text = "abcdefghijklmnopqrstuvwxyz0123"
    one = document("a", *"xyzw", first_chunk=1)
    library = chunk_library([one])
    spans = [(0, 10), (8, 18), (16, 26), (24, 30)]
    library.stored.update({n: stored_chunk(n, "a", n, (start, text[start:end])) for n, (start, end) in enumerate(spans, start=1)})  # type: ignore[attr-defined]
    library.texts["a"] = text  # type: ignore[attr-defined]  # the fake behind the port
    return library, [one], text


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 1, 3, 2), (2, 4, 1, 3)])
@pytest.mark.parametrize("budget", [1, 4, 100])
async def test_no_character_of_overlapping_chunks_is_read_twice(order: tuple[int, ...], budget: int) -> None:
    library, documents, text = overlapping()
    found = await assembly(documents, library, budget).assemble("default", candidates(*((n, 1 - place / 10) for place, n in enumerate(order))), 5)
    assert all(passage.content == text[passage.start : passage.end] != "" for passage in found)
    assert sorted(place for passage in found for place in range(passage.start, passage.end)) == list(range(30))
    assert all(passage.anchor in passage.chunks for passage in found)


places = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 25)), unique=True, max_size=25)


@given(found=places, budget=st.integers(10, 400))
def test_every_chunk_is_in_exactly_one_run_and_runs_are_within_the_budget(found: list[tuple[int, int]], budget: int) -> None:
    ranked = [_piece(document_number, ordinal) for document_number, ordinal in found]
    runs = group_runs(ranked, budget, len(found))
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


QUESTION = "Who is the boathouse warden of Pier 4?"


def test_the_chunk_that_holds_every_word_is_read() -> None:
    texts = [
        "The Pier 4 boathouse lease.",
        "Pier 4 rent.",
        "Boathouse at Pier 4: fees.",
        "Ada Holm | Boathouse Warden, Pier 4",
        "Warden and boathouse, Pier 4",
    ]
    chunks = {number: stored_chunk(number, "ab"[number > 3], number, (0, text)) for number, text in enumerate(texts)}
    ranked = [Candidate(chunk_id=number, document_id="ab"[number > 3], score=1 - number / 10, stages={}) for number in range(5)]
    assert [each.chunk_id for each in promote_full_matches(QUESTION, ranked, chunks, 3)] == [0, 3, 4, 1, 2]
    assert promote_full_matches(QUESTION, ranked, chunks, 4) == ranked  # one of the first four holds them all
    assert promote_full_matches("Pier 4?", ranked, chunks, 3) == ranked  # too few words
    assert promote_full_matches(QUESTION, ranked, {}, 3) == ranked


def test_a_row_brings_the_header_of_the_table_that_it_goes_on_with() -> None:
    texts = ["Ada Holm leads the boathouse.", "Mia Lund | phone", "Ada Holm | Warden | 240"]
    chunks = {number: stored_chunk(number, "ab"[number > 1], number, (0, text)) for number, text in enumerate(texts)}
    ranked = [Candidate(chunk_id=number, document_id="ab"[number > 1], score=1 - number / 10, stages={}) for number in range(3)]
    ranked = [*ranked, ranked[1].model_copy(update={"chunk_id": 9})]
    question = "What is Ada Holm's extension?"
    assert promote_full_matches(question, ranked, chunks, 3) == ranked
    headed = chunks | {2: chunks[2].model_copy(update={"prefix": "People › Who is who\nName | Role | Extension"})}
    assert [each.chunk_id for each in promote_full_matches(question, [ranked[0], ranked[1], ranked[3], ranked[2]], headed, 3)] == [0, 1, 2, 9]
    titled = chunks | {2: chunks[2].model_copy(update={"prefix": "Extension numbers"})}
    assert promote_full_matches(question, ranked[:2] + ranked[3:] + ranked[2:3], titled, 3) == [ranked[0], ranked[1], ranked[3], ranked[2]]


def ranked_ids(candidates: list[Candidate]) -> list[int]:
    return [each.chunk_id for each in candidates]


def test_a_name_that_no_passage_read_holds_brings_those_that_do() -> None:
    """ "Where is Marl Gaming located?" was read about other firms alone."""
    texts = [
        "Firms are located in towns.",
        "The gaming firm Tern is located in Elver.",
        "Where others are.",
        "Marl Gaming, Inc.",
        "64 Harbour Street, of Marl\nGaming Ltd",
    ]
    chunks = {number: stored_chunk(number, str(number), number, (0, text)) for number, text in enumerate(texts)}
    ranked = [Candidate(chunk_id=number, document_id=str(number), score=1 - number / 10, stages={}) for number in range(5)]
    assert [each.chunk_id for each in promote_named("Where is Marl Gaming located?", ranked, chunks, 3)] == [0, 3, 4, 1, 2]
    assert promote_named("Where is Marl Gaming located?", ranked, chunks, 4) == ranked  # the fourth of these is read
    assert promote_named("Firms are located where?", ranked, chunks, 3) == ranked  # the word that begins a question is no name
    assert [each.chunk_id for each in promote_named("Where is Gaming done in Harbour?", ranked, chunks, 3)] == ranked_ids(
        ranked
    )  # the second holds one
    assert [each.chunk_id for each in promote_named("What does Harbour make?", ranked, chunks, 3)] == [0, 4, 1, 2, 3]
    assert promote_named("Where is Elver Gaming located?", ranked, chunks, 3) == ranked
    assert promote_named("Where is Marl Gaming located?", ranked, {}, 3) == ranked


def test_a_question_for_a_decision_brings_the_record_that_says_it() -> None:
    texts = [
        "The lease of the mill.",
        "Rent of the mill lease.",
        "Repairs under the lease.",
        "The mill lease will go to the board.",
        "Order: it goes to Holm Ltd.",
    ]
    sections = [["Lease"], ["Lease"], ["Lease"], ["Minutes of 4 May", "Lease"], ["Minutes of 4 May", "Pumps"]]
    chunks = {
        number: stored_chunk(number, str(number), number, (0, text)).model_copy(update={"section": sections[number]})
        for number, text in enumerate(texts)
    }
    ranked = [Candidate(chunk_id=number, document_id=str(number), score=1 - number / 10, stages={}) for number in range(5)]
    assert ranked_ids(list(promote_records("What was decided about the mill lease?", ranked, chunks, 3))) == [0, 3, 1, 2, 4]
    assert ranked_ids(list(promote_records("Which supplier was chosen?", ranked, chunks, 3))) == [0, 4, 1, 2, 3]
    assert promote_records("What does the lease say?", ranked, chunks, 3) == ranked
    agreed = chunks | {2: chunks[2].model_copy(update={"section": ["Minutes of 9 May"], "text": "It was agreed to paint the mill."})}
    assert ranked_ids(list(promote_records("What was decided about the mill?", ranked[:2] + ranked[2:3], agreed, 3))) == [0, 2, 1]
    assert promote_records("What was decided about the ferry?", ranked, chunks, 3) == ranked
