"""The tables of documents as rows: one row of `document_tables` for each, one of `table_rows` for each row below its header."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Integer, Table

from storage.schema import _document, _integer, _json, _text, metadata

document_tables = Table(
    "document_tables",
    metadata,
    _document(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    _text("tenant"),
    _integer("generation"),
    _text("caption"),
    _json("section"),
    Column("page", Integer()),
    Column("last_page", Integer()),
    _integer("start"),
    _integer("end"),
    _json("header"),
    _json("columns"),
    _json("spans"),
    _integer("rows"),
    _integer("kept"),
    _text("note"),
)

# Clustered by its key on SQLite: the rows of one table lie together, and a page of them is one stretch of the file.
table_rows = Table(
    "table_rows",
    metadata,
    Column("document_id", document_tables.c.document_id.type, primary_key=True),
    Column("table", Integer(), primary_key=True, autoincrement=False),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    _text("tenant"),
    _text("kind"),
    _integer("start"),
    _integer("end"),
    _json("cells"),
    _json("typed"),
    ForeignKeyConstraint(["document_id", "table"], ["document_tables.document_id", "document_tables.ordinal"], ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
