"""Apollo and his node: what is found, what is walked, what the search gets, and when he stands aside."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from agents.graph_expansion.agent import GraphQuestion, describe_step, expand_graph
from core.graph import PathStep
from core.reasoning import Plan
from core.search import Classification, Filters, Intent, RetrievalRequest, Strategy
from core.search_schemas import SearchRequest
from graph.graph_view import GraphView
from orchestration.node_adapter import NodeResult
from orchestration.nodes.graph_expansion import add_graph_expansion
from orchestration.state import State
from tests.support.graphs import MemoryGraphStore, make_paragraphs

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
HYBRID = Strategy(name="hybrid", lexical=0.4, dense=0.6)
EXPLORATORY = Strategy(name="exploratory", lexical=0.2, dense=0.5, graph=0.3, hops=2)


@pytest.fixture
def view() -> GraphView:
    store = MemoryGraphStore()
    store.put_document("people", make_paragraphs("Mara Ellison works at Trevanion & Holt.", "We saw Peter Marsh on 3 May 2024."), title="People")
    store.put_document("letter", make_paragraphs("We asked Trevanion & Holt about Quay 7."), title="Letter")
    store.put_document("deed", make_paragraphs("Later, Quay 7 was sold."), title="Deed")
    return GraphView(store)


def state_of(text: str, *, strategy: Strategy = HYBRID, plan: Plan | None = None, filters: Filters = Filters(), **request: Any) -> State:  # noqa: B008
    classification = Classification(intent=Intent.DOCUMENT_SEARCH, confidence=0.6, rule="default", search_text=text)
    made: dict[str, Any] = {
        "request": SearchRequest(query=text, **request),
        "classification": classification,
        "strategy": strategy,
        "retrieval_request": RetrievalRequest(text=text, strategy=strategy, filters=filters),
    }
    return cast(State, made | ({"plan": plan} if plan else {}))


async def run(view: GraphView | None, state: State, tenant: str = "default") -> NodeResult:
    return await add_graph_expansion(state, graph=view, tenant=tenant)


# ---------------------------------------------------------------------------------------------------------------- the agent
async def test_without_hops_the_entities_own_passages_are_found(view: GraphView) -> None:
    found = await expand_graph(GraphQuestion(text="Where is Mara Ellison?", tenant="default"), graph=view)
    assert [(match.matched, match.how) for match in found.original_entities] == [("Mara Ellison", "exact")]
    assert found.expanded_entities == []
    assert [(hit.document_id, hit.reason) for hit in found.hits] == [("people", "mentions Mara Ellison")]
    assert [each.reason for each in found.related_documents] == ["It mentions Mara Ellison."]


async def test_hops_lead_to_other_documents_with_the_way_as_the_reason(view: GraphView) -> None:
    found = await expand_graph(GraphQuestion(text="Where is Mara Ellison?", tenant="default", hops=2), graph=view)
    assert [(each.entity.name, each.hops) for each in found.expanded_entities] == [("Trevanion & Holt", 1), ("Quay 7", 2)]
    reasons = {each.document_id: each.reason for each in found.related_documents}
    assert reasons["letter"] == "It mentions Trevanion & Holt: Mara Ellison works at Trevanion & Holt."
    assert reasons["deed"].startswith("It mentions Quay 7: Mara Ellison works at Trevanion & Holt; ")
    assert found.entity_context[0] == "Mara Ellison works at Trevanion & Holt."
    assert [step.target for step in found.expansion_path] == ["Trevanion & Holt", "Quay 7"]
    scores = {hit.document_id: hit.score for hit in found.hits}
    assert scores["people"] > scores["letter"] > scores["deed"] > 0
    way = next(hit.reason for hit in found.hits if hit.document_id == "letter")
    assert way.startswith(("mentions Trevanion & Holt", "mentions Quay 7"))
    assert way.endswith("(Mara Ellison works at Trevanion & Holt)")


async def test_a_date_finds_its_passages_and_leads_nowhere(view: GraphView) -> None:
    found = await expand_graph(GraphQuestion(text="What was on 3 May 2024?", tenant="default", hops=2), graph=view)
    assert found.expanded_entities == []
    assert 0 < found.hits[0].score < 0.5


async def test_filters_hold_for_the_hits(view: GraphView) -> None:
    found = await expand_graph(GraphQuestion(text="Mara Ellison", tenant="default", hops=2, filters=Filters(document_ids=["deed"])), graph=view)
    assert {hit.document_id for hit in found.hits} == {"deed"} == {each.document_id for each in found.related_documents}


def test_a_step_is_told_in_the_direction_of_its_sentence() -> None:
    step = PathStep(source_id="1", source="Holt", relationship_type="WORKS_AT", target_id="2", target="Mara", weight=0.9, forward=False)
    assert describe_step(step) == "Mara works at Holt"
    assert describe_step(step.model_copy(update={"relationship_type": "PAID_FOR", "forward": True})) == "Holt paid for Mara"


# ---------------------------------------------------------------------------------------------------------------- the node
async def test_the_search_gets_the_hits(view: GraphView) -> None:
    done = await run(view, state_of("Who knows Mara Ellison?", strategy=EXPLORATORY))
    assert not done.skipped
    assert done.writes["retrieval_request"].graph_hits == done.writes["expansion"].hits != []
    assert done.details == "Known: Mara Ellison. 2 related names within 2 hops: Trevanion & Holt, Quay 7. 3 passages in 3 documents."


async def test_a_strategy_without_the_graph_still_shows_it(view: GraphView) -> None:
    done = await run(view, state_of("Who knows Mara Ellison?"))
    assert done.writes["expansion"].expanded_entities == []
    assert done.details == "Known: Mara Ellison. 1 passage in 1 document; this strategy searches without them."


async def test_a_complex_plan_walks_one_hop(view: GraphView) -> None:
    done = await run(view, state_of("Who knows Mara Ellison?", plan=Plan(complexity="complex", score=3)))
    assert [each.entity.name for each in done.writes["expansion"].expanded_entities] == ["Trevanion & Holt"]


@pytest.mark.parametrize(
    ("text", "tenant", "without", "sentence"),
    [
        ("who is it?", "default", [], "The question names nothing of the"),
        ("Mara Ellison", "nobody", [], "The knowledge graph is empty"),
        ("Mara Ellison", "default", ["graph"], "Left out, as this run was asked to."),
    ],
)
async def test_he_stands_aside_and_says_why(view: GraphView, text: str, tenant: str, without: list[str], sentence: str) -> None:
    done = await run(view, state_of(text, without=without), tenant)
    assert done.skipped
    assert done.writes == {}
    assert sentence in done.details


async def test_a_library_without_a_graph() -> None:
    done = await run(None, state_of("Mara Ellison"))
    assert (done.skipped, done.details) == (True, "There is no knowledge graph in this library.")


@pytest.mark.parametrize(
    ("text", "feedback"),
    [("what does mara ellison do?", 0.0), ("what stands in the yearly inventory?", 0.0), ("what was asked about the harbour?", 0.4)],
    ids=["a known name", "a title", "a topic"],
)
async def test_what_the_library_knows_by_name_is_no_topic(text: str, feedback: float) -> None:
    store = MemoryGraphStore()
    store.put_document("people", make_paragraphs("Mara Ellison works at Trevanion & Holt."), title="People")
    store.put_document("goods", make_paragraphs("All is counted in June."), title="Yearly Inventory")
    topic = Strategy(name="semantic", lexical=0.3, dense=0.7, feedback=0.4)
    state = state_of(text, strategy=topic)
    done = await run(GraphView(store), state)
    searched = done.writes.get("retrieval_request", state["retrieval_request"])
    assert searched.strategy == topic.model_copy(update={"feedback": feedback})
