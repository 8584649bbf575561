"""Runs that several servers share, their events, and the servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0021"
down_revision = "0020"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "shared_runs",
        *[sa.Column(name, PLAIN, nullable=False) for name in ("id", "tenant", "user_id", "conversation_id", "server", "state", "stop")],
        sa.Column("follows", sa.Integer(), nullable=False),
        *[sa.Column(name, sa.BigInteger(), nullable=False) for name in ("started_at", "changed_at")],
        sa.Column("document_ids", sa.Text(), nullable=False),
        *[sa.Column(name, sa.LargeBinary(), nullable=False) for name in ("details", "checkpoint")],
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("shared_runs_by_state", "shared_runs", ["state"])
    op.create_table(
        "run_events",
        sa.Column("run_id", PLAIN, nullable=False),
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", PLAIN, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["shared_runs.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "id"),
    )
    op.create_table(
        "servers", sa.Column("name", PLAIN, nullable=False), sa.Column("beats", sa.Integer(), nullable=False), sa.PrimaryKeyConstraint("name")
    )


def downgrade() -> None:
    for table in ("servers", "run_events", "shared_runs"):
        op.drop_table(table)
