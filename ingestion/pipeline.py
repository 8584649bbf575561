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
from ingestion.bookkeeping import Bookkeeping, Stores
from ingestion.changes import Changes
from ingestion.chunker import ChunkLimits
from ingestion.enriching import Enriching, ModelReaders
from ingestion.holding import Members, file_around
from ingestion.looks import Look
from ingestion.missing import Survey, askable_files, check_present
from ingestion.paths import PathSet, indexable, is_within, printable
from ingestion.progress import Meter, Progress, Summary
from ingestion.protocol import INSIDE
from ingestion.replay import catch_up
from ingestion.scanner import ScanRules, Seen, look, paced, scan
from ingestion.stages import Reader, Run, Stages, StageSettings

__all__ = ["Indexer", "IndexingOptions", "Request", "Stores"]

_log = logging.getLogger(__name__)
DEFAULT_COLLECTION = "default"
_LOOKS = 5  # times that a path is looked at again because another run was at it, too
NO_MODEL = ModelReaders()


@dataclass(frozen=True, slots=True)
class IndexingOptions:
    """Settings of indexing. `home` is VANTAGE_HOME; `window` chunks are batched for the embedder, and about sixteen windows of text are on their way
    at a time.

    `extractors` is the version of the readers, the graph's rules among them: another version makes every file be read again. `ignore_files` says
    whether .gitignore and .vantageignore are followed, `recognize` whether text recognition (OCR) is on.
    """

    home: Path
    ignore: tuple[str, ...] = ()
    chunk_tokens: int = 256
    embed_batch: int = 8
    commit_every_seconds: float = 2.0
    extractors: str = "5"
    window: int = 192
    ignore_files: bool = True
    recognize: bool = True
    chunk_levels: tuple[int, ...] = (512, 1024, 2048)
    chunk_overlap: float = 0.0
    larger_overlap: float = 0.1


@dataclass(frozen=True, slots=True)
class Request:
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
    """Index folders (`index`, one at a time in a library) and reported changes (`follow`, also beside it).

    `models` add to what rules and statistics find in a document.
    """

    def __init__(self, stores: Stores, reader: Reader, embedder: Embedder, options: IndexingOptions, models: ModelReaders = NO_MODEL) -> None:
        self._stores, self._reader, self._options = stores, reader, options
        self._models = models
        self.use(embedder)

    def use(self, embedder: Embedder) -> None:
        """Embed with another model from the next run on. Call it while no run is active."""
        tokens = min(self._options.chunk_tokens, embedder.window)
        levels = tuple(level for level in self._options.chunk_levels if level > tokens)
        self._limits = ChunkLimits(tokens, tokens * 16, self._options.chunk_overlap, levels, self._options.larger_overlap)
        self._embedder = embedder

    @property
    def version(self) -> str:
        """Version string of everything besides its bytes that a document's chunks, vectors, graph and summary depend on."""
        version = f"{self._embedder.name}/{self._limits.name}/{self._options.extractors}"
        return f"{version}/{self._models.names}" if self._models.names else version

    async def index(self, request: Request, *, progress: Callable[[Progress], None], cancelled: anyio.Event) -> Summary:
        """Index a folder or file. `progress` is called after each change, `cancelled` stops the run within a batch.

        Raises:
            InvalidInput: the path does not exist, or belongs to Vantage itself.
            Unavailable: a folder that was indexed before is gone or cannot be read (a missing disk?); nothing was removed.
            StorageFull: the disk is full; what was written before stays.
        """
        path = await anyio.to_thread.run_sync(indexable, request.path, self._options.home)
        request = replace(request, path=path)
        await catch_up(self._stores)
        began = self._stores.looks.now()
        before = await self._stores.writer.roots(request.tenant)
        roots = await self._roots(request, before)
        known = await self._known(request, roots)
        only: frozenset[str] | None = None
        if (row := known.get(str(path))) is not None and row.container:
            request, only = await self._within(request, row, roots)
            path, known = request.path, await self._known(request, roots)
        if not known and not await anyio.Path(path).exists():
            raise InvalidInput(f"{printable(str(path))} does not exist. Check the path, or whether its disk is connected.")
        changes = Changes(known, roots, self.version, request.force)
        rules = await self._rules(request.tenant, roots)
        entries = chain(scan(path, Path(changes.owner(str(path)).path), rules), _renamed_meanwhile(changes, rules))
        run = self._run(request.tenant, paced(entries) if request.gentle else entries, changes, rules, progress)
        run.path, run.only, run.password, run.books.began = str(path), only, request.password, began
        if _collections(before).items() - _collections(roots).items():
            run.books.follow_up(row.document_id for row in known.values())
        return await self._settled(run, await self._execute(run, cancelled), cancelled)

    async def follow(self, tenant: str, paths: Sequence[str], *, cancelled: anyio.Event, thorough: bool = False) -> Summary:
        """Index what is at and below these paths, as a scan of their roots would, for files that were seen to change.

        Paths outside every root are passed over, and so are those of a root that is not there: `Summary.missing` names it. A file that moved
        from one of the paths to another keeps its document. `thorough` reads into files that seem unchanged.

        Raises StorageFull and Unavailable as `index`.
        """
        run, summary = await self._follow(tenant, paths, cancelled, thorough=thorough)
        return await self._settled(run, summary, cancelled)

    async def _follow(self, tenant: str, paths: Sequence[str], cancelled: anyio.Event, *, thorough: bool) -> tuple[Run, Summary]:
        """Scan these paths once, index what changed, and return the run with its summary."""
        paths = await anyio.to_thread.run_sync(lambda: sorted({file_around(path) for path in paths}))
        own = self._stores.looks.begin(tenant, paths)
        try:
            run, missing = await self._following(own, paths, thorough=thorough)
            summary = await self._execute(run, cancelled)
        finally:
            self._stores.looks.end(own)
        return run, replace(summary, missing={**missing, **summary.missing})

    async def _following(self, own: Look, paths: Sequence[str], *, thorough: bool) -> tuple[Run, dict[str, str]]:
        """Prepare the run of `follow`; also return root -> reason for each root that is not there."""
        tenant, began = own.tenant, self._stores.looks.now()
        roots = await self._stores.writer.roots(tenant)
        wanted, missing = await anyio.to_thread.run_sync(_present, paths, roots)
        inodes = await anyio.to_thread.run_sync(_inodes, wanted)
        known = await self._stores.writer.known_below(tenant, wanted, inodes)
        held = PathSet.of(wanted)
        others = [path for path, row in known.items() if not row.container and not held.holds(path)]
        others = [path for path in others if _owner(path, roots) is not None]
        own.widen(others)
        mine = {path: row for path, row in known.items() if _owner(path, roots)}
        asked = frozenset(paths)
        changes = Changes(mine, roots, self.version, doubted=asked, besides=frozenset(others), thorough=asked if thorough else frozenset())
        rules = await self._rules(tenant, roots)
        asked_for = chain.from_iterable(look(path, Path(changes.owner(path).path), rules) for path in (*wanted, *others))
        entries = chain(asked_for, _renamed_meanwhile(changes, rules, own))
        run = self._run(tenant, entries, changes, rules, lambda _: None)
        run.books.look, run.books.began = own, began
        run.survey, run.brief = replace(run.survey, watched=True), True
        return run, missing

    async def _settled(self, run: Run, summary: Summary, cancelled: anyio.Event) -> Summary:
        """Scan again, until nothing is left to do, what this run could not settle: copies whose document was titled after a path that it lost, and
        paths that another run changed at the same time.

        The counts stay those of the first pass. Should it end early, the ledger keeps which copies are to be read.
        """
        titled, looks = set[str](), Counter[str]()
        while not cancelled.is_set():
            copies, crossed = set(await run.books.unsettled()) - titled, run.books.crossed()
            endless = {path for path in crossed if looks[path] >= _LOOKS}
            if looks or crossed:
                await catch_up(self._stores)  # what two runs changed at one path, neither may know all of
            if not (waiting := copies | (crossed - endless)):
                if endless:
                    _log.warning("Left as they are until the next comparison, as they change all the time: %s", printable(", ".join(sorted(endless))))
                break
            titled |= copies
            looks.update(crossed)
            run, again = await self._follow(run.tenant, sorted(waiting), cancelled, thorough=True)
            summary = replace(
                summary,
                seconds=summary.seconds + again.seconds,
                notes=(*summary.notes, *again.notes),
                waiting=(*summary.waiting, *again.waiting),
                followed=(*summary.followed, *(change for change in again.followed if change.path in crossed)),
                cancelled=summary.cancelled or again.cancelled,
            )
        return summary

    def _run(self, tenant: str, entries: Iterator[Seen], changes: Changes, rules: ScanRules, progress: Callable[[Progress], None]) -> Run:
        async def askable(root: Root) -> int:
            return sum(askable_files(each) for each in await self._stores.library.roots(tenant) if each.path == root.path)

        survey = Survey(partial(_holds_files, rules), askable)
        books = Bookkeeping(self._stores, tenant)
        return Run(tenant, "", entries, survey, changes, books, Meter(progress), Enriching(self._models), excluded=rules.excluded)

    async def _execute(self, run: Run, cancelled: anyio.Event) -> Summary:
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
        return await Stages(run, self._reader, self._embedder, settings).execute(cancelled)

    async def _rules(self, tenant: str, roots: Sequence[Root]) -> ScanRules:
        home = await anyio.to_thread.run_sync(self._options.home.resolve)
        watching = self._stores.watching
        excluded = frozenset(each.path for each in await watching.exclusions(tenant)) if watching is not None else frozenset[str]()
        return ScanRules(self._options.ignore, home, excluded, frozenset(root.path for root in roots), self._options.ignore_files)

    async def _roots(self, request: Request, roots: list[Root]) -> list[Root]:
        """Return the tenant's roots, after adding the requested path where no root holds it yet."""
        path = str(request.path)
        inner = _owner(path, roots)
        if inner is not None:
            await anyio.to_thread.run_sync(check_present, Path(inner.path))
            if request.collection in {DEFAULT_COLLECTION, inner.collection}:
                return roots
        elif not await anyio.Path(path).exists():
            raise InvalidInput(f"{printable(path)} does not exist. Check the path, or whether its disk is connected.")
        elif printable(path) != path:
            raise InvalidInput(f"The name of {printable(path)} is not valid UTF-8. Rename it and index again.")
        await self._stores.writer.add_root(request.tenant, path, request.collection)
        return await self._stores.writer.roots(request.tenant)

    async def _within(self, request: Request, row: KnownFile, roots: list[Root]) -> tuple[Request, frozenset[str]]:
        """Turn a request for a member of an archive into one for the file on disk; also return the member's path in it."""
        known = await self._stores.writer.known_files(request.tenant, row.root)
        outer = Members(Changes(known, roots, self.version)).outermost(row)
        return replace(request, path=Path(outer), force=False), frozenset({row.stamp.path[len(outer) + len(INSIDE) :]})

    async def _known(self, request: Request, roots: list[Root]) -> dict[str, KnownFile]:
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


def _present(paths: Sequence[str], roots: Sequence[Root]) -> tuple[list[str], dict[str, str]]:
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


def _renamed_meanwhile(changes: Changes, rules: ScanRules, own: Look | None = None) -> Iterator[Seen]:
    """Yield, at the end of a scan, files that were renamed while it went on, so that they keep their documents. Blocks."""
    paths = changes.renamed_meanwhile()
    if own is not None:
        own.widen(paths)
    for path in paths:
        yield from look(path, Path(changes.owner(path).path), rules)


def _holds_files(rules: ScanRules, root: Root) -> bool:
    """Return whether a root holds any file to read. Blocks; stops at the first."""
    try:
        return any(seen.refusal is None for seen in scan(Path(root.path), Path(root.path), rules))
    except OSError:
        return False
