"""Larger chunks above the chunks, and how sure the boundary behind each chunk is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0007"
down_revision = "0006"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "chunk_levels",
        sa.Column("document_id", PLAIN, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("tenant", PLAIN, nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("spans", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "level"),
    )
    op.add_column("chunks", sa.Column("confidence", sa.Float(), nullable=False, server_default="1"))


def downgrade() -> None:
    op.drop_column("chunks", "confidence")
    op.drop_table("chunk_levels")
