"""The knowledge graph of each document: its entities with their mentions, its relationships with their sentences."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0002"
down_revision = "0001"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def _text(name: str) -> sa.Column:
    return sa.Column(name, PLAIN, nullable=False)


def _json(name: str) -> sa.Column:
    return sa.Column(name, sa.Text(), nullable=False)


def _integer(name: str) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=False)


def _large(name: str) -> sa.Column:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def _of_document() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "graph_documents",
        _text("document_id"),
        _text("tenant"),
        _integer("generation"),
        _large("sequence"),
        _large("first_chunk"),
        _text("generated_by"),
        _large("created_at"),
        _of_document(),
        sa.PrimaryKeyConstraint("document_id"),
    )
    op.create_index("graph_documents_by_sequence", "graph_documents", ["tenant", "sequence", "document_id"])
    op.create_table(
        "graph_entities",
        _text("document_id"),
        _integer("ordinal"),
        *[_text(name) for name in "tenant entity_type key name".split()],
        _json("aliases"),
        _json("properties"),
        _integer("mentions"),
        sa.Column("spans", sa.LargeBinary(), nullable=False),
        _large("created_at"),
        _of_document(),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
    )
    op.create_table(
        "graph_relationships",
        _text("document_id"),
        _integer("ordinal"),
        _text("tenant"),
        _integer("source"),
        _integer("target"),
        _text("relationship_type"),
        sa.Column("weight", sa.Float(), nullable=False),
        *[_integer(name) for name in "chunk start end".split()],
        _json("properties"),
        _large("created_at"),
        _of_document(),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
    )


def downgrade() -> None:
    for table in ("graph_relationships", "graph_entities", "graph_documents"):
        op.drop_table(table)
