"""The promises of core.ports.attached_files, on every database: results live and die with their content, uploads are found by path or name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.documents import DocumentState
from core.ports import LedgerReason
from core.ports.attached_files import InsightKey
from storage.database import Database
from storage.sql_insights import SqlInsights, UploadedFiles
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, content_hash, new_document, open_backend, row_counts, stamp

T = "default"
SAMPLE = DocumentSample()
KEY = InsightKey(content_hash(SAMPLE.text), "mnemosyne", "v1")


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def store(database: Database) -> SqlInsights:
    return SqlInsights(database)


@pytest.fixture
def writer(database: Database) -> SqlLibraryWriter:
    return SqlLibraryWriter(database)


async def test_a_result_is_known_by_content_agent_version_and_model(store: SqlInsights, writer: SqlLibraryWriter) -> None:
    await writer.write_document(T, new_document())
    await store.put(T, KEY, '{"a": "ü\\u0000"}')
    assert await store.get(T, KEY) == '{"a": "ü\\u0000"}'
    others = [
        InsightKey("f" * 64, KEY.agent, KEY.version),
        InsightKey(KEY.content_hash, "hypatia", KEY.version),
        InsightKey(KEY.content_hash, KEY.agent, "v2"),
        InsightKey(KEY.content_hash, KEY.agent, KEY.version, "llama"),
    ]
    assert [await store.get(T, other) for other in others] == [None] * 4
    assert await store.get("another tenant", KEY) is None


async def test_another_version_takes_the_place_of_the_one_before(store: SqlInsights, writer: SqlLibraryWriter, database: Database) -> None:
    await writer.write_document(T, new_document())
    await store.put(T, KEY, "1")
    await store.put(T, InsightKey(KEY.content_hash, KEY.agent, "v2"), "2")
    assert row_counts(database)["document_insights"] == 1


async def test_nothing_is_kept_of_a_content_that_no_document_has(store: SqlInsights, database: Database) -> None:
    await store.put(T, KEY, "1")
    assert row_counts(database)["document_insights"] == 0


async def test_a_result_goes_with_the_last_document_of_its_content(store: SqlInsights, writer: SqlLibraryWriter) -> None:
    first = await writer.write_document(T, new_document())
    second = await writer.write_document(T, new_document(DocumentSample(path="/docs/other/lease.txt", collection="other")))
    await store.put(T, KEY, "1")
    await writer.delete_document(T, first.document_id)
    assert await store.get(T, KEY) == "1"
    await writer.delete_document(T, second.document_id)
    assert await store.get(T, KEY) is None


async def test_a_changed_file_takes_the_old_result_away(store: SqlInsights, writer: SqlLibraryWriter, database: Database) -> None:
    await writer.write_document(T, new_document())
    await store.put(T, KEY, "1")
    await writer.write_document(T, new_document(DocumentSample(text="The lease ends in June.", mtime_ns=1_700_000_000_000_000_001)))
    assert row_counts(database)["document_insights"] == 0


async def test_the_same_content_of_another_tenant_keeps_its_result(store: SqlInsights, writer: SqlLibraryWriter) -> None:
    mine = await writer.write_document(T, new_document())
    await writer.write_document("ann", new_document())
    await store.put(T, KEY, "mine")
    await store.put("ann", KEY, "ann's")
    await writer.delete_document(T, mine.document_id)
    assert (await store.get(T, KEY), await store.get("ann", KEY)) == (None, "ann's")


# ---------------------------------------------------------------------------------------------------------------- uploads
def uploaded(tmp_path: Path, name: str, text: str = "words", tenant: str = T) -> Path:
    path = tmp_path / "uploads" / tenant / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


async def test_an_upload_waits_until_its_present_content_is_in_the_ledger(database: Database, writer: SqlLibraryWriter, tmp_path: Path) -> None:
    files = UploadedFiles(database, tmp_path / "uploads")
    path = uploaded(tmp_path, "broken.pdf")
    found = await files.find_attachment(T, str(path))
    assert found is not None
    assert (found.filename, found.ledger_line, found.is_waiting) == ("broken.pdf", None, True)

    status = path.stat()
    seen = stamp(str(path), status.st_size, status.st_mtime_ns)
    await writer.record_file(T, seen, str(path.parent), DocumentState.FAILED, LedgerReason("It is damaged.", "malformed"))
    for asked in (str(path), "broken.pdf"):
        found = await files.find_attachment(T, asked)
        assert found is not None
        assert found.ledger_line is not None
        assert (found.is_waiting, found.ledger_line.reason) == (False, "It is damaged.")

    path.write_text("another content, uploaded under the same name")
    again = await files.find_attachment(T, "broken.pdf")
    assert again is not None
    assert again.is_waiting


@pytest.mark.parametrize("asked", ["nothing.pdf", "../other/secret.txt", "/etc/passwd", "a\0b", "", "../../library.db", "..", "."])
async def test_nothing_outside_the_tenants_own_is_told_of(database: Database, tmp_path: Path, asked: str) -> None:
    uploaded(tmp_path, "secret.txt", tenant="other")
    (tmp_path / "library.db").touch()
    files = UploadedFiles(database, tmp_path / "uploads")
    assert await files.find_attachment(T, asked) is None
    assert await files.find_attachment(T, str(tmp_path / "uploads" / "other" / "secret.txt")) is None


async def test_a_path_of_a_watched_folder_is_found_in_the_ledger(database: Database, writer: SqlLibraryWriter, tmp_path: Path) -> None:
    written = await writer.write_document(T, new_document())
    files = UploadedFiles(database, tmp_path / "uploads")
    found = await files.find_attachment(T, SAMPLE.path)
    assert found is not None
    assert found.is_waiting  # the library has it, the search index not yet
    await writer.mark_indexed([(written.document_id, written.generation)])
    found = await files.find_attachment(T, SAMPLE.path)
    assert found is not None
    assert found.ledger_line is not None
    assert (found.ledger_line.document_id, found.is_waiting) == (written.document_id, False)
