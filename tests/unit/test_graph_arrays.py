"""The arrays of the graph say what plain dictionaries say, whatever was added and taken away before."""

from __future__ import annotations

from collections import Counter, defaultdict

from hypothesis import given, settings
from hypothesis import strategies as st

from core.graph import EntityType
from core.ports.graph_store import StoredGraph
from graph.graph_arrays import GraphArrays
from graph.hashed_numbers import DENSE, QUICK, HashedNumbers
from graph.int_rows import IntRows, block_size
from graph.packed_texts import SharedTexts
from graph.tenant_graph import TenantGraph, surface_id
from graph.top_relations import strength
from graph.written_names import pack_name, unpack_name
from tests.support.graphs import MemoryGraphStore, make_paragraphs, shown_edges

PEOPLE = ("Mara Ellison", "Peter Marsh", "Petra Lund", "Tobias Renn", "Ingrid Solberg")
FIRMS = ("Trevanion Docks Ltd", "Pellworm Ferries", "Halden Shipping Ltd", "Merrow Chandlers Ltd")
PLACES = ("Rotterdam", "Port Elver", "Hamburg")
sentences = st.one_of(
    st.builds("{} works at {}.".format, st.sampled_from(PEOPLE), st.sampled_from(FIRMS)),
    st.builds("{} is based in {}.".format, st.sampled_from(FIRMS), st.sampled_from(PLACES)),
    st.builds("{} met {} in {} on 3 May 2024.".format, st.sampled_from(PEOPLE), st.sampled_from(PEOPLE), st.sampled_from(PLACES)),
)
changes = st.lists(st.tuples(st.sampled_from("abcdef"), st.lists(sentences, max_size=5)), min_size=1, max_size=10)
Name = tuple[str, EntityType]
Said = list[tuple[str, int, str, float, Name]]
Uses = list[tuple[str, str, int, tuple[int, ...]]]


def stated(documents: list[StoredGraph]) -> dict[frozenset[Name], Said]:
    """The statements of documents by the pair of names, in dictionaries: (document, number, type, weight, source)."""
    found = defaultdict(list)
    for document in documents:
        names = [(each.key, each.entity_type) for each in document.entities]
        for number, each in enumerate(document.relationships):
            pair = frozenset((names[each.source], names[each.target]))
            if len(pair) == 2 and EntityType.TERM not in {kind for _, kind in pair}:
                found[pair].append((document.document_id, number, each.relationship_type, each.weight, names[each.source]))
    return {pair: sorted(said) for pair, said in found.items()}


def places_of(documents: list[StoredGraph]) -> dict[Name, Uses]:
    """The uses of each name, in dictionaries: (document, spelling, mentions, chunks)."""
    found = defaultdict(list)
    for document in documents:
        for each in document.entities:
            chunks = tuple(sorted({document.first_chunk + chunk for chunk, _, _ in each.mentions if chunk >= 0}))
            found[each.key, each.entity_type].append((document.document_id, each.name, len(each.mentions), chunks))
    return {name: sorted(uses) for name, uses in found.items()}


def check_against_dictionaries(graph: TenantGraph, documents: list[StoredGraph]) -> None:
    wanted = stated(documents)
    edges = {frozenset(((a.key, a.kind), (b.key, b.kind))): data["said"] for a, b, data in shown_edges(graph.graph)}
    assert {
        pair: sorted((each.record.id, each.ordinal, each.name, each.weight, (each.source.key, each.source.kind)) for each in said)
        for pair, said in edges.items()
    } == wanted
    assert graph.counts().relationships == len(wanted)
    assert graph.counts().documents == graph.documents == len(documents)
    uses = places_of(documents)
    check_names(graph, uses, wanted)
    check_chunks(graph, uses)


def check_names(graph: TenantGraph, uses: dict[Name, Uses], wanted: dict[frozenset[Name], Said]) -> None:
    arrays = graph.arrays
    for (key, kind), held in uses.items():
        index = graph.terms if kind is EntityType.TERM else graph.by_key
        (surface,) = (each for each in index[key] if each.kind is kind)
        rows = arrays.places.row(surface.number)
        assert sorted(
            (arrays.ids.text(arrays.place_document[place]), arrays.written_name(place).name, arrays.place_mentions[place],
             tuple(chunk for chunk, _ in arrays.chunks_at(place)))
            for place in rows
        ) == held  # fmt: skip
        assert arrays.frequency(surface.number) == sum(len(chunks) for *_, chunks in held)
        near = {centre for pair in wanted if (key, kind) in pair for other in pair - {(key, kind)} for centre in [_centre(graph, other)]}
        if kind is not EntityType.TERM:
            assert graph.find_entity(surface_id(graph.tenant, surface)) is surface.centre
            assert near - {surface.centre} <= {each.surface for each in graph.strongest_relations(surface.centre)}
    assert sum(len(surfaces) for surfaces in graph.by_key.values()) == sum(kind is not EntityType.TERM for _, kind in uses)


def check_chunks(graph: TenantGraph, uses: dict[Name, Uses]) -> None:
    by_chunk = Counter((chunk, name) for name, held in uses.items() if name[1] is not EntityType.TERM for *_, chunks in held for chunk in chunks)
    for chunk in {chunk for chunk, _ in by_chunk}:
        named = [graph.graph.surface(each) for each in graph.names_in_chunk(chunk)]
        assert {(each.key, each.kind) for each in named} == {name for other, name in by_chunk if other == chunk}


def _centre(graph: TenantGraph, name: Name) -> object:
    return next(each for each in graph.by_key[name[0]] if each.kind is name[1]).centre


@given(changes)
@settings(max_examples=40, deadline=None)
def test_the_arrays_say_what_dictionaries_say_after_every_change(history: list[tuple[str, list[str]]]) -> None:
    store, graph = MemoryGraphStore(), TenantGraph("default")
    for document_id, texts in history:
        if texts:
            graph.put(store.put_document(document_id, make_paragraphs(*texts), title=texts[0].split(" ")[0]))
        else:
            store.stored.pop(("default", document_id), None)
            graph.drop(document_id)
        graph.regroup_entities()
        check_against_dictionaries(graph, list(store.stored.values()))


@given(changes)
@settings(max_examples=30, deadline=None)
def test_what_a_delete_leaves_is_what_never_inserting_leaves(history: list[tuple[str, list[str]]]) -> None:
    store, graph, other = MemoryGraphStore(), TenantGraph("default"), TenantGraph("default")
    kept = store.put_document("kept", make_paragraphs("Mara Ellison works at Pellworm Ferries.", "Petra Lund met Mara Ellison in Hamburg."))
    for each in (graph, other):
        each.put(kept)
        each.regroup_entities()
    for document_id, texts in history:
        graph.put(store.put_document(document_id, make_paragraphs(*(texts or ["Nothing."]))))
        graph.regroup_entities()
    for document_id in {document_id for document_id, _ in history}:
        graph.drop(document_id)
    graph.regroup_entities()
    check_against_dictionaries(graph, [kept])
    assert graph.counts() == other.counts()
    for centre in other.centres():
        there = _centre(graph, (centre.key, centre.kind))
        assert graph.find_entity(surface_id("default", centre)) is there
    relations = [
        {centre.key: {near.key: strength(said) for near, said in each.neighbours(centre).items()} for centre in each.centres()}
        for each in (graph, other)
    ]
    assert relations[0] == relations[1]


@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 5))), st.sampled_from([DENSE, QUICK]))
@settings(deadline=None)
def test_hashed_numbers_are_a_dictionary_of_lists(steps: list[tuple[int, int]], full: float) -> None:
    held, plain = HashedNumbers(full), defaultdict[int, list[int]](list)
    for key, number in steps * 3:
        if number in plain[key] and number % 2:
            held.remove(key, number)
            plain[key].remove(number)
        else:
            held.add(key, number)
            plain[key].append(number)
        wanted = {key: numbers for key, numbers in plain.items() if numbers}
        assert {key: list(numbers) for key, numbers in held.items()} == wanted
        assert (len(held), key in held) == (len(wanted), key in wanted)


def test_many_hashes_are_found_after_the_table_grew() -> None:
    held = HashedNumbers()
    for key in range(-5_000, 5_000, 3):
        held.add(key * 7_919, key + 5_000)
    for key in range(-5_000, 5_000, 6):
        held.remove(key * 7_919, key + 5_000)
    assert all(list(held.get(key * 7_919)) == [key + 5_000] for key in range(-4_997, 5_000, 6))
    assert not any(key * 7_919 in held for key in range(-5_000, 5_000, 6))


def test_what_is_related_is_found_for_many_names_at_once() -> None:
    graph = TenantGraph("default")
    store = MemoryGraphStore()
    for number in range(70):  # more than are added up one by one
        store.put_document(
            f"d{number}", make_paragraphs(f"Mara Ellison met {PEOPLE[1 + number % 4]} {'and Ingrid Solberg ' * (number % 2)}in Hamburg.")
        )
    for stored in store.stored.values():
        graph.put(stored)
    graph.regroup_entities()
    arrays = graph.arrays
    surfaces = [each.number for key in ("mara ellison", "peter marsh", "hamburg") for each in graph.by_key[key]]
    own, other = arrays.find_related(surfaces)
    assert max(map(arrays.said.count, surfaces)) > 64
    for each in surfaces:
        assert set(other[own == each].tolist()) == arrays.neighbours(each)
        assert arrays.count_neighbours(each) == len(arrays.neighbours(each)) > 1
    assert [len(found) for found in arrays.find_related([])] == [0, 0]
    assert len(arrays.find_related([arrays.keys.size + 5])[0]) == 0  # a row that was never written


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 400), st.integers(1, 90))))
@settings(deadline=None)
def test_rows_of_numbers_are_lists(steps: list[tuple[int, int, int]]) -> None:
    held, plain = IntRows(), defaultdict[int, list[int]](list)
    for row, value, times in steps:
        if value in plain[row]:
            held.remove(row, value)
            plain[row].remove(value)
        for number in range(times):
            held.add(row, value + number)
            plain[row].append(value + number)
        assert [list(held.row(each)) for each in range(4)] == [plain[each] for each in range(4)]


def test_a_block_is_at_most_an_eighth_too_large() -> None:
    assert all(count <= block_size(count) <= count * 9 / 8 for count in range(5_000))
    assert all(block_size(block_size(count)) == block_size(count) for count in range(5_000))


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["", "a", "Ärger", "half \ud800", "x" * 50]))))
def test_texts_are_kept_once_for_as_long_as_they_are_used(steps: list[tuple[bool, str]]) -> None:
    held, numbers = SharedTexts(), defaultdict[str, list[int]](list)
    for is_added, text in steps:
        if is_added:
            numbers[text].append(held.add(text))
        elif numbers[text]:
            held.drop(numbers[text].pop())
        assert all(held.text(number) == text for text, used in numbers.items() for number in used)
        assert all(len(set(used)) <= 1 for used in numbers.values())


def test_a_name_comes_back_with_all_that_was_said_of_it() -> None:
    for name, aliases, properties in (("Quay 7", (), {}), ("\0odd", (), {}), ("£7,900", ("7900",), {"value": 7900.5, "title_of": True})):
        assert unpack_name(pack_name(name, aliases, properties)) == (name, aliases, properties)


def test_a_document_without_chunks_hides_no_other() -> None:
    store, graph = MemoryGraphStore(), TenantGraph("default")
    full = store.put_document("full", make_paragraphs("Mara Ellison works at Pellworm Ferries."))
    empty = StoredGraph("empty", 1, 99, full.first_chunk, 0, "empty.txt", "", "rules")
    for order in ((full, empty), (empty, full)):
        for stored in order:
            graph.put(stored)
        record = graph.record_of(full.first_chunk)
        assert record is not None
        assert record.id == "full"
        for stored in order:
            graph.drop(stored.document_id)
    assert isinstance(graph.arrays, GraphArrays)
    assert graph.record_of(full.first_chunk) is None
