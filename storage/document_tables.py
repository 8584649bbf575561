"""The tables of documents as rows: one row of `document_tables` for each, one of `table_rows` for each row below its header."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Integer, Table

from storage.schema import document_column, integer_column, json_column, metadata, text_column

document_tables = Table(
    "document_tables",
    metadata,
    document_column(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    integer_column("generation"),
    text_column("caption"),
    json_column("section"),
    Column("page", Integer()),
    Column("last_page", Integer()),
    integer_column("start"),
    integer_column("end"),
    json_column("header"),
    json_column("columns"),
    json_column("spans"),
    integer_column("rows"),
    integer_column("kept"),
    text_column("note"),
)

# Clustered by its key on SQLite: the rows of one table lie together, and a page of them is one stretch of the file.
table_rows = Table(
    "table_rows",
    metadata,
    Column("document_id", document_tables.c.document_id.type, primary_key=True),
    Column("table", Integer(), primary_key=True, autoincrement=False),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    text_column("kind"),
    integer_column("start"),
    integer_column("end"),
    json_column("cells"),
    json_column("typed"),
    ForeignKeyConstraint(["document_id", "table"], ["document_tables.document_id", "document_tables.ordinal"], ondelete="CASCADE"),
    sqlite_with_rowid=False,
)
