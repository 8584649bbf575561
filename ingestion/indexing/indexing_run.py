"""State and settings that the stages of one indexing run share, and the port of what reads files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from ingestion.chunking.chunker import ChunkLimits
from ingestion.indexing.embed_stage import PreparedDocument
from ingestion.indexing.index_writer import IndexWriter
from ingestion.indexing.model_enrichment import ModelEnrichment
from ingestion.indexing.run_progress import ProgressMeter
from ingestion.scan.scanner import ScannedEntry
from ingestion.scan.sync_plan import FileTask, SyncPlan
from ingestion.scan.unmounted_roots import RootProbe
from ingestion.workers.pool import OnMember, OnProgress
from ingestion.workers.worker_protocol import Demand, Extraction

__all__ = ["FileReader", "IndexingRun", "OnMember", "OnProgress", "StageSettings"]


class FileReader(Protocol):
    """Port of what reads files; `ingestion.workers.pool.ExtractionPool` implements it and says what is promised."""

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
class IndexingRun:
    """State of one run.

    `entries` are what is on disk, to be compared; `duplicates` holds, for content that is on its way, further files with the same content;
    `open_documents` are the documents between reading and writing; `missing_roots` maps roots whose disk seems to be gone to the reason.

    `only_members` restricts a run over one file to these of its members. `password` is tried on locked files and kept nowhere else. `excluded_paths`
    are paths that a person took out. `recognition_tasks` are files that wait for recognition, `recognized_documents` the documents that it wrote; a
    `is_brief` run leaves recognition to another."""

    tenant: str
    path: str
    entries: Iterator[ScannedEntry]
    root_probe: RootProbe
    plan: SyncPlan
    index_writer: IndexWriter
    meter: ProgressMeter
    enrichment: ModelEnrichment = field(default_factory=ModelEnrichment)
    notes: list[str] = field(default_factory=list)
    duplicates: dict[tuple[str, str], list[FileTask]] = field(default_factory=dict)
    open_documents: dict[int, PreparedDocument] = field(default_factory=dict)
    missing_roots: dict[str, str] = field(default_factory=dict)
    only_members: frozenset[str] | None = None
    password: str = field(default="", repr=False)
    excluded_paths: frozenset[str] = frozenset()
    is_brief: bool = False
    recognition_tasks: dict[str, FileTask] = field(default_factory=dict)
    recognized_documents: set[str] = field(default_factory=set)

    def wait_for_recognition(self, work: FileTask, inner: str = "") -> None:
        """Read this file (or what lies in it at `inner`) again, with recognition, when all others are done."""
        waiting = self.recognition_tasks.get(work.stamp.path)
        whole = not inner or (waiting is not None and waiting.only_members is None)
        before = waiting.only_members if waiting is not None and waiting.only_members is not None else frozenset[str]()
        self.recognition_tasks[work.stamp.path] = replace(work, only_members=None if whole else before | {inner}, recognize=True)
