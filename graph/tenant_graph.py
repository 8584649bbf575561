"""A tenant's graph in memory: what its documents say, resolved to entities, in arrays that are changed document by document.

Everything here follows from the documents that are present and from nothing else, whatever order they came in: adding a document and taking
it away leaves the graph as it was. A `SurfaceForm` is a name with its type as documents write it; surfaces that are the same thing form an entity,
whose id is that of its best supported surface. An older id of it stays valid as long as a document supports the surface that it came from.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from core.graph import Entity, EntityType, GraphCounts
from core.ports.graph_store import StoredGraph
from graph.gazetteer import GENERIC_FIRST
from graph.graph_arrays import KINDS, GraphArrays
from graph.hashed_numbers import QUICK, HashedNumbers
from graph.mentions import DocumentRecord, RelationStatement, ShownGraph, SurfaceForm
from graph.name_index import NameIndex
from graph.normalisation import EXACT_TYPES, MIN_SIMILARITY, key_of, signatures, similarity, title_forms
from graph.top_relations import RelatedEntity, RelatedNumbers, strongest_relations

_REMEMBERED = 500  # entities whose strongest relationships are kept at hand


class TenantGraph:
    """Not safe for several threads at once: the caller holds a lock."""

    def __init__(self, tenant: str) -> None:
        self.tenant = tenant
        self._clear()

    def _clear(self) -> None:
        self.arrays = GraphArrays()
        self.graph = ShownGraph(self.arrays)
        self.chunks = 0
        self.by_key = NameIndex(self.graph.surface, lambda surface: [surface.key])
        self.by_alias = NameIndex(self.graph.surface, self._aliases_of)
        self.by_part = NameIndex(self.graph.surface, lambda surface: _short_names(surface.key, surface.kind))
        self.terms = NameIndex(self.graph.surface, lambda surface: [surface.key])
        self.titles = NameIndex(self.graph.record, lambda record: self._title_keys(record.number))
        self.title_starts = HashedNumbers(QUICK)  # what titles begin with: `title_start`
        self.files = NameIndex(self.graph.record, lambda record: [_file_key(record.filename)])
        self._documents: NameIndex[DocumentRecord] = NameIndex(self.graph.record, lambda record: [record.id])
        self._ids, self._signatures = HashedNumbers(), HashedNumbers()
        self._chunk_starts, self._chunk_owners = array("q"), array("i")  # the documents by their first chunks
        self._touched: set[int] = set()
        self._forget_derived()

    # -- changing ------------------------------------------------------------------------------------------------------------------------

    def put(self, stored: StoredGraph) -> None:
        """Add a document or replace what it said before."""
        self.drop(stored.document_id)
        self._forget_derived()
        document = self.arrays.add_document(stored, [self._take_surface(each.key, each.entity_type) for each in stored.entities])
        self.chunks += stored.chunks
        # A document without chunks may begin where another does, which then stands behind it.
        place = (bisect_right if stored.chunks else bisect_left)(self._chunk_starts, stored.first_chunk)
        self._chunk_starts.insert(place, stored.first_chunk)
        self._chunk_owners.insert(place, document)
        self._touched.update(self.arrays.place_surface[each] for each in self.arrays.places_of(document))
        for index, text, number in self._index_entries(document):
            index.add(text, number)
        for mark in map(title_start, self._title_keys(document)):
            self.title_starts.add(mark, document)

    def drop(self, document_id: str) -> None:
        """Take a document away, with all that only it supports."""
        record = self.record(document_id)
        if record is None:
            return
        self._forget_derived()
        for index, text, number in self._index_entries(record.number):
            index.remove(text, number)
        for mark in map(title_start, self._title_keys(record.number)):
            self.title_starts.remove(mark, record.number)
        self.chunks -= record.chunks
        place = self._chunk_owners.index(record.number, bisect_left(self._chunk_starts, record.first_chunk))
        del self._chunk_starts[place], self._chunk_owners[place]
        surfaces = {self.arrays.place_surface[each] for each in self.arrays.places_of(record.number)}
        self.arrays.remove_document(record.number)
        self.graph.forget_record(record.number)
        self._touched |= surfaces
        for surface in surfaces:
            if not self.arrays.places.count(surface):
                self._forget_surface(surface)
        if not len(self._documents):
            self._clear()  # gives the memory back

    def regroup_entities(self) -> None:
        """Form the entities anew around what changed. Call after `put` and `drop`, before reading."""
        self._forget_derived()
        done: set[int] = set()
        for surface in self._touched:
            if surface not in done and self.arrays.places.count(surface):
                component = _connected_surfaces(self.arrays, surface)
                done |= component
                _cluster_surfaces(self.arrays, component)
        self._touched.clear()

    def _forget_derived(self) -> None:
        self._strongest: dict[int, list[RelatedNumbers]] = {}
        self.described: dict[int, Entity] = {}  # entities as they are shown, until the graph changes
        self._counts: GraphCounts | None = None  # until it changes, too

    def _index_entries(self, document: int) -> Iterator[tuple[NameIndex[SurfaceForm] | NameIndex[DocumentRecord], str, int]]:
        """Yield under what a document and its aliases are found: (index, text, number)."""
        yield self._documents, self.arrays.ids.text(document), document
        yield self.files, _file_key(self.arrays.texts.text(self.arrays.filenames[document])), document
        for title in self._title_keys(document):
            yield self.titles, title, document
        for place in self.arrays.places_of(document):
            for alias in self._aliases_at(place):
                yield self.by_alias, alias, self.arrays.place_surface[place]

    def _title_keys(self, document: int) -> set[str]:
        """Return the keys under which a document's title may be found in other texts."""
        if not any(self.arrays.written_name(place).properties.get("title_of") for place in self.arrays.places_of(document)):
            return set()
        return {key_of(each) for each in title_forms(self.arrays.texts.text(self.arrays.titles[document]))} - {""}

    def _aliases_at(self, place: int) -> set[str]:
        aliases = self.arrays.written_name(place).aliases
        return {key_of(each) for each in aliases} - {self.arrays.keys.text(self.arrays.place_surface[place]), ""} if aliases else set()

    def _aliases_of(self, surface: SurfaceForm) -> Iterator[str]:
        return (alias for place in self.arrays.places.row(surface.number) for alias in self._aliases_at(place))

    def _take_surface(self, key: str, kind: EntityType) -> int:
        """Return the number of a surface, made where there is none."""
        index = self.terms if kind is EntityType.TERM else self.by_key
        there = [each for each in index.numbers(key) if self.arrays.keys.text(each) == key]
        for each in there:
            if KINDS[self.arrays.kinds[each]] is kind:
                return each
        made = self.arrays.add_surface(key, kind)
        index.add(key, made)
        if kind is not EntityType.TERM:
            self._index_name(made, key, kind)
            self._relate_similar(made, key, kind, there)
        return made

    def _index_name(self, surface: int, key: str, kind: EntityType) -> None:
        self._ids.add(hash(entity_id(self.tenant, kind, key)), surface)
        for part in _short_names(key, kind):
            self.by_part.add(part, surface)

    def _relate_similar(self, made: int, key: str, kind: EntityType, there: Sequence[int]) -> None:
        """Note which surfaces may be the same as a new one, whose key `there` have under other types."""
        keys, marks = self.arrays.keys, [hash(mark) for mark in signatures(key, kind)]
        candidates = {each for mark in marks for each in self._signatures.get(mark)}
        for mark in marks:
            self._signatures.add(mark, made)
        alike = [each for each in candidates if similarity(key, keys.text(each), kind) > MIN_SIMILARITY]
        for each in (*alike, *(other for other in there if _may_be_same(kind, KINDS[self.arrays.kinds[other]]))):
            self.arrays.similar.add(made, each)
            self.arrays.similar.add(each, made)
            self._touched.add(each)

    def _forget_surface(self, surface: int) -> None:
        key, kind = self.arrays.keys.text(surface), KINDS[self.arrays.kinds[surface]]
        (self.terms if kind is EntityType.TERM else self.by_key).remove(key, surface)
        if kind is not EntityType.TERM:
            self._ids.remove(hash(entity_id(self.tenant, kind, key)), surface)
            for part in _short_names(key, kind):
                self.by_part.remove(part, surface)
            for mark in signatures(key, kind):
                self._signatures.remove(hash(mark), surface)
            for each in self.arrays.similar.get(surface):
                self.arrays.similar.remove(each, surface)
                self._touched.add(each)
            self.arrays.similar.clear(surface)
            self._touched.update(self.arrays.members(self.arrays.centres[surface]))
        self._touched.discard(surface)
        self.graph.forget_surface(surface)
        self.arrays.remove_surface(surface)

    # -- reading -------------------------------------------------------------------------------------------------------------------------

    @property
    def documents(self) -> int:
        return len(self._documents)

    def counts(self) -> GraphCounts:
        """Return the graph's counts, made once: every answer to a question that names nothing of the graph shows them."""
        if self._counts is None:
            related = len(self.arrays.stated_pairs(terms=False)[1])
            self._counts = GraphCounts(entities=len(self.arrays.find_centres()), relationships=related, documents=self.documents)
        return self._counts

    def sequences(self) -> dict[str, int]:
        """Return the documents that are shown: id -> the sequence of what is shown."""
        return {self.arrays.ids.text(document): self.arrays.sequences[document] for document in self._chunk_owners}

    def record(self, document_id: str) -> DocumentRecord | None:
        return next(iter(self._documents.get(document_id, ())), None)

    def document_numbers(self, document_id: str) -> Sequence[int]:
        """Return the number of a document, none where the graph does not have it."""
        return self._documents.numbers(document_id)

    def find_entity(self, entity_id: str) -> SurfaceForm | None:
        """Return the best supported surface of the entity that has this id, or had it when it was formed of fewer names."""
        surfaces = map(self.graph.surface, self._ids.get(hash(entity_id)))
        return next((surface.centre for surface in surfaces if surface_id(self.tenant, surface) == entity_id), None)

    def record_of(self, chunk_id: int) -> DocumentRecord | None:
        found = self._place_of(chunk_id)
        return self.graph.record(found[0]) if found is not None else None

    def names_in_chunk(self, chunk_id: int) -> list[int]:
        """Return the surfaces that a chunk mentions."""
        found = self._place_of(chunk_id)
        return self.arrays.surfaces_in_chunk(*found) if found is not None else []

    def _place_of(self, chunk_id: int) -> tuple[int, int] | None:
        """Return the number of the chunk's document and the chunk's ordinal in it; None for a chunk that the graph does not have."""
        place = bisect_right(self._chunk_starts, chunk_id) - 1
        if place < 0:
            return None
        document = self._chunk_owners[place]
        ordinal = chunk_id - self.arrays.first_chunks[document]
        return (document, ordinal) if ordinal < self.arrays.chunks[document] else None

    def surfaces_with_signature(self, mark: str) -> Sequence[int]:
        """Return the surfaces with this signature, and perhaps another."""
        return self._signatures.get(hash(mark))

    def centres(self) -> Iterator[SurfaceForm]:
        """Yield one surface for each entity."""
        return map(self.graph.surface, self.arrays.find_centres().tolist())

    def neighbours(self, centre: SurfaceForm) -> dict[SurfaceForm, list[RelationStatement]]:
        """Return entities related to this one -> the sentences that say so."""
        related = self.arrays.relations(centre.number)
        return {self.graph.surface(other): [self.graph.statement(each) for each in said] for other, said in related.items()}

    def strongest_relations(self, centre: SurfaceForm) -> list[RelatedEntity]:
        """Return the entities most strongly related to this one, best first."""
        found = self.strongest_numbers(centre.number)
        return [RelatedEntity(each.weight, self.graph.surface(each.surface), self.graph.statement(each.statement)) for each in found]

    def strongest_numbers(self, centre: int) -> list[RelatedNumbers]:
        """Return the same by numbers. An entity of thousands of documents has tens of thousands of neighbours, so the result is kept until the graph
        changes; it is not the caller's to change.
        """
        kept = self._strongest.get(centre)
        if kept is None:
            related = self.arrays.relations(centre)
            kept = strongest_relations(self.arrays, related)
            if len(self._strongest) >= _REMEMBERED:
                self._strongest.clear()
            self._strongest[centre] = kept
        return kept

    def statements_between(self, centres: Iterable[SurfaceForm]) -> Iterator[tuple[SurfaceForm, SurfaceForm, RelationStatement]]:
        """Yield the sentences that relate two of these entities, each once: (entity, entity, sentence)."""
        arrays = self.arrays
        members = {member: centre for centre in centres for member in arrays.members(centre.number)}
        for member, centre in members.items():
            for statement in arrays.said.row(member):
                there = members.get(arrays.sources[statement] ^ arrays.targets[statement] ^ member)
                if there is not None and (centre.key, centre.kind) < (there.key, there.kind):
                    yield centre, there, self.graph.statement(statement)


def surface_id(tenant: str, surface: SurfaceForm) -> str:
    return entity_id(tenant, surface.kind, surface.key)


def entity_id(tenant: str, kind: EntityType, key: str) -> str:
    """Return an id that says nothing of the name and is the same whenever and wherever the name is found."""
    return hashlib.blake2b(f"{tenant}\0{kind}\0{key}".encode("utf-8", "replace"), digest_size=12).hexdigest()


def _may_be_same(one: EntityType, other: EntityType) -> bool:
    """Return whether two types of one name may mean one entity: they are one thing when one of them is CONCEPT, which says only that the rules could
    not tell.
    """
    return EntityType.CONCEPT in (one, other) and one not in EXACT_TYPES and other not in EXACT_TYPES


def _connected_surfaces(arrays: GraphArrays, surface: int) -> set[int]:
    seen, waiting = {surface}, [surface]
    while waiting:
        for each in arrays.similar.get(waiting.pop()):
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return seen


def _cluster_surfaces(arrays: GraphArrays, component: set[int]) -> None:
    """Group the surfaces by star clustering: the best supported one takes those that are like it, then the best of the rest, and so on. No chains:
    every surface of an entity is like its centre.
    """
    for each in component:
        arrays.ungroup(each)
    if len(component) == 1:
        return
    order = sorted(component, key=lambda each: _support_order(arrays, each))
    ranks = {each: rank for rank, each in enumerate(order)}
    free = set(order)
    for centre in order:
        if centre in free:
            group = (centre, *sorted((each for each in arrays.similar.get(centre) if each in free), key=ranks.__getitem__))
            free.difference_update(group)
            arrays.group(group)


def _support_order(arrays: GraphArrays, surface: int) -> tuple[bool, int, int, str, str]:
    kind = KINDS[arrays.kinds[surface]]
    return kind is EntityType.CONCEPT, -arrays.places.count(surface), -arrays.mentions(surface), arrays.keys.text(surface), kind.value


def title_start(key: str) -> int:
    """Return what stands for the first two words of a title's key."""
    return hash(" ".join(key.split(" ", 2)[:2]))


def _file_key(filename: str) -> str:
    """Return the name of a file as it is compared, without its ending."""
    return key_of(filename.rpartition(".")[0] or filename)


def _short_names(key: str, kind: EntityType) -> set[str]:
    """Return the short names of a person or a firm."""
    words = key.split()
    if len(words) < 2 or kind not in (EntityType.PERSON, EntityType.ORGANIZATION):
        return set()
    return {words[0], words[-1]} if kind is EntityType.PERSON else {words[0]} - GENERIC_FIRST
