"""Title and phrase links by hand, and the stage of the retriever that follows them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.errors import Unavailable
from core.graph import ChunkLink
from core.ports import KnowledgeGraph, Library, OwnScores
from core.search import Candidate, Filters, Retrieval, RetrievalRequest, StageScore, Strategy
from graph.title_links import TitleLinks
from retrieval.link_stage import LinkStage

HYBRID = Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0)


class Graph:
    """The two questions that the links ask of a knowledge graph, answered from lists."""

    def __init__(self, titles: dict[str, list[str]], links: Sequence[ChunkLink] = (), error: Exception | None = None) -> None:
        self.found, self.led, self.error = titles, links, error
        self.asked: list[int] = []

    async def titles(self, tenant: str, text: str) -> dict[str, list[str]]:
        if self.error is not None:
            raise self.error
        return self.found

    async def links(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 30) -> list[ChunkLink]:
        self.asked = list(chunk_ids)
        return [link for link in self.led if link.from_chunk in chunk_ids]


def links(titles: dict[str, list[str]], *led: ChunkLink) -> TitleLinks:
    return TitleLinks(cast(KnowledgeGraph, Graph(titles, led)))


def title(source: int, target: int, document: str, phrase: str = "Name") -> ChunkLink:
    return ChunkLink(source, target, document, phrase, 1, is_title=True)


def phrase(source: int, target: int, document: str, frequency: int, words: str = "words") -> ChunkLink:
    return ChunkLink(source, target, document, words, frequency, is_title=False)


async def unscored(owners: Mapping[int, str]) -> Mapping[int, float]:
    return {}


OWNERS = {1: "a", 2: "b", 3: "c", 4: "d", 5: "e"}
SCORES = {1: 0.8, 2: 0.6, 3: 0.5, 4: 0.4, 5: 0.1}


async def test_the_formula_by_hand() -> None:
    """B = .8, .6, .5 + .2, .4, .1, so the seeds are 1, 3, 2 with v = 1, .875, .75; F(4) = .4 + .4 / sqrt(4), F(5) = .1 + .6 * .75."""
    found = await links({"c": ["Gamma"]}, title(2, 5, "e"), phrase(1, 4, "d", 4), phrase(3, 4, "d", 100)).rescore(
        "t", "Gamma?", SCORES, OWNERS, unscored
    )
    assert (found[3][0], found[3][2]) == ("c", "its title stands in the question: “Gamma”")
    assert found[3][1] == pytest.approx(0.7)
    assert found[5][1] == pytest.approx(0.55)
    assert found[4][1] == pytest.approx(0.4 + 0.4 / math.sqrt(4), abs=1e-5)
    assert "names it: “Name”" in found[5][2]
    assert "shares “words”" in found[4][2]
    assert 1 not in found  # nothing changed


async def test_where_the_question_names_no_document_a_seed_must_name_one() -> None:
    """F(5) = .1 + .6, F(4) = .4 + .4 / sqrt(4)."""
    found = await links({}, title(1, 5, "e", "harbour master"), phrase(1, 4, "d", 4)).rescore("t", "who?", SCORES, OWNERS, unscored)
    scores = SCORES | {number: score for number, (_, score, _) in found.items()}
    assert [number for number in sorted(scores, key=lambda number: -scores[number]) if number != 2] == [1, 5, 4, 3]
    assert found[5][1] == pytest.approx(0.7)
    assert "names it: “harbour master”" in found[5][2]


async def test_nothing_happens_where_neither_question_nor_seeds_name_a_document() -> None:
    vague = title(1, 5, "e", "lease"), title(1, 4, "d", "methods and results")  # these may mean anything
    unnamed = links({}, phrase(1, 5, "e", 1), title(4, 5, "e", "harbour master"), *vague)
    assert await unnamed.rescore("t", "who?", SCORES, OWNERS, unscored) == {}
    assert await links({"c": ["Gamma"]}).rescore("t", "Gamma", {}, {}, unscored) == {}


async def test_the_first_and_a_named_second_keep_their_places_however_strong_a_link_is() -> None:
    scores = {**SCORES, 5: 0.59, 4: 0.59}

    async def order(*named: str) -> list[int]:
        found = await links({each: [each] for each in named}, title(1, 5, "e"), title(1, 4, "d")).rescore("t", "?", scores, OWNERS, unscored)
        after = scores | {number: score for number, (_, score, _) in found.items()}
        assert all(0 <= score <= 1 for score in after.values())
        return sorted(after, key=lambda number: -after[number])[:4]

    assert await order("a", "b") == [1, 2, 4, 5]
    assert await order("a") == [1, 4, 5, 2]


async def test_only_seeds_lead_on_and_no_document_to_itself() -> None:
    graph = Graph({"a": ["Alpha"]}, [title(4, 5, "e"), title(1, 9, "a"), phrase(1, 8, "a", 1)])
    found = await TitleLinks(cast(KnowledgeGraph, graph)).rescore("t", "Alpha", SCORES, OWNERS, unscored)
    assert graph.asked == [1, 2, 3]
    assert set(found) == {1}


async def test_a_chunk_that_only_a_link_leads_to_comes_in_and_a_long_document_is_not_lifted_whole() -> None:
    found = await links({"a": ["Alpha"]}, title(1, 77, "new")).rescore("t", "Alpha", SCORES, OWNERS, unscored)
    assert found[77][0] == "new"
    assert found[77][1] == pytest.approx(0.6, abs=1e-4)
    owners = {1: "a", 2: "b"} | dict.fromkeys(range(10, 20), "long")
    scores = {1: 0.9, 2: 0.8} | {number: 0.3 - number / 100 for number in range(10, 20)}
    lifted = await links({"a": ["Alpha"]}, title(1, 10, "long")).rescore("t", "Alpha", scores, owners, unscored)
    assert {number for number in lifted if number >= 10} == {10, 11, 12}


async def test_what_a_link_brings_in_starts_from_its_own_score() -> None:
    """77 would have scored .3 by itself: F = .3 + .6 * 1, above the .6 of a passage that was found but is not linked."""
    asked: list[Mapping[int, str]] = []

    async def own(owners: Mapping[int, str]) -> Mapping[int, float]:
        asked.append(owners)
        return {77: 0.3}

    found = await links({"a": ["Alpha"]}, title(1, 77, "new"), title(1, 5, "e")).rescore("t", "Alpha", SCORES, OWNERS, own)
    assert asked == [{77: "new"}]
    assert found[77][1] == pytest.approx(0.9)
    weaker = await links({"a": ["Alpha"]}, phrase(1, 77, "new", 4), phrase(1, 78, "newer", 4)).rescore("t", "Alpha", SCORES, OWNERS, own)
    assert weaker[77][1] == pytest.approx(0.5, abs=1e-5)  # .3 + .4 / sqrt(4)
    assert weaker[78][1] == pytest.approx(0.2, abs=1e-5)  # nothing is known of it


# -- the stage -----------------------------------------------------------------------------------------------------------------------------


class Links:
    def __init__(self, moved: dict[int, tuple[str, float, str]], error: Exception | None = None) -> None:
        self.moved, self.error = moved, error

    async def rescore(
        self, tenant: str, text: str, scores: dict[int, float], owners: dict[int, str], own_scores: OwnScores
    ) -> dict[int, tuple[str, float, str]]:
        if self.error is not None:
            raise self.error
        return self.moved


class Unscored:
    async def score(self, request: RetrievalRequest, found: Retrieval, owners: Mapping[int, str]) -> dict[int, float]:
        return {}


class Listing:
    """`list_documents` of a library whose filters let only `passing` through."""

    def __init__(self, passing: Sequence[str]) -> None:
        self.passing = passing

    async def list_documents(self, tenant: str, *, filters: Filters, limit: int) -> tuple[list[Any], int, None]:
        found = [SimpleNamespace(id=each) for each in filters.document_ids if each in self.passing]
        return found, len(found), None


def retrieval(*numbers: int) -> Retrieval:
    placed = [
        Candidate(chunk_id=number, document_id=OWNERS[number], score=SCORES[number], stages={"fusion": StageScore(rank=rank, score=SCORES[number])})
        for rank, number in enumerate(numbers, start=1)
    ]
    return Retrieval(candidates=placed)


def stage(moved: dict[int, tuple[str, float, str]], passing: Sequence[str] = (), error: Exception | None = None) -> LinkStage:
    return LinkStage(Links(moved, error), cast(Library, Listing(passing)), Unscored())


REQUEST = RetrievalRequest(text="Gamma?", strategy=HYBRID, use_links=True)


async def test_the_stage_reorders_adds_and_tells_what_moved() -> None:
    after = await stage({3: ("c", 0.7, "named"), 9: ("z", 0.65, "linked")}).rescore(REQUEST, retrieval(1, 2, 3))
    assert [candidate.chunk_id for candidate in after.candidates] == [1, 3, 9, 2]
    assert after.candidates[2].document_id == "z"
    assert after.candidates[2].stages == {"links": StageScore(rank=3, score=0.65)}
    assert set(after.candidates[0].stages) == {"fusion", "links"}
    report = after.reports[-1]
    assert (report.stage, report.entered, report.left) == ("links", 3, 4)
    assert "1 came in, 1 moved up" in report.note
    assert "3 → 2: named" in report.note
    assert "new → 3: linked" in report.note


async def test_what_comes_in_must_pass_the_filters() -> None:
    moved = {9: ("z", 0.65, "linked"), 8: ("y", 0.64, "linked"), 3: ("c", 0.7, "named")}
    request = REQUEST.model_copy(update={"filters": Filters(file_types=[".pdf"])})
    after = await stage(moved, passing=["y"]).rescore(request, retrieval(1, 2, 3))
    assert [candidate.chunk_id for candidate in after.candidates] == [1, 3, 8, 2]
    chosen = REQUEST.model_copy(update={"filters": Filters(document_ids=["a", "b", "c"])})
    assert {each.document_id for each in (await stage(moved, passing=["y", "z"]).rescore(chosen, retrieval(1, 2, 3))).candidates} == {"a", "b", "c"}


async def test_failing_links_leave_the_order_and_say_so() -> None:
    before = retrieval(1, 2, 3)
    after = await stage({}, error=Unavailable("The graph is closed.")).rescore(REQUEST, before)
    assert after.candidates == before.candidates
    assert after.degraded[-1].part == "links"
    assert "The graph is closed." in after.degraded[-1].reason
    untouched = await stage({}).rescore(REQUEST, before)
    assert untouched.candidates == before.candidates
    assert "nothing was moved" in untouched.reports[-1].note
    assert await stage({}).rescore(REQUEST, Retrieval()) == Retrieval()
