"""What a tenant's graph is made of, shown one at a time: names, documents with their names, and the sentences that state relationships.

All of it is kept in `graph.graph_arrays`; these objects live as long as somebody looks at them, and one name or document has one of them at a time.
A `SurfaceForm` is a name with its type as documents write it; surfaces that are the same thing form an entity (`graph.tenant_graph`).
"""

from __future__ import annotations

from collections import deque
from datetime import datetime
from typing import NamedTuple
from weakref import WeakValueDictionary

from core.ports.graph_store import StatementPlace
from graph.graph_arrays import KINDS, GraphArrays

_RECENT = 2_000  # names of which the object is kept for the next who looks


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
    """A name of a type; `group` is the entity it belongs to, the best supported name first."""

    __slots__ = ("__weakref__", "_shown", "key", "kind", "number")

    def __init__(self, shown: ShownGraph, number: int) -> None:
        self._shown, self.number = shown, number
        self.key, self.kind = shown.arrays.keys.text(number), KINDS[shown.arrays.kinds[number]]

    @property
    def group(self) -> tuple[SurfaceForm, ...]:
        arrays = self._shown.arrays
        return tuple(map(self._shown.surface, arrays.members(arrays.centres[self.number])))

    @property
    def centre(self) -> SurfaceForm:
        return self._shown.surface(self._shown.arrays.centres[self.number])


class DocumentRecord:
    """A document in the graph."""

    __slots__ = ("__weakref__", "_shown", "id", "number", "sequence")

    def __init__(self, shown: ShownGraph, number: int) -> None:
        self._shown, self.number = shown, number
        self.id, self.sequence = shown.arrays.ids.text(number), shown.arrays.sequences[number]

    @property
    def first_chunk(self) -> int:
        return self._shown.arrays.first_chunks[self.number]

    @property
    def chunks(self) -> int:
        return self._shown.arrays.chunks[self.number]

    @property
    def filename(self) -> str:
        return self._shown.arrays.texts.text(self._shown.arrays.filenames[self.number])

    @property
    def title(self) -> str:
        return self._shown.arrays.texts.text(self._shown.arrays.titles[self.number])

    @property
    def created_at(self) -> datetime:
        """When the document first said what its first name is of."""
        return self._shown.arrays.first_created([self._shown.arrays.first_places[self.number]])

    @property
    def surfaces(self) -> list[SurfaceForm]:
        arrays = self._shown.arrays
        return [self._shown.surface(arrays.place_surface[place]) for place in arrays.places_of(self.number)]


class ShownGraph:
    """The objects for what the arrays hold, made when they are asked for."""

    def __init__(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self._surfaces: WeakValueDictionary[int, SurfaceForm] = WeakValueDictionary()
        self._recent: deque[SurfaceForm] = deque(maxlen=_RECENT)
        self._records: WeakValueDictionary[int, DocumentRecord] = WeakValueDictionary()

    def surface(self, number: int) -> SurfaceForm:
        shown = self._surfaces.get(number)
        if shown is None:
            shown = self._surfaces[number] = SurfaceForm(self, number)
            self._recent.append(shown)
        return shown

    def record(self, number: int) -> DocumentRecord:
        shown = self._records.get(number)
        if shown is None:
            shown = self._records[number] = DocumentRecord(self, number)
        return shown

    def statement(self, number: int) -> RelationStatement:
        arrays = self.arrays
        return RelationStatement(
            self.record(arrays.statement_document[number]),
            arrays.ordinal(number),
            arrays.type_of(number),
            arrays.weights[number],
            self.surface(arrays.sources[number]),
            arrays.is_in_rows(number),
        )

    def forget_surface(self, number: int) -> None:
        """Let the object for a surface that is removed stand for no other that gets its number."""
        self._surfaces.pop(number, None)

    def forget_record(self, number: int) -> None:
        self._records.pop(number, None)
