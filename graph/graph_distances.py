"""How many relationships lie between the entities of a question and those of passages: one walk outwards for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.graph import GraphDistances, WalkLimits
from graph.entity_hits import degree, find_telling, hub_test
from graph.mentions import SurfaceForm
from graph.tenant_graph import TenantGraph

_STEPS = 10_000  # relationships that are followed for one more step outwards; where there are more the walk ends


def measure_distances(graph: TenantGraph, entity_ids: Sequence[str], chunk_ids: Sequence[int], limits: WalkLimits) -> GraphDistances:
    """Return the distance of each chunk's nearest entity. Dates, amounts and addresses lead nowhere, and hubs no further:
    that a passage mentions a name which many documents have says nothing of it, though the question has it, too."""
    leads_on = hub_test(graph, limits.hub_share)
    starts = [surface for each in entity_ids if (surface := graph.find_entity(each)) is not None and leads_on(surface)]
    sought = {chunk_id: find_telling(graph, chunk_id) for chunk_id in chunk_ids}
    walk = _Walk(graph, leads_on, starts)
    distances = walk.find(set().union(*sought.values()), limits.max_distance)
    near = {chunk_id: [distances[each] for each in entities if each in distances] for chunk_id, entities in sought.items()}
    return GraphDistances({chunk_id: min(found) for chunk_id, found in near.items() if found}, walk.is_cut)


class _Walk:
    """A walk outwards, step by step. `edge` are those that were reached last and lead on, `passed` the names of all that lead on."""

    def __init__(self, graph: TenantGraph, leads_on: Callable[[SurfaceForm], bool], starts: Sequence[SurfaceForm]) -> None:
        self._graph, self._leads_on, self.is_cut = graph, leads_on, False
        self._reached: dict[SurfaceForm, int] = {}
        self._passed: set[SurfaceForm] = set()
        self._settle(starts, 0)

    def find(self, sought: set[SurfaceForm], max_distance: int) -> dict[SurfaceForm, int]:
        """Return the distances of all that was reached. The last step is taken backwards, from what is sought: most of what lies that far out is
        not."""
        distance = 1
        while distance < max_distance and not self.is_cut and not sought <= self._reached.keys():
            self.is_cut = sum(degree(self._graph, each) for each in self._edge) > _STEPS
            if not self.is_cut:
                self._settle([other for each in self._edge for other in _neighbours(self._graph, each)], distance)
                distance += 1
        last = [each for each in sought - self._reached.keys() if self._is_next_to_passed(each)]
        return self._reached | dict.fromkeys(last, distance)

    def _settle(self, found: Sequence[SurfaceForm], distance: int) -> None:
        fresh = dict.fromkeys(each for each in found if each not in self._reached)
        self._reached |= dict.fromkeys(fresh, distance)
        self._edge = [each for each in fresh if self._leads_on(each)]
        self._passed.update(member for each in self._edge for member in each.group)

    def _is_next_to_passed(self, entity: SurfaceForm) -> bool:
        related = self._graph.graph.adj
        return not all(self._passed.isdisjoint(related[member]) for member in entity.group if member in self._graph.graph)


def _neighbours(graph: TenantGraph, centre: SurfaceForm) -> Iterator[SurfaceForm]:
    """Yield the entities related to this one, some of them several times."""
    return (other.centre for member in centre.group if member in graph.graph for other in graph.graph.adj[member])
