"""Conversations by the words of their titles, questions and answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, func, select

from core.ports import Conversation
from storage.blobs import unpack_json
from storage.row_mapping import batches
from storage.schema import turns

_MOST_WORDS = 12
_EXCERPT, _BEFORE = 160, 50  # characters


def search_conversations(connection: Connection, tenant: str, conversations: Sequence[Conversation], text: str) -> list[Conversation]:
    """Return the conversations in whose title, or in one of whose turns, every word of the text stands (in part, in any case), in their order, with
    the place.
    """
    words = [word.casefold() for word in text.split()][:_MOST_WORDS]
    places = _excerpts(connection, tenant, [each.id for each in conversations], words)
    found = []
    for each in conversations:
        if each.id in places:
            found.append(replace(each, excerpt=places[each.id]))
        elif all(word in each.title.casefold() for word in words):
            found.append(each)
    return found


def _excerpts(connection: Connection, tenant: str, ids: Sequence[str], words: Sequence[str]) -> dict[str, str]:
    """Return conversation -> the place of the words in the first turn that has them all."""
    found = {}
    for batch in batches(ids):
        has = [turns.c.words.contains(word, autoescape=True) for word in words]
        inside = (turns.c.tenant == tenant, turns.c.conversation_id.in_(batch), *has)
        first = (
            select(turns.c.conversation_id, func.min(turns.c.ordinal).label("ordinal")).where(*inside).group_by(turns.c.conversation_id).subquery()
        )
        same = (turns.c.conversation_id == first.c.conversation_id) & (turns.c.ordinal == first.c.ordinal)
        rows = connection.execute(select(turns.c.conversation_id, turns.c.query, turns.c.response).join(first, same).where(turns.c.tenant == tenant))
        for row in rows:
            found[row.conversation_id] = excerpt(f"{row.query} {unpack_json(row.response).get('answer') or ''}", words)
    return found


def excerpt(text: str, words: Sequence[str]) -> str:
    """Return a stretch of the text about the first of the words, on one line."""
    shown = " ".join(text.split())
    places = [place for word in words if (place := shown.casefold().find(word)) >= 0]
    start = max(0, min(places, default=0) - _BEFORE)
    start = shown.rfind(" ", 0, start) + 1
    cut = shown[start : start + _EXCERPT]
    return ("…" if start else "") + cut + ("…" if start + _EXCERPT < len(shown) else "")
