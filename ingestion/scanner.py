"""The scan of a root: every entry once, with one stat, and why it is not to be read where that is so."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from core.documents import DocumentState
from core.ports import FileStamp, Reason
from ingestion.paths import is_printable, is_within, printable

_SPECIAL = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFBLK: "a device", stat.S_IFCHR: "a device"}


@dataclass(frozen=True, slots=True)
class ScanRules:
    """`ignore` are shell patterns for names (or for the path below the root where they hold a slash); `home` is VANTAGE_HOME, resolved."""

    ignore: tuple[str, ...]
    home: Path


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an entry is not read. `unknown` says that what lies below it could not be seen: nothing there may count as vanished."""

    state: DocumentState
    reason: Reason
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """One entry: a regular file to read, or, with `refusal`, anything that is not read."""

    stamp: FileStamp
    refusal: Refusal | None = None


def scan(start: Path, root: Path, rules: ScanRules) -> Iterator[Seen]:
    """Walk `start` (a folder or file in `root`, both resolved) in the order of names. Blocks; raises OSError only if `start` itself fails."""
    if not stat.S_ISDIR(start.stat().st_mode):
        yield _file(start, str(root.parent if start == root else root), start.stat())
        return
    folders = [str(start)]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if folder == str(start):
                raise
            yield _unreadable(folder, error)
            continue
        below = []
        for entry in listed:
            seen = _entry(entry, root, rules)
            if seen is None:
                below.append(entry.path)
            else:
                yield seen
        folders += reversed(below)


def _entry(entry: os.DirEntry[str], root: Path, rules: ScanRules) -> Seen | None:
    """What stands for `entry`; None for a folder to walk."""
    try:
        status = entry.stat(follow_symlinks=False)
        rule = _ignored_by(entry, root, rules)
        if rule:
            return _skipped(entry.path, status, f"It matches the rule “{rule}” of ingestion.ignore.", "ignored")
        if stat.S_ISLNK(status.st_mode):
            return _link(entry, root, rules)
        if stat.S_ISDIR(status.st_mode):
            if is_within(entry.path, str(rules.home)) and not is_within(str(root), str(rules.home)):
                return _skipped(entry.path, status, "Vantage keeps its own data here.", "vantage_home")
            return None
        return _file(Path(entry.path), str(root), status)
    except OSError as error:
        return _unreadable(entry.path, error)


def _ignored_by(entry: os.DirEntry[str], root: Path, rules: ScanRules) -> str | None:
    relative = os.path.relpath(entry.path, root)
    return next((rule for rule in rules.ignore if fnmatchcase(relative if "/" in rule else entry.name, rule)), None)


def _link(entry: os.DirEntry[str], root: Path, rules: ScanRules) -> Seen:
    """A link to a file in the same root is that file under another name; every other link is not followed."""
    status = entry.stat(follow_symlinks=False)
    try:
        target = Path(entry.path).resolve(strict=True)
        followed = target.stat()
    except (OSError, RuntimeError):
        return _skipped(entry.path, status, "The link leads nowhere.", "broken_link")
    if not is_within(str(target), str(root)):
        return _skipped(entry.path, status, "The link leads out of the folder; index its target's folder instead.", "link_outside")
    if stat.S_ISDIR(followed.st_mode):
        return _skipped(entry.path, status, "The link leads to a folder that is read in its own place.", "link_to_folder")
    return _file(Path(entry.path), str(root), followed)


def _file(path: Path, root: str, status: os.stat_result) -> Seen:
    """A file of an ordinary kind with a name that can be stored, or why not."""
    special = _SPECIAL.get(stat.S_IFMT(status.st_mode))
    if special:
        return _skipped(str(path), status, f"This is {special}, not a file.", "special_file")
    if not is_printable(str(path)):
        return _skipped(str(path), status, "Its name, or a folder's above it, is not valid UTF-8. Rename it and index again.", "name_not_utf8")
    return Seen(stamp_of(str(path), status))


def stamp_of(path: str, status: os.stat_result) -> FileStamp:
    return FileStamp(printable(path), status.st_size, status.st_mtime_ns, status.st_ino)


def _skipped(path: str, status: os.stat_result, text: str, code: str) -> Seen:
    """The stamp of what is not read has no inode: should it be read one day, it counts as changed. Nor has a folder's a size or time, which
    change with what is in it."""
    folder = stat.S_ISDIR(status.st_mode)
    stamp = FileStamp(printable(path), 0, 0) if folder else FileStamp(printable(path), status.st_size, status.st_mtime_ns)
    return Seen(stamp, Refusal(DocumentState.SKIPPED, Reason(text, code)))


def _unreadable(path: str, error: OSError) -> Seen:
    denied = error.errno in {errno.EACCES, errno.EPERM}
    text = "Permission denied. Allow reading it and index again." if denied else f"It cannot be read: {error.strerror or error}."
    reason = Reason(text, "permission_denied" if denied else "unreadable")
    return Seen(FileStamp(printable(path), 0, 0), Refusal(DocumentState.FAILED, reason, unknown=True))
