"""Jobs say which worker is at them, how often that was begun, and whether somebody asked to stop them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0020"
down_revision = "0019"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("jobs", sa.Column("worker", PLAIN, nullable=False, server_default=""))
    for name in ("attempts", "cancel_requested"):
        op.add_column("jobs", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    for name in ("cancel_requested", "attempts", "worker"):
        op.drop_column("jobs", name)
