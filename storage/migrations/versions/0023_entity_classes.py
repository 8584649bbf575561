"""Classes of ontologies that entities have."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0023"
down_revision = "0022"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def _columns(*names: str) -> list[sa.Column]:
    return [sa.Column(name, PLAIN, nullable=False) for name in names]


def _owners() -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tenant", "ontology_id"], ["ontologies.tenant", "ontologies.id"], ondelete="CASCADE"),
    ]


def upgrade() -> None:
    op.create_table(
        "typed_documents",
        *_columns("document_id", "ontology_id", "tenant"),
        *_owners(),
        sa.PrimaryKeyConstraint("document_id", "ontology_id"),
    )
    op.create_index("typed_documents_by_ontology", "typed_documents", ["tenant", "ontology_id"])
    op.create_table(
        "entity_classes",
        *_columns("document_id", "ontology_id"),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        *_columns("tenant", "key", "entity_type", "class_uri", "rule"),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("start", "end")),
        *_owners(),
        sa.PrimaryKeyConstraint("document_id", "ontology_id", "ordinal"),
    )
    op.create_index("entity_classes_by_key", "entity_classes", ["tenant", "key"])
    op.create_index("entity_classes_by_class", "entity_classes", ["tenant", "class_uri"])
    op.create_index("entity_classes_by_ontology", "entity_classes", ["tenant", "ontology_id"])


def downgrade() -> None:
    op.drop_table("entity_classes")
    op.drop_table("typed_documents")
