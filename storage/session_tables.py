"""The table of browsers that are let in. What a browser shows, and the key that let it in, cannot be read back from it."""

from __future__ import annotations

from sqlalchemy import Index, Table

from storage.schema import metadata, text_column, time_column

browser_sessions = Table(
    "browser_sessions",
    metadata,
    text_column("id_hash", primary_key=True),
    text_column("key_proof"),
    time_column("created_at"),
    time_column("expires_at"),
    Index("browser_sessions_by_end", "expires_at"),
)
