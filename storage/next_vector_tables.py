"""The tables of vectors beside those that documents are searched by: a new embedding model's, while they are not complete, and the multilingual
encoder's."""

from __future__ import annotations

from sqlalchemy import Table

from storage.schema import _blob, _document, _integer, _text, metadata


def _vectors_of_documents(name: str) -> Table:
    """float16 [rows, dimension] for the chunks of one generation, in their order."""
    return Table(
        name,
        metadata,
        _document(primary_key=True),
        _text("tenant"),
        _text("embedder"),
        _integer("generation"),
        _integer("rows"),
        _integer("dimension"),
        _blob("vectors"),
    )


next_vectors = _vectors_of_documents("next_vectors")
multilingual_vectors = _vectors_of_documents("multilingual_vectors")

# float16 [dimension] of an episode or a note; a row goes when what it says changes.
next_memory = Table(
    "next_memory",
    metadata,
    _text("tenant", primary_key=True),
    _text("kind", primary_key=True),
    _text("id", primary_key=True),
    _text("user_id"),
    _text("embedder"),
    _blob("vector"),
)
