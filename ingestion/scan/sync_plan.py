"""Compares a scan with the ledger and decides for each entry: keep it, refuse it, follow its move, or read it; then, what vanished."""

from __future__ import annotations

import hashlib
import os
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from core.documents import DocumentState
from core.ports import FileStamp, KnownFile, Root
from ingestion.scan.paths import is_within
from ingestion.scan.scanner import Refusal, ScannedEntry

_MAX_ATTEMPTS = 3  # failed attempts after which a file is left alone until it changes, as `LibraryWriter.record_file` counts them
_RECENT_SECONDS = 10.0  # seconds
_TICK, _WHOLE_SECONDS = 0.05, 2.0  # of the clocks of file systems: seconds, of most and of those that keep whole (or even) seconds
_REMOVED = "removed_by_user"
_INSIDE = "!/"  # between a container and the name of a member
ASKABLE = frozenset({DocumentState.INDEXED, DocumentState.PARTIAL})


@dataclass(frozen=True, slots=True)
class FileTask:
    """A file to read: its stamp, the root that it belongs to, and its ledger row if it has one.

    `only_members` are the inner paths of members to read, and nothing else of it; `recognize`: text recognition may take its time now; `container` is
    the file on disk that a member of an archive lies in."""

    stamp: FileStamp
    root: Root
    ledger_row: KnownFile | None = None
    only_members: frozenset[str] | None = None
    recognize: bool = False
    container: FileTask | None = None


@dataclass(frozen=True, slots=True)
class SyncDecision:
    """The decision about an entry. `moved_from` is the row of the path under which its document is known."""

    action: Literal["keep", "refuse", "move", "read"]
    task: FileTask
    moved_from: KnownFile | None = None
    refusal: Refusal | None = None


@dataclass(slots=True)
class SyncPlan:
    """Compares entries with the ledger. `known_files` are the rows at or below the scanned path, `roots` all of the tenant's.

    `version` names embedder, chunk size and extractors: what was indexed under another is read again. `force` reads everything. `fresh_documents` are
    the documents that the run wrote.

    `doubted_paths` are paths that were reported as changed: where those were written just now the stamp proves nothing (two writes may share one tick
    of the file system's clock), so they are hashed. `thorough_paths` are paths that another run was at meanwhile: their stamps never prove anything,
    and what just failed is not tried again. `companion_paths` are known paths that were asked for because of others (other names of the same file):
    should they be gone, that is reported by itself."""

    known_files: dict[str, KnownFile]
    roots: Sequence[Root]
    version: str
    force: bool = False
    doubted_paths: frozenset[str] = frozenset()
    companion_paths: frozenset[str] = frozenset()
    thorough_paths: frozenset[str] = frozenset()
    fresh_documents: set[str] = field(default_factory=set)
    _stale_documents: set[str] = field(default_factory=set)
    _seen_paths: set[str] = field(default_factory=set)
    _refused_paths: set[str] = field(default_factory=set)
    _unreadable_folders: list[str] = field(default_factory=list)
    _identities: dict[tuple[int, int, int], list[KnownFile]] = field(default_factory=lambda: defaultdict(list))
    _sizes: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        for row in self.known_files.values():
            if row.document_id is not None:
                self._identities[row.stamp.inode, row.stamp.size, row.stamp.mtime_ns].append(row)
                self._sizes.add(row.stamp.size)
                if self.force or row.settings_version != self.version or row.attempts:  # attempts: the last reading failed
                    self._stale_documents.add(row.document_id)

    def decide(self, seen: ScannedEntry) -> SyncDecision:
        """Decide about one entry. Blocks for one more stat where it may be a file that moved."""
        stamp, refusal = seen.stamp, seen.refusal
        self._seen_paths.add(stamp.path)
        work = FileTask(stamp, self.owner(stamp.path), self.known_files.get(stamp.path))
        if refusal is not None:
            if refusal.unknown:
                self._unreadable_folders.append(stamp.path)
            elif refusal.state is DocumentState.SKIPPED:
                self._refused_paths.add(stamp.path)
            return SyncDecision("keep" if work.ledger_row and _is_same_refusal(work.ledger_row, stamp, refusal) else "refuse", work, None, refusal)
        if work.ledger_row is not None:
            return SyncDecision("keep" if self._is_current(work, work.ledger_row) else "read", work)
        origin = None if self.force else self._origin(stamp, work.root)
        return SyncDecision("move", work, origin) if origin else SyncDecision("read", work)

    def note_gone(self, path: str) -> None:
        """Count a file that was met, but is not there any more, among the `vanished_paths`."""
        self._seen_paths.discard(path)

    def vanished_paths(self) -> list[str]:
        """Return the known paths that the scan did not meet, without those that it could not have met.

        The members of a container stay as long as it does: its reading says which of them are gone.
        """
        gone = self.known_files.keys() - self._seen_paths - self.companion_paths
        left = (path for path in gone if not any(is_within(path, folder) for folder in self._unreadable_folders))
        return sorted(path for path in left if self._container(path) not in self._seen_paths - self._refused_paths)

    def find_renamed_paths(self) -> list[str]:
        """Return unscanned paths of files that the scan missed under their old names. Blocks.

        Such a file was renamed within its folder after its new name, or without it, was looked at; its document would be taken for gone.
        """
        gone: dict[str, set[tuple[int, int, int]]] = defaultdict(set)
        for path in self.vanished_paths():
            row = self.known_files[path]
            if row.document_id is not None and row.stamp.inode and not row.container:
                gone[os.path.dirname(path)].add((row.stamp.inode, row.stamp.size, row.stamp.mtime_ns))  # noqa: PTH120
        found = [path for folder, identities in gone.items() for path in _find_by_identity(folder, identities)]
        return sorted(path for path in found if path not in self._seen_paths and path not in self.known_files)

    def _container(self, path: str) -> str:
        """Return the file on disk that `path` lies in, however deep; "" for a file of its own."""
        row = self.known_files.get(path)
        return outermost_container(row, self.known_files) if row is not None else ""

    def owner(self, path: str) -> Root:
        """Return the innermost root that holds `path`."""
        return max((root for root in self.roots if is_within(path, root.path)), key=lambda root: len(root.path))

    def is_fresh(self, document_id: str) -> bool:
        """Return whether a document was made under today's settings, as far as the scanned path tells."""
        return document_id in self.fresh_documents or document_id not in self._stale_documents

    def note_move(self, row: KnownFile) -> None:
        """Note that `row` was moved: its old path has not vanished."""
        self._seen_paths.add(row.stamp.path)

    def task_after_rename(self, work: FileTask, row: KnownFile) -> FileTask:
        """Return the task that makes the document of a moved `row` anew under its new name."""
        if row.document_id is not None:
            self._stale_documents.add(row.document_id)
        return replace(work, ledger_row=replace(row, stamp=work.stamp, root=work.root.path, settings_version=""))

    def may_be_known(self, work: FileTask) -> bool:
        """Return whether hashing the file first can spare reading it: a document of its size is there."""
        return not self.force and work.stamp.size in self._sizes

    def is_same(self, work: FileTask, content_hash: str) -> bool:
        """Return whether a file whose stamp changed still has the content, root and settings of its row."""
        row = work.ledger_row
        if row is None or self.force or row.state not in ASKABLE:
            return False
        return row.content_hash == content_hash and row.attempts == 0 and self._fits(work, row)

    def _fits(self, work: FileTask, row: KnownFile) -> bool:
        return row.settings_version == self.version and row.root == work.root.path

    def _is_current(self, work: FileTask, row: KnownFile) -> bool:
        if self.force or row.stamp != work.stamp:
            return False
        if work.stamp.path in self.thorough_paths:
            return row.state not in ASKABLE or row.attempts > 0
        if self._doubts(work.stamp):
            return False
        if row.state in ASKABLE:
            # Attempts: a newer version could not be read. It is tried again as a failed file is, until the ledger gives it up.
            return self._fits(work, row) and (row.attempts == 0 or row.attempts >= _MAX_ATTEMPTS)
        # What other settings could not read, these may; what a person took out stays out.
        return row.code == _REMOVED or (row.settings_version == self.version and row.state in {DocumentState.SKIPPED, DocumentState.QUARANTINED})

    def _doubts(self, stamp: FileStamp) -> bool:
        if stamp.path not in self.doubted_paths:
            return False
        try:  # what a program sets a time back to says nothing; the time of that no program can set
            written = max(stamp.mtime_ns / 1e9, os.stat(stamp.path).st_ctime)  # noqa: PTH116
        except OSError:
            return True
        return abs(time.time() - written) < _RECENT_SECONDS

    def _origin(self, stamp: FileStamp, root: Root) -> KnownFile | None:
        """Return the row of the same inode, size and time whose path is gone: this file, moved."""
        for row in self._identities.get((stamp.inode, stamp.size, stamp.mtime_ns), ()):
            same_type = os.path.splitext(row.stamp.path)[1] == os.path.splitext(stamp.path)[1]  # noqa: PTH122
            same_collection = self.owner(row.stamp.path).collection == root.collection
            usable = row.state in ASKABLE and row.settings_version == self.version
            if stamp.inode and usable and same_type and same_collection and not os.path.lexists(row.stamp.path):
                return row
        return None


def _is_same_refusal(row: KnownFile, stamp: FileStamp, refusal: Refusal) -> bool:
    same_reason = row.code in {refusal.reason.code, _REMOVED}  # that a person removed it is remembered
    return row.stamp == stamp and row.state is refusal.state and row.document_id is None and same_reason


def _find_by_identity(folder: str, identities: Set[tuple[int, int, int]]) -> list[str]:
    """Return the files of a folder with one of these (inode, size, time in ns): an inode alone is soon that of another file. Blocks."""
    found: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:  # a folder that is gone, too, holds nothing
        inodes = {inode for inode, _, _ in identities}
        for entry in entries:
            if entry.inode() in inodes and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                if (status.st_ino, status.st_size, status.st_mtime_ns) in identities:
                    found.append(entry.path)
    return found


def seconds_until_readable(stamp: FileStamp) -> float:
    """Return the seconds until the file may be read.

    A file that was written this very moment may be written again in the same tick of the file system's clock, with nothing to show for it. Whoever
    reads it after that tick knows that a later change has a later time.
    """
    tick = _TICK if stamp.mtime_ns % 1_000_000_000 else _WHOLE_SECONDS
    age = time.time() - stamp.mtime_ns / 1e9
    return tick - age if abs(age) < tick else 0.0


def hash_file(path: Path) -> str:
    """Return the sha256 (hex) of a file's bytes, as extraction gives it. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def outermost_container(row: KnownFile, known: Mapping[str, KnownFile]) -> str:
    """Return the file on disk that a member lies in, however deep; "" for a file of its own.

    Blocks where a run that was cut short left out a line of what is between: then the disk says which part of the path is the file.
    """
    outer = row.container
    while True:
        above = known.get(outer)
        if above is not None and above.container:
            outer = above.container
        elif above is None and _INSIDE in outer and not os.path.isfile(outer):  # noqa: PTH113
            outer = outer.rpartition(_INSIDE)[0]
        else:
            return outer
