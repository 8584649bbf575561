"""The tables of a new embedding model's vectors, while they are not complete."""

from __future__ import annotations

from sqlalchemy import Table

from storage.schema import _blob, _document, _integer, _text, metadata

# float16 [rows, dimension] for the chunks of one generation, in their order.
next_vectors = Table(
    "next_vectors",
    metadata,
    _document(primary_key=True),
    _text("tenant"),
    _text("embedder"),
    _integer("generation"),
    _integer("rows"),
    _integer("dimension"),
    _blob("vectors"),
)

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
