"""Files that lie in archives and messages: which file holds them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0005"
down_revision = "0004"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("files", sa.Column("container", PLAIN, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("files", "container")
