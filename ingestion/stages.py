"""The stages of one indexing run. Scanning, reading, chunking, embedding and writing overlap; what is between them is bounded."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Protocol

import anyio
import anyio.to_thread
import numpy as np
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from core.documents import DocumentState
from core.errors import Empty, NotFound, Unavailable, VantageError
from core.ports import Embedder, KnownFile, NewDocument
from core.tables import TypedTable
from ingestion.bookkeeping import Bookkeeping
from ingestion.changes import ASKABLE, Changes, Verdict, Work, content_hash
from ingestion.chunker import ChunkLimits, chunk
from ingestion.concurrency import Budget, first_error, stopped_by
from ingestion.embedding import Embedding, Prepared, TokenSpool
from ingestion.enriching import Enriching
from ingestion.failures import ledger_entry, run_ends
from ingestion.missing import Survey, separate
from ingestion.paths import printable
from ingestion.progress import Meter, Outcome, Summary
from ingestion.scanner import Seen
from ingestion.typed_columns import typed_tables
from ingestion.worker_pool import Extraction

_log = logging.getLogger(__name__)
_SCANNED = 128  # entries that one visit to the scanning thread brings
_WINDOWS = 4  # windows of text that are on their way at a time
_CHARACTERS = 5  # of a token, about


class Reader(Protocol):
    """What reads files: `ingestion.worker_pool.ExtractionPool`."""

    @property
    def size(self) -> int: ...
    async def extract(self, path: Path) -> Extraction: ...


@dataclass(frozen=True, slots=True)
class StageSettings:
    """`window` chunks are batched together and embedded in calls of `slice_size`; `home` is resolved."""

    home: Path
    limits: ChunkLimits
    window: int
    slice_size: int
    commit_every_seconds: float


@dataclass(slots=True)
class Run:
    """One run's state. `twins` holds, for content that is on its way, the files that turned out to have the same; `open` are the documents
    between reading and writing. `entries` are what is on disk, to be compared; `missing` are roots whose disk seems to be gone, and why."""

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


class Stages:
    def __init__(self, run: Run, reader: Reader, embedder: Embedder, settings: StageSettings) -> None:
        self._run, self._reader, self._embedder, self._settings = run, reader, embedder, settings
        self._budget = Budget(_WINDOWS * settings.window * settings.limits.tokens * _CHARACTERS)
        self._deciding = run.books.stores.deciding

    async def execute(self, cancelled: anyio.Event) -> Summary:
        started = time.monotonic()
        try:
            await self._overlap(cancelled)
            if not cancelled.is_set():
                await self._finish()
        except BaseExceptionGroup as group:
            await self._save_what_is_done()
            raise first_error(group) from group
        finally:
            for document in self._run.open.values():
                document.close()
        run = self._run
        notes = (*run.notes, *run.enriching.notes())
        return Summary(run.meter.state, time.monotonic() - started, cancelled.is_set(), notes, run.missing, tuple(run.books.followed))

    async def _overlap(self, cancelled: anyio.Event) -> None:
        """Run the stages. `cancelled` ends those that produce; the writer still stores what is finished."""
        found_in, found = anyio.create_memory_object_stream[Work](64)
        prepared_in, prepared = anyio.create_memory_object_stream[Prepared](float("inf"))  # bounded by the budget
        finished_in, finished = anyio.create_memory_object_stream[Prepared](float("inf"))
        embedding = Embedding(self._embedder, self._settings.window, self._settings.slice_size, self._embedded)
        async with anyio.create_task_group() as group:
            group.start_soon(self._write, finished)
            async with finished_in, stopped_by(cancelled) as producers:
                producers.start_soon(embedding.run, prepared, finished_in.clone())
                producers.start_soon(self._scan, found_in)
                for _ in range(self._reader.size + 1):
                    producers.start_soon(self._read, found.clone(), prepared_in.clone())
                found.close()
                prepared_in.close()

    async def _save_what_is_done(self) -> None:
        """The run failed: what is written should still be found. Should this fail, too, the next run or start makes it good."""
        try:
            with anyio.CancelScope(shield=True):
                await self._run.books.flush()
        except VantageError as error:
            _log.warning("The search index could not be brought up to date: %s", error)

    # -- scanning --------------------------------------------------------------------------------------------------------------------

    async def _scan(self, found: MemoryObjectSendStream[Work]) -> None:
        run = self._run
        async with found:
            while verdicts := await anyio.to_thread.run_sync(self._judged, run.entries):
                for verdict in verdicts:
                    await self._settle(verdict, found)

    def _judged(self, entries: Iterator[Seen]) -> list[Verdict]:
        try:
            return [self._run.changes.judge(seen) for seen in islice(entries, _SCANNED)]
        except FileNotFoundError:
            return []  # the path itself is gone: all that was known below it has vanished
        except OSError as error:
            raise Unavailable(
                f"{printable(self._run.path)} cannot be read ({error.strerror or error}). Nothing was removed from the library."
            ) from error

    async def _settle(self, verdict: Verdict, found: MemoryObjectSendStream[Work]) -> None:
        run, work, refusal = self._run, verdict.work, verdict.refusal
        if verdict.action == "read":
            run.meter.found(work.stamp.size)
            await found.send(work)
        elif verdict.action == "move" and verdict.moved_from is not None:
            await self._move(verdict.moved_from, work, found)
        elif refusal is not None:
            if verdict.action == "refuse":
                async with self._deciding:
                    await run.books.refuse(work.stamp, work.root.path, refusal.state, refusal.reason, work.known)
            run.meter.settled("failed" if refusal.state is DocumentState.FAILED else "skipped")
        elif work.known is not None:
            run.meter.settled(_unchanged(work.known.state))

    async def _move(self, row: KnownFile, work: Work, found: MemoryObjectSendStream[Work]) -> None:
        """Follow a file to its new path; where another run was faster, it is read like any other."""
        try:
            async with self._deciding:
                await self._run.books.move(row, work.stamp, work.root.path)
        except NotFound:
            self._run.meter.found(work.stamp.size)
            await found.send(work)
        else:
            self._run.changes.moved(row)
            self._run.meter.settled("unchanged")

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    async def _read(self, found: MemoryObjectReceiveStream[Work], prepared: MemoryObjectSendStream[Prepared]) -> None:
        async with found, prepared:
            async for work in found:
                self._run.meter.started(work.stamp.path)
                document = await self._prepared(work)
                if document is not None:
                    self._run.open[id(document)] = document
                    await self._budget.take(document.characters)
                    await prepared.send(document)

    async def _prepared(self, work: Work) -> Prepared | None:
        """The document ready to be embedded; None where its content is known already or the file cannot be indexed."""
        digest = ""
        try:
            if self._run.changes.may_be_known(work) and await self._is_known(work, await _hash(work)):
                return None
            extraction = await self._reader.extract(Path(work.stamp.path))
            if await self._is_known(work, extraction.content_hash, claim=True):
                return None
            digest = extraction.content_hash
            if extraction.graph_error:
                _log.warning("The knowledge graph leaves out %s: %s", printable(work.stamp.path), extraction.graph_error)
            return await self._chunked(work, extraction)
        except Exception as error:  # noqa: BLE001  (one file must not end the run; the cause is in ledger and log)
            await self._fail(work, error, digest)
            return None

    async def _chunked(self, work: Work, extraction: Extraction) -> Prepared:
        title = extraction.profile.title or Path(work.stamp.path).stem
        chunks = await anyio.to_thread.run_sync(chunk, extraction.document, title, self._settings.limits, self._embedder.token_spans)
        if not chunks:
            raise Empty("There is no text in this file besides running heads and page numbers.")
        extraction = await self._run.enriching.enrich(extraction, chunks, title)
        tokens = TokenSpool(len(chunks), self._settings.home) if self._run.books.stores.tokens is not None else None
        return Prepared(work, extraction, chunks, np.empty((len(chunks), self._embedder.dimension), np.float16), tokens)

    async def _is_known(self, work: Work, digest: str, *, claim: bool = False) -> bool:
        """Whether the content is in the library or on its way already; the path is then noted with it.

        With `claim` the caller goes on to index the content if it is not; other files of the same content wait for that.
        """
        run, key = self._run, (work.root.collection, digest)
        if run.changes.is_same(work, digest) and work.known is not None:
            await run.books.touch(work.stamp, work.known)
            run.meter.finished("unchanged", work.stamp.size)
            return True
        if key in run.twins:
            run.twins[key].append(work)
            return True
        if claim:
            run.twins[key] = []
        async with self._deciding:
            document_id = await run.books.stores.writer.find_by_hash(run.tenant, digest, work.root.collection)
            if document_id is None or not run.changes.is_fresh(document_id):
                return False
            await self._attach([work, *run.twins.pop(key, [])], document_id)
            return True

    async def _attach(self, works: list[Work], document_id: str) -> None:
        run = self._run
        for work in works:
            try:
                await run.books.attach(work.stamp, work.root.path, document_id, run.changes.version, work.known)
            except NotFound as error:  # a person deleted the document this very moment
                await self._refuse([work], error, "")
            else:
                run.meter.finished("indexed", work.stamp.size)

    async def _fail(self, work: Work, error: Exception, digest: str) -> None:
        """A ledger line for a file that could not be indexed, and for those that wait for its content. Raises what ends the run."""
        if run_ends(error):
            raise error
        waiting = self._run.twins.pop((work.root.collection, digest), []) if digest else []
        async with self._deciding:
            await self._refuse([work, *waiting], error, digest)

    async def _refuse(self, works: list[Work], error: Exception, digest: str) -> None:
        for work in works:
            state, reason = ledger_entry(error, work.stamp.path, digest)
            await self._run.books.refuse(work.stamp, work.root.path, state, reason, work.known)
            self._run.meter.finished("skipped" if state is DocumentState.SKIPPED else "failed", work.stamp.size)

    # -- embedding and writing -------------------------------------------------------------------------------------------------------

    def _embedded(self, document: Prepared, chunks: int) -> None:
        self._run.meter.embedded(chunks, document.work.stamp.size * chunks // len(document.chunks))

    async def _write(self, finished: MemoryObjectReceiveStream[Prepared]) -> None:
        """Store finished documents until there are no more; the index follows every `commit_every_seconds`."""
        due = anyio.current_time() + self._settings.commit_every_seconds
        async with finished:
            while True:
                document = None
                try:
                    with anyio.move_on_at(due):
                        document = await finished.receive()
                except anyio.EndOfStream:
                    break
                with anyio.CancelScope(shield=True):
                    if document is not None:
                        await self._store(document)
                    if anyio.current_time() >= due:
                        await self._run.books.flush()
                        due = anyio.current_time() + self._settings.commit_every_seconds
        with anyio.CancelScope(shield=True):
            await self._run.books.flush()

    async def _store(self, document: Prepared) -> None:
        run, work, extraction = self._run, document.work, document.extraction
        try:
            tables = await anyio.to_thread.run_sync(typed_tables, extraction.document)
            async with self._deciding:
                if await self._was_overtaken(document):
                    return
                written = await run.books.write(self._new(document, tables), document.tokens, work.known)
                run.changes.fresh.add(written.document_id)
                outcome: Outcome = "partial" if extraction.document.warnings else "indexed"
                run.meter.finished(outcome, work.stamp.size % len(document.chunks))
                await self._attach(run.twins.pop((work.root.collection, extraction.content_hash), []), written.document_id)
        except Exception as error:  # noqa: BLE001  (as for reading: a line in the ledger, unless the run ends)
            await self._fail(work, error, extraction.content_hash)
        finally:
            document.close()
            del run.open[id(document)]
            await self._budget.give_back(document.characters)

    async def _was_overtaken(self, document: Prepared) -> bool:
        """Whether another run stored the same content meanwhile: then the path is noted with that. Called while deciding."""
        run, work, digest = self._run, document.work, document.extraction.content_hash
        stored = await run.books.stores.writer.find_by_hash(run.tenant, digest, work.root.collection)
        if stored is None or not run.changes.is_fresh(stored):
            return False
        await self._attach([work, *run.twins.pop((work.root.collection, digest), [])], stored)
        return True

    def _new(self, document: Prepared, tables: tuple[TypedTable, ...]) -> NewDocument:
        work, extraction = document.work, document.extraction
        return NewDocument(
            stamp=work.stamp,
            root=work.root.path,
            collection=work.root.collection,
            content_hash=extraction.content_hash,
            file_type=Path(work.stamp.path).suffix.lower(),
            document=extraction.document,
            profile=extraction.profile,
            chunks=document.chunks,
            vectors=document.vectors,
            embedder=self._embedder.name,
            settings_version=self._run.changes.version,
            graph=extraction.graph,
            tables=tables,
        )

    # -- the end ---------------------------------------------------------------------------------------------------------------------

    async def _finish(self) -> None:
        """Remove what vanished, unless a whole root seems to be gone, and note that the root was indexed."""
        run = self._run
        gone = run.changes.vanished()
        is_root = run.path in {root.path for root in run.changes.roots}
        gone, run.missing = await separate(run.changes, gone, run.survey)
        run.notes += run.missing.values()
        if gone:
            run.meter.removed(len((await run.books.remove(gone)).files))
        await run.books.flush()
        if is_root and run.path not in run.missing:
            await run.books.stores.writer.root_indexed(run.tenant, run.path)


async def _hash(work: Work) -> str:
    return await anyio.to_thread.run_sync(content_hash, Path(work.stamp.path))


def _unchanged(state: DocumentState) -> Outcome:
    if state in ASKABLE:
        return "unchanged"
    return "skipped" if state is DocumentState.SKIPPED else "failed"
