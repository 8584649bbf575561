"""Communities over every database: found from what documents say, gone with them, the same whatever the history, tenants apart."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from core.communities import CommunityPage, CommunityShare, SentencePlace
from core.errors import NotFound
from core.graph import GraphEvidence
from core.ports import NewDocument
from core.ports.graph_store import StatementPlace
from core.search import Filters
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.extraction import extract_graph
from graph.graph_view import GraphView
from storage.community_tables import communities, community_shares
from storage.database import Database, open_database
from storage.sql_communities import SqlCommunities
from storage.sql_graph import SqlGraphStore
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend
from tests.support.warm_start import start_reporting

T = "default"
HARBOUR = (
    "Mara Ellison works at Trevanion & Holt and keeps the keys.",
    "Trevanion & Holt rents the old warehouse at Quay 7 for ten years.",
    "The Ministry of Harbours inspected Quay 7 after the storm in March.",
    "A letter of the Ministry of Harbours reminded Mara Ellison of the deposit.",
    "In spring Mara Ellison showed Quay 7 to a surveyor.",
)
BAKERY = (
    "Nils Brandt works at Ovenden Bakery in the former tram depot.",
    "Every Monday Ovenden Bakery orders its flour from Saxby Mills.",
    "The bill of Saxby Mills for late flour went to Gilda Rourke.",
    "Last week Gilda Rourke asked Nils Brandt to settle the account by Friday.",
    "For the delay Saxby Mills apologised to Nils Brandt in person.",
)
CRANES = (
    "Lotte Verhoeven works at Brightwater Cranes and inspects hooks.",
    "The hooks of Castlegate Yard were replaced by Brightwater Cranes in May.",
    "Since then Castlegate Yard calls Lotte Verhoeven before every lift.",
)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def made(name: str, *sentences: str) -> NewDocument:
    new = new_document(DocumentSample(path=f"/docs/{name}.txt", text=" ".join(sentences), title=name.title()))
    return replace(new, graph=extract_graph(new.document, f"{name}.txt", new.profile.title))


async def write(database: Database, name: str, *sentences: str, tenant: str = T) -> str:
    return (await SqlLibraryWriter(database).write_document(tenant, made(name, *sentences))).document_id


async def remove(database: Database, document_id: str, tenant: str = T) -> None:
    await SqlLibraryWriter(database).delete_document(tenant, document_id)


def open_communities(database: Database, graphs: SqlGraphStore | None = None, **options: Any) -> LibraryCommunities:
    store, read = SqlCommunities(database), graphs or SqlGraphStore(database)
    return LibraryCommunities(GraphView(read), read, store, CommunityOptions(**{"enabled": "on", **options}), store.count_documents)


async def told(database: Database, tenant: str = T) -> list[tuple[Any, ...]]:
    """What the communities say, with file names for the ids of documents: comparable between libraries."""
    page = await open_communities(database).list_communities(tenant, limit=500)
    return sorted(
        (each.name, each.level, each.entity_ids, each.keywords, each.documents, [(one.filename, one.text) for one in each.citations])
        for each in page.communities
    )


def cited(page: CommunityPage) -> list[str]:
    return [each.text for community in page.communities for each in community.citations]


async def test_documents_of_two_matters_make_two_communities(database: Database) -> None:
    await write(database, "harbour", *HARBOUR[:3])
    await write(database, "post", *HARBOUR[3:])
    await write(database, "bakery", *BAKERY)
    found = open_communities(database)
    result = await found.refresh(T)
    assert (result.communities, result.parts, result.parts_divided) == (2, 2, 2)
    page = await found.list_communities(T)
    assert (page.total, page.stale, page.documents, page.covered_documents, page.reason) == (2, False, 3, 3, "")
    harbour, bakery = sorted(page.communities, key=lambda each: "Nils Brandt" in {member.name for member in each.members})
    assert {"Mara Ellison", "Quay 7", "Trevanion & Holt"} <= {each.name for each in harbour.members}
    assert "flour" in bakery.keywords
    assert not {"brandt", "nils", "the", "its"} & set(bakery.keywords)
    assert (harbour.documents, bakery.documents) == (2, 1)
    texts = {each: (await SqlLibrary(database).content(T, each)).text for each in {one.document_id for one in harbour.citations}}
    assert 3 <= len(bakery.citations) <= 5
    for community in (harbour, bakery):
        names = {each.id: each.name for each in community.members}
        for one in community.citations:
            assert set(one.entity_ids) <= set(community.entity_ids)
            assert len(set(one.entity_ids)) == 2
            assert all(names[each] in one.text for each in one.entity_ids if each in names)
        assert community.summary == " ".join(one.text for one in community.citations)
    assert all(texts[one.document_id][one.start : one.end] == one.text for one in harbour.citations)
    assert await found.get(T, bakery.id) == bakery
    assert [each.id for each in (await found.list_communities(T, text="ovenden")).communities] == [bakery.id]
    assert [each.id for each in (await found.list_communities(T, text="FLOUR")).communities] == [bakery.id]
    assert (await found.list_communities(T, level=1)).communities == []
    with pytest.raises(NotFound):
        await found.get(T, "unknown")


async def test_indexed_deleted_refreshed_equals_never_indexed(database: Database, tmp_path: Path) -> None:
    await write(database, "harbour", *HARBOUR)
    await open_communities(database).refresh(T)
    before = await told(database)
    ids = {each.id for each in await SqlCommunities(database).load(T)}
    other = await write(database, "other", "At Quay 7 Mara Ellison met Nils Brandt of Ovenden Bakery.", *BAKERY)
    await open_communities(database).refresh(T)
    assert await told(database) != before
    await remove(database, other)
    await open_communities(database).refresh(T)
    assert await told(database) == before
    assert {each.id for each in await SqlCommunities(database).load(T)} == ids


async def test_a_deleted_document_is_silent_before_the_next_refresh(database: Database) -> None:
    await write(database, "harbour", *HARBOUR)
    gone = await write(database, "bakery", *BAKERY)
    found = open_communities(database)
    await found.refresh(T)
    await remove(database, gone)
    page = await found.list_communities(T)
    assert not set(cited(page)) & set(BAKERY)
    assert page.stale
    assert not any("Nils" in each.name or "flour" in each.keywords for each in page.communities)
    rows = await database.read(lambda connection: [str(connection.execute(select(each)).all()) for each in (communities, community_shares)])
    assert "flour" not in "".join(rows)
    assert "Nils" not in "".join(rows)


async def test_a_document_that_was_written_anew_gives_nothing_until_a_refresh(database: Database) -> None:
    await write(database, "bakery", *BAKERY)
    found = open_communities(database)
    await found.refresh(T)
    await write(database, "bakery", *CRANES)
    assert not set(cited(await found.list_communities(T))) & set(BAKERY)
    await found.refresh(T)
    assert set(cited(await found.list_communities(T))) <= set(CRANES)
    assert cited(await found.list_communities(T))


async def test_a_document_deleted_during_a_refresh_is_left_out(database: Database) -> None:
    await write(database, "harbour", *HARBOUR)
    gone = await write(database, "bakery", *BAKERY)

    class Deleting(SqlGraphStore):
        """Sentences are read, then the document goes."""

        async def evidence(self, tenant: str, places: Sequence[StatementPlace]) -> dict[StatementPlace, GraphEvidence]:
            read = await super().evidence(tenant, places)
            await remove(database, gone)
            return read

    await open_communities(database, Deleting(database)).refresh(T)
    page = await open_communities(database).list_communities(T)
    assert set(cited(page)) == set(HARBOUR)
    assert page.stale  # the next look takes it in
    await open_communities(database).refresh(T)
    assert not (await open_communities(database).list_communities(T)).stale


async def test_a_refresh_that_breaks_off_leaves_the_earlier_communities(database: Database) -> None:
    await write(database, "harbour", *HARBOUR)
    await open_communities(database).refresh(T)
    before, store = await told(database), SqlCommunities(database)
    state, (kept,) = await store.state(T), await store.load(T)
    assert state is not None
    broken = SentencePlace(0, 0, 1, None, (object(),))  # type: ignore[arg-type] # cannot be stored
    with pytest.raises(TypeError):
        await store.replace(T, state, [replace(kept, shares=(CommunityShare(kept.shares[0].document_id, 1, (), (broken,)),))])
    assert await told(database) == before


async def test_a_kill_while_a_refresh_is_written_leaves_the_earlier_communities(tmp_path: Path) -> None:
    for name in ("killed", "fresh"):
        (tmp_path / name).mkdir()
    database = open_database(tmp_path / "killed")
    await write(database, "harbour", *HARBOUR)
    bakery = await write(database, "bakery", *BAKERY)
    await open_communities(database).refresh(T)
    before = await SqlCommunities(database).state(T), await SqlCommunities(database).load(T)
    await write(database, "cranes", *CRANES)
    await remove(database, bakery)
    await database.close()
    child = start_reporting("tests.support.refreshing_child", str(tmp_path / "killed"))
    assert child.output.readline() == "writing\n"
    child.process.send_signal(signal.SIGKILL)
    assert (child.finish()[0], child.process.returncode) == (-signal.SIGKILL, -signal.SIGKILL)
    killed, fresh = open_database(tmp_path / "killed"), open_database(tmp_path / "fresh")
    state, kept = await SqlCommunities(killed).state(T), await SqlCommunities(killed).load(T)
    assert state == before[0]
    assert {each.id for each in kept} == {each.id for each in before[1]}
    assert not [one for one in cited(await open_communities(killed).list_communities(T)) if one in " ".join(BAKERY)]
    for each in (killed, fresh):
        if each is fresh:
            await write(each, "harbour", *HARBOUR)
            await write(each, "cranes", *CRANES)
        assert await open_communities(each).is_due(T)
        await open_communities(each).refresh(T)
    assert await told(killed) == await told(fresh) != []
    await killed.close()
    await fresh.close()


async def test_ids_stay_and_only_parts_that_changed_are_divided(database: Database) -> None:
    await write(database, "harbour", *HARBOUR)
    await write(database, "bakery", *BAKERY)
    found = open_communities(database)
    await found.refresh(T)
    ids = {each.id for each in await SqlCommunities(database).load(T)}
    unchanged = await found.refresh(T)
    assert (unchanged.communities, unchanged.parts_divided, unchanged.kept_ids) == (2, 0, 2)
    await write(database, "visit", "Nils Brandt of Ovenden Bakery visited Gilda Rourke of Saxby Mills.")
    result = await found.refresh(T)
    assert (result.parts, result.parts_divided, result.kept_ids) == (2, 1, 2)
    await write(database, "cranes", *CRANES)
    result = await found.refresh(T)
    assert (result.parts, result.parts_divided, result.communities > 2) == (3, 1, True)
    assert ids < {each.id for each in await SqlCommunities(database).load(T)}
    other = open_communities(database, min_size=2)
    assert await other.is_due(T)
    assert (await other.refresh(T)).parts_divided == 3


async def test_smaller_groups_are_counted_and_reasons_are_told(database: Database) -> None:
    await write(database, "pair", "Nils Brandt works at Ovenden Bakery.")
    found = open_communities(database)
    await found.refresh(T)
    page = await found.list_communities(T)
    assert (page.total, page.smaller_groups, page.smaller_group_entities) == (0, 1, 2)
    assert "3 entities" in page.reason
    few = open_communities(database, enabled="auto")
    assert "50" in (await few.refresh(T)).reason
    assert "50" in (await few.list_communities(T)).reason
    off = open_communities(database, enabled="off")
    assert "switched off" in (await off.list_communities(T)).reason
    assert not await off.is_due(T)
    assert (await found.list_communities("nobody")).total == 0


async def test_tenants_never_meet_and_a_persons_own_documents_are_no_part(database: Database) -> None:
    await write(database, "harbour", *HARBOUR, tenant="one")
    await write(database, "bakery", *BAKERY, tenant="two")
    await write(database, "cranes", *CRANES, tenant="one:eva")
    found = open_communities(database)
    await found.refresh("one:eva")
    await found.refresh("two")
    assert set(cited(await found.list_communities("one"))) == set(HARBOUR)
    assert await found.list_communities("one:eva") == await found.list_communities("one")
    two = (await found.list_communities("two")).communities[0]
    assert set(cited(await found.list_communities("two"))) == set(BAKERY)
    with pytest.raises(NotFound):
        await found.get("one", two.id)


async def test_where_documents_lie_is_told_of_the_tenants_own_alone(database: Database) -> None:
    writer = SqlLibraryWriter(database)
    for tenant, path, root, collection in (
        (T, "/docs/law/a.txt", "/docs", "default"),
        (T, "/post/b.txt", "/post", "letters"),
        ("other", "/docs/c.txt", "/docs", "default"),
        (f"{T}:eva", "/home/d.txt", "/home", "default"),
    ):
        sample = DocumentSample(path=path, root=root, collection=collection, text=f"The file {path} is about itself.")
        await writer.write_document(tenant, new_document(sample))
    found = await SqlCommunities(database).document_places(T)
    assert [(each.path, each.root, each.collection, each.is_member) for each in found] == [
        ("/docs/law/a.txt", "/docs", "default", False),
        ("/post/b.txt", "/post", "letters", False),
    ]
    assert {each.document_id for each in found} == set(await SqlLibrary(database).documents(T, [each.document_id for each in found]))
    survey = await open_communities(database).survey_themes(T, limit=40)
    assert survey.folders == ()


APRIL = datetime(2026, 4, 1, tzinfo=UTC)
FILTERS = (
    Filters(collection="letters"),
    Filters(path_prefix="/docs/bakery"),
    Filters(file_types=[".md"]),
    Filters(doc_types=["minutes"]),
    Filters(languages=["de"]),
    Filters(modified_after=APRIL),
    Filters(modified_before=APRIL),
    Filters(document_ids=["bakery"]),
    Filters(document_ids=["bakery"], entity_class="Mill"),  # documents that mention the class stand there since the run began
    Filters(path_prefix="/docs/nowhere"),
)


@pytest.mark.parametrize("filters", FILTERS, ids=lambda each: "-".join(sorted(each.model_fields_set)))
async def test_themes_keep_to_every_filter(database: Database, filters: Filters) -> None:
    harbour, bakery, cranes = (
        DocumentSample(path="/docs/harbour/a.txt", text=" ".join(HARBOUR), collection="letters", modified_at=APRIL - timedelta(days=1)),
        DocumentSample(path="/docs/bakery/b.md", text=" ".join(BAKERY), doc_type="minutes", language="de", modified_at=APRIL),
        DocumentSample(path="/docs/cranes/c.txt", text=" ".join(CRANES), collection="letters"),
    )
    writer, ids = SqlLibraryWriter(database), dict[str, str]()
    for tenant, sample in ((T, harbour), (T, bakery), (f"{T}:eva", cranes), ("other", bakery)):
        new = new_document(sample)
        written = await writer.write_document(tenant, replace(new, graph=extract_graph(new.document, sample.path, "")))
        ids.setdefault(sample.path, written.document_id)
    if filters.document_ids:
        filters = filters.model_copy(update={"document_ids": [ids[bakery.path], ids[cranes.path]]})
    found = open_communities(database)
    await found.refresh(T)
    assert (await found.survey_themes(T, limit=40)).page.documents == 2
    passing = {each.id for each in (await SqlLibrary(database).list_documents(T, filters=filters))[0]}
    for tenant in (T, f"{T}:eva"):
        page = (await found.survey_themes(tenant, limit=40, filters=filters)).page
        assert {said.document_id for theme in page.communities for said in theme.citations} == passing
        assert (page.documents, page.covered_documents, page.total) == (len(passing),) * 3
        assert [theme.documents for theme in page.communities] == [1] * len(passing)
    assert passing in ({ids[harbour.path]}, {ids[bakery.path]}, set())


def test_every_filter_of_core_is_tested() -> None:
    assert {name for filters in FILTERS for name in filters.model_fields_set} == set(Filters.model_fields)
