"""Ledger lines of what lies in archives and messages, on every database: they come, move and go with the file that holds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.documents import DocumentState
from core.ports import FileStamp, LedgerReason, NewDocument
from storage.database import Database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts, stamp

T = "default"
ZIP = "/docs/a.zip"
MAIL = f"{ZIP}!/one.eml"
LEASE = f"{ZIP}!/lease.txt"
REPORT = f"{MAIL}!/report.txt"
TEXTS = {ZIP: "A ZIP archive with two files.", MAIL: "A mail about the report.", LEASE: "The lease.", REPORT: "The report."}


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


def member(path: str) -> NewDocument:
    new = new_document(DocumentSample(path=path, text=TEXTS[path]))
    container = path.rpartition("!/")[0]
    return replace(new, stamp=replace(new.stamp, inode=0 if container else 7, container=container), container=container)


async def archive(writer: SqlLibraryWriter) -> dict[str, str]:
    """path -> document id of an archive with a file and a mail that has a file attached, beside a file with a name that only looks like one."""
    ids = {path: (await writer.write_document(T, member(path))).document_id for path in TEXTS}
    await writer.write_document(T, new_document(DocumentSample(path=f"{ZIP}!x.txt", text="A file of its own.")))
    await writer.record_file(
        T, FileStamp(f"{ZIP}!/torn.pdf", 5, 1, 0, ZIP), "/docs", DocumentState.FAILED, LedgerReason("It is damaged.", "malformed")
    )
    return ids


async def test_a_line_names_its_container(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await archive(writer)
    lines, _, _ = await library.ledger(T)
    assert {line.path: line.container for line in lines if line.container} == {LEASE: ZIP, MAIL: ZIP, REPORT: MAIL, f"{ZIP}!/torn.pdf": ZIP}
    known = await writer.known_files(T, "/docs")
    assert (known[REPORT].container, known[REPORT].stamp.container) == (MAIL, MAIL)
    assert known[f"{ZIP}!/torn.pdf"].code == "malformed"


async def test_removing_an_archive_removes_all_that_lies_in_it(writer: SqlLibraryWriter, database: Database) -> None:
    ids = await archive(writer)
    removed = await writer.remove_paths(T, [ZIP, LEASE])
    assert set(removed.documents) == set(ids.values())
    assert sorted(removed.files) == sorted([*TEXTS, f"{ZIP}!/torn.pdf"])
    assert set(await writer.known_files(T, "/docs")) == {f"{ZIP}!x.txt"}
    assert row_counts(database)["documents"] == 1


async def test_removing_a_message_in_an_archive_leaves_the_rest(writer: SqlLibraryWriter) -> None:
    ids = await archive(writer)
    removed = await writer.remove_paths(T, [MAIL])
    assert set(removed.documents) == {ids[MAIL], ids[REPORT]}


async def test_moving_an_archive_moves_all_that_lies_in_it(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    ids = await archive(writer)
    indexed = {each: generation for each, (_, generation) in (await writer.live_documents()).items()}
    await writer.mark_indexed(list(indexed.items()))
    moved = await writer.move_path(T, ZIP, stamp("/docs/sub/b.zip", mtime_ns=5), "/docs")
    assert set(moved.documents_to_update) == {ids[LEASE], ids[MAIL], ids[REPORT]}
    known = await writer.known_files(T, "/docs")
    assert known["/docs/sub/b.zip!/one.eml!/report.txt"].document_id == ids[REPORT]
    assert known["/docs/sub/b.zip!/one.eml!/report.txt"].container == "/docs/sub/b.zip!/one.eml"
    assert {row.stamp.mtime_ns for path, row in known.items() if path.startswith("/docs/sub/b.zip!/")} == {5}
    document = await library.document(T, ids[REPORT])
    assert (document.filename, document.file_path) == ("report.txt", "/docs/sub/b.zip!/one.eml!/report.txt")
    stale = {document.id async for document in writer.stale_documents(indexed)}
    assert stale == set(ids.values())


async def test_members_that_another_run_stored_at_the_new_path_are_replaced(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    ids = await archive(writer)
    early = f"/docs/sub/b.zip!/{LEASE.rpartition('/')[2]}"  # the other run has stored a member, and its container not yet
    await writer.record_file(T, FileStamp(early, 5, 1, 0, "/docs/sub/b.zip"), "/docs", DocumentState.FAILED, LedgerReason("Not read yet.", "waiting"))
    moved = await writer.move_path(T, ZIP, stamp("/docs/sub/b.zip", mtime_ns=5), "/docs")
    assert early in moved.files
    known = await writer.known_files(T, "/docs")
    assert known[early].document_id == ids[LEASE]
    assert not any(path.startswith(f"{ZIP}!/") for path in known)


async def test_a_copy_of_an_archive_gives_its_documents_further_paths(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    ids = await archive(writer)
    touched = await writer.attach_path(T, stamp("/docs/copy.zip"), "/docs", ids[ZIP], "s1")
    assert set(touched.documents_to_update) == {ids[LEASE], ids[MAIL], ids[REPORT]}
    assert (await library.document(T, ids[REPORT])).paths == [REPORT, "/docs/copy.zip!/one.eml!/report.txt"]
    known = await writer.known_files(T, "/docs")
    assert known["/docs/copy.zip!/torn.pdf"].state is DocumentState.FAILED
    removed = await writer.remove_paths(T, [ZIP])
    assert removed.documents == ()
    assert set(removed.documents_to_update) == set(ids.values())


async def test_what_stood_at_the_path_of_a_copy_goes(writer: SqlLibraryWriter) -> None:
    ids = await archive(writer)
    await writer.write_document(T, new_document(DocumentSample(path="/docs/b.zip", text="Another archive.")))
    other = replace(member(LEASE), stamp=FileStamp("/docs/b.zip!/old.txt", 3, 1, 0, "/docs/b.zip"))
    await writer.write_document(T, replace(other, content_hash="0" * 64))
    await writer.attach_path(T, stamp("/docs/b.zip"), "/docs", ids[ZIP], "s1")
    assert "/docs/b.zip!/old.txt" not in await writer.known_files(T, "/docs")


async def test_touching_an_archive_touches_what_lies_in_it(writer: SqlLibraryWriter) -> None:
    await archive(writer)
    await writer.touch_file(T, stamp(ZIP, mtime_ns=9))
    known = await writer.known_files(T, "/docs")
    assert known[REPORT].stamp.mtime_ns == 9
    assert known[f"{ZIP}!x.txt"].stamp.mtime_ns != 9
    await writer.touch_files(T, [replace(known[REPORT].stamp, mtime_ns=10), replace(known[LEASE].stamp, mtime_ns=11), stamp("/docs/unknown")])
    known = await writer.known_files(T, "/docs")
    assert (known[REPORT].stamp.mtime_ns, known[REPORT].container, known[LEASE].stamp.mtime_ns) == (10, MAIL, 11)


async def test_deleting_the_document_of_an_archive_leaves_one_line(writer: SqlLibraryWriter, database: Database) -> None:
    ids = await archive(writer)
    removed = await writer.delete_document(T, ids[ZIP])
    assert set(removed.documents) == set(ids.values())
    known = await writer.known_files(T, "/docs")
    assert {path for path in known if path.startswith(ZIP) and "x.txt" not in path} == {ZIP}
    assert known[ZIP].code == "removed_by_user"
    await writer.remove_root(T, "/docs")
    assert {name: count for name, count in row_counts(database).items() if count} in ({}, {"counters": 1})


async def test_another_tenant_keeps_its_own(writer: SqlLibraryWriter) -> None:
    await archive(writer)
    await writer.write_document("other", member(ZIP))
    await writer.write_document("other", member(LEASE))
    await writer.remove_paths(T, [ZIP])
    assert set(await writer.known_files("other", "/docs")) == {ZIP, LEASE}
