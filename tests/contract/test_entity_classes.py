"""The classes of entities on every database: the same whichever of document and ontology came first, gone with either, tenants apart."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from core.errors import Conflict, InvalidInput, NotFound
from core.ports import TYPING_JOB, JobRecord, NewDocument
from graph.derived_jobs import end_unfinished
from graph.extraction import extract_graph
from graph.graph_view import GraphView
from graph.ontologies.library_typings import LibraryTypings, TypingSources
from storage.database import Database
from storage.sql_graph import SqlGraphStore
from storage.sql_jobs import SqlJobs
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_ontologies import SqlOntologies
from storage.sql_typings import SqlTypings
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts
from tests.support.graphs import THEN
from tests.unit.test_entity_typing import make_ontology

T = "default"
TEXTS = {
    "a": "Yesterday Merrow Chandlers, a small company based in Elver, paid the invoice.",
    "b": "They wrote to Merrow Chandlers about the Severn River in May.",
    "c": "They sailed down the Severn River, and Port of Elver was silent.",
}


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def make(name: str, text: str) -> NewDocument:
    new = new_document(DocumentSample(path=f"/docs/{name}.txt", text=text, title=name.title()))
    return replace(new, graph=extract_graph(new.document, f"{name}.txt", new.profile.title))


async def index(database: Database, texts: dict[str, str] = TEXTS, tenant: str = T) -> dict[str, str]:
    writer = SqlLibraryWriter(database)
    return {name: (await writer.write_document(tenant, make(name, text))).document_id for name, text in texts.items()}


def typings_of(database: Database) -> LibraryTypings:
    sources = TypingSources(SqlTypings(database), SqlOntologies(database), SqlGraphStore(database), SqlLibrary(database).contents)
    return LibraryTypings(sources, SqlJobs(database))


async def said(database: Database, tenant: str = T) -> dict[str, list[tuple[str, str, str]]]:
    """name -> (class, rule, sentence) as the listing shows it."""
    page = await GraphView(SqlGraphStore(database), None, typings_of(database)).entities(tenant, limit=500)
    return {each.name: [(one.name, one.rule, one.evidence.text) for one in each.classes] for each in page.entities if each.classes}


async def test_index_then_load_equals_load_then_index(database: Database) -> None:
    await SqlOntologies(database).save(T, make_ontology())
    assert await typings_of(database).type_library(T) == 0
    assert await said(database) == {}
    documents = await index(database)
    await typings_of(database).type_library(T)
    first = await said(database)
    assert first["Merrow Chandlers"] == [("Company", "apposition", TEXTS["a"])]
    assert first["Severn River"] == [("River", "head_noun", first["Severn River"][0][2])]
    await SqlOntologies(database).remove(T, "o")
    assert await said(database) == {}
    assert row_counts(database)["entity_classes"] == row_counts(database)["typed_documents"] == 0
    await SqlOntologies(database).save(T, make_ontology())
    await typings_of(database).type_library(T)
    assert await said(database) == first
    await SqlLibraryWriter(database).delete_document(T, documents["a"])
    assert "Merrow Chandlers" not in await said(database)  # its only evidence went, though another document names it
    assert "Severn River" in await said(database)


async def test_a_document_that_says_something_else_gives_nothing_of_before(database: Database) -> None:
    await SqlOntologies(database).save(T, make_ontology())
    await index(database)
    await typings_of(database).type_library(T)
    await index(database, {"a": "Merrow Chandlers paid the invoice in May. Merrow Chandlers was silent."})
    assert "Merrow Chandlers" not in await said(database)
    await typings_of(database).type_library(T)
    assert "Merrow Chandlers" not in await said(database)
    assert "Port of Elver" in await said(database)


async def test_the_filter_by_class_includes_subclasses_and_finds_documents(database: Database) -> None:
    await SqlOntologies(database).save(T, make_ontology())
    documents = await index(database)
    await typings_of(database).type_library(T)
    view = GraphView(SqlGraphStore(database), None, typings_of(database))
    assert [each.name for each in (await view.entities(T, class_name="Organisation")).entities] == ["Merrow Chandlers"]
    assert {each.name for each in (await view.entities(T, class_name="x:Place")).entities} == {"Severn River", "Port of Elver"}
    assert (await view.entities(T, class_name="Fluss", text="elver")).total == 0
    assert await view.class_documents(T, "company") == {documents["a"], documents["b"]}
    (found,) = (await view.entities(T, class_name="Unternehmen")).entities
    assert (await view.neighbourhood(T, found.id)).centre.classes == found.classes
    with pytest.raises(InvalidInput):
        await view.entities(T, class_name="Dragon")
    with pytest.raises(Conflict):
        await GraphView(SqlGraphStore(database)).entities(T, class_name="Company")


async def test_another_tenant_sees_nothing_of_it(database: Database) -> None:
    await SqlOntologies(database).save(T, make_ontology())
    await index(database)
    await index(database, tenant="other")
    await typings_of(database).type_library(T)
    await typings_of(database).type_library("other")
    assert await said(database, "other") == {}
    with pytest.raises(InvalidInput):
        await GraphView(SqlGraphStore(database), None, typings_of(database)).class_documents("other", "Company")


async def test_what_was_removed_or_written_anew_meanwhile_is_not_kept(database: Database) -> None:
    store = SqlTypings(database)
    await SqlOntologies(database).save(T, make_ontology())
    documents = await index(database)
    left = await store.list_untyped(T, 10)
    assert {each.document_id for each in left} == set(documents.values())
    await index(database, {"a": "Another text about Merrow Chandlers in May."})
    old = next(each for each in left if each.document_id == documents["a"])
    assert not await store.save(T, old, [])
    await SqlLibraryWriter(database).delete_document(T, documents["b"])
    assert not await store.save(T, next(each for each in left if each.document_id == documents["b"]), [])
    last = next(each for each in left if each.document_id == documents["c"])
    assert await store.save(T, last, [])
    assert not await store.save(T, last, [])  # another server did it
    await SqlOntologies(database).remove(T, "o")
    assert await store.count_untyped(T) == 0


class _Interrupted(SqlTypings):
    """Waits with the first result until it is let go."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.reached, self.go = asyncio.Event(), asyncio.Event()

    async def save(self, *given: Any) -> bool:
        self.reached.set()
        await self.go.wait()
        return await super().save(*given)


async def over(database: Database, job: JobRecord) -> JobRecord:
    with anyio.fail_after(60):
        while not (job := await SqlJobs(database).get(job.tenant, job.id)).is_over:  # noqa: ASYNC110 (it is polled by people, too)
            await asyncio.sleep(0.02)
    return job


async def test_a_job_ends_where_the_ontology_is_removed_and_begins_again_after_a_kill(database: Database) -> None:
    await SqlOntologies(database).save(T, make_ontology())
    await index(database)
    held = _Interrupted(database)
    sources = TypingSources(held, SqlOntologies(database), SqlGraphStore(database), SqlLibrary(database).contents)
    typings = LibraryTypings(sources, SqlJobs(database))
    job = await typings.queue(T)
    assert (await typings.queue(T)).id == job.id
    await asyncio.wait_for(held.reached.wait(), 60)
    await SqlOntologies(database).remove(T, "o")
    held.go.set()
    ended = await over(database, job)
    assert (ended.state, ended.kind, ended.error) == ("done", TYPING_JOB, None)
    assert await said(database) == {}
    await SqlOntologies(database).save(T, make_ontology())
    await SqlJobs(database).save(replace(job, id="killed"))
    again = typings_of(database)
    await again.open()
    ended = await over(database, replace(job, id="killed"))
    await again.close()
    assert (ended.state, ended.error) == ("done", None)
    assert "Merrow Chandlers" in await said(database)  # by the job, or by the look for new documents that begins beside it


async def test_a_job_that_nothing_does_any_more_is_ended(database: Database) -> None:
    left = JobRecord("left", T, TYPING_JOB, "running", "", THEN, started_at=THEN)
    await SqlJobs(database).save(left)
    await end_unfinished(TYPING_JOB, SqlJobs(database), "It was switched off.")
    assert (await over(database, left)).error == "It was switched off."
    with pytest.raises(NotFound):
        await SqlJobs(database).get("other", "left")
