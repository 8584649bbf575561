"""The stored graph on every database: written and removed with its document, resolved the same whatever the history, tenants apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from core.errors import NotFound
from core.graph import DocumentGraph, EntityType, FoundEntity, FoundRelationship
from core.ports import NewDocument
from core.search import Filters
from graph.extraction import extract_graph
from graph.graph_view import GraphView
from storage.database import Database
from storage.graph_tables import GRAPH_TABLES, graph_entities
from storage.sql_graph import SqlGraphStore
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts, stamp

T = "default"
SENTENCES = (
    "Mara Ellison works at Trevanion & Holt.",
    "The Ministry of Harbours wrote to Mara Ellison about Quay 7.",
    "Trevannion & Holt LLP is based in Rotterdam.",
    "Trevanion & Holt Ltd signed Amendment No. 1 on 3 May 2024.",
    "Later, Amendment No. 2 replaced Amendment No. 1 for £7,900.",
    "The Harbour Autority owns Quay 7 and Quay 8.",
)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def made(name: str, *sentences: str, title: str = "") -> NewDocument:
    new = new_document(DocumentSample(path=f"/docs/{name}.txt", text=" ".join(sentences), title=title or name.title()))
    return replace(new, graph=extract_graph(new.document, f"{name}.txt", new.profile.title))


async def said(database: Database, tenant: str = T) -> dict[str, Any]:
    """What the graph says, with file names for ids and without times: comparable between libraries."""
    view = GraphView(SqlGraphStore(database))
    page = await view.entities(tenant, limit=500)
    documents = await SqlLibrary(database).documents(tenant, list({each for found in page.entities for each in found.document_ids}))
    names = {document_id: document.filename for document_id, document in documents.items()}
    around = [await view.neighbourhood(tenant, each.id, limit=300) for each in page.entities]
    shown = []
    for entity in page.entities:
        properties = {**entity.properties, "title_of": sorted(names[each] for each in entity.properties.get("title_of", []))}
        owners = sorted(names[each] for each in entity.document_ids)
        shown.append(
            (entity.id, entity.name, entity.entity_type.value, entity.mentions, tuple(sorted(entity.aliases)), repr(properties), tuple(owners))
        )
    edges = {
        (
            each.source_id,
            each.target_id,
            each.relationship_type,
            each.weight,
            tuple(sorted((names[one.document_id], one.text) for one in each.evidence)),
        )
        for found in around
        for each in found.relationships
        if each.relationship_type != "MENTIONS"
    }
    counts = await view.counts(tenant)
    return {"entities": shown, "edges": sorted(edges), "counts": (counts.entities, counts.relationships, counts.documents)}


# ---------------------------------------------------------------------------------------------------------------- written and removed
async def test_a_graph_is_stored_with_its_document_and_read_back(database: Database) -> None:
    new = made("lease", *SENTENCES[:2])
    written = await SqlLibraryWriter(database).write_document(T, new)
    (stored,) = await SqlGraphStore(database).load(T, [written.document_id, "unknown"])
    assert new.graph is not None
    assert [(each.key, each.entity_type, each.name) for each in stored.entities] == [
        (each.key, each.entity_type, each.name) for each in new.graph.entities
    ]
    for found, kept in zip(new.graph.entities, stored.entities, strict=True):
        assert [(start, end) for _, start, end in kept.mentions] == list(found.mentions)
        for chunk, start, _ in kept.mentions:
            assert new.chunks[chunk].start <= start < new.chunks[chunk].end
    assert (stored.first_chunk, stored.chunks) == (written.chunk_ids[0], len(written.chunk_ids))
    works = next(number for number, each in enumerate(stored.relationships) if each.relationship_type == "WORKS_AT")
    place = (written.document_id, stored.sequence, works)
    evidence = await SqlGraphStore(database).evidence(T, [place, ("unknown", 1, 0), (written.document_id, stored.sequence + 1, works)])
    assert list(evidence) == [place]
    assert (evidence[place].text, evidence[place].filename, evidence[place].generation) == (SENTENCES[0], "lease.txt", 1)
    assert evidence[place].chunk_id == written.chunk_ids[stored.relationships[works].chunk]


async def test_a_document_shows_the_names_that_it_mentions_most(database: Database) -> None:
    writer, library = SqlLibraryWriter(database), SqlLibrary(database)
    lease = await writer.write_document(T, made("lease", SENTENCES[0], SENTENCES[1], "We like Mara Ellison on 3 May 2024.", title="Lease"))
    bare = await writer.write_document(T, new_document(DocumentSample(path="/docs/bare.txt", text="Nothing at all.")))
    found = await library.documents(T, [lease.document_id, bare.document_id])
    assert found[lease.document_id].entities == ["Mara Ellison", "Trevanion & Holt", "Ministry of Harbours", "Quay 7"]
    assert found[bare.document_id].entities == []


async def test_another_tenant_reads_nothing_of_it(database: Database) -> None:
    written = await SqlLibraryWriter(database).write_document(T, made("lease", *SENTENCES))
    store = SqlGraphStore(database)
    assert await store.version("other") == (0, 0)
    assert await store.load("other", [written.document_id]) == []
    (stored,) = await store.load(T, [written.document_id])
    assert await store.evidence("other", [(written.document_id, stored.sequence, 0)]) == {}
    assert await store.texts("other", written.chunk_ids) == {}
    assert await store.filter_documents("other", Filters()) == set()
    with pytest.raises(NotFound):
        await store.pages("other", written.document_id)
    same_words = made("lease", *SENTENCES)
    await SqlLibraryWriter(database).write_document("other", same_words)
    mine, theirs = await said(database), await said(database, "other")
    assert not {each[0] for each in mine["entities"]} & {each[0] for each in theirs["entities"]}
    assert mine["counts"] == theirs["counts"]


async def test_a_new_generation_replaces_the_graph_and_keeps_the_times_of_what_stays(database: Database) -> None:
    writer, store = SqlLibraryWriter(database), SqlGraphStore(database)
    first = await writer.write_document(T, made("lease", SENTENCES[0]))
    (before,) = await store.load(T, [first.document_id])
    second = await writer.write_document(T, made("lease", SENTENCES[0], SENTENCES[4]))
    (after,) = await store.load(T, [second.document_id])
    assert (after.generation, after.first_chunk) == (2, second.chunk_ids[0])
    assert after.sequence > before.sequence
    known = {each.key: each.created_at for each in before.entities}
    for each in after.entities:
        assert each.created_at == known[each.key] if each.key in known else each.created_at > max(known.values())


async def test_a_document_without_a_graph_stores_none_and_loses_the_old_one(database: Database) -> None:
    writer = SqlLibraryWriter(database)
    before = row_counts(database)
    await writer.write_document(T, made("lease", *SENTENCES))
    await writer.write_document(T, replace(made("lease", *SENTENCES), graph=None))
    assert {table.name: row_counts(database)[table.name] for table in GRAPH_TABLES} == {table.name: before[table.name] for table in GRAPH_TABLES}


async def test_moving_a_file_leaves_its_graph_alone(database: Database) -> None:
    writer, store = SqlLibraryWriter(database), SqlGraphStore(database)
    await writer.write_document(T, made("lease", *SENTENCES))
    version = await store.version(T)
    await writer.move_path(T, "/docs/lease.txt", stamp("/docs/elsewhere.txt"), "/docs")
    assert await store.version(T) == version
    assert {each.filename for each in await store.load(T, list((await store.state(T)).sequences))} == {"elsewhere.txt"}


async def test_the_version_tells_which_documents_there_are(database: Database) -> None:
    writer, store = SqlLibraryWriter(database), SqlGraphStore(database)
    seen = [await store.state(T)]
    for change in ("a", "b", "c", "-c", "a", "-b", "c", "-a", "b", "-c", "-b"):
        if change.startswith("-"):
            await writer.remove_paths(T, [f"/docs/{change[1:]}.txt"])
        else:
            await writer.write_document(T, made(change, f"{SENTENCES[0]} {len(seen)}"))
        seen.append(await store.state(T))
        assert seen[-1].version == await store.version(T) != seen[-2].version
    for one in seen:
        for other in seen:
            assert (one.version == other.version) == (one.sequences == other.sequences)


def thousands() -> NewDocument:
    """4,000 names with odd characters that are all alike, in one document."""
    entities = tuple(
        FoundEntity(f"name {number}\x00\ud800", f"Name {number} 🜁 \x00", EntityType.CONCEPT, ((number % 30, number % 30 + 1),))
        for number in range(4_000)
    )
    relationships = tuple(FoundRelationship(number, number + 1, "RELATED_TO", 0.5, 0, 10) for number in range(2_000))
    document = new_document(DocumentSample(text="A text of some length \ud800 with odd letters."))
    return replace(document, graph=DocumentGraph(entities, relationships))


async def test_odd_characters_and_thousands_of_entities_are_stored(database: Database) -> None:
    written = await SqlLibraryWriter(database).write_document(T, thousands())
    (stored,) = await SqlGraphStore(database).load(T, [written.document_id])
    assert (len(stored.entities), len(stored.relationships)) == (4_000, 2_000)
    assert stored.entities[3].key == "name 3\ufffd\ufffd"


async def test_thousands_of_names_that_are_alike_stay_apart_in_the_view(tmp_path: Path) -> None:
    """On one back end: the view compares the names by itself, for seconds, whatever stored them."""
    with open_backend("sqlite", tmp_path) as database:
        await SqlLibraryWriter(database).write_document(T, thousands())
        assert (await GraphView(SqlGraphStore(database)).counts(T)).entities == 4_000


# ---------------------------------------------------------------------------------------------------------------- never indexed
async def test_index_then_delete_is_never_indexed(database: Database) -> None:
    writer = SqlLibraryWriter(database)
    await writer.write_document(T, made("kept", SENTENCES[0], SENTENCES[2]))
    before, rows = await said(database), row_counts(database)
    gone = await writer.write_document(T, made("gone", *SENTENCES))
    assert await said(database) != before
    await writer.remove_paths(T, ["/docs/gone.txt"])
    assert await said(database) == before
    assert row_counts(database) == rows
    assert (
        database.read_sync(
            lambda connection: connection.execute(select(graph_entities).where(graph_entities.c.document_id == gone.document_id)).all()
        )
        == []
    )


chosen = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3, unique=True).map(tuple)
histories = st.lists(st.tuples(st.sampled_from("abcd"), st.one_of(st.none(), chosen)), min_size=1, max_size=7)


@given(histories)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_any_history_ends_as_if_only_what_is_left_had_been_indexed(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, Any]]
) -> None:
    left: dict[str, NewDocument] = {}
    with open_backend("sqlite", tmp_path_factory.mktemp("history")) as lived, open_backend("sqlite", tmp_path_factory.mktemp("straight")) as straight:
        writer = SqlLibraryWriter(lived)
        for name, sentences in history:
            if sentences is None:
                await writer.remove_paths(T, [f"/docs/{name}.txt"])
                left.pop(name, None)
            else:
                left[name] = made(name, *sentences, f"This is paper {name}.")
                await writer.write_document(T, left[name])
        for name in sorted(left, reverse=True):
            await SqlLibraryWriter(straight).write_document(T, left[name])
        assert await said(lived) == await said(straight)
        tables = [table.name for table in GRAPH_TABLES]
        assert [row_counts(lived)[name] for name in tables] == [row_counts(straight)[name] for name in tables]
