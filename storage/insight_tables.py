"""The table of what the document agents found, by content: it serves every document of the tenant with the same bytes."""

from __future__ import annotations

from sqlalchemy import Table

from storage.schema import _blob, _text, _time, metadata

document_insights = Table(
    "document_insights",
    metadata,
    _text("tenant", primary_key=True),
    _text("content_hash", primary_key=True),
    _text("agent", primary_key=True),
    _text("model", primary_key=True),  # "" for rules
    _text("version"),
    _blob("body"),
    _time("made_at"),
)
