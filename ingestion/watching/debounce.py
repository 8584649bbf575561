"""Debounces changes: a file that is still being written is left alone until it rests, and what belongs together stays together."""

from __future__ import annotations

import bisect
import fcntl
import os
import signal
import stat
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ingestion.scan.paths import is_within

QUIET = 0.3  # seconds without a further notice
_MOVE_SECONDS = 1.0  # seconds between the two halves of a move, at most
_MOVE_WAIT_SECONDS = 10.0  # seconds that a path that is gone waits for files that are still written, at most
_OPEN_FILE_SECONDS = 10.0  # seconds that a file may stay open for writing without being written, before it is read nevertheless
_SECOND_LOOK = 1.0  # seconds after which a new folder is looked at once more: its own notices may have begun late
_MAX_LISTED = 20_000  # files of a new folder that are waited for one by one


@dataclass(slots=True)
class _WaitingPath:
    """A path that is waited for: its first notice, the last, and since when it is as it is, in seconds of the clock. `stamp` None: not looked at."""

    first_notice: float
    last_notice: float
    noticed_at: float  # seconds since 1970
    unchanged_since: float = 0.0
    stamp: tuple[int, int, int] | None = None
    needs_second_look: bool = True


@dataclass(frozen=True, slots=True)
class RestedPaths:
    """Paths that may be taken in now -> when their last notice came (seconds since 1970)."""

    paths: dict[str, float]


@dataclass(slots=True)
class Debouncer:
    """Collects what changed (`note_paths`) and gives out what rests (`take_rested`); both are called by one thread at a time.

    `still_seconds` is how long size and time of a file must be still, `longest_wait` how long it is waited for. `clock` is monotonic.
    """

    still_seconds: float = 0.5
    longest_wait: float = 300.0
    clock: Callable[[], float] = time.monotonic
    _waiting: dict[str, _WaitingPath] = field(default_factory=dict)
    _second_looks: dict[str, float] = field(default_factory=dict)

    @property
    def paths(self) -> list[str]:
        """The paths that are waited for."""
        return list(self._waiting)

    def __bool__(self) -> bool:
        return bool(self._waiting or self._second_looks)

    def note_paths(self, paths: Iterable[str], *, again: bool = True) -> None:
        """Add paths that changed. `again`: a folder among them is looked at a second time."""
        now = self.clock()
        for path in paths:
            known = self._waiting.get(path)
            if known is None:
                self._waiting[path] = _WaitingPath(now, now, time.time(), needs_second_look=again)
            else:
                known.last_notice, known.noticed_at = now, time.time()

    def take_rested(self) -> RestedPaths:
        """Return what rests by now, and wait for it no longer. Blocks for a stat of each path."""
        now = self.clock()
        for path in [path for path, due in self._second_looks.items() if due <= now]:
            del self._second_looks[path]
            self.note_paths([path], again=False)
        self._list_new_folders()
        kinds = {path: self._kind(path, waiting, now) for path, waiting in self._waiting.items()}
        restless = sorted(path for path, kind in kinds.items() if kind == "writing")
        ready = [path for path, kind in kinds.items() if self._is_ready(path, kind, restless, now)]
        rested = {}
        for path in ready:
            waiting = self._waiting.pop(path)
            rested[path] = waiting.noticed_at
            if kinds[path] == "folder" and waiting.needs_second_look:
                self._second_looks[path] = now + _SECOND_LOOK
        return RestedPaths(rested)

    def _list_new_folders(self) -> None:
        """Wait for the files in a new folder as for others: a copy of a folder goes on after the folder is there."""
        for path in [path for path, waiting in self._waiting.items() if waiting.stamp is None]:
            if os.path.isdir(path) and not os.path.islink(path):  # noqa: PTH112, PTH114
                waiting = self._waiting[path]
                waiting.stamp = (0, 0, 0)
                self.note_paths((each for each in _files_in(path) if each not in self._waiting), again=False)

    def _kind(self, path: str, waiting: _WaitingPath, now: float) -> str:
        """Return gone, folder, file (at rest) or writing."""
        try:
            status = os.lstat(path)
        except OSError:
            return "gone"
        if stat.S_ISDIR(status.st_mode):
            return "folder"
        stamp = (status.st_size, status.st_mtime_ns, status.st_ino)
        if stamp != waiting.stamp:
            age = time.time() - status.st_mtime_ns / 1e9
            # A file that was moved here is old already, and rests.
            waiting.unchanged_since = now - min(age, self.still_seconds) if waiting.stamp is None and age > 0 else now
            waiting.stamp = stamp
        if now - waiting.first_notice >= self.longest_wait:
            return "file"
        still = now - waiting.unchanged_since
        if still < self.still_seconds or (still < _OPEN_FILE_SECONDS and stat.S_ISREG(status.st_mode) and is_open_for_writing(path)):
            return "writing"
        return "file"

    def _is_ready(self, path: str, kind: str, restless: list[str], now: float) -> bool:
        waiting = self._waiting[path]
        if kind == "writing" or now - waiting.last_notice < QUIET:
            # Notices of a file that never stop must not keep it out for ever.
            return kind == "file" and now - waiting.first_notice >= self.longest_wait
        if kind == "folder":
            return now - waiting.first_notice >= self.longest_wait or not _any_below(path, restless)
        if kind == "gone" and now - waiting.first_notice < _MOVE_WAIT_SECONDS:
            return not any(abs(self._waiting[each].first_notice - waiting.first_notice) < _MOVE_SECONDS for each in restless)
        return True


def _any_below(folder: str, paths: list[str]) -> bool:
    """Return whether one of the sorted paths lies in `folder`."""
    place = bisect.bisect_left(paths, folder + os.sep)
    return place < len(paths) and is_within(paths[place], folder)


def _files_in(folder: str) -> Iterable[str]:
    count = 0
    for place, _, names in os.walk(folder):
        for name in names:
            yield f"{place}{os.sep}{name}"
            count += 1
            if count >= _MAX_LISTED:
                return


def is_open_for_writing(path: str) -> bool:
    """Return whether somebody has the file open for writing, as far as the system tells cheaply (a read lease is refused then; Linux).

    Should a writer come in the moment that the lease is held, the kernel makes it wait for us, and the notice of that is one that is ignored.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.fcntl(handle, _F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except BlockingIOError:
        return True
    except OSError:
        return False  # not our file, or a file system without leases
    finally:
        os.close(handle)
    return False


_F_SETSIG = 10  # linux/fcntl.h; the fcntl module does not name it
