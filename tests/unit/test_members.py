"""What lies in archives and messages, in the library: it comes, changes, moves and goes with the file that holds it."""

from __future__ import annotations

import os
import random
import shutil
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from core.documents import DocumentState
from core.errors import StorageFull
from core.ports import NewDocument, WriteResult
from ingestion.indexing.index_writer import IndexWriter, Stores
from ingestion.indexing.indexer import Indexer, IndexingOptions, IndexingRequest
from storage.database import Database
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_watch_store import SqlWatchStore
from tests.support.containers import LOCKED_ZIP, PASSWORD, WalkingReader, mail, mailbox, zip_bytes
from tests.support.indexing_bench import Bench, bench, file_counts, library_contents, reindexed_contents, write_file

__all__ = ["bench"]

LEASE = "The lease of Halden Street ends in May. Notice is three months."
REPORT = "The annual report tells of two new shops."
OTHER = "Minutes of the meeting about the roof."


@pytest.fixture(autouse=True)
def _walking(bench: Bench) -> None:
    bench.reader = WalkingReader()


def visited(bench: Bench) -> list[str]:
    """Members that were read since the last call."""
    reader = bench.reader
    assert isinstance(reader, WalkingReader)
    found, reader.visited = reader.visited, []
    return found


def archive(bench: Bench, members: dict[str, bytes | str], name: str = "a.zip") -> Path:
    path = bench.docs / name
    path.write_bytes(zip_bytes(members))
    return path


def books_of(bench: Bench) -> IndexWriter:
    return IndexWriter(Stores(bench.library, SqlLibraryWriter(bench.database), bench.index, bench.tokens), "t")


async def ids(bench: Bench) -> dict[str, str | None]:
    return {path: line.document_id for path, line in (await bench.ledger()).items()}


async def test_members_are_documents_with_their_path(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "in/one.eml": mail("Papers", "See below.", {"report.txt": REPORT.encode()})})
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 4}
    ledger = await bench.ledger()
    assert set(ledger) == {"a.zip", "a.zip!/lease.txt", "a.zip!/in/one.eml", "a.zip!/in/one.eml!/report.txt"}
    line = ledger["a.zip!/in/one.eml!/report.txt"]
    assert line.container == f"{bench.docs}/a.zip!/in/one.eml"
    assert (ledger["a.zip!/lease.txt"].container, ledger["a.zip"].container) == (f"{bench.docs}/a.zip", "")
    document = await bench.library.document("t", line.document_id or "")
    assert (document.filename, document.file_path, document.file_type) == ("report.txt", line.path, ".txt")


async def test_an_unchanged_archive_is_not_opened_again(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "report.txt": REPORT})
    await bench.run()
    summary = await bench.run()
    assert file_counts(summary.progress) == {"unchanged": 3}
    assert bench.reader.read == []


async def test_of_a_changed_archive_only_what_changed_is_indexed(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "report.txt": REPORT, "old.txt": OTHER})
    await bench.run()
    before = await ids(bench)
    archive(bench, {"lease.txt": LEASE, "report.txt": f"{REPORT} And more.", "new.txt": "A letter to the bank."})
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 3, "unchanged": 1, "removed": 1}
    after = await ids(bench)
    assert set(after) == {"a.zip", "a.zip!/lease.txt", "a.zip!/report.txt", "a.zip!/new.txt"}
    assert all(after[path] == before[path] for path in after if path in before)
    assert not any("lease of" in text for text in bench.embedder.texts)
    assert file_counts((await bench.run()).progress) == {"unchanged": 4}


async def test_an_archive_that_was_only_touched_brings_nothing_new(bench: Bench) -> None:
    path = archive(bench, {"lease.txt": LEASE})
    await bench.run()
    os.utime(path, (1_000_000_000, 1_000_000_000))
    await bench.run()
    assert bench.reader.read == []
    assert {line.modified_at and line.modified_at.year for line in (await bench.ledger()).values()} == {2001}


async def test_members_move_and_go_with_their_archive(bench: Bench) -> None:
    path = archive(bench, {"lease.txt": LEASE, "one.eml": mail("Papers", "See below.", {"report.txt": REPORT.encode()})})
    write_file(bench.docs / "keep.txt", "Stays.")
    await bench.run()
    before = await ids(bench)
    path.rename(bench.docs / "b.zip")
    await bench.run()
    assert all("ZIP archive" in text for text in bench.embedder.texts)  # its title is its name
    assert await ids(bench) == {name.replace("a.zip", "b.zip"): document for name, document in before.items()}
    assert {line.container for line in (await bench.ledger()).values()} == {"", f"{bench.docs}/b.zip", f"{bench.docs}/b.zip!/one.eml"}
    paths = {each for made in bench.index.committed.values() for each in made.paths}
    assert paths == {str(bench.docs / name) for name in await ids(bench)}
    (bench.docs / "b.zip").unlink()
    await bench.run()
    assert set(await ids(bench)) == {"keep.txt"}
    assert len(bench.index.committed) == 1


async def test_a_copy_of_an_archive_shares_its_documents(bench: Bench) -> None:
    path = archive(bench, {"lease.txt": LEASE})
    await bench.run()
    shutil.copy(path, bench.docs / "copy.zip")
    write_file(bench.docs / "lease.txt", LEASE)
    await bench.run()
    assert bench.embedder.texts == []
    found = await ids(bench)
    assert set(found) == {"a.zip", "a.zip!/lease.txt", "copy.zip", "copy.zip!/lease.txt", "lease.txt"}
    assert len(set(found.values())) == 2
    path.unlink()
    await bench.run()
    assert set(await ids(bench)) == {"copy.zip", "copy.zip!/lease.txt", "lease.txt"}


async def test_two_equal_archives_in_one_run(bench: Bench) -> None:
    for name in ("a.zip", "b.zip", "c.zip"):
        archive(bench, {"lease.txt": LEASE, "report.txt": REPORT}, name)
    await bench.run()
    found = await ids(bench)
    assert len(found) == 9
    assert len(set(found.values())) == 3


async def test_a_member_that_cannot_be_read_is_a_line_and_is_tried_again(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "torn.pdf": "%PDF-1.4 torn"})
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 2, "failed": 1}
    assert (await bench.ledger())["a.zip"].state is DocumentState.INDEXED
    visited(bench)
    for state in (DocumentState.FAILED, DocumentState.QUARANTINED, DocumentState.QUARANTINED):
        await bench.run()
        assert (await bench.ledger())["a.zip!/torn.pdf"].state is state
    assert visited(bench) == ["torn.pdf", "torn.pdf"]


async def test_an_archive_that_is_damaged_now_leaves_what_it_gave(bench: Bench) -> None:
    path = archive(bench, {"lease.txt": LEASE})
    await bench.run()
    path.write_bytes(path.read_bytes()[:40])
    await bench.run()
    ledger = await bench.ledger()
    assert (ledger["a.zip"].state, ledger["a.zip"].code) == (DocumentState.PARTIAL, "malformed")
    assert ledger["a.zip!/lease.txt"].state is DocumentState.INDEXED
    archive(bench, {"lease.txt": LEASE})
    await bench.run()
    assert (await bench.ledger())["a.zip"].state is DocumentState.INDEXED


async def test_one_member_is_retried_alone(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "report.txt": REPORT})
    await bench.run()
    visited(bench)
    await bench.run(bench.docs / "a.zip!" / "lease.txt", force=True)
    assert visited(bench) == ["lease.txt"]
    assert set(await bench.ledger()) == {"a.zip", "a.zip!/lease.txt", "a.zip!/report.txt"}


async def test_a_member_that_was_removed_on_request_stays_away(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "report.txt": REPORT})
    await bench.run()
    document = (await bench.ledger())["a.zip!/lease.txt"].document_id or ""
    await books_of(bench).delete_document(document)
    archive(bench, {"lease.txt": LEASE, "report.txt": f"{REPORT} More."})
    await bench.run()
    ledger = await bench.ledger()
    assert (ledger["a.zip!/lease.txt"].state, ledger["a.zip!/lease.txt"].code) == (DocumentState.SKIPPED, "removed_by_user")


async def test_deleting_an_archive_deletes_what_lies_in_it(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "one.eml": mail("Papers", "See below.", {"report.txt": REPORT.encode()})})
    await bench.run()
    books = books_of(bench)
    await books.delete_document((await bench.ledger())["a.zip"].document_id or "")
    await books.flush()
    assert set(await bench.ledger()) == {"a.zip"}
    assert bench.index.committed == {}
    await bench.check()
    assert file_counts((await bench.run()).progress) == {"skipped": 1}


async def test_an_archive_that_is_ignored_now_takes_its_members_along(bench: Bench) -> None:
    path = archive(bench, {"lease.txt": LEASE})
    write_file(bench.docs / "keep.txt", "Stays.")
    await bench.run()
    path.rename(bench.docs / ".hidden.zip")
    await bench.run()
    assert {name for name, document in (await ids(bench)).items() if document} == {"keep.txt"}


async def test_another_version_of_the_readers_reads_everything_again(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "report.txt": REPORT})
    await bench.run()
    before = await ids(bench)
    bench.version = "2"
    summary = await bench.run()
    assert file_counts(summary.progress) == {"indexed": 3}
    assert await ids(bench) == before


async def test_a_password_opens_what_is_locked_and_is_kept_nowhere(bench: Bench, tmp_path: Path) -> None:
    write_file(bench.docs / "plain.txt", "Stays.")
    (bench.docs / "locked.zip").write_bytes(LOCKED_ZIP)
    await bench.run()
    line = (await bench.ledger())["locked.zip!/lease.txt"]
    assert (line.state, line.code) == (DocumentState.FAILED, "encrypted")
    assert "--password" in line.reason
    await bench.run(password="wrong")
    assert "does not open it" in (await bench.ledger())["locked.zip!/lease.txt"].reason
    await bench.run()
    await bench.run(password=PASSWORD)
    assert (await bench.ledger())["locked.zip!/lease.txt"].state is DocumentState.INDEXED
    stored = b"".join(path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file())
    assert PASSWORD.encode() not in stored
    assert PASSWORD not in repr(IndexingRequest("t", tmp_path, password="Halden7!"))


async def test_members_that_a_person_took_out_stay_out_until_that_ends(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "report.txt": REPORT})
    await bench.run()
    excluding, path = SqlWatchStore(bench.database), str(bench.docs / "a.zip!" / "lease.txt")
    await excluding.exclude("t", path)
    await bench.run()
    ledger = await bench.ledger()
    assert (ledger["a.zip!/lease.txt"].state, ledger["a.zip!/lease.txt"].code) == (DocumentState.SKIPPED, "excluded")
    assert len(bench.index.committed) == 2
    await excluding.include("t", path)
    visited(bench)
    await bench.indexer().index_changes("t", [path], cancelled=anyio.Event())
    assert (await bench.ledger())["a.zip!/lease.txt"].state is DocumentState.INDEXED
    assert visited(bench) == ["lease.txt"]


async def test_a_changed_archive_is_followed(bench: Bench) -> None:
    archive(bench, {"lease.txt": LEASE, "old.txt": OTHER})
    write_file(bench.docs / "keep.txt", "Stays.")
    await bench.run()
    path = archive(bench, {"lease.txt": LEASE, "report.txt": REPORT})
    await bench.indexer().index_changes("t", [str(path)], cancelled=anyio.Event())
    assert set(await bench.ledger()) == {"a.zip", "a.zip!/lease.txt", "a.zip!/report.txt", "keep.txt"}
    path.unlink()
    await bench.indexer().index_changes("t", [str(path)], cancelled=anyio.Event())
    assert set(await bench.ledger()) == {"keep.txt"}
    await bench.check()


async def test_a_run_that_is_killed_in_an_archive_is_made_good(bench: Bench) -> None:
    """At whatever write it ends, the next run brings what a whole one would."""
    inner = mail("Papers", "See below.", {"report.txt": REPORT.encode(), "minutes.txt": OTHER.encode()})
    archive(bench, {"lease.txt": LEASE, "one.eml": inner, "deep.zip": zip_bytes({"two.eml": inner, "note.txt": "A note."})})
    write_file(bench.docs / "keep.txt", "Stays.")
    bench.embedder.delay = 0.05  # so that documents are embedded together, the longest first
    for writes in range(12):
        writer = Dying(bench.database, writes)
        stores = Stores(bench.library, writer, bench.index, bench.tokens)
        indexer = Indexer(
            stores,
            bench.reader,
            bench.embedder,
            IndexingOptions(bench.home, commit_every_seconds=0.05, window=64, embed_batch=1, readers_version="1"),
        )
        with suppress(StorageFull):
            await indexer.index(IndexingRequest("t", bench.docs), progress=bench.seen.append, cancelled=anyio.Event())
        if writes % 3 == 0:
            continue  # the next one dies a write later, over what this one left
        await bench.run()
        ledger = await bench.ledger()
        assert len([path for path in ledger if path.startswith("a.zip")]) == 10, (writes, sorted(ledger))
        assert {line.state for line in ledger.values()} == {DocumentState.INDEXED}
        books = books_of(bench)
        await books.remove_root(str(bench.docs))
        await books.flush()


class Dying(SqlLibraryWriter):
    """A writer of which nothing more is heard after some writes."""

    def __init__(self, database: Database, writes: int) -> None:
        super().__init__(database)
        self.left = writes

    async def write_document(self, tenant: str, new: NewDocument) -> WriteResult:
        self.left -= 1
        if self.left < 0:
            raise StorageFull("Killed.")
        return await super().write_document(tenant, new)


async def test_random_edits_end_as_a_fresh_index_would(bench: Bench, tmp_path: Path) -> None:
    chance = random.Random(7)
    texts = [f"Text number {number} about the {word}." for number, word in enumerate(["roof", "lease", "bank", "shop", "garden", "harbour"])]

    def made(depth: int) -> dict[str, bytes | str]:
        names = chance.sample(["a.txt", "b.txt", "c.txt", "d.eml", "e.zip", "f.mbox"], chance.randint(1, 5))
        return {name: _content(name, depth) for name in names}

    def _content(name: str, depth: int) -> bytes | str:
        text = chance.choice(texts)
        match name[-4:]:
            case ".eml":
                return mail(text[:12], text, {"x.txt": chance.choice(texts).encode()})
            case "mbox":
                return mailbox([mail(each[:12], each) for each in chance.sample(texts, 2)])
            case ".zip":
                return zip_bytes(made(depth + 1)) if depth < 2 else zip_bytes({"deep.txt": text})
        return text

    for step in range(25):
        name = chance.choice(["one.zip", "two.zip", "three.zip"])
        path = bench.docs / name
        match chance.randint(0, 4):
            case 0 if path.exists():
                path.unlink()
            case 1 if path.exists():
                path.rename(bench.docs / chance.choice(["one.zip", "two.zip", "moved.zip"]))
            case 2:
                write_file(bench.docs / "own.txt", chance.choice(texts))
            case _:
                path.write_bytes(zip_bytes(made(0)))
                os.utime(path, (1_000_000_000 + step, 1_000_000_000 + step))
        write_file(bench.docs / "always.txt", "Stays.")
        await bench.run()
    fresh = await reindexed_contents(bench, tmp_path)
    assert await library_contents(bench) == fresh
