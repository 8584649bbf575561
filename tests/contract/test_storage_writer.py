"""The promises of core.ports.LibraryWriter, on every database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.documents import DocumentState
from core.errors import InvalidInput, NotFound
from core.ports import KnownFile, LedgerReason, WriteResult
from storage.database import Database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, content_hash, new_document, open_backend, row_counts, stamp

T = "default"
PATH = "/docs/lease.txt"
COPY = "/docs/copy of lease.txt"
UNREADABLE = LedgerReason("It is damaged.", "malformed", "f" * 64)


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


async def written_with_copy(writer: SqlLibraryWriter) -> WriteResult:
    written = await writer.write_document(T, new_document())
    await writer.attach_path(T, stamp(COPY), "/docs", written.document_id, "s1")
    return written


async def known(writer: SqlLibraryWriter, path: str = PATH) -> KnownFile:
    return (await writer.known_files(T, "/docs"))[path]


# ---------------------------------------------------------------------------------------------------------------- write
async def test_a_new_path_makes_a_document(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    new = new_document()
    written = await writer.write_document(T, new)

    assert (written.is_new, written.generation, written.replaced_chunks) == (True, 1, ())
    assert len(written.chunk_ids) == len(new.chunks)
    document = await library.document(T, written.document_id)
    assert (document.filename, document.paths, document.state) == ("lease.txt", [PATH], DocumentState.INDEXED)
    assert (document.chunks, document.characters, document.pages) == (3, len(new.document.text), 1)
    line = await known(writer)
    assert (line.document_id, line.state, line.content_hash, line.stamp) == (written.document_id, DocumentState.INDEXED, new.content_hash, new.stamp)
    assert line.settings_version == "s1"


async def test_a_changed_file_keeps_its_id_and_everything_of_it_is_replaced(
    writer: SqlLibraryWriter, library: SqlLibrary, database: Database
) -> None:
    first = await writer.write_document(T, new_document())
    second = await writer.write_document(T, new_document(DocumentSample(text="Now the lease ends in June.")))

    assert (second.document_id, second.generation, second.is_new) == (first.document_id, 2, False)
    assert second.replaced_chunks == first.chunk_ids
    assert not set(second.chunk_ids) & set(first.chunk_ids)
    assert (await library.content(T, first.document_id)).text == "Now the lease ends in June."
    assert await library.chunks(T, first.chunk_ids) == {}
    counts = row_counts(database)
    assert (counts["documents"], counts["chunks"], counts["vectors"], counts["document_texts"]) == (1, 2, 1, 1)


async def test_chunk_ids_are_never_given_twice(writer: SqlLibraryWriter) -> None:
    seen: set[int] = set()
    for number in range(4):
        written = await writer.write_document(T, new_document(DocumentSample(text=f"Version {number} of a text that has several chunks.")))
        assert not seen & set(written.chunk_ids)
        seen.update(written.chunk_ids)
        await writer.remove_paths(T, [PATH])


async def test_warnings_make_a_document_partial(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    written = await writer.write_document(T, new_document(DocumentSample(warnings=("3 of 12 pages have no text.", "One table was cut."))))
    document = await library.document(T, written.document_id)
    assert (document.state, document.reason) == (DocumentState.PARTIAL, "3 of 12 pages have no text. One table was cut.")
    again = await writer.write_document(T, new_document())
    assert (await library.document(T, again.document_id)).reason == ""


async def test_parts_that_do_not_belong_together_are_refused_and_nothing_is_written(writer: SqlLibraryWriter, database: Database) -> None:
    new = new_document()
    with pytest.raises(InvalidInput, match="vectors"):
        await writer.write_document(T, replace(new, vectors=new.vectors[:1]))
    with pytest.raises(InvalidInput, match="outside its text"):
        await writer.write_document(T, replace(new, chunks=(*new.chunks[:-1], replace(new.chunks[-1], end=999))))
    assert set(row_counts(database).values()) == {0}


async def test_an_empty_document_is_stored(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    written = await writer.write_document(T, new_document(DocumentSample(text="")))
    assert written.chunk_ids == ()
    assert (await library.content(T, written.document_id)).text == ""
    assert [document.chunks async for document in writer.stale_documents({})] == [()]


# ---------------------------------------------------------------------------------------------------------------- identical files
async def test_identical_content_is_one_document_with_both_paths(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    written = await writer.write_document(T, new_document())
    found = await writer.find_by_hash(T, content_hash(DocumentSample().text), "default")
    assert found == written.document_id
    await writer.attach_path(T, stamp(COPY), "/docs", found, "s1")

    assert (await library.document(T, found)).paths == [PATH, COPY]
    assert (await known(writer, COPY)).document_id == found


async def test_find_by_hash_looks_in_one_collection(writer: SqlLibraryWriter) -> None:
    await writer.write_document(T, new_document())
    assert await writer.find_by_hash(T, content_hash(DocumentSample().text), "other") is None
    assert await writer.find_by_hash(T, "0" * 64, "default") is None


async def test_a_copy_that_is_edited_becomes_a_document_of_its_own(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    shared = await written_with_copy(writer)
    own = await writer.write_document(T, new_document(DocumentSample(path=COPY, text="An edited copy.")))

    assert own.document_id != shared.document_id
    assert (own.is_new, own.generation, own.replaced_chunks) == (True, 1, ())
    assert (await library.document(T, shared.document_id)).paths == [PATH]
    assert (await library.document(T, own.document_id)).paths == [COPY]
    assert len(await library.chunks(T, shared.chunk_ids)) == len(shared.chunk_ids)


async def test_the_first_path_of_a_shared_document_may_be_the_one_that_is_edited(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    shared = await written_with_copy(writer)
    own = await writer.write_document(T, new_document(DocumentSample(text="The original was edited.")))
    old = await library.document(T, shared.document_id)
    assert (old.filename, old.paths) == ("copy of lease.txt", [COPY])
    assert (await library.document(T, own.document_id)).filename == "lease.txt"


async def test_new_settings_replace_a_shared_document_for_all_its_paths(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    shared = await written_with_copy(writer)
    again = await writer.write_document(T, new_document(DocumentSample(path=COPY, settings_version="s2")))
    assert (again.document_id, again.generation) == (shared.document_id, 2)
    document = await library.document(T, shared.document_id)
    assert (document.filename, document.paths) == ("lease.txt", [PATH, COPY])
    assert {(await known(writer, path)).settings_version for path in (PATH, COPY)} == {"s2"}


async def test_a_file_that_becomes_a_copy_leaves_no_document_behind(writer: SqlLibraryWriter, library: SqlLibrary, database: Database) -> None:
    kept = await writer.write_document(T, new_document())
    other = await writer.write_document(T, new_document(DocumentSample(path=COPY, text="Something else.")))
    await writer.attach_path(T, stamp(COPY), "/docs", kept.document_id, "s1")
    with pytest.raises(NotFound):
        await library.document(T, other.document_id)
    assert row_counts(database)["vectors"] == 1


async def test_attaching_to_nothing_is_an_error(writer: SqlLibraryWriter) -> None:
    with pytest.raises(NotFound):
        await writer.attach_path(T, stamp(COPY), "/docs", "0" * 32, "s1")


# ---------------------------------------------------------------------------------------------------------------- paths
async def test_a_moved_file_keeps_its_document(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    written = await writer.write_document(T, new_document())
    await writer.move_path(T, PATH, stamp("/docs/2024/renamed.txt"), "/docs")
    document = await library.document(T, written.document_id)
    assert (document.filename, document.file_path, document.generation) == ("renamed.txt", "/docs/2024/renamed.txt", 1)
    assert list(await writer.known_files(T, "/docs")) == ["/docs/2024/renamed.txt"]
    with pytest.raises(NotFound):
        await writer.move_path(T, PATH, stamp("/docs/x.txt"), "/docs")


async def test_a_move_over_another_file_drops_what_stood_there(writer: SqlLibraryWriter, library: SqlLibrary, database: Database) -> None:
    moved = await writer.write_document(T, new_document())
    await writer.write_document(T, new_document(DocumentSample(path=COPY, text="Overwritten.")))
    await writer.move_path(T, PATH, stamp(COPY), "/docs")
    assert (await library.document(T, moved.document_id)).paths == [COPY]
    assert row_counts(database)["documents"] == 1


async def test_touch_keeps_everything_but_the_stamp(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    written = await writer.write_document(T, new_document())
    later = stamp(PATH, 46, 1_800_000_000_000_000_000, 2**64 - 1)
    await writer.touch_file(T, later)
    assert (await known(writer)).stamp == later
    assert (await library.document(T, written.document_id)).generation == 1
    with pytest.raises(NotFound):
        await writer.touch_file(T, stamp("/docs/unknown.txt"))


async def test_removing_one_of_two_paths_keeps_the_document(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    shared = await written_with_copy(writer)
    removed = await writer.remove_paths(T, [PATH, "/docs/never seen.txt"])
    assert (removed.documents, removed.chunk_ids, removed.files, removed.documents_to_update) == ((), (), (PATH,), (shared.document_id,))
    document = await library.document(T, shared.document_id)
    assert (document.filename, document.paths) == ("copy of lease.txt", [COPY])


async def test_removing_the_last_path_leaves_no_row_in_any_table(writer: SqlLibraryWriter, database: Database) -> None:
    before = {**row_counts(database), "counters": 1}  # the counter of chunk ids stays: ids are never given again
    shared = await written_with_copy(writer)
    removed = await writer.remove_paths(T, [PATH, COPY])
    assert (removed.documents, removed.chunk_ids) == ((shared.document_id,), shared.chunk_ids)
    assert sorted(removed.files) == [COPY, PATH]
    assert row_counts(database) == before


async def test_deleting_a_document_keeps_its_files_as_skipped(writer: SqlLibraryWriter, library: SqlLibrary, database: Database) -> None:
    shared = await written_with_copy(writer)
    removed = await writer.delete_document(T, shared.document_id)
    assert (removed.documents, removed.chunk_ids, removed.files) == ((shared.document_id,), shared.chunk_ids, (PATH, COPY))
    lines, _, _ = await library.ledger(T)
    assert [(line.state, line.code, line.document_id) for line in lines] == [(DocumentState.SKIPPED, "removed_by_user", None)] * 2
    assert (await known(writer)).stamp == new_document().stamp
    counts = row_counts(database)
    assert {name for name, rows in counts.items() if rows} == {"files", "counters"}
    with pytest.raises(NotFound):
        await writer.delete_document(T, shared.document_id)


async def test_roots_come_and_go_with_their_files(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await writer.add_root(T, "/docs", "default")
    await writer.add_root(T, "/docs", "default")
    await writer.write_document(T, new_document())
    await writer.write_document(T, new_document(DocumentSample(path="/other/note.txt", root="/other", text="A note.")))
    await writer.record_file(T, stamp("/docs/broken.pdf"), "/docs", DocumentState.FAILED, UNREADABLE)
    await writer.mark_root_indexed(T, "/docs")

    (root,) = await library.roots(T)
    assert (root.path, root.collection, root.counts) == ("/docs", "default", {DocumentState.INDEXED: 1, DocumentState.FAILED: 1})
    assert root.last_indexed_at is not None
    removed = await writer.remove_root(T, "/docs")
    assert sorted(removed.files) == ["/docs/broken.pdf", PATH]
    assert await library.roots(T) == []
    assert (await library.totals(T)).documents == 1


async def test_a_root_that_changes_its_collection_takes_its_documents_along(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await writer.add_root(T, "/docs", "default")
    written = await writer.write_document(T, new_document())
    await writer.mark_indexed([(written.document_id, 1)])
    await writer.add_root(T, "/docs", "contracts")
    assert (await library.document(T, written.document_id)).collection == "contracts"
    assert [document.id async for document in writer.stale_documents({written.document_id: 1})] == [written.document_id]


# ---------------------------------------------------------------------------------------------------------------- reasons
async def test_three_failures_in_a_row_quarantine_a_file_until_it_changes(writer: SqlLibraryWriter) -> None:
    states = []
    for _ in range(4):
        await writer.record_file(T, stamp(PATH), "/docs", DocumentState.FAILED, UNREADABLE)
        line = await known(writer)
        states.append((line.state, line.attempts))
    assert states == [
        (DocumentState.FAILED, 1),
        (DocumentState.FAILED, 2),
        (DocumentState.QUARANTINED, 3),
        (DocumentState.QUARANTINED, 4),
    ]
    await writer.record_file(T, stamp(PATH, size=41), "/docs", DocumentState.FAILED, UNREADABLE)
    line = await known(writer)
    assert (line.state, line.attempts, line.content_hash) == (DocumentState.FAILED, 1, UNREADABLE.content_hash)


async def test_queueing_a_failed_file_again_does_not_forget_its_failures(writer: SqlLibraryWriter) -> None:
    for _ in range(3):
        await writer.record_file(T, stamp(PATH), "/docs", DocumentState.QUEUED, LedgerReason("", ""))
        await writer.record_file(T, stamp(PATH), "/docs", DocumentState.FAILED, UNREADABLE)
    assert (await known(writer)).state is DocumentState.QUARANTINED


async def test_a_success_ends_the_row_of_failures(writer: SqlLibraryWriter) -> None:
    for _ in range(2):
        await writer.record_file(T, stamp(PATH), "/docs", DocumentState.FAILED, UNREADABLE)
    await writer.write_document(T, new_document())
    line = await known(writer)
    assert (line.state, line.attempts) == (DocumentState.INDEXED, 0)


async def test_a_newer_version_that_cannot_be_read_keeps_the_older_one_askable(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    written = await writer.write_document(T, new_document())
    newer = stamp(PATH, size=99)
    await writer.record_file(T, newer, "/docs", DocumentState.FAILED, UNREADABLE)

    document = await library.document(T, written.document_id)
    assert (document.state, document.generation) == (DocumentState.PARTIAL, 1)
    assert document.reason.startswith("A newer version could not be read: It is damaged.")
    assert len(await library.chunks(T, written.chunk_ids)) == 3
    line = await known(writer)
    assert (line.state, line.attempts, line.stamp, line.content_hash) == (DocumentState.PARTIAL, 1, newer, UNREADABLE.content_hash)

    # The older version comes back: the same content, so the path is attached again and all is well.
    await writer.attach_path(T, stamp(PATH), "/docs", written.document_id, "s1")
    assert (await library.document(T, written.document_id)).state is DocumentState.INDEXED


async def test_a_copy_that_cannot_be_read_any_more_leaves_the_document(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    shared = await written_with_copy(writer)
    await writer.record_file(T, stamp(PATH, size=99), "/docs", DocumentState.FAILED, UNREADABLE)
    document = await library.document(T, shared.document_id)
    assert (document.paths, document.filename, document.state) == ([COPY], "copy of lease.txt", DocumentState.INDEXED)
    assert (await known(writer)).document_id is None


async def test_queued_changes_nothing_for_an_indexed_file(writer: SqlLibraryWriter) -> None:
    await writer.write_document(T, new_document())
    before = await known(writer)
    await writer.record_file(T, stamp(PATH, size=99), "/docs", DocumentState.QUEUED, LedgerReason("", ""))
    assert await known(writer) == before
    await writer.record_file(T, stamp("/docs/new.txt"), "/docs", DocumentState.QUEUED, LedgerReason("", ""))
    assert (await known(writer, "/docs/new.txt")).state is DocumentState.QUEUED


async def test_skipped_files_have_their_reason_in_the_ledger(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await writer.record_file(T, stamp("/docs/film.mp4"), "/docs", DocumentState.SKIPPED, LedgerReason("No reader for .mp4.", "unsupported"))
    ((line,), total, cursor) = await library.ledger(T)
    assert (total, cursor) == (1, None)
    assert (line.state, line.reason, line.code, line.attempts) == (DocumentState.SKIPPED, "No reader for .mp4.", "unsupported", 0)
