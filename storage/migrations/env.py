"""Alembic's entry: runs inside the connection and the transaction that `storage/database.py` opened, so there is no alembic.ini."""

from __future__ import annotations

from alembic import context

from storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite's DDL is transactional once BEGIN is ours: a migration happens wholly or not at all
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
