"""The folder watcher over a real file system and its notices, with fakes of what is slow."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from core.errors import InvalidInput, NotFound
from core.watcher_status import WatchedFolder, WatchState
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.watching.change_notices import ChangeNotices, WatchPlace
from ingestion.watching.inotify import NoticedChanges
from ingestion.watching.watcher import FolderWatcher, WatchOptions
from storage.sql_jobs import SqlJobs
from storage.sql_watch_store import SqlWatchStore
from tests.support.indexing_bench import Bench, bench, write_file
from tests.unit.test_watch_follow import ids, indexer

__all__ = ["bench"]


class Desk:
    """A watcher over a bench; `reopen` is what the next process does."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.options = WatchOptions(bench.home, (".*", "*.tmp"), settle_seconds=0.2, poll_seconds=0.2)

    async def open(self) -> None:
        made = indexer(self.bench)
        self.jobs = IndexJobs(made, made._stores, SqlJobs(self.bench.database), self.bench.home)
        self.watcher = FolderWatcher(self.jobs, made._stores, SqlWatchStore(self.bench.database), self.options)
        await self.jobs.open()
        await self.watcher.open()

    async def close(self) -> None:
        await self.watcher.close()
        await self.jobs.close()

    async def reopen(self, **options: object) -> None:
        await self.close()
        self.options = replace(self.options, **options)  # type: ignore[arg-type]
        await self.open()

    async def add(self, path: Path) -> None:
        """Index a folder, and wait until it is followed."""
        job = await self.jobs.queue_run("t", str(path))
        async for _ in self.jobs.events("t", job.id):
            pass
        await self.until_watching(path)

    async def folder(self, path: Path) -> WatchedFolder:
        return next(folder for folder in (await self.watcher.status("t")).folders if folder.path == str(path))

    async def until_watching(self, path: Path) -> None:
        async def watching() -> bool:
            return (await self.folder(path)).state is WatchState.WATCHING

        await self.until(watching)

    async def until(self, condition: Callable[[], Awaitable[bool]]) -> None:
        with anyio.fail_after(60):
            while not await condition():  # noqa: ASYNC110  (of the library itself nobody is told)
                await asyncio.sleep(0.05)

    async def until_known(self, *names: str) -> None:
        """The ledger has exactly these paths below the documents' folder."""

        async def known() -> bool:
            return set(await ids(self.bench)) == set(names)

        await self.until(known)

    async def until_told(self, *changes: tuple[str, str]) -> None:
        """These changes are among the recent ones; they are told behind their writing."""

        async def told() -> bool:
            return set(changes) <= {(event.change, Path(event.path).name) for event in (await self.watcher.status("t")).recent}

        await self.until(told)


@pytest.fixture
async def desk(bench: Bench) -> AsyncIterator[Desk]:
    made = Desk(bench)
    await made.open()
    yield made
    await made.close()


async def test_what_happens_in_a_folder_happens_in_the_library(desk: Desk) -> None:
    docs = desk.bench.docs
    path = write_file(docs / "a.txt", "One.")
    write_file(docs / "keep.txt", "Kept.")
    await desk.add(docs)
    before = (await ids(desk.bench))["a.txt"]
    write_file(docs / "sub" / "deep" / "b.txt", "Two.")
    write_file(docs / "work.tmp", "Nobody's.")
    await desk.until_known("a.txt", "keep.txt", "sub/deep/b.txt", "work.tmp")
    path.rename(docs / "sub" / "moved.txt")
    await desk.until_known("sub/moved.txt", "keep.txt", "sub/deep/b.txt", "work.tmp")
    assert (await ids(desk.bench))["sub/moved.txt"] == before
    (docs / "sub").rename(docs / "new")
    await desk.until_known("new/moved.txt", "keep.txt", "new/deep/b.txt", "work.tmp")
    assert (await ids(desk.bench))["new/moved.txt"] == before
    write_file(docs / "new" / "deep" / "late.txt", "In the renamed folder.")
    await desk.until_known("new/moved.txt", "keep.txt", "new/deep/b.txt", "new/deep/late.txt", "work.tmp")
    (docs / "keep.txt").unlink()
    await desk.until_known("new/moved.txt", "new/deep/b.txt", "new/deep/late.txt", "work.tmp")
    await desk.until_told(("added", "b.txt"), ("moved", "moved.txt"), ("added", "late.txt"), ("removed", "keep.txt"))
    told = {event.path: event for event in (await desk.watcher.status("t")).recent}
    assert told[str(docs / "new" / "deep" / "late.txt")].seconds is not None
    await desk.bench.check()


async def test_a_file_that_is_written_slowly_is_read_once(desk: Desk) -> None:
    docs = desk.bench.docs
    write_file(docs / "keep.txt", "Kept.")
    await desk.add(docs)
    desk.bench.reader.read.clear()
    with (docs / "slow.txt").open("w") as file:
        for number in range(8):
            file.write(f"Part {number}.\n\n")
            file.flush()
            await asyncio.sleep(0.1)
    await desk.until_known("keep.txt", "slow.txt")
    assert desk.bench.reader.read == ["slow.txt"]


async def test_a_root_that_vanishes_is_paused_and_goes_on_when_it_is_back(desk: Desk) -> None:
    docs = desk.bench.docs
    write_file(docs / "a.txt", "One.")
    write_file(docs / "b.txt", "Two.")
    await desk.add(docs)
    docs.rename(docs.with_name("away"))

    async def paused() -> bool:
        return (await desk.folder(docs)).state is WatchState.PAUSED

    await desk.until(paused)
    assert "is not there" in (await desk.folder(docs)).reason
    assert len(desk.bench.index.committed) == 2
    write_file(docs.with_name("away") / "c.txt", "Written elsewhere.")
    docs.with_name("away").rename(docs)
    await desk.until_known("a.txt", "b.txt", "c.txt")
    await desk.until_watching(docs)
    write_file(docs / "d.txt", "And it is followed again.")
    await desk.until_known("a.txt", "b.txt", "c.txt", "d.txt")


async def test_a_root_that_is_emptied_is_paused(desk: Desk) -> None:
    docs = desk.bench.docs
    write_file(docs / "a.txt", "One.")
    write_file(docs / "b.txt", "Two.")
    await desk.add(docs)
    for path in docs.iterdir():
        path.unlink()

    async def paused() -> bool:
        return (await desk.folder(docs)).state is WatchState.PAUSED

    await desk.until(paused)
    assert "nothing was removed" in (await desk.folder(docs)).reason
    assert len(desk.bench.index.committed) == 2
    write_file(docs / "new.txt", "Something came back.")
    await desk.until_known("new.txt")
    await desk.until_watching(docs)


async def test_what_happened_while_nobody_watched_is_found_at_the_start(desk: Desk) -> None:
    docs = desk.bench.docs
    path = write_file(docs / "a.txt", "One.")
    write_file(docs / "keep.txt", "Kept.")
    await desk.add(docs)
    await desk.close()
    path.rename(docs / "b.txt")
    write_file(docs / "c.txt", "New.")
    await desk.open()
    await desk.until_known("b.txt", "c.txt", "keep.txt")


async def test_a_folder_without_notices_is_looked_at_again_and_again(desk: Desk) -> None:
    docs = desk.bench.docs
    write_file(docs / "sub" / "a.txt", "One.")
    await desk.reopen(max_folders=0)
    await desk.add(docs)
    assert (await desk.folder(docs)).reason.startswith("polled:")
    write_file(docs / "b.txt", "Two.")
    await desk.until_known("sub/a.txt", "b.txt")


async def test_a_folder_that_the_system_gives_no_notices_of_is_polled(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(place: WatchPlace) -> ChangeNotices:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), place.path)

    monkeypatch.setattr("ingestion.watching.change_notices.open_notices", full)
    docs = desk.bench.docs
    write_file(docs / "sub" / "a.txt", "One.")
    await desk.add(docs)
    reason = "polled: the system gives no notices (its limit of watched folders is reached; raise fs.inotify.max_user_watches)"
    assert (await desk.folder(docs)).reason == reason
    write_file(docs / "sub" / "b.txt", "Two.")
    await desk.until_known("sub/a.txt", "sub/b.txt")


async def test_what_the_system_dropped_is_found_by_a_comparison(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    full = threading.Event()

    def dropping(place: WatchPlace) -> ChangeNotices:
        return Dropping(place, full)

    monkeypatch.setattr("ingestion.watching.change_notices.open_notices", dropping)
    docs = desk.bench.docs
    write_file(docs / "a.txt", "One.")
    await desk.add(docs)
    write_file(docs / "new" / "b.txt", "Two.")
    full.set()
    await desk.until_known("a.txt", "new/b.txt")


class Dropping:
    """Notices of a system that has dropped all of them."""

    def __init__(self, place: WatchPlace, full: threading.Event) -> None:
        self._full = full

    def wait(self, stop: threading.Event) -> NoticedChanges:
        while not stop.is_set():
            if self._full.wait(0.05):
                self._full.clear()
                return NoticedChanges(frozenset(), has_lost_notices=True)
        return NoticedChanges(frozenset())

    def close(self) -> None:
        pass


async def test_switches_are_obeyed_and_kept(desk: Desk) -> None:
    docs, other = desk.bench.docs, desk.bench.home.parent / "other"
    write_file(docs / "a.txt", "One.")
    write_file(other / "x.txt", "Other.")
    await desk.add(docs)
    await desk.add(other)
    status = await desk.watcher.disable("t", str(docs))
    assert {folder.path: folder.state for folder in status.folders}[str(docs)] is WatchState.OFF
    assert status.enabled
    write_file(docs / "unseen.txt", "Nobody looks.")
    write_file(other / "y.txt", "Somebody looks.")

    async def other_is_known() -> bool:
        return len(desk.bench.index.committed) == 3

    await desk.until(other_is_known)
    await desk.reopen()
    assert (await desk.folder(docs)).state is WatchState.OFF
    assert not (await desk.watcher.disable("t", None)).enabled
    assert (await desk.folder(other)).state is WatchState.OFF
    assert (await desk.watcher.enable("t", None)).enabled
    await desk.until_watching(docs)
    assert "unseen.txt" in await ids(desk.bench)
    with pytest.raises(NotFound):
        await desk.watcher.enable("t", "/elsewhere")
    with pytest.raises(NotFound):
        await desk.watcher.disable("stranger", str(docs))
    assert (await desk.watcher.status("stranger")).folders == []


async def test_a_folder_that_is_forgotten_is_no_longer_followed(desk: Desk) -> None:
    docs = desk.bench.docs
    write_file(docs / "a.txt", "One.")
    await desk.add(docs)
    await desk.jobs.remove_root("t", str(docs))
    write_file(docs / "b.txt", "Two.")
    assert (await desk.watcher.status("t")).folders == []
    await desk.until_known()


async def test_links_lead_nowhere_else(desk: Desk) -> None:
    """The notices follow links: what changes behind one is looked at where it is, or not at all."""
    docs, outside = desk.bench.docs, desk.bench.home.parent / "outside"
    write_file(outside / "secret.txt", "Not ours.")
    write_file(docs / "real" / "a.txt", "One.")
    (docs / "out").symlink_to(outside)
    (docs / "alias").symlink_to(docs / "real")
    (docs / "up").symlink_to(docs.parent)
    await desk.add(docs)
    expected = {"real/a.txt", "out", "alias", "up"}
    write_file(outside / "more.txt", "Not ours either.")
    write_file(docs / "alias" / "b.txt", "Through the link.")
    await desk.until_known(*expected, "real/b.txt")
    write_file(docs / "real" / "c.txt", "Directly.")
    await desk.until_known(*expected, "real/b.txt", "real/c.txt")

    async def found() -> bool:  # the index follows the ledger
        return {Path(path).name for made in desk.bench.index.committed.values() for path in made.paths} == {"a.txt", "b.txt", "c.txt"}

    await desk.until(found)


async def test_a_single_file_is_followed_through_an_editors_save(desk: Desk) -> None:
    path = write_file(desk.bench.docs / "a.txt", "One.")
    write_file(desk.bench.docs / "beside.txt", "Not indexed.")
    await desk.add(path)
    write_file(desk.bench.docs / ".a.swp", "One, changed.").rename(path)

    async def changed() -> bool:
        return [made.chunks[0].text for made in desk.bench.index.committed.values()] == ["One, changed."]

    await desk.until(changed)
    assert set(await ids(desk.bench)) == {"a.txt"}


async def test_exclusions_through_the_watcher(desk: Desk) -> None:
    docs = desk.bench.docs
    inner = write_file(docs / "sub" / "a.txt", "One.")
    write_file(docs / "b.txt", "Two.")
    await desk.add(docs)
    document = (await ids(desk.bench))["sub/a.txt"]
    exclusion, removed = await desk.watcher.exclude("t", str(inner.parent))
    assert (exclusion.path, removed.documents, removed.files) == (str(inner.parent), (document,), (str(inner),))
    inner.write_text("Changed.")
    write_file(docs / "c.txt", "Three.")
    await desk.until_known("sub", "b.txt", "c.txt")
    assert [each.path for each in await desk.watcher.exclusions("t")] == [str(inner.parent)]
    await desk.watcher.include("t", str(inner.parent))
    with pytest.raises(NotFound):
        await desk.watcher.include("t", str(inner.parent))
    with pytest.raises(NotFound):
        await desk.watcher.exclude("t", "/elsewhere/a.txt")
    for path in (docs, inner.parent / "x.zip!" / "a.txt"):
        with pytest.raises(InvalidInput):
            await desk.watcher.exclude("t", str(path))
