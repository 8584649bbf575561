"""Conversations that begin with what stands in another one, and what becomes of the runs that both show."""

from __future__ import annotations

import uuid

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from core.errors import NotFound
from core.ports import Conversation
from storage.row_mapping import now
from storage.schema import conversations, feedback, traces, turns
from storage.shared_run_tables import shared_runs


def copy_turns_before(connection: Connection, tenant: str, source: Conversation, turn_id: str) -> str:
    """Create a conversation of the same person with the turns before this one that are over; returns its id. They name the same runs.

    Raises:
        NotFound: the turn is not in the conversation.
    """
    inside = (turns.c.tenant == tenant, turns.c.conversation_id == source.id)
    ordinal = connection.execute(select(turns.c.ordinal).where(*inside, turns.c.id == turn_id)).scalar_one_or_none()
    if ordinal is None:
        raise NotFound("That question is not in this conversation. It may have been deleted.")
    owner = connection.execute(select(conversations.c.user_id).where(conversations.c.tenant == tenant, conversations.c.id == source.id)).scalar_one()
    made, time = uuid.uuid4().hex, now()
    title = f"{source.title} (branch)" if source.title else ""
    row = {"tenant": tenant, "id": made, "user_id": owner, "title": title, "created_at": time, "updated_at": time}
    connection.execute(insert(conversations).values(row))
    before = connection.execute(select(turns).where(*inside, turns.c.ordinal < ordinal, turns.c.state != "running").order_by(turns.c.ordinal))
    copies = [{**each._mapping, "conversation_id": made, "id": uuid.uuid4().hex} for each in before]
    if copies:
        connection.execute(insert(turns), copies)
    return made


def delete_conversation_and_runs(connection: Connection, tenant: str, conversation_id: str) -> None:
    """Delete the conversation with its turns and its runs. A run that another conversation shows becomes that one's."""
    shown = select(func.min(turns.c.conversation_id)).where(
        turns.c.tenant == tenant, turns.c.trace_id == traces.c.id, turns.c.conversation_id != conversation_id
    )
    heir = shown.correlate(traces).scalar_subquery()
    of_talk = (traces.c.tenant == tenant, traces.c.conversation_id == conversation_id)
    connection.execute(update(traces).where(*of_talk, heir.is_not(None)).values(conversation_id=heir))
    own = select(turns.c.trace_id).where(turns.c.tenant == tenant, turns.c.conversation_id == conversation_id)
    others = select(turns.c.trace_id).where(turns.c.tenant == tenant, turns.c.conversation_id != conversation_id)
    runs = (traces.c.tenant == tenant, or_(traces.c.conversation_id == conversation_id, traces.c.id.in_(own)), traces.c.id.not_in(others))
    of_runs = select(traces.c.id).where(*runs)
    connection.execute(delete(feedback).where(feedback.c.tenant == tenant, feedback.c.trace_id.in_(of_runs)))
    connection.execute(delete(traces).where(*runs))
    readable = (shared_runs.c.tenant == tenant, shared_runs.c.conversation_id == conversation_id, shared_runs.c.state != "running")
    connection.execute(delete(shared_runs).where(*readable))
    connection.execute(delete(conversations).where(conversations.c.tenant == tenant, conversations.c.id == conversation_id))
