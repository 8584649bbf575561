"""The tables. Every row of a person's data carries its tenant; `meta` and `counters` belong to the library as a whole.

Times are whole microseconds since 1970 in UTC, so that both databases compare them alike. Text that is compared or sorted has the collation
"C" on PostgreSQL, which is code point order as in SQLite: a cursor means the same on both.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Column, Dialect, Float, ForeignKey, ForeignKeyConstraint, Index, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

from storage.storable_text import decode_path, encode_path, make_storable

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
PLAIN = Text().with_variant(Text(collation="C"), "postgresql")
# SQLite gives ids of its own only to a column of exactly this type.
ROW_ID = BigInteger().with_variant(Integer(), "sqlite")


def microseconds(time: datetime) -> int:
    """Return whole microseconds since 1970; a naive time is read as UTC."""
    return ((time if time.tzinfo else time.replace(tzinfo=UTC)) - EPOCH) // _MICROSECOND


class CleanText(TypeDecorator[str]):
    """Text in which NUL and lone surrogates became U+FFFD on the way in."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Text(collation="C") if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else make_storable(value)


class PathText(CleanText):
    """A file path, stored reversibly."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else encode_path(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else decode_path(value)


class Instant(TypeDecorator[datetime]):
    """An aware time as microseconds since 1970; a naive one is read as UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else microseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else EPOCH + value * _MICROSECOND


class JsonText(TypeDecorator[Any]):
    """A small JSON value as text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        return dump_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


def dump_json(value: Any) -> str:
    """Return `value` as compact JSON in which every string is storable."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "\\u0000" in text:  # JSON escapes a NUL, so it would pass the line below
        text = json.dumps(clean_json(value), ensure_ascii=False, separators=(",", ":"))
    return make_storable(text)


def clean_json(value: Any) -> Any:
    """Return a JSON value with every string storable."""
    match value:
        case str():
            return make_storable(value)
        case list() | tuple():
            return [clean_json(item) for item in value]
        case dict():
            return {make_storable(key): clean_json(item) for key, item in value.items()}
        case _:
            return value


metadata = MetaData()


def text_column(name: str, **options: Any) -> Column[str]:
    return Column(name, CleanText(), nullable=False, **options)


def integer_column(name: str) -> Column[int]:
    return Column(name, Integer(), nullable=False)


def large_column(name: str) -> Column[int]:
    return Column(name, BigInteger(), nullable=False)


def time_column(name: str, *, nullable: bool = False) -> Column[datetime]:
    return Column(name, Instant(), nullable=nullable)


def json_column(name: str) -> Column[Any]:
    return Column(name, JsonText(), nullable=False)


def blob_column(name: str) -> Column[bytes]:
    return Column(name, LargeBinary(), nullable=False)


def document_column(**options: Any) -> Column[str]:
    return Column("document_id", CleanText(), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False, **options)


documents = Table(
    "documents",
    metadata,
    text_column("id", primary_key=True),
    text_column("tenant"),
    text_column("collection"),
    integer_column("generation"),
    integer_column("indexed_generation"),  # what the search index holds; 0 also after a path or the collection changed
    text_column("content_hash"),
    text_column("file_type"),
    text_column("filename"),
    text_column("sort_key"),
    text_column("search_key"),
    text_column("title"),
    text_column("summary"),
    text_column("detailed_summary"),
    json_column("keywords"),
    json_column("topics"),
    text_column("language"),
    text_column("doc_type"),
    text_column("generated_by"),
    json_column("authors"),
    text_column("file_key"),
    text_column("stem_key"),
    text_column("title_key"),
    time_column("created_at", nullable=True),
    time_column("modified_at", nullable=True),
    time_column("indexed_at"),
    large_column("file_size"),
    integer_column("pages"),
    text_column("page_unit"),
    integer_column("chunks"),
    integer_column("characters"),
    text_column("state"),
    text_column("reason"),
    text_column("parser"),
    text_column("embedder"),
    text_column("settings_version"),
    Index("documents_by_name", "tenant", "sort_key", "id"),
    Index("documents_by_file_key", "tenant", "file_key"),
    Index("documents_by_stem_key", "tenant", "stem_key"),
    Index("documents_by_title_key", "tenant", "title_key"),
    Index("documents_by_hash", "tenant", "content_hash", "collection"),
    Index("documents_by_time", "tenant", "modified_at"),
    # Holds all that a start compares with the index, so that it reads no summaries.
    Index("documents_by_generation", "embedder", "id", "generation", "indexed_generation", "tenant"),
)

# The text in segments of a fixed number of code points: a chunk is cut out of one or two of them, however long the document is.
document_texts = Table(
    "document_texts",
    metadata,
    document_column(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    blob_column("text"),
)

document_structures = Table("document_structures", metadata, document_column(primary_key=True), text_column("tenant"), blob_column("structure"))

# Ids come from `counters`, never from what the table holds: an id that was given once is never given again.
chunks = Table(
    "chunks",
    metadata,
    Column("id", ROW_ID, primary_key=True, autoincrement=False),
    document_column(),
    text_column("tenant"),
    integer_column("generation"),
    integer_column("ordinal"),
    integer_column("start"),
    integer_column("end"),
    Column("page", Integer()),
    json_column("section"),
    text_column("kind"),
    integer_column("tokens"),
    text_column("prefix"),
    Index("chunks_by_document", "document_id", "ordinal", unique=True),
)

# float16 [rows, dimension], row i is the chunk `first_chunk` + i.
vectors = Table(
    "vectors",
    metadata,
    document_column(primary_key=True),
    text_column("tenant"),
    text_column("embedder"),
    large_column("first_chunk"),
    integer_column("rows"),
    integer_column("dimension"),
    blob_column("vectors"),
    Index("vectors_by_tenant", "tenant", "rows"),
)

files = Table(
    "files",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    text_column("tenant"),
    Column("path", PathText(), nullable=False),
    Column("root", PathText(), nullable=False),
    Column("container", PathText(), nullable=False, server_default=""),  # the archive or message that it lies in; "": a file of its own
    large_column("size"),
    large_column("mtime_ns"),
    Column("inode", CleanText(), nullable=False),  # as text: inode numbers use all 64 bits without a sign
    text_column("state"),
    text_column("reason"),
    text_column("code"),
    text_column("parser"),
    text_column("content_hash"),
    Column("document_id", CleanText(), ForeignKey("documents.id", ondelete="SET NULL")),
    integer_column("attempts"),
    time_column("seen_at"),
    text_column("settings_version"),
    Index("files_by_path", "tenant", "path", unique=True),
    Index("files_by_root", "tenant", "root", "path"),
    Index("files_by_state", "tenant", "state", "path"),
    Index("files_by_document", "document_id"),
)

roots = Table(
    "roots",
    metadata,
    text_column("tenant", primary_key=True),
    Column("path", PathText(), primary_key=True),
    text_column("collection"),
    time_column("added_at"),
    time_column("last_indexed_at", nullable=True),
)

conversations = Table(
    "conversations",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    text_column("title"),
    time_column("created_at"),
    time_column("updated_at"),
    Column("pinned", Integer(), nullable=False, server_default="0"),
    Index("conversations_by_time", "tenant", "user_id", "updated_at"),
)

turns = Table(
    "turns",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("conversation_id", primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("id"),
    text_column("query"),
    time_column("created_at"),
    text_column("trace_id"),
    blob_column("response"),  # {} until there is one
    text_column("state", server_default="answered"),  # core.ports.TurnState
    Column("request", JsonText(), nullable=False, server_default="{}"),  # what was asked besides the question's words
    Column("problem", JsonText(), nullable=False, server_default="{}"),  # why it failed
    text_column("words", server_default=""),  # storage.turn_words: what a search looks in
    ForeignKeyConstraint(["tenant", "conversation_id"], ["conversations.tenant", "conversations.id"], ondelete="CASCADE"),
    Index("turns_by_state", "state"),
)

traces = Table(
    "traces",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    Column("conversation_id", CleanText()),
    text_column("query"),
    text_column("status"),
    time_column("started_at"),
    Column("duration_ms", Float(), nullable=False),
    text_column("generated_by"),
    text_column("routing_path"),
    blob_column("head"),  # what a listing shows besides the columns
    blob_column("body"),  # nodes, moves and response
    large_column("bytes"),
    Index("traces_by_time", "tenant", "started_at", "id"),
    Index("traces_by_conversation", "tenant", "conversation_id", "started_at"),
    Index("traces_by_age", "started_at"),
)

feedback = Table(
    "feedback",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    text_column("trace_id"),
    text_column("kind"),
    Column("result_id", CleanText()),
    Column("rank", Integer()),
    Column("reason", CleanText()),
    Column("correction", CleanText()),
    time_column("created_at"),
    Index("feedback_by_trace", "tenant", "trace_id"),
)

jobs = Table(
    "jobs",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("id", primary_key=True),
    text_column("kind"),
    text_column("state"),
    Column("path", PathText(), nullable=False),
    time_column("created_at"),
    time_column("started_at", nullable=True),
    time_column("finished_at", nullable=True),
    json_column("progress"),
    json_column("request"),
    Column("error", CleanText()),
    text_column("worker", server_default=""),
    Column("attempts", Integer(), nullable=False, server_default="0"),
    Column("cancel_requested", Integer(), nullable=False, server_default="0"),
    Index("jobs_by_state", "state", "created_at"),
)

counters = Table("counters", metadata, text_column("name", primary_key=True), large_column("value"))
meta = Table("meta", metadata, text_column("name", primary_key=True), text_column("value"))
