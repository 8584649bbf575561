"""What a person decided about watching is kept; the ledger answers by folder, reason and text; changed paths find their rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert

from core.documents import DocumentState
from core.errors import InvalidInput, NotFound
from core.ports import FileStamp, LedgerFilter, LedgerReason
from storage.database import Database
from storage.ledger_reports import SqlLedgerReports
from storage.schema import files
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_watch_store import SqlWatchStore
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend

T = "default"
SEEN = datetime(2024, 1, 1, tzinfo=UTC)
FAILED, SKIPPED, INDEXED = DocumentState.FAILED, DocumentState.SKIPPED, DocumentState.INDEXED


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def store(database: Database) -> SqlWatchStore:
    return SqlWatchStore(database)


@pytest.fixture
def writer(database: Database) -> SqlLibraryWriter:
    return SqlLibraryWriter(database)


@pytest.fixture
def reports(database: Database) -> SqlLedgerReports:
    return SqlLedgerReports(database)


async def refuse(writer: SqlLibraryWriter, path: str, code: str, state: DocumentState = FAILED, tenant: str = T, root: str = "/docs") -> None:
    await writer.record_file(tenant, FileStamp(path, 1, 1), root, state, LedgerReason(f"It is {code}.", code))


# ---------------------------------------------------------------------------------------------------------------- exclusions and switches
async def test_exclusions_are_kept_by_tenant_and_swallow_what_lies_in_them(store: SqlWatchStore) -> None:
    first = await store.exclude(T, "/docs/a/b.txt")
    assert await store.exclude(T, "/docs/a/b.txt") == first
    await store.exclude(T, "/docs/ab")
    await store.exclude("other", "/docs/a/b.txt")
    await store.exclude(T, "/docs/a")
    assert [each.path for each in await store.exclusions(T)] == ["/docs/a", "/docs/ab"]
    assert [each.path for each in await store.exclusions("other")] == ["/docs/a/b.txt"]
    assert await store.include(T, "/docs/a")
    assert not await store.include(T, "/docs/a")
    assert not await store.include(T, "/docs/a/b.txt")


async def test_the_switch_of_all_ends_those_of_single_folders(store: SqlWatchStore) -> None:
    assert await store.switches(T) == {}
    await store.set_switch(T, "/docs", on=False)
    await store.set_switch(T, "/docs", on=True)
    await store.set_switch(T, "/mail", on=False)
    assert await store.switches(T) == {"/docs": True, "/mail": False}
    assert await store.switches("other") == {}
    await store.set_switch(T, "", on=False)
    assert await store.switches(T) == {"": False}


async def test_a_root_that_is_removed_takes_its_decisions_with_it(store: SqlWatchStore, writer: SqlLibraryWriter) -> None:
    for root in ("/docs", "/docs/inner", "/mail"):
        await writer.add_root(T, root, "default")
    assert await store.tenants() == [T]
    for path in ("/docs/a", "/docs/inner/b", "/mail/c"):
        await store.exclude(T, path)
    await store.set_switch(T, "/docs", on=False)
    await writer.remove_root(T, "/docs")
    assert [each.path for each in await store.exclusions(T)] == ["/docs/inner/b", "/mail/c"]
    assert await store.switches(T) == {}
    await writer.remove_root(T, "/docs/inner")
    await writer.remove_root(T, "/mail")
    assert await store.exclusions(T) == []
    assert await store.tenants() == []


# ---------------------------------------------------------------------------------------------------------------- changed paths
async def test_changed_paths_find_their_rows_their_members_and_their_other_names(database: Database, writer: SqlLibraryWriter) -> None:
    paths = {"/docs/a.txt": 1, "/docs/link.txt": 1, "/docs/sub/b.txt": 2, "/docs/sub2/c.txt": 3, "/docs/x.zip": 4, "/docs/x.zip!/in.txt": 0, "/z": 9}
    common = {"state": "skipped", "reason": "", "code": "x", "parser": "", "content_hash": "", "attempts": 0, "settings_version": ""}
    rows = [
        {"tenant": T, "path": path, "root": "/docs", "size": 1, "mtime_ns": 1, "inode": str(inode), "seen_at": SEEN, **common}
        for path, inode in paths.items()
    ]
    container = {"container": ""} if "container" in files.c else {}
    await database.write(lambda connection: connection.execute(insert(files), [{**row, **container} for row in rows]))
    assert set(await writer.known_files_below(T, ["/docs/a.txt"])) == {"/docs/a.txt", "/docs/link.txt"}
    assert set(await writer.known_files_below(T, ["/docs/sub"])) == {"/docs/sub/b.txt"}
    assert set(await writer.known_files_below(T, ["/docs/x.zip"])) == {"/docs/x.zip", "/docs/x.zip!/in.txt"}
    assert set(await writer.known_files_below(T, ["/new"], [3, 0])) == {"/docs/sub2/c.txt"}
    assert set(await writer.known_files_below(T, [f"/docs/sub/{number}" for number in range(200)] + ["/z"])) == {"/z"}
    assert await writer.known_files_below("other", ["/docs"]) == {}
    assert await writer.known_files_below(T, []) == {}


# ---------------------------------------------------------------------------------------------------------------- reports
async def filled(writer: SqlLibraryWriter) -> None:
    await writer.add_root(T, "/docs", "default")
    await writer.write_document(T, new_document(DocumentSample("/docs/Lease.txt", "one")))
    await writer.write_document(T, new_document(DocumentSample("/docs/2024/q1/budget.txt", "two")))
    await writer.write_document(T, new_document(DocumentSample("/docs/2024/notes.txt", "three")))
    await refuse(writer, "/docs/2024/q2/broken.pdf", "malformed")
    await refuse(writer, "/docs/2024/q2/100%.pdf", "malformed")
    await refuse(writer, "/docs/Ölung/x.bin", "unsupported", SKIPPED)
    await refuse(writer, "/elsewhere/x.bin", "unsupported", SKIPPED, root="/elsewhere")
    await refuse(writer, "/docs/secret.bin", "unsupported", SKIPPED, tenant="other")


async def test_lines_by_state_code_text_and_folder(writer: SqlLibraryWriter, reports: SqlLedgerReports) -> None:
    await filled(writer)

    async def paths(**which: object) -> list[str]:
        lines, total, _ = await reports.lines(T, LedgerFilter(**which))  # type: ignore[arg-type]
        assert total == len(lines)
        return [line.path.removeprefix("/docs/") for line in lines]

    assert await paths(states=[FAILED]) == ["2024/q2/100%.pdf", "2024/q2/broken.pdf"]
    assert await paths(codes=["unsupported"], root="/docs") == ["Ölung/x.bin"]
    assert await paths(text="LEASE") == ["Lease.txt"]
    assert await paths(text="%") == ["2024/q2/100%.pdf"]
    assert await paths(under="/docs/2024") == ["2024/notes.txt", "2024/q1/budget.txt", "2024/q2/100%.pdf", "2024/q2/broken.pdf"]
    assert await paths(under="/docs/202") == []
    first, total, cursor = await reports.lines(T, LedgerFilter(), limit=4)
    rest, _, end = await reports.lines(T, LedgerFilter(), limit=4, cursor=cursor)
    assert (len(first), len(rest), total, end) == (4, 3, 7, None)
    with pytest.raises(InvalidInput):
        await reports.lines(T, LedgerFilter(), limit=0)


async def test_one_line_by_its_path(writer: SqlLibraryWriter, reports: SqlLedgerReports) -> None:
    await filled(writer)
    assert (await reports.line(T, "/docs/2024/q2/broken.pdf")).code == "malformed"
    for tenant, path in ((T, "/docs/secret.bin"), ("other", "/docs/Lease.txt")):
        with pytest.raises(NotFound):
            await reports.line(tenant, path)


async def test_reasons_with_examples_the_most_frequent_first(writer: SqlLibraryWriter, reports: SqlLedgerReports) -> None:
    await filled(writer)
    for number in range(5):
        await refuse(writer, f"/docs/n{number}.zip", "encrypted")
    found = await reports.reasons(T, LedgerFilter())
    assert [(each.code, each.files, len(each.examples)) for each in found] == [("encrypted", 5, 3), ("malformed", 2, 2), ("unsupported", 2, 2)]
    assert found[1].states == (FAILED,)
    assert found[1].reason == "It is malformed."
    assert [each.code for each in await reports.reasons(T, LedgerFilter(under="/docs/2024"))] == ["malformed"]


async def test_folders_count_what_lies_below_them(writer: SqlLibraryWriter, reports: SqlLedgerReports) -> None:
    await filled(writer)
    found, direct = await reports.folders(T, "/docs", 100)
    assert [(each.path, each.by_state, each.by_code, each.folders) for each in found] == [
        ("/docs/2024", {INDEXED: 2, FAILED: 2}, {"malformed": 2}, 2),
        ("/docs/Ölung", {SKIPPED: 1}, {"unsupported": 1}, 0),
    ]
    assert direct == 1
    inner, direct = await reports.folders(T, "/docs/2024", 100)
    assert ([each.path for each in inner], direct) == (["/docs/2024/q1", "/docs/2024/q2"], 1)
    assert [each.path for each in (await reports.folders(T, "/docs", 1))[0]] == ["/docs/2024"]
    assert await reports.folders(T, "/docs/2024/q1", 100) == ([], 1)
    assert await reports.folders("nobody", "/docs", 100) == ([], 0)
