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

from storage.characters import decode_path, encode_path, storable

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
PLAIN = Text().with_variant(Text(collation="C"), "postgresql")
# SQLite gives ids of its own only to a column of exactly this type.
ROW_ID = BigInteger().with_variant(Integer(), "sqlite")


def microseconds(time: datetime) -> int:
    """Whole microseconds since 1970; a naive time is read as UTC."""
    return ((time if time.tzinfo else time.replace(tzinfo=UTC)) - EPOCH) // _MICROSECOND


class CleanText(TypeDecorator[str]):
    """Text in which NUL and lone surrogates became U+FFFD on the way in."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(Text(collation="C") if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


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
    """`value` as compact JSON in which every string is storable."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if "\\u0000" in text:  # JSON escapes a NUL, so it would pass the line below
        text = json.dumps(cleaned(value), ensure_ascii=False, separators=(",", ":"))
    return storable(text)


def cleaned(value: Any) -> Any:
    """A JSON value with every string storable."""
    match value:
        case str():
            return storable(value)
        case list() | tuple():
            return [cleaned(item) for item in value]
        case dict():
            return {storable(key): cleaned(item) for key, item in value.items()}
        case _:
            return value


metadata = MetaData()


def _text(name: str, **options: Any) -> Column[str]:
    return Column(name, CleanText(), nullable=False, **options)


def _integer(name: str) -> Column[int]:
    return Column(name, Integer(), nullable=False)


def _large(name: str) -> Column[int]:
    return Column(name, BigInteger(), nullable=False)


def _time(name: str, *, nullable: bool = False) -> Column[datetime]:
    return Column(name, Instant(), nullable=nullable)


def _json(name: str) -> Column[Any]:
    return Column(name, JsonText(), nullable=False)


def _blob(name: str) -> Column[bytes]:
    return Column(name, LargeBinary(), nullable=False)


def _document(**options: Any) -> Column[str]:
    return Column("document_id", CleanText(), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False, **options)


documents = Table(
    "documents",
    metadata,
    _text("id", primary_key=True),
    _text("tenant"),
    _text("collection"),
    _integer("generation"),
    _integer("indexed_generation"),  # what the search index holds; 0 also after a path or the collection changed
    _text("content_hash"),
    _text("file_type"),
    _text("filename"),
    _text("sort_key"),
    _text("search_key"),
    _text("title"),
    _text("summary"),
    _text("detailed_summary"),
    _json("keywords"),
    _json("topics"),
    _text("language"),
    _text("doc_type"),
    _text("generated_by"),
    _json("authors"),
    _text("file_key"),
    _text("stem_key"),
    _text("title_key"),
    _time("created_at", nullable=True),
    _time("modified_at", nullable=True),
    _time("indexed_at"),
    _large("file_size"),
    _integer("pages"),
    _text("page_unit"),
    _integer("chunks"),
    _integer("characters"),
    _text("state"),
    _text("reason"),
    _text("parser"),
    _text("embedder"),
    _text("settings_version"),
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
    _document(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    _text("tenant"),
    _blob("text"),
)

document_structures = Table("document_structures", metadata, _document(primary_key=True), _text("tenant"), _blob("structure"))

# Ids come from `counters`, never from what the table holds: an id that was given once is never given again.
chunks = Table(
    "chunks",
    metadata,
    Column("id", ROW_ID, primary_key=True, autoincrement=False),
    _document(),
    _text("tenant"),
    _integer("generation"),
    _integer("ordinal"),
    _integer("start"),
    _integer("end"),
    Column("page", Integer()),
    _json("section"),
    _text("kind"),
    _integer("tokens"),
    _text("prefix"),
    Column("confidence", Float(), nullable=False, server_default="1"),  # of the boundary behind the chunk
    Index("chunks_by_document", "document_id", "ordinal", unique=True),
)

# float16 [rows, dimension], row i is the chunk `first_chunk` + i.
vectors = Table(
    "vectors",
    metadata,
    _document(primary_key=True),
    _text("tenant"),
    _text("embedder"),
    _large("first_chunk"),
    _integer("rows"),
    _integer("dimension"),
    _blob("vectors"),
    Index("vectors_by_tenant", "tenant", "rows"),
)

files = Table(
    "files",
    metadata,
    Column("id", ROW_ID, primary_key=True),
    _text("tenant"),
    Column("path", PathText(), nullable=False),
    Column("root", PathText(), nullable=False),
    Column("container", PathText(), nullable=False, server_default=""),  # the archive or message that it lies in; "": a file of its own
    _large("size"),
    _large("mtime_ns"),
    Column("inode", CleanText(), nullable=False),  # as text: inode numbers use all 64 bits without a sign
    _text("state"),
    _text("reason"),
    _text("code"),
    _text("parser"),
    _text("content_hash"),
    Column("document_id", CleanText(), ForeignKey("documents.id", ondelete="SET NULL")),
    _integer("attempts"),
    _time("seen_at"),
    _text("settings_version"),
    Index("files_by_path", "tenant", "path", unique=True),
    Index("files_by_root", "tenant", "root", "path"),
    Index("files_by_state", "tenant", "state", "path"),
    Index("files_by_document", "document_id"),
)

roots = Table(
    "roots",
    metadata,
    _text("tenant", primary_key=True),
    Column("path", PathText(), primary_key=True),
    _text("collection"),
    _time("added_at"),
    _time("last_indexed_at", nullable=True),
)

conversations = Table(
    "conversations",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    _text("title"),
    _time("created_at"),
    _time("updated_at"),
    Column("pinned", Integer(), nullable=False, server_default="0"),
    Index("conversations_by_time", "tenant", "user_id", "updated_at"),
)

turns = Table(
    "turns",
    metadata,
    _text("tenant", primary_key=True),
    _text("conversation_id", primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    _text("id"),
    _text("query"),
    _time("created_at"),
    _text("trace_id"),
    _blob("response"),  # {} until there is one
    _text("state", server_default="answered"),  # core.ports.TurnState
    Column("request", JsonText(), nullable=False, server_default="{}"),  # what was asked besides the question's words
    Column("problem", JsonText(), nullable=False, server_default="{}"),  # why it failed
    _text("words", server_default=""),  # storage.turn_words: what a search looks in
    ForeignKeyConstraint(["tenant", "conversation_id"], ["conversations.tenant", "conversations.id"], ondelete="CASCADE"),
    Index("turns_by_state", "state"),
)

traces = Table(
    "traces",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    Column("conversation_id", CleanText()),
    _text("query"),
    _text("status"),
    _time("started_at"),
    Column("duration_ms", Float(), nullable=False),
    _text("generated_by"),
    _text("routing_path"),
    _blob("head"),  # what a listing shows besides the columns
    _blob("body"),  # nodes, moves and response
    _large("bytes"),
    Index("traces_by_time", "tenant", "started_at", "id"),
    Index("traces_by_conversation", "tenant", "conversation_id", "started_at"),
    Index("traces_by_age", "started_at"),
)

feedback = Table(
    "feedback",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    _text("trace_id"),
    _text("kind"),
    Column("result_id", CleanText()),
    Column("rank", Integer()),
    Column("reason", CleanText()),
    Column("correction", CleanText()),
    _time("created_at"),
    Index("feedback_by_trace", "tenant", "trace_id"),
)

jobs = Table(
    "jobs",
    metadata,
    _text("tenant", primary_key=True),
    _text("id", primary_key=True),
    _text("kind"),
    _text("state"),
    Column("path", PathText(), nullable=False),
    _time("created_at"),
    _time("started_at", nullable=True),
    _time("finished_at", nullable=True),
    _json("progress"),
    _json("request"),
    Column("error", CleanText()),
    Index("jobs_by_state", "state", "created_at"),
)

counters = Table("counters", metadata, _text("name", primary_key=True), _large("value"))
meta = Table("meta", metadata, _text("name", primary_key=True), _text("value"))
