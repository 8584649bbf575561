"""The view of a tenant's graph: what resolves to one entity, what a walk reaches, and that only the present documents decide."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InvalidInput, NotFound
from core.graph import EntityType
from core.search import Filters
from graph.entity_views import show_entity
from graph.graph_view import GraphView
from graph.normalisation import key_of, similarity
from graph.tenant_graph import TenantGraph, surface_id
from graph.top_relations import strength
from tests.support.graphs import MemoryGraphStore, make_paragraphs, shown_edges

T = "default"
SENTENCES = (
    "Mara Ellison works at Trevanion & Holt.",
    "The Ministry of Harbours wrote to Mara Ellison about Quay 7.",
    "Trevannion & Holt LLP is based in Rotterdam.",
    "Trevanion & Holt Ltd signed Amendment No. 1 on 3 May 2024.",
    "Later, Amendment No. 2 replaced Amendment No. 1 for £7,900.",
    "Peter Marsh and Petra Marsh met the Harbour Authority in Rotterdam.",
    "The Harbour Autority owns Quay 7 and Quay 8.",
    "We asked Peter Marsh (p.marsh@holt.example) about report SLS-26-3318.",
    "Nobody in Rotterdam knows Ellison.",
)


def snapshot(graph: TenantGraph) -> dict[str, Any]:
    """Everything that the view says, without the order in which it came about."""
    return {
        "entities": sorted(
            (show_entity(graph, centre).model_dump_json(), sorted((each.key, each.kind.value) for each in centre.group)) for centre in graph.centres()
        ),
        "edges": sorted(
            (sorted([(a.key, a.kind.value), (b.key, b.kind.value)]), strength(data["said"]), len(data["said"]))
            for a, b, data in shown_edges(graph.graph)
        ),
        "titles": {key: sorted(record.id for record in records) for key, records in graph.titles.items()},
        "aliases": {key: sorted(each.key for each in surfaces) for key, surfaces in graph.by_alias.items()},
        "parts": {key: sorted(each.key for each in surfaces) for key, surfaces in graph.by_part.items()},
        "chunks": graph.chunks,
    }


def fresh(store: MemoryGraphStore, order: list[str] | None = None) -> TenantGraph:
    graph = TenantGraph(T)
    for document_id in order or [document_id for _, document_id in store.stored]:
        graph.put(store.stored[T, document_id])
    graph.regroup_entities()
    return graph


def entity(graph: TenantGraph, key: str, kind: EntityType) -> Any:
    return next(each for each in graph.by_key[key] if each.kind is kind).centre


# ---------------------------------------------------------------------------------------------------------------- resolution
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Trevanion & Holt", "Trevanion and Holt LLP"),
        ("The Halden Group", "halden group"),
        ("Møller & Cie.", "Moller & Cie"),
        ("U.S. Steel Corp.", "US Steel"),
        ("Aschenbrödel", "Aschenbrodel"),
        ("Mara Ellison’s", "Mara Ellison"),
    ],
)
def test_spellings_of_a_name_share_its_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("trevanion and holt", "trevannion and holt", EntityType.ORGANIZATION),
        ("ellison mara", "mara ellison", EntityType.PERSON),
        ("audit committee", "audit committees", EntityType.CONCEPT),
        ("friedrichshafen", "friedrichshaven", EntityType.LOCATION),
    ],
)
def test_names_that_are_spelt_alike_may_be_one(one: str, other: str, kind: EntityType) -> None:
    assert similarity(one, other, kind) > 0.85
    assert similarity(one, other, kind) == similarity(other, one, kind)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("amendment no 1", "amendment no 2", EntityType.CONCEPT),
        ("louis xiv", "louis xvi", EntityType.PERSON),
        ("part i", "part ii", EntityType.CONCEPT),
        ("crane a", "crane b", EntityType.CONCEPT),
        ("mark ellison", "mary ellison", EntityType.PERSON),
        ("daniel weber", "daniela weber", EntityType.PERSON),
        ("austria", "australia", EntityType.LOCATION),
        ("north korea", "south korea", EntityType.LOCATION),
        ("bank of england", "bank of finland", EntityType.ORGANIZATION),
        ("2026-10-06", "2026-10-07", EntityType.DATE),
        ("7900 gbp", "7901 gbp", EntityType.AMOUNT),
        ("sls-26-3318", "sls-26-3319", EntityType.IDENTIFIER),
        ("m.pascoe@holt.example", "n.pascoe@holt.example", EntityType.EMAIL),
    ],
)
def test_names_that_only_look_alike_stay_two(one: str, other: str, kind: EntityType) -> None:
    assert similarity(one, other, kind) <= 0.85


def test_the_same_firm_in_three_spellings_is_one_entity_with_aliases() -> None:
    store = MemoryGraphStore()
    store.put_document("a", make_paragraphs("We wrote to Trevanion & Holt Ltd about it."))
    store.put_document("b", make_paragraphs("We wrote to TREVANION & HOLT about it.", "Trevanion & Holt wrote back."))
    store.put_document("c", make_paragraphs("We wrote to Trevannion & Holt Ltd about it."))
    graph = fresh(store)
    found = show_entity(graph, entity(graph, "trevanion and holt", EntityType.ORGANIZATION))
    assert sorted(found.document_ids) == ["a", "b", "c"]
    assert found.name == "Trevanion & Holt"
    assert "Trevannion & Holt Ltd" in found.aliases
    assert graph.find_entity(surface_id(T, graph.by_key["trevannion and holt"][0])) is entity(graph, "trevanion and holt", EntityType.ORGANIZATION)


def test_what_it_counts_follows_what_it_holds() -> None:
    store = MemoryGraphStore()
    store.put_document("a", make_paragraphs(*SENTENCES[:3]))
    store.put_document("b", make_paragraphs(*SENTENCES[3:]))
    graph = fresh(store, ["a"])
    first = graph.counts()
    assert first == fresh(store, ["a"]).counts()
    graph.put(store.stored[T, "b"])
    graph.regroup_entities()
    assert graph.counts() == fresh(store).counts() != first
    graph.drop("b")
    graph.regroup_entities()
    assert graph.counts() == first


def test_what_the_rules_could_not_type_joins_the_typed_entity_of_its_name() -> None:
    store = MemoryGraphStore()
    store.put_document("a", make_paragraphs("# Mara Ellison", "She wrote it."), title="Mara Ellison")
    store.put_document("b", make_paragraphs("A letter to Mara Ellison and Mr Mara Ellison said so."))
    graph = fresh(store)
    found = show_entity(graph, graph.by_key["mara ellison"][0].centre)
    assert found.entity_type is EntityType.PERSON
    assert found.document_ids == ["b", "a"] or sorted(found.document_ids) == ["a", "b"]
    assert found.properties["title_of"] == ["a"]


# ---------------------------------------------------------------------------------------------------------------- only what is present
texts = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(lambda chosen: tuple(dict.fromkeys(chosen)))
steps = st.lists(st.tuples(st.sampled_from("abcde"), st.one_of(st.none(), texts)), min_size=1, max_size=12)


@given(steps)
@settings(max_examples=60, deadline=None)
def test_adding_and_removing_leaves_what_only_adding_would_have_made(history: list[tuple[str, tuple[str, ...] | None]]) -> None:
    store, graph = MemoryGraphStore(), TenantGraph(T)
    for document_id, sentences in history:
        if sentences is None:
            store.stored.pop((T, document_id), None)
            graph.drop(document_id)
        else:
            graph.put(store.put_document(document_id, make_paragraphs(*sentences), title=f"Paper {document_id}"))
        graph.regroup_entities()
    present = [document_id for _, document_id in store.stored]
    assert snapshot(graph) == snapshot(fresh(store)) == snapshot(fresh(store, present[::-1]))
    for document_id in present:
        graph.drop(document_id)
    graph.regroup_entities()
    empty = TenantGraph(T)
    assert snapshot(graph) == snapshot(empty)
    assert {name: len(value) for name, value in vars(graph).items() if hasattr(value, "__len__") and name != "tenant"} == {
        name: len(value) for name, value in vars(empty).items() if hasattr(value, "__len__") and name != "tenant"
    }


def test_a_name_in_which_a_word_comes_twice_is_taken_away_again() -> None:
    store, graph = MemoryGraphStore(), TenantGraph(T)
    graph.put(store.put_document("a", make_paragraphs("Walla Walla Walla Harbour Company wrote."), title="Lease by lease by lease"))
    assert any(key.split().count("lease") > 1 for key in graph.by_key)
    graph.drop("a")
    graph.regroup_entities()
    assert snapshot(graph) == snapshot(TenantGraph(T))


# ---------------------------------------------------------------------------------------------------------------- GraphView
@pytest.fixture
def store() -> MemoryGraphStore:
    made = MemoryGraphStore()
    made.put_document("lease", make_paragraphs("# Lease of Quay 7", SENTENCES[0], SENTENCES[1]), title="Lease of Quay 7")
    made.put_document("letter", make_paragraphs(SENTENCES[6], "Nobody reads the Lease of Quay 7 in Rotterdam."), title="Letter")
    made.put_document("mail", make_paragraphs(SENTENCES[7], SENTENCES[5]), title="Mail")
    return made


async def ids(view: GraphView, *names: str) -> list[str]:
    return [match.entity.id for match in await view.match(T, list(names), "")]


async def test_names_are_matched_exactly_by_alias_and_spelt_nearly(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    how = {match.matched: (match.entity.name, match.how) for match in await view.match(T, ["mara ellison", "Elson", "Trevanion"], "")}
    assert how == {"mara ellison": ("Mara Ellison", "exact"), "Trevanion": ("Trevanion & Holt", "alias")}
    (fuzzy,) = await view.match(T, ["Trevannion & Holt"], "")
    assert (fuzzy.entity.name, fuzzy.how) == ("Trevanion & Holt", "fuzzy")
    assert 0.85 < fuzzy.similarity < 1


async def test_phrases_of_a_question_are_matched_and_common_words_are_not(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    found = [match.entity.name for match in await view.match(T, [], "what does the ministry of harbours say about quay 7?")]
    assert sorted(found) == ["Ministry of Harbours", "Quay 7"]
    assert await view.match(T, [], "What is the letter about and who may say so?") == []
    assert await view.match("somebody else", ["Mara Ellison"], "Quay 7") == []


async def test_a_walk_takes_the_strongest_way_and_tells_it(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    (mara,) = await ids(view, "Mara Ellison")
    assert await view.walk(T, [mara], 0) == []
    near = await view.walk(T, [mara], 1)
    assert near[0].entity.name == "Trevanion & Holt"
    assert (near[0].path[0].relationship_type, near[0].path[0].because, near[0].path[0].forward) == ("WORKS_AT", SENTENCES[0], True)
    far = await view.walk(T, [mara], 2)
    assert {each.entity.name for each in near} < {each.entity.name for each in far}
    assert all(each.hops == len(each.path) and each.path[0].source == "Mara Ellison" for each in far)
    assert [each.score for each in far] == sorted((each.score for each in far), reverse=True)
    assert mara not in {each.entity.id for each in far}
    (firm,) = await ids(view, "Trevanion & Holt")
    back = next(each for each in await view.walk(T, [firm], 1) if each.entity.name == "Mara Ellison")
    assert back.path[0].forward is False
    assert await view.walk(T, ["unknown"], 2) == []


async def test_hits_prefer_rare_entities_and_several_in_one_passage(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    weights = dict.fromkeys([*await ids(view, "Mara Ellison"), *await ids(view, "Quay 7")], 1.0)
    found = await view.hits(T, weights, Filters())
    both = [hit for hit in found if "Mara Ellison" in hit.reason and "Quay 7" in hit.reason]
    assert found[0] == both[0]
    assert all(0 < hit.score <= 1 for hit in found)
    assert {hit.document_id for hit in found} == {"lease", "letter"}
    assert {hit.document_id for hit in await view.hits(T, weights, Filters(document_ids=["letter"]))} == {"letter"}
    assert len(await view.hits(T, weights, Filters(), limit=1)) == 1
    assert await view.hits(T, {"unknown": 1.0}, Filters()) == []


async def test_links_are_titles_and_shared_names(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    lease, letter = store.stored[T, "lease"].first_chunk, store.stored[T, "letter"].first_chunk
    found = await view.links(T, [letter, letter + 1, 10**9])
    assert [(link.from_chunk, link.to_chunk, link.to_document) for link in found if link.is_title] == [(letter + 1, lease, "lease")]
    shared = {(link.phrase, link.to_document) for link in found if not link.is_title}
    assert ("quay 7", "lease") in shared
    assert ("rotterdam", "mail") in shared
    assert all(link.from_chunk != link.to_chunk for link in found)
    assert len(await view.links(T, [letter], limit_per_chunk=1)) == 1


async def test_titles_in_a_question(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    assert await view.titles(T, "Who signed the lease of Quay 7?") == {"lease": ["Lease of Quay 7"]}
    assert await view.titles(T, "Was there a Letter?") == {"letter": ["Letter"]}
    assert await view.titles(T, "Was there a letter, Peter?") == {}


async def test_a_title_that_ends_in_a_full_stop_is_a_title() -> None:
    store = MemoryGraphStore()
    store.put_document("flow", make_paragraphs("The flow was steady."), title="Flow past a heated plate .")
    store.put_document("later", make_paragraphs("It goes on from “Flow past a heated plate” and its figures."), title="Later work.")
    view = GraphView(store)
    assert await view.titles(T, "Who wrote Flow past a heated plate?") == {"flow": ["Flow past a heated plate ."]}
    (chunk,) = [each.first_chunk for each in store.stored.values() if each.document_id == "later"]
    assert [(link.to_document, link.is_title) for link in await view.links(T, [chunk]) if link.to_document == "flow"] == [("flow", True)]


async def test_the_view_follows_the_store(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    before = await view.counts(T)
    store.put_document("more", make_paragraphs("Ingrid Solberg works for Halden Shipping Ltd."))
    assert (await view.counts(T)).documents == before.documents + 1
    assert await ids(view, "Ingrid Solberg")
    store.remove_document("more")
    assert await view.counts(T) == before
    assert await ids(view, "Ingrid Solberg") == []


async def test_views_are_loaded_ahead(store: MemoryGraphStore) -> None:
    loaded: list[str] = []
    done = anyio.Event()

    class Watched(MemoryGraphStore):
        async def load(self, tenant: str, document_ids: Any) -> Any:
            loaded.extend(document_ids)
            done.set()
            return await super().load(tenant, document_ids)

    watched = Watched()
    watched.stored = store.stored
    view = GraphView(watched)
    view.start()
    with anyio.fail_after(10):
        await done.wait()
        assert (await view.counts(T)).documents == 3
    assert sorted(loaded) == ["lease", "letter", "mail"]
    await view.close()
    await GraphView(watched).close()


async def test_readers_and_changes_at_the_same_time(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    seen: list[int] = []

    async def ask() -> None:
        for _ in range(15):
            matches = await view.match(T, ["Mara Ellison", "Peter Marsh"], "Rotterdam and Quay 7")
            seen.append(len(await view.walk(T, [match.entity.id for match in matches], 2)))
            await view.links(T, [1, 2, 3])

    async def change() -> None:
        for turn in range(15):
            store.put_document(f"more {turn % 3}", make_paragraphs(SENTENCES[turn % 9], SENTENCES[(turn + 4) % 9]))
            await view.counts(T)

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(ask)
        group.start_soon(change)
    assert len(seen) == 60
    again = GraphView(store)
    assert (await view.entities(T, limit=500)).model_dump() == (await again.entities(T, limit=500)).model_dump()


async def test_the_listing_goes_page_by_page_and_searches_names_and_aliases(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    whole = await view.entities(T, limit=500)
    assert whole.total == len(whole.entities)
    assert whole.next_cursor is None
    assert [each.mentions for each in whole.entities] == sorted((each.mentions for each in whole.entities), reverse=True)
    paged, cursor = [], None
    for _ in range(whole.total):
        page = await view.entities(T, limit=3, cursor=cursor)
        paged += page.entities
        cursor = page.next_cursor
        if cursor is None:
            break
    assert paged == whole.entities
    assert [each.name for each in (await view.entities(T, text="TREVAN")).entities] == ["Trevanion & Holt"]
    people = await view.entities(T, entity_type=EntityType.PERSON)
    assert {each.entity_type for each in people.entities} == {EntityType.PERSON}
    assert (await view.entities("nobody")).total == 0
    for cursor in ("nonsense", "e30=", "WyJhIiwxLDJd"):
        with pytest.raises(InvalidInput):
            await view.entities(T, cursor=cursor)


async def test_a_neighbourhood_shows_entities_relationships_with_evidence_and_documents(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    (mara,) = await ids(view, "Mara Ellison")
    found = await view.neighbourhood(T, mara)
    names = {each.id: each.name for each in found.entities}
    works = next(each for each in found.relationships if each.relationship_type == "WORKS_AT")
    assert (names[works.source_id], names[works.target_id]) == ("Mara Ellison", "Trevanion & Holt")
    assert works.evidence[0].text == SENTENCES[0]
    assert [each.id for each in found.documents] == ["lease"]
    mentions = [each for each in found.relationships if each.relationship_type == "MENTIONS"]
    assert [(each.source_id, each.target_id) for each in mentions] == [("lease", mara)]
    assert not found.truncated
    small = await view.neighbourhood(T, mara, hops=2, limit=2)
    assert len(small.entities) == 2
    assert small.truncated
    for tenant, unknown in ((T, "nothing"), ("nobody", mara)):
        with pytest.raises(NotFound):
            await view.neighbourhood(tenant, unknown)


async def test_what_a_document_says(store: MemoryGraphStore) -> None:
    view = GraphView(store)
    found = await view.document_entities(T, "lease")
    text = store.texts_of["lease"].text
    assert found.entities[0].count == max(each.count for each in found.entities)
    for each in found.entities:
        assert len(each.mentions) == min(50, each.count)
    mara = next(each for each in found.entities if each.entity.name == "Mara Ellison")
    assert [text[mention.start : mention.end] for mention in mara.mentions] == ["Mara Ellison", "Mara Ellison"]
    assert {each.relationship_type for each in found.relationships} >= {"WORKS_AT", "RELATED_TO"}
    assert all(each.evidence for each in found.relationships)
    with pytest.raises(NotFound):
        await view.document_entities("nobody", "lease")
