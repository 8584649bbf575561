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
from ingestion.enrichment.doc_types import types_in_name
from ingestion.indexing.archive_members import KnownMembers
from ingestion.indexing.concurrency import first_error, task_group_until
from ingestion.indexing.embed_stage import EmbedStage, PreparedDocument
from ingestion.indexing.indexing_run import FileReader, IndexingRun, StageSettings
from ingestion.indexing.read_stage import ReadStage
from ingestion.indexing.run_progress import FileOutcome, RunSummary
from ingestion.scan.paths import printable_path
from ingestion.scan.scanner import ScannedEntry
from ingestion.scan.sync_plan import ASKABLE, FileTask, SyncDecision
from ingestion.scan.unmounted_roots import separate_unmounted
from ingestion.workers.malloc_tuning import trim_heap
from ingestion.workers.worker_protocol import Extraction

__all__ = ["FileReader", "IndexingPipeline", "IndexingRun", "StageSettings"]

_log = logging.getLogger(__name__)
_SCAN_BATCH = 128  # entries that one visit to the scanning thread brings
_REPLACED_COMMIT_SECONDS = 0.1  # seconds after which the index follows where an older version was replaced: until then questions find neither
_LARGE = 4 << 20  # bytes of a document after which free memory is given back at once


class IndexingPipeline:
    """Runs the stages of one indexing run over what it scans."""

    def __init__(self, run: IndexingRun, reader: FileReader, embedder: Embedder, settings: StageSettings) -> None:
        self._run, self._reader, self._embedder, self._settings = run, reader, embedder, settings
        self._read_stage = ReadStage(run, reader, embedder, settings)
        self._decision_lock = run.index_writer.stores.decision_lock

    async def execute(self, cancelled: anyio.Event) -> RunSummary:
        """Scan, read, embed and write until everything is stored or `cancelled` is set; then remove what vanished and recognise what waited.

        Raises what ends the run; what was finished before is stored.
        """
        started = time.monotonic()
        try:
            await self._run_stages(self._scan, cancelled)
            if not cancelled.is_set():
                await self._finish()
            if self._run.recognition_tasks and not self._run.is_brief and not cancelled.is_set():
                await self._run_stages(self._send_postponed, cancelled)
        except BaseExceptionGroup as group:
            await self._save_what_is_done()
            raise first_error(group) from group
        finally:
            for document in self._run.open_documents.values():
                document.close()
        run = self._run
        if not run.is_brief:
            await anyio.to_thread.run_sync(trim_heap)
        notes = (*run.notes, *run.enrichment.notes())
        waiting = tuple(sorted(run.recognition_tasks)) if run.is_brief else ()
        return RunSummary(
            run.meter.state, time.monotonic() - started, cancelled.is_set(), notes, run.missing_roots, tuple(run.index_writer.recent_changes), waiting
        )

    async def _run_stages(self, source: Callable[[MemoryObjectSendStream[FileTask]], Coroutine[Any, Any, None]], cancelled: anyio.Event) -> None:
        """Run the stages over what `source` sends. `cancelled` ends those that produce; the writer still stores what is finished."""
        found_in, found = anyio.create_memory_object_stream[FileTask](64)
        prepared_in, prepared = anyio.create_memory_object_stream[PreparedDocument](float("inf"))  # bounded by the budget
        finished_in, finished = anyio.create_memory_object_stream[PreparedDocument](float("inf"))
        embedding = EmbedStage(self._embedder, self._settings.window, self._settings.slice_size, self._count_embedded)
        async with anyio.create_task_group() as group:
            group.start_soon(self._write, finished)
            async with finished_in, task_group_until(cancelled) as producers:
                producers.start_soon(embedding.run, prepared, finished_in.clone())
                producers.start_soon(source, found_in)
                for _ in range(self._reader.size + 1):
                    producers.start_soon(self._read_files, found.clone(), prepared_in.clone())
                found.close()
                prepared_in.close()

    async def _save_what_is_done(self) -> None:
        """Commit what was written before the run failed. Should this fail too, the next run or start makes it good."""
        try:
            with anyio.CancelScope(shield=True):
                await self._run.index_writer.flush()
        except VantageError as error:
            _log.warning("The search index could not be brought up to date: %s", error)

    # -- scanning --------------------------------------------------------------------------------------------------------------------

    async def _scan(self, found: MemoryObjectSendStream[FileTask]) -> None:
        run = self._run
        async with found:
            while verdicts := await anyio.to_thread.run_sync(self._decide_batch, run.entries):
                for verdict in verdicts:
                    await self._apply_decision(verdict, found)

    def _decide_batch(self, entries: Iterator[ScannedEntry]) -> list[SyncDecision]:
        try:
            return [self._run.plan.decide(seen) for seen in islice(entries, _SCAN_BATCH)]
        except FileNotFoundError:
            return []  # the path itself is gone: all that was known below it has vanished
        except OSError as error:
            raise Unavailable(
                f"{printable_path(self._run.path)} cannot be read ({error.strerror or error}). Nothing was removed from the library."
            ) from error

    async def _apply_decision(self, verdict: SyncDecision, found: MemoryObjectSendStream[FileTask]) -> None:
        """Act on the decision about one entry: read it, follow its move, record its refusal, or leave it."""
        run, work, refusal = self._run, verdict.task, verdict.refusal
        if verdict.action == "read":
            run.meter.count_found(work.stamp.size)
            await found.send(work)
        elif verdict.action == "move" and verdict.moved_from is not None:
            await self._move(verdict.moved_from, work, found)
        elif refusal is not None:
            if verdict.action == "refuse":
                async with self._decision_lock:
                    await run.index_writer.record_refusal(work.stamp, work.root.path, refusal.state, refusal.reason, work.ledger_row)
            run.meter.count_settled("failed" if refusal.state is DocumentState.FAILED else "skipped")
        elif work.ledger_row is not None:
            await self._handle_unchanged(work, work.ledger_row, found)

    async def _handle_unchanged(self, work: FileTask, row: KnownFile, found: MemoryObjectSendStream[FileTask]) -> None:
        """Count an unchanged file, and read it, or members of it, all the same where recognition or a password may bring more."""
        run, slow, password = self._run, await self._read_stage.slow_steps(), bool(self._run.password)
        if run.only_members is not None:
            await found.send(replace(work, only_members=run.only_members))
            return
        if password and row.code == "encrypted":
            run.meter.count_found(work.stamp.size)
            await found.send(work)
            return
        if slow.helps(row):
            run.meter.count_found(0)
            run.wait_for_recognition(work)
        else:
            run.meter.count_settled(_unchanged_outcome(row.state))
        due = self._read_stage.members.find_due(work, run.excluded_paths, password=password, slow=slow)
        for inner, member in self._read_stage.members.rows_in(work.stamp.path).items():
            if inner in due.read_later:
                run.meter.count_found(0)
                run.wait_for_recognition(work, inner)
            elif inner not in due.read_now:
                run.meter.count_settled(_unchanged_outcome(member.state))
        if due.read_now:
            await found.send(replace(work, only_members=due.read_now))

    async def _move(self, row: KnownFile, work: FileTask, found: MemoryObjectSendStream[FileTask]) -> None:
        """Move a file's document to its new path; where another run was faster, read it like any other file.

        A document whose title or type comes from the file's name is read again when that name changes.
        """
        run, again = self._run, await self._depends_on_name(row, work.stamp.path)
        try:
            async with self._decision_lock:
                await run.index_writer.move(row, work.stamp, work.root.path, again=again)
        except NotFound:
            run.meter.count_found(work.stamp.size)
            await found.send(work)
            return
        run.plan.note_move(row)
        if again:
            run.meter.count_found(work.stamp.size)
            await found.send(run.plan.task_after_rename(work, row))
        else:
            run.meter.count_settled("unchanged")

    async def _depends_on_name(self, row: KnownFile, path: str) -> bool:
        if row.document_id is None or Path(path).stem == Path(row.stamp.path).stem:
            return False
        old = Path(row.stamp.path).name
        if types_in_name(old) != types_in_name(Path(path).name):
            return True
        known = await self._run.index_writer.stores.library.documents(self._run.tenant, [row.document_id])
        return row.document_id in known and known[row.document_id].title == title_from_name(old)

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    async def _read_files(self, found: MemoryObjectReceiveStream[FileTask], prepared: MemoryObjectSendStream[PreparedDocument]) -> None:
        async with found, prepared:
            async for work in found:
                await self._read_stage.read_file(work, prepared)

    async def _send_postponed(self, found: MemoryObjectSendStream[FileTask]) -> None:
        """Send the files that waited for recognition, with their ledger rows as they are now."""
        run = self._run
        works = sorted(run.recognition_tasks.values(), key=lambda work: work.stamp.size)
        rows = await run.index_writer.stores.writer.known_files_below(run.tenant, [work.stamp.path for work in works])
        run.plan.known_files.update(rows)
        self._read_stage.members = KnownMembers(run.plan)
        async with found:
            for work in works:
                await found.send(replace(work, ledger_row=rows.get(work.stamp.path)))

    # -- embedding and writing -------------------------------------------------------------------------------------------------------

    def _count_embedded(self, document: PreparedDocument, chunks: int) -> None:
        self._run.meter.count_embedded(chunks, document.task.stamp.size * chunks // len(document.chunks))

    async def _write(self, finished: MemoryObjectReceiveStream[PreparedDocument]) -> None:
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
                        due = min(due, anyio.current_time() + _REPLACED_COMMIT_SECONDS)
                    if anyio.current_time() >= due:
                        await self._run.index_writer.flush()
                        due = anyio.current_time() + self._settings.commit_every_seconds
        with anyio.CancelScope(shield=True):
            await self._run.index_writer.flush()

    async def _store(self, document: PreparedDocument) -> bool:
        """Store one document. Return whether it replaced an older version."""
        run, work, extraction = self._run, document.task, document.extraction
        replaced = False
        try:
            async with self._decision_lock:
                if await self._read_stage.attach_to_known(work, extraction.content_hash):  # another run stored the same content meanwhile
                    return False
                written = await run.index_writer.write(self._make_new_document(document), document.tokens, work.ledger_row)
                replaced = bool(written.replaced_chunks)
                run.plan.fresh_documents.add(written.document_id)
                self._count(work, extraction, work.stamp.size % len(document.chunks))
                await self._read_stage.mark_settled(work)
                if work.recognize:
                    run.recognized_documents.add(written.document_id)
                await self._read_stage.attach(run.duplicates.pop((work.root.collection, extraction.content_hash), []), written.document_id)
        except Exception as error:  # noqa: BLE001  (as for reading: a line in the ledger, unless the run ends)
            await self._read_stage.record_failure(work, error, extraction.content_hash)
        finally:
            await self._read_stage.release_document(document)
            if document.weight > _LARGE:
                await anyio.to_thread.run_sync(trim_heap)
        return replaced

    def _count(self, work: FileTask, extraction: Extraction, size: int) -> None:
        """Count a stored document; one whose pages or pictures wait is not through yet."""
        if self._read_stage.will_reread(work):
            self._run.meter.count_postponed(size)
        else:
            self._run.meter.count_finished("partial" if extraction.document.warnings else "indexed", size)

    def _make_new_document(self, document: PreparedDocument) -> NewDocument:
        work, extraction = document.task, document.extraction
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
            settings_version=self._run.plan.version,
            graph=extraction.graph,
            container=work.stamp.container,
            code=self._read_stage.ledger_code(work, extraction),
            tables=extraction.tables,
        )

    # -- the end ---------------------------------------------------------------------------------------------------------------------

    async def _finish(self) -> None:
        """Remove what vanished, unless a whole root seems to be unmounted, and note that the root was indexed."""
        run = self._run
        gone = run.plan.vanished_paths()
        is_root = run.path in {root.path for root in run.plan.roots}
        gone, run.missing_roots = await separate_unmounted(run.plan, gone, run.root_probe)
        run.notes += run.missing_roots.values()
        if gone:
            run.meter.count_removed(len((await run.index_writer.remove(gone)).files))
        await run.index_writer.flush()
        if is_root and run.path not in run.missing_roots:
            await run.index_writer.stores.writer.mark_root_indexed(run.tenant, run.path)


def _unchanged_outcome(state: DocumentState) -> FileOutcome:
    if state in ASKABLE:
        return "unchanged"
    return "skipped" if state is DocumentState.SKIPPED else "failed"
