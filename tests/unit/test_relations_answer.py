""" "What is related to X?": X's relationships with their cited sentences; an unknown name is told to be one."""

from __future__ import annotations

import pytest

from agents.general_answer.agent import answer_about_system
from agents.overview.agent import OverviewPorts
from agents.overview.related_names import describe_relations, related_name
from agents.query_classifier.intent_rules import apply_rules
from core.answers import Answer
from core.errors import Unavailable
from core.graph import EntityMatch
from core.search import Filters
from graph.graph_view import GraphView
from tests.support.graphs import MemoryGraphStore, make_paragraphs
from tests.support.ports import sample_library

TEXT = "Peter Alder works at Tallow Bay Pottery Ltd in our town. Peter Alder met Petra Lund at the kiln. The kiln was cold that day."


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is related to Peter Alder?", "Peter Alder"),
        ("Who is connected with “Tallow Bay Pottery Ltd”?", "Tallow Bay Pottery Ltd"),
        ("which people are linked to Petra Lund", "Petra Lund"),
        ("What is Peter Alder related to?", "Peter Alder"),
        ("Was hängt mit Peter Alder zusammen?", "Peter Alder"),
        ("Womit ist Tallow Bay Pottery Ltd verbunden?", "Tallow Bay Pottery Ltd"),
        ("Was steht mit Petra Lund in Verbindung?", "Petra Lund"),
        ("How is the rent related to the index?", ""),
        ("What is the rent?", ""),
        ("Which costs are related?", ""),
    ],
)
def test_the_name_that_is_asked_about(question: str, name: str) -> None:
    assert related_name(question) == name
    assert (apply_rules(question).rule == "relations") == bool(name)


def view() -> GraphView:
    store = MemoryGraphStore()
    store.put_document("log", make_paragraphs(TEXT))
    return GraphView(store)


@pytest.mark.parametrize("question", ["What is related to Peter Alder?", "Was hängt mit Peter Alder zusammen?"])
async def test_each_relation_is_told_with_the_sentence_that_states_it(question: str) -> None:
    given = await answer_about_system(question, tenant="default", library=sample_library(), model_name=None, ports=OverviewPorts(graph=view()))
    lines = given.answer.text.splitlines()
    assert lines[0] == "Peter Alder is related to 2 names in 1 document:"
    assert "- Peter Alder works at Tallow Bay Pottery Ltd: “Peter Alder works at Tallow Bay Pottery Ltd in our town.” [1]" in lines
    assert any(line.endswith("“Peter Alder met Petra Lund at the kiln.” [2]") for line in lines)
    assert all(TEXT[each.start : each.end] == each.quote for each in given.answer.citations)


async def test_an_unknown_name_and_one_that_stands_alone_are_told() -> None:
    unknown = await describe_relations("Orme Boats", "default", view(), sample_library())
    assert (unknown.found, unknown.text) == (False, "Your documents name nothing called “Orme Boats”, so nothing is known to be related to it.")
    store = MemoryGraphStore()
    store.put_document("log", make_paragraphs("We wrote to Petra Lund."))
    alone = await describe_relations("Petra Lund", "default", GraphView(store), sample_library())
    assert alone.text == "No sentence of your documents names Petra Lund together with another name."


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (Filters(document_ids=["lease"]), ["Peter Alder is related to 1 name in 1 document:", "Petra Lund"]),
        (Filters(file_types=[".txt"]), ["Peter Alder is related to 1 name in 1 document:", "Tallow Bay Pottery Ltd"]),
        (Filters(), ["Peter Alder is related to 2 names in 2 documents:", "Petra Lund", "Tallow Bay Pottery Ltd"]),
        (Filters(path_prefix="/library/taxes"), ["No sentence of the documents within your limits names Peter Alder together with another name."]),
    ],
)
async def test_what_documents_outside_the_limits_relate_is_not_told(limits: Filters, told: list[str]) -> None:
    store = MemoryGraphStore()
    store.put_document("notes", make_paragraphs("Peter Alder works at Tallow Bay Pottery Ltd in our town."))
    store.put_document("lease", make_paragraphs("Peter Alder met Petra Lund at the kiln."))
    answer = await describe_relations("Peter Alder", "default", GraphView(store), sample_library(), limits)
    assert [words for words in told if words not in answer.text] == []
    assert [name for name in ("Petra Lund", "Tallow Bay Pottery Ltd") if (name in answer.text) != (name in told)] == []
    assert all(not limits.document_ids or each.document_id in limits.document_ids for each in answer.citations)


class _LoadingGraph(GraphView):
    async def match(self, *args: object, **options: object) -> list[EntityMatch]:
        raise Unavailable("The knowledge graph is still being loaded.")


async def test_a_graph_that_cannot_be_asked_is_said_to_be_missing() -> None:
    told: list[Answer] = [
        await describe_relations("Petra Lund", "default", graph, sample_library()) for graph in (None, _LoadingGraph(MemoryGraphStore()))
    ]
    assert "no knowledge graph" in told[0].text
    assert told[1].text == "What is related to “Petra Lund” cannot be told now."
    assert [(each.part, "still being loaded" in each.reason) for each in told[1].degraded] == [("graph", True)]
    assert not any(each.found for each in told)
