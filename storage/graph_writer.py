"""Writing a document's graph: functions of the transaction that writes the document. Removing the document removes it (foreign keys)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection, delete, insert, select

from core.documents import Chunk
from core.graph import DocumentGraph
from core.ports.graph_store import StoredEntity, StoredRelationship, stored_parts
from storage.graph_tables import GRAPH_TABLES, graph_documents, graph_entities, graph_relationships
from storage.ontology_tables import TYPING_TABLES
from storage.row_mapping import batches, now
from storage.sequences import reserve_ids

_COUNTER = "graph"
GraphOwner = tuple[str, str, int, int]  # tenant, document id, generation, id of the first chunk


def replace_graph(connection: Connection, owner: GraphOwner, graph: DocumentGraph | None, chunks: Sequence[Chunk]) -> None:
    """Store the graph of a document's new generation in the place of the old one; None stores that it says nothing.

    What the document said before keeps the time at which it first said it.
    """
    tenant, document_id, generation, first_chunk = owner
    known = _creation_times(connection, document_id)
    for table in (*TYPING_TABLES, *GRAPH_TABLES):
        connection.execute(delete(table).where(table.c.document_id == document_id))
    if graph is None:
        return
    time = now()
    entities, relationships = stored_parts(graph, chunks, time)
    row = {
        "document_id": document_id,
        "tenant": tenant,
        "generation": generation,
        "sequence": reserve_ids(connection, _COUNTER, 1),
        "first_chunk": first_chunk,
        "generated_by": graph.generated_by,
        "created_at": time,
    }
    connection.execute(insert(graph_documents), row)
    place = {"document_id": document_id, "tenant": tenant}
    rows = [{**place, "ordinal": number, **_entity_values(each, known)} for number, each in enumerate(entities)]
    for batch in batches(rows):
        connection.execute(insert(graph_entities), batch)
    statements = [{**place, "ordinal": number, **_relationship_values(each)} for number, each in enumerate(relationships)]
    for batch in batches(statements):
        connection.execute(insert(graph_relationships), batch)


def _creation_times(connection: Connection, document_id: str) -> dict[tuple[str, str], Any]:
    query = select(graph_entities.c.key, graph_entities.c.entity_type, graph_entities.c.created_at).where(graph_entities.c.document_id == document_id)
    return {(row.key, row.entity_type): row.created_at for row in connection.execute(query)}


def _entity_values(entity: StoredEntity, known: dict[tuple[str, str], Any]) -> dict[str, Any]:
    return {
        "entity_type": entity.entity_type.value,
        "key": entity.key,
        "name": entity.name,
        "aliases": list(entity.aliases),
        "properties": entity.properties,
        "mentions": len(entity.mentions),
        "spans": np.array(entity.mentions, np.int32).reshape(-1, 3).tobytes(),
        "created_at": known.get((entity.key, entity.entity_type.value), entity.created_at),
    }


def _relationship_values(relationship: StoredRelationship) -> dict[str, Any]:
    return {
        "source": relationship.source,
        "target": relationship.target,
        "relationship_type": relationship.relationship_type,
        "weight": relationship.weight,
        "chunk": relationship.chunk,
        "start": relationship.start,
        "end": relationship.end,
        "properties": relationship.properties,
        "created_at": relationship.created_at,
    }
