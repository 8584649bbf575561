"""Ontologies that a tenant loaded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0022"
down_revision = "0021"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "ontologies",
        *(sa.Column(name, PLAIN, nullable=False) for name in ("tenant", "id", "uri", "name", "filename", "format")),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("triples", "class_count", "property_count", "individuals")),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("imports", "notes")),
        sa.Column("loaded_at", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("ontologies_by_time", "ontologies", ["tenant", "loaded_at", "id"])


def downgrade() -> None:
    op.drop_table("ontologies")
