"""The table of browsers that are let in. What a browser shows, and the key that let it in, cannot be read back from it."""

from __future__ import annotations

from sqlalchemy import Index, Table

from storage.schema import _text, _time, metadata

browser_sessions = Table(
    "browser_sessions",
    metadata,
    _text("id_hash", primary_key=True),
    _text("key_proof"),
    _time("created_at"),
    _time("expires_at"),
    Index("browser_sessions_by_end", "expires_at"),
)
