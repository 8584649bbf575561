"""The end that comparisons, analyses and summaries share: an answer that is quoted already becomes the step's writes, as document_search has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from agents.german.task_requests import translate_task
from agents.sources.source_documents import SourceDocuments
from agents.sources.unit_citations import QuotedAnswer
from core.ports import Library, Retriever, Writer
from core.search import Strategy
from orchestration.answer_generation import writing_prompts
from orchestration.events import AnswerStream
from orchestration.evidence import gather_evidence, make_results, unquoted_sections
from orchestration.node_adapter import NodeResult
from orchestration.rewrite_with_model import Rewrite, stream_rewritten
from orchestration.state import Keep, State


@dataclass(frozen=True, slots=True)
class QuotePorts:
    """The ports of an answer in the documents' own words. The `writer` rewrites it where a model answers."""

    library: Library
    retriever: Retriever
    hybrid: Strategy
    writer: Writer | None
    stream: AnswerStream
    keep: Keep


class PreparedAnswer(NamedTuple):
    """A quoted answer, what was done in words, and how a model would rewrite it (None: it is shown as it is)."""

    quoted: QuotedAnswer
    details: str
    rewrite: Rewrite | None = None


def english_task(state: State) -> str:
    """Return the task in English words, whatever language it was given in: they say what is to be done, not what is searched for."""
    return translate_task(state["classification"].read_as or state["query"].text)


def make_sources(state: State, ports: QuotePorts) -> SourceDocuments:
    return SourceDocuments(ports.library, ports.retriever, state["retrieval_request"], ports.hybrid)


def usable_writer(writer: Writer | None, state: State) -> Writer | None:
    return writer if state["model"].available else None


async def answer_quoted(prepared: PreparedAnswer, state: State, ports: QuotePorts, sources: SourceDocuments) -> NodeResult:
    """Return the writes of document_search, with the text streamed: rewritten by the model where one is meant to."""
    found, rewrite = state["retrieval"], prepared.rewrite
    passages = list({(each.document_id, each.start, each.end): each for each in prepared.quoted.passages}.values())
    gathered = await gather_evidence(passages, state["query"].tenant, ports.library)
    kept = gathered.passages
    results = make_results(kept, gathered.documents, max(state["request"].top_k, len({passage.document_id for passage in kept})))
    writes: dict[str, Any] = {
        "retrieval": found.model_copy(update={"signals": sources.join_signals(found)}),
        "passages": kept,
        "evidence": gathered.evidence,
        "results": results,
    }
    ports.keep(writes)  # the model may write for long
    answer, lost = await stream_rewritten(prepared.quoted.answer, rewrite, gathered.evidence, state, ports.stream)
    writes |= {"sections": unquoted_sections(results, gathered, answer), "answer": answer}
    prompts = writing_prompts(rewrite.writer, answer) if rewrite is not None else {}
    by = "" if answer.generated_by == "extractive" else f" Told by {answer.generated_by}."
    return NodeResult(writes, f"{prepared.details}{by}", lost, tokens=answer.tokens, prompts=prompts)


def prefix_details(done: NodeResult, why: str) -> NodeResult:
    """Return the result of the step that took the place of the task, with the reason in front of its details."""
    return replace(done, details=f"{why} {done.details}")
