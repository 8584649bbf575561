"""Browsers that a key has let in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0015"
down_revision = "0014"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "browser_sessions",
        *[sa.Column(name, PLAIN, nullable=False) for name in ("id_hash", "key_proof")],
        *[sa.Column(name, sa.BigInteger(), nullable=False) for name in ("created_at", "expires_at")],
        sa.PrimaryKeyConstraint("id_hash"),
    )
    op.create_index("browser_sessions_by_end", "browser_sessions", ["expires_at"])


def downgrade() -> None:
    op.drop_index("browser_sessions_by_end", "browser_sessions")
    op.drop_table("browser_sessions")
