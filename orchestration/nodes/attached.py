"""Daedalus: attached files are studied by the sub-graph, then the question is answered from those that could be read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agents.document_agents.reader import name_of
from agents.document_agents.wishes import Wish, wishes
from agents.followups import resolve
from agents.query_classifier import Classified
from core.answers import Answer
from core.insights import AttachedFile, AttachedReport
from core.runs import DAEDALUS
from core.search import Filters, Intent, Retrieval, RetrievalRequest
from orchestration.adapter import Done, Tools
from orchestration.daedalus import AT_A_TIME, Studying, daedalus
from orchestration.evidence import gather, open_sections, results_of
from orchestration.nodes.from_insights import from_insights
from orchestration.nodes.searching import document_search
from orchestration.response import counted
from orchestration.state import State

RULE = "attached"
_PIECES = re.compile(r".+?(?:(?<=\])\s+|\n+|$)", re.DOTALL)


async def attached_documents(state: State, tools: Tools) -> Done:
    """The files' insights, and the answer over all of them that can be read; what cannot be read is said, and hurts no other."""
    report = await study(state, tools)
    readable = [file for file in report.files if file.state != "failed"]
    found = _classified(state, readable)
    request = _request(state, found, tools)
    begun: dict[str, Any] = {"attached": report, "classification": found, "retrieval_request": request, "strategy": request.strategy}
    tools.run.state |= begun  # kept if the run stops here
    if not readable:
        return Done({**begun, **_nothing(report)}, _studied(report))
    wished = wishes(found.read_as or state["query"].text, [file.filename for file in readable])
    answered = await (_from_insights(wished, readable, tools) if wished else _searched({**state, **begun}, tools))
    return Done(
        {**begun, **answered.writes}, f"{_studied(report)} {answered.details}", answered.degraded, tokens=answered.tokens, prompts=answered.prompts
    )


async def study(state: State, tools: Tools) -> AttachedReport:
    """The sub-graph over the request's attached documents, in the order in which they were attached."""
    asked = state["request"].attached_documents or []
    documents = await tools.deps.library.documents(tools.run.library, asked)
    names = {each: documents[each].filename if each in documents else name_of(each) for each in asked}
    given = {"asked": names, "answering": state["model"].available}
    ended = await daedalus().ainvoke(cast(Any, given), {"max_concurrency": AT_A_TIME}, context=Studying(tools))
    report: AttachedReport = ended["report"]
    return report.model_copy(update={"agents_used": [DAEDALUS.label, *report.agents_used]})


def _classified(state: State, readable: list[AttachedFile]) -> Classified:
    """Who attaches files asks about them: no intent is guessed, and no other filter hides a file that was attached on purpose."""
    query = state["query"]
    text = resolve(query.text, query.history)
    return Classified(
        intent=Intent.DOCUMENT_SEARCH,
        confidence=1.0,
        rule=RULE,
        reasoning="Files are attached: the question is about them.",
        filters=Filters(document_ids=[file.document_id for file in readable]),
        search_text=text,
        read_as=text if text != query.text else "",
    )


def _request(state: State, found: Classified, tools: Tools) -> RetrievalRequest:
    asked = state["request"]
    return RetrievalRequest(
        text=found.search_text,
        tenant=tools.run.library,
        filters=found.filters,
        strategy=tools.deps.options.hybrid,
        top_k=asked.top_k,
        use_hybrid=asked.use_hybrid,
        diversity_weight=asked.diversity_weight,
        mode=asked.mode,
        without=[stage for stage in asked.without if stage in {"lexical", "dense", "multilingual"}],
    )


def _studied(report: AttachedReport) -> str:
    failed = [file for file in report.files if file.state == "failed"]
    known = sum(file.cached for file in report.files)
    before = f", {known} of them known from before" if known else ""
    read = f"{len(report.files) - len(failed)} of {counted(len(report.files), 'file')} read{before}."
    return read + "".join(f" {file.filename} cannot be: {file.reason}" for file in failed[:3])


def _nothing(report: AttachedReport) -> dict[str, Any]:
    """No file can be read: the answer says why for each."""
    said = "\n".join(f"{file.filename}: {file.reason}" for file in report.files)
    text = f"None of the attached files could be read.\n{said}" if report.files else "No file is attached."
    answer = Answer(text=text, generated_by="none", found=False)
    return {"answer": answer, "retrieval": Retrieval(), "passages": [], "evidence": [], "results": [], "sections": []}


async def _from_insights(wished: Sequence[Wish], readable: list[AttachedFile], tools: Tools) -> Done:
    drawn = await from_insights(wished, readable, tools.deps.library, tools.run.library)
    gathered = await gather(drawn.passages, tools.run.library, tools.deps.library)
    results = results_of(drawn.passages, gathered.documents, len(readable))
    for piece in _PIECES.findall(drawn.answer.text) if drawn.answer.found else []:
        tools.run.token(piece)
    writes = {
        "answer": drawn.answer,
        "retrieval": drawn.retrieval,
        "passages": drawn.passages,
        "evidence": gathered.evidence,
        "results": results,
        "sections": open_sections(results, gathered, drawn.answer),
    }
    details = f"{counted(len(drawn.answer.citations), 'line')} of the insights quoted." if drawn.answer.found else drawn.answer.text
    return Done(writes, details)


async def _searched(state: Mapping[str, Any], tools: Tools) -> Done:
    """The same search and the same answer as for the library, in the readable files alone."""
    request: RetrievalRequest = state["retrieval_request"]
    found = await tools.deps.retriever.retrieve(request)
    if found.candidates and tools.deps.options.rerank_enabled and "rerank" not in state["request"].without:
        found = await tools.deps.retriever.rerank(request, found)
    tools.run.state["retrieval"] = found
    done = await document_search(cast(State, {**state, "retrieval": found}), tools)
    return Done(done.writes, done.details, (*found.degraded, *done.degraded), tokens=done.tokens, prompts=done.prompts)
