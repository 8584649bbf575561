"""The tables of the knowledge graph: each document's own graph, which goes with its document. Entities across documents are derived, never stored."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, Table

from storage.schema import _blob, _document, _integer, _json, _large, _text, _time, metadata

# `sequence` comes from `counters` and never repeats: (number of rows, largest sequence) of a tenant differs after every change.
graph_documents = Table(
    "graph_documents",
    metadata,
    _document(primary_key=True),
    _text("tenant"),
    _integer("generation"),
    _large("sequence"),
    _large("first_chunk"),
    _text("generated_by"),
    _time("created_at"),
    Index("graph_documents_by_sequence", "tenant", "sequence", "document_id"),
)

# int32 [mentions, 3]: the chunk's ordinal (-1: none), start and end. Chunk ids are `graph_documents.first_chunk` + ordinal.
graph_entities = Table(
    "graph_entities",
    metadata,
    _document(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    _text("tenant"),
    _text("entity_type"),
    _text("key"),
    _text("name"),
    _json("aliases"),
    _json("properties"),
    _integer("mentions"),
    _blob("spans"),
    _time("created_at"),
)

# One row for each sentence that states a relationship: the sentence [start, end) is its evidence.
graph_relationships = Table(
    "graph_relationships",
    metadata,
    _document(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    _text("tenant"),
    _integer("source"),
    _integer("target"),
    _text("relationship_type"),
    Column("weight", Float(), nullable=False),
    _integer("chunk"),
    _integer("start"),
    _integer("end"),
    _json("properties"),
    _time("created_at"),
)
GRAPH_TABLES = (graph_relationships, graph_entities, graph_documents)
