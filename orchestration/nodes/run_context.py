"""The beginning of a run: what was said before, what is remembered of the person, and whether a model answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from core.errors import VantageError
from core.memory import Recollection
from core.ports import ChatModel, MemoryManager, MemoryQuestion, Turn
from core.search import Degradation
from orchestration.node_adapter import NodeResult
from orchestration.response import format_count
from orchestration.state import ModelState, RecalledTurns, State

EarlierTurns = Callable[[str], Awaitable[list[Turn]]]  # of a conversation


async def load_context(
    state: State, *, turns: EarlierTurns, memory: MemoryManager | None, llm: ChatModel | None, model_required: bool, tenant: str
) -> NodeResult:
    """Load the conversation's earlier turns, else the session's; what is remembered of the person; and whether a model answers."""
    query = state["query"]
    recollection, forgotten = await _recollection(state, memory, tenant)
    history, tier, last_results = await _history(query.conversation_id, recollection, turns)
    model, degraded = await _model_state(llm, required=model_required)
    writes = {
        "query": query.model_copy(update={"history": history, "last_results": last_results}),
        "model": model,
        "recalled": RecalledTurns(tier, len(history)),
        "memory": recollection,
    }
    return NodeResult(writes, _describe_context(state, history, recollection, model), (*forgotten, *degraded))


def _describe_context(state: State, history: list[tuple[str, str]], recollection: Recollection, model: ModelState) -> str:
    turns = format_count(len(history), "earlier turn") if history else "No earlier turns"
    attached = len(state["request"].attached_documents or [])
    asked_of = f"; asking only {format_count(attached, 'attached document')}" if attached else ""
    episodes, notes = len(recollection.episodes), len(recollection.notes)
    known = [format_count(episodes, "similar question")] * bool(episodes) + [format_count(notes, "note")] * bool(notes)
    remembered = f"; {' and '.join(known)} remembered" if known else ""
    voice = f"{model.name} writes" if model.available else "no language model"
    return f"{turns}{remembered}; {voice}{asked_of}."


async def _recollection(state: State, memory: MemoryManager | None, tenant: str) -> tuple[Recollection, tuple[Degradation, ...]]:
    """Return what memory offers; a memory that does not answer leaves the run without it, and says so."""
    query, request = state["query"], state["request"]
    if memory is None or not request.use_memory or "memory" in request.without:
        return Recollection(), ()
    try:
        found = await memory.recall(MemoryQuestion(tenant, query.user_id, query.text, query.session_id))
    except VantageError as error:
        return Recollection(), (Degradation(part="memory", reason=f"{error} Nothing was recalled for this question."),)
    return found, tuple(found.degraded)


async def _history(conversation_id: str | None, recollection: Recollection, turns: EarlierTurns) -> tuple[list[tuple[str, str]], str, list[str]]:
    """Return the earlier turns, where they came from, and the documents that the last answer showed, best first ("the second one")."""
    if conversation_id and (earlier := await turns(conversation_id)):
        shown = [str(result["id"]) for result in earlier[-1].response.get("results", [])]
        return [(turn.query, str(turn.response.get("answer", ""))) for turn in earlier], "conversation", shown
    return recollection.turns, recollection.turns_from if recollection.turns else "", []


async def _model_state(model: ChatModel | None, *, required: bool) -> tuple[ModelState, tuple[Degradation, ...]]:
    if model is None:
        return ModelState(), ()
    available, reason = await model.check_availability()
    lost = (Degradation(part="model", reason=reason),) if required and not available else ()
    return ModelState(model.name, available), lost
