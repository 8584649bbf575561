"""Daedalus: attached files are studied by the sub-graph, then the question is answered from those that could be read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from agents.attached.agent import name_of
from agents.attached.insight_requests import InsightRequest, find_insight_requests
from agents.query_classifier.agent import ClassifiedQuery
from agents.query_classifier.followups import resolve_followup
from core.answers import Answer
from core.insights import AttachedFile, AttachedReport
from core.leg_names import LEGS
from core.ports import Library
from core.runs import DAEDALUS
from core.search import Degradation, Filters, Intent, Retrieval, RetrievalRequest, Strategy
from core.search_pipelines import PIPELINES
from orchestration.daedalus import MAX_PARALLEL, StudyContext, compile_daedalus
from orchestration.events import AnswerStream
from orchestration.evidence import gather_evidence, make_results, unquoted_sections
from orchestration.node_adapter import Node, NodeResult
from orchestration.nodes.insight_answer import answer_from_insights
from orchestration.nodes.library_search import Search
from orchestration.response import format_count
from orchestration.state import Keep, State

ATTACHED_RULE = "attached"
_SEARCHING = frozenset(leg.name for leg in LEGS) - {"graph"}  # legs that these files are searched by; nothing is expanded here

_NO_GRAPH = (Degradation(part="graph", reason="Attached files are searched without the knowledge graph."),)


async def attached_documents(
    state: State,
    *,
    study: Callable[[State], Awaitable[AttachedReport]],
    quote: Callable[[str, Sequence[InsightRequest], list[AttachedFile]], Awaitable[NodeResult]],
    search: Node,
    hybrid: Strategy,
    keep: Keep,
) -> NodeResult:
    """Study the files, and answer over all of them that can be read; what cannot be read is said, and hurts no other."""
    report = await study(state)
    readable = [file for file in report.files if file.state != "failed"]
    found = _classify_attached(state, readable)
    request = _request(state, found, hybrid)
    begun: dict[str, Any] = {"attached": report, "classification": found, "retrieval_request": request, "strategy": request.strategy}
    keep(begun)
    if not readable:
        return NodeResult({**begun, **_write_unreadable(report)}, _describe_study(report))
    wished = find_insight_requests(found.read_as or state["query"].text, [file.filename for file in readable])
    answered = await (quote(request.tenant, wished, readable) if wished else search(cast(State, {**state, **begun})))
    return NodeResult(
        {**begun, **answered.writes},
        f"{_describe_study(report)} {answered.details}",
        (*_NO_GRAPH, *answered.degraded) if PIPELINES[state["request"].pipeline].graph else answered.degraded,
        tokens=answered.tokens,
        prompts=answered.prompts,
    )


async def study_files(state: State, *, library: Library, context: StudyContext) -> AttachedReport:
    """Run the sub-graph over the request's attached documents, in the order in which they were attached."""
    asked = state["request"].attached_documents or []
    documents = await library.documents(state["query"].tenant, asked)
    names = {each: documents[each].filename if each in documents else name_of(each) for each in asked}
    given = {"asked": names, "answering": state["model"].available}
    ended = await compile_daedalus().ainvoke(cast(Any, given), {"max_concurrency": MAX_PARALLEL}, context=context)
    report: AttachedReport = ended["report"]
    return report.model_copy(update={"agents_used": [DAEDALUS.label, *report.agents_used]})


def _classify_attached(state: State, readable: list[AttachedFile]) -> ClassifiedQuery:
    """Classify a question about attached files: no intent is guessed, and no other filter hides a file that was attached on purpose."""
    query = state["query"]
    text = resolve_followup(query.text, query.history)
    return ClassifiedQuery(
        intent=Intent.DOCUMENT_SEARCH,
        confidence=1.0,
        rule=ATTACHED_RULE,
        reasoning="Files are attached: the question is about them.",
        filters=Filters(document_ids=[file.document_id for file in readable]),
        search_text=text,
        read_as=text if text != query.text else "",
    )


def _request(state: State, found: ClassifiedQuery, hybrid: Strategy) -> RetrievalRequest:
    asked = state["request"]
    return RetrievalRequest(
        text=found.search_text,
        tenant=state["query"].tenant,
        filters=found.filters,
        strategy=hybrid,
        top_k=asked.top_k,
        use_hybrid=asked.use_hybrid,
        diversity_weight=asked.diversity_weight,
        mode=asked.mode,
        use_tree=PIPELINES[asked.pipeline].tree,
        without=[stage for stage in asked.without if stage in _SEARCHING],
    )


def _describe_study(report: AttachedReport) -> str:
    failed = [file for file in report.files if file.state == "failed"]
    known = sum(file.cached for file in report.files)
    before = f", {known} of them known from before" if known else ""
    read = f"{len(report.files) - len(failed)} of {format_count(len(report.files), 'file')} read{before}."
    return read + "".join(f" {file.filename} cannot be: {file.reason}" for file in failed[:3])


def _write_unreadable(report: AttachedReport) -> dict[str, Any]:
    """No file can be read: the answer says why for each."""
    said = "\n".join(f"{file.filename}: {file.reason}" for file in report.files)
    text = f"None of the attached files could be read.\n{said}" if report.files else "No file is attached."
    answer = Answer(text=text, generated_by="none", found=False)
    return {"answer": answer, "retrieval": Retrieval(), "passages": [], "evidence": [], "results": [], "sections": []}


async def quote_insights(
    tenant: str, wished: Sequence[InsightRequest], readable: list[AttachedFile], *, library: Library, stream: AnswerStream
) -> NodeResult:
    drawn = await answer_from_insights(wished, readable, library, tenant)
    gathered = await gather_evidence(drawn.passages, tenant, library)
    results = make_results(drawn.passages, gathered.documents, len(readable))
    if drawn.answer.found:
        stream.show(drawn.answer.text)
    writes = {
        "answer": drawn.answer,
        "retrieval": drawn.retrieval,
        "passages": drawn.passages,
        "evidence": gathered.evidence,
        "results": results,
        "sections": unquoted_sections(results, gathered, drawn.answer),
    }
    details = f"{format_count(len(drawn.answer.citations), 'line')} of the insights quoted." if drawn.answer.found else drawn.answer.text
    return NodeResult(writes, details)


async def search_files(state: State, *, search: Search, answer: Node, keep: Keep) -> NodeResult:
    """Give the same search and the same answer as for the library, in the readable files alone."""
    found = await search(state["retrieval_request"], state["request"].without)
    keep({"retrieval": found})
    done = await answer(cast(State, {**state, "retrieval": found}))
    return NodeResult(done.writes, done.details, (*found.degraded, *done.degraded), tokens=done.tokens, prompts=done.prompts)
