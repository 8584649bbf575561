"""Conversations and their turns."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from core.errors import NotFound
from core.ports import Conversation, Turn
from storage.blobs import pack_json, unpack_json
from storage.conversation_branches import copy_turns_before, delete_conversation_and_runs
from storage.conversation_search import search_conversations
from storage.database import Database
from storage.deletions import find_deleted
from storage.redaction import redact_response
from storage.row_mapping import AnyRow, now
from storage.schema import conversations, turns
from storage.shared_run_tables import shared_runs
from storage.turn_words import turn_words

TITLE_CHARACTERS = 80


class SqlConversations:
    """core.ports.Conversations over SQL. A conversation without a title takes it from its first question."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, tenant: str, user_id: str, title: str, conversation_id: str | None = None) -> Conversation:
        """Create a conversation; with the id of one that exists, return that one, unchanged (a request that is sent twice makes one)."""
        number = conversation_id or uuid.uuid4().hex

        def work(connection: Connection) -> Conversation:
            if _find_row(connection, tenant, number) is None:
                time = now()
                row = {"tenant": tenant, "id": number, "user_id": user_id, "title": title, "created_at": time, "updated_at": time}
                connection.execute(insert(conversations).values(row))
            return _load_conversation(connection, tenant, number)

        return await self._database.write(work)

    async def list_conversations(self, tenant: str, user_id: str | None, text: str = "") -> list[Conversation]:
        """Return the tenant's conversations, the pinned first, then the last used; of one person, or of all with None. With a text those that hold
        all of its words in their title or in one of their turns.
        """

        def work(connection: Connection) -> list[Conversation]:
            query = select(conversations, _TURNS).where(conversations.c.tenant == tenant)
            if user_id is not None:
                query = query.where(conversations.c.user_id == user_id)
            rows = connection.execute(query.order_by(conversations.c.pinned.desc(), conversations.c.updated_at.desc(), conversations.c.id))
            found = [_conversation_record(row) for row in rows]
            return search_conversations(connection, tenant, found, text) if text.strip() else found

        return await self._database.read(work)

    async def get(self, tenant: str, conversation_id: str, *, user_id: str | None = None) -> tuple[Conversation, list[Turn]]:
        """Return a conversation with its turns. Raises NotFound."""

        def work(connection: Connection) -> tuple[Conversation, list[Turn]]:
            place = (turns.c.tenant == tenant, turns.c.conversation_id == conversation_id)
            rows = connection.execute(select(turns).where(*place).order_by(turns.c.ordinal))
            found = [_turn(row) for row in rows]
            return _load_conversation(connection, tenant, conversation_id, user_id), found

        return await self._database.read(work)

    async def rename(self, tenant: str, conversation_id: str, title: str, *, user_id: str | None = None) -> Conversation:
        """Rename a conversation. Raises NotFound."""

        def work(connection: Connection) -> Conversation:
            _load_conversation(connection, tenant, conversation_id, user_id)
            connection.execute(update(conversations).where(*_conversation_key(tenant, conversation_id)).values(title=title))
            return _load_conversation(connection, tenant, conversation_id)

        return await self._database.write(work)

    async def pin(self, tenant: str, conversation_id: str, pinned: bool, *, user_id: str | None = None) -> Conversation:
        """Pin a conversation, or unpin it. Raises NotFound."""

        def work(connection: Connection) -> Conversation:
            _load_conversation(connection, tenant, conversation_id, user_id)
            connection.execute(update(conversations).where(*_conversation_key(tenant, conversation_id)).values(pinned=int(pinned)))
            return _load_conversation(connection, tenant, conversation_id)

        return await self._database.write(work)

    async def branch(self, tenant: str, conversation_id: str, before: str, *, user_id: str | None = None) -> Conversation:
        """Create a conversation of the same person with the turns before this one, which must not be at work. Raises NotFound."""

        def work(connection: Connection) -> Conversation:
            known = _load_conversation(connection, tenant, conversation_id, user_id)
            return _load_conversation(connection, tenant, copy_turns_before(connection, tenant, known, before))

        return await self._database.write(work)

    async def delete(self, tenant: str, conversation_id: str, *, user_id: str | None = None) -> int:
        """Remove the conversation, its turns, their traces and the feedback on these; return how many turns. Raises NotFound. Runs that a branch of
        the conversation shows stay, as the branch's.
        """
        return await self.delete_all(tenant, [conversation_id], user_id=user_id)

    async def delete_all(self, tenant: str, conversation_ids: Sequence[str], *, user_id: str | None = None) -> int:
        """Attach all of them or, where one is unknown, none."""

        def work(connection: Connection) -> int:
            known = [_load_conversation(connection, tenant, each, user_id) for each in dict.fromkeys(conversation_ids)]
            for each in known:
                delete_conversation_and_runs(connection, tenant, each.id)
            return sum(each.turns for each in known)

        return await self._database.write(work)

    async def append_turn(self, tenant: str, conversation_id: str, turn: Turn) -> None:
        """Append a turn; one that is there already (a run that asked back and went on) is replaced in its place. Raises NotFound."""

        def work(connection: Connection) -> None:
            known = _load_conversation(connection, tenant, conversation_id)
            same = (turns.c.tenant == tenant, turns.c.conversation_id == conversation_id, turns.c.id == turn.id)
            before = connection.execute(select(turns.c.ordinal).where(*same)).scalar_one_or_none()
            connection.execute(delete(turns).where(*same))
            ordinal = _next_ordinal(connection, tenant, conversation_id) if before is None else before
            place = {"tenant": tenant, "conversation_id": conversation_id, "ordinal": ordinal}
            connection.execute(insert(turns).values(**place, **_turn_values(connection, turn)))
            title = known.title or shorten_title(turn.query)
            latest = max(known.updated_at, turn.created_at)
            connection.execute(update(conversations).where(*_conversation_key(tenant, conversation_id)).values(title=title, updated_at=latest))

        await self._database.write(work)

    async def interrupt_running(self, *, is_shared: bool = False) -> int:
        change = update(turns).where(turns.c.state == "running").values(state="interrupted")
        if is_shared:
            change = change.where(turns.c.trace_id.not_in(select(shared_runs.c.id).where(shared_runs.c.state == "running")))
        return await self._database.write(lambda connection: connection.execute(change).rowcount)


def _turn_values(connection: Connection, turn: Turn) -> dict[str, Any]:
    """Return the columns of a turn, without the words of documents that were deleted while it ran."""
    gone = find_deleted(connection, turn.response)
    response = turn.response if gone is None else redact_response(turn.response, turn.query, gone)
    kept = {name: getattr(turn, name) for name in ("id", "query", "created_at", "trace_id", "state", "request", "problem")}
    return {**kept, "response": pack_json(response), "words": turn_words(turn.query, response)}


def _turn(row: AnyRow) -> Turn:
    return Turn(row.id, row.query, row.created_at, row.trace_id, unpack_json(row.response), row.state, row.request, row.problem)


def shorten_title(question: str) -> str:
    """Return the question on one line of at most TITLE_CHARACTERS, cut between words."""
    words = " ".join(question.split())
    if len(words) <= TITLE_CHARACTERS:
        return words
    return (words[: TITLE_CHARACTERS - 1].rsplit(" ", 1)[0] or words[: TITLE_CHARACTERS - 1]) + "…"


_TURNS = (
    select(func.count())
    .select_from(turns)
    .where(turns.c.tenant == conversations.c.tenant, turns.c.conversation_id == conversations.c.id)
    .scalar_subquery()
    .label("turns")
)


def _conversation_key(tenant: str, conversation_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return conversations.c.tenant == tenant, conversations.c.id == conversation_id


def _find_row(connection: Connection, tenant: str, conversation_id: str) -> AnyRow | None:
    return connection.execute(select(conversations, _TURNS).where(*_conversation_key(tenant, conversation_id))).one_or_none()


def _load_conversation(connection: Connection, tenant: str, conversation_id: str, user_id: str | None = None) -> Conversation:
    """Load the conversation. Raises NotFound, for another person's with the same words."""
    row = _find_row(connection, tenant, conversation_id)
    if row is None or user_id not in (None, row.user_id):
        raise NotFound(f"There is no conversation {conversation_id[:80]!r}. It may have been deleted.")
    return _conversation_record(row)


def _conversation_record(row: AnyRow) -> Conversation:
    return Conversation(row.id, row.title, row.created_at, row.updated_at, row.turns, bool(row.pinned))


def _next_ordinal(connection: Connection, tenant: str, conversation_id: str) -> int:
    last = select(func.max(turns.c.ordinal)).where(turns.c.tenant == tenant, turns.c.conversation_id == conversation_id)
    highest = connection.execute(last).scalar_one()
    return 0 if highest is None else int(highest) + 1
