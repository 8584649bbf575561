"""Walking the relationships: the strongest way from the entities of a question to others."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import count

from core.graph import ExpandedEntity, GraphEvidence, PathStep
from core.ports.graph_store import StatementPlace
from graph.entity_views import most_used_name, show_entity
from graph.mentions import RelationStatement
from graph.tenant_graph import TenantGraph, surface_id

_FOLLOWED = 50  # relationships of one entity, the strongest
_QUOTED = 200


@dataclass(frozen=True, slots=True)
class _WalkStep:
    """One relationship walked, explained by the strongest of its sentences."""

    source: int
    target: int
    statement: int
    weight: float


@dataclass(frozen=True, slots=True)
class WalkedEntity:
    """An entity that the walk reached, its steps still without their sentences, which are in `places`."""

    described: ExpandedEntity
    places: list[StatementPlace]

    def to_expanded_entity(self, sentences: dict[StatementPlace, GraphEvidence]) -> ExpandedEntity:
        """Return it as an expanded entity, with the sentences that speak for each step, cut at 200 characters."""
        path = [
            step.model_copy(update={"because": _shorten(sentences[place].text) if place in sentences else ""})
            for step, place in zip(self.described.path, self.places, strict=True)
        ]
        return self.described.model_copy(update={"path": path})


def walk(graph: TenantGraph, entity_ids: Sequence[str], hops: int, limit: int) -> list[WalkedEntity]:
    """Return the entities within reach, best first (Dijkstra over -log weight): the product of the weights is the score; each entity once, by its
    strongest way.
    """
    starts = [named.number for each in entity_ids if (named := graph.find_entity(each)) is not None]
    order = count()
    name = cache(partial(most_used_name, graph.arrays))  # every way from an entity of thousands of documents names it again
    waiting: list[tuple[float, int, int, tuple[_WalkStep, ...]]] = [(-1.0, next(order), surface, ()) for surface in starts]
    heapq.heapify(waiting)
    done: set[int] = set()
    found: list[WalkedEntity] = []
    while waiting and len(found) < limit:
        score, _, surface, steps = heapq.heappop(waiting)
        if surface in done:
            continue
        done.add(surface)
        if steps:
            found.append(_make_walked_entity(graph, surface, -score, steps, name))
        if len(steps) < hops:
            for step in _next_steps(graph, surface):
                if step.target not in done:
                    heapq.heappush(waiting, (score * step.weight, next(order), step.target, (*steps, step)))
    return found


def find_direct(graph: TenantGraph, entity_ids: Sequence[str]) -> list[WalkedEntity]:
    """Return the relationships between these entities themselves, the strongest first."""
    starts = [named.number for each in entity_ids if (named := graph.find_entity(each)) is not None]
    steps = [step for surface in starts for step in _next_steps(graph, surface) if step.target in starts]
    keys = graph.arrays.keys.text
    once = {frozenset((step.source, step.target)): step for step in reversed(steps)}
    ordered = sorted(once.values(), key=lambda step: (-step.weight, keys(step.source), keys(step.target)))
    name = partial(most_used_name, graph.arrays)
    return [_make_walked_entity(graph, step.target, step.weight, (step,), name) for step in ordered]


def _next_steps(graph: TenantGraph, surface: int) -> list[_WalkStep]:
    return [_WalkStep(surface, other, said, weight) for weight, other, said in graph.strongest_numbers(surface)[:_FOLLOWED]]


def _make_walked_entity(graph: TenantGraph, surface: int, score: float, steps: tuple[_WalkStep, ...], name: Callable[[int], str]) -> WalkedEntity:
    statements = [graph.graph.statement(step.statement) for step in steps]
    path = [_path_step(graph, step, said, name) for step, said in zip(steps, statements, strict=True)]
    described = ExpandedEntity(entity=show_entity(graph, graph.graph.surface(surface)), hops=len(steps), score=round(score, 4), path=path)
    return WalkedEntity(described, [said.place for said in statements])


def _path_step(graph: TenantGraph, step: _WalkStep, said: RelationStatement, name: Callable[[int], str]) -> PathStep:
    return PathStep(
        source_id=surface_id(graph.tenant, graph.graph.surface(step.source)),
        source=name(step.source),
        relationship_type=said.name,
        target_id=surface_id(graph.tenant, graph.graph.surface(step.target)),
        target=name(step.target),
        weight=step.weight,
        document_id=said.record.id,
        forward=said.source.centre.number == step.source,
    )


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTED else flat[: _QUOTED - 2].rsplit(" ", 1)[0] + " …"
