"""Answers that the knowledge graph gives in the place of passages: what the documents together say of a question."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from agents.dual_level.agent import DualLevelOptions, answer_on_two_levels
from agents.lazy_rag.agent import MOST_WORDS, GraphPorts, LazyOptions, LazySummary, SummaryQuestion, summarize_lazily
from agents.sources.unit_citations import QuotedAnswer
from core.answers import Answer
from core.errors import Unavailable
from core.graph_answers import DualLevelResult, LazyRAGResult, SummaryCost
from core.ports import Writer
from core.query_routes import QueryRoute
from core.search import Degradation
from orchestration.node_adapter import NodeResult
from orchestration.passages import ReadPassages
from orchestration.quoted_answers import PreparedAnswer, QuotePorts, answer_quoted, make_sources, usable_writer
from orchestration.response import format_count
from orchestration.rewrite_with_model import Rewrite
from orchestration.state import State


class GraphAnswer(NamedTuple):
    """The step's result; None where the graph has no answer, with what could not be asked."""

    done: NodeResult | None = None
    degraded: tuple[Degradation, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphAnswerPorts:
    """The ports of such answers. `read` reads the passages of the search; `lazy` or `dual` None: switched off."""

    graph: GraphPorts | None
    quotes: QuotePorts
    read: Callable[[State], Awaitable[ReadPassages]]
    lazy: LazyOptions | None = None
    dual: DualLevelOptions | None = None


AnswerFromGraph = Callable[[State, QueryRoute | None], Awaitable[GraphAnswer]]


async def answer_from_graph(state: State, route: QueryRoute | None, *, ports: GraphAnswerPorts) -> GraphAnswer:
    """Answer a question whose scope asks for it. A graph that cannot be asked is told, and passages answer."""
    if route is None or ports.graph is None:
        return GraphAnswer()
    try:
        if ports.lazy is not None and route.aspect == "summary":
            return GraphAnswer(await _summarize(state, ports.graph, ports.lazy, ports.quotes))
        if ports.dual is not None and route.query_type == "hybrid" and (route.signals or route.by != "rules"):
            return GraphAnswer(await _answer_on_two_levels(state, ports.graph, ports.dual, ports))
    except Unavailable as error:
        return GraphAnswer(None, (Degradation(part="graph", reason=f"{error} The question was answered from passages."),))
    return GraphAnswer()


async def _summarize(state: State, graph: GraphPorts, options: LazyOptions, quotes: QuotePorts) -> NodeResult | None:
    began = time.perf_counter()
    summary = await summarize_lazily(make_summary_question(state), ports=graph, options=options)
    if summary is None:
        return None
    details = f"Lazy summary: {format_count(summary.sentences_read, 'sentence')} read, {format_count(len(summary.answer.citations), 'citation')}."
    writer = usable_writer(quotes.writer, state)
    done = await tell_quoted(state, QuotedAnswer(summary.answer, summary.passages), details, writer, quotes)
    answer: Answer = done.writes["answer"]
    result = _result(state, summary, answer, writer).model_copy(update={"generation_time_ms": round((time.perf_counter() - began) * 1000, 1)})
    done.writes["lazy_rag"] = result
    return done


async def _answer_on_two_levels(state: State, graph: GraphPorts, options: DualLevelOptions, ports: GraphAnswerPorts) -> NodeResult | None:
    read = await ports.read(state)
    found = await answer_on_two_levels(make_summary_question(state), read.gathered.evidence, ports=graph, options=options)
    if found is None:
        return None
    details = f"Two levels: {format_count(len(found.low), 'passage')} and {format_count(len(found.high), 'theme')}."
    quoted = QuotedAnswer(found.answer, found.passages)
    done = await tell_quoted(state, quoted, details, usable_writer(ports.quotes.writer, state), ports.quotes)
    answer: Answer = done.writes["answer"]
    done.writes["dual_level"] = DualLevelResult(
        query=state["query"].text,
        low_level_results=found.low,
        high_level_results=found.high,
        synthesized_answer=answer.text,
        confidence=round(found.chance, 4),
    )
    return done


def make_summary_question(state: State) -> SummaryQuestion:
    request, found = state["retrieval_request"], state["classification"]
    names = [*found.entities, *found.quoted]
    candidates = state["retrieval"].candidates
    return SummaryQuestion(text=found.search_text, tenant=request.tenant, names=names, filters=request.filters, candidates=candidates)


async def tell_quoted(state: State, quoted: QuotedAnswer, details: str, writer: Writer | None, ports: QuotePorts) -> NodeResult:
    """Return the writes of an answer in the documents' sentences, rewritten where there is a writer; the sentences stand where it fails."""
    asked = f"{state['classification'].read_as or state['query'].text}\nLength: at most {MOST_WORDS} words."
    rewrite = Rewrite(writer, asked, quoted.answer, "The answer is made of the documents' own sentences.") if writer is not None else None
    return await answer_quoted(PreparedAnswer(quoted, details, rewrite), state, ports, make_sources(state, ports))


def _result(state: State, summary: LazySummary, answer: Answer, writer: Writer | None) -> LazyRAGResult:
    return LazyRAGResult(
        query=state["query"].text,
        entities=summary.entities,
        relationships=[each.reached.path[-1] for each in summary.facts],
        summary=answer.text,
        confidence=round(summary.chance, 4),
        generation_time_ms=0.0,
        citations=answer.citations,
        missing=summary.missing,
        cost=SummaryCost(
            model_calls=int(writer is not None),
            prompt_tokens=answer.tokens.get("input", 0),
            completion_tokens=answer.tokens.get("output", 0),
            sentences_read=summary.sentences_read,
        ),
    )
