"""Scans a root: every entry once, with one stat, and the reason where it is not to be read."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Protocol

from core.documents import DocumentState
from core.ports import FileStamp, LedgerReason
from ingestion.scan.ignore_rules import IgnoreFile, ignore_files_in, ignoring_rule
from ingestion.scan.paths import is_printable, is_system, is_within, printable_path

_SPECIAL = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFBLK: "a device", stat.S_IFCHR: "a device"}


@dataclass(frozen=True, slots=True)
class ScanRules:
    """Rules of a scan. `ignore` are shell patterns for names (or for the path below the root where they hold a slash); `home` is VANTAGE_HOME,
    resolved.

    `excluded` are the paths that a person took out, `roots` the other folders that were indexed for themselves: each is ruled from its own top.
    `ignore_files` says whether .gitignore and .vantageignore are followed.
    """

    ignore: tuple[str, ...]
    home: Path
    excluded: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()
    ignore_files: bool = False


@dataclass(frozen=True, slots=True)
class _ScannedFolder:
    """A folder on the way: the root that rules it, and the ignore files from there down to it."""

    folder: str
    root: Path
    files: tuple[IgnoreFile, ...] = ()

    def enter(self, folder: str, rules: ScanRules) -> _ScannedFolder:
        if folder in rules.roots:
            return _place_of_root(Path(folder), rules)
        return _ScannedFolder(folder, self.root, self.files + ignore_files_in(folder)) if rules.ignore_files else _ScannedFolder(folder, self.root)


def _place_of_root(root: Path, rules: ScanRules) -> _ScannedFolder:
    return _ScannedFolder(str(root), root, ignore_files_in(str(root)) if rules.ignore_files else ())


class _Entry(Protocol):
    """The part of os.DirEntry that the rules need."""

    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result: ...


@dataclass(frozen=True, slots=True)
class _NamedEntry:
    """An entry that was named instead of found in a listing."""

    path: str

    @property
    def name(self) -> str:
        return os.path.basename(self.path)  # noqa: PTH119

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return os.stat(self.path, follow_symlinks=follow_symlinks)  # noqa: PTH116


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an entry is not read. `unknown`: what lies below it could not be seen, so nothing there may count as vanished."""

    state: DocumentState
    reason: LedgerReason
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class ScannedEntry:
    """One scanned entry: a regular file to read, or, with `refusal`, anything that is not read."""

    stamp: FileStamp
    refusal: Refusal | None = None


def scan(start: Path, root: Path, rules: ScanRules) -> Iterator[ScannedEntry]:
    """Yield what lies in `start` (a folder or file in `root`, both resolved) in the order of names. Blocks; raises OSError only if `start` itself
    fails."""
    status = start.stat()
    excluded = _exclusion_refusal(str(start), rules)
    if excluded:
        yield _make_skipped(str(start), status, *excluded)
        return
    if not stat.S_ISDIR(status.st_mode):
        yield _file(start, str(root.parent if start == root else root), status)
        return
    place = _place_of_root(root, rules)
    for folder in _folders_between(str(root), str(start)):
        place = place.enter(folder, rules)
    yield from _walk(place, rules)


def scan_path(path: str, root: Path, rules: ScanRules) -> Iterator[ScannedEntry]:
    """Yield what a scan of `root` would meet at `path` (in it, absolute) and below; nothing where nothing is. Blocks.

    Where a folder above is not entered, that folder is met instead: so the rules are the same, however an entry is come upon.
    """
    if path == str(root):
        with suppress(FileNotFoundError, NotADirectoryError):
            yield from scan(root, root, rules)
        return
    place = _place_of_root(root, rules)
    for step in [*_folders_between(str(root), os.path.dirname(path)), path]:  # noqa: PTH120
        try:
            os.lstat(step)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            yield _make_unreadable(step, error)
            return
        seen = _entry(_NamedEntry(step), place, rules)
        if seen is not None:
            yield seen
            return
        place = place.enter(step, rules)
    with suppress(FileNotFoundError, NotADirectoryError):
        yield from _walk(place, rules)


def pace_entries(entries: Iterator[ScannedEntry], every: int = 200, seconds: float = 0.02) -> Iterator[ScannedEntry]:
    """Yield the entries with a pause after each `every` of them, for scans that must not be in anybody's way. Blocks."""
    for number, seen in enumerate(entries, 1):
        yield seen
        if number % every == 0:
            time.sleep(seconds)


def _folders_between(root: str, folder: str) -> list[str]:
    """Return the folders below `root` on the way to `folder`, which is itself the last."""
    if folder == root:
        return []
    parts = Path(folder).relative_to(root).parts
    return [os.path.join(root, *parts[: number + 1]) for number in range(len(parts))]  # noqa: PTH118


def _walk(start: _ScannedFolder, rules: ScanRules) -> Iterator[ScannedEntry]:
    places = [start]
    while places:
        place = places.pop()
        try:
            with os.scandir(place.folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if place is start:
                raise
            yield _make_unreadable(place.folder, error)
            continue
        below = []
        for entry in listed:
            seen = _entry(entry, place, rules)
            if seen is None:
                below.append(place.enter(entry.path, rules))
            else:
                yield seen
        places += reversed(below)


def _entry(entry: _Entry, place: _ScannedFolder, rules: ScanRules) -> ScannedEntry | None:
    """Return what stands for `entry` in the scan, None for a folder to walk."""
    root = place.root
    try:
        status = entry.stat(follow_symlinks=False)
        excluded = _exclusion_refusal(entry.path, rules)
        if excluded:
            return _make_skipped(entry.path, status, *excluded)
        if entry.path not in rules.roots:
            rule = _matching_ignore_pattern(entry, root, rules) or ignoring_rule(entry.path, folder=stat.S_ISDIR(status.st_mode), files=place.files)
            if rule:
                return _make_skipped(entry.path, status, f"It matches the rule {rule}.", "ignored")
        if stat.S_ISLNK(status.st_mode):
            return _follow_link(entry, root, rules)
        if stat.S_ISDIR(status.st_mode):
            if is_within(entry.path, str(rules.home)) and not is_within(str(root), str(rules.home)):
                return _make_skipped(entry.path, status, "Vantage keeps its own data here.", "vantage_home")
            if is_system(entry.path):
                return _make_skipped(entry.path, status, "This is a folder of the system: there are no documents in it.", "system_folder")
            return None
        return _file(Path(entry.path), str(root), status)
    except OSError as error:
        return _make_unreadable(entry.path, error)


def _exclusion_refusal(path: str, rules: ScanRules) -> tuple[str, str] | None:
    """Return text and code of the refusal where a person took `path`, or a folder above it, out of the library."""
    if not rules.excluded:
        return None
    place = next((folder for folder in (path, *map(str, Path(path).parents)) if folder in rules.excluded), None)
    what = "it" if place == path else f"the folder {place}"
    return (f"A person took {what} out of the library. End the exclusion to have it read again.", "excluded") if place else None


def _matching_ignore_pattern(entry: _Entry, root: Path, rules: ScanRules) -> str | None:
    relative = os.path.relpath(entry.path, root)
    rule = next((rule for rule in rules.ignore if fnmatchcase(relative if "/" in rule else entry.name, rule)), None)
    return f"“{rule}” of ingestion.ignore" if rule else None


def _follow_link(entry: _Entry, root: Path, rules: ScanRules) -> ScannedEntry:
    """Follow a link to a file in the same root, as another name of that file; refuse every other link."""
    status = entry.stat(follow_symlinks=False)
    try:
        target = Path(entry.path).resolve(strict=True)
        followed = target.stat()
    except (OSError, RuntimeError):
        return _make_skipped(entry.path, status, "The link leads nowhere.", "broken_link")
    if not is_within(str(target), str(root)):
        return _make_skipped(entry.path, status, "The link leads out of the folder; index its target's folder instead.", "link_outside")
    excluded = _exclusion_refusal(str(target), rules)
    if excluded:
        return _make_skipped(entry.path, status, *excluded)
    if stat.S_ISDIR(followed.st_mode):
        return _make_skipped(entry.path, status, "The link leads to a folder that is read in its own place.", "link_to_folder")
    return _file(Path(entry.path), str(root), followed)


def _file(path: Path, root: str, status: os.stat_result) -> ScannedEntry:
    """Return a file of an ordinary kind with a name that can be stored, or its refusal."""
    special = _SPECIAL.get(stat.S_IFMT(status.st_mode))
    if special:
        return _make_skipped(str(path), status, f"This is {special}, not a file.", "special_file")
    if not is_printable(str(path)):
        return _make_skipped(str(path), status, "Its name, or a folder's above it, is not valid UTF-8. Rename it and index again.", "name_not_utf8")
    return ScannedEntry(stamp_of(str(path), status))


def stamp_of(path: str, status: os.stat_result) -> FileStamp:
    """Make the stamp of a file from its stat result."""
    return FileStamp(printable_path(path), status.st_size, status.st_mtime_ns, status.st_ino)


def _make_skipped(path: str, status: os.stat_result, text: str, code: str) -> ScannedEntry:
    """Return a refused entry. Its stamp has no inode: should it be read one day, it counts as changed. A folder's has no size and time, which
    change with what is in it."""
    folder = stat.S_ISDIR(status.st_mode)
    stamp = FileStamp(printable_path(path), 0, 0) if folder else FileStamp(printable_path(path), status.st_size, status.st_mtime_ns)
    return ScannedEntry(stamp, Refusal(DocumentState.SKIPPED, LedgerReason(text, code)))


def _make_unreadable(path: str, error: OSError) -> ScannedEntry:
    denied = error.errno in {errno.EACCES, errno.EPERM}
    text = "Permission denied. Allow reading it and index again." if denied else f"It cannot be read: {error.strerror or error}."
    reason = LedgerReason(text, "permission_denied" if denied else "unreadable")
    return ScannedEntry(FileStamp(printable_path(path), 0, 0), Refusal(DocumentState.FAILED, reason, unknown=True))
