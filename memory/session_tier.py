"""The session tier: the turns of a session in its window, and what leaves them when somebody forgets."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, TypeAlias

from core.memory import Episode
from core.ports import SessionMemory

SessionEntry: TypeAlias = dict[str, Any]
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_ANSWER = 1000  # characters of an answer that a session keeps


class SessionTier:
    """The sessions of people over core.ports.SessionMemory, which knows sessions but no people."""

    def __init__(self, sessions: SessionMemory) -> None:
        self._sessions = sessions

    async def entries(self, tenant: str, user_id: str, session_id: str) -> list[SessionEntry]:
        """Return the turns, oldest first; [] for a session that is over."""
        return await self._sessions.recall(tenant, session_key(user_id, session_id))

    async def turns(self, tenant: str, user_id: str, session_id: str) -> list[tuple[str, str]]:
        return [(str(entry.get("query", "")), str(entry.get("answer", ""))) for entry in await self.entries(tenant, user_id, session_id)]

    async def add_turn(self, tenant: str, episode: Episode, topic: str) -> None:
        """Add the run's turn; one that is there already (a run that asked back and went on) is replaced."""
        if episode.session_id is None:
            return
        await self.edit_turns(
            tenant, episode.user_id, episode.session_id, lambda entry: None if entry.get("trace_id") == episode.episode_id else entry
        )
        await self._sessions.remember(tenant, session_key(episode.user_id, episode.session_id), make_entry(episode, topic))

    async def forget_session(self, tenant: str, user_id: str, session_id: str) -> list[SessionEntry]:
        """Remove the session; its turns."""
        found = await self.entries(tenant, user_id, session_id)
        await self._sessions.forget(tenant, session_key(user_id, session_id))
        return found

    async def edit_turns(
        self, tenant: str, user_id: str, session_id: str, change: Callable[[SessionEntry], SessionEntry | None]
    ) -> list[SessionEntry]:
        """Put `change(turn)` in place of each turn, None takes it out; the turns that went."""
        key, before = session_key(user_id, session_id), await self.entries(tenant, user_id, session_id)
        after = [change(entry) for entry in before]
        if after != before:
            await self._sessions.forget(tenant, key)
            for entry in after:
                if entry is not None:
                    await self._sessions.remember(tenant, key, entry)
        return [entry for entry, kept in zip(before, after, strict=True) if kept is None]


def session_key(user_id: str, session_id: str) -> str:
    """Return the stored session's id: two people of one tenant never share a session, though they name it alike."""
    person = stored_name(user_id)
    return f"{len(person)}:{person}:{stored_name(session_id)}"


def stored_name(name: str) -> str:
    """Return a name as every store gives it back: what no database can hold became U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", name)


def make_entry(episode: Episode, topic: str) -> SessionEntry:
    """Return a turn as the session keeps it: enough to resolve a follow-up, and to make the episode from it should that be missing."""
    return {
        "query": episode.query,
        "answer": episode.response[:_ANSWER],
        "intent": episode.intent,
        "topic": topic,
        "results": list(episode.results),
        "cited": list(episode.cited),
        "status": episode.status,
        "confidence": episode.confidence,
        "strategy": episode.search_strategy,
        "conversation_id": episode.conversation_id,
        "trace_id": episode.episode_id,
        "at": episode.timestamp.isoformat(),
    }


def document_remover(document_ids: Collection[str]) -> Callable[[SessionEntry], SessionEntry | None]:
    """Return the function that takes documents out of a turn and returns what is left: nothing where its answer rests on them alone, its question
    where on others too.
    """

    def change(entry: SessionEntry) -> SessionEntry | None:
        results, cited = list(entry.get("results", [])), list(entry.get("cited", []))
        if not any(each in document_ids for each in (*results, *cited)):
            return entry
        if all(each in document_ids for each in (cited or results)):
            return None
        answer = "" if any(each in document_ids for each in cited) else entry.get("answer", "")
        kept = {"results": [each for each in results if each not in document_ids], "cited": [each for each in cited if each not in document_ids]}
        return {**entry, **kept, "answer": answer}

    return change


def copy_remover(copies: Callable[[str], bool]) -> Callable[[SessionEntry], SessionEntry | None]:
    """Return the function that removes turns which cite nothing and copy words of a document that went."""

    def change(entry: SessionEntry) -> SessionEntry | None:
        return entry if entry.get("cited") or not any(copies(str(entry.get(name, ""))) for name in ("query", "answer")) else None

    return change
