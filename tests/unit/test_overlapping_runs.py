"""Runs that are at the same files at the same time: whichever stores last, the library holds what the folder holds."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from core.documents import DocumentState
from core.ports import EncodedPassages, FileStamp, KnownFile
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.index_writer import IndexWriter
from ingestion.indexing.indexer import Indexer
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.indexing.run_progress import RunSummary
from ingestion.workers.worker_protocol import Demand, Extraction
from storage.sql_jobs import SqlJobs
from tests.support.containers import WHOLE_DEMAND, WalkingReader, zip_bytes
from tests.support.indexing_bench import Bench, bench, write_file
from tests.support.ingestion import HashEmbedder
from tests.unit.test_watch_follow import indexer
from tests.unit.test_watch_lanes import over

__all__ = ["bench"]


class Gate:
    """`reached` says that somebody waits at it, `go` lets all through."""

    def __init__(self) -> None:
        self.reached, self.go = asyncio.Event(), asyncio.Event()

    async def wait(self) -> None:
        self.reached.set()
        await self.go.wait()


class Held(HashEmbedder):
    """Waits with every text that has a word in it that is held."""

    def __init__(self) -> None:
        super().__init__()
        self.gates = {"old": Gate(), "slow": Gate()}

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        for word, gate in self.gates.items():
            if any(word in text for text in texts):
                await gate.wait()
        return await super().embed_passages(texts, with_tokens=with_tokens)


class SlowReader(WalkingReader):
    """Waits after it has read a file of this name, until it is let go; once only."""

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[str, Gate] = {}

    async def extract(
        self, path: Path, demand: Demand = WHOLE_DEMAND, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        gate = self.held.pop(path.name, None)
        try:
            return await super().extract(path, demand, on_member=on_member, on_progress=on_progress)
        finally:
            if gate is not None:
                await gate.wait()


class Late:
    """A run that read files that hold "old" and stores them when all others are over."""

    def __init__(self, bench: Bench) -> None:
        self.embedder, self.reader = Held(), SlowReader()
        bench.reader = self.reader
        self.indexer: Indexer = indexer(bench, self.embedder)

    async def follow(self, *paths: Path) -> RunSummary:
        return await self.indexer.index_changes("t", [str(path) for path in paths], cancelled=anyio.Event())

    @asynccontextmanager
    async def behind(self, *paths: Path, gate: Gate | None = None) -> AsyncIterator[None]:
        """What is done inside happens between the reading and the storing of `paths`."""
        gate = gate or self.embedder.gates["old"]
        late = asyncio.create_task(self.follow(*paths))
        await gate.reached.wait()
        yield
        gate.go.set()
        await late


@pytest.fixture
async def late(bench: Bench) -> Late:
    made = Late(bench)
    write_file(bench.docs / "keep.txt", "Stays.")
    await bench.run()
    return made


def later(path: Path, seconds: int) -> None:
    """Give a file a time of its own, as if it had been written then: a tick of the clock is too long for a test."""
    os.utime(path, (1_700_000_000 + seconds, 1_700_000_000 + seconds))


async def texts(bench: Bench) -> dict[str, str]:
    """Path -> what is found under it."""
    await bench.check()
    found = {path: "\n".join(chunk.text for chunk in made.chunks) for made in bench.index.committed.values() for path in made.paths}
    return {name: found.get(line.path, line.state.value) for name, line in (await bench.ledger()).items()}


async def test_an_older_reading_of_an_archive_does_not_stay(bench: Bench, late: Late) -> None:
    """The archive's members were those of the new version, its own list that of the old one."""
    path = bench.docs / "a.zip"
    path.write_bytes(zip_bytes({"old.txt": "Was there before.", "kept.txt": "Is always there."}))
    async with late.behind(path):
        path.write_bytes(zip_bytes({"kept.txt": "Is always there.", "new.txt": "Came with the change, and is longer."}))
        await late.follow(path)
    found = await texts(bench)
    assert set(found) == {"keep.txt", "a.zip", "a.zip!/kept.txt", "a.zip!/new.txt"}
    assert "new.txt" in found["a.zip"]
    assert "old.txt" not in found["a.zip"]


async def test_an_older_reading_of_a_file_does_not_stay(bench: Bench, late: Late) -> None:
    path = write_file(bench.docs / "a.txt", "The old version.")
    async with late.behind(path):
        path.write_text("The new version, which is longer.")
        await late.follow(path)
    assert (await texts(bench))["a.txt"] == "The new version, which is longer."


async def test_a_file_that_goes_while_it_is_read_does_not_come_back(bench: Bench, late: Late) -> None:
    path = write_file(bench.docs / "a.txt", "The old version.")
    async with late.behind(path):
        path.unlink()
        await late.follow(path)
    assert set(await texts(bench)) == {"keep.txt"}


async def test_a_file_that_comes_back_while_another_run_misses_it_stays(bench: Bench, late: Late) -> None:
    path = write_file(bench.docs / "b.txt", "Away for a moment.")
    await late.follow(path)
    away = path.rename(bench.home / "b.txt")
    slow = write_file(bench.docs / "a.txt", "The old version.")
    async with late.behind(slow, path):
        away.rename(path)
        await late.follow(path)  # it is as it was: nothing to store
    assert (await texts(bench))["b.txt"] == "Away for a moment."


async def test_a_stamp_is_not_set_on_a_content_that_another_run_stored_meanwhile(bench: Bench, late: Late) -> None:
    """Content A, then B, then A again: what saw A unchanged must not make B look current."""
    path = write_file(bench.docs / "a.txt", "The first version.")
    later(path, 0)
    await late.follow(path)
    path.write_text("The old version, in between.")
    later(path, 1)
    async with late.behind(path):
        path.write_text("The first version.")
        later(path, 2)
        await late.follow(path)
    assert (await texts(bench))["a.txt"] == "The first version."
    summary = await bench.run()
    assert bench.reader.read == []
    assert summary.progress.files_unchanged == 2


async def test_a_failure_of_an_older_reading_does_not_stay(bench: Bench, late: Late) -> None:
    path = write_file(bench.docs / "a.txt", "")
    gate = late.reader.held["a.txt"] = Gate()
    async with late.behind(path, gate=gate):
        path.write_text("There is something in it now.")
        await late.follow(path)
    assert (await texts(bench))["a.txt"] == "There is something in it now."
    assert (await bench.ledger())["a.txt"].state is DocumentState.INDEXED


async def test_a_file_is_not_taken_along_by_the_move_of_one_that_lay_there_before(bench: Bench, late: Late, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move was seen, and another run stored a new file at the old path before it was noted."""
    path = write_file(bench.docs / "b.txt", "The one that moves away.")
    await late.follow(path)
    target, gate, moving = path.rename(bench.docs / "c.txt"), Gate(), IndexWriter.move
    lock = late.indexer._stores.decision_lock
    assert isinstance(lock, anyio.Lock)

    async def slowly(books: IndexWriter, row: KnownFile, stamp: FileStamp, root: str, *, again: bool = False) -> None:
        lock.release()
        await gate.wait()
        await lock.acquire()
        await moving(books, row, stamp, root, again=again)

    monkeypatch.setattr(IndexWriter, "move", slowly)
    async with late.behind(path, target, gate=gate):
        monkeypatch.undo()
        write_file(path, "Another one, at its place.")
        await late.follow(path)
    found = await texts(bench)
    assert (found["b.txt"], found["c.txt"]) == ("Another one, at its place.", "The one that moves away.")


async def test_a_file_that_is_looked_at_because_of_another_is_not_set_back(bench: Bench, late: Late) -> None:
    """A link is another name of the file: who looks at the one looks at the other."""
    path = write_file(bench.docs / "a.txt", "The first version.")
    link = bench.docs / "link.txt"
    link.symlink_to(path)
    await late.follow(path, link)
    path.write_text("The old version, in between.")
    async with late.behind(link):
        path.write_text("The new version, which is longer still.")
        await late.follow(path)
    found = await texts(bench)
    assert found["a.txt"] == found["link.txt"] == "The new version, which is longer still."


async def test_the_look_that_follows_a_long_run_does_not_set_back_what_changes_meanwhile(bench: Bench, late: Late) -> None:
    """It goes on beside the next changes. The list of an archive was lost so: its members were those of the new version."""
    jobs = IndexJobs(late.indexer, late.indexer._stores, SqlJobs(bench.database), bench.home)
    await jobs.open()
    long, old = late.embedder.gates["slow"], late.embedder.gates["old"]
    write_file(bench.docs / "z.txt", "The slow one keeps the long run.")
    comparing = asyncio.create_task(jobs.compare("t", str(bench.docs)))
    await long.reached.wait()
    path = bench.docs / "a.zip"
    path.write_bytes(zip_bytes({"kept.txt": "Is always there."}))
    await jobs.index_changes("t", [str(path)])
    path.write_bytes(zip_bytes({"kept.txt": "Is always there.", "old.txt": "Was there before."}))
    long.go.set()
    await old.reached.wait()
    path.write_bytes(zip_bytes({"kept.txt": "Is always there.", "new.txt": "Came with the change, and is longer."}))
    await jobs.index_changes("t", [str(path)])
    old.go.set()
    await comparing
    await over(jobs, (await jobs.queue_run("t", str(bench.docs / "keep.txt"))).id)  # waits for the look after the long run
    found = await texts(bench)
    await jobs.close()
    assert set(found) == {"keep.txt", "z.txt", "a.zip", "a.zip!/kept.txt", "a.zip!/new.txt"}
    assert "new.txt" in found["a.zip"]


async def test_a_document_that_loses_a_path_to_an_older_reading_is_found_by_the_paths_that_are_left(bench: Bench, late: Late) -> None:
    """The older reading knows nothing of the document that the path belonged to in between."""
    path, other = write_file(bench.docs / "a.txt", "The first version."), write_file(bench.docs / "b.txt", "What the other file says.")
    await late.follow(path, other)
    path.write_text("The old version, which is right in the end.")
    async with late.behind(path):
        path.write_text("What the other file says.")
        await late.follow(path)
        path.write_text("The old version, which is right in the end.")
    assert (await texts(bench))["a.txt"] == "The old version, which is right in the end."
    assert {made.paths for made in bench.index.committed.values()} == {(str(each),) for each in (path, other, bench.docs / "keep.txt")}


async def test_what_a_person_deletes_while_it_is_read_does_not_come_back(bench: Bench, late: Late) -> None:
    path = bench.docs / "a.zip"
    path.write_bytes(zip_bytes({"in.txt": "What lies in it."}))
    await late.follow(path)
    path.write_bytes(zip_bytes({"in.txt": "What lies in it.", "old.txt": "Was added."}))
    document = (await bench.ledger())["a.zip"].document_id or ""
    jobs = IndexJobs(late.indexer, late.indexer._stores, SqlJobs(bench.database), bench.home)
    async with late.behind(path):
        await jobs.delete_document("t", document)
    ledger = await bench.ledger()
    assert {name: line.code for name, line in ledger.items()} == {"keep.txt": "", "a.zip": "removed_by_user"}
    assert set(await texts(bench)) == {"keep.txt", "a.zip"}
    assert len(bench.index.committed) == 1
    await bench.run(path, force=True)
    assert set(await texts(bench)) == {"keep.txt", "a.zip", "a.zip!/in.txt", "a.zip!/old.txt"}


async def test_a_file_that_changes_all_the_time_does_not_keep_a_run_for_ever(bench: Bench, late: Late, caplog: pytest.LogCaptureFixture) -> None:
    """Each reading of it is crossed by another run, for ever."""
    path, reads = write_file(bench.docs / "a.txt", "Version 0."), 0
    slow = write_file(bench.docs / "b.txt", "The old version.")
    reading = late.reader.extract

    async def growing(
        where: Path, demand: Demand = WHOLE_DEMAND, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        nonlocal reads
        if where == path:
            reads += 1
            path.write_text("Version" + " and so on" * reads)
        return await reading(where, demand, on_member=on_member, on_progress=on_progress)

    bench.reader.extract = growing  # type: ignore[assignment,method-assign]
    beside = asyncio.create_task(late.follow(slow, path))
    await late.embedder.gates["old"].reached.wait()
    await late.follow(path)
    assert 3 < reads < 12
    assert "a.txt" in caplog.text
    late.embedder.gates["old"].go.set()
    await beside
    bench.reader.extract = reading  # type: ignore[method-assign]
    await late.follow(path)
    assert (await texts(bench))["a.txt"].startswith("Version and so on")
