"""Watches a tree of folders by Linux's own means (inotify(7)).

watchfiles serves every other system. On Linux it follows symbolic links and cannot be told not to: a folder with two names is then reported by the
one that was met last, also when that is gone, so that changes are lost; and it does not say when the kernel dropped notices. watchdog tells
neither of that nor of folders beyond the limit of watches (docs/decisions/0033).
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import struct
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntFlag

from ingestion.libc import check_result
from ingestion.scan.paths import is_within


class Mask(IntFlag):
    """Event bits of linux/inotify.h."""

    MODIFY = 0x2
    ATTRIB = 0x4
    CLOSE_WRITE = 0x8
    MOVED_FROM = 0x40
    MOVED_TO = 0x80
    CREATE = 0x100
    DELETE = 0x200
    DELETE_SELF = 0x400
    MOVE_SELF = 0x800
    UNMOUNT = 0x2000
    OVERFLOW = 0x4000
    IGNORED = 0x8000
    ONLY_FOLDERS = 0x1000000
    NOT_THROUGH_LINKS = 0x2000000
    FOLDER = 0x40000000


_WANTED = (
    Mask.MODIFY
    | Mask.ATTRIB
    | Mask.CLOSE_WRITE
    | Mask.MOVED_FROM
    | Mask.MOVED_TO
    | Mask.CREATE
    | Mask.DELETE
    | Mask.DELETE_SELF
    | Mask.MOVE_SELF
    | Mask.ONLY_FOLDERS
    | Mask.NOT_THROUGH_LINKS
)
_ARRIVALS = Mask.CREATE | Mask.MOVED_TO
_EVENT = struct.Struct("iIII")  # watch, mask, cookie, length of the name
_READ_BYTES = 1 << 18
_WAKE, _STEP, _GROUPED = 0.5, 0.1, 0.4  # seconds: to ask whether to stop; without a notice; at most until notices are passed on
_GONE_ERRORS = {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP}  # not there any more, or not ours: the scan says so


@dataclass(frozen=True, slots=True)
class NoticedChanges:
    """Paths at which something changed. `has_lost_notices`: the system dropped notices, so anything may have changed."""

    paths: frozenset[str]
    has_lost_notices: bool = False


class InotifyNotices:
    """Watches a folder and (with `deep`) all folders in it, links not followed. Used by one thread at a time.

    Raises OSError where the system allows no more watches (ENOSPC) or watchers (EMFILE).
    """

    def __init__(self, path: str, *, deep: bool = True) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._path, self._deep = path, deep
        self._paths: dict[int, str] = {}
        self._watches: dict[str, int] = {}
        self._handle = check_result(self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self._poll = select.poll()
        self._poll.register(self._handle, select.POLLIN)
        try:
            self._add(path)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def wait(self, stop: threading.Event) -> NoticedChanges:
        """Block until something changed and a moment has passed, or `stop` is set; return what changed."""
        while not stop.is_set() and not self._poll.poll(_WAKE * 1000):
            pass
        paths: set[str] = set()
        lost = False
        until = time.monotonic() + _GROUPED
        while not stop.is_set() and self._poll.poll(_STEP * 1000):
            for watch, mask, name in self._read_events():
                lost |= bool(mask & Mask.OVERFLOW)
                paths.update(self._changed_paths(watch, mask, name))
            if time.monotonic() > until:
                break
        if lost and not stop.is_set():
            self._add(self._path)  # no notice came of folders that were made meanwhile
        return NoticedChanges(frozenset(paths), lost)

    def _read_events(self) -> Iterator[tuple[int, Mask, str]]:
        try:
            data = os.read(self._handle, _READ_BYTES)
        except BlockingIOError:
            return
        place = 0
        while place < len(data):
            watch, mask, _, length = _EVENT.unpack_from(data, place)
            place += _EVENT.size
            yield watch, Mask(mask), os.fsdecode(data[place : place + length].rstrip(b"\0"))
            place += length

    def _changed_paths(self, watch: int, mask: Mask, name: str) -> Iterator[str]:
        folder = self._paths.get(watch)
        if folder is None:
            return
        if mask & Mask.IGNORED:
            self._forget(watch)
            return
        path = os.path.join(folder, name) if name else folder  # noqa: PTH118
        if mask & Mask.FOLDER and name and self._deep:
            if mask & Mask.MOVED_FROM:
                self._drop(path)
            elif mask & _ARRIVALS:
                self._drop(path)
                self._add(path)  # before the path is reported: what comes into it later is noticed, what is in it is scanned
        yield path

    def _add(self, path: str) -> None:
        """Watch a folder and those in it: first the folder, then what is listed in it, so that none is missed."""
        waiting = [path]
        while waiting:
            folder = waiting.pop()
            watch = self._libc.inotify_add_watch(self._handle, os.fsencode(folder), int(_WANTED))
            if watch < 0:
                number = ctypes.get_errno()
                if number in _GONE_ERRORS and folder != path:
                    continue
                if number in _GONE_ERRORS and self._paths:
                    return  # a folder that came and went
                raise OSError(number, os.strerror(number), folder)
            before = self._paths.get(watch)
            if before is not None:
                self._watches.pop(before, None)
            self._paths[watch], self._watches[folder] = folder, watch
            waiting += self._list_folders(folder) if self._deep else []

    @staticmethod
    def _list_folders(folder: str) -> list[str]:
        try:
            with os.scandir(folder) as entries:
                return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return []

    def _drop(self, path: str) -> None:
        """Stop watching a folder that is no longer at `path`, and those that were in it."""
        if path not in self._watches:
            return
        for inner in [each for each in self._watches if is_within(each, path)]:
            watch = self._watches.pop(inner)
            self._paths.pop(watch, None)
            self._libc.inotify_rm_watch(self._handle, watch)

    def _forget(self, watch: int) -> None:
        path = self._paths.pop(watch, None)
        if path is not None and self._watches.get(path) == watch:
            del self._watches[path]
