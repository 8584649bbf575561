"""The end of a run: the response, and what is kept of it."""

from __future__ import annotations

from agents.planner.agent import reasoning_with_citations
from core.answers import Answer
from core.memory import Episode
from core.ports import Library, MemoryManager, RunMemory
from core.runs import Outcome
from core.search import WEIGHTED
from orchestration.events import RunRecord
from orchestration.node_adapter import NodeResult
from orchestration.note_answers import GENERATED_BY_MEMORY
from orchestration.response import build_response
from orchestration.search_scope import count_searched_documents
from orchestration.state import State

EMPTY_LIBRARY_TEXT = "The library is empty, so there is nothing to find an answer in. Index a folder, and ask again."
_RESPONSE = 2000  # characters of an answer that an episode keeps


async def generate_response(state: State, *, run: RunRecord, library: Library) -> NodeResult:
    if "reasoning" in state and "answer" in state:
        cited = reasoning_with_citations(state["reasoning"], state.get("hops", []), state["answer"])
        state = {**state, "reasoning": cited}
    response = build_response(state, run)
    if response.searched and (search := state.get("retrieval_request")) is not None:
        asked = await count_searched_documents(search, run.library, library)
        response = response.model_copy(update={"searched": {**response.searched, **asked}})
        if response.status == "not_found" and not asked["library"]:
            response = response.model_copy(update={"answer": EMPTY_LIBRARY_TEXT, "response_message": EMPTY_LIBRARY_TEXT})
    return NodeResult({"response": response}, response.response_message)


async def remember(state: State, *, run: RunRecord, memory: MemoryManager | None) -> NodeResult:
    """Every tier of memory gains what it keeps of this run. The conversation's turn and the trace are stored when the run is over, with this
    very step."""
    request = state["request"]
    if memory is None:
        return NodeResult({}, "Memory is switched off.", skipped=True)
    if run.replay_of or not request.use_memory or "memory" in request.without:
        return NodeResult({}, "Asked without memory: nothing of it is kept.", skipped=True)
    kept = await memory.keep_run(_run_memory(state, run))
    return NodeResult({}, " ".join(kept) or "Nothing to keep.")


def _run_memory(state: State, run: RunRecord) -> RunMemory:
    answer = state.get("answer", Answer(text="", generated_by="none", found=False))
    return RunMemory(
        tenant=run.tenant,
        episode=_episode(state, run),
        from_memory=answer.generated_by == GENERATED_BY_MEMORY,
        words_to_remember=state.get("to_remember", ""),
        answer_sentences=tuple(sentence.text for sentence in answer.sentences),
    )


def _episode(state: State, run: RunRecord) -> Episode:
    query, response = state["query"], state["response"]
    strategy, expansion = state.get("strategy"), state.get("expansion")
    return Episode(
        episode_id=run.id,
        user_id=run.user_id,
        session_id=query.session_id,
        conversation_id=query.conversation_id,
        query=query.text,
        intent=response.intent.value,
        response=response.answer[:_RESPONSE],
        results=list(dict.fromkeys([*(result.id for result in response.results), *(state["request"].attached_documents or [])])),
        cited=list(dict.fromkeys(citation.document_id for citation in response.citations)),
        confidence=response.confidence,
        status=response.status,
        search_strategy=strategy.name if strategy else "none",
        weights={name: getattr(strategy, name) for name in WEIGHTED} if strategy else {},
        used_multi_hop=bool(state.get("hops")),
        expanded_entities=[each.entity.name for each in expansion.expanded_entities] if expansion else [],
        thinking_steps=[f"{node.agent}: {node.details}" for node in run.nodes if node.outcome is not Outcome.SKIPPED],
        timestamp=run.started_at,
    )
