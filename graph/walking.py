"""Walking the relationships: the strongest way from the entities of a question to others."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

from core.graph import ExpandedEntity, GraphEvidence, PathStep
from core.ports.graph_store import Place
from graph.listing import name_of, shown
from graph.surfaces import Statement, Surface
from graph.view import TenantGraph, surface_id

_FOLLOWED = 50  # relationships of one entity, the strongest
_QUOTED = 200


@dataclass(frozen=True, slots=True)
class _Step:
    """One relationship walked, told by the strongest of its sentences."""

    source: Surface
    target: Surface
    said: Statement
    weight: float


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity that the walk reached, its steps still without their sentences."""

    graph: TenantGraph
    centre: Surface
    score: float
    steps: tuple[_Step, ...]
    described: ExpandedEntity

    @property
    def places(self) -> list[Place]:
        return [step.said.place for step in self.steps]

    def expanded(self, sentences: dict[Place, GraphEvidence]) -> ExpandedEntity:
        """With the sentences that speak for each step, cut at 200 characters."""
        path = [
            step.model_copy(update={"because": _cut(sentences[place].text) if place in sentences else ""})
            for step, place in zip(self.described.path, self.places, strict=True)
        ]
        return self.described.model_copy(update={"path": path})


def walk(graph: TenantGraph, entity_ids: Sequence[str], hops: int, limit: int) -> list[Reached]:
    """Best first (Dijkstra over -log weight): the product of the weights is the score; each entity once, by its strongest way."""
    starts = [surface for each in entity_ids if (surface := graph.find(each)) is not None]
    order = count()
    name = cache(name_of)  # every way from an entity of thousands of documents names it again
    waiting: list[tuple[float, int, Surface, tuple[_Step, ...]]] = [(-1.0, next(order), surface, ()) for surface in starts]
    heapq.heapify(waiting)
    done: set[Surface] = set()
    found: list[Reached] = []
    while waiting and len(found) < limit:
        score, _, surface, steps = heapq.heappop(waiting)
        if surface in done:
            continue
        done.add(surface)
        if steps:
            found.append(_reached(graph, surface, -score, steps, name))
        if len(steps) < hops:
            for step in _followed(graph, surface):
                if step.target not in done:
                    heapq.heappush(waiting, (score * step.weight, next(order), step.target, (*steps, step)))
    return found


def _followed(graph: TenantGraph, surface: Surface) -> list[_Step]:
    return [_Step(surface, other, said, weight) for weight, other, said in graph.strongest(surface)[:_FOLLOWED]]


def _reached(graph: TenantGraph, surface: Surface, score: float, steps: tuple[_Step, ...], name: Callable[[Surface], str]) -> Reached:
    path = [_path_step(graph, step, name) for step in steps]
    described = ExpandedEntity(entity=shown(graph, surface), hops=len(steps), score=round(score, 4), path=path)
    return Reached(graph, surface, score, steps, described)


def _path_step(graph: TenantGraph, step: _Step, name: Callable[[Surface], str]) -> PathStep:
    return PathStep(
        source_id=surface_id(graph.tenant, step.source),
        source=name(step.source),
        relationship_type=step.said.name,
        target_id=surface_id(graph.tenant, step.target),
        target=name(step.target),
        weight=step.weight,
        document_id=step.said.record.id,
        forward=step.said.source.centre is step.source,
    )


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTED else flat[: _QUOTED - 2].rsplit(" ", 1)[0] + " …"
