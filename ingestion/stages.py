"""The stages of one indexing run: scan, read, chunk, embed and write overlap, with bounded queues between them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from core.documents import DocumentState
from core.errors import NotFound, Unavailable, VantageError
from core.ports import Embedder, KnownFile, NewDocument
from core.references import title_from_name
from ingestion.allocator import give_back
from ingestion.changes import ASKABLE, Verdict, Work
from ingestion.concurrency import first_error, stopped_by
from ingestion.doc_types import types_in_name
from ingestion.embedding import Embedding, Prepared
from ingestion.holding import Members
from ingestion.intake import Intake
from ingestion.missing import separate
from ingestion.paths import printable
from ingestion.progress import Outcome, Summary
from ingestion.protocol import Extraction
from ingestion.run import Reader, Run, StageSettings
from ingestion.scanner import Seen

__all__ = ["Reader", "Run", "StageSettings", "Stages"]

_log = logging.getLogger(__name__)
_SCANNED = 128  # entries that one visit to the scanning thread brings
_REPLACED = 0.1  # seconds after which the index follows where an older version was replaced: until then questions find neither
_LARGE = 4 << 20  # bytes of a document after which free memory is given back at once


class Stages:
    """Runs the stages of one indexing run over what it scans."""

    def __init__(self, run: Run, reader: Reader, embedder: Embedder, settings: StageSettings) -> None:
        self._run, self._reader, self._embedder, self._settings = run, reader, embedder, settings
        self._intake = Intake(run, reader, embedder, settings)
        self._deciding = run.books.stores.deciding

    async def execute(self, cancelled: anyio.Event) -> Summary:
        """Scan, read, embed and write until everything is stored or `cancelled` is set; then remove what vanished and recognise what waited.

        Raises what ends the run; what was finished before is stored.
        """
        started = time.monotonic()
        try:
            await self._overlap(self._scan, cancelled)
            if not cancelled.is_set():
                await self._finish()
            if self._run.later and not self._run.brief and not cancelled.is_set():
                await self._overlap(self._again, cancelled)
        except BaseExceptionGroup as group:
            await self._save_what_is_done()
            raise first_error(group) from group
        finally:
            for document in self._run.open.values():
                document.close()
        run = self._run
        if not run.brief:
            await anyio.to_thread.run_sync(give_back)
        notes = (*run.notes, *run.enriching.notes())
        waiting = tuple(sorted(run.later)) if run.brief else ()
        return Summary(run.meter.state, time.monotonic() - started, cancelled.is_set(), notes, run.missing, tuple(run.books.followed), waiting)

    async def _overlap(self, source: Callable[[MemoryObjectSendStream[Work]], Coroutine[Any, Any, None]], cancelled: anyio.Event) -> None:
        """Run the stages over what `source` sends. `cancelled` ends those that produce; the writer still stores what is finished."""
        found_in, found = anyio.create_memory_object_stream[Work](64)
        prepared_in, prepared = anyio.create_memory_object_stream[Prepared](float("inf"))  # bounded by the budget
        finished_in, finished = anyio.create_memory_object_stream[Prepared](float("inf"))
        embedding = Embedding(self._embedder, self._settings.window, self._settings.slice_size, self._embedded)
        async with anyio.create_task_group() as group:
            group.start_soon(self._write, finished)
            async with finished_in, stopped_by(cancelled) as producers:
                producers.start_soon(embedding.run, prepared, finished_in.clone())
                producers.start_soon(source, found_in)
                for _ in range(self._reader.size + 1):
                    producers.start_soon(self._read, found.clone(), prepared_in.clone())
                found.close()
                prepared_in.close()

    async def _save_what_is_done(self) -> None:
        """Commit what was written before the run failed. Should this fail too, the next run or start makes it good."""
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
        """Act on the decision about one entry: read it, follow its move, record its refusal, or leave it."""
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
            await self._keep(work, work.known, found)

    async def _keep(self, work: Work, row: KnownFile, found: MemoryObjectSendStream[Work]) -> None:
        """Count an unchanged file, and read it, or members of it, all the same where recognition or a password may bring more."""
        run, slow, password = self._run, await self._intake.slow(), bool(self._run.password)
        if run.only is not None:
            await found.send(replace(work, only=run.only))
            return
        if password and row.code == "encrypted":
            run.meter.found(work.stamp.size)
            await found.send(work)
            return
        if slow.helps(row):
            run.meter.found(0)
            run.wait_for_recognition(work)
        else:
            run.meter.settled(_unchanged(row.state))
        due = self._intake.members.due(work, run.excluded, password=password, slow=slow)
        for inner, member in self._intake.members.of(work.stamp.path).items():
            if inner in due.later:
                run.meter.found(0)
                run.wait_for_recognition(work, inner)
            elif inner not in due.now:
                run.meter.settled(_unchanged(member.state))
        if due.now:
            await found.send(replace(work, only=due.now))

    async def _move(self, row: KnownFile, work: Work, found: MemoryObjectSendStream[Work]) -> None:
        """Move a file's document to its new path; where another run was faster, read it like any other file.

        A document whose title or type comes from the file's name is read again when that name changes.
        """
        run, again = self._run, await self._depends_on_name(row, work.stamp.path)
        try:
            async with self._deciding:
                await run.books.move(row, work.stamp, work.root.path, again=again)
        except NotFound:
            run.meter.found(work.stamp.size)
            await found.send(work)
            return
        run.changes.moved(row)
        if again:
            run.meter.found(work.stamp.size)
            await found.send(run.changes.renamed(work, row))
        else:
            run.meter.settled("unchanged")

    async def _depends_on_name(self, row: KnownFile, path: str) -> bool:
        if row.document_id is None or Path(path).stem == Path(row.stamp.path).stem:
            return False
        old = Path(row.stamp.path).name
        if types_in_name(old) != types_in_name(Path(path).name):
            return True
        known = await self._run.books.stores.library.documents(self._run.tenant, [row.document_id])
        return row.document_id in known and known[row.document_id].title == title_from_name(old)

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    async def _read(self, found: MemoryObjectReceiveStream[Work], prepared: MemoryObjectSendStream[Prepared]) -> None:
        async with found, prepared:
            async for work in found:
                await self._intake.take(work, prepared)

    async def _again(self, found: MemoryObjectSendStream[Work]) -> None:
        """Send the files that waited for recognition, with their ledger rows as they are now."""
        run = self._run
        works = sorted(run.later.values(), key=lambda work: work.stamp.size)
        rows = await run.books.stores.writer.known_below(run.tenant, [work.stamp.path for work in works])
        run.changes.known.update(rows)
        self._intake.members = Members(run.changes)
        async with found:
            for work in works:
                await found.send(replace(work, known=rows.get(work.stamp.path)))

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
                    if document is not None and await self._store(document):
                        due = min(due, anyio.current_time() + _REPLACED)
                    if anyio.current_time() >= due:
                        await self._run.books.flush()
                        due = anyio.current_time() + self._settings.commit_every_seconds
        with anyio.CancelScope(shield=True):
            await self._run.books.flush()

    async def _store(self, document: Prepared) -> bool:
        """Store one document. Return whether it replaced an older version."""
        run, work, extraction = self._run, document.work, document.extraction
        replaced = False
        try:
            async with self._deciding:
                if await self._intake.attach_to_known(work, extraction.content_hash):  # another run stored the same content meanwhile
                    return False
                written = await run.books.write(self._new(document), document.tokens, work.known)
                replaced = bool(written.replaced_chunks)
                run.changes.fresh.add(written.document_id)
                self._count(work, extraction, work.stamp.size % len(document.chunks))
                await self._intake.settled(work)
                if work.recognize:
                    run.recognized.add(written.document_id)
                await self._intake.attach(run.twins.pop((work.root.collection, extraction.content_hash), []), written.document_id)
        except Exception as error:  # noqa: BLE001  (as for reading: a line in the ledger, unless the run ends)
            await self._intake.fail(work, error, extraction.content_hash)
        finally:
            await self._intake.done(document)
            if document.weight > _LARGE:
                await anyio.to_thread.run_sync(give_back)
        return replaced

    def _count(self, work: Work, extraction: Extraction, size: int) -> None:
        """Count a stored document; one whose pages or pictures wait is not through yet."""
        if self._intake.comes_back(work):
            self._run.meter.postponed(size)
        else:
            self._run.meter.finished("partial" if extraction.document.warnings else "indexed", size)

    def _new(self, document: Prepared) -> NewDocument:
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
            larger=document.larger,
            vectors=document.vectors,
            embedder=self._embedder.name,
            settings_version=self._run.changes.version,
            graph=extraction.graph,
            container=work.stamp.container,
            code=self._intake.code(work, extraction),
            tables=extraction.tables,
        )

    # -- the end ---------------------------------------------------------------------------------------------------------------------

    async def _finish(self) -> None:
        """Remove what vanished, unless a whole root seems to be unmounted, and note that the root was indexed."""
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


def _unchanged(state: DocumentState) -> Outcome:
    if state in ASKABLE:
        return "unchanged"
    return "skipped" if state is DocumentState.SKIPPED else "failed"
