"""The promises of core.ports.Library, on every database: listings, filters, cursors, totals, and that tenants never meet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.documents import DocumentState
from core.errors import InvalidInput, NotFound
from core.ports import DocumentNames, LedgerReason
from core.search import Filters
from storage.database import Database
from storage.schema import metadata
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, stamp

T = "default"


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def writer(database: Database) -> SqlLibraryWriter:
    return SqlLibraryWriter(database)


@pytest.fixture
def library(database: Database) -> SqlLibrary:
    return SqlLibrary(database)


SAMPLES = (
    DocumentSample("/docs/Lease.pdf", "one", title="Halden lease", doc_type="contract", modified_at=datetime(2024, 1, 1, tzinfo=UTC)),
    DocumentSample("/docs/2024/budget.xlsx", "two", title="Budget", doc_type="table", language="de", modified_at=datetime(2024, 6, 1, tzinfo=UTC)),
    DocumentSample("/docs/2024b/notes.txt", "three", title="Notes 100%", doc_type="note", modified_at=datetime(2025, 1, 1, tzinfo=UTC)),
    DocumentSample(
        "/mail/Ångström.eml", "four", title="Re: Straße", doc_type="mail", collection="mail", modified_at=datetime(2025, 6, 1, tzinfo=UTC)
    ),
)


async def filled(writer: SqlLibraryWriter) -> dict[str, str]:
    """filename -> document id"""
    return {Path(sample.path).name: (await writer.write_document(T, new_document(sample))).document_id for sample in SAMPLES}


async def names(library: SqlLibrary, text: str = "", **filters: Any) -> list[str]:
    found, total, _ = await library.list_documents(T, filters=Filters(**filters), text=text)
    assert total == len(found)
    return [document.filename for document in found]


# ---------------------------------------------------------------------------------------------------------------- documents
async def test_documents_are_listed_by_name_case_aside(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await filled(writer)
    assert await names(library) == ["budget.xlsx", "Lease.pdf", "notes.txt", "Ångström.eml"]


async def test_every_filter_restricts(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    ids = await filled(writer)
    assert await names(library, collection="mail") == ["Ångström.eml"]
    assert await names(library, file_types=[".pdf", ".eml"]) == ["Lease.pdf", "Ångström.eml"]
    assert await names(library, doc_types=["note"]) == ["notes.txt"]
    assert await names(library, languages=["de"]) == ["budget.xlsx"]
    assert await names(library, document_ids=[ids["notes.txt"], "0" * 32]) == ["notes.txt"]
    assert await names(library, modified_after=datetime(2024, 6, 1, tzinfo=UTC), modified_before=datetime(2025, 6, 1, tzinfo=UTC)) == [
        "budget.xlsx",
        "notes.txt",
    ]
    assert await names(library, file_types=[".pdf"], languages=["de"]) == []


async def test_a_path_prefix_is_a_folder_or_a_file_not_a_beginning(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await filled(writer)
    assert await names(library, path_prefix="/docs/2024") == ["budget.xlsx"]
    assert await names(library, path_prefix="/docs/2024/") == ["budget.xlsx"]
    assert await names(library, path_prefix="/docs/2024b/notes.txt") == ["notes.txt"]
    assert len(await names(library, path_prefix="/")) == 4
    assert await names(library, path_prefix="/doc") == []


async def test_a_path_prefix_finds_any_of_the_paths(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    ids = await filled(writer)
    await writer.attach_path(T, stamp("/backup/old.pdf"), "/backup", ids["Lease.pdf"], "s1")
    assert await names(library, path_prefix="/backup") == ["Lease.pdf"]


async def test_text_is_looked_for_in_filename_and_title(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await filled(writer)
    assert await names(library, text="LEASE") == ["Lease.pdf"]
    assert await names(library, text="halden") == ["Lease.pdf"]
    assert await names(library, text=" strasse ") == ["Ångström.eml"]
    assert await names(library, text="ångs") == ["Ångström.eml"]
    assert await names(library, text="100%") == ["notes.txt"]
    assert await names(library, text="%") == ["notes.txt"]
    assert await names(library, text="_") == []
    assert await names(library, text="\x00\udc80") == []


async def test_cursors_walk_through_every_document_once(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    for number in range(7):
        await writer.write_document(T, new_document(DocumentSample(f"/docs/{number}/same.txt", f"text {number}")))
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(10):
        page, total, cursor = await library.list_documents(T, filters=Filters(), limit=3, cursor=cursor)
        assert total == 7
        seen += [document.id for document in page]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 7


@pytest.mark.parametrize("cursor", ["", "x", "é", "bnVsbA", "WzFd", "WyJhIl0", "e30", "[" * 5000])
async def test_a_foreign_cursor_is_refused(library: SqlLibrary, cursor: str) -> None:
    with pytest.raises(InvalidInput):
        await library.list_documents(T, filters=Filters(), cursor=cursor)


async def test_a_page_needs_a_limit(library: SqlLibrary) -> None:
    with pytest.raises(InvalidInput):
        await library.ledger(T, limit=0)


async def test_the_structure_comes_back_as_it_was_extracted(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    new = new_document(DocumentSample(warnings=("A warning.",), modified_at=datetime(2024, 2, 29, 12, tzinfo=UTC)))
    written = await writer.write_document(T, new)
    content = await library.content(T, written.document_id)
    assert content.document == new.document
    assert (content.document_id, content.generation) == (written.document_id, 1)


async def test_contents_and_names_of_several_are_those_of_each(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    ids = list((await filled(writer)).values())
    long = await writer.write_document(T, new_document(DocumentSample("/docs/long.txt", "Many segments. " * 20_000)))
    foreign = await writer.write_document("other", new_document(DocumentSample("/other/lease.pdf", "one")))
    asked = [long.document_id, *ids, foreign.document_id, "0" * 32, "\udc80"]
    contents = await library.contents(T, asked)
    assert contents == {each: await library.content(T, each) for each in [long.document_id, *ids]}
    documents = await library.documents(T, asked)
    assert await library.names(T, asked) == {each: DocumentNames(found.title, found.filename) for each, found in documents.items()}
    assert await library.contents(T, []) == {}
    assert await library.names(T, []) == {}


async def test_an_unknown_document_is_not_found(library: SqlLibrary) -> None:
    for unknown in ("0" * 32, "", "\x00", "\udc80", "x" * 10_000):
        with pytest.raises(NotFound):
            await library.document(T, unknown)
        with pytest.raises(NotFound):
            await library.content(T, unknown)


# ---------------------------------------------------------------------------------------------------------------- chunks
async def test_chunks_are_exactly_their_span_of_the_text(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    text = "".join(chr(97 + number % 26) + "é𝄞"[number % 2] for number in range(40_000))
    written = await writer.write_document(T, new_document(DocumentSample(text=text, chunk_length=7_001)))
    found = await library.chunks(T, [*written.chunk_ids, 0, -1, 10**30, 999_999])
    assert list(found) == list(written.chunk_ids)
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in found.values())
    again = await library.chunks(T, written.chunk_ids)
    assert again == found


async def test_neighbours_are_found_by_ordinal(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    written = await writer.write_document(T, new_document(DocumentSample(text="x" * 200)))
    assert [chunk.ordinal for chunk in await library.section_chunks(T, written.document_id, 2, 4)] == [2, 3, 4]
    assert await library.section_chunks(T, written.document_id, 50, 60) == []


async def test_a_sample_is_spread_over_the_documents(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    for number in range(5):
        await writer.write_document(T, new_document(DocumentSample(f"/docs/{number}.txt", f"{number}" * 100)))
    sample = await library.sample_chunks(T, 10)
    assert len(sample) == 10
    assert len({chunk.document_id for chunk in sample}) == 5
    assert sample == await library.sample_chunks(T, 10)
    assert len(await library.sample_chunks(T, 100)) == 25
    assert await library.sample_chunks(T, 0) == []


# ---------------------------------------------------------------------------------------------------------------- ledger and totals
async def test_the_ledger_by_state_root_and_page(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await writer.write_document(T, new_document())
    for number in range(5):
        await writer.record_file(T, stamp(f"/docs/{number}.bin"), "/docs", DocumentState.SKIPPED, LedgerReason("No reader.", "unsupported"))
    await writer.record_file(T, stamp("/mail/x.eml"), "/mail", DocumentState.FAILED, LedgerReason("Damaged.", "malformed"))

    lines, total, _ = await library.ledger(T, states=[DocumentState.FAILED, DocumentState.INDEXED])
    assert ([line.path for line in lines], total) == (["/docs/lease.txt", "/mail/x.eml"], 2)
    assert (await library.ledger(T, root="/mail"))[1] == 1
    first, total, cursor = await library.ledger(T, root="/docs", limit=4)
    rest, _, end = await library.ledger(T, root="/docs", limit=4, cursor=cursor)
    assert (len(first), len(rest), total, end) == (4, 2, 6, None)
    assert [line.path for line in first + rest] == sorted(line.path for line in first + rest)
    assert lines[0].modified_at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


async def test_a_file_time_that_no_calendar_has(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    for name, time in (("past", -(2**63)), ("future", 2**63 - 1)):
        await writer.write_document(T, new_document(DocumentSample(f"/docs/{name}.txt", name, mtime_ns=time)))
    assert len((await library.ledger(T))[0]) == 2
    assert (await library.list_documents(T, filters=Filters()))[1] == 2


async def test_totals_count_files_by_state_and_code(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    empty = await library.totals(T)
    assert (empty.documents, empty.files, empty.chunks, empty.vectors, empty.by_state) == (0, 0, 0, 0, {})
    written = await writer.write_document(T, new_document())
    await writer.attach_path(T, stamp("/docs/copy.txt"), "/docs", written.document_id, "s1")
    await writer.record_file(T, stamp("/docs/a.bin"), "/docs", DocumentState.SKIPPED, LedgerReason("No reader.", "unsupported"))
    totals = await library.totals(T)
    assert (totals.documents, totals.files, totals.chunks, totals.vectors) == (1, 3, 3, 3)
    assert totals.by_state == {DocumentState.INDEXED: 2, DocumentState.SKIPPED: 1}
    assert totals.by_code == {"unsupported": 1}
    assert totals.bytes_on_disk >= empty.bytes_on_disk


# ---------------------------------------------------------------------------------------------------------------- tenants
async def _seen_by(tenant: str, library: SqlLibrary, writer: SqlLibraryWriter, foreign: set[str], chunks: list[int]) -> list[Any]:
    """Everything that the reading methods show this tenant of another's documents and chunks."""
    page, total, _ = await library.list_documents(tenant, filters=Filters(document_ids=[*sorted(foreign), "none"]))
    lines = [line for line in (await library.ledger(tenant))[0] if line.document_id in foreign]
    sample = [chunk for chunk in await library.sample_chunks(tenant, 50) if chunk.document_id in foreign]
    seen: list[Any] = [*page, *lines, *sample, *([total] if total else [])]
    seen += (await library.documents(tenant, sorted(foreign))).values()
    seen += (await library.chunks(tenant, chunks)).values()
    seen += await writer.indexed_documents(tenant, sorted(foreign))
    for document_id in foreign:
        seen += await library.section_chunks(tenant, document_id, 0, 100)
    return seen


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 3), st.integers(0, 2), st.sampled_from(["write", "remove", "move"])), max_size=12))
async def test_a_tenant_never_sees_or_touches_anothers_rows(database: Database, actions: list[tuple[str, int, int, str]]) -> None:
    """Both tenants use the same paths and the same contents; whatever they do, each finds its own and only that."""
    database.write_sync(lambda connection: [connection.execute(table.delete()) for table in reversed(metadata.sorted_tables)])
    writer, library = SqlLibraryWriter(database), SqlLibrary(database)
    expected: dict[str, dict[str, str]] = {"a": {}, "b": {}}
    chunks: dict[str, list[int]] = {"a": [], "b": []}
    for tenant, place, content, action in actions:
        path, mine = f"/docs/{place}.txt", expected[tenant]
        if action == "write":
            written = await writer.write_document(tenant, new_document(DocumentSample(path, f"Content {content} " * 3)))
            chunks[tenant] += written.chunk_ids
            mine[path] = written.document_id
        elif action == "remove":
            await writer.remove_paths(tenant, [path])
            mine.pop(path, None)
        elif path in mine:
            await writer.move_path(tenant, path, stamp("/docs/moved.txt"), "/docs")
            mine["/docs/moved.txt"] = mine.pop(path)

    for tenant, other in (("a", "b"), ("b", "a")):
        foreign = set(expected[other].values())
        assert await _seen_by(tenant, library, writer, foreign, chunks[other]) == []
        assert {path: line.document_id for path, line in (await writer.known_files(tenant, "/docs")).items()} == expected[tenant]
        for document_id in foreign:
            with pytest.raises(NotFound):
                await writer.delete_document(tenant, document_id)
            with pytest.raises(NotFound):
                await writer.attach_path(tenant, stamp("/docs/stolen.txt"), "/docs", document_id, "s1")
    assert set(await writer.live_documents()) == set(expected["a"].values()) | set(expected["b"].values())
