"""Communities of the knowledge graph, found from it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0019"
down_revision = "0018"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def _text(name: str, *, nullable: bool = False) -> sa.Column:
    return sa.Column(name, PLAIN, nullable=nullable)


def _json(name: str) -> sa.Column:
    return sa.Column(name, sa.Text(), nullable=False)


def _integer(name: str) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=False)


def _large(name: str) -> sa.Column:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "community_states",
        _text("tenant"),
        _large("graph_documents"),
        _large("graph_sequence"),
        _text("options"),
        _large("refreshed_at"),
        _integer("smaller_groups"),
        _integer("smaller_group_entities"),
        sa.PrimaryKeyConstraint("tenant"),
    )
    op.create_table(
        "communities",
        _text("tenant"),
        _text("id"),
        _integer("level"),
        _text("parent_id", nullable=True),
        _text("part"),
        _json("entity_ids"),
        _json("central_ids"),
        _text("generated_by"),
        _text("fingerprint"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_table(
        "community_shares",
        _text("tenant"),
        _text("community_id"),
        _text("document_id"),
        _integer("generation"),
        _json("keywords"),
        _json("sentences"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tenant", "community_id"], ["communities.tenant", "communities.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tenant", "community_id", "document_id"),
    )
    op.create_index("community_shares_by_document", "community_shares", ["document_id"])


def downgrade() -> None:
    for table in ("community_shares", "communities", "community_states"):
        op.drop_table(table)
