"""The indexer: brings the library up to date with a folder.

A failing file becomes a line in the ledger; only what concerns the whole run (a full disk, a database or model that is gone) ends it. What a run
has written stays: the next run finds those files unchanged and goes on with the rest.
"""

from __future__ import annotations

import logging
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

import anyio
import anyio.to_thread

from core.errors import InvalidInput, Unavailable
from core.ports import Embedder, KnownFile, Root
from ingestion.chunking.chunker import ChunkLimits
from ingestion.indexing.archive_members import KnownMembers, file_around
from ingestion.indexing.index_writer import IndexWriter, Stores
from ingestion.indexing.model_enrichment import IndexingModels, ModelEnrichment
from ingestion.indexing.overlapping_runs import ActiveRun
from ingestion.indexing.pipeline import FileReader, IndexingPipeline, IndexingRun, StageSettings
from ingestion.indexing.reconciliation import reconcile_index
from ingestion.indexing.run_progress import Progress, ProgressMeter, RunSummary
from ingestion.scan.paths import PathSet, is_within, printable_path, resolve_indexable
from ingestion.scan.scanner import ScannedEntry, ScanRules, pace_entries, scan, scan_path
from ingestion.scan.sync_plan import SyncPlan
from ingestion.scan.unmounted_roots import RootProbe, check_present, count_searchable_files
from ingestion.workers.worker_protocol import MEMBER_SEPARATOR

__all__ = ["Indexer", "IndexingOptions", "IndexingRequest", "Stores"]

_log = logging.getLogger(__name__)
DEFAULT_COLLECTION = "default"
_MAX_RESCANS = 5  # times that a path is looked at again because another run was at it, too
NO_MODEL = IndexingModels()


@dataclass(frozen=True, slots=True)
class IndexingOptions:
    """Settings of indexing. `home` is VANTAGE_HOME; `window` chunks are batched for the embedder, and about sixteen windows of text are on their way
    at a time.

    `readers_version` is the version of the readers, the graph's rules among them: another version makes every file be read again. `ignore_files` says
    whether .gitignore and .vantageignore are followed, `recognize` whether text recognition (OCR) is on.
    """

    home: Path
    ignore: tuple[str, ...] = ()
    chunk_tokens: int = 256
    embed_batch: int = 8
    commit_every_seconds: float = 2.0
    readers_version: str = "8"
    window: int = 192
    ignore_files: bool = True
    recognize: bool = True
    chunk_overlap: float = 0.0


@dataclass(frozen=True, slots=True)
class IndexingRequest:
    """What to index: a root, something in one, or what becomes one. `force` reads unchanged files, too.

    A root keeps its collection unless another than "default" is asked for. `gentle` scans slowly, to be in nobody's way. `password` is tried on
    locked files and kept nowhere. The path of a member of an archive ("…/a.zip!/lease.pdf") means that member alone.
    """

    tenant: str
    path: Path
    collection: str = DEFAULT_COLLECTION
    force: bool = False
    gentle: bool = False
    password: str = field(default="", repr=False)


class Indexer:
    """Index folders (`index`, one at a time in a library) and reported changes (`index_changes`, also beside it).

    `models` add to what rules and statistics find in a document.
    """

    def __init__(self, stores: Stores, reader: FileReader, embedder: Embedder, options: IndexingOptions, models: IndexingModels = NO_MODEL) -> None:
        self._stores, self._reader, self._options = stores, reader, options
        self._models = models
        self.use_embedder(embedder)

    def use_embedder(self, embedder: Embedder) -> None:
        """Embed with another model from the next run on. Call it while no run is active."""
        tokens = min(self._options.chunk_tokens, embedder.window)
        self._limits = ChunkLimits(tokens, tokens * 16, self._options.chunk_overlap)
        self._embedder = embedder

    @property
    def version(self) -> str:
        """Version string of everything besides its bytes that a document's chunks, vectors, graph and summary depend on."""
        version = f"{self._embedder.name}/{self._limits.name}/{self._options.readers_version}"
        return f"{version}/{self._models.names}" if self._models.names else version

    async def index(self, request: IndexingRequest, *, progress: Callable[[Progress], None], cancelled: anyio.Event) -> RunSummary:
        """Index a folder or file. `progress` is called after each change, `cancelled` stops the run within a batch.

        Raises:
            InvalidInput: the path does not exist, or belongs to Vantage itself.
            Unavailable: a folder that was indexed before is gone or cannot be read (a missing disk?); nothing was removed.
            StorageFull: the disk is full; what was written before stays.
        """
        path = await anyio.to_thread.run_sync(resolve_indexable, request.path, self._options.home)
        request = replace(request, path=path)
        await reconcile_index(self._stores)
        began = self._stores.active_runs.deletion_time()
        before = await self._stores.writer.roots(request.tenant)
        roots = await self._ensure_root(request, before)
        known = await self._known_files(request, roots)
        only: frozenset[str] | None = None
        if (row := known.get(str(path))) is not None and row.container:
            request, only = await self._redirect_to_container(request, row, roots)
            path, known = request.path, await self._known_files(request, roots)
        if not known and not await anyio.Path(path).exists():
            raise InvalidInput(f"{printable_path(str(path))} does not exist. Check the path, or whether its disk is connected.")
        changes = SyncPlan(known, roots, self.version, request.force)
        rules = await self._rules(request.tenant, roots)
        entries = chain(scan(path, Path(changes.owner(str(path)).path), rules), _scan_renamed_files(changes, rules))
        run = self._make_run(request.tenant, pace_entries(entries) if request.gentle else entries, changes, rules, progress)
        run.path, run.only_members, run.password, run.index_writer.started_at = str(path), only, request.password, began
        if _collections(before).items() - _collections(roots).items():
            run.index_writer.update_later(row.document_id for row in known.values())
        return await self._rescan_until_settled(run, await self._execute(run, cancelled), cancelled)

    async def index_changes(self, tenant: str, paths: Sequence[str], *, cancelled: anyio.Event, thorough: bool = False) -> RunSummary:
        """Index what is at and below these paths, as a scan of their roots would, for files that were seen to change.

        Paths outside every root are passed over, and so are those of a root that is not there: `RunSummary.missing_roots` names it. A file that moved
        from one of the paths to another keeps its document. `thorough` reads into files that seem unchanged.

        Raises StorageFull and Unavailable as `index`.
        """
        run, summary = await self._index_paths(tenant, paths, cancelled, thorough=thorough)
        return await self._rescan_until_settled(run, summary, cancelled)

    async def _index_paths(self, tenant: str, paths: Sequence[str], cancelled: anyio.Event, *, thorough: bool) -> tuple[IndexingRun, RunSummary]:
        """Scan these paths once, index what changed, and return the run with its summary."""
        paths = await anyio.to_thread.run_sync(lambda: sorted({file_around(path) for path in paths}))
        own = self._stores.active_runs.begin_run(tenant, paths)
        try:
            run, missing = await self._make_change_run(own, paths, thorough=thorough)
            summary = await self._execute(run, cancelled)
        finally:
            self._stores.active_runs.end_run(own)
        return run, replace(summary, missing_roots={**missing, **summary.missing_roots})

    async def _make_change_run(self, own: ActiveRun, paths: Sequence[str], *, thorough: bool) -> tuple[IndexingRun, dict[str, str]]:
        """Prepare the run of `index_changes`; also return root -> reason for each root that is not there."""
        tenant, began = own.tenant, self._stores.active_runs.deletion_time()
        roots = await self._stores.writer.roots(tenant)
        wanted, missing = await anyio.to_thread.run_sync(_present_paths, paths, roots)
        inodes = await anyio.to_thread.run_sync(_inodes, wanted)
        known = await self._stores.writer.known_files_below(tenant, wanted, inodes)
        held = PathSet.from_paths(wanted)
        others = [path for path, row in known.items() if not row.container and not held.holds(path)]
        others = [path for path in others if _owner(path, roots) is not None]
        own.add_paths(others)
        mine = {path: row for path, row in known.items() if _owner(path, roots)}
        asked = frozenset(paths)
        changes = SyncPlan(
            mine, roots, self.version, doubted_paths=asked, companion_paths=frozenset(others), thorough_paths=asked if thorough else frozenset()
        )
        rules = await self._rules(tenant, roots)
        asked_for = chain.from_iterable(scan_path(path, Path(changes.owner(path).path), rules) for path in (*wanted, *others))
        entries = chain(asked_for, _scan_renamed_files(changes, rules, own))
        run = self._make_run(tenant, entries, changes, rules, lambda _: None)
        run.index_writer.active_run, run.index_writer.started_at = own, began
        run.root_probe, run.is_brief = replace(run.root_probe, saw_deletions=True), True
        return run, missing

    async def _rescan_until_settled(self, run: IndexingRun, summary: RunSummary, cancelled: anyio.Event) -> RunSummary:
        """Scan again, until nothing is left to do, what this run could not settle: copies whose document was titled after a path that it lost, and
        paths that another run changed at the same time.

        The counts stay those of the first pass. Should it end early, the ledger keeps which copies are to be read.
        """
        titled, looks = set[str](), Counter[str]()
        while not cancelled.is_set():
            copies, crossed = set(await run.index_writer.paths_to_reread()) - titled, run.index_writer.contended_paths()
            endless = {path for path in crossed if looks[path] >= _MAX_RESCANS}
            if looks or crossed:
                await reconcile_index(self._stores)  # what two runs changed at one path, neither may know all of
            if not (waiting := copies | (crossed - endless)):
                if endless:
                    _log.warning(
                        "Left as they are until the next comparison, as they change all the time: %s", printable_path(", ".join(sorted(endless)))
                    )
                break
            titled |= copies
            looks.update(crossed)
            run, again = await self._index_paths(run.tenant, sorted(waiting), cancelled, thorough=True)
            summary = replace(
                summary,
                seconds=summary.seconds + again.seconds,
                notes=(*summary.notes, *again.notes),
                waiting_paths=(*summary.waiting_paths, *again.waiting_paths),
                changes=(*summary.changes, *(change for change in again.changes if change.path in crossed)),
                cancelled=summary.cancelled or again.cancelled,
            )
        return summary

    def _make_run(
        self, tenant: str, entries: Iterator[ScannedEntry], changes: SyncPlan, rules: ScanRules, progress: Callable[[Progress], None]
    ) -> IndexingRun:
        async def askable(root: Root) -> int:
            return sum(count_searchable_files(each) for each in await self._stores.library.roots(tenant) if each.path == root.path)

        survey = RootProbe(partial(_holds_files, rules), askable)
        books = IndexWriter(self._stores, tenant)
        return IndexingRun(
            tenant, "", entries, survey, changes, books, ProgressMeter(progress), ModelEnrichment(self._models), excluded_paths=rules.excluded
        )

    async def _execute(self, run: IndexingRun, cancelled: anyio.Event) -> RunSummary:
        home = await anyio.to_thread.run_sync(self._options.home.resolve)
        settings = StageSettings(
            home=home,
            limits=self._limits,
            window=self._options.window,
            slice_size=8 * self._options.embed_batch,
            commit_every_seconds=self._options.commit_every_seconds,
            ignore=self._options.ignore,
            recognize=self._options.recognize,
        )
        return await IndexingPipeline(run, self._reader, self._embedder, settings).execute(cancelled)

    async def _rules(self, tenant: str, roots: Sequence[Root]) -> ScanRules:
        home = await anyio.to_thread.run_sync(self._options.home.resolve)
        watching = self._stores.watch_store
        excluded = frozenset(each.path for each in await watching.exclusions(tenant)) if watching is not None else frozenset[str]()
        return ScanRules(self._options.ignore, home, excluded, frozenset(root.path for root in roots), self._options.ignore_files)

    async def _ensure_root(self, request: IndexingRequest, roots: list[Root]) -> list[Root]:
        """Return the tenant's roots, after adding the requested path where no root holds it yet."""
        path = str(request.path)
        inner = _owner(path, roots)
        if inner is not None:
            await anyio.to_thread.run_sync(check_present, Path(inner.path))
            if request.collection in {DEFAULT_COLLECTION, inner.collection}:
                return roots
        elif not await anyio.Path(path).exists():
            raise InvalidInput(f"{printable_path(path)} does not exist. Check the path, or whether its disk is connected.")
        elif printable_path(path) != path:
            raise InvalidInput(f"The name of {printable_path(path)} is not valid UTF-8. Rename it and index again.")
        await self._stores.writer.add_root(request.tenant, path, request.collection)
        return await self._stores.writer.roots(request.tenant)

    async def _redirect_to_container(self, request: IndexingRequest, row: KnownFile, roots: list[Root]) -> tuple[IndexingRequest, frozenset[str]]:
        """Turn a request for a member of an archive into one for the file on disk; also return the member's path in it."""
        known = await self._stores.writer.known_files(request.tenant, row.root)
        outer = KnownMembers(SyncPlan(known, roots, self.version)).outermost_container(row)
        return replace(request, path=Path(outer), force=False), frozenset({row.stamp.path[len(outer) + len(MEMBER_SEPARATOR) :]})

    async def _known_files(self, request: IndexingRequest, roots: list[Root]) -> dict[str, KnownFile]:
        """Return the ledger rows at or below the path: they may belong to the root around it, to itself, or to roots inside it."""
        path = str(request.path)
        known: dict[str, KnownFile] = {}
        for root in roots:
            if is_within(root.path, path) or is_within(path, root.path):
                known |= await self._stores.writer.known_files(request.tenant, root.path)
        return {name: row for name, row in known.items() if is_within(name, path) or name.startswith(f"{path}!/")}


def _collections(roots: list[Root]) -> dict[str, str]:
    return {root.path: root.collection for root in roots}


def _owner(path: str, roots: Sequence[Root]) -> Root | None:
    """Return the innermost root that holds `path`, or None."""
    return max((root for root in roots if is_within(path, root.path)), key=lambda root: len(root.path), default=None)


def _present_paths(paths: Sequence[str], roots: Sequence[Root]) -> tuple[list[str], dict[str, str]]:
    """Return the paths whose root is there, without those below another of them; and root -> reason for roots that are not. Blocks."""
    missing: dict[str, str] = {}
    checked: set[str] = set()
    kept: list[str] = []
    for path in sorted(set(paths), key=lambda path: Path(path).parts):
        root = _owner(path, roots)
        if root is None or (kept and is_within(path, kept[-1])):
            continue
        if root.path not in checked:
            checked.add(root.path)
            try:
                check_present(Path(root.path))
            except Unavailable as error:
                missing[root.path] = str(error)
        if root.path not in missing:
            kept.append(path)
    return kept, missing


def _inodes(paths: Sequence[str]) -> list[int]:
    """Return the inodes of the regular files among the paths. Blocks."""
    found = []
    for path in paths:
        with suppress(OSError):
            status = os.lstat(path)
            if stat.S_ISREG(status.st_mode):
                found.append(status.st_ino)
    return found


def _scan_renamed_files(changes: SyncPlan, rules: ScanRules, own: ActiveRun | None = None) -> Iterator[ScannedEntry]:
    """Yield, at the end of a scan, files that were renamed while it went on, so that they keep their documents. Blocks."""
    paths = changes.find_renamed_paths()
    if own is not None:
        own.add_paths(paths)
    for path in paths:
        yield from scan_path(path, Path(changes.owner(path).path), rules)


def _holds_files(rules: ScanRules, root: Root) -> bool:
    """Return whether a root holds any file to read. Blocks; stops at the first."""
    try:
        return any(seen.refusal is None for seen in scan(Path(root.path), Path(root.path), rules))
    except OSError:
        return False
