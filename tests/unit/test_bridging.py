"""The bridging entity: found where it stands clearly, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast

import pytest

from agents.planner.bridge_entity import BridgeSearch, HopPassage, find_bridge
from agents.planner.descriptions import DescribedKind
from agents.planner.wanted_names import WantedName, name_fit, wanted_name
from core.errors import Unavailable
from core.graph import Entity, EntityMatch, EntityType, ExpandedEntity
from core.ports import KnowledgeGraph
from tests.support.word_reader import LostReader, WordsReader


def clue(text: str, title: str = "", *, score: float = 1.0, document: str = "d") -> HopPassage:
    return HopPassage(
        document_id=document, generation=3, filename=f"{document}.txt", title=title, section=[], page=2, start=100, text=text, score=score
    )


CASES = [
    (
        "Who is the person who approved the Kestrel quote?",
        ["Q-20417 came on Monday. The Kestrel quote was approved by Mara Ellison, operations director, in October. Tom Hale objected."],
        "Mara Ellison",
    ),
    (
        "What is the firm that Mara Ellison works for?",
        ["Mara Ellison works at Trevanion & Holt as an agent. Tom Hale is at Norland Ltd."],
        "Trevanion & Holt",
    ),
    ("Who is the landlord's agent?", ["The weather was fine.", "The landlord's agent is Trevanion & Holt LLP of Falmouth."], "Trevanion & Holt LLP"),
    ("What is the city where the quote was signed?", ["The quote was signed by Anna Berg in Falmouth on Monday."], "Falmouth"),
    ("What is the year when the lease of Quay 7 was signed?", ["The lease of Quay 7 was signed in 2019 by Anna Berg."], "2019"),
    ("Who is the manager of the cold store?", ["| Name | Role |\n| Ines Duarte | manager of the cold store |\n| Bo Lind | driver |"], "Ines Duarte"),
    (
        "What is the firm that Ms Pascoe works for?",
        ["Name | Works for | Reach\nJory Penhallow | Elver Quay Estates LLP | agent\nMorwenna Pascoe | Trevanion & Holt | m.pascoe@th.example"],
        "Trevanion & Holt",
    ),
    ("Who is the landlord's agent?", ["Landlord's Agent: Ms Morwenna Pascoe, or such other person as the Landlord names."], "Morwenna Pascoe"),
    (
        "Who is the person who approved the reach trucks?",
        ["Reach trucks. Mara checked that the sum is within the budget, and approved it.", "Reach trucks\nEmeka Douglas"],
        "Mara",
    ),
    ("Who is the author of the report?", ["The author of the report, Jürgen Müller, lives in Köln."], "Jürgen Müller"),
]


@pytest.mark.parametrize(("asked", "texts", "name"), CASES)
async def test_the_name_that_stands_there(asked: str, texts: list[str], name: str) -> None:
    found = await find_bridge(BridgeSearch(tenant="t", question=asked, passages=[clue(text) for text in texts]))
    assert found is not None
    assert found.name == name
    text = next(text for text in texts if name in text)
    assert text[found.citation.start - 100 : found.citation.end - 100] == found.citation.quote
    assert name in found.citation.quote
    assert (found.citation.generation, found.citation.filename, found.citation.page) == (3, "d.txt", 2)


async def test_a_word_that_only_opens_its_sentence_is_no_name() -> None:
    texts = ["Depending on the ferry, the film shows the bridge and its lamps when the bridge is closed."]
    asked = "What is the film that shows the bridge and its lamps?"
    assert await find_bridge(BridgeSearch(tenant="t", question=asked, passages=[clue(text) for text in texts])) is None


async def test_what_the_reader_takes_for_the_answer_is_preferred() -> None:
    texts = ["The quote of May was signed by Anna Berg before Tom Hale was asked.", "Ines Duarte came in June."]
    asked = BridgeSearch(tenant="t", question="Who is the person who signed the quote of May?", passages=[clue(text) for text in texts])
    alone, read = await find_bridge(asked), await find_bridge(asked, reader=WordsReader({"Tom Hale": 6.0}))
    assert alone is not None
    assert read is not None
    assert (alone.name, read.name) == ("Anna Berg", "Tom Hale")
    assert read.score > alone.score


async def test_a_sentence_with_few_words_of_the_question_can_hold_what_the_reader_found() -> None:
    text = "A pilot without fear. The person of the harbour in charge is Ines Duarte."
    asked = BridgeSearch(tenant="t", question="Who is the woman who commanded the harbour boats?", passages=[clue(text)])
    assert await find_bridge(asked) is None
    found = await find_bridge(asked, reader=WordsReader({"Ines Duarte": 6.0}))
    assert found is not None
    assert found.name == "Ines Duarte"


async def test_a_reader_that_is_lost_says_so() -> None:
    asked = BridgeSearch(tenant="t", question="Who signed the quote?", passages=[clue("Anna Berg signed the quote.")])
    with pytest.raises(Unavailable):
        await find_bridge(asked, reader=LostReader({}))


async def test_a_title_speaks_for_its_pronoun() -> None:
    passage = clue("The Terminal is a 2004 film. It stars Tom Hanks as a man without a country.", "The Terminal (film)")
    found = await find_bridge(BridgeSearch(tenant="t", question="What is the film that stars Tom Hanks?", passages=[passage]))
    assert found is not None
    assert found.name == "The Terminal"
    assert found.citation.quote.startswith("It stars Tom Hanks")


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        ("Who is the person who approved the Kestrel quote?", ["The weather was fine in Paris. John Smith went home."]),
        ("Who is the person who approved the Kestrel quote?", ["The Kestrel quote was approved on Monday."]),
        ("Who is the person who approved the Kestrel quote?", ["The Kestrel quote was approved by Norland Handling Ltd."]),
        ("Who is the person who approved the Kestrel quote?", []),
        ("???", ["Mara Ellison approved it."]),
        ("Who is the manager?", ["\x00 \ud7ff 🜁🜁🜁", "x" * 5000, ""]),
    ],
)
async def test_nothing_is_guessed(asked: str, texts: list[str]) -> None:
    assert await find_bridge(BridgeSearch(tenant="t", question=asked, passages=[clue(text) for text in texts])) is None


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("Who is the person who approved it?", DescribedKind.PERSON),
        ("Who is the landlord's agent?", DescribedKind.ANYTHING),
        ("What is the firm that she works for?", DescribedKind.ORGANISATION),
        ("Which company delivered the crane?", DescribedKind.ORGANISATION),
        ("In which city is it?", DescribedKind.PLACE),
        ("Where is it?", DescribedKind.PLACE),
        ("When was it signed?", DescribedKind.DATE),
        ("Who signed it?", DescribedKind.PERSON),
        ("crane", DescribedKind.ANYTHING),
        ("", DescribedKind.ANYTHING),
    ],
)
def test_what_the_answer_must_be(asked: str, kind: DescribedKind) -> None:
    assert wanted_name(asked).kind is kind


@pytest.mark.parametrize(
    ("noun", "right", "wrong"),
    [
        ("country", ["Sri Lanka", "Georgia", "the Netherlands"], ["Africa", "Texas", "Paris"]),
        ("continent", ["Africa", "Australia"], ["Kenya", "London"]),
        ("state", ["Georgia", "New York"], ["United States", "Chicago"]),
        ("city", ["Paris", "Nashville"], ["Peru", "Europe", "Ohio"]),
        ("county", ["Fowey County"], ["Kenya", "Paris"]),
    ],
)
def test_a_place_of_another_sort_is_not_what_is_wanted(noun: str, right: list[str], wrong: list[str]) -> None:
    wanted = WantedName(DescribedKind.PLACE, noun)
    assert [name_fit(wanted, name, "It is ", "Title") for name in right] == [1.0] * len(right)
    assert all(name_fit(wanted, name, "It is in ", "Title") < 0.2 for name in wrong)


def test_a_place_is_no_person() -> None:
    assert name_fit(WantedName(DescribedKind.PERSON), "New York", "by ", "Title") == 0.0
    assert name_fit(WantedName(DescribedKind.PERSON), "Mara Ellison", "by ", "Title") == 1.0


async def test_the_name_in_the_question_with_more_words_is_not_what_it_asks_for() -> None:
    text = "The Mara Ellison Papers are about the town. Mara Ellison was born in Falmouth."
    found = await find_bridge(BridgeSearch(tenant="t", question="What is the town where Mara Ellison was born?", passages=[clue(text)]))
    assert found is not None
    assert found.name == "Falmouth"


class Graph:
    """Matches names to entities and walks one step from any of them."""

    def __init__(self, types: dict[str, EntityType], beside: Sequence[str] = ()) -> None:
        self.types, self.beside = types, beside

    async def match(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> list[EntityMatch]:
        found = [name for name in self.types if name in names or name in text]
        return [EntityMatch(entity=entity(name, self.types[name]), matched=name, how="exact") for name in found]

    async def walk(self, tenant: str, entity_ids: Sequence[str], hops: int, limit: int = 20) -> list[ExpandedEntity]:
        return [ExpandedEntity(entity=entity(name, EntityType.ORGANIZATION), hops=1, score=0.5, path=[]) for name in self.beside]


def entity(name: str, kind: EntityType) -> Entity:
    return Entity(id=name, name=name, entity_type=kind, created_at=datetime(2026, 1, 1, tzinfo=UTC))


async def test_the_graph_decides_between_names_that_look_alike() -> None:
    asked = BridgeSearch(
        tenant="t", question="What is the firm that signed the lease?", passages=[clue("Alder Vale and then Birch Row signed the lease.")]
    )
    alone = await find_bridge(asked)
    graph = Graph({"Alder Vale": EntityType.ORGANIZATION, "Birch Row": EntityType.LOCATION})
    found = await find_bridge(asked, graph=cast(KnowledgeGraph, graph))
    assert alone is not None
    assert (alone.name, found and found.name) == ("Birch Row", "Alder Vale")


async def test_the_graph_knows_who_stands_beside_whom() -> None:
    asked = BridgeSearch(tenant="t", question="What is the firm that Mara works for?", passages=[clue("Mara works for Alder. Mara works for Birch.")])
    graph = Graph({"Mara": EntityType.PERSON}, beside=["Birch"])
    found = await find_bridge(asked, graph=cast(KnowledgeGraph, graph))
    assert found is not None
    assert found.name == "Birch"
