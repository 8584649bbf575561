"""Documents that were deleted, with their text until nothing quotes it any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0014"
down_revision = "0013"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "deleted_documents",
        *[sa.Column(name, PLAIN, nullable=False) for name in ("document_id", "tenant")],
        *[sa.Column(name, sa.Text(), nullable=False) for name in ("files", "names")],
        sa.Column("deleted_at", sa.BigInteger(), nullable=False),
        sa.Column("erased", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("document_id"),
    )
    op.create_index("deleted_documents_by_state", "deleted_documents", ["erased", "tenant"])
    op.create_table(
        "deleted_texts",
        sa.Column("document_id", PLAIN, nullable=False),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tenant", PLAIN, nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
    )


def downgrade() -> None:
    op.drop_table("deleted_texts")
    op.drop_index("deleted_documents_by_state", "deleted_documents")
    op.drop_table("deleted_documents")
