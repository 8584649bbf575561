"""Which way a run goes."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from agents.query_classifier.agent import ClassifiedQuery
from core.search import Intent, Query
from core.search_schemas import SearchRequest
from orchestration.nodes import ROWS
from orchestration.routers import after_clarify, after_classify, after_context, after_general_answer
from orchestration.state import State


def state(intent: Intent, attached: list[str] | None = None) -> State:
    found = ClassifiedQuery(intent=intent, confidence=0.9, rule="test")
    return State(request=SearchRequest(query="x", attached_documents=attached), query=Query(text="x"), classification=found)


@pytest.mark.parametrize(
    ("intent", "way"),
    [
        (Intent.DOCUMENT_SEARCH, "choose_strategy"),
        (Intent.COMPARISON, "choose_strategy"),
        (Intent.SUMMARIZATION, "choose_strategy"),
        (Intent.ANALYSIS, "choose_strategy"),
        (Intent.GENERAL_KNOWLEDGE, "general_answer"),
        (Intent.SYSTEM_META, "general_answer"),
        (Intent.CLARIFICATION_NEEDED, "clarify"),
    ],
)
async def test_every_intent_has_a_way(intent: Intent, way: str) -> None:
    assert await after_classify(state(intent)) == way


@pytest.mark.parametrize("intent", list(Intent))
async def test_attached_documents_go_to_daedalus(intent: Intent) -> None:
    assert await after_context(state(intent, ["d1"])) == "attached_documents"
    assert await after_context(state(intent)) == "classify"


async def test_without_a_model_the_documents_are_searched() -> None:
    assert await after_general_answer(state(Intent.GENERAL_KNOWLEDGE)) == "generate_response"
    assert await after_general_answer(State(**state(Intent.GENERAL_KNOWLEDGE), preface="No model.")) == "choose_strategy"


@pytest.mark.parametrize("router", [after_context, after_classify, after_clarify, after_general_answer])
def test_routers_name_nodes(router: object) -> None:
    assert set(get_args(get_type_hints(router)["return"])) <= {row.name for row in ROWS}
