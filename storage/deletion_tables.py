"""The tables of what was deleted and may still be quoted somewhere. They hold a document's text only until every quote of it is gone."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table

from storage.schema import blob_column, integer_column, json_column, metadata, text_column, time_column

# `erased` 0: quotes may be left. `files` are the files that a person deleted with the document: [path, size, mtime_ns, inode] each.
deleted_documents = Table(
    "deleted_documents",
    metadata,
    text_column("document_id", primary_key=True),
    text_column("tenant"),
    json_column("files"),
    json_column("names"),  # of people, firms and places in it
    time_column("deleted_at"),
    integer_column("erased"),
    Index("deleted_documents_by_state", "erased", "tenant"),
)

deleted_texts = Table(
    "deleted_texts",
    metadata,
    text_column("document_id", primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    blob_column("text"),
)
