"""Turns are stored when they are asked, with their state; their words can be searched; conversations can be pinned."""

from __future__ import annotations

import json
import zlib

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0017"
down_revision = "0015"

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")
_ROWS = 200  # that are filled at a time
# Their kinds and what rows of earlier versions have. Only what is compared has the collation "C".
_TURN_COLUMNS: dict[str, tuple[sa.types.TypeEngine[str], str]] = {
    "state": (PLAIN, "answered"),
    "request": (sa.Text(), "{}"),
    "problem": (sa.Text(), "{}"),
    "words": (PLAIN, ""),
}

turns = sa.table("turns", *[sa.column(name) for name in ("tenant", "conversation_id", "ordinal", "query", "response", "words")])


def upgrade() -> None:
    for name, (kind, default) in _TURN_COLUMNS.items():
        op.add_column("turns", sa.Column(name, kind, nullable=False, server_default=default))
    op.add_column("conversations", sa.Column("pinned", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("turns_by_state", "turns", ["state"])
    _fill_words(op.get_bind())


def downgrade() -> None:
    op.drop_index("turns_by_state", "turns")
    op.drop_column("conversations", "pinned")
    for name in reversed(_TURN_COLUMNS):
        op.drop_column("turns", name)


def _fill_words(connection: sa.Connection) -> None:
    """What earlier versions stored can be searched like everything after it."""
    key = (turns.c.tenant, turns.c.conversation_id, turns.c.ordinal)
    after: tuple[str, str, int] | None = None
    while True:
        query = sa.select(turns).order_by(*key).limit(_ROWS)
        rows = connection.execute(query if after is None else query.where(sa.tuple_(*key) > sa.tuple_(*after))).all()
        if not rows:
            return
        for row in rows:
            place = (turns.c.tenant == row.tenant, turns.c.conversation_id == row.conversation_id, turns.c.ordinal == row.ordinal)
            connection.execute(turns.update().where(*place).values(words=_words(row.query, row.response)))
        after = (rows[-1].tenant, rows[-1].conversation_id, rows[-1].ordinal)


def _words(query: str, blob: bytes) -> str:
    """The question's words alone where the stored answer is damaged: the damage is told where the conversation is read."""
    try:
        answer = str(json.loads(zlib.decompress(blob)).get("answer", ""))
    except (zlib.error, ValueError):
        answer = ""
    return f"{query}\n{answer}".casefold()
