"""Which folders are watched, and what a person excluded; files found by their inode, so that other names of a changed file are seen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0008"
down_revision = "0007"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "watch_switches",
        sa.Column("tenant", PLAIN, primary_key=True),
        sa.Column("path", PLAIN, primary_key=True),
        sa.Column("enabled", sa.Integer(), nullable=False),
    )
    op.create_table(
        "exclusions",
        sa.Column("tenant", PLAIN, primary_key=True),
        sa.Column("path", PLAIN, primary_key=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("files_by_inode", "files", ["tenant", "inode"])
    op.create_index("files_by_code", "files", ["tenant", "code", "path"])


def downgrade() -> None:
    op.drop_index("files_by_code", "files")
    op.drop_index("files_by_inode", "files")
    op.drop_table("exclusions")
    op.drop_table("watch_switches")
