"""Tables as rows, so that they can be computed with."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0006"
down_revision = "0005"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def _column(name: str, kind: Any, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "document_tables",
        sa.Column("document_id", PLAIN, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        _column("ordinal", sa.Integer()),
        _column("tenant", PLAIN),
        _column("generation", sa.Integer()),
        _column("caption", PLAIN),
        _column("section", sa.Text()),
        _column("page", sa.Integer(), nullable=True),
        _column("last_page", sa.Integer(), nullable=True),
        _column("start", sa.Integer()),
        _column("end", sa.Integer()),
        *[_column(name, sa.Text()) for name in ("header", "columns", "spans")],
        _column("rows", sa.Integer()),
        _column("kept", sa.Integer()),
        _column("note", PLAIN),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
    )
    op.create_table(
        "table_rows",
        _column("document_id", PLAIN),
        _column("table", sa.Integer()),
        _column("ordinal", sa.Integer()),
        _column("tenant", PLAIN),
        _column("kind", PLAIN),
        _column("start", sa.Integer()),
        _column("end", sa.Integer()),
        _column("cells", sa.Text()),
        _column("typed", sa.Text()),
        sa.PrimaryKeyConstraint("document_id", "table", "ordinal"),
        sa.ForeignKeyConstraint(["document_id", "table"], ["document_tables.document_id", "document_tables.ordinal"], ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("table_rows")
    op.drop_table("document_tables")
