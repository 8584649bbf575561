"""Brings the notices of the file system into the event loop, with a thread for each watched folder."""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol

import anyio.to_thread

from ingestion.scan.paths import is_within
from ingestion.watching.inotify import InotifyNotices, NoticedChanges

_log = logging.getLogger(__name__)
_GROUPED, _STEP, _WAKE = 400, 100, 2000  # milliseconds: changes are passed on together, looked for, and the thread asks whether to stop
_MAX_PLACES = 60  # folders watched at a time: each takes an inotify instance, of which a person has 128


@dataclass(frozen=True, slots=True)
class WatchPlace:
    """A folder to be watched, with what is below it or (`deep` False) only what lies in it directly."""

    path: str
    deep: bool = True


class ChangeNotices(Protocol):
    """Port of what tells of changes in a place. `wait` blocks until there are some or `stop` is set."""

    def wait(self, stop: threading.Event) -> NoticedChanges: ...
    def close(self) -> None: ...


class WatchfilesNotices:
    """Notices as watchfiles has them: FSEvents on macOS, ReadDirectoryChangesW on Windows."""

    def __init__(self, path: str, *, deep: bool = True) -> None:
        from watchfiles._rust_notify import RustNotify

        self._notify = RustNotify([path], False, False, 0, deep, True)

    def wait(self, stop: threading.Event) -> NoticedChanges:
        changes = self._notify.watch(_GROUPED, _STEP, _WAKE, stop)
        return NoticedChanges(frozenset(path for _, path in changes) if isinstance(changes, set) else frozenset())

    def close(self) -> None:
        self._notify.close()


def open_notices(place: WatchPlace) -> ChangeNotices:
    """Open the notices of a place. Blocks for as long as the folders take to walk.

    Raises OSError, or RuntimeError where a library says so, when no (more) notices are given.
    """
    return InotifyNotices(place.path, deep=place.deep) if sys.platform == "linux" else WatchfilesNotices(place.path, deep=place.deep)


@dataclass(slots=True)
class _PlaceWatch:
    task: asyncio.Task[None]
    stop: threading.Event
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    failure: str = ""


class NoticeSources:
    """Watches places. What changed is passed to `changed`, in the event loop; `lost` is called with a place of which notices were dropped."""

    def __init__(self, changed: Callable[[Iterable[str]], None], lost: Callable[[str], None]) -> None:
        self._changed, self._lost = changed, lost
        self._watches: dict[WatchPlace, _PlaceWatch] = {}

    def sync(self, wanted: Iterable[WatchPlace]) -> None:
        """Watch these places and no others. One that could not be watched is not tried again until it was not wanted for once."""
        chosen = set(wanted)
        for place in [place for place in self._watches if place not in chosen]:
            self._watches.pop(place).stop.set()
        for place in sorted(chosen - self._watches.keys(), key=lambda place: place.path):
            stop = threading.Event()
            task = asyncio.create_task(self._watch(place, stop), name=f"watch {place.path}")
            self._watches[place] = _PlaceWatch(task, stop)
            if len(self._watches) > _MAX_PLACES:
                stop.set()
                self._watches[place].failure = "polled: very many folders are watched already"
                self._watches[place].ready.set()

    async def wait_until_ready(self, place: WatchPlace) -> str:
        """Wait until the place is being watched; return why it cannot be, if so."""
        source = self._watches.get(place)
        if source is None:
            return ""
        await source.ready.wait()
        return source.failure

    def failure(self, place: WatchPlace) -> str:
        """Return why the place is not being watched, "" where it is (or will be in a moment)."""
        source = self._watches.get(place)
        return source.failure if source is not None else ""

    async def close(self) -> None:
        for source in self._watches.values():
            source.stop.set()
        tasks = [source.task for source in self._watches.values()]
        self._watches.clear()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self, place: WatchPlace, stop: threading.Event) -> None:
        limiter = anyio.CapacityLimiter(1)  # the thread is this place's own: it is never free
        await asyncio.sleep(0)  # `sync` has noted the source by then
        source = self._watches.get(place)
        if source is None or source.stop is not stop or stop.is_set():
            return
        try:
            notices = await anyio.to_thread.run_sync(open_notices, place, limiter=limiter)
            source.ready.set()
            try:
                while not stop.is_set():
                    noticed = await anyio.to_thread.run_sync(notices.wait, stop, limiter=limiter)
                    if noticed.has_lost_notices:
                        self._lost(place.path)
                    if noticed.paths:
                        self._changed(noticed.paths)
            finally:
                notices.close()
        except (OSError, RuntimeError) as error:  # RuntimeError: what the library makes of a limit that is reached
            if not stop.is_set():
                _log.info("%s cannot be watched: %s", place.path, error)
                source.failure = f"polled: the system gives no notices ({_error_sentence(error)})"
                self._lost(place.path)
        finally:
            source.ready.set()


def _error_sentence(error: Exception) -> str:
    match getattr(error, "errno", None):
        case errno.ENOSPC:
            return "its limit of watched folders is reached; raise fs.inotify.max_user_watches"
        case errno.EMFILE | errno.ENFILE:
            return "its limit of watchers is reached; raise fs.inotify.max_user_instances"
    return str(error)[:200]


def drop_covered_places(places: Iterable[WatchPlace]) -> set[WatchPlace]:
    """Return the places without those that lie in another deep one."""
    kept: set[WatchPlace] = set()
    for place in sorted(set(places), key=lambda place: (len(place.path), not place.deep)):
        if not any(each.deep and is_within(place.path, each.path) for each in kept):
            kept.add(place)
    return kept
