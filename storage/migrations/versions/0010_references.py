"""Who wrote a document, the names under which others refer to it, and what documents say of each other."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0010"
down_revision = "0009"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")
KEYS = ("file_key", "stem_key", "title_key")


def upgrade() -> None:
    # Plain ALTER TABLE: a batch would make the table anew, and dropping the old one would take all that hangs on it.
    op.add_column("documents", sa.Column("authors", sa.Text(), nullable=False, server_default="[]"))
    for key in KEYS:
        # Filled when a document is read again, as every one is after this version of the readers.
        op.add_column("documents", sa.Column(key, PLAIN, nullable=False, server_default=""))
    for key in KEYS:
        op.create_index(f"documents_by_{key}", "documents", ["tenant", key])
    owner = ("document_id", PLAIN), ("ordinal", sa.Integer())
    op.create_table(
        "document_references",
        *[sa.Column(name, kind, nullable=False) for name, kind in owner],
        sa.Column("tenant", PLAIN, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("kind", PLAIN, nullable=False),
        sa.Column("target", PLAIN, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("page", sa.Integer()),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
    )
    op.create_table(
        "reference_names",
        *[sa.Column(name, kind, nullable=False) for name, kind in owner],
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("tenant", PLAIN, nullable=False),
        sa.Column("key", PLAIN, nullable=False),
        sa.PrimaryKeyConstraint("document_id", "ordinal", "place"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
    )
    op.create_index("reference_names_by_key", "reference_names", ["tenant", "key"])


def downgrade() -> None:
    op.drop_table("reference_names")
    op.drop_table("document_references")
    for key in KEYS:
        op.drop_index(f"documents_by_{key}", "documents")
    for name in ("authors", *KEYS):
        op.drop_column("documents", name)
