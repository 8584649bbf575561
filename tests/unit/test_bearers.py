"""Socrates and names: he asks who is meant only where several really bear the name and each would get another answer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agents.clarification.agent import Ambiguity, find_ambiguity
from agents.clarification.name_bearers import bears_name, lone_names
from core.documents import BlockKind, StoredChunk
from core.graph import Entity, EntityType
from core.search import Filters, Intent
from graph.graph_view import GraphView
from tests.support.graphs import THEN, MemoryGraphStore, make_paragraphs
from tests.support.ports import FakeLibrary


class Shelf(FakeLibrary):
    """A library whose chunks are the paragraphs that the graph was made of."""

    def __init__(self, store: MemoryGraphStore) -> None:
        super().__init__([])
        self.store = store

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        texts = await self.store.texts(tenant, chunk_ids)
        return {
            each: StoredChunk(
                id=each, document_id="d", generation=1, ordinal=each, start=0, end=len(text), page=None,
                section=[], kind=BlockKind.PARAGRAPH, tokens=20, prefix="", text=text,
            )
            for each, text in texts.items()
        }  # fmt: skip


TWO_MARLOWS = {
    "budget": [
        "Ingrid Marlow presented the budget for the ferry terminal on Tuesday.",
        "The budget grows by four per cent, said Ingrid Marlow; the pension fund is untouched.",
    ],
    "works": [
        "Tobias Marlow repaired the slipway in March and wrote a report about rust.",
        "For the budget of the slipway Tobias Marlow asks for 12,000 euros, and the pension of two welders.",
    ],
}
TWO_FIRMS = {
    "first": ["Haldane Shipping Ltd carries the timber.", "The delivery by Haldane Shipping Ltd takes nine days."],
    "second": ["Haldane Crane Services Ltd lifts the boilers.", "The delivery by Haldane Crane Services Ltd takes two days."],
}


async def asked(documents: dict[str, list[str]], question: str, filters: Filters | None = None) -> list[str]:
    store = MemoryGraphStore()
    for name, texts in documents.items():
        store.put_document(name, make_paragraphs(*texts))
    about = Ambiguity(question=question, intent=Intent.DOCUMENT_SEARCH, filters=filters or Filters())
    found = await find_ambiguity(about, tenant="default", library=Shelf(store), graph=GraphView(store))
    return found.questions if found else []


@pytest.mark.parametrize(
    ("documents", "question", "choices"),
    [
        (TWO_MARLOWS, "What does Marlow say about the budget?", ["Ingrid Marlow", "Tobias Marlow"]),
        (TWO_MARLOWS, "Who is Marlow?", ["Ingrid Marlow", "Tobias Marlow"]),
        (TWO_MARLOWS, "What is Marlow's budget?", ["Ingrid Marlow", "Tobias Marlow"]),
        (TWO_FIRMS, "How long is the delivery of Haldane?", ["Haldane Crane Services Ltd", "Haldane Shipping Ltd"]),
    ],
)
async def test_who_is_meant_is_asked_where_each_would_get_another_answer(documents: dict[str, list[str]], question: str, choices: list[str]) -> None:
    questions = await asked(documents, question)
    assert len(questions) == len(choices)
    assert all(any(choice in each for each in questions) for choice in choices)


@pytest.mark.parametrize(
    "question",
    [
        "What did Marlow repair?",  # only one of them repaired
        "What does Marlow say about the ferry?",  # a subject that only one speaks of
        "What does Ingrid Marlow say about the budget?",  # said in full
        "What does Marlow say about giraffes?",  # neither does
        "What happened in Marlow, Ohio, with the budget?",  # a place
        "Which Marlow asks for a budget?",  # it asks for the one
    ],
)
async def test_words_that_tell_them_apart_are_enough(question: str) -> None:
    assert await asked(TWO_MARLOWS, question) == []


async def test_a_filter_that_leaves_one_is_enough() -> None:
    assert await asked(TWO_MARLOWS, "What does Marlow say about the budget?", Filters(document_ids=["works"])) == []


@pytest.mark.parametrize(
    ("documents", "question"),
    [
        # an acronym that the extraction may take for a first name
        (
            {"a": ["RNA Polymerase reads the strand. RNA Polymerase is large."], "b": ["RNA Folding is slow. RNA Folding is studied."]},
            "What reads RNA?",
        ),
        # the name is a part of others' names, which they are not called by
        ({"a": ["Otto Brandtner sails. Otto Brandtner wins."], "b": ["Emil Brandtson sails. Emil Brandtson loses."]}, "Where does Brandt sail?"),
        (
            {"a": ["Mary Quill Norrby sails. Mary Quill Norrby wins."], "b": ["Peter Quill Lund sails. Peter Quill Lund loses."]},
            "Where does Quill sail?",
        ),
        # once is no evidence
        ({"a": ["Ingrid Marlow sails."], "b": ["Tobias Marlow sails."]}, "Where does Marlow sail?"),
        # one person, written in two ways
        (
            {"a": ["Ingrid T. Marlow sails. Ingrid T. Marlow wins."], "b": ["Ingrid Theresa Marlow sails. Ingrid Theresa Marlow wins."]},
            "Where does Marlow sail?",
        ),
        # one passage answers for both
        ({"a": ["Ingrid Marlow and Tobias Marlow sail to Fanø.", "Tobias Marlow and Ingrid Marlow sail to Rømø."]}, "Where does Marlow sail?"),
        # the town is known by exactly this name
        (
            {
                "a": ["Ingrid Houston plans the harbour. Ingrid Houston sails.", "The harbour of Houston is deep. Houston is a port."],
                "b": ["Tobias Houston plans the harbour. Tobias Houston sails."],
            },
            "Who plans the harbour of Houston?",
        ),
    ],
)
async def test_names_that_are_borne_by_nobody_or_by_one_interrupt_nothing(documents: dict[str, list[str]], question: str) -> None:
    assert await asked(documents, question) == []


def entity(name: str, *aliases: str, kind: EntityType = EntityType.PERSON) -> Entity:
    return Entity(id=name, name=name, entity_type=kind, aliases=list(aliases), mentions=4, created_at=THEN)


@pytest.mark.parametrize(
    ("one", "name", "borne"),
    [
        (entity("Ingrid Marlow"), "Marlow", True),
        (entity("Ingrid Marlow"), "Ingrid", True),
        (entity("Edwin T. Marlow", "Buzz"), "Buzz", True),
        (entity("Ingrid Quill Marlow"), "Quill", False),  # a name between the others calls nobody
        (entity("Ingrid Marlowe"), "Marlow", False),
        (entity("RNA Polymerase"), "Polymerase", False),  # capitals that were taken for a person
        (entity("Josef RNA"), "Josef", False),
        (entity("Marlow"), "Marlow", False),  # nobody's whole name: who that is, is not known
        (entity("Haldane Shipping Ltd", kind=EntityType.ORGANIZATION), "Haldane", True),
        (entity("Haldane Shipping Ltd", kind=EntityType.ORGANIZATION), "Shipping", False),
    ],
)
def test_a_name_is_borne_not_contained(one: Entity, name: str, borne: bool) -> None:
    assert bears_name(one, name) == borne


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What does Marlow say?", ["Marlow"]),
        ("What is Marlow’s view?", ["Marlow"]),
        ("What does DNA hold?", []),
        ("Who lives in Leith, Scotland?", ["Scotland"]),
        ("Where is M12-8840?", []),
        ("", []),
    ],
)
def test_what_counts_as_a_name_alone(question: str, found: list[str]) -> None:
    assert lone_names(question) == found
