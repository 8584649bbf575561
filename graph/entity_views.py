"""Entities and relationships as they are shown: pages of a listing, a neighbourhood, and what one document says."""

from __future__ import annotations

import base64
import hashlib
import heapq
import json
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.documents import Page
from core.errors import InvalidInput
from core.graph import (
    DocumentEntities,
    DocumentEntity,
    Entity,
    EntityMention,
    EntityPage,
    EntityType,
    GraphDocument,
    GraphEvidence,
    Neighbourhood,
    Relationship,
)
from core.ports.graph_store import StatementPlace, StoredGraph
from core.typings import SurfaceName
from graph.mentions import DocumentRecord, RelationStatement, SurfaceForm
from graph.normalisation import fold_name
from graph.tenant_graph import TenantGraph, surface_id
from graph.top_relations import strength

_DOCUMENTS = 200  # ids of documents that an entity carries
_ALIASES = 20
_EVIDENCE = 3  # sentences that a relationship shows
_MENTIONS = 50
_NEIGHBOUR_DOCUMENTS = 50
_MANY = 100  # documents; an entity of more is described once


# -- one entity --------------------------------------------------------------------------------------------------------------------------


def most_used_name(centre: SurfaceForm) -> str:
    """Return the spelling that most documents use; of several the first in the alphabet."""
    spelt = Counter(record.names[number] for record, number in centre.places)
    return min(spelt, key=lambda name: (-spelt[name], name))


def show_entity(graph: TenantGraph, centre: SurfaceForm) -> Entity:
    """Return an entity with all that its documents say of it; at most 200 of their ids, those that mention it most often first."""
    if len(centre.places) < _MANY:
        return _describe_entity(graph, centre)
    kept = graph.described.get(centre)
    if kept is None:
        kept = graph.described[centre] = _describe_entity(graph, centre)
    return kept


def _describe_entity(graph: TenantGraph, centre: SurfaceForm) -> Entity:
    counts: Counter[str] = Counter()
    for member in centre.group:
        for record, number in member.places:
            counts[record.id] += record.counts[number]
    name = most_used_name(centre)
    return Entity(
        id=surface_id(graph.tenant, centre),
        name=name,
        entity_type=centre.kind,
        aliases=[each for each in _spellings(centre) if each != name][:_ALIASES],
        document_ids=sorted(counts, key=lambda document_id: (-counts[document_id], document_id))[:_DOCUMENTS],
        mentions=counts.total(),
        properties=_properties(centre),
        created_at=min(record.created[number] for member in centre.group for record, number in member.places),
    )


def _spellings(centre: SurfaceForm) -> list[str]:
    names: Counter[str] = Counter()
    for member in centre.group:
        for record, number in member.places:
            names[record.names[number]] += 1
            names.update(record.aliases.get(number, ()))
    return sorted(names, key=lambda name: (-names[name], name))


def _properties(centre: SurfaceForm) -> dict[str, Any]:
    """Return the facts of its documents, the same from whichever comes first; `title_of` lists the documents that have it for a title."""
    facts: dict[str, Any] = {}
    titled = []
    for record, number in sorted(
        ((record, number) for member in centre.group for record, number in member.places if number in record.properties),
        key=lambda place: place[0].id,
    ):
        for fact, value in record.properties[number].items():
            if fact == "title_of":
                titled.append(record.id)
            else:
                facts.setdefault(fact, value)
    return {**facts, **({"title_of": titled[:_DOCUMENTS]} if titled else {})}


# -- the listing -------------------------------------------------------------------------------------------------------------------------


class ListedEntity(NamedTuple):
    mentions: int
    centre: SurfaceForm
    search_text: str


class ListingRequest(NamedTuple):
    """`among` None: whatever names an entity has; else it has one of these."""

    text: str
    entity_type: EntityType | None
    limit: int
    cursor: str | None
    among: Collection[SurfaceName] | None = None

    def includes(self, listed: ListedEntity, searched: str) -> bool:
        centre = listed.centre
        if self.entity_type not in (None, centre.kind) or searched not in listed.search_text:
            return False
        return self.among is None or any((each.key, each.kind) in self.among for each in centre.group)


def list_entities(graph: TenantGraph) -> list[ListedEntity]:
    """Return all entities, most mentioned first, with the words that a search in names and aliases looks at."""
    found = [
        ListedEntity(sum(member.mentions for member in centre.group), centre, "\n".join(fold_name(name) for name in _spellings(centre)))
        for centre in graph.centres()
    ]
    return sorted(found, key=_listing_order)


def _listing_order(listed: ListedEntity) -> tuple[int, str, str]:
    return -listed.mentions, listed.centre.key, listed.centre.kind.value


def listing_page(graph: TenantGraph, listed: Sequence[ListedEntity], request: ListingRequest) -> EntityPage:
    """Return one page. Raises InvalidInput for a cursor of another listing."""
    searched = fold_name(request.text.strip())
    kept = [each for each in listed if request.includes(each, searched)]
    after = _read_cursor(request.cursor)
    start = bisect_right(kept, after, key=_listing_order) if after is not None else 0
    rows = kept[start : start + request.limit]
    following = _write_cursor(_listing_order(rows[-1])) if start + request.limit < len(kept) and rows else None
    return EntityPage(entities=[show_entity(graph, each.centre) for each in rows], total=len(kept), next_cursor=following)


def _write_cursor(order: tuple[int, str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(order, ensure_ascii=False).encode("utf-8", "replace")).decode()


def _read_cursor(cursor: str | None) -> tuple[int, str, str] | None:
    if cursor is None:
        return None
    try:
        count, key, kind = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        return int(count), str(key), str(kind)
    except (ValueError, TypeError) as error:
        raise InvalidInput("This cursor is not one of this listing. Start again without a cursor.") from error


def surface_names(graph: TenantGraph, entities: Iterable[Entity]) -> dict[str, list[SurfaceName]]:
    """Return entity id -> the names that it is made of; those that are gone by now are left out."""
    centres = {each.id: graph.find_entity(each.id) for each in entities}
    return {entity_id: [(each.key, each.kind) for each in centre.group] for entity_id, centre in centres.items() if centre is not None}


def mentioning_documents(graph: TenantGraph, surfaces: Iterable[SurfaceName]) -> set[str]:
    """Return the documents that mention an entity which has one of these names."""
    named = (each.centre for key, kind in surfaces for each in graph.by_key.get(key, ()) if each.kind is kind)
    return {record.id for centre in set(named) for each in centre.group for record, _ in each.places}


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
            created_at=min(each.record.created[0] for each in self.statements),
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
        (each.source.centre, other if each.source.centre is surface else surface, each)
        for surface, other, statements in graph.statements_between(kept)
        for each in statements
    ]
    related = sorted(group_statements(said), key=lambda each: (-strength(each.statements), each.source.key, each.target.key, each.name))
    documents = _mentioning_documents(centre)
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


def _mentioning_documents(centre: SurfaceForm) -> list[tuple[DocumentRecord, int]]:
    counts: Counter[DocumentRecord] = Counter()
    for member in centre.group:
        for record, number in member.places:
            counts[record] += record.counts[number]
    return sorted(counts.items(), key=lambda item: (-item[1], item[0].filename, item[0].id))[:_NEIGHBOUR_DOCUMENTS]


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
    record = graph.records.get(stored.document_id)
    if record is None or record.sequence != stored.sequence:
        return DocumentFacts(graph.tenant, stored, [], [])
    spans: defaultdict[SurfaceForm, set[tuple[int, int]]] = defaultdict(set)
    for surface, entity in zip(record.surfaces, stored.entities, strict=True):
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
        (record.surfaces[each.source].centre, record.surfaces[each.target].centre,
         RelationStatement(record, ordinal, each.relationship_type, each.weight, record.surfaces[each.source]))
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
