"""What the document agents found in attached files, by content."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0004"
down_revision = "0003"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "document_insights",
        *[sa.Column(name, PLAIN, nullable=False) for name in "tenant content_hash agent model version".split()],
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "content_hash", "agent", "model"),
    )


def downgrade() -> None:
    op.drop_table("document_insights")
