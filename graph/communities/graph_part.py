"""The documents of a library that communities are found in: all of them, or those that a question is limited to."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from graph.entity_views import most_used_spelling
from graph.graph_arrays import TERM
from graph.int_rows import Numbers
from graph.tenant_graph import TenantGraph


class GraphPart:
    """What `among` say of a tenant's graph, without `among` what all documents do. Names, counts and statements are of these documents alone; which
    names are one entity follows from the whole library.
    """

    def __init__(self, graph: TenantGraph, among: Set[str] | None = None) -> None:
        self.graph, self.arrays = graph, graph.arrays
        self._inside: npt.NDArray[np.bool_] | None = None
        self.documents = graph.documents
        if among is not None:
            numbers = [record.number for document_id in among if (record := graph.record(document_id)) is not None]
            self._inside = np.zeros(self.arrays.ids.size, np.bool_)
            self._inside[numbers] = True
            self.documents = len(numbers)

    def stated_pairs(self) -> Numbers:
        """Return the statements ordered by the pair that they relate, terms among them."""
        return self.arrays.stated_pairs(terms=True, among=self._inside)[0]

    def count_documents(self, centre: int) -> int:
        """Return how many documents mention the entity."""
        if self._inside is None:
            return self.arrays.count_documents(centre)
        return len({self.arrays.place_document[place] for place in self._inner(self.arrays.entity_places(centre))})

    def count_holders(self, surface: int) -> int:
        """Return how many documents use this very name or term."""
        return self.arrays.places.count(surface) if self._inside is None else len(self._inner(self.arrays.places.row(surface)))

    def name(self, centre: int) -> str:
        """Return how these documents spell an entity: its best supported name, where they use it."""
        own = self._inner(self.arrays.places.row(centre))
        return most_used_spelling(self.arrays, own or self._inner(self.arrays.entity_places(centre)))

    def node_of(self, surface: int) -> int:
        """Return the entity that a surface belongs to; a term is the entity of its name where there is one."""
        centres = self.arrays.centres
        if self.arrays.kinds[surface] == TERM:
            named = self.graph.by_key.numbers(self.arrays.keys.text(surface))
            if named and (self._inside is None or self.count_documents(centres[named[0]])):
                return centres[named[0]]
        return centres[surface]

    def _inner(self, places: Sequence[int]) -> Sequence[int]:
        inside = self._inside
        return places if inside is None else [place for place in places if inside[self.arrays.place_document[place]]]
