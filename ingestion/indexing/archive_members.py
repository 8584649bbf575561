"""Members of archives and messages: what the library knows of them, and what a reading of their container means for them."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from pathlib import PurePath

from core.documents import DocumentState
from core.format_table import FORMATS
from core.formats import FileKind
from core.ports import FileStamp, KnownFile
from ingestion.scan.sync_plan import ASKABLE, FileTask, SyncPlan, outermost_container
from ingestion.workers.worker_protocol import MEMBER_SEPARATOR, Extraction, Failure, MemberRead

ATTEMPTS = 3  # failed ones after which a member is left alone until its archive changes
NEEDS_RECOGNITION = "needs_recognition"
RECOGNITION_OFF = "recognition_off"
NEEDS_DESCRIPTION = "needs_description"
_EMPTY = "empty"
# Files that may hold nothing but pictures: a vision model may find something to say of what was empty without one.
_PICTURES = frozenset(suffix for each in FORMATS if each.kind in (FileKind.IMAGE, FileKind.PDF) for suffix in each.suffixes)
_REMOVED = "removed_by_user"
_ENCRYPTED = "encrypted"
EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class SlowSteps:
    """Which slow steps can be done at the end of this run: text recognition, and descriptions of pictures by a vision model."""

    recognize: bool
    describe: bool

    def helps(self, row: KnownFile) -> bool:
        """Return whether an unchanged file should be read again for one of these steps."""
        if row.code in {NEEDS_RECOGNITION, RECOGNITION_OFF}:
            return self.recognize
        return self.describe and (row.code == NEEDS_DESCRIPTION or (row.code == _EMPTY and PurePath(row.stamp.path).suffix.lower() in _PICTURES))


@dataclass(frozen=True, slots=True)
class DueMembers:
    """Members of an unchanged file that must be read again: at once, or at the end with recognition."""

    read_now: frozenset[str] = frozenset()
    read_later: frozenset[str] = frozenset()


class KnownMembers:
    """The known members of every file that the run may meet, by the path of the file and their inner path."""

    def __init__(self, changes: SyncPlan) -> None:
        self._changes = changes
        self._rows: dict[str, dict[str, KnownFile]] = defaultdict(dict)
        for row in changes.known_files.values():
            if row.container:
                outer = self.outermost_container(row)
                self._rows[outer][row.stamp.path[len(outer) + len(MEMBER_SEPARATOR) :]] = row

    def outermost_container(self, row: KnownFile) -> str:
        """Return the file on disk that a member lies in."""
        return outermost_container(row, self._changes.known_files)

    def rows_in(self, path: str) -> dict[str, KnownFile]:
        """Return the rows of a file's members by their inner paths."""
        return self._rows.get(path, {})

    def current_hashes(self, work: FileTask) -> dict[str, str]:
        """Return inner path -> content hash of the members that need no reading while their content stays."""
        if self._changes.force:
            return {}
        return {inner: row.content_hash for inner, row in self.rows_in(work.stamp.path).items() if row.content_hash and self._is_current(work, row)}

    def find_due(self, work: FileTask, excluded: Set[str], *, password: bool, slow: SlowSteps) -> DueMembers:
        """Return the members to read again though their file did not change.

        `excluded` are the paths that a person takes out now, `slow` the steps that can be done.
        """
        rows = self.rows_in(work.stamp.path)
        later = frozenset(inner for inner, row in rows.items() if slow.helps(row))
        now = frozenset(inner for inner, row in rows.items() if inner not in later and self._is_due(work, row, password=password))
        now |= frozenset(inner for inner, row in rows.items() if (row.code == EXCLUDED) != is_excluded(row.stamp.path, excluded))
        return DueMembers(now, later)

    def _is_due(self, work: FileTask, row: KnownFile, *, password: bool) -> bool:
        if password and row.code == _ENCRYPTED:
            return True
        if row.state is DocumentState.FAILED:
            return row.attempts < ATTEMPTS
        if row.state is DocumentState.QUEUED:
            return True
        return row.state in ASKABLE and row.attempts < ATTEMPTS and (not self._is_current(work, row) or _is_of_another_version(work, row))

    def _is_current(self, work: FileTask, row: KnownFile) -> bool:
        if row.code == _REMOVED:
            return True
        fits = row.settings_version == self._changes.version and row.root == work.root.path
        return row.state in ASKABLE and row.attempts == 0 and fits and row.code not in {NEEDS_RECOGNITION, RECOGNITION_OFF}


@dataclass(slots=True)
class ContainerReading:
    """One container while it is read: `rows` are its members as the ledger has them, `met_members` those that the reading came by."""

    work: FileTask
    rows: dict[str, KnownFile]
    met_members: set[str] = field(default_factory=set)
    _closed_members: set[str] = field(default_factory=set)
    _unchanged_members: set[str] = field(default_factory=set)

    def record_member(self, read: MemberRead) -> FileTask:
        """Return the file task of a member that was read, and note what is known of it now."""
        path = self.work.stamp.path
        self.met_members.add(read.path)
        container = f"{path}{MEMBER_SEPARATOR}{read.container}" if read.container else path
        known = self.rows.get(read.path)
        match read.outcome:
            case None:
                self._unchanged_members.add(read.path)
                self._closed_members.add(read.path)  # its content is the same, so nothing of it is gone
            case Failure() | Extraction(complete=False):
                self._closed_members.add(read.path)  # what lies in it was not seen, or not all of it
        stamp = FileStamp(f"{path}{MEMBER_SEPARATOR}{read.path}", read.file_size, self.work.stamp.mtime_ns, 0, container)
        return FileTask(stamp, self.work.root, known, recognize=self.work.recognize, container=self.work)

    def unchanged_rows(self) -> list[KnownFile]:
        """Return the members that are as they were, and all that lies in them."""
        return [row for inner, row in self.rows.items() if inner in self._unchanged_members or _lies_in(inner, self._unchanged_members)]

    def unseen_rows(self, gone: Sequence[str]) -> list[KnownFile]:
        """Return the members that were not seen and do not count as gone: they stay what they were."""
        away, wanted = set(gone), self.work.only_members
        rows = ((inner, row) for inner, row in self.rows.items() if inner not in self.met_members and row.stamp.path not in away)
        return [row for inner, row in rows if wanted is None or inner in wanted or _lies_in(inner, wanted)]

    def vanished_paths(self) -> list[str]:
        """Return the paths of members that are not there any more."""
        rows = ((inner, row) for inner, row in self.rows.items() if inner not in self.met_members and not _lies_in(inner, self._closed_members))
        wanted = self.work.only_members
        return [row.stamp.path for inner, row in rows if wanted is None or inner in wanted or _lies_in(inner, wanted)]


def _is_of_another_version(work: FileTask, row: KnownFile) -> bool:
    """Return whether a member is of another version of its file than the file's own line: all that was read together has one time.

    That happens where recognition was waited for, or where two runs read the file and one of them was killed.
    """
    file = work.ledger_row
    return file is not None and file.state in ASKABLE and file.attempts == 0 and row.stamp.mtime_ns != file.stamp.mtime_ns


def is_excluded(path: str, excluded: Set[str]) -> bool:
    """Return whether a person took out this member, or a folder or container around it."""
    if not excluded:
        return False
    parts = path.split("/")
    return any("/".join(parts[:depth]).removesuffix("!") in excluded for depth in range(1, len(parts) + 1))


def file_around(path: str) -> str:
    """Return the file on disk that a member's path lies in, or the path itself where it is no member's. Blocks."""
    if MEMBER_SEPARATOR not in path or os.path.lexists(path):
        return path
    at = path.find(MEMBER_SEPARATOR)
    while at >= 0:
        if os.path.isfile(path[:at]):  # noqa: PTH113
            return path[:at]
        at = path.find(MEMBER_SEPARATOR, at + 1)
    return path


def _lies_in(inner: str, containers: Set[str]) -> bool:
    """Return whether a member lies in one of these."""
    parts = inner.split(MEMBER_SEPARATOR)
    return any(MEMBER_SEPARATOR.join(parts[:depth]) in containers for depth in range(1, len(parts)))
