"""The tables of memory. Every row belongs to one person of one tenant; vectors are float16, with the embedder's name beside them."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, Table

from storage.schema import CleanText, blob_column, integer_column, json_column, metadata, text_column, time_column

episodes = Table(
    "episodes",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    Column("session_id", CleanText()),
    Column("conversation_id", CleanText()),
    text_column("query"),
    text_column("intent"),
    text_column("response"),
    json_column("results"),
    json_column("cited"),
    Column("confidence", Float(), nullable=False),
    text_column("status"),
    text_column("search_strategy"),
    json_column("weights"),
    integer_column("used_multi_hop"),
    json_column("expanded_entities"),
    json_column("thinking_steps"),
    time_column("timestamp"),
    text_column("embedder"),
    blob_column("vector"),
    Index("episodes_by_time", "tenant", "user_id", "timestamp", "id"),
)

notes = Table(
    "notes",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    text_column("content"),
    json_column("keywords"),
    json_column("tags"),
    text_column("context"),
    text_column("source"),
    json_column("links"),
    json_column("document_ids"),
    Column("session_id", CleanText()),
    Column("trace_id", CleanText()),
    json_column("history"),
    time_column("created_at"),
    time_column("updated_at"),
    text_column("embedder"),
    blob_column("vector"),
    Index("notes_by_time", "tenant", "user_id", "updated_at", "id"),
)

observations = Table(
    "observations",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    text_column("trace_id"),
    Column("session_id", CleanText()),
    Column("conversation_id", CleanText()),
    text_column("kind"),
    text_column("strategy"),
    Column("lexical_rank", Integer()),
    Column("dense_rank", Integer()),
    Column("fusion_rank", Integer()),
    Column("rerank_rank", Integer()),
    Column("document_id", CleanText()),
    Column("reward", Float(), nullable=False),
    time_column("observed_at"),
    Index("observations_by_time", "tenant", "user_id", "observed_at", "id"),
)

# `hidden` are the topics that the person removed: they are not learned again.
preferences = Table(
    "preferences",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("user_id", primary_key=True),
    json_column("learned"),
    json_column("hidden"),
)

# Which sessions a person has in the session store, and up to when their turns were consolidated.
memory_sessions = Table(
    "memory_sessions",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("user_id", primary_key=True),
    text_column("session_id", primary_key=True),
    time_column("seen_at"),
    time_column("read_until", nullable=True),
)

consolidations = Table(
    "consolidations",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    time_column("at"),
    json_column("record"),
    Index("consolidations_by_time", "tenant", "user_id", "at"),
)
