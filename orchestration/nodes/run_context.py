"""The beginning of a run: what was said before, what is remembered of the person, and whether a model answers."""

from __future__ import annotations

from agents.query_classifier.followups import asks_for_more
from core.errors import VantageError
from core.memory import Recollection
from core.ports import ChatModel, MemoryQuestion, Turn
from core.search import Degradation
from orchestration.node_adapter import NodeResult, Tools
from orchestration.response import format_count
from orchestration.state import ModelState, RecalledTurns, State


async def load_context(state: State, tools: Tools) -> NodeResult:
    """The conversation's earlier turns, else the session's; what is remembered of the person; and whether a model answers."""
    query, deps = state["query"], tools.deps
    recollection, forgotten = await _recollection(state, tools)
    history, tier, last_results = await _history(query.conversation_id, recollection, tools)
    model, degraded = await _model_state(deps.model, required=deps.options.model_required)
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


async def _recollection(state: State, tools: Tools) -> tuple[Recollection, tuple[Degradation, ...]]:
    """What memory offers; a memory that does not answer leaves the run without it, and says so."""
    query, request, memory = state["query"], state["request"], tools.deps.memory
    if memory is None or not request.use_memory or "memory" in request.without:
        return Recollection(), ()
    try:
        found = await memory.recall(MemoryQuestion(tools.run.tenant, query.user_id, query.text, query.session_id))
    except VantageError as error:
        return Recollection(), (Degradation(part="memory", reason=f"{error} Nothing was recalled for this question."),)
    return found, tuple(found.degraded)


async def _history(conversation_id: str | None, recollection: Recollection, tools: Tools) -> tuple[list[tuple[str, str]], str, list[str]]:
    """The earlier turns, where they came from, and the documents that the last answer showed, best first ("the second one")."""
    if conversation_id:
        _, turns = await tools.deps.conversations.get(tools.run.tenant, conversation_id)
        run = tools.run
        turns = [turn for turn in _earlier_turns(turns, {run.id, run.replay_of, run.request.replaces}) if turn.state == "answered"]
        if turns:
            shown = [str(result["id"]) for result in turns[-1].response.get("results", [])]
            first = max(0, len(turns) - tools.deps.options.history_turns)
            while first > 0 and asks_for_more(turns[first].query):
                first -= 1  # "more" goes on with a list, however far back it began
            return [_pair(turn) for turn in turns[first:]], "conversation", shown
    return recollection.turns, recollection.turns_from if recollection.turns else "", []


def _earlier_turns(turns: list[Turn], trace_ids: set[str | None]) -> list[Turn]:
    """The turns before the question's own: the one of this run, or of the run that is asked again."""
    places = [place for place, turn in enumerate(turns) if turn.trace_id in trace_ids]
    return turns[: places[0]] if places else turns


def _pair(turn: Turn) -> tuple[str, str]:
    return turn.query, str(turn.response.get("answer", ""))


async def _model_state(model: ChatModel | None, *, required: bool) -> tuple[ModelState, tuple[Degradation, ...]]:
    if model is None:
        return ModelState(), ()
    available, reason = await model.check_availability()
    lost = (Degradation(part="model", reason=reason),) if required and not available else ()
    return ModelState(model.name, available), lost
