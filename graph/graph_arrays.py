"""The arrays that a tenant's graph is made of: names (surfaces), documents, the places where documents use names, and statements, all by number.

A place is the use of a name by a document; a document's places and its statements are a block each, in the order in which the document has them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from core.graph import EntityType
from core.ports.graph_store import StoredEntity, StoredGraph
from graph.hashed_numbers import HashedNumbers
from graph.int_rows import Columns, IntRows, Numbers, extend, view
from graph.packed_texts import PackedTexts, SharedTexts
from graph.written_names import WrittenName, pack_name, unpack_name

KINDS = tuple(EntityType)
KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
TERM = KIND_NUMBERS[EntityType.TERM]
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
_NOWHERE, _SEVERAL = -1, -2  # in the place of the one chunk that mentions a name
_SCANNED = 64  # rows: more are added up by numpy


class GraphArrays:
    """Everything by number; numbers of what was removed are given to others. `said` are the statements between two names; those with a term are in
    the columns alone: nothing walks them.
    """

    sequences: array[int]
    first_chunks: array[int]
    chunks: array[int]
    first_places: array[int]
    place_counts: array[int]
    first_statements: array[int]
    statement_counts: array[int]
    filenames: array[int]
    titles: array[int]
    place_surface: array[int]
    place_document: array[int]
    place_name: array[int]
    place_mentions: array[int]
    _place_time: array[int]
    _place_chunk: array[int]
    sources: array[int]
    targets: array[int]
    statement_document: array[int]
    weights: array[float]
    statement_types: array[int]

    def __init__(self) -> None:
        self.keys = PackedTexts()  # of the surfaces
        self.kinds, self.centres, self._is_grouped = array("b"), array("i"), array("b")
        self.places, self.said = IntRows(), IntRows()
        self.similar, self.groups = HashedNumbers(), HashedNumbers()  # by surface; groups by the centres of several
        self.ids, self.texts = PackedTexts(), SharedTexts()  # ids: of the documents
        self._document_columns: list[array[Any]] = [array(code) for code in "qqiiiiiiii"]
        (self.sequences, self.first_chunks, self.chunks, self.first_places, self.place_counts, self.first_statements,
         self.statement_counts, self._first_named, self.filenames, self.titles) = self._document_columns  # fmt: skip
        self._places = Columns("iiiiiq")
        self.place_surface, self.place_document, self.place_name, self.place_mentions, self._place_chunk, self._place_time = self._places.arrays
        self._several_chunks = HashedNumbers()  # of a place that several chunks hold
        self._statements = Columns("iiidb")
        self.sources, self.targets, self.statement_document, self.weights, self.statement_types = self._statements.arrays
        self.types: list[str] = []
        self._named = Columns("i")  # for each document where each chunk's names begin, then their numbers

    # -- surfaces --------------------------------------------------------------------------------------------------------------------------

    def add_surface(self, key: str, kind: EntityType) -> int:
        surface = self.keys.add(key)
        extend(self.kinds, surface + 1)
        extend(self.centres, surface + 1)
        extend(self._is_grouped, surface + 1)
        self.kinds[surface], self.centres[surface] = KIND_NUMBERS[kind], surface
        return surface

    def remove_surface(self, surface: int) -> None:
        self.ungroup(surface)
        self.keys.remove(surface)

    def ungroup(self, surface: int) -> None:
        """Make the surface an entity by itself."""
        self.centres[surface] = surface
        if self._is_grouped[surface]:
            self.groups.clear(surface)
            self._is_grouped[surface] = 0

    def group(self, surfaces: Sequence[int]) -> None:
        """Make one entity of surfaces, the best supported first."""
        for each in surfaces if len(surfaces) > 1 else ():
            self.centres[each] = surfaces[0]
            self.groups.add(surfaces[0], each)
            self._is_grouped[surfaces[0]] = 1

    def members(self, centre: int) -> Sequence[int]:
        """Return the surfaces of an entity, the best supported first."""
        return self.groups.get(centre) if self._is_grouped[centre] else (centre,)

    def find_centres(self) -> Numbers:
        """Return one surface for each entity; terms are none."""
        counts, centres = self.places.counts(self.keys.size), view(self.centres)
        kinds = np.frombuffer(self.kinds, np.int8)
        found = np.flatnonzero((counts > 0) & (centres == np.arange(len(centres))) & (kinds != TERM))
        return found.astype(np.int32)

    def count_places(self, centre: int) -> int:
        """Return how often documents use a name of the entity, each name of a document once."""
        if not self._is_grouped[centre]:
            return self.places.count(centre)
        return sum(map(self.places.count, self.members(centre)))

    def count_all(self, rows: IntRows, centres: Numbers) -> Numbers:
        """Return how many numbers `rows` (`places` or `said`) has for each entity, over all of its names."""
        found = rows.counts_of(centres)
        for place in np.flatnonzero(np.frombuffer(self._is_grouped, np.int8)[centres]).tolist():
            found[place] = sum(map(rows.count, self.groups.get(int(centres[place]))))
        return found

    def count_documents(self, centre: int) -> int:
        """Return how many documents mention the entity."""
        return len({self.place_document[place] for member in self.members(centre) for place in self.places.row(member)})

    def mentions(self, surface: int) -> int:
        return sum(map(self.place_mentions.__getitem__, self.places.row(surface)))

    def frequency(self, surface: int) -> int:
        """Return how many chunks mention the surface."""
        rows = self.places.row(surface)
        if len(rows) < _SCANNED:
            return sum(self.count_chunks(place) for place in rows)
        several = view(self._place_chunk)[view(rows)]
        return int((several >= 0).sum()) + sum(self.count_chunks(rows[each]) for each in np.flatnonzero(several == _SEVERAL).tolist())

    # -- documents -------------------------------------------------------------------------------------------------------------------------

    def add_document(self, stored: StoredGraph, surfaces: Sequence[int]) -> int:
        """Add a document whose entities are these surfaces."""
        document = self.ids.add(stored.document_id)
        held = [sorted({chunk for chunk, _, _ in each.mentions if chunk >= 0}) for each in stored.entities]
        first_place = self._add_places(document, stored.entities, surfaces, held)
        texts = [self.texts.add(text) for text in (stored.filename, stored.title)]
        values = (stored.sequence, stored.first_chunk, stored.chunks, first_place, len(surfaces),
                  self._add_statements(document, stored, surfaces), len(stored.relationships), self._add_named(stored, held), *texts)  # fmt: skip
        for column, value in zip(self._document_columns, values, strict=True):
            extend(column, document + 1)
            column[document] = value
        return document

    def remove_document(self, document: int) -> None:
        """Remove what `add_document` added; the surfaces stay."""
        for place in self.places_of(document):
            self.places.remove(self.place_surface[place], place)
            self.texts.drop(self.place_name[place])
            if self._place_chunk[place] == _SEVERAL:
                self._several_chunks.clear(place)
        for statement in self.statements_of(document):
            if self._is_walked(statement):
                self.said.remove(self.sources[statement], statement)
                self.said.remove(self.targets[statement], statement)
            self.sources[statement] = self.targets[statement] = 0  # equal: states nothing
        for text in (self.filenames[document], self.titles[document]):
            self.texts.drop(text)
        chunks = self.chunks[document]
        named = chunks + 1 + self._named.arrays[0][self._first_named[document] + chunks]
        self._named.give_back(self._first_named[document], named)
        self._places.give_back(self.first_places[document], self.place_counts[document])
        self._statements.give_back(self.first_statements[document], self.statement_counts[document])
        self.ids.remove(document)

    def places_of(self, document: int) -> range:
        first = self.first_places[document]
        return range(first, first + self.place_counts[document])

    def statements_of(self, document: int) -> range:
        first = self.first_statements[document]
        return range(first, first + self.statement_counts[document])

    def surfaces_in_documents(self, documents: Numbers) -> tuple[Numbers, Numbers]:
        """Return for every place of these documents its document and its name."""
        firsts, counts = view(self.first_places)[documents], view(self.place_counts)[documents]
        ends = np.cumsum(counts)
        places = np.arange(counts.sum()) + np.repeat(firsts - ends + counts, counts)
        return np.repeat(documents, counts), view(self.place_surface)[places]

    def surfaces_in_chunk(self, document: int, chunk: int) -> list[int]:
        """Return the names in a chunk by its ordinal; terms are none."""
        named, first = self._named.arrays[0], self._first_named[document]
        begin = first + self.chunks[document] + 1
        numbers = named[begin + named[first + chunk] : begin + named[first + chunk + 1]]
        first_place = self.first_places[document]
        return [self.place_surface[first_place + number] for number in numbers]

    def _add_places(self, document: int, entities: Sequence[StoredEntity], surfaces: Sequence[int], held: Sequence[Sequence[int]]) -> int:
        names = [self.texts.add(pack_name(each.name, each.aliases, each.properties)) for each in entities]
        chunks = [chunks[0] if len(chunks) == 1 else _SEVERAL if chunks else _NOWHERE for chunks in held]
        times = [(each.created_at - _EPOCH) // _MICROSECOND for each in entities]
        mentions = [len(each.mentions) for each in entities]
        first = self._places.add(surfaces, [document] * len(names), names, mentions, chunks, times)
        for place, (surface, several) in enumerate(zip(surfaces, held, strict=True), first):
            self.places.add(surface, place)
            for chunk in several if len(several) > 1 else ():
                self._several_chunks.add(place, chunk)
        return first

    def _add_statements(self, document: int, stored: StoredGraph, surfaces: Sequence[int]) -> int:
        said = stored.relationships
        sources, targets = [surfaces[each.source] for each in said], [surfaces[each.target] for each in said]
        types = [2 * self._type_number(each.relationship_type) + ("rows" in each.properties) for each in said]
        first = self._statements.add(sources, targets, [document] * len(said), [each.weight for each in said], types)
        for statement in range(first, first + len(said)):
            if self._is_walked(statement):
                self.said.add(self.sources[statement], statement)
                self.said.add(self.targets[statement], statement)
        return first

    def _add_named(self, stored: StoredGraph, held: Sequence[Sequence[int]]) -> int:
        by_chunk: list[list[int]] = [[] for _ in range(stored.chunks)]
        for number, (entity, chunks) in enumerate(zip(stored.entities, held, strict=True)):
            for chunk in chunks if entity.entity_type is not EntityType.TERM else ():
                if chunk < stored.chunks:
                    by_chunk[chunk].append(number)
        starts = [0, *np.cumsum([len(numbers) for numbers in by_chunk]).tolist()]
        return self._named.add([*starts, *(number for numbers in by_chunk for number in numbers)])

    def _is_walked(self, statement: int) -> bool:
        source, target = self.sources[statement], self.targets[statement]
        return source != target and self.kinds[source] != TERM and self.kinds[target] != TERM

    def _type_number(self, name: str) -> int:
        if name not in self.types:
            self.types.append(name)
        return self.types.index(name)

    # -- places and statements -------------------------------------------------------------------------------------------------------------

    def chunks_of(self, place: int) -> Sequence[int]:
        """Return the ordinals of the chunks that hold the place's name."""
        chunk = self._place_chunk[place]
        return (chunk,) if chunk >= 0 else () if chunk == _NOWHERE else self._several_chunks.get(place)

    def count_chunks(self, place: int) -> int:
        return 1 if self._place_chunk[place] >= 0 else len(self.chunks_of(place))

    def chunks_at(self, place: int) -> list[tuple[int, int]]:
        """Return the chunks that hold the place's name: (chunk id, the document's number)."""
        document = self.place_document[place]
        first = self.first_chunks[document]
        return [(first + chunk, document) for chunk in self.chunks_of(place)]

    def chunk_ids(self, surface: int) -> Iterator[int]:
        return (chunk for place in self.places.row(surface) for chunk, _ in self.chunks_at(place))

    def entity_places(self, centre: int) -> list[int]:
        """Return the places of all names of an entity."""
        return [place for member in self.members(centre) for place in self.places.row(member)]

    def written_names(self, places: Sequence[int]) -> Iterable[tuple[WrittenName, int]]:
        """Return how names are written in these places, and in how many of them."""
        if len(places) == 1:
            return [(self.written_name(places[0]), 1)]
        counts = Counter(map(self.place_name.__getitem__, places))
        return [(unpack_name(self.texts.text(text)), times) for text, times in counts.items()]

    def written_name(self, place: int) -> WrittenName:
        return unpack_name(self.texts.text(self.place_name[place]))

    def first_created(self, places: Iterable[int]) -> datetime:
        """Return the earliest time at which one of these places was first there."""
        return _EPOCH + min(map(self._place_time.__getitem__, places)) * _MICROSECOND

    def type_of(self, statement: int) -> str:
        return self.types[self.statement_types[statement] >> 1]

    def is_in_rows(self, statement: int) -> bool:
        """Return whether only rows of tables name both."""
        return bool(self.statement_types[statement] & 1)

    def find_in_rows(self) -> npt.NDArray[np.bool_]:
        """Return for each statement whether only rows of tables name both."""
        types = np.frombuffer(self.statement_types, np.int8)
        found: npt.NDArray[np.bool_] = (types & 1) != 0
        return found

    def find_side_by_side(self) -> npt.NDArray[np.bool_]:
        """Return for each statement whether rows of tables name both and nothing is said of how they are related."""
        related = self.types.index("RELATED_TO") if "RELATED_TO" in self.types else -1
        found: npt.NDArray[np.bool_] = self.find_in_rows() & (np.frombuffer(self.statement_types, np.int8) >> 1 == related)
        return found

    def ordinal(self, statement: int) -> int:
        return statement - self.first_statements[self.statement_document[statement]]

    def relations(self, centre: int) -> dict[int, list[int]]:
        """Return entities related to this one -> the statements that say so."""
        found: dict[int, list[int]] = {}
        sources, targets, centres = self.sources, self.targets, self.centres
        for member in self.members(centre):
            for statement in self.said.row(member):
                there = centres[sources[statement] ^ targets[statement] ^ member]  # the other of the two
                if there == centre:  # a name of the same entity
                    continue
                if there in found:
                    found[there].append(statement)
                else:
                    found[there] = [statement]
        return found

    def count_statements(self, centre: int) -> int:
        """Return how many statements name the entity: no fewer than it has related ones."""
        if not self._is_grouped[centre]:
            return self.said.count(centre)
        return sum(map(self.said.count, self.members(centre)))

    def neighbours(self, surface: int) -> set[int]:
        """Return the surfaces that statements relate to this one."""
        sources, targets = self.sources, self.targets
        return {sources[statement] ^ targets[statement] ^ surface for statement in self.said.row(surface)}

    def count_neighbours(self, surface: int) -> int:
        if self.said.count(surface) < _SCANNED:
            return len(self.neighbours(surface))
        return len(np.unique(self.find_related([surface])[1]))

    def find_related(self, surfaces: Iterable[int]) -> tuple[Numbers, Numbers]:
        """Return for every statement of these surfaces which of them it names, and the other one."""
        numbers = np.fromiter(surfaces, np.int32)
        counts, said = self.said.gather(numbers)
        own = np.repeat(numbers, counts)
        return own, view(self.sources)[said] ^ view(self.targets)[said] ^ own

    def stated_pairs(self, *, terms: bool, among: npt.NDArray[np.bool_] | None = None) -> tuple[Numbers, Numbers]:
        """Return the statements ordered by the pair of surfaces that they relate, and where in them each pair begins; `terms`: with terms, too;
        `among`: of the documents whose number is true there alone."""
        sources, targets = view(self.sources), view(self.targets)
        chosen = np.flatnonzero(sources != targets)
        if among is not None:
            chosen = chosen[among[view(self.statement_document)[chosen]]]
        if not terms and len(chosen):
            kinds = np.frombuffer(self.kinds, np.int8)
            chosen = chosen[(kinds[sources[chosen]] != TERM) & (kinds[targets[chosen]] != TERM)]
        one, other = np.minimum(sources[chosen], targets[chosen]), np.maximum(sources[chosen], targets[chosen])
        pairs = one.astype(np.int64) << 32 | other
        order = np.argsort(pairs, kind="stable")
        begins = np.flatnonzero(np.diff(pairs[order], prepend=-1))
        return chosen[order].astype(np.int32), begins.astype(np.int32)
