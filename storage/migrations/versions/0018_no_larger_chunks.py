"""Larger chunks and the confidence of boundaries go. Versions no longer name their sizes, so that no file is read again for it."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0018"
down_revision = "0017"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")
# "model/256+512+1024+2048 0,0.1/5": the window and the sizes above it, the overlap of the chunks and that of the larger ones.
_LARGER = re.compile(r"/(\d+)(?:\+\d+)* ([^/,]+),[^/,]+/")


def upgrade() -> None:
    op.drop_table("chunk_levels")
    op.drop_column("chunks", "confidence")
    for name in ("documents", "files"):
        _rename_versions(op.get_bind(), sa.table(name, sa.column("settings_version")))


def downgrade() -> None:
    op.add_column("chunks", sa.Column("confidence", sa.Float(), nullable=False, server_default="1"))
    op.create_table(
        "chunk_levels",
        sa.Column("document_id", PLAIN, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("tenant", PLAIN, nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("spans", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "level"),
    )


def _rename_versions(connection: sa.Connection, table: sa.TableClause) -> None:
    version = table.c.settings_version
    for old in connection.execute(sa.select(version).distinct()).scalars().all():
        connection.execute(table.update().where(version == old).values(settings_version=_LARGER.sub(r"/\1 \2/", old)))
