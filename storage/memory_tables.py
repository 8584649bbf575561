"""The tables of memory. Every row belongs to one person of one tenant; vectors are float16, with the embedder's name beside them."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, Table

from storage.schema import CleanText, _blob, _integer, _json, _text, _time, metadata

episodes = Table(
    "episodes",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    Column("session_id", CleanText()),
    Column("conversation_id", CleanText()),
    _text("query"),
    _text("intent"),
    _text("response"),
    _json("results"),
    _json("cited"),
    Column("confidence", Float(), nullable=False),
    _text("status"),
    _text("search_strategy"),
    _json("weights"),
    _integer("used_multi_hop"),
    _json("expanded_entities"),
    _json("thinking_steps"),
    _time("timestamp"),
    _text("embedder"),
    _blob("vector"),
    Index("episodes_by_time", "tenant", "user_id", "timestamp", "id"),
)

notes = Table(
    "notes",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    _text("content"),
    _json("keywords"),
    _json("tags"),
    _text("context"),
    _text("source"),
    _json("links"),
    _json("document_ids"),
    Column("session_id", CleanText()),
    Column("trace_id", CleanText()),
    _json("history"),
    _time("created_at"),
    _time("updated_at"),
    _text("embedder"),
    _blob("vector"),
    Index("notes_by_time", "tenant", "user_id", "updated_at", "id"),
)

observations = Table(
    "observations",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    _text("trace_id"),
    Column("session_id", CleanText()),
    Column("conversation_id", CleanText()),
    _text("kind"),
    _text("strategy"),
    Column("lexical_rank", Integer()),
    Column("dense_rank", Integer()),
    Column("fusion_rank", Integer()),
    Column("rerank_rank", Integer()),
    Column("document_id", CleanText()),
    Column("reward", Float(), nullable=False),
    _time("observed_at"),
    Index("observations_by_time", "tenant", "user_id", "observed_at", "id"),
)

# `hidden` are the topics that the person removed: they are not learned again.
preferences = Table(
    "preferences",
    metadata,
    _text("tenant", primary_key=True),
    _text("user_id", primary_key=True),
    _json("learned"),
    _json("hidden"),
)

# Which sessions a person has in the session store, and up to when their turns were consolidated.
memory_sessions = Table(
    "memory_sessions",
    metadata,
    _text("tenant", primary_key=True),
    _text("user_id", primary_key=True),
    _text("session_id", primary_key=True),
    _time("seen_at"),
    _time("read_until", nullable=True),
)

consolidations = Table(
    "consolidations",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    _time("at"),
    _json("record"),
    Index("consolidations_by_time", "tenant", "user_id", "at"),
)
