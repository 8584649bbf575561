"""What the index is told after a crash, and what becomes of characters that cannot be stored, on every database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core.documents import DocumentState
from core.ports import LedgerReason
from core.search import Filters
from storage.database import Database
from storage.replay import split_into_portions
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, stamp

T = "default"
PATH = "/docs/lease.txt"
COPY = "/docs/copy of lease.txt"


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


# ---------------------------------------------------------------------------------------------------------------- replay
async def test_replay_gives_what_the_index_lacks_with_text_and_vectors(writer: SqlLibraryWriter) -> None:
    new = new_document()
    first = await writer.write_document(T, new)
    second = await writer.write_document(T, new_document(DocumentSample(path=COPY, text="Another text.")))
    await writer.mark_indexed([(first.document_id, 1), (second.document_id, 1), ("0" * 32, 1)])
    assert [document async for document in writer.stale_documents({first.document_id: 1, second.document_id: 1})] == []

    (document,) = [each async for each in writer.stale_documents({first.document_id: 0, second.document_id: 1})]
    assert (document.id, document.generation, document.paths, document.tenant) == (first.document_id, 1, (PATH,), T)
    assert [chunk.id for chunk in document.chunks] == list(first.chunk_ids)
    assert "".join(chunk.text for chunk in document.chunks) == new.document.text
    assert document.chunks[1].headings == "Lease › Part 1"
    np.testing.assert_array_equal(np.stack([chunk.vector for chunk in document.chunks]), new.vectors)
    assert await writer.live_documents() == {first.document_id: (T, 1), second.document_id: (T, 1)}


async def test_a_path_that_changed_since_it_was_indexed_is_replayed(writer: SqlLibraryWriter) -> None:
    written = await writer.write_document(T, new_document())
    present = {written.document_id: 1}
    await writer.mark_indexed(list(present.items()))
    await writer.move_path(T, PATH, stamp("/docs/moved.txt"), "/docs")
    assert [document.paths async for document in writer.stale_documents(present)] == [("/docs/moved.txt",)]
    await writer.mark_indexed(list(present.items()))
    assert [document async for document in writer.stale_documents(present)] == []


async def test_an_old_generation_is_not_marked(writer: SqlLibraryWriter) -> None:
    written = await writer.write_document(T, new_document())
    await writer.write_document(T, new_document(DocumentSample(text="Changed meanwhile.")))
    await writer.mark_indexed([(written.document_id, 1)])
    assert len([document async for document in writer.stale_documents({written.document_id: 2})]) == 1


async def test_documents_of_another_embedder_stay_out_of_the_index(writer: SqlLibraryWriter, database: Database) -> None:
    await writer.write_document(T, new_document())
    other = SqlLibraryWriter(database, "another-embedder")
    assert await other.live_documents() == {}
    assert [document async for document in other.stale_documents({})] == []
    assert await other.count_by_embedder() == {"test-embedder": 3}


async def test_vectors_can_be_read_without_their_text(writer: SqlLibraryWriter) -> None:
    new = new_document()
    written = await writer.write_document(T, new)
    ((document_id, tenant, ids, matrix),) = [row async for row in writer.iterate_vectors()]
    assert (document_id, tenant, tuple(ids)) == (written.document_id, T, written.chunk_ids)
    np.testing.assert_array_equal(matrix, new.vectors)


def test_replay_reads_large_documents_one_at_a_time() -> None:
    stale = [("a", 1500), ("b", 400), ("c", 101), ("d", 9000), ("e", 0), ("f", 2000)]
    assert list(split_into_portions(stale)) == [["a", "b"], ["c"], ["d"], ["e", "f"]]
    assert list(split_into_portions([])) == []


async def test_indexed_documents_are_given_in_the_order_asked(writer: SqlLibraryWriter) -> None:
    ids = [(await writer.write_document(T, new_document(DocumentSample(path=f"/docs/{n}.txt", text=f"Text {n}")))).document_id for n in range(40)]
    asked = ids[::-1]
    assert [document.id for document in await writer.indexed_documents(T, [*asked, "0" * 32])] == asked


# ---------------------------------------------------------------------------------------------------------------- odd characters
async def test_characters_that_cannot_be_stored_become_replacement_characters_one_for_one(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    sample = DocumentSample(text="nul \x00 and lone \udc80 \ud800 end", title="T\x00\udfff", doc_type="a\x00", chunk_length=9)
    written = await writer.write_document(T, new_document(sample))
    content = await library.content(T, written.document_id)
    assert content.text == "nul � and lone � � end"
    chunks = await library.chunks(T, written.chunk_ids)
    assert "".join(chunks[number].text for number in written.chunk_ids) == content.text
    assert (await library.document(T, written.document_id)).title == "T��"
    assert content.document.sections[0].path == ("T��",)
    document, *_ = await writer.indexed_documents(T, [written.document_id])
    assert "".join(chunk.text for chunk in document.chunks) == content.text
    await writer.record_file(T, stamp("/docs/b\x00"), "/docs", DocumentState.FAILED, LedgerReason("bad \x00 \ud912", "x\udc00"))


async def test_every_unicode_plane_comes_back(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    every = "".join(chr(plane << 16 | low) for plane in range(17) for low in (0x41, 0x3A9, 0x4E2D, 0xFFFD, 0xFFFF))
    written = await writer.write_document(T, new_document(DocumentSample(text=every)))
    assert (await library.content(T, written.document_id)).text == every


async def test_a_file_name_that_is_no_utf8_is_found_again(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    path = "/docs/caf\udce9.txt"
    written = await writer.write_document(T, new_document(DocumentSample(path=path)))
    assert list(await writer.known_files(T, "/docs")) == [path]
    document = await library.document(T, written.document_id)
    assert (document.filename, document.file_path) == ("caf�.txt", "/docs/caf�.txt")
    assert (await library.ledger(T))[0][0].path == "/docs/caf�.txt"
    assert (await writer.remove_paths(T, [path])).files == (path,)


async def test_no_filter_means_everything(writer: SqlLibraryWriter, library: SqlLibrary) -> None:
    await writer.write_document(T, new_document())
    assert (await library.list_documents(T, filters=Filters()))[1] == 1
