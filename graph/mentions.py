"""The records that a tenant's graph is made of: documents with their surfaces, and the sentences that state relationships.

A `SurfaceForm` is a name with its type as documents write it; surfaces that are the same thing form an entity (`graph.tenant_graph`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from datetime import datetime
from sys import intern
from typing import NamedTuple

from core.graph import EntityType
from core.ports.graph_store import StatementPlace, StoredGraph


class RelationStatement(NamedTuple):
    """A sentence of a document that states a relationship of its `source` to the edge's other surface; `in_rows`: only rows of tables name both."""

    record: DocumentRecord
    ordinal: int
    name: str
    weight: float
    source: SurfaceForm
    in_rows: bool = False

    @property
    def place(self) -> StatementPlace:
        return self.record.id, self.record.sequence, self.ordinal


class SurfaceForm:
    """A name of a type. `places` are the documents that use it, each with the entity's number there; `group` is the entity it belongs to."""

    __slots__ = ("group", "key", "kind", "places", "similar")

    def __init__(self, key: str, kind: EntityType) -> None:
        self.key, self.kind = key, kind
        self.places: list[tuple[DocumentRecord, int]] = []
        self.similar: tuple[SurfaceForm, ...] = ()
        self.group: tuple[SurfaceForm, ...] = (self,)

    @property
    def centre(self) -> SurfaceForm:
        return self.group[0]

    @property
    def mentions(self) -> int:
        return sum(record.counts[number] for record, number in self.places)

    def chunk_ids(self) -> Iterator[int]:
        for record, number in self.places:
            yield from record.chunks_of(number)

    @property
    def frequency(self) -> int:
        """Chunks that mention it."""
        return sum(record.chunk_count(number) for record, number in self.places)


class DocumentRecord:
    """A document in the graph: its surfaces by number, and who is mentioned in which chunk, both ways."""

    __slots__ = ("_chunk_starts", "_chunks", "_numbers", "_starts", "aliases", "chunks", "counts", "created", "filename", "first_chunk",
                 "generated_by", "generation", "id", "names", "pairs", "properties", "sequence", "surfaces", "title")  # fmt: skip

    def __init__(self, stored: StoredGraph, surfaces: list[SurfaceForm]) -> None:
        self.id, self.generation, self.sequence = stored.document_id, stored.generation, stored.sequence
        self.first_chunk, self.chunks, self.filename, self.title = stored.first_chunk, stored.chunks, stored.filename, stored.title
        self.generated_by = stored.generated_by
        self.surfaces = surfaces
        self.names = [intern(each.name) for each in stored.entities]
        self.aliases = {number: each.aliases for number, each in enumerate(stored.entities) if each.aliases}
        self.properties = {number: each.properties for number, each in enumerate(stored.entities) if each.properties}
        self.created: list[datetime] = [each.created_at for each in stored.entities]
        self.counts = array("i", [len(each.mentions) for each in stored.entities])
        self.pairs: set[tuple[int, int]] = set()
        held = [sorted({chunk for chunk, _, _ in each.mentions if chunk >= 0}) for each in stored.entities]
        self._starts, self._chunks = _pack_rows(held)
        self._chunk_starts, self._numbers = _pack_rows(_names_by_chunk(held, surfaces, stored.chunks))

    def chunks_of(self, number: int) -> Iterator[int]:
        """Yield ids of the chunks that mention the entity."""
        return (self.first_chunk + chunk for chunk in self._chunks[self._starts[number] : self._starts[number + 1]])

    def chunk_count(self, number: int) -> int:
        return self._starts[number + 1] - self._starts[number]

    def surfaces_in_chunk(self, chunk_id: int) -> list[SurfaceForm]:
        chunk = chunk_id - self.first_chunk
        return [self.surfaces[number] for number in self._numbers[self._chunk_starts[chunk] : self._chunk_starts[chunk + 1]]]


def _names_by_chunk(held: Sequence[Sequence[int]], surfaces: Sequence[SurfaceForm], chunks: int) -> list[list[int]]:
    """Return for each chunk the numbers of the names that it mentions; terms are none."""
    by_chunk: list[list[int]] = [[] for _ in range(chunks)]
    for number, numbers in enumerate(held):
        for chunk in numbers if surfaces[number].kind is not EntityType.TERM else ():
            if chunk < chunks:
                by_chunk[chunk].append(number)
    return by_chunk


def _pack_rows(rows: Sequence[Sequence[int]]) -> tuple[array[int], array[int]]:
    starts, values = array("i", [0]), array("i")
    for row in rows:
        values.extend(row)
        starts.append(len(values))
    return starts, values
