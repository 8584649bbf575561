"""Vectors of a new embedding model for what is remembered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0012"
down_revision = "0011"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "next_memory",
        *[sa.Column(name, PLAIN, nullable=False) for name in ("tenant", "kind", "id", "user_id", "embedder")],
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "kind", "id"),
    )


def downgrade() -> None:
    op.drop_table("next_memory")
