"""`Indexer`: brings the library to what a folder holds.

A file's failure is a line in the ledger; only what concerns the whole run (a full disk, a database or model that is gone) ends it. Whatever a
run has written stays: the next one finds those files unchanged and goes on with the rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread

from core.errors import InvalidInput, Unavailable
from core.ports import Embedder, GraphEnricher, KnownFile, Root
from ingestion.bookkeeping import Bookkeeping, Stores
from ingestion.changes import Changes
from ingestion.chunker import ChunkLimits
from ingestion.enriching import Enriching
from ingestion.paths import indexable, is_within, printable
from ingestion.progress import Meter, Progress, Summary
from ingestion.replay import catch_up
from ingestion.stages import Reader, Run, Stages, StageSettings

__all__ = ["Indexer", "IndexingOptions", "Request", "Stores"]

DEFAULT_COLLECTION = "default"


@dataclass(frozen=True, slots=True)
class IndexingOptions:
    """`home` is VANTAGE_HOME. `window` chunks are batched together; about four windows of text are on their way at a time.

    `extractors` names the version of the readers, that of the knowledge graph among them: another one makes everything be read again.
    """

    home: Path
    ignore: tuple[str, ...] = ()
    chunk_tokens: int = 256
    embed_batch: int = 8
    commit_every_seconds: float = 2.0
    extractors: str = "2"
    window: int = 192


@dataclass(frozen=True, slots=True)
class Request:
    """What to index: a root, something in one, or what becomes one. `force` reads files that did not change, too.

    A root keeps its collection unless another than "default" is asked for.
    """

    tenant: str
    path: Path
    collection: str = DEFAULT_COLLECTION
    force: bool = False


class Indexer:
    """Runs are independent of each other, but only one may run at a time in a library. `enricher` adds to each document's knowledge graph."""

    def __init__(self, stores: Stores, reader: Reader, embedder: Embedder, options: IndexingOptions, enricher: GraphEnricher | None = None) -> None:
        self._stores, self._reader, self._embedder, self._options = stores, reader, embedder, options
        self._enricher = enricher
        tokens = min(options.chunk_tokens, embedder.window)
        self._limits = ChunkLimits(tokens, tokens * 16)

    @property
    def version(self) -> str:
        """What a document's chunks, vectors and graph depend on besides its bytes."""
        version = f"{self._embedder.name}/{self._limits.tokens}/{self._options.extractors}"
        return f"{version}/{self._enricher.name}" if self._enricher is not None else version

    async def index(self, request: Request, *, progress: Callable[[Progress], None], cancelled: anyio.Event) -> Summary:
        """Index a folder or file; `progress` is called after each change, `cancelled` stops the run within a batch.

        Raises:
            InvalidInput: the path does not exist, or belongs to Vantage itself.
            Unavailable: a folder that was indexed before is gone or cannot be read (a missing disk?): nothing was removed.
            StorageFull: the disk is full; what was written before stays.
        """
        path = await anyio.to_thread.run_sync(indexable, request.path, self._options.home)
        request = Request(request.tenant, path, request.collection, request.force)
        await catch_up(self._stores)
        before = await self._stores.library.roots(request.tenant)
        roots = await self._roots(request, before)
        known = await self._known(request, roots)
        if not known and not await anyio.Path(path).exists():
            raise InvalidInput(f"{printable(str(path))} does not exist. Check the path, or whether its disk is connected.")
        changes = Changes(known, roots, self.version, request.force)
        run = Run(request.tenant, str(path), changes, Bookkeeping(self._stores, request.tenant), Meter(progress), Enriching(self._enricher))
        if _collections(before).items() - _collections(roots).items():
            run.books.follow_up(row.document_id for row in known.values())
        home = await anyio.to_thread.run_sync(self._options.home.resolve)
        settings = StageSettings(
            home=home,
            ignore=self._options.ignore,
            limits=self._limits,
            window=self._options.window,
            slice_size=8 * self._options.embed_batch,
            commit_every_seconds=self._options.commit_every_seconds,
        )
        return await Stages(run, self._reader, self._embedder, settings).execute(cancelled)

    async def _roots(self, request: Request, roots: list[Root]) -> list[Root]:
        """The tenant's roots, the requested path among them or below one of them."""
        path = str(request.path)
        inner = max((root for root in roots if is_within(path, root.path)), key=lambda root: len(root.path), default=None)
        if inner is not None:
            await anyio.to_thread.run_sync(_check_present, Path(inner.path))
            if request.collection in {DEFAULT_COLLECTION, inner.collection}:
                return roots
        elif not await anyio.Path(path).exists():
            raise InvalidInput(f"{printable(path)} does not exist. Check the path, or whether its disk is connected.")
        elif printable(path) != path:
            raise InvalidInput(f"The name of {printable(path)} is not valid UTF-8. Rename it and index again.")
        await self._stores.writer.add_root(request.tenant, path, request.collection)
        return await self._stores.library.roots(request.tenant)

    async def _known(self, request: Request, roots: list[Root]) -> dict[str, KnownFile]:
        """The ledger at or below the path: its rows may belong to the root around it, to itself, or to roots inside it."""
        path = str(request.path)
        known: dict[str, KnownFile] = {}
        for root in roots:
            if is_within(root.path, path) or is_within(path, root.path):
                known |= await self._stores.writer.known_files(request.tenant, root.path)
        return {name: row for name, row in known.items() if is_within(name, path)}


def _collections(roots: list[Root]) -> dict[str, str]:
    return {root.path: root.collection for root in roots}


def _check_present(root: Path) -> None:
    """Raises Unavailable where a root cannot be looked into: its files may well exist, on a disk that is not connected."""
    try:
        if root.is_dir():
            with os.scandir(root) as entries:
                next(entries, None)
        elif not root.exists():
            raise Unavailable(f"{root} is not there. If it lies on another disk, connect it; nothing was removed from the library.")
    except OSError as error:
        raise Unavailable(f"{root} cannot be read ({error.strerror or error}). Nothing was removed from the library.") from error
