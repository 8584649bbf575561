"""The beginning of a run: what was said before, what is remembered of the person, and whether a model answers."""

from __future__ import annotations

from core.ports import ChatModel, Turn
from core.search import Degradation
from orchestration.adapter import Done, Tools
from orchestration.response import counted
from orchestration.state import ModelState, Recalled, State


async def load_context(state: State, tools: Tools) -> Done:
    """The conversation's earlier turns, else the session's, and whether a model answers."""
    query, deps = state["query"], tools.deps
    history, tier = await _history(query.conversation_id, query.session_id, tools)
    model, degraded = await _model_state(deps.model, required=deps.options.model_required)
    turns = counted(len(history), "earlier turn") if history else "No earlier turns"
    attached = len(state["request"].attached_documents or [])
    asked_of = f"; asking only {counted(attached, 'attached document')}" if attached else ""
    voice = f"{model.name} writes" if model.available else "no language model"
    return Done(
        {"query": query.model_copy(update={"history": history}), "model": model, "recalled": Recalled(tier, len(history))},
        f"{turns}; {voice}{asked_of}.",
        degraded,
    )


async def _history(conversation_id: str | None, session_id: str | None, tools: Tools) -> tuple[list[tuple[str, str]], str]:
    if conversation_id:
        _, turns = await tools.deps.conversations.get(tools.run.tenant, conversation_id)
        if turns:
            return [_pair(turn) for turn in turns[-tools.deps.options.history_turns :]], "conversation"
    if session_id:
        entries = await tools.deps.sessions.recall(tools.run.tenant, session_key(tools.run.user_id, session_id))
        return [(str(entry.get("query", "")), str(entry.get("answer", ""))) for entry in entries], "session" if entries else ""
    return [], ""


def _pair(turn: Turn) -> tuple[str, str]:
    return turn.query, str(turn.response.get("answer", ""))


def session_key(user_id: str, session_id: str) -> str:
    """Two people of one tenant never share a session, though they name it alike."""
    return f"{len(user_id)}:{user_id}:{session_id}"


async def _model_state(model: ChatModel | None, *, required: bool) -> tuple[ModelState, tuple[Degradation, ...]]:
    if model is None:
        return ModelState(), ()
    available, reason = await model.available()
    lost = (Degradation(part="model", reason=reason),) if required and not available else ()
    return ModelState(model.name, available), lost
