"""An entity that very many documents name: what is looked at is bounded, in one order, and follows every change."""

from __future__ import annotations

import numpy as np

from core.graph import EntityType
from graph.entity_hits import find_leading_on, hub_test
from graph.entity_views import collect_neighbourhood, show_entity
from graph.graph_arrays import KIND_NUMBERS
from graph.mentions import SurfaceForm
from graph.tenant_graph import TenantGraph, surface_id
from graph.top_relations import FANOUT, strength
from tests.support.graphs import MemoryGraphStore, make_paragraphs

T = "default"


def hub(documents: range) -> tuple[MemoryGraphStore, TenantGraph]:
    """Each document names a person of its own who works at the same firm."""
    held = MemoryGraphStore()
    for number in documents:
        name = f"Mara {chr(97 + number // 26)}{chr(97 + number % 26)}lison".title()
        held.put_document(f"d{number:03}", make_paragraphs(f"{name} works at Trevanion Docks Ltd."))
    graph = TenantGraph(T)
    for stored in held.stored.values():
        graph.put(stored)
    graph.regroup_entities()
    return held, graph


def firm_of(graph: TenantGraph) -> SurfaceForm:
    return next(each for each in graph.by_key["trevanion docks"] if each.kind is EntityType.ORGANIZATION)


def test_the_strongest_of_very_many_neighbours_are_followed_in_one_order() -> None:
    held, graph = hub(range(FANOUT + 40))
    held.put_document("twice", make_paragraphs("Mara Czlison works at Trevanion Docks Ltd."))
    graph.put(held.stored["default", "twice"])
    graph.regroup_entities()
    firm = firm_of(graph)
    every = sorted(((-strength(said), other.key) for other, said in graph.neighbours(firm).items()))
    assert len(every) == FANOUT + 40
    assert [(-each.weight, each.surface.key) for each in graph.strongest_relations(firm)] == every[:FANOUT]
    assert graph.strongest_relations(firm)[0].surface.key == "mara czlison"
    around = collect_neighbourhood(graph, surface_id(T, firm), 2, 60)
    assert around is not None
    assert around.truncated
    assert len(around.entities) == 60
    assert len(around.relationships) == 59  # the persons have nothing to do with each other
    assert around.entities[1].name == "Mara Czlison"


def test_what_is_kept_of_an_entity_of_many_documents_follows_every_change() -> None:
    held, graph = hub(range(FANOUT + 40))
    firm = firm_of(graph)
    (first, *_), before = graph.strongest_relations(firm), show_entity(graph, firm)
    assert before.mentions == FANOUT + 40
    assert show_entity(graph, firm) is before
    graph.drop(first.statement.record.id)
    graph.regroup_entities()
    assert first.surface not in [each.surface for each in graph.strongest_relations(firm)]
    assert show_entity(graph, firm).mentions == FANOUT + 39
    graph.put(held.stored["default", first.statement.record.id])
    graph.regroup_entities()
    assert graph.strongest_relations(firm)[0].surface.key == first.surface.key
    assert show_entity(graph, firm) == before


def test_entities_are_counted_together_as_one_by_one() -> None:
    """Hubs, entities of several names and dates among them."""
    held, graph = hub(range(40))
    held.put_document(
        "spelt", make_paragraphs("Trevanion Dock Ltd. was founded on 3 May 1990.", "Mara Aalison met Mara Aallison at Trevanion Docks Ltd.")
    )
    graph.put(held.stored["default", "spelt"])
    graph.regroup_entities()
    arrays = graph.arrays
    centres = sorted({arrays.centres[each] for each in range(arrays.keys.size)})
    numbers = np.array(centres, np.int32)
    assert any(len(arrays.members(each)) > 1 for each in centres)
    assert arrays.count_all(arrays.places, numbers).tolist() == [arrays.count_places(each) for each in centres]
    assert arrays.count_all(arrays.said, numbers).tolist() == [arrays.count_statements(each) for each in centres]
    for share in (0.0, 0.5, 1.0):
        leads_on = hub_test(graph, share)
        passing = find_leading_on(graph, share, centres)
        assert passing == {each for each in centres if leads_on(each)}
        assert (firm_of(graph).centre.number in passing) == (share == 1.0)
        assert any(arrays.kinds[each] == KIND_NUMBERS[EntityType.DATE] for each in set(centres) - passing)
