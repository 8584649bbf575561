"""The steps of Aristotle and Thoth over fake ports, as Zeus calls them."""

from __future__ import annotations

from typing import Any, cast

from agents.query_classifier.agent import ClassifiedQuery
from agents.query_classifier.intent_rules import apply_rules
from answers.generative.cited_writer import CitedWriter
from answers.scoring.unit_vectors import UnitVectors
from core.prompts import load_prompt
from core.search import Filters, Query, RetrievalRequest
from core.search_schemas import SearchRequest
from orchestration.events import RunRecord
from orchestration.node_adapter import NodeResult
from orchestration.state import ModelState, State
from tests.support.evidence import CountingEmbedder, WordIndex
from tests.support.models import ScriptedModel
from tests.support.nodes import run_node
from tests.support.ports import FakeLibrary, make_dependencies, make_document


def offers() -> FakeLibrary:
    alder = make_document(
        "alder", "/library/offers/Alder offer.pdf", "Offer of Alder Trucks",
        [("Warranty", "The trucks carry a warranty of 36 months or 5,000 operating hours, whichever comes first."),
         ("Delivery", "We deliver the trucks nine weeks after your order has arrived at our office.")],
    )  # fmt: skip
    birch = make_document(
        "birch", "/library/offers/Birch offer.txt", "Offer of Birch Lifts",
        [("Warranty", "The trucks have a warranty of 24 months or 3,000 operating hours, whichever comes first."),
         ("Training", "Training of four operators on your site is included in the price of the trucks.")],
    )  # fmt: skip
    return FakeLibrary([alder, birch])


def searched_words(question: str) -> str:
    """What Athena leaves of the question to search."""
    return question.removeprefix("Analyse the ")


async def run_task(
    question: str, library: FakeLibrary, filters: Filters | None = None, model: ScriptedModel | None = None
) -> tuple[NodeResult, RunRecord]:
    """The step that the question's rule leads to, with what it hands back. The model, where there is one, writes both."""
    deps = make_dependencies(library, model=model, summary_writer=_writer(model, "summarization"), comparison_writer=_writer(model, "analysis"))
    request = SearchRequest(query=question)
    record = RunRecord("run", "default", "ann", request, deps.now())
    ruling = apply_rules(question)
    found = ClassifiedQuery(
        intent=ruling.intent, confidence=1.0, rule=ruling.rule, search_text=searched_words(question), filters=filters or Filters()
    )
    asked = RetrievalRequest(text=found.search_text, strategy=deps.options.hybrid, filters=found.filters)
    state = cast(
        State,
        {
            "request": request,
            "query": Query(text=question),
            "model": ModelState(model.name, model.answers) if model else ModelState(),
            "classification": found,
            "retrieval_request": asked,
            "retrieval": await deps.retriever.retrieve(asked),
        },
    )
    return await run_node("summarize" if ruling.rule == "summarisation" else "analyze", state, deps, record), record


def _writer(model: ScriptedModel | None, prompt: str) -> CitedWriter | None:
    return CitedWriter(model, load_prompt(prompt), UnitVectors(CountingEmbedder()), WordIndex()) if model is not None else None


def check_quotes(writes: dict[str, Any], library: FakeLibrary) -> None:
    answer = writes["answer"]
    for citation in answer.citations:
        assert citation.quote == library.texts[citation.document_id].text[citation.start : citation.end]
    numbers = {citation.number for citation in answer.citations}
    assert all(sentence.citations and set(sentence.citations) <= numbers for sentence in answer.sentences)
