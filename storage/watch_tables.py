"""The tables of the watcher: its switches, and what a person took out of the library for good."""

from __future__ import annotations

from sqlalchemy import Column, Index, Table

from storage.schema import PathText, files, integer_column, metadata, text_column, time_column

watch_switches = Table(
    "watch_switches",
    metadata,
    text_column("tenant", primary_key=True),
    Column("path", PathText(), primary_key=True),  # a root; "" is the whole watcher
    integer_column("enabled"),
)

exclusions = Table(
    "exclusions",
    metadata,
    text_column("tenant", primary_key=True),
    Column("path", PathText(), primary_key=True),
    time_column("created_at"),
)

# Other names (links) of a file that changed are found by its inode.
Index("files_by_inode", files.c.tenant, files.c.inode)
# The ledger by reason, and links, which are looked at again when anything changes.
Index("files_by_code", files.c.tenant, files.c.code, files.c.path)
