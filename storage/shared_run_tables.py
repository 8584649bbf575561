"""The tables of runs that several servers share, and of the servers. Nothing in them outlives a run by more than some minutes."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, Table

from storage.schema import CleanText, blob_column, integer_column, json_column, metadata, text_column, time_column

shared_runs = Table(
    "shared_runs",
    metadata,
    text_column("id", primary_key=True),
    text_column("tenant"),
    text_column("user_id"),
    text_column("conversation_id"),
    text_column("server"),
    text_column("state"),
    text_column("stop"),
    integer_column("follows"),
    time_column("started_at"),
    time_column("changed_at"),
    json_column("document_ids"),
    blob_column("details"),
    blob_column("checkpoint"),
    Index("shared_runs_by_state", "state"),
)

run_events = Table(
    "run_events",
    metadata,
    Column("run_id", CleanText(), ForeignKey("shared_runs.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Integer(), primary_key=True, autoincrement=False),
    text_column("kind"),
    blob_column("data"),
)

servers = Table("servers", metadata, text_column("name", primary_key=True), integer_column("beats"))
