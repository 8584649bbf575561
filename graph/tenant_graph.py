"""A tenant's graph in memory: what its documents say, resolved to entities, as a networkx graph that is changed document by document.

Everything here follows from the documents that are present and from nothing else, whatever order they came in: adding a document and taking
it away leaves the graph as it was. A `SurfaceForm` is a name with its type as documents write it; surfaces that are the same thing form an entity,
whose id is that of its best supported surface. An older id of it stays valid as long as a document supports the surface that it came from.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator
from sys import intern
from typing import Any

import networkx as nx

from core.graph import Entity, EntityType, GraphCounts
from core.ports.graph_store import StoredGraph
from graph.gazetteer import GENERIC_FIRST
from graph.mentions import DocumentRecord, RelationStatement, SurfaceForm
from graph.normalisation import EXACT_TYPES, MIN_SIMILARITY, key_of, signatures, similarity, title_forms
from graph.top_relations import RelatedEntity, strongest_relations

_NOTHING: dict[str, Any] = {}
_REMEMBERED = 200  # entities of many neighbours whose strongest relationships are kept at hand


class TenantGraph:
    """Not safe for several threads at once: the caller holds a lock."""

    def __init__(self, tenant: str) -> None:
        self.tenant = tenant
        self.graph: nx.Graph = nx.Graph()
        self.records: dict[str, DocumentRecord] = {}
        self.chunks = 0
        self.by_key: dict[str, tuple[SurfaceForm, ...]] = {}
        self.by_alias: defaultdict[str, list[SurfaceForm]] = defaultdict(list)
        self.by_part: dict[str, tuple[SurfaceForm, ...]] = {}  # a person's first or last name, a firm's first word
        self.terms: dict[str, SurfaceForm] = {}
        self.term_graph: nx.Graph = nx.Graph()  # terms with each other and with names; nothing walks it
        self.titles: defaultdict[str, list[DocumentRecord]] = defaultdict(list)
        self._ids: dict[str, SurfaceForm] = {}
        self._signatures: dict[str, tuple[SurfaceForm, ...]] = {}
        self._first_chunks: list[tuple[int, str]] = []
        self._touched: set[SurfaceForm] = set()
        self._strongest: dict[SurfaceForm, list[RelatedEntity]] = {}
        self.described: dict[SurfaceForm, Entity] = {}  # entities of many documents as they are shown, until the graph changes
        self._counts: GraphCounts | None = None  # until it changes, too
        self._file_names: dict[str, str] | None = None  # likewise

    # -- changing ------------------------------------------------------------------------------------------------------------------------

    def put(self, stored: StoredGraph) -> None:
        """Add a document or replace what it said before."""
        self.drop(stored.document_id)
        self._forget_derived()
        record = DocumentRecord(stored, [self._get_surface(each.key, each.entity_type) for each in stored.entities])
        self.records[record.id] = record
        self.chunks += record.chunks
        insort(self._first_chunks, (record.first_chunk, record.id))
        for number, surface in enumerate(record.surfaces):
            surface.places.append((record, number))
        self._touched.update(record.surfaces)
        for ordinal, each in enumerate(stored.relationships):
            source = record.surfaces[each.source]
            said = RelationStatement(record, ordinal, intern(each.relationship_type), each.weight, source, "rows" in each.properties)
            self._add_statement(record, (each.source, each.target), said)
        for alias, surface in _aliases(record):
            self.by_alias[alias].append(surface)
        for title in _title_keys(record):
            self.titles[title].append(record)

    def drop(self, document_id: str) -> None:
        """Take a document away, with all that only it supports."""
        record = self.records.pop(document_id, None)
        if record is None:
            return
        self._forget_derived()
        self.chunks -= record.chunks
        self._first_chunks.remove((record.first_chunk, record.id))
        for alias, surface in _aliases(record):
            _remove_from_list(self.by_alias, alias, surface)
        for title in _title_keys(record):
            _remove_from_list(self.titles, title, record)
        for source, target in record.pairs:
            self._remove_statements(record, record.surfaces[source], record.surfaces[target])
        for number, surface in enumerate(record.surfaces):
            surface.places.remove((record, number))
            self._touched.add(surface)
            if not surface.places:
                self._forget_surface(surface)

    def regroup_entities(self) -> None:
        """Form the entities anew around what changed. Call after `put` and `drop`, before reading."""
        self._forget_derived()
        done: set[SurfaceForm] = set()
        for surface in self._touched:
            if surface not in done and surface.places:
                component = _connected_surfaces(surface)
                done |= component
                _cluster_surfaces(component)
        self._touched.clear()

    def counts(self) -> GraphCounts:
        """Return the graph's counts, made once: every answer to a question that names nothing of the graph shows them."""
        if self._counts is None:
            entities = sum(1 for _ in self.centres())
            self._counts = GraphCounts(entities=entities, relationships=self.graph.number_of_edges(), documents=len(self.records))
        return self._counts

    def _forget_derived(self) -> None:
        self._strongest.clear()
        self.described.clear()
        self._counts = None
        self._file_names = None

    def file_names(self) -> dict[str, str]:
        """Return the names of the documents' files as they are compared, without their ending -> as they are written."""
        if self._file_names is None:
            self._file_names = {key_of(each.filename.rpartition(".")[0] or each.filename): each.filename for each in self.records.values()}
        return self._file_names

    def _get_surface(self, key: str, kind: EntityType) -> SurfaceForm:
        if kind is EntityType.TERM:
            return self.terms.setdefault(key, SurfaceForm(intern(key), kind))
        there = self.by_key.get(key, ())
        for surface in there:
            if surface.kind is kind:
                return surface
        made = SurfaceForm(intern(key), kind)
        self.by_key[made.key] = (*there, made)
        self._ids[surface_id(self.tenant, made)] = made
        for part in _short_names(made):
            _add_to_index(self.by_part, part, made)
        candidates = {each for mark in signatures(key, kind) for each in self.surfaces_with_signature(mark)}
        for mark in signatures(key, kind):
            _add_to_index(self._signatures, mark, made)
        alike = [each for each in candidates if similarity(key, each.key, kind) > MIN_SIMILARITY]
        for each in (*alike, *(other for other in there if _may_be_same(made, other))):
            made.similar = (*made.similar, each)
            each.similar = (*each.similar, made)
            self._touched.add(each)
        return made

    def _forget_surface(self, surface: SurfaceForm) -> None:
        if surface.kind is EntityType.TERM:
            self._touched.discard(surface)
            del self.terms[surface.key]
            return
        left = tuple(each for each in self.by_key[surface.key] if each is not surface)
        if left:
            self.by_key[surface.key] = left
        else:
            del self.by_key[surface.key]
        del self._ids[surface_id(self.tenant, surface)]
        for part in _short_names(surface):
            _remove_from_index(self.by_part, part, surface)
        for mark in signatures(surface.key, surface.kind):
            _remove_from_index(self._signatures, mark, surface)
        for each in surface.similar:
            each.similar = tuple(other for other in each.similar if other is not surface)
            self._touched.add(each)
        self._touched.update(each for each in surface.group if each.places)
        self._touched.discard(surface)
        if surface in self.graph:
            self.graph.remove_node(surface)

    def _add_statement(self, record: DocumentRecord, pair: tuple[int, int], statement: RelationStatement) -> None:
        source, target = record.surfaces[pair[0]], record.surfaces[pair[1]]
        if source is target:
            return
        record.pairs.add((min(pair), max(pair)))
        graph = self._graph_of(source, target)
        if graph.has_edge(source, target):
            graph[source][target]["said"].append(statement)
        else:
            graph.add_edge(source, target, said=[statement])

    def _graph_of(self, one: SurfaceForm, other: SurfaceForm) -> nx.Graph:
        return self.term_graph if EntityType.TERM in (one.kind, other.kind) else self.graph

    def _remove_statements(self, record: DocumentRecord, one: SurfaceForm, other: SurfaceForm) -> None:
        graph = self._graph_of(one, other)
        said = [each for each in graph[one][other]["said"] if each.record is not record]
        if said:
            graph[one][other]["said"] = said
            return
        graph.remove_edge(one, other)
        for surface in (one, other):
            if not graph[surface]:
                graph.remove_node(surface)

    # -- reading -------------------------------------------------------------------------------------------------------------------------

    def find_entity(self, entity_id: str) -> SurfaceForm | None:
        """Return the best supported surface of the entity that has this id, or had it when it was formed of fewer names."""
        surface = self._ids.get(entity_id)
        return surface.centre if surface is not None else None

    def record_of(self, chunk_id: int) -> DocumentRecord | None:
        place = bisect_right(self._first_chunks, (chunk_id, "\U0010ffff")) - 1
        if place < 0:
            return None
        record = self.records[self._first_chunks[place][1]]
        return record if chunk_id < record.first_chunk + record.chunks else None

    def surfaces_with_signature(self, mark: str) -> tuple[SurfaceForm, ...]:
        """Return the surfaces with this signature."""
        return self._signatures.get(mark, ())

    def centres(self) -> Iterator[SurfaceForm]:
        """Yield one surface for each entity."""
        return (surface for surfaces in self.by_key.values() for surface in surfaces if surface.centre is surface)

    def neighbours(self, centre: SurfaceForm) -> dict[SurfaceForm, list[RelationStatement]]:
        """Return entities related to this one -> the sentences that say so; the lists are not the caller's to change."""
        found: dict[SurfaceForm, list[RelationStatement]] = {}
        for member in centre.group:
            if member in self.graph:
                for other, data in self.graph.adj[member].items():
                    there = other.group[0]
                    if there is not centre:  # a name of the same entity
                        found[there] = [*found[there], *data["said"]] if there in found else data["said"]
        return found

    def strongest_relations(self, centre: SurfaceForm) -> list[RelatedEntity]:
        """Return the entities most strongly related to this one, best first. An entity of thousands of documents has tens of thousands of neighbours,
        so the result is kept until the graph changes; it is not the caller's to change.
        """
        kept = self._strongest.get(centre)
        if kept is None:
            neighbours = self.neighbours(centre)
            kept = strongest_relations(neighbours)
            if len(neighbours) > len(kept):
                if len(self._strongest) >= _REMEMBERED:
                    self._strongest.clear()
                self._strongest[centre] = kept
        return kept

    def statements_between(self, centres: Iterable[SurfaceForm]) -> Iterator[tuple[SurfaceForm, SurfaceForm, list[RelationStatement]]]:
        """Yield the sentences that relate two of these entities, each pair of names once: (entity, entity, sentences)."""
        members = {member: centre for centre in centres for member in centre.group if member in self.graph}
        for member, centre in members.items():
            near = self.graph.adj[member]
            # An entity of thousands of documents has more neighbours than there are others to ask for.
            for other in near if len(near) < len(members) else members:
                there = members.get(other)
                if there is not None and other in near and (centre.key, centre.kind) < (there.key, there.kind):
                    yield centre, there, near[other]["said"]


def surface_id(tenant: str, surface: SurfaceForm) -> str:
    """Return an id that says nothing of the name and is the same whenever and wherever the name is found."""
    return hashlib.blake2b(f"{tenant}\0{surface.kind}\0{surface.key}".encode("utf-8", "replace"), digest_size=12).hexdigest()


def _may_be_same(one: SurfaceForm, other: SurfaceForm) -> bool:
    """Return whether two forms may name one entity: the same name under two types is one thing when one of them is CONCEPT, which says only that the
    rules could not tell.
    """
    return EntityType.CONCEPT in (one.kind, other.kind) and one.kind not in EXACT_TYPES and other.kind not in EXACT_TYPES


def _connected_surfaces(surface: SurfaceForm) -> set[SurfaceForm]:
    seen, waiting = {surface}, [surface]
    while waiting:
        for each in waiting.pop().similar:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return seen


def _cluster_surfaces(component: set[SurfaceForm]) -> None:
    """Group the surfaces by star clustering: the best supported one takes those that are like it, then the best of the rest, and so on. No chains:
    every surface of an entity is like its centre.
    """
    if len(component) == 1:
        (only,) = component
        only.group = (only,)
        return
    order = sorted(component, key=_support_order)
    free = set(order)
    for centre in order:
        if centre in free:
            taken = sorted((each for each in centre.similar if each in free), key=_support_order)
            group = (centre, *taken)
            free.difference_update(group)
            for each in group:
                each.group = group


def _support_order(surface: SurfaceForm) -> tuple[bool, int, int, str, str]:
    return surface.kind is EntityType.CONCEPT, -len(surface.places), -surface.mentions, surface.key, surface.kind.value


def _aliases(record: DocumentRecord) -> Iterator[tuple[str, SurfaceForm]]:
    for number, aliases in record.aliases.items():
        surface = record.surfaces[number]
        for alias in {key_of(each) for each in aliases} - {surface.key, ""}:
            yield alias, surface


def _title_keys(record: DocumentRecord) -> set[str]:
    """Return the keys under which a document's title may be found in other texts."""
    if not any(properties.get("title_of") for properties in record.properties.values()):
        return set()
    return {key_of(each) for each in title_forms(record.title)} - {""}


def _short_names(surface: SurfaceForm) -> set[str]:
    """Return the short names of a person or a firm."""
    words = surface.key.split()
    if len(words) < 2 or surface.kind not in (EntityType.PERSON, EntityType.ORGANIZATION):
        return set()
    return {words[0], words[-1]} if surface.kind is EntityType.PERSON else {words[0]} - GENERIC_FIRST


def _add_to_index(index: dict[str, tuple[SurfaceForm, ...]], key: str, surface: SurfaceForm) -> None:
    """Add the surface to an index. Tuples instead of sets: nearly all hold one surface, and a set takes four times the memory."""
    index[key] = (*index.get(key, ()), surface)


def _remove_from_index(index: dict[str, tuple[SurfaceForm, ...]], key: str, surface: SurfaceForm) -> None:
    left = tuple(each for each in index[key] if each is not surface)
    if left:
        index[key] = left
    else:
        del index[key]


def _remove_from_list(index: defaultdict[str, list[Any]], key: str, item: object) -> None:
    kept = index[key]
    kept.remove(item)
    if not kept:
        del index[key]
