"""The terms of a document, the names of themes that are made of them, and classes of names that were read wrongly."""

from __future__ import annotations

import pytest

from core.graph import EntityType
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.graph_view import GraphView
from tests.support.communities import MemoryCommunities
from tests.support.graphs import MemoryGraphStore, graph_of, make_paragraphs, names_of


def terms_of(*texts: str, title: str = "") -> list[str]:
    return [each.name for each in graph_of(*texts, title=title).entities if each.entity_type is EntityType.TERM]


# ---------------------------------------------------------------------------------------------------------------------------------- terms


def test_what_title_headings_and_sentences_repeat_is_a_term_as_the_sentences_write_it() -> None:
    found = terms_of(
        "# GLASS KILN REPAIRS",
        "The glass kiln lost heat in March. A glass kiln must keep its heat for nine hours. Nobody repairs a cold oven.",
        "An oven lost its door once.",
        title="Glass kiln repairs of the year",
    )
    assert found == ["glass kiln repairs", "glass kiln"]


def test_names_verbs_codes_and_rows_are_no_terms() -> None:
    found = terms_of(
        "# Drive",
        "Marek Vondra leads Tallow Bay Pottery. You may drive here. They drive there. Marek Vondra signed for Tallow Bay Pottery.",
        "Order TB-44781 came late. Order TB-44781 was paid.",
        "firing | cone nine\nslow firing | cone nine\nslow firing | cone six",
    )
    assert found == []


def test_german_terms_end_in_a_noun() -> None:
    text = (
        "Die neue Brennordnung gilt für den alten Ofen und ist nicht lang. Die neue Brennordnung wird von der Leitung für alle Werkstätten geprüft."
    )
    assert terms_of(text) == ["neue Brennordnung"]


def test_terms_are_listed_nowhere_and_lead_nowhere() -> None:
    store = MemoryGraphStore()
    store.put_document("a", make_paragraphs("The glass kiln is cold. The glass kiln stands in Tallow Bay Pottery Ltd."), "")
    graph = store.stored["default", "a"]
    assert [each.name for each in graph.entities if each.entity_type is EntityType.TERM] == ["glass kiln"]


async def test_a_question_and_the_lists_know_no_terms() -> None:
    store = MemoryGraphStore()
    store.put_document("a", make_paragraphs("The glass kiln is cold. The glass kiln stands at Tallow Bay Pottery Ltd."), "")
    view = GraphView(store)
    assert await view.match("default", [], "Is the glass kiln cold?") == []
    assert [each.name for each in (await view.entities("default")).entities] == ["Tallow Bay Pottery Ltd"]
    assert [each.entity.name for each in (await view.document_entities("default", "a")).entities] == ["Tallow Bay Pottery Ltd"]
    store.remove_document("a")
    assert (await view.counts("default")).entities == 0
    assert (await view.community_graph("default")).nodes == ()


# --------------------------------------------------------------------------------------------------------------------------------- themes


KILN = (
    (
        "kiln one",
        "Marek Vondra lights the glass kiln. The glass kiln needs a new oven door, says Marek Vondra. The oven door came from Sollen Works Ltd.",
    ),
    ("kiln two", "Sollen Works Ltd repaired the glass kiln. The oven door of the glass kiln was cast by Sollen Works Ltd."),
)
BOATS = (
    ("boat one", "Petra Lund rows the harbour ferry. The harbour ferry has a spare anchor, which Petra Lund bought. The spare anchor is rusty."),
    ("boat two", "The harbour ferry was sold by Orme Boats Ltd. Orme Boats Ltd keeps the spare anchor of the harbour ferry."),
)
ROWS = (("rows", "name | company\nHelena Marsh | Dunmoor Textiles Ltd\nKarl Osten | Dunmoor Textiles Ltd\nHelena Brandt | Dunmoor Textiles Ltd"),)


async def find_themes(*documents: tuple[str, str]) -> dict[str, list[str]]:
    """Return the name of each theme -> the names of its members."""
    store = MemoryGraphStore()
    for document_id, text in documents:
        store.put_document(document_id, make_paragraphs(text), document_id)

    async def count(tenant: str) -> int:
        return len(documents)

    library = LibraryCommunities(GraphView(store), store, MemoryCommunities(store), CommunityOptions(enabled="on"), count)
    await library.refresh("default")
    page = await library.list_communities("default", themes=True)
    return {each.name: [member.name for member in each.members] for each in page.communities}


async def test_themes_are_named_by_terms_and_members_stand_behind() -> None:
    themes = await find_themes(*KILN, *BOATS)
    assert len(themes) == 2
    assert {"glass kiln", "harbour ferry"} == {name.lower().split(", ")[0] for name in themes}
    assert "Sollen Works Ltd" in {member for name, members in themes.items() if "iln" in name for member in members}
    assert not any("kiln" in member for members in themes.values() for member in members)


async def test_what_only_rows_of_a_table_set_side_by_side_is_no_theme() -> None:
    assert await find_themes(*ROWS) == {}
    assert len(await find_themes(*ROWS, *KILN)) == 1


async def test_a_name_of_a_theme_names_no_other() -> None:
    themes = await find_themes(*KILN, *BOATS)
    words = [term for name in themes for term in name.lower().split(", ")]
    assert len(words) == len(set(words))


# ----------------------------------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The letter of Yorick Dunmore Helen Marsh came back.", {("PERSON", "Helen Marsh"), ("CONCEPT", "Yorick Dunmore")}),
        ("Later the Kiln Workers Union Peter Alder was heard.", {("ORGANIZATION", "Kiln Workers Union"), ("PERSON", "Peter Alder")}),
        ("We heard Ruritanian President Karl Osten twice.", {("PERSON", "Karl Osten"), ("CONCEPT", "Ruritanian")}),
        ("There we met Helena Anne Marsh again.", {("PERSON", "Helena Anne Marsh")}),
        ("The boat lay off Saint Wenna in the fog.", {("CONCEPT", "Saint Wenna")}),
        ("METHODS We asked everybody in the Tallow Clinic.", {("ORGANIZATION", "Tallow Clinic")}),
        ("Much changed with the 2015 Ruritanian general election.", {("CONCEPT", "2015 Ruritanian general election")}),
        ("He wrote of the Tallow Bay campaign. The election was dull. Presidential elections are rare.", {("CONCEPT", "Tallow Bay campaign")}),
        ("The N-terminal end was cut, and the N-terminal end was lost.", set()),
    ],
)
def test_names_that_were_read_wrongly(text: str, wanted: set[tuple[str, str]]) -> None:
    assert {each for each in names_of(graph_of(text)) if each[0] != "TERM"} - {("CONCEPT", "N-terminal")} == wanted


def test_what_people_live_with_is_no_person() -> None:
    graph = graph_of("Doctors met patients with HLQ who recovered. Those with HLQ who did not were seen again.")
    assert ("PERSON", "HLQ") not in names_of(graph)
