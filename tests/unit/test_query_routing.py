"""The router: what speaks for one place or for the whole library, and what the share of it makes of a question."""

from __future__ import annotations

import asyncio
import json

import pytest

from agents.query_routing.agent import QueryRouter, route_query, weigh_scores, weigh_signals
from benchmarks.scope import read_questions
from core.errors import ModelUnavailable, Unavailable
from core.graph import QuestionNames
from core.query_routes import QueryRoute, QueryType, Scope, ScopeSignal
from core.search import Candidate, StageScore
from graph.graph_view import GraphView
from tests.support.graphs import MemoryGraphStore, make_paragraphs
from tests.support.models import ScriptedModel

MIXED = "What do all documents say about Mara Ellison?"


def view() -> GraphView:
    store = MemoryGraphStore()
    store.put_document("people", make_paragraphs("Mara Ellison works at Trevanion & Holt."), title="People of the firm")
    store.put_document("Harbour dues 2026", make_paragraphs("Nothing is due in June."))
    return GraphView(store)


async def route(question: str, router: QueryRouter | None = None) -> QueryRoute:
    return (await route_query(question, "default", router=router or QueryRouter(graph=view()))).route


def signals(whole: int, single: int) -> list[ScopeSignal]:
    return [ScopeSignal(scope="global", reason="whole")] * whole + [ScopeSignal(scope="local", reason="single")] * single


@pytest.mark.parametrize(
    ("whole", "single", "kind", "confidence", "share"),
    [
        (1, 0, "global", 0.8, 1.0), (7, 3, "global", 0.8, 0.7), (2, 1, "hybrid", 0.6, 0.667), (1, 2, "hybrid", 0.6, 0.333),
        (3, 7, "local", 0.8, 0.3), (0, 2, "local", 0.8, 0.0), (0, 0, "hybrid", 0.3, 0.5),
    ],
)  # fmt: skip
def test_the_share_of_the_signals_decides(whole: int, single: int, kind: QueryType, confidence: float, share: float) -> None:
    found = weigh_signals(signals(whole, single))
    assert (found.query_type, found.confidence, found.global_weight) == (kind, confidence, share)
    assert found.global_weight + found.local_weight == pytest.approx(1)
    assert found.reasoning


@pytest.mark.parametrize(
    ("question", "kind", "aspect"),
    [
        ("What are the main themes?", "global", "themes"),
        ("What is function X?", "local", ""),
        ("summarize the ACME contract", "local", ""),
        ("What are the main risks?", "global", "risks"),
        ("Which topics come up again and again?", "global", "themes"),
        ("Welche Themen tauchen immer wieder auf?", "global", "themes"),
        ("Fasse alles zusammen, was in der Bibliothek steht", "global", ""),
        ("What trends can be seen across the whole archive?", "global", ""),
        ("Summarise the documents", "global", ""),
        (MIXED, "hybrid", ""),
        ("zebras", "hybrid", ""),
    ],
)
async def test_questions(question: str, kind: QueryType, aspect: str) -> None:
    found = await route(question)
    assert (found.query_type, found.aspect) == (kind, aspect)


@pytest.mark.parametrize("half", ["choose", "judge"])
async def test_the_labelled_questions_are_read_as_they_are_labelled_without_a_graph(half: str) -> None:
    asked = [each for each in read_questions() if each.half == half]
    assert len(asked) == 60
    found = [await route(each.question, QueryRouter()) for each in asked]
    assert sum(made.query_type == each.scope for made, each in zip(found, asked, strict=True)) >= 46  # names are the other signal


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which themes do the documents share about Mara Ellison?", "it names Mara Ellison"),
        ("What do all files have in common with People of the firm?", "it names the document “People of the firm”"),
        ("What do all files have in common with the harbour dues 2026?", "it names the document “Harbour dues 2026.txt”"),
    ],
)
async def test_what_the_library_knows_by_name_speaks_for_one_place(question: str, said: str) -> None:
    found = await route(question)
    assert said in found.reasoning
    assert found.global_weight < (await route(question, QueryRouter())).global_weight


async def test_a_graph_that_cannot_be_asked_is_said() -> None:
    class Loading(GraphView):
        async def question_names(self, tenant: str, names: object, text: str, limit: int = 8) -> QuestionNames:
            raise Unavailable("The knowledge graph is still being loaded.")

    found = await route_query(MIXED, "default", router=QueryRouter(graph=Loading(MemoryGraphStore())))
    assert found.route.query_type == "global"
    assert [each.part for each in found.degraded] == ["router"]


@pytest.mark.parametrize(
    ("scope", "summarizes", "aspect"), [("local", False, ""), ("hybrid", False, ""), ("global", False, "themes"), ("global", True, "summary")]
)
async def test_a_request_fixes_the_scope(scope: Scope, *, summarizes: bool, aspect: str) -> None:
    found = await route("Who is Mara Ellison?", QueryRouter(graph=view(), scope=scope, summarizes=summarizes, enabled=False))
    assert (found.query_type, found.by, found.confidence, found.aspect) == (scope, "request", 1.0, aspect)
    assert found.global_weight + found.local_weight == 1
    assert ("switched off" in found.reasoning) == (scope == "hybrid" or (scope == "global" and not summarizes))


async def test_switched_off_every_question_is_answered_from_passages() -> None:
    found = await route("What are the main themes?", QueryRouter(enabled=False))
    assert (found.query_type, found.aspect) == ("local", "")
    assert "query_routing.enabled" in found.reasoning


def reply(kind: str, confidence: float) -> str:
    return json.dumps({"query_type": kind, "confidence": confidence, "reasoning": "It wants one fact."})


async def test_below_the_threshold_the_model_is_asked() -> None:
    model = ScriptedModel(reply("local", 0.9))
    found = await route_query(MIXED, "default", router=QueryRouter(model, view()))
    assert (found.route.query_type, found.route.by, found.route.reasoning) == ("local", "scripted", "It wants one fact.")
    assert (found.tokens, list(found.prompts)) == ({"input": 10, "output": 5}, ["query_routing"])
    sure = await route_query("What are the main themes?", "default", router=QueryRouter(ScriptedModel(), view()))  # unscripted: it is not asked
    assert sure.route.by == "rules"


async def test_a_model_that_is_unsure_or_silent_leaves_it_hybrid() -> None:
    for model, lost in ((ScriptedModel(reply("global", 0.4)), []), (ScriptedModel(ModelUnavailable("It is gone.")), ["router"])):
        found = await route_query(MIXED, "default", router=QueryRouter(model, view()))
        assert (found.route.query_type, found.route.by) == ("hybrid", "rules")
        assert [each.part for each in found.degraded] == lost


def candidates(*cosines: float) -> list[Candidate]:
    return [
        Candidate(chunk_id=place, document_id="a", score=cosine, stages={"dense": StageScore(rank=place, score=cosine)})
        for place, cosine in enumerate(cosines, 1)
    ]


def test_after_the_search_a_passage_that_stands_out_speaks_for_one_place() -> None:
    silent = weigh_signals([])
    peak = weigh_scores(silent, candidates(0.8, *[0.4] * 9), 0.7)
    assert (peak.query_type, peak.confidence) == ("local", 0.8)
    assert "0.50 of its score" in peak.reasoning
    assert weigh_scores(silent, candidates(0.8, *[0.7] * 9), 0.7) == silent  # many passages are about it
    assert weigh_scores(silent, candidates(0.8, 0.1), 0.7) == silent  # too few to tell
    sure = weigh_signals(signals(1, 0))
    assert weigh_scores(sure, candidates(0.8, *[0.4] * 9), 0.7) == sure


def test_a_long_question_takes_no_time() -> None:
    async def ask() -> None:
        for text in ("all the " * 50_000, "a-" * 100_000, "„" * 100_000):
            await asyncio.wait_for(route(text, QueryRouter()), 2)

    asyncio.run(ask())
