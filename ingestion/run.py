"""State and settings that the stages of one indexing run share, and the port of what reads files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from ingestion.bookkeeping import Bookkeeping
from ingestion.changes import Changes, Work
from ingestion.chunker import ChunkLimits
from ingestion.embedding import Prepared
from ingestion.enriching import Enriching
from ingestion.missing import Survey
from ingestion.progress import Meter
from ingestion.protocol import Demand, Extraction
from ingestion.scanner import Seen
from ingestion.worker_pool import OnMember, OnProgress

__all__ = ["OnMember", "OnProgress", "Reader", "Run", "StageSettings"]


class Reader(Protocol):
    """Port of what reads files; `ingestion.worker_pool.ExtractionPool` implements it and says what is promised."""

    @property
    def size(self) -> int: ...
    async def extract(
        self, path: Path, demand: Demand = ..., *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction: ...
    async def read_members(self, path: Path, demand: Demand, on_member: OnMember, on_progress: OnProgress | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class StageSettings:
    """Settings of the stages. `window` chunks are batched together and embedded in calls of `slice_size`; `home` is resolved.

    `ignore` are the rules for names inside archives; `recognize` says whether text recognition (OCR) is on, which waits until all other files are
    read.
    """

    home: Path
    limits: ChunkLimits
    window: int
    slice_size: int
    commit_every_seconds: float
    ignore: tuple[str, ...] = ()
    recognize: bool = True


@dataclass(slots=True)
class Run:
    """State of one run.

    `entries` are what is on disk, to be compared; `twins` holds, for content that is on its way, further files with the same content; `open` are the
    documents between reading and writing; `missing` maps roots whose disk seems to be gone to the reason.

    `only` restricts a run over one file to these of its members. `password` is tried on locked files and kept nowhere else. `excluded` are paths
    that a person took out. `later` are files that wait for recognition, `recognized` the documents that it wrote; a `brief` run leaves recognition
    to another.
    """

    tenant: str
    path: str
    entries: Iterator[Seen]
    survey: Survey
    changes: Changes
    books: Bookkeeping
    meter: Meter
    enriching: Enriching = field(default_factory=Enriching)
    notes: list[str] = field(default_factory=list)
    twins: dict[tuple[str, str], list[Work]] = field(default_factory=dict)
    open: dict[int, Prepared] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    only: frozenset[str] | None = None
    password: str = field(default="", repr=False)
    excluded: frozenset[str] = frozenset()
    brief: bool = False
    later: dict[str, Work] = field(default_factory=dict)
    recognized: set[str] = field(default_factory=set)

    def wait_for_recognition(self, work: Work, inner: str = "") -> None:
        """Read this file (or what lies in it at `inner`) again, with recognition, when all others are done."""
        waiting = self.later.get(work.stamp.path)
        whole = not inner or (waiting is not None and waiting.only is None)
        before = waiting.only if waiting is not None and waiting.only is not None else frozenset[str]()
        self.later[work.stamp.path] = replace(work, only=None if whole else before | {inner}, recognize=True)
