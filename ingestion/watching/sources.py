"""The notices of the file system, a thread for each watched folder."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import anyio.to_thread
from watchfiles._rust_notify import RustNotify

from ingestion.paths import is_within

_log = logging.getLogger(__name__)
_GROUPED, _STEP, _WAKE = 400, 100, 2000  # milliseconds: changes are handed over together, looked for, and the thread asks whether to stop
_MOST = 60  # folders watched at a time: each takes an inotify instance, of which a person has 128


@dataclass(frozen=True, slots=True)
class Place:
    """A folder to be watched, with what is below it or (`deep` False) only what lies in it directly."""

    path: str
    deep: bool = True


@dataclass(slots=True)
class _Source:
    task: asyncio.Task[None]
    stop: threading.Event
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    failure: str = ""


class Sources:
    """Watches the places that `sync` is given, and hands what changed to `changed`, in the event loop."""

    def __init__(self, changed: Callable[[Iterable[str]], None]) -> None:
        self._changed = changed
        self._open: dict[Place, _Source] = {}

    def sync(self, wanted: Iterable[Place]) -> None:
        """Watch these and no others. A place that could not be watched is not tried again until it was not wanted for once."""
        chosen = set(wanted)
        for place in [place for place in self._open if place not in chosen]:
            self._open.pop(place).stop.set()
        for place in sorted(chosen - self._open.keys(), key=lambda place: place.path):
            stop = threading.Event()
            task = asyncio.create_task(self._watch(place, stop), name=f"watch {place.path}")
            self._open[place] = _Source(task, stop)
            if len(self._open) > _MOST:
                stop.set()
                self._open[place].failure = "polled: very many folders are watched already"
                self._open[place].ready.set()

    async def until_ready(self, place: Place) -> str:
        """Wait until the place is being watched; why it cannot be, if so."""
        source = self._open.get(place)
        if source is None:
            return ""
        await source.ready.wait()
        return source.failure

    def failure(self, place: Place) -> str:
        """Why the place is not being watched, "" where it is (or will be in a moment)."""
        source = self._open.get(place)
        return source.failure if source is not None else ""

    async def close(self) -> None:
        for source in self._open.values():
            source.stop.set()
        tasks = [source.task for source in self._open.values()]
        self._open.clear()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self, place: Place, stop: threading.Event) -> None:
        limiter = anyio.CapacityLimiter(1)  # the thread is this place's own: it is never free
        await asyncio.sleep(0)  # `sync` has noted the source by then
        source = self._open.get(place)
        if source is None or source.stop is not stop or stop.is_set():
            return
        try:
            notify = await anyio.to_thread.run_sync(RustNotify, [place.path], False, False, 0, place.deep, True, limiter=limiter)
            source.ready.set()
            while not stop.is_set():
                changes = await anyio.to_thread.run_sync(notify.watch, _GROUPED, _STEP, _WAKE, stop, limiter=limiter)
                if isinstance(changes, set):
                    self._changed(path for _, path in changes)
            await anyio.to_thread.run_sync(notify.close, limiter=limiter)
        except (OSError, RuntimeError) as error:  # RuntimeError: what the library makes of a limit that is reached
            if not stop.is_set():
                _log.info("%s cannot be watched: %s", place.path, error)
                source.failure = f"polled: the system gives no notices ({_said(error)})"
        finally:
            source.ready.set()


def _said(error: Exception) -> str:
    text = str(error)
    if "limit" in text.lower() or "No space left" in text:
        return "its limit of watched folders is reached; raise fs.inotify.max_user_watches"
    if "Too many open files" in text:
        return "its limit of watchers is reached; raise fs.inotify.max_user_instances"
    return text[:200]


def cover(places: Iterable[Place]) -> set[Place]:
    """The places without those that lie in another deep one."""
    kept: set[Place] = set()
    for place in sorted(set(places), key=lambda place: (len(place.path), not place.deep)):
        if not any(each.deep and is_within(place.path, each.path) for each in kept):
            kept.add(place)
    return kept
