"""The stored part of the knowledge graph: each document's own graph, as the document says it. What belongs together across documents is derived."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from core.documents import Chunk, Page
from core.graph import DocumentGraph, EntityType, GraphEvidence
from core.search import Filters

StatementPlace = tuple[str, int, int]  # of a relationship: document id, the sequence of its graph, the number in it


@dataclass(frozen=True, slots=True)
class StoredEntity:
    """An entity as one document names it. `mentions` are (chunk ordinal, start, end) in order; -1 for a chunk where none holds the span."""

    key: str
    name: str
    entity_type: EntityType
    aliases: tuple[str, ...]
    properties: dict[str, Any]
    mentions: tuple[tuple[int, int, int], ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StoredRelationship:
    """A relationship that one sentence [start, end) states; `source` and `target` index the document's entities, `chunk` is an ordinal or -1."""

    source: int
    target: int
    relationship_type: str
    weight: float
    chunk: int
    start: int
    end: int
    properties: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """A document's graph at one generation. `sequence` grows with every write in the library; chunk ids are `first_chunk` + ordinal."""

    document_id: str
    generation: int
    sequence: int
    first_chunk: int
    chunks: int
    filename: str
    title: str
    generated_by: str
    entities: tuple[StoredEntity, ...] = ()
    relationships: tuple[StoredRelationship, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphState:
    """The documents that a tenant's graph is made of: document id -> sequence. `version` differs whenever they do."""

    version: tuple[int, int]
    sequences: dict[str, int] = field(default_factory=dict)


class GraphStore(Protocol):
    """The stored graphs, read; every method filters by tenant, unknown ids are passed over."""

    async def tenants(self) -> list[str]:
        """Return the tenants that have a graph."""
        ...

    async def version(self, tenant: str) -> tuple[int, int]:
        """Return a pair that differs from an earlier one whenever a document's graph was written or removed since. Cheap: asked before every use."""
        ...

    async def state(self, tenant: str) -> GraphState: ...
    async def load(self, tenant: str, document_ids: Sequence[str]) -> list[StoredGraph]: ...
    async def evidence(self, tenant: str, places: Sequence[StatementPlace]) -> dict[StatementPlace, GraphEvidence]:
        """Return the sentence of each relationship; those of a document that was written anew since are left out."""
        ...

    async def filter_documents(self, tenant: str, filters: Filters) -> set[str]:
        """Return the documents that the filters let through."""
        ...

    async def texts(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, str]: ...
    async def pages(self, tenant: str, document_id: str) -> tuple[Page, ...]:
        """Return the document's pages in order. Raises NotFound."""
        ...


class ChunkPlaces:
    """The chunks that spans of the text stand in, by their starts: chunks may lie apart, and none holds a running head."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        ordered = sorted((chunk.start, chunk.end, chunk.ordinal) for chunk in chunks)
        self._starts = [start for start, _, _ in ordered]
        self._rows = ordered

    def ordinal(self, start: int) -> int:
        """Return the ordinal of the chunk that holds the character at `start`; -1 where none does."""
        place = bisect_right(self._starts, start) - 1
        if place < 0 or start >= self._rows[place][1]:
            return -1
        return self._rows[place][2]


def stored_parts(
    graph: DocumentGraph, chunks: Sequence[Chunk], created_at: datetime
) -> tuple[tuple[StoredEntity, ...], tuple[StoredRelationship, ...]]:
    """Return a found graph with each span's chunk: what the store keeps and what the view reads."""
    places = ChunkPlaces(chunks)
    entities = tuple(
        StoredEntity(
            key=each.key,
            name=each.name,
            entity_type=each.entity_type,
            aliases=each.aliases,
            properties=each.properties,
            mentions=tuple((places.ordinal(start), start, end) for start, end in each.mentions),
            created_at=created_at,
        )
        for each in graph.entities
    )
    relationships = tuple(
        StoredRelationship(
            source=each.source,
            target=each.target,
            relationship_type=each.relationship_type,
            weight=each.weight,
            chunk=places.ordinal(each.start),
            start=each.start,
            end=each.end,
            properties=each.properties,
            created_at=created_at,
        )
        for each in graph.relationships
    )
    return entities, relationships
