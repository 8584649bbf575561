"""The routes that search nothing: the library's own state, general knowledge, and asking back."""

from __future__ import annotations

from typing import Any

from langgraph.types import interrupt

from agents.clarification.agent import Clarification, clarify
from agents.general_answer.agent import answer_about_system, answer_general
from agents.overview.agent import OverviewPorts, OverviewQuestion
from agents.query_classifier.memory_requests import remember_request
from core.answers import Answer
from core.documents import Document
from core.ports import ChatModel, Library
from core.search import Filters, Intent, Query
from orchestration.events import AnswerStream
from orchestration.node_adapter import NodeResult
from orchestration.response import filters_in_words
from orchestration.state import ClarificationReply, State


async def general_answer(
    state: State, *, llm: ChatModel | None, library: Library, overviews: OverviewPorts, has_memory: bool, stream: AnswerStream
) -> NodeResult:
    """Answer from the library's real state, or from general knowledge by the model; without one the documents are searched instead (`preface`)."""
    question, model = state["query"].text, state["model"]
    if state["classification"].intent is Intent.SYSTEM_META:
        name = model.name if model.available else None
        asked = question if remember_request(question) else state["classification"].read_as or question
        tenant = state["query"].tenant
        overview = _overview_question(state)
        given = await answer_about_system(asked, tenant=tenant, library=library, model_name=name, ports=overviews, overview=overview)
        if to_remember := remember_request(question):
            return _confirm_note(to_remember, given.answer, state, has_memory=has_memory)
        return NodeResult({"answer": given.answer}, _describe_source(given.answer, overview.filters), tuple(given.answer.degraded))
    given = await answer_general(question, llm=llm if model.available else None, tell=stream.stream_token)
    writes: dict[str, Any] = {"answer": given.answer}
    if given.offers_documents:
        writes["preface"] = given.answer.text
        stream.withdraw_text()
    details = "No model for general knowledge: the documents are searched." if given.offers_documents else f"Answered by {given.answer.generated_by}."
    return NodeResult(writes, details, tuple(given.answer.degraded), tokens=given.tokens, prompts=given.prompts)


def _overview_question(state: State) -> OverviewQuestion:
    """Return the overview that the router saw is asked for, and what the question is limited to. "How many PDFs are there?" asks for none and is
    limited to nothing: it counts them among all."""
    aspect, filters = state["route"].aspect if "route" in state else "", state["classification"].filters
    if not aspect:
        filters = filters.model_copy(update={"file_types": state["query"].filters.file_types})
    return OverviewQuestion(aspect, state["query"].tenant, filters)


def _describe_source(answer: Answer, limits: Filters) -> str:
    source = "the library as a whole" if answer.citations else "the library's state"
    if not limits.is_empty():
        source = f"{filters_in_words(limits)} alone"
    return " ".join([f"Answered from {source}." if answer.found else f"Nothing is told of {source}.", *answer.notes])


def _confirm_note(words: str, answer: Answer, state: State, *, has_memory: bool) -> NodeResult:
    """Make a note of what a person asks to keep, where there is a memory to keep it in."""
    kept = has_memory and state["request"].use_memory and "memory" not in state["request"].without
    if not kept:
        text = "Memory is switched off for this question, so I cannot keep this. Ask again with memory, or switch it on in the settings."
        return NodeResult({"answer": Answer(text=text, generated_by="none", found=False)}, "Memory is switched off: nothing is kept.")
    return NodeResult({"answer": answer, "to_remember": words}, "Asked to remember something.")


async def ask_back(state: State, *, library: Library) -> NodeResult:
    """Interrupts the run with choices from the index. The node runs again from its start when the answer is there."""
    query = state["query"]
    asked = state["ambiguity"] if "ambiguity" in state else await clarify(query.text, documents=await _sample_documents(library, query.tenant))
    if not asked.questions:
        return NodeResult({"clarification": asked}, "Nothing in the library to choose from.")
    reply = ClarificationReply(**interrupt(asked.model_dump()))
    found = state["classification"].model_copy(update={"intent": Intent.DOCUMENT_SEARCH, "rule": "asked back"})
    query = _apply_reply(query, asked, reply)
    said = "Skipped: the question is searched as written." if reply.skipped else f"Answered: “{(reply.question or query.text)[:200]}”."
    return NodeResult({"reply": reply, "query": query, "classification": found}, said)


def _apply_reply(query: Query, asked: Clarification, reply: ClarificationReply) -> Query:
    """Return the question as it was answered; a choice that stands for a document is the question itself, asked of that document alone."""
    place = asked.questions.index(reply.question) if asked.documents and reply.question in asked.questions else None
    if place is None:
        return query.model_copy(update={"text": _complete_question(query.text, reply)})
    return query.model_copy(update={"filters": query.filters.model_copy(update={"document_ids": [asked.documents[place]]})})


def _complete_question(question: str, reply: ClarificationReply) -> str:
    """Complete the question: a choice is a whole one, and so are several words; one or two only complete what was asked."""
    if reply.question:
        return reply.question
    words = reply.words
    return question if reply.skipped else words if len(words.split()) > 2 else f"{question.rstrip(' ?.!')} {words}"


async def _sample_documents(library: Library, tenant: str) -> list[Document]:
    chunks = await library.sample_chunks(tenant, 12)
    found = await library.documents(tenant, list(dict.fromkeys(chunk.document_id for chunk in chunks)))
    return list(found.values())
