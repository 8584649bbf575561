"""The classes of entities, kept: `core.ports.TypingStore` over SQL."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, func, insert, select

from core.graph import EntityType, GraphEvidence
from core.typings import RULES, EntityTyping, StatedClass, SurfaceName, UntypedDocument
from storage.database import Database
from storage.graph_tables import graph_documents
from storage.ontology_tables import entity_classes, ontologies, typed_documents
from storage.row_mapping import AnyRow, TextCache, batches
from storage.schema import chunks, documents

_CLASSES, _GRAPHS = entity_classes.c, graph_documents.c


class SqlTypings:
    """core.ports.TypingStore over SQL. Every method filters by tenant."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextCache(4 << 20)

    async def tenants(self) -> list[str]:
        query = select(ontologies.c.tenant).distinct().order_by(ontologies.c.tenant)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def count_untyped(self, tenant: str) -> int:
        query = select(func.count()).select_from(_untyped(tenant).subquery())
        return await self._database.read(lambda connection: int(connection.execute(query).scalar_one()))

    async def list_untyped(self, tenant: str, limit: int) -> list[UntypedDocument]:
        query = _untyped(tenant).order_by(ontologies.c.id, _GRAPHS.document_id).limit(limit)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [UntypedDocument(row.document_id, row.ontology_id, row.sequence) for row in rows]

    async def save(self, tenant: str, of: UntypedDocument, found: Sequence[EntityTyping]) -> bool:
        place = {"document_id": of.document_id, "ontology_id": of.ontology_id, "tenant": tenant}

        def work(connection: Connection) -> bool:
            still = _untyped(tenant).where(_GRAPHS.document_id == of.document_id, _GRAPHS.sequence == of.sequence, ontologies.c.id == of.ontology_id)
            if connection.execute(still).first() is None:
                return False
            rows = [{**place, "ordinal": number, **_values(each)} for number, each in enumerate(found)]
            connection.execute(insert(typed_documents), place)
            for batch in batches(rows):
                connection.execute(insert(entity_classes), batch)
            return True

        return await self._database.write(work)

    async def find_classes(self, tenant: str, surfaces: Collection[SurfaceName]) -> list[StatedClass]:
        return await self._database.read(lambda connection: self._find_classes(connection, tenant, surfaces))

    async def find_surfaces(self, tenant: str, class_uris: Collection[str]) -> set[SurfaceName]:
        def work(connection: Connection) -> set[SurfaceName]:
            rows = [
                row
                for batch in batches(sorted(class_uris))
                for row in connection.execute(
                    select(_CLASSES.key, _CLASSES.entity_type).where(_CLASSES.tenant == tenant, _CLASSES.class_uri.in_(batch)).distinct()
                )
            ]
            return {(row.key, EntityType(row.entity_type)) for row in rows}

        return await self._database.read(work)

    def _find_classes(self, connection: Connection, tenant: str, surfaces: Collection[SurfaceName]) -> list[StatedClass]:
        wanted = set(surfaces)
        kept: dict[tuple[SurfaceName, str, str], AnyRow] = {}
        sentences: dict[tuple[SurfaceName, str, str], set[tuple[str, int]]] = {}
        for batch in batches(sorted({key for key, _ in wanted})):
            for row in connection.execute(_stated(tenant, _CLASSES.key.in_(batch))):
                surface = (row.key, EntityType(row.entity_type))
                if surface in wanted:
                    place = (surface, row.ontology_id, row.class_uri)
                    sentences.setdefault(place, set()).add((row.document_id, row.start))
                    kept[place] = min(kept.get(place, row), row, key=_surest)
        spans = [_Span(row.document_id, row.generation, row.start, row.end) for row in kept.values()]
        texts = self._texts.texts(connection, spans)  # type: ignore[arg-type]
        places = _chunks_at(connection, kept.values())
        return [
            StatedClass(surface, ontology_id, uri, row.rule, len(sentences[surface, ontology_id, uri]), _evidence(row, places, text))
            for ((surface, ontology_id, uri), row), text in zip(kept.items(), texts, strict=True)
        ]


class _Span(NamedTuple):
    """The place of a sentence, by which `TextCache` cuts it out."""

    document_id: str
    generation: int
    start: int
    end: int


def _untyped(tenant: str) -> Select[tuple[str, str, int]]:
    """Return the query for pairs of a graph and an ontology without a row in `typed_documents`."""
    done = and_(typed_documents.c.document_id == _GRAPHS.document_id, typed_documents.c.ontology_id == ontologies.c.id)
    return (
        select(_GRAPHS.document_id, ontologies.c.id.label("ontology_id"), _GRAPHS.sequence)
        .join(ontologies, ontologies.c.tenant == _GRAPHS.tenant)
        .outerjoin(typed_documents, done)
        .where(_GRAPHS.tenant == tenant, typed_documents.c.document_id.is_(None))
    )


def _stated(tenant: str, condition: ColumnElement[bool]) -> Select[tuple[object, ...]]:
    return (
        select(entity_classes, _GRAPHS.generation, _GRAPHS.first_chunk, documents.c.filename)
        .join(graph_documents, _GRAPHS.document_id == _CLASSES.document_id)
        .join(documents, documents.c.id == _CLASSES.document_id)
        .where(_CLASSES.tenant == tenant, condition)
    )


def _chunks_at(connection: Connection, rows: Collection[AnyRow]) -> dict[tuple[str, int], AnyRow]:
    """Return the chunk that each sentence begins in."""
    found: dict[tuple[str, int], AnyRow] = {}
    for row in rows:
        at = (chunks.c.document_id == row.document_id, chunks.c.start <= row.start, chunks.c.end > row.start)
        chunk = connection.execute(select(chunks.c.ordinal, chunks.c.page).where(*at).order_by(chunks.c.ordinal).limit(1)).first()
        if chunk is not None:
            found[row.document_id, row.start] = chunk
    return found


def _surest(row: AnyRow) -> tuple[int, str, int]:
    return RULES.index(row.rule), row.document_id, row.start


def _values(typing: EntityTyping) -> dict[str, object]:
    key, kind = typing.surface
    return {
        "key": key, "entity_type": kind.value, "class_uri": typing.class_uri, "rule": typing.rule, "start": typing.start, "end": typing.end,
    }  # fmt: skip


def _evidence(row: AnyRow, places: dict[tuple[str, int], AnyRow], text: str) -> GraphEvidence:
    chunk = places.get((row.document_id, row.start))
    return GraphEvidence(
        document_id=row.document_id,
        generation=row.generation,
        filename=row.filename,
        chunk_id=row.first_chunk + chunk.ordinal if chunk is not None else None,
        start=row.start,
        end=row.end,
        page=chunk.page if chunk is not None else None,
        text=text,
    )
