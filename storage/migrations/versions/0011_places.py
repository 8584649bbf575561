"""Where recognised text stands on its pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0011"
down_revision = "0010"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    # Documents that were read before have no rows here until they are read again: their citations are marked in the text.
    op.create_table(
        "page_places",
        sa.Column("document_id", PLAIN, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("tenant", PLAIN, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("places", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "page"),
    )


def downgrade() -> None:
    op.drop_table("page_places")
