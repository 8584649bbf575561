"""Memory: episodes, notes, observations, what was learned, sessions, consolidations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0003"
down_revision = "0002"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def _text(names: str, nullable: bool = False) -> list[sa.Column]:
    return [sa.Column(name, PLAIN, nullable=nullable) for name in names.split()]


def _json(names: str) -> list[sa.Column]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names.split()]


def _time(names: str, nullable: bool = False) -> list[sa.Column]:
    return [sa.Column(name, sa.BigInteger(), nullable=nullable) for name in names.split()]


def _number(name: str) -> sa.Column:
    return sa.Column(name, sa.Float(), nullable=False)


def _vector() -> list[sa.Column]:
    return [*_text("embedder"), sa.Column("vector", sa.LargeBinary(), nullable=False)]


def upgrade() -> None:
    _create_episodes()
    _create_notes()
    _create_learned()


def downgrade() -> None:
    for table in "consolidations memory_sessions preferences observations notes episodes".split():
        op.drop_table(table)


def _create_episodes() -> None:
    op.create_table(
        "episodes",
        *_text("tenant id user_id"),
        *_text("session_id conversation_id", nullable=True),
        *_text("query intent response"),
        *_json("results cited"),
        _number("confidence"),
        *_text("status search_strategy"),
        *_json("weights"),
        sa.Column("used_multi_hop", sa.Integer(), nullable=False),
        *_json("expanded_entities thinking_steps"),
        *_time("timestamp"),
        *_vector(),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("episodes_by_time", "episodes", ["tenant", "user_id", "timestamp", "id"])


def _create_notes() -> None:
    op.create_table(
        "notes",
        *_text("tenant id user_id content"),
        *_json("keywords tags"),
        *_text("context source"),
        *_json("links document_ids"),
        *_text("session_id trace_id", nullable=True),
        *_json("history"),
        *_time("created_at updated_at"),
        *_vector(),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("notes_by_time", "notes", ["tenant", "user_id", "updated_at", "id"])


def _create_learned() -> None:
    op.create_table(
        "observations",
        *_text("tenant id user_id trace_id"),
        *_text("session_id conversation_id", nullable=True),
        *_text("kind strategy"),
        sa.Column("lexical_rank", sa.Integer(), nullable=True),
        sa.Column("dense_rank", sa.Integer(), nullable=True),
        sa.Column("fusion_rank", sa.Integer(), nullable=True),
        sa.Column("rerank_rank", sa.Integer(), nullable=True),
        *_text("document_id", nullable=True),
        _number("reward"),
        *_time("observed_at"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("observations_by_time", "observations", ["tenant", "user_id", "observed_at", "id"])
    op.create_table("preferences", *_text("tenant user_id"), *_json("learned hidden"), sa.PrimaryKeyConstraint("tenant", "user_id"))
    op.create_table(
        "memory_sessions",
        *_text("tenant user_id session_id"),
        *_time("seen_at"),
        *_time("read_until", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "user_id", "session_id"),
    )
    op.create_table("consolidations", *_text("tenant id user_id"), *_time("at"), *_json("record"), sa.PrimaryKeyConstraint("tenant", "id"))
    op.create_index("consolidations_by_time", "consolidations", ["tenant", "user_id", "at"])
