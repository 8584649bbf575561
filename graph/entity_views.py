"""Entities and relationships as they are shown: pages of a listing, a neighbourhood, and what one document says."""

from __future__ import annotations

import hashlib
import heapq
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.documents import Page
from core.graph import (
    DocumentEntities,
    DocumentEntity,
    Entity,
    EntityMention,
    EntityType,
    GraphDocument,
    GraphEvidence,
    Neighbourhood,
    Relationship,
)
from core.ports.graph_store import StatementPlace, StoredGraph
from core.typings import SurfaceName
from graph.graph_arrays import GraphArrays
from graph.mentions import DocumentRecord, RelationStatement, SurfaceForm
from graph.tenant_graph import TenantGraph, surface_id
from graph.top_relations import strength

_DOCUMENTS = 200  # ids of documents that an entity carries
_ALIASES = 20
_EVIDENCE = 3  # sentences that a relationship shows
_MENTIONS = 50
_NEIGHBOUR_DOCUMENTS = 50
_REMEMBERED = 1_000  # entities as they are shown: the steps of a question show the same ones


# -- one entity --------------------------------------------------------------------------------------------------------------------------


def most_used_name(arrays: GraphArrays, centre: int) -> str:
    """Return the spelling of an entity's best supported name that most documents use; of several the first in the alphabet."""
    return most_used_spelling(arrays, arrays.places.row(centre))


def most_used_spelling(arrays: GraphArrays, places: Sequence[int]) -> str:
    """Return how a name is spelt in most of these places; of several spellings the first in the alphabet."""
    spelt: Counter[str] = Counter()
    for written, times in arrays.written_names(places):
        spelt[written.name] += times
    return min(spelt, key=lambda name: (-spelt[name], name))


def show_entity(graph: TenantGraph, centre: SurfaceForm) -> Entity:
    """Return an entity with all that its documents say of it; at most 200 of their ids, those that mention it most often first."""
    kept = graph.described.get(centre.number)
    if kept is None:
        if len(graph.described) >= _REMEMBERED:
            graph.described.clear()
        kept = graph.described[centre.number] = _describe_entity(graph, centre)
    return kept


def _describe_entity(graph: TenantGraph, centre: SurfaceForm) -> Entity:
    arrays, places = graph.arrays, graph.arrays.entity_places(centre.number)
    counts = _count_mentions(arrays, places)
    by_id = sorted((-count, arrays.ids.text(document)) for document, count in counts.items())
    name = most_used_name(arrays, centre.number)
    return Entity(
        id=surface_id(graph.tenant, centre),
        name=name,
        entity_type=centre.kind,
        aliases=[each for each in spellings(arrays, places) if each != name][:_ALIASES],
        document_ids=[document_id for _, document_id in by_id[:_DOCUMENTS]],
        mentions=counts.total(),
        properties=_properties(arrays, places),
        created_at=arrays.first_created(places),
    )


def _count_mentions(arrays: GraphArrays, places: Sequence[int]) -> Counter[int]:
    """Return how often each document mentions what stands in these places."""
    counts: Counter[int] = Counter()
    for place in places:
        counts[arrays.place_document[place]] += arrays.place_mentions[place]
    return counts


def spellings(arrays: GraphArrays, places: Sequence[int]) -> list[str]:
    """Return the names and aliases in these places, those of most documents first."""
    names: Counter[str] = Counter()
    for written, times in arrays.written_names(places):
        for name in (written.name, *written.aliases):
            names[name] += times
    return sorted(names, key=lambda name: (-names[name], name))


def _properties(arrays: GraphArrays, places: Sequence[int]) -> dict[str, Any]:
    """Return the facts of its documents, the same from whichever comes first; `title_of` lists the documents that have it for a title."""
    facts: dict[str, Any] = {}
    titled = []
    told = [(place, properties) for place in places if (properties := arrays.written_name(place).properties)]
    by_id = [(arrays.ids.text(arrays.place_document[place]), properties) for place, properties in told]
    for document_id, properties in sorted(by_id, key=lambda each: each[0]):
        for fact, value in properties.items():
            if fact == "title_of":
                titled.append(document_id)
            else:
                facts.setdefault(fact, value)
    return {**facts, **({"title_of": titled[:_DOCUMENTS]} if titled else {})}


def surface_names(graph: TenantGraph, entities: Iterable[Entity]) -> dict[str, list[SurfaceName]]:
    """Return entity id -> the names that it is made of; those that are gone by now are left out."""
    centres = {each.id: graph.find_entity(each.id) for each in entities}
    return {entity_id: [(each.key, each.kind) for each in centre.group] for entity_id, centre in centres.items() if centre is not None}


def mentioning_documents(graph: TenantGraph, surfaces: Iterable[SurfaceName]) -> set[str]:
    """Return the documents that mention an entity which has one of these names."""
    arrays = graph.arrays
    centres = {each.centre.number for key, kind in surfaces for each in graph.by_key.get(key, ()) if each.kind is kind}
    return {arrays.ids.text(arrays.place_document[place]) for centre in centres for place in arrays.entity_places(centre)}


# -- relationships -----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RelationshipFacts:
    """A relationship between two entities with its sentences, the strongest first."""

    source: SurfaceForm
    target: SurfaceForm
    name: str
    statements: list[RelationStatement]

    @property
    def places(self) -> list[StatementPlace]:
        return [each.place for each in self.statements[:_EVIDENCE]]

    def to_relationship(self, tenant: str, sentences: dict[StatementPlace, GraphEvidence]) -> Relationship:
        source, target = surface_id(tenant, self.source), surface_id(tenant, self.target)
        return Relationship(
            id=relationship_id(source, target, self.name),
            source_id=source,
            target_id=target,
            relationship_type=self.name,
            weight=strength(self.statements),
            properties={"sentences": len(self.statements)},
            document_ids=sorted({each.record.id for each in self.statements})[:_DOCUMENTS],
            evidence=[sentences[place] for place in self.places if place in sentences],
            created_at=min(each.record.created_at for each in self.statements),
        )


def relationship_id(source: str, target: str, name: str) -> str:
    return hashlib.blake2b(f"{source}\0{target}\0{name}".encode(), digest_size=12).hexdigest()


def group_statements(said: Iterable[tuple[SurfaceForm, SurfaceForm, RelationStatement]]) -> list[RelationshipFacts]:
    """Return sentences by relationship; RELATED_TO has no direction, so both ways are one."""
    by_relationship: defaultdict[tuple[SurfaceForm, SurfaceForm, str], list[RelationStatement]] = defaultdict(list)
    for source, target, statement in said:
        turned = statement.name == "RELATED_TO" and (target.key, target.kind) < (source.key, source.kind)
        by_relationship[(target, source, statement.name) if turned else (source, target, statement.name)].append(statement)
    return [
        RelationshipFacts(source, target, name, sorted(statements, key=lambda each: (-each.weight, each.record.id, each.ordinal)))
        for (source, target, name), statements in by_relationship.items()
    ]


# -- a neighbourhood ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NeighbourhoodFacts:
    """The neighbourhood of an entity, its relationships still without their sentences."""

    tenant: str
    centre: Entity
    entities: list[Entity]
    relationships: list[RelationshipFacts]
    documents: list[GraphDocument]
    mention_relationships: list[Relationship]
    truncated: bool

    @property
    def places(self) -> list[StatementPlace]:
        return [place for each in self.relationships for place in each.places]

    def to_neighbourhood(self, sentences: dict[StatementPlace, GraphEvidence]) -> Neighbourhood:
        return Neighbourhood(
            centre=self.centre,
            entities=self.entities,
            relationships=[*(each.to_relationship(self.tenant, sentences) for each in self.relationships), *self.mention_relationships],
            documents=self.documents,
            truncated=self.truncated,
        )


def collect_neighbourhood(graph: TenantGraph, entity_id: str, hops: int, limit: int) -> NeighbourhoodFacts | None:
    """Return the entity and the strongest related ones within `hops`, at most `limit` in all; None for an unknown id."""
    centre = graph.find_entity(entity_id)
    if centre is None:
        return None
    kept: dict[SurfaceForm, None] = {centre: None}
    edge, truncated = [centre], False
    for _ in range(hops):
        ranked = [(weight, other) for each in edge for weight, other, _ in graph.strongest_relations(each) if other not in kept]
        ranked = list({other: (weight, other) for weight, other in sorted(ranked, key=lambda pair: (pair[0], pair[1].key))}.values())
        room = limit - len(kept)
        truncated = truncated or len(ranked) > room
        edge = [other for _, other in heapq.nsmallest(room, ranked, key=lambda pair: (-pair[0], pair[1].key, pair[1].kind))]
        kept.update(dict.fromkeys(edge))
    said = [
        (each.source.centre, other if each.source.centre is surface else surface, each) for surface, other, each in graph.statements_between(kept)
    ]
    related = sorted(group_statements(said), key=lambda each: (-strength(each.statements), each.source.key, each.target.key, each.name))
    documents = _mentioning_documents(graph, centre)
    entity = show_entity(graph, centre)
    return NeighbourhoodFacts(
        tenant=graph.tenant,
        centre=entity,
        entities=[entity, *(show_entity(graph, each) for each in kept if each is not centre)],
        relationships=related,
        documents=[GraphDocument(id=record.id, filename=record.filename, title=record.title, mentions=count) for record, count in documents],
        mention_relationships=[_mentions_relationship(entity, record, count) for record, count in documents],
        truncated=truncated or len(entity.document_ids) > len(documents),
    )


def _mentioning_documents(graph: TenantGraph, centre: SurfaceForm) -> list[tuple[DocumentRecord, int]]:
    counts = [
        (graph.graph.record(document), count) for document, count in _count_mentions(graph.arrays, graph.arrays.entity_places(centre.number)).items()
    ]
    return sorted(counts, key=lambda item: (-item[1], item[0].filename, item[0].id))[:_NEIGHBOUR_DOCUMENTS]


def _mentions_relationship(entity: Entity, record: DocumentRecord, count: int) -> Relationship:
    """Return MENTIONS from a document to the entity: derived, the stronger the more often."""
    return Relationship(
        id=relationship_id(record.id, entity.id, "MENTIONS"),
        source_id=record.id,
        target_id=entity.id,
        relationship_type="MENTIONS",
        weight=round(1 - 1 / (1 + max(1, count)), 4),
        properties={"mentions": count},
        document_ids=[record.id],
        created_at=entity.created_at,
    )


# -- a document --------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """The facts of one document, its relationships still without their sentences."""

    tenant: str
    stored: StoredGraph
    entities: list[DocumentEntity]
    relationships: list[RelationshipFacts]

    @property
    def places(self) -> list[StatementPlace]:
        return [place for each in self.relationships for place in each.places]

    def to_document_entities(self, sentences: dict[StatementPlace, GraphEvidence]) -> DocumentEntities:
        return DocumentEntities(
            document_id=self.stored.document_id,
            generation=self.stored.generation,
            generated_by=self.stored.generated_by,
            entities=self.entities,
            relationships=[each.to_relationship(self.tenant, sentences) for each in self.relationships],
        )


def collect_document_facts(graph: TenantGraph, stored: StoredGraph, pages: Sequence[Page]) -> DocumentFacts:
    """Return the entities of a document, most mentioned first, and the relationships that it states (at most 500, the strongest)."""
    record = graph.record(stored.document_id)
    if record is None or record.sequence != stored.sequence:
        return DocumentFacts(graph.tenant, stored, [], [])
    spans: defaultdict[SurfaceForm, set[tuple[int, int]]] = defaultdict(set)
    surfaces = record.surfaces
    for surface, entity in zip(surfaces, stored.entities, strict=True):
        if surface.kind is EntityType.TERM:
            continue
        spans[surface.centre].update((start, end) for _, start, end in entity.mentions)
    order = sorted(spans, key=lambda centre: (-len(spans[centre]), min(spans[centre], default=(0, 0)), centre.key))
    begins = [each.start for each in pages]
    entities = [
        DocumentEntity(
            entity=show_entity(graph, centre),
            count=len(spans[centre]),
            mentions=[EntityMention(start=start, end=end, page=_page_of(pages, begins, start)) for start, end in sorted(spans[centre])[:_MENTIONS]],
        )
        for centre in order
    ]
    said = [
        (surfaces[each.source].centre, surfaces[each.target].centre,
         RelationStatement(record, ordinal, each.relationship_type, each.weight, surfaces[each.source]))
        for ordinal, each in enumerate(stored.relationships)
    ]  # fmt: skip
    named = [each for each in said if EntityType.TERM not in (each[0].kind, each[1].kind)]
    related = [each for each in group_statements(named) if each.source is not each.target]
    return DocumentFacts(
        graph.tenant, stored, entities, sorted(related, key=lambda each: (-strength(each.statements), each.source.key, each.target.key))[:500]
    )


def _page_of(pages: Sequence[Page], begins: Sequence[int], start: int) -> int | None:
    place = bisect_right(begins, start) - 1
    return pages[place].number if place >= 0 and start < pages[place].end else None
