"""The library of the first release: documents, ledger, conversations, traces, feedback, jobs.

Written out, not taken from `storage/schema.py`: a migration says what was, the schema says what is. A test holds the two together.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TEXT

revision = "0001"
down_revision = None

PLAIN = sa.Text().with_variant(TEXT(collation="C"), "postgresql")
ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str, nullable: bool = False) -> sa.Column:
    return sa.Column(name, PLAIN, nullable=nullable)


def _json(name: str) -> sa.Column:
    return sa.Column(name, sa.Text(), nullable=False)


def _integer(name: str, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _large(name: str, nullable: bool = False) -> sa.Column:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _blob(name: str) -> sa.Column:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _of_document() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE")


def upgrade() -> None:
    _create_documents()
    _create_contents()
    _create_ledger()
    _create_conversations()
    _create_runs()
    op.create_table("counters", _text("name"), _large("value"), sa.PrimaryKeyConstraint("name"))
    op.create_table("meta", _text("name"), _text("value"), sa.PrimaryKeyConstraint("name"))


def downgrade() -> None:
    for (
        table
    ) in "meta counters jobs feedback traces turns conversations roots files vectors chunks document_structures document_texts documents".split():
        op.drop_table(table)


def _create_documents() -> None:
    op.create_table(
        "documents",
        _text("id"),
        _text("tenant"),
        _text("collection"),
        _integer("generation"),
        _integer("indexed_generation"),
        *[_text(name) for name in "content_hash file_type filename sort_key search_key title summary detailed_summary".split()],
        _json("keywords"),
        _json("topics"),
        *[_text(name) for name in "language doc_type generated_by".split()],
        _large("created_at", nullable=True),
        _large("modified_at", nullable=True),
        _large("indexed_at"),
        _large("file_size"),
        _integer("pages"),
        _text("page_unit"),
        _integer("chunks"),
        _integer("characters"),
        *[_text(name) for name in "state reason parser embedder settings_version".split()],
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("documents_by_name", "documents", ["tenant", "sort_key", "id"])
    op.create_index("documents_by_hash", "documents", ["tenant", "content_hash", "collection"])
    op.create_index("documents_by_time", "documents", ["tenant", "modified_at"])
    op.create_index("documents_by_generation", "documents", ["embedder", "id", "generation", "indexed_generation", "tenant"])


def _create_contents() -> None:
    op.create_table(
        "document_texts",
        _text("document_id"),
        _integer("ordinal"),
        _text("tenant"),
        _blob("text"),
        _of_document(),
        sa.PrimaryKeyConstraint("document_id", "ordinal"),
    )
    op.create_table(
        "document_structures", _text("document_id"), _text("tenant"), _blob("structure"), _of_document(), sa.PrimaryKeyConstraint("document_id")
    )
    op.create_table(
        "chunks",
        sa.Column("id", ROW_ID, primary_key=True, autoincrement=False),
        _text("document_id"),
        _text("tenant"),
        *[_integer(name) for name in "generation ordinal start end".split()],
        _integer("page", nullable=True),
        _json("section"),
        _text("kind"),
        _integer("tokens"),
        _text("prefix"),
        _of_document(),
    )
    op.create_index("chunks_by_document", "chunks", ["document_id", "ordinal"], unique=True)
    op.create_table(
        "vectors",
        _text("document_id"),
        _text("tenant"),
        _text("embedder"),
        _large("first_chunk"),
        _integer("rows"),
        _integer("dimension"),
        _blob("vectors"),
        _of_document(),
        sa.PrimaryKeyConstraint("document_id"),
    )
    op.create_index("vectors_by_tenant", "vectors", ["tenant", "rows"])


def _create_ledger() -> None:
    op.create_table(
        "files",
        sa.Column("id", ROW_ID, primary_key=True),
        *[_text(name) for name in "tenant path root".split()],
        _large("size"),
        _large("mtime_ns"),
        *[_text(name) for name in "inode state reason code parser content_hash".split()],
        _text("document_id", nullable=True),
        _integer("attempts"),
        _large("seen_at"),
        _text("settings_version"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="SET NULL"),
    )
    op.create_index("files_by_path", "files", ["tenant", "path"], unique=True)
    op.create_index("files_by_root", "files", ["tenant", "root", "path"])
    op.create_index("files_by_state", "files", ["tenant", "state", "path"])
    op.create_index("files_by_document", "files", ["document_id"])
    op.create_table(
        "roots",
        *[_text(name) for name in "tenant path collection".split()],
        _large("added_at"),
        _large("last_indexed_at", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "path"),
    )


def _create_conversations() -> None:
    op.create_table(
        "conversations",
        *[_text(name) for name in "tenant id user_id title".split()],
        _large("created_at"),
        _large("updated_at"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("conversations_by_time", "conversations", ["tenant", "user_id", "updated_at"])
    op.create_table(
        "turns",
        _text("tenant"),
        _text("conversation_id"),
        _integer("ordinal"),
        _text("id"),
        _text("query"),
        _large("created_at"),
        _text("trace_id"),
        _blob("response"),
        sa.ForeignKeyConstraint(["tenant", "conversation_id"], ["conversations.tenant", "conversations.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("tenant", "conversation_id", "ordinal"),
    )


def _create_runs() -> None:
    op.create_table(
        "traces",
        *[_text(name) for name in "tenant id user_id".split()],
        _text("conversation_id", nullable=True),
        _text("query"),
        _text("status"),
        _large("started_at"),
        sa.Column("duration_ms", sa.Float(), nullable=False),
        _text("generated_by"),
        _text("routing_path"),
        _blob("head"),
        _blob("body"),
        _large("bytes"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("traces_by_time", "traces", ["tenant", "started_at", "id"])
    op.create_index("traces_by_conversation", "traces", ["tenant", "conversation_id", "started_at"])
    op.create_index("traces_by_age", "traces", ["started_at"])
    op.create_table(
        "feedback",
        *[_text(name) for name in "tenant id user_id trace_id kind".split()],
        _text("result_id", nullable=True),
        _integer("rank", nullable=True),
        _text("reason", nullable=True),
        _text("correction", nullable=True),
        _large("created_at"),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("feedback_by_trace", "feedback", ["tenant", "trace_id"])
    op.create_table(
        "jobs",
        *[_text(name) for name in "tenant id kind state path".split()],
        _large("created_at"),
        _large("started_at", nullable=True),
        _large("finished_at", nullable=True),
        _json("progress"),
        _json("request"),
        _text("error", nullable=True),
        sa.PrimaryKeyConstraint("tenant", "id"),
    )
    op.create_index("jobs_by_state", "jobs", ["state", "created_at"])
