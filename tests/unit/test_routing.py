"""The stage that follows a plan: what moves up, by how much, and what its report keeps."""

from __future__ import annotations

import pytest

from agents.strategy.agent import STRATEGIES
from core.search import Candidate, QueryPlan, Retrieval, RetrievalRequest
from retrieval.routing import STAGE, PlanRouter
from tests.support.ports import FakeLibrary, make_document

PLAN = QueryPlan(original="Who must obey?", document_types=["policy"], boost_sections=["scope", "duties"])
ASKED = RetrievalRequest(text="Who must obey?", strategy=STRATEGIES["hybrid"], query_plan=PLAN)


def library() -> FakeLibrary:
    note, rules = (
        make_document("note", "/library/note.txt", "Note", [("Talk", "All must obey."), ("1. Scope", "All drivers.")]),
        make_document("rules", "/library/rules.txt", "Rules", [("Duties of drivers", "They obey."), ("History", "They obeyed.")]),
    )
    return FakeLibrary([note, (rules[0].model_copy(update={"doc_type": "policy"}), rules[1])])


def retrieval(*scores: float) -> Retrieval:
    found = [(chunk.id, chunk.document_id) for chunk in library().chunk_list]
    pairs = sorted(zip(found, scores, strict=True), key=lambda pair: -pair[1])
    return Retrieval(candidates=[Candidate(chunk_id=number, document_id=owner, score=score) for (number, owner), score in pairs])


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        ((0.9, 0.8, 0.85, 0.7), [3, 1, 2, 4]),  # type and heading 1.02; none .9; heading .88; type .77
        ((1.0, 0.99, 0.98, 0.97), [3, 2, 4, 1]),
        ((0.9, 0.5, 0.4, 0.3), [1, 2, 3, 4]),
    ],
)
async def test_what_the_question_speaks_of_moves_up(scores: tuple[float, ...], order: list[int]) -> None:
    moved = await PlanRouter(library(), 0.1).route(ASKED, retrieval(*scores))
    assert [each.chunk_id for each in moved.candidates] == order
    assert all(each.score <= 1 and STAGE in each.stages for each in moved.candidates)
    assert moved.reports[-1].note == "3 of 4 passages are of what the question speaks of."


async def test_without_weight_the_plan_is_reported_and_nothing_moves() -> None:
    before = retrieval(0.9, 0.8, 0.85, 0.7)
    after = await PlanRouter(library(), 0.0).route(ASKED, before)
    assert after.candidates == before.candidates
    assert after.reports[-1].parameters["plan"] == PLAN.model_dump(mode="json")
    assert await PlanRouter(library(), 0.1).route(ASKED.model_copy(update={"query_plan": None}), before) == before


OFFERS = FakeLibrary(
    [
        (document.model_copy(update={"doc_type": kind}), chunks)
        for kind, (document, chunks) in (
            (
                "quote",
                make_document("tern", "/library/Quote Tern Lifts.txt", "Two lifts for the yard", [("", "Tern."), ("Terms", "Valid until May.")]),
            ),
            ("quote", make_document("gull", "/library/Quote Gull.txt", "Gull: offer 12", [("Terms", "Valid until June.")])),
            ("minutes", make_document("talk", "/library/talk.txt", "Meeting", [("", "The Tern offer was praised.")])),
        )
    ]
)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("When does the Tern offer expire?", ["tern", "tern"]),  # "offer" stands in the title of the other one
        ("Wann läuft das Angebot von Gull ab?", ["gull", "talk"]),
        ("When does the offer expire?", ["talk", "gull"]),
        ("Tern: when does the offer expire?", ["talk", "gull"]),  # the first word may have a capital for being the first
        ("When does the offer of the Tern or the Gull expire?", ["talk", "gull"]),
    ],
)
async def test_the_document_that_is_named_among_its_kind_moves_up(text: str, first: list[str]) -> None:
    scores = {"talk": 0.8, "gull": 0.5, "tern": 0.45}
    found = sorted((Candidate(chunk_id=each.id, document_id=each.document_id, score=scores[each.document_id]) for each in OFFERS.chunk_list),
                   key=lambda each: -each.score)  # fmt: skip
    plan = QueryPlan(original=text, document_types=["quote"], kind_words=["offer", "angebot"])
    asked = RetrievalRequest(text=text, strategy=STRATEGIES["hybrid"], query_plan=plan)
    moved = await PlanRouter(OFFERS, 0.0, 1.0).route(asked, Retrieval(candidates=found))
    assert [each.document_id for each in moved.candidates][:2] == first
    assert bool(moved.reports[-1].note) is (moved.candidates != found)
    assert [each.chunk_id for each in (await PlanRouter(OFFERS, 0.0, 0.0).route(asked, Retrieval(candidates=found))).candidates] == [
        each.chunk_id for each in found
    ]
