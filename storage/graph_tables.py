"""The tables of the knowledge graph: each document's own graph, which goes with its document. Entities across documents are derived, never stored."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, Table

from storage.schema import blob_column, document_column, integer_column, json_column, large_column, metadata, text_column, time_column

# `sequence` comes from `counters` and never repeats: (number of rows, largest sequence) of a tenant differs after every change.
graph_documents = Table(
    "graph_documents",
    metadata,
    document_column(primary_key=True),
    text_column("tenant"),
    integer_column("generation"),
    large_column("sequence"),
    large_column("first_chunk"),
    text_column("generated_by"),
    time_column("created_at"),
    Index("graph_documents_by_sequence", "tenant", "sequence", "document_id"),
)

# int32 [mentions, 3]: the chunk's ordinal (-1: none), start and end. Chunk ids are `graph_documents.first_chunk` + ordinal.
graph_entities = Table(
    "graph_entities",
    metadata,
    document_column(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    text_column("entity_type"),
    text_column("key"),
    text_column("name"),
    json_column("aliases"),
    json_column("properties"),
    integer_column("mentions"),
    blob_column("spans"),
    time_column("created_at"),
)

# One row for each sentence that states a relationship: the sentence [start, end) is its evidence.
graph_relationships = Table(
    "graph_relationships",
    metadata,
    document_column(primary_key=True),
    Column("ordinal", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    integer_column("source"),
    integer_column("target"),
    text_column("relationship_type"),
    Column("weight", Float(), nullable=False),
    integer_column("chunk"),
    integer_column("start"),
    integer_column("end"),
    json_column("properties"),
    time_column("created_at"),
)
GRAPH_TABLES = (graph_relationships, graph_entities, graph_documents)
