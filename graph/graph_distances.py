"""How many relationships lie between the entities of a question and those of passages: one walk outwards for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from core.graph import GraphDistances, WalkLimits
from graph.entity_hits import find_telling, has_more_relations, hub_test
from graph.graph_arrays import GraphArrays
from graph.tenant_graph import TenantGraph

_STEPS = 10_000  # relationships that are followed for one more step outwards; where there are more the walk ends


def measure_distances(graph: TenantGraph, entity_ids: Sequence[str], chunk_ids: Sequence[int], limits: WalkLimits) -> GraphDistances:
    """Return the distance of each chunk's nearest entity. Dates, amounts and addresses lead nowhere, and hubs no further:
    that a passage mentions a name which many documents have says nothing of it, though the question has it, too."""
    leads_on = hub_test(graph, limits.hub_share)
    starts = [named.number for each in entity_ids if (named := graph.find_entity(each)) is not None and leads_on(named.number)]
    sought = {chunk_id: find_telling(graph, chunk_id) for chunk_id in chunk_ids}
    walk = _Walk(graph, leads_on, starts)
    distances = walk.find(set().union(*sought.values()), limits.max_distance)
    near = {chunk_id: [distances[each] for each in entities if each in distances] for chunk_id, entities in sought.items()}
    return GraphDistances({chunk_id: min(found) for chunk_id, found in near.items() if found}, walk.is_cut)


class _Walk:
    """A walk outwards, step by step. `edge` are those that were reached last and lead on, `passed` the names of all that lead on."""

    def __init__(self, graph: TenantGraph, leads_on: Callable[[int], bool], starts: Sequence[int]) -> None:
        self._arrays, self._leads_on, self.is_cut = graph.arrays, leads_on, False
        self._reached: dict[int, int] = {}
        self._passed: set[int] = set()
        self._settle(starts, 0)

    def find(self, sought: set[int], max_distance: int) -> dict[int, int]:
        """Return the distances of all that was reached. The last step is taken backwards, from what is sought: most of what lies that far out is
        not."""
        distance = 1
        while distance < max_distance and not self.is_cut and not sought <= self._reached.keys():
            self.is_cut = has_more_relations(self._arrays, self._edge, _STEPS)
            if not self.is_cut:
                self._settle([other for each in self._edge for other in _neighbours(self._arrays, each)], distance)
                distance += 1
        return self._reached | dict.fromkeys(self._find_next_to_passed(sought - self._reached.keys()), distance)

    def _settle(self, found: Sequence[int], distance: int) -> None:
        fresh = dict.fromkeys(each for each in found if each not in self._reached)
        self._reached |= dict.fromkeys(fresh, distance)
        self._edge = [each for each in fresh if self._leads_on(each)]
        self._passed.update(member for each in self._edge for member in self._arrays.members(each))

    def _find_next_to_passed(self, entities: Iterable[int]) -> set[int]:
        """Return those of which a name is related to a name of what was passed."""
        own, other = self._arrays.find_related(member for each in entities for member in self._arrays.members(each))
        near = own[np.isin(other, np.fromiter(self._passed, np.int32))]
        return {self._arrays.centres[member] for member in set(near.tolist())}


def _neighbours(arrays: GraphArrays, centre: int) -> Iterator[int]:
    """Yield the entities related to this one, some of them several times."""
    return (arrays.centres[other] for member in arrays.members(centre) for other in arrays.neighbours(member))
