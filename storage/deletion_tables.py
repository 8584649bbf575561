"""The tables of what was deleted and may still be quoted somewhere. They hold a document's text only until every quote of it is gone."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table

from storage.schema import _blob, _integer, _json, _text, _time, metadata

# `erased` 0: quotes may be left. `files` are the files that a person deleted with the document: [path, size, mtime_ns, inode] each.
deleted_documents = Table(
    "deleted_documents",
    metadata,
    _text("document_id", primary_key=True),
    _text("tenant"),
    _json("files"),
    _json("names"),  # of people, firms and places in it
    _time("deleted_at"),
    _integer("erased"),
    Index("deleted_documents_by_state", "erased", "tenant"),
)

deleted_texts = Table(
    "deleted_texts",
    metadata,
    _text("document_id", primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    _text("tenant"),
    _blob("text"),
)
