"""The end of a run: the response, and what is kept of it."""

from __future__ import annotations

from orchestration.adapter import Done, Tools
from orchestration.nodes.context import session_key
from orchestration.response import build_response
from orchestration.state import State


async def generate_response(state: State, tools: Tools) -> Done:
    response = build_response(state, tools.run)
    return Done({"response": response}, response.response_message)


async def remember(state: State, tools: Tools) -> Done:
    """The session's window gains this turn. The conversation's turn and the trace are stored when the run is over, with this very step."""
    query, response = state["query"], state["response"]
    if not query.session_id:
        return Done({}, "No session was named; nothing to keep in it.", skipped=True)
    entry = {
        "query": query.text,
        "answer": response.answer[:1000],
        "intent": response.intent.value,
        "topic": (state["classification"].entities or [""])[0],
        "results": [result.id for result in response.results],
        "trace_id": tools.run.id,
        "at": tools.deps.now().isoformat(),
    }
    await tools.deps.sessions.remember(tools.run.tenant, session_key(tools.run.user_id, query.session_id), entry)
    return Done({}, "Kept in the session.")
