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
from ingestion.containers.listing import Listing, too_many
from ingestion.containers.member import Member, Room
from ingestion.containers.names import Names, ignored_by
from ingestion.containers.opening import ARCHIVES, container_type, members
from ingestion.extractors.source import ExtractionLimits, Source
from ingestion.protocol import INSIDE, AllRead, Demand, Extraction, Failure, MemberRead, Result, below
from ingestion.reading import GraphReader, Shape, Taken, copied_source, extracted, extraction_of, failure_of, file_source

_MOST = 10  # times the members that one container may have: what all containers of a file may have together


class Listener(Protocol):
    """Port of who is told what happens: `visiting` before a member is read, `member` with its result, `progress` with pages that are done,
    `passing` when a member was not even looked at."""

    def passing(self) -> None: ...
    def visiting(self, inner: str) -> None: ...
    def member(self, read: MemberRead) -> None: ...
    def progress(self, done: int, of: int) -> None: ...


class Walk:
    """Reads one file and all that it holds. `inner` paths are those of members ("" is the file itself); `around` are the hashes of the containers
    around a member."""

    def __init__(self, demand: Demand, limits: ExtractionLimits, listener: Listener, read_graph: GraphReader | None = None) -> None:
        self._demand, self._limits, self._listener, self._read_graph = demand, limits, listener, read_graph
        self._room = Room(limits)
        self._met = 0
        self._through = {prefix for inner in demand.only or () for prefix in _prefixes(inner)}

    def read(self, path: Path) -> Result:
        """Return the file's own document, after its members were reported; where only members are asked for, nothing but the end. Failures are
        returned too."""
        taken = Taken()
        try:
            with file_source(path, self._limits, taken, self._shape(path.name)) as source:
                self._room.enter(source.size)
                return self._read(source, "", (taken.content_hash,), taken) or AllRead()
        except Exception as error:  # noqa: BLE001  the border of the sandbox
            return failure_of(error, self._limits, taken)

    def fetch(self, path: Path, inner: str, target: IO[bytes]) -> int:
        """Write the bytes of one member to `target`, and return their number.

        Raises:
            NotFound: there is no such member (any more).
            ExtractionError: it cannot be unpacked.
        """
        with file_source(path, self._limits, Taken(), self._shape(path.name)) as source:
            return self._fetch(source, "", inner, target)

    # -- documents -------------------------------------------------------------------------------------------------------------------

    def _read(self, source: Source, inner: str, around: tuple[str, ...], taken: Taken) -> Extraction | None:
        """Return the document at `inner`, after its members; None where only members are asked for."""
        listing = self._inside(source, inner, around)
        if not self._asked(inner):
            return None
        document = self._document(source, listing)
        warnings = (*document.warnings, *(listing.warnings if listing and not listing.is_archive else ()))
        document = replace(document, warnings=warnings)
        return extraction_of(document, source.name, taken, self._read_graph, complete=listing is None or listing.complete)

    @staticmethod
    def _document(source: Source, listing: Listing | None) -> ExtractedDocument:
        if listing is not None and listing.is_archive:
            return listing.document()
        try:
            return extracted(source)
        except (Empty, NeedsRecognition):
            if listing is None or not listing.count:
                raise
            return listing.document()  # a cover without text: what it holds is what there is to find

    # -- members ---------------------------------------------------------------------------------------------------------------------

    def _inside(self, source: Source, inner: str, around: tuple[str, ...]) -> Listing | None:
        """Read what a container holds, and return the listing of it; None for a file that is none.

        Raises:
            ExtractionError: it is an archive and cannot be opened. What else holds files is read all the same, with a warning.
        """
        kind = container_type(source)
        if kind is None or source.size == 0:
            return None
        listing = Listing(kind, is_archive=kind in ARCHIVES)
        try:
            self._check_nesting(kind, around)
            self._walk(source, listing, inner, around)
        except MemoryError:
            raise
        except Exception as error:
            if listing.is_archive and not listing.count:
                raise
            listing.incomplete(f"Not all that it holds could be read: {_sentence(error)}")
        return listing

    def _check_nesting(self, kind: FileType, around: tuple[str, ...]) -> None:
        if len(around) > self._limits.nesting and kind in ARCHIVES:
            raise LimitExceeded(f"It lies in {len(around) - 1} other containers; deeper ones are not opened (ingestion.max_nesting).")

    def _walk(self, source: Source, listing: Listing, inner: str, around: tuple[str, ...]) -> None:
        names, passed_over = Names(), set[str]()
        for member in members(source, listing.kind):
            if len(around) > self._limits.nesting:
                listing.incomplete("What is attached was not opened: it lies too deep (ingestion.max_nesting).")
                return
            if listing.count >= self._limits.members or self._met >= _MOST * self._limits.members:
                listing.incomplete(too_many(source))
                return
            name = names.unique(member.name)
            self._met += 1
            if (rule := ignored_by(name, self._demand.ignore)) is not None:
                if self._demand.members:
                    self._pass_over(below(inner, rule[0]), inner, rule[1], passed_over)
                continue
            listing.add(name)
            self._visit(member, name, inner, around)

    def _pass_over(self, path: str, container: str, rule: str, passed_over: set[str]) -> None:
        """Report one line for a whole folder that an ignore rule names."""
        if path not in passed_over and self._asked(path):
            passed_over.add(path)
            reason = Failure(Unsupported.__name__, f"It matches the rule “{rule}” of ingestion.ignore.", ignored=True)
            self._listener.member(MemberRead(path, container, reason))

    def _visit(self, member: Member, name: str, container: str, around: tuple[str, ...]) -> None:
        inner = below(container, name)
        if inner in self._demand.settled or not self._wanted(inner):
            self._listener.passing()
            return
        self._listener.visiting(inner)
        taken = Taken()
        try:
            outcome: Extraction | Failure | None = self._outcome(member, inner, around, taken)
        except Exception as error:  # noqa: BLE001  one member must not end the others
            outcome = failure_of(error, self._limits, taken)
        if self._asked(inner):
            self._listener.member(MemberRead(inner, container, outcome, taken.content_hash, taken.size))

    def _outcome(self, member: Member, inner: str, around: tuple[str, ...], taken: Taken) -> Extraction | None:
        with self._taken(member, inner, taken) as source:
            if taken.content_hash in around:
                raise LimitExceeded("It contains itself, so it was not opened again.")
            if self._demand.only is None and self._demand.known.get(inner) == taken.content_hash:
                # What lies in it is compared for itself: a run that was cut short may have stored only a part.
                self._inside(source, inner, (*around, taken.content_hash))
                return None
            return self._read(source, inner, (*around, taken.content_hash), taken)

    def _taken(self, member: Member, inner: str, taken: Taken) -> AbstractContextManager[Source]:
        if member.refusal is not None:
            raise member.refusal
        return copied_source(partial(self._room.copy, member), self._limits, taken, self._shape(_last_name(inner)))

    # -- one member's bytes ----------------------------------------------------------------------------------------------------------

    def _fetch(self, source: Source, container: str, wanted: str, target: IO[bytes]) -> int:
        kind, names = container_type(source), Names()
        for member in members(source, kind) if kind is not None else ():
            inner = below(container, names.unique(member.name))
            if inner == wanted:
                if member.refusal is not None:
                    raise member.refusal
                return self._room.copy(member, target)
            if wanted.startswith(inner + INSIDE):
                with self._taken(member, inner, Taken()) as nested:
                    return self._fetch(nested, inner, wanted, target)
        raise NotFound("This file is no longer in its archive. Index the archive again.")

    # -- what is asked for -----------------------------------------------------------------------------------------------------------

    def _asked(self, inner: str) -> bool:
        """Return whether the document at `inner` is to be read: all are, or it or a container around it was named."""
        only = self._demand.only
        return only is None or inner in only or any(prefix in only for prefix in _prefixes(inner))

    def _wanted(self, inner: str) -> bool:
        return self._demand.members and (self._asked(inner) or inner in self._through)

    def _shape(self, name: str) -> Shape:
        recognize = self._demand.recognize and self._limits.ocr.enabled

        def shape(data: bytes, path: Path | None = None) -> Source:
            return Source(data, name, self._limits, self._demand.password, recognize, self._listener.progress, path)

        return shape


def _prefixes(inner: str) -> list[str]:
    """Return the containers around a member, the outermost first: "a!/b!/c" gives "", "a", "a!/b"."""
    parts = inner.split(INSIDE)
    return ["", *(INSIDE.join(parts[:depth]) for depth in range(1, len(parts)))] if inner else []


def _last_name(inner: str) -> str:
    return inner.rsplit(INSIDE, 1)[-1].rsplit("/", 1)[-1]


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, ExtractionError) else f"{type(error).__name__}: {str(error)[:120]}."
