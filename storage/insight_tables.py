"""The table of what the document agents found, by content: it serves every document of the tenant with the same bytes."""

from __future__ import annotations

from sqlalchemy import Table

from storage.schema import blob_column, metadata, text_column, time_column

document_insights = Table(
    "document_insights",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("content_hash", primary_key=True),
    text_column("agent", primary_key=True),
    text_column("model", primary_key=True),  # "" for rules
    text_column("version"),
    blob_column("body"),
    time_column("made_at"),
)
