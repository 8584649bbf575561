"""The stored graphs, read: `core.ports.graph_store.GraphStore` over SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np
from sqlalchemy import Connection, func, select, tuple_

from core.documents import Page
from core.errors import NotFound
from core.graph import EntityType, GraphEvidence
from core.ports.graph_store import GraphState, StatementPlace, StoredEntity, StoredGraph, StoredRelationship
from core.search import Filters
from storage.blobs import unpack_structure
from storage.database import Database
from storage.filters_sql import document_conditions
from storage.graph_tables import graph_documents, graph_entities, graph_relationships
from storage.row_mapping import AnyRow, TextCache, batches
from storage.schema import chunks, document_structures, documents

_OWNER = (graph_documents.c.generation, graph_documents.c.sequence, graph_documents.c.first_chunk)


class SqlGraphStore:
    """core.ports.graph_store.GraphStore over SQL. Every method filters by tenant."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextCache(8 << 20)

    async def tenants(self) -> list[str]:
        query = select(graph_documents.c.tenant).distinct().order_by(graph_documents.c.tenant)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def passages(self, tenant: str) -> int:
        """Return how many passages the tenant's documents have together."""
        query = select(func.coalesce(func.sum(documents.c.chunks), 0)).where(documents.c.tenant == tenant)
        return await self._database.read(lambda connection: int(connection.execute(query).scalar_one()))

    async def version(self, tenant: str) -> tuple[int, int]:
        return await self._database.read(lambda connection: _version(connection, tenant))

    async def state(self, tenant: str) -> GraphState:
        def work(connection: Connection) -> GraphState:
            rows = connection.execute(select(graph_documents.c.document_id, graph_documents.c.sequence).where(graph_documents.c.tenant == tenant))
            return GraphState(_version(connection, tenant), {row.document_id: row.sequence for row in rows})

        return await self._database.read(work)

    async def load(self, tenant: str, document_ids: Sequence[str]) -> list[StoredGraph]:
        return await self._database.read(lambda connection: [each for batch in batches(document_ids) for each in _load(connection, tenant, batch)])

    async def evidence(self, tenant: str, places: Sequence[StatementPlace]) -> dict[StatementPlace, GraphEvidence]:
        return await self._database.read(lambda connection: self._load_evidence(connection, tenant, places))

    async def filter_documents(self, tenant: str, filters: Filters) -> set[str]:
        query = select(documents.c.id).where(*document_conditions(tenant, filters, ""))
        return await self._database.read(lambda connection: set(connection.execute(query).scalars()))

    async def texts(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, str]:
        def work(connection: Connection) -> dict[int, str]:
            rows: list[AnyRow] = []
            for batch in batches(chunk_ids):
                rows += connection.execute(select(chunks).where(chunks.c.tenant == tenant, chunks.c.id.in_(batch))).all()
            return {row.id: text for row, text in zip(rows, self._texts.texts(connection, rows), strict=True)}

        return await self._database.read(work)

    async def pages(self, tenant: str, document_id: str) -> tuple[Page, ...]:
        query = select(document_structures.c.structure).where(
            document_structures.c.tenant == tenant, document_structures.c.document_id == document_id
        )
        structure = await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        if structure is None:
            raise NotFound(
                f"There is no document {document_id[:80]!r} in this library. It may have been removed; `vantage ledger` lists what is there."
            )
        return unpack_structure(structure, "").pages

    def _load_evidence(self, connection: Connection, tenant: str, places: Sequence[StatementPlace]) -> dict[StatementPlace, GraphEvidence]:
        wanted: dict[tuple[str, int], set[int]] = defaultdict(set)
        for document_id, sequence, ordinal in places:
            wanted[document_id, sequence].add(ordinal)
        rows = [row for batch in batches(sorted(wanted)) for row in _sentences(connection, tenant, {each: wanted[each] for each in batch})]
        texts = self._texts.texts(connection, [_SentenceSpan(row.document_id, row.generation, row.start, row.end) for row in rows])  # type: ignore[misc]
        return {(row.document_id, row.sequence, row.ordinal): _evidence(row, text) for row, text in zip(rows, texts, strict=True)}


class _SentenceSpan(NamedTuple):
    """The place of a sentence, by which `TextCache` cuts it out."""

    document_id: str
    generation: int
    start: int
    end: int


def _version(connection: Connection, tenant: str) -> tuple[int, int]:
    query = select(func.count(), func.max(graph_documents.c.sequence)).where(graph_documents.c.tenant == tenant)
    count, newest = connection.execute(query).one()
    return int(count), int(newest or 0)


def _load(connection: Connection, tenant: str, document_ids: Sequence[str]) -> list[StoredGraph]:
    entities: dict[str, list[StoredEntity]] = defaultdict(list)
    query = select(graph_entities).where(graph_entities.c.tenant == tenant, graph_entities.c.document_id.in_(document_ids))
    for row in connection.execute(query.order_by(graph_entities.c.document_id, graph_entities.c.ordinal)):
        entities[row.document_id].append(_entity(row))
    relationships: dict[str, list[StoredRelationship]] = defaultdict(list)
    states = select(graph_relationships).where(graph_relationships.c.tenant == tenant, graph_relationships.c.document_id.in_(document_ids))
    for row in connection.execute(states.order_by(graph_relationships.c.document_id, graph_relationships.c.ordinal)):
        relationships[row.document_id].append(_relationship(row))
    owners = (
        select(graph_documents, documents.c.filename, documents.c.title, documents.c.chunks)
        .join(documents, documents.c.id == graph_documents.c.document_id)
        .where(graph_documents.c.tenant == tenant, graph_documents.c.document_id.in_(document_ids))
    )
    return [
        StoredGraph(
            document_id=row.document_id,
            generation=row.generation,
            sequence=row.sequence,
            first_chunk=row.first_chunk,
            chunks=row.chunks,
            filename=row.filename,
            title=row.title,
            generated_by=row.generated_by,
            entities=tuple(entities[row.document_id]),
            relationships=tuple(relationships[row.document_id]),
        )
        for row in connection.execute(owners)
    ]


def _entity(row: AnyRow) -> StoredEntity:
    spans = np.frombuffer(row.spans, np.int32).reshape(-1, 3).tolist()
    return StoredEntity(
        key=row.key,
        name=row.name,
        entity_type=EntityType(row.entity_type),
        aliases=tuple(row.aliases),
        properties=row.properties,
        mentions=tuple((chunk, start, end) for chunk, start, end in spans),
        created_at=row.created_at,
    )


def _relationship(row: AnyRow) -> StoredRelationship:
    return StoredRelationship(
        source=row.source,
        target=row.target,
        relationship_type=row.relationship_type,
        weight=row.weight,
        chunk=row.chunk,
        start=row.start,
        end=row.end,
        properties=row.properties,
        created_at=row.created_at,
    )


def _sentences(connection: Connection, tenant: str, wanted: Mapping[tuple[str, int], Set[int]]) -> list[AnyRow]:
    """Return the statements of (document, sequence of its graph) -> their numbers, those of many documents at once."""
    found: list[AnyRow] = []
    pairs = [(document_id, ordinal) for (document_id, _), ordinals in wanted.items() for ordinal in sorted(ordinals)]
    for batch in batches(pairs):
        query = (
            select(graph_relationships, *_OWNER, documents.c.filename, chunks.c.page)
            .join(graph_documents, graph_documents.c.document_id == graph_relationships.c.document_id)
            .join(documents, documents.c.id == graph_relationships.c.document_id)
            .outerjoin(chunks, (chunks.c.document_id == graph_relationships.c.document_id) & (chunks.c.ordinal == graph_relationships.c.chunk))
            .where(
                graph_relationships.c.tenant == tenant,
                graph_relationships.c.document_id.in_(sorted({document_id for document_id, _ in batch})),  # an index serves this, not the pairs
                tuple_(graph_relationships.c.document_id, graph_relationships.c.ordinal).in_(batch),
            )
        )
        found += [row for row in connection.execute(query) if row.ordinal in wanted.get((row.document_id, row.sequence), ())]
    return found


def _evidence(row: AnyRow, text: str) -> GraphEvidence:
    return GraphEvidence(
        document_id=row.document_id,
        generation=row.generation,
        filename=row.filename,
        chunk_id=row.first_chunk + row.chunk if row.chunk >= 0 else None,
        start=row.start,
        end=row.end,
        page=row.page,
        text=text,
    )
