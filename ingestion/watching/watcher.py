"""The folder watcher: every indexed folder keeps itself current.

Notices of the file system are collected until what changed rests (`ingestion.watching.debounce`), then indexed path by path
(`IndexJobs.index_changes`). At the start, after a folder was away, and now and then, a folder is compared with the library as a whole
(`IndexJobs.compare`); folders that give no notices are compared again and again. A folder that cannot be looked into is paused: nothing of it is
removed, and it goes on when it is back."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from core.errors import NotFound, VantageError
from core.ports import Exclusion, RemovalResult, WatchStore
from core.watcher_status import WatcherStatus, WatchEvent
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.index_writer import Stores
from ingestion.indexing.run_progress import FileChange, RunSummary
from ingestion.scan.ignore_rules import IGNORE_FILES
from ingestion.scan.paths import UPLOADS, PathSet, is_within, printable_path
from ingestion.watching.change_notices import NoticeSources, WatchPlace, drop_covered_places
from ingestion.watching.debounce import Debouncer
from ingestion.watching.exclusions import exclude, include
from ingestion.watching.mounts import read_mounts
from ingestion.watching.watched_folders import RootStatus, WatchedRoot, find_polling_reason, owner_of, probe_root

_log = logging.getLogger(__name__)
_TICK = 0.15  # seconds between two looks at what is waited for
_ANSWER = 5.0  # seconds that a file system may take to answer
_SUPERVISION_SECONDS = 2.0  # seconds between two looks at the roots
_RETRY_SECONDS = 10.0  # seconds until what could not be taken in is tried again
_MAX_RECENT_EVENTS = 200
_MAX_BATCHES = 3  # batches that are taken in at a time: one slow file does not keep the next from being read
EVERYTHING = ""


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """Options of the settings section `ingestion.watch`; `home` is VANTAGE_HOME, `ignore` are ingestion.ignore."""

    home: Path
    ignore: tuple[str, ...] = ()
    enabled: bool = True
    settle_seconds: float = 0.5
    longest_wait_seconds: float = 300.0
    poll_seconds: float = 30.0
    max_folders: int = 100_000
    compare_hours: float = 12.0


class FolderWatcher:
    """Implements `core.ports.Watcher`. Call `open` once in the running event loop, and `close` before the jobs are closed. Without `open` it only
    answers."""

    def __init__(self, jobs: IndexJobs, stores: Stores, store: WatchStore, options: WatchOptions) -> None:
        self._jobs, self._stores, self._store, self._options = jobs, stores, store, options
        self._home = str(options.home.resolve())
        self._folders: dict[tuple[str, str], WatchedRoot] = {}
        self._notice_sources = NoticeSources(self._collect_notices, self._compare_place)
        self._debouncer = Debouncer(options.settle_seconds, options.longest_wait_seconds)
        self._raw_notices: list[str] = []
        self._noticed = asyncio.Event()
        self._check_requested = asyncio.Event()
        self._recent: dict[str, deque[WatchEvent]] = {}
        self._running_batches: dict[asyncio.Task[None], tuple[str, ...]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._pending_probes: dict[str, asyncio.Future[RootStatus]] = {}
        self._is_ignored_name = lru_cache(4096)(lambda name: any(fnmatchcase(name, rule) for rule in options.ignore if "/" not in rule))
        self.recent_changed = asyncio.Condition()

    async def open(self) -> None:
        """Start to watch; the roots are looked at, and compared with the library, in the background."""
        self._check_requested.set()
        self._tasks = [
            asyncio.create_task(self._supervise(), name="watcher-roots"),
            asyncio.create_task(self._process_notices(), name="watcher-changes"),
        ]

    async def close(self) -> None:
        """Stop within a moment. What was not indexed is found by the comparison at the next start."""
        beginning = [*self._tasks, *(folder.task for folder in self._folders.values() if folder.task is not None)]
        for task in beginning:
            task.cancel()
        await self._jobs.stop_change_runs()
        running: list[asyncio.Future[Any]] = [*beginning, *self._running_batches, *self._pending_probes.values()]
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._notice_sources.close()

    # -- what HTTP asks for ----------------------------------------------------------------------------------------------------------

    async def status(self, tenant: str) -> WatcherStatus:
        switches = await self._store.switches(tenant)
        await self._sync_roots(tenant, switches)
        waiting = [*self._debouncer.paths, *self._raw_notices, *(path for paths in self._running_batches.values() for path in paths)]
        mine = sorted((folder for folder in self._folders.values() if folder.tenant == tenant), key=lambda folder: folder.path)
        shown = [folder.as_watched_folder(waiting) for folder in mine]
        total = sum(any(folder.is_on and is_within(path, folder.path) for folder in mine) for path in waiting)
        recent = list(self._recent.get(tenant, ()))
        return WatcherStatus(enabled=self._is_on(switches, EVERYTHING), folders=shown, waiting=total, recent=recent[::-1])

    async def enable(self, tenant: str, path: str | None) -> WatcherStatus:
        return await self._switch(tenant, path, on=True)

    async def disable(self, tenant: str, path: str | None) -> WatcherStatus:
        return await self._switch(tenant, path, on=False)

    async def exclusions(self, tenant: str) -> list[Exclusion]:
        return await self._store.exclusions(tenant)

    async def exclude(self, tenant: str, path: str) -> tuple[Exclusion, RemovalResult]:
        return await exclude(self._store, self._stores, self._jobs, tenant, path)

    async def include(self, tenant: str, path: str) -> None:
        await include(self._store, tenant, path)

    async def _switch(self, tenant: str, path: str | None, *, on: bool) -> WatcherStatus:
        if path is not None and path not in {root.path for root in await self._stores.writer.roots(tenant)}:
            raise NotFound(f"{printable_path(path)[:200]!r} is no indexed folder. `vantage status` lists those that are.")
        await self._store.set_switch(tenant, path or EVERYTHING, on=on)
        await self._sync_roots(tenant, await self._store.switches(tenant))
        for folder in [each for each in self._folders.values() if each.tenant == tenant and not each.is_on]:
            await self._jobs.stop_comparing(tenant, folder.path)
        self._check_requested.set()
        return await self.status(tenant)

    def _is_on(self, switches: dict[str, bool], path: str) -> bool:
        return switches.get(path, switches.get(EVERYTHING, self._options.enabled))

    # -- roots -----------------------------------------------------------------------------------------------------------------------

    async def _supervise(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_SUPERVISION_SECONDS):  # wait_for would swallow a cancellation that meets the event
                    await self._check_requested.wait()
            self._check_requested.clear()
            try:
                await self._look_at_roots()
            except VantageError as error:  # the library does not answer for a moment; the next look finds it again
                _log.warning("The watcher could not look at its folders: %s", error)

    async def _look_at_roots(self) -> None:
        for tenant in {*await self._store.tenants(), *(tenant for tenant, _ in self._folders)}:
            await self._sync_roots(tenant, await self._store.switches(tenant))
        folders = [folder for folder in self._folders.values() if folder.is_on]
        root_statuses = await self._probe_roots({folder.path for folder in folders})
        for folder in folders:
            await self._update_root(folder, root_statuses[folder.path])
        notified = [folder for folder in folders if folder.is_watched and not folder.polling_reason]
        self._notice_sources.sync(drop_covered_places(folder.place for folder in notified))
        for folder in folders:
            self._compare_when_due(folder)

    async def _probe_roots(self, paths: set[str]) -> dict[str, RootStatus]:
        """Return how the roots are now. One on a file system that does not answer is missing, and its thread is waited for no longer."""
        for path in paths - self._pending_probes.keys():
            work = anyio.to_thread.run_sync(probe_root, path, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1))
            self._pending_probes[path] = asyncio.ensure_future(work)
        if self._pending_probes:
            await asyncio.wait(self._pending_probes.values(), timeout=_ANSWER)
        done = {path: task.result() for path, task in self._pending_probes.items() if task.done()}
        for path in done:
            del self._pending_probes[path]
        return {
            path: done.get(path) or RootStatus(None, missing_reason=f"{path} does not answer. Nothing was removed from the library.")
            for path in paths
        }

    async def _sync_roots(self, tenant: str, switches: dict[str, bool]) -> None:
        """Bring the folders of a tenant to the roots and switches that are stored."""
        roots = {root.path: root for root in await self._stores.writer.roots(tenant)}
        for key in [key for key in self._folders if key[0] == tenant and key[1] not in roots]:
            self._forget(self._folders.pop(key))
        for path, root in roots.items():
            folder = self._folders.setdefault((tenant, path), WatchedRoot(tenant, root))
            folder.root, was = root, folder.is_on
            folder.is_on = self._is_on(switches, path)
            if was and not folder.is_on:
                self._forget(folder)

    def _forget(self, folder: WatchedRoot) -> None:
        """Reset a folder that is no longer watched: when it is again, it starts anew."""
        if folder.task is not None:
            folder.task.cancel()
        folder.status, folder.needs_comparison, folder.was_compared, folder.pause_reason, folder.trouble = None, True, False, "", ""

    async def _update_root(self, folder: WatchedRoot, root_status: RootStatus) -> None:
        away = folder.status is not None and folder.status.identity is None
        if folder.update_status(root_status):
            folder.polling_reason = await anyio.to_thread.run_sync(
                find_polling_reason, root_status, folder.path, read_mounts(), self._options.max_folders
            )
            self._notice_sources.sync(
                drop_covered_places(
                    each.place for each in self._folders.values() if each.is_watched and not each.polling_reason and each is not folder
                )
            )
            _log.info("%s is %s", folder.path, "back" if away else "watched")

    def _compare_when_due(self, folder: WatchedRoot) -> None:
        if not folder.is_watched or (folder.task is not None and not folder.task.done()):
            return
        if not folder.polling_reason:
            folder.polling_reason = self._notice_sources.failure(self._covering_place(folder))
        if folder.needs_comparison or time.monotonic() >= folder.next_poll:
            folder.task = asyncio.create_task(self._compare(folder), name=f"compare {folder.path}")

    def _covering_place(self, folder: WatchedRoot) -> WatchPlace:
        """Return the watched place that tells of the folder."""
        places = drop_covered_places(each.place for each in self._folders.values() if each.is_watched and not each.polling_reason)
        return next((place for place in places if place.deep and is_within(folder.path, place.path)), folder.place)

    async def _compare(self, folder: WatchedRoot) -> None:
        """Compare a root with the library. What comes while it goes on is noticed, because it is watched before it is looked at."""
        folder.polling_reason = folder.polling_reason or await self._notice_sources.wait_until_ready(self._covering_place(folder))
        folder.needs_comparison, started = False, time.monotonic()
        try:
            summary = await self._jobs.compare(folder.tenant, folder.path)
        except Exception as error:  # noqa: BLE001  (as for changes: said, and tried again)
            if not isinstance(error, VantageError):
                _log.exception("%s could not be compared with the library.", folder.path)
            folder.pause_reason, folder.needs_comparison = str(error) or repr(error), True
            await asyncio.sleep(_RETRY_SECONDS)
            return
        took = time.monotonic() - started
        pause = max(self._options.poll_seconds, 10 * took) if folder.polling_reason or summary.missing_roots else self._options.compare_hours * 3600
        folder.next_poll = time.monotonic() + pause
        folder.pause_reason, folder.trouble, folder.was_compared = summary.missing_roots.get(folder.path, ""), "", True
        folder.last_compared_at = datetime.now(UTC)
        await self._record_changes(folder.tenant, summary, {})
        self._check_requested.set()

    # -- changes ---------------------------------------------------------------------------------------------------------------------

    def _collect_notices(self, paths: Iterable[str]) -> None:
        """Collect notices of the file system. Runs in the event loop."""
        self._raw_notices += paths
        self._noticed.set()

    def compare_again(self) -> None:
        """Have every watched folder compared with the library, when nothing else is to be done."""
        self._compare_place("/")

    def _compare_place(self, place: str) -> None:
        """Have what a place tells of compared as a whole: notices of it were dropped."""
        for folder in self._folders.values():
            if is_within(folder.path, place) or is_within(place, folder.path):
                folder.needs_comparison = True
        self._check_requested.set()

    async def _process_notices(self) -> None:
        while True:
            if not self._debouncer and not self._raw_notices:
                self._noticed.clear()
                await self._noticed.wait()
            raw, self._raw_notices = self._raw_notices, []
            started = time.monotonic()
            rested = await anyio.to_thread.run_sync(self._debounce, raw)
            self._start_batches(rested)
            # Very many paths take a while to look at; looking at them again at once would keep a core busy.
            await asyncio.sleep(max(_TICK, 4 * (time.monotonic() - started)))

    def _debounce(self, raw: Sequence[str]) -> dict[str, float]:
        self._debouncer.note_paths(dict.fromkeys(each for path in raw for each in self._paths_to_index(path)))
        return self._debouncer.take_rested().paths

    def _paths_to_index(self, path: str) -> list[str]:
        """Return the paths to look at for a notice of `path`: in a root, and not below what is ignored. Blocks for a few stats.

        Notices follow links and name what is behind them by the link; it is looked at where it really is, if that lies in a root.
        """
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        path = folder if name in IGNORE_FILES else os.path.join(folder, name)  # noqa: PTH118
        if is_within(path, self._home) and not is_within(path, f"{self._home}{os.sep}{UPLOADS}"):
            return []
        return [path] if self._is_followed(path) else []

    def _is_followed(self, path: str) -> bool:
        """Return whether some root that is on holds `path`, with no ignored folder between them."""
        for folder in list(self._folders.values()):
            if folder.is_on and is_within(path, folder.path):
                below = Path(path).relative_to(folder.path).parts
                if not any(self._is_ignored_name(part) for part in below[:-1]):
                    return True
        return False

    def _start_batches(self, rested: dict[str, float]) -> None:
        """Index what rests, in a batch for each tenant. What lies in or around a batch that is still at work waits for it."""
        if not rested:
            return
        busy = PathSet.from_paths(path for paths in self._running_batches.values() for path in paths)
        full = len(self._running_batches) >= _MAX_BATCHES
        later = {path for path in rested if full or busy.meets(path)}
        self._debouncer.note_paths(later, again=False)
        free = {path: at for path, at in rested.items() if path not in later}
        for tenant in {folder.tenant for folder in self._folders.values()}:
            paths = {path: at for path, at in free.items() if self._is_due(tenant, path)}
            if paths:
                task = asyncio.create_task(self._index_batch(tenant, paths), name="watcher-batch")
                self._running_batches[task] = tuple(paths)
                task.add_done_callback(self._running_batches.pop)

    def _is_due(self, tenant: str, path: str) -> bool:
        folder = owner_of(path, list(self._folders.values()), tenant)
        if folder is None or not folder.is_on:
            return False
        folder.last_event_at = datetime.now(UTC)
        if folder.pause_reason:
            folder.needs_comparison = True  # something came back: the whole is looked at
            self._check_requested.set()
            return False
        return True

    async def _index_batch(self, tenant: str, paths: dict[str, float]) -> None:
        owners = (owner_of(path, list(self._folders.values()), tenant) for path in paths)
        folders = {folder for folder in owners if folder is not None}
        try:
            summary = await self._jobs.index_changes(tenant, sorted(paths))
        except Exception as error:  # noqa: BLE001  (nothing that was noticed may be lost: it is tried again, and said)
            said = str(error) if isinstance(error, VantageError) else f"an unexpected error ({error!r}), please report it"
            if not isinstance(error, VantageError):
                _log.exception("Changes could not be taken in.")
            for folder in folders:
                folder.trouble = f"Changes could not be taken in, and are tried again: {said}"
            await asyncio.sleep(_RETRY_SECONDS)
            self._collect_notices(paths)
            return
        if summary.cancelled:  # another folder is being removed
            self._collect_notices(paths)
        for folder in folders:
            folder.trouble, folder.pause_reason = "", summary.missing_roots.get(folder.path, folder.pause_reason)
        await self._record_changes(tenant, summary, paths)

    async def _record_changes(self, tenant: str, summary: RunSummary, noticed: dict[str, float]) -> None:
        """Remember what was done, for people."""
        if not summary.changes:
            return
        recent = self._recent.setdefault(tenant, deque(maxlen=_MAX_RECENT_EVENTS))
        now = datetime.now(UTC)
        for change in summary.changes[-_MAX_RECENT_EVENTS:]:
            seconds = _seconds(change, noticed, now.timestamp())
            recent.append(WatchEvent(at=now, change=change.change, path=change.path, moved_from=change.moved_from, seconds=seconds))
        async with self.recent_changed:
            self.recent_changed.notify_all()


def _seconds(change: FileChange, noticed: dict[str, float], now: float) -> float | None:
    """Return the seconds from the last notice of a file, or of the folder that it came with, until now."""
    at = noticed.get(change.path) or next((noticed[str(above)] for above in Path(change.path).parents if str(above) in noticed), None)
    return None if at is None or change.change == "removed" else round(max(0.0, now - at), 2)
