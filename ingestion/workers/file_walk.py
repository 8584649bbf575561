"""The walk through a file and all that it holds: members are read one after the other and reported as they are done, the file itself last."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Protocol

from core.documents import ExtractedDocument
from core.errors import Empty, ExtractionError, LimitExceeded, NeedsRecognition, NotFound, Unsupported
from core.format_table import FileType
from ingestion.archives.member import Member, UnpackingBudget
from ingestion.archives.member_names import MemberNames, matching_ignore_rule
from ingestion.readers.archive_listing import MemberListing, too_many
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.member_openers import ARCHIVES, container_members, container_type
from ingestion.workers.file_reading import (
    ContentDigest,
    GraphReader,
    SourceFactory,
    copied_source,
    extract_document,
    extraction_of,
    failure_of,
    file_source,
)
from ingestion.workers.worker_protocol import MEMBER_SEPARATOR, Demand, EndOfRequest, Extraction, Failure, MemberRead, ReadResult, member_path

_MOST = 10  # times the members that one container may have: what all containers of a file may have together


class WalkListener(Protocol):
    """Port of a listener to what happens: `begin_member` before a member is read, `end_member` with its result, `report_progress` with pages that are
    done, `pass_over` when a member was not even looked at."""

    def pass_over(self) -> None: ...
    def begin_member(self, inner: str) -> None: ...
    def end_member(self, read: MemberRead) -> None: ...
    def report_progress(self, done: int, of: int) -> None: ...


class FileWalk:
    """Reads one file and all that it holds. `inner` paths are those of members ("" is the file itself); `around` are the hashes of the containers
    around a member."""

    def __init__(self, demand: Demand, limits: ExtractionLimits, listener: WalkListener, read_graph: GraphReader | None = None) -> None:
        self._demand, self._limits, self._listener, self._read_graph = demand, limits, listener, read_graph
        self._budget = UnpackingBudget(limits)
        self._members_met = 0
        self._paths_on_the_way = {prefix for inner in demand.only_members or () for prefix in _container_paths(inner)}

    def read_file(self, path: Path) -> ReadResult:
        """Return the file's own document, after its members were reported; where only members are asked for, nothing but the end. Failures are
        returned too."""
        taken = ContentDigest()
        try:
            with file_source(path, self._limits, taken, self._source_factory(path.name)) as source:
                self._budget.set_file_size(source.size)
                return self._read_document(source, "", (taken.content_hash,), taken) or EndOfRequest()
        except Exception as error:  # noqa: BLE001  the border of the sandbox
            return failure_of(error, self._limits, taken)

    def fetch_member(self, path: Path, inner: str, target: IO[bytes]) -> int:
        """Write the bytes of one member to `target`, and return their number.

        Raises:
            NotFound: there is no such member (any more).
            ExtractionError: it cannot be unpacked.
        """
        with file_source(path, self._limits, ContentDigest(), self._source_factory(path.name)) as source:
            return self._fetch_from(source, "", inner, target)

    # -- documents -------------------------------------------------------------------------------------------------------------------

    def _read_document(self, source: Source, inner: str, around: tuple[str, ...], taken: ContentDigest) -> Extraction | None:
        """Return the document at `inner`, after its members; None where only members are asked for."""
        listing = self._read_members(source, inner, around)
        if not self._is_asked_for(inner):
            return None
        document = self._make_document(source, listing)
        warnings = (*document.warnings, *(listing.warnings if listing and not listing.is_archive else ()))
        document = replace(document, warnings=warnings)
        return extraction_of(document, source.name, taken, self._read_graph, complete=listing is None or listing.complete)

    @staticmethod
    def _make_document(source: Source, listing: MemberListing | None) -> ExtractedDocument:
        if listing is not None and listing.is_archive:
            return listing.build_document()
        try:
            return extract_document(source)
        except (Empty, NeedsRecognition):
            if listing is None or not listing.count:
                raise
            return listing.build_document()  # a cover without text: what it holds is what there is to find

    # -- members ---------------------------------------------------------------------------------------------------------------------

    def _read_members(self, source: Source, inner: str, around: tuple[str, ...]) -> MemberListing | None:
        """Read what a container holds, and return the listing of it; None for a file that is none.

        Raises:
            ExtractionError: it is an archive and cannot be opened. What else holds files is read all the same, with a warning.
        """
        kind = container_type(source)
        if kind is None or source.size == 0:
            return None
        listing = MemberListing(kind, is_archive=kind in ARCHIVES)
        try:
            self._check_nesting(kind, around)
            self._walk_members(source, listing, inner, around)
        except MemoryError:
            raise
        except Exception as error:
            if listing.is_archive and not listing.count:
                raise
            listing.mark_incomplete(f"Not all that it holds could be read: {_error_sentence(error)}")
        return listing

    def _check_nesting(self, kind: FileType, around: tuple[str, ...]) -> None:
        if len(around) > self._limits.nesting and kind in ARCHIVES:
            raise LimitExceeded(f"It lies in {len(around) - 1} other containers; deeper ones are not opened (ingestion.max_nesting).")

    def _walk_members(self, source: Source, listing: MemberListing, inner: str, around: tuple[str, ...]) -> None:
        names, passed_over = MemberNames(), set[str]()
        for member in container_members(source, listing.kind):
            if len(around) > self._limits.nesting:
                listing.mark_incomplete("What is attached was not opened: it lies too deep (ingestion.max_nesting).")
                return
            if listing.count >= self._limits.members or self._members_met >= _MOST * self._limits.members:
                listing.mark_incomplete(too_many(source))
                return
            name = names.make_unique(member.name)
            self._members_met += 1
            if (rule := matching_ignore_rule(name, self._demand.ignore)) is not None:
                if self._demand.members:
                    self._report_ignored(member_path(inner, rule[0]), inner, rule[1], passed_over)
                continue
            listing.add(name)
            self._visit_member(member, name, inner, around)

    def _report_ignored(self, path: str, container: str, rule: str, passed_over: set[str]) -> None:
        """Report one line for a whole folder that an ignore rule names."""
        if path not in passed_over and self._is_asked_for(path):
            passed_over.add(path)
            reason = Failure(Unsupported.__name__, f"It matches the rule “{rule}” of ingestion.ignore.", ignored=True)
            self._listener.end_member(MemberRead(path, container, reason))

    def _visit_member(self, member: Member, name: str, container: str, around: tuple[str, ...]) -> None:
        inner = member_path(container, name)
        if inner in self._demand.settled_members or not self._is_wanted(inner):
            self._listener.pass_over()
            return
        self._listener.begin_member(inner)
        taken = ContentDigest()
        try:
            outcome: Extraction | Failure | None = self._read_member(member, inner, around, taken)
        except Exception as error:  # noqa: BLE001  one member must not end the others
            outcome = failure_of(error, self._limits, taken)
        if self._is_asked_for(inner):
            self._listener.end_member(MemberRead(inner, container, outcome, taken.content_hash, taken.size))

    def _read_member(self, member: Member, inner: str, around: tuple[str, ...], taken: ContentDigest) -> Extraction | None:
        with self._copy_member(member, inner, taken) as source:
            if taken.content_hash in around:
                raise LimitExceeded("It contains itself, so it was not opened again.")
            if self._demand.only_members is None and self._demand.known_hashes.get(inner) == taken.content_hash:
                # What lies in it is compared for itself: a run that was cut short may have stored only a part.
                self._read_members(source, inner, (*around, taken.content_hash))
                return None
            return self._read_document(source, inner, (*around, taken.content_hash), taken)

    def _copy_member(self, member: Member, inner: str, taken: ContentDigest) -> AbstractContextManager[Source]:
        if member.refusal is not None:
            raise member.refusal
        return copied_source(partial(self._budget.copy_member, member), self._limits, taken, self._source_factory(_last_name(inner)))

    # -- one member's bytes ----------------------------------------------------------------------------------------------------------

    def _fetch_from(self, source: Source, container: str, wanted: str, target: IO[bytes]) -> int:
        kind, names = container_type(source), MemberNames()
        for member in container_members(source, kind) if kind is not None else ():
            inner = member_path(container, names.make_unique(member.name))
            if inner == wanted:
                if member.refusal is not None:
                    raise member.refusal
                return self._budget.copy_member(member, target)
            if wanted.startswith(inner + MEMBER_SEPARATOR):
                with self._copy_member(member, inner, ContentDigest()) as nested:
                    return self._fetch_from(nested, inner, wanted, target)
        raise NotFound("This file is no longer in its archive. Index the archive again.")

    # -- what is asked for -----------------------------------------------------------------------------------------------------------

    def _is_asked_for(self, inner: str) -> bool:
        """Return whether the document at `inner` is to be read: all are, or it or a container around it was named."""
        only = self._demand.only_members
        return only is None or inner in only or any(prefix in only for prefix in _container_paths(inner))

    def _is_wanted(self, inner: str) -> bool:
        return self._demand.members and (self._is_asked_for(inner) or inner in self._paths_on_the_way)

    def _source_factory(self, name: str) -> SourceFactory:
        recognize = self._demand.recognize and self._limits.ocr.enabled

        def shape(data: bytes, path: Path | None = None) -> Source:
            return Source(data, name, self._limits, self._demand.password, recognize, self._listener.report_progress, path)

        return shape


def _container_paths(inner: str) -> list[str]:
    """Return the containers around a member, the outermost first: "a!/b!/c" gives "", "a", "a!/b"."""
    parts = inner.split(MEMBER_SEPARATOR)
    return ["", *(MEMBER_SEPARATOR.join(parts[:depth]) for depth in range(1, len(parts)))] if inner else []


def _last_name(inner: str) -> str:
    return inner.rsplit(MEMBER_SEPARATOR, 1)[-1].rsplit("/", 1)[-1]


def _error_sentence(error: Exception) -> str:
    return str(error) if isinstance(error, ExtractionError) else f"{type(error).__name__}: {str(error)[:120]}."
