"""The tables of vectors beside those that documents are searched by: a new embedding model's, while they are not complete, and the multilingual
encoder's."""

from __future__ import annotations

from sqlalchemy import Table

from storage.schema import blob_column, document_column, integer_column, metadata, text_column


def _document_vector_table(name: str) -> Table:
    """Return the table of float16 [rows, dimension] for the chunks of one generation, in their order."""
    return Table(
        name,
        metadata,
        document_column(primary_key=True),
        text_column("tenant"),
        text_column("embedder"),
        integer_column("generation"),
        integer_column("rows"),
        integer_column("dimension"),
        blob_column("vectors"),
    )


next_vectors = _document_vector_table("next_vectors")
multilingual_vectors = _document_vector_table("multilingual_vectors")

# float16 [dimension] of an episode or a note; a row goes when what it says changes.
next_memory = Table(
    "next_memory",
    metadata,
    text_column("tenant", primary_key=True),
    text_column("kind", primary_key=True),
    text_column("id", primary_key=True),
    text_column("user_id"),
    text_column("embedder"),
    blob_column("vector"),
)
