"""Vectors of a multilingual encoder beside those of the embedding model."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0013"
down_revision = "0012"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "multilingual_vectors",
        *[sa.Column(name, PLAIN, nullable=False) for name in ("document_id", "tenant", "embedder")],
        *[sa.Column(name, sa.Integer(), nullable=False) for name in ("generation", "rows", "dimension")],
        sa.Column("vectors", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
    )


def downgrade() -> None:
    op.drop_table("multilingual_vectors")
