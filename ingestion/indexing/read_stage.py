"""The reading stage: files, and what lies in them, become documents that are ready to be embedded, or lines in the ledger."""

from __future__ import annotations

import logging
import os
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import numpy as np
from anyio.streams.memory import MemoryObjectSendStream

from core import errors
from core.documents import DocumentState
from core.errors import Empty, NeedsRecognition, NotFound, NothingSeen, Vanished, VantageError
from core.ports import Embedder, LedgerReason
from ingestion.chunking.chunker import chunk_document
from ingestion.indexing.archive_members import (
    EXCLUDED,
    NEEDS_DESCRIPTION,
    NEEDS_RECOGNITION,
    RECOGNITION_OFF,
    ContainerReading,
    KnownMembers,
    SlowSteps,
    is_excluded,
)
from ingestion.indexing.concurrency import ByteBudget
from ingestion.indexing.embed_stage import PreparedDocument, TokenSpool, weight_of
from ingestion.indexing.failure_reasons import ledger_entry, run_ends
from ingestion.indexing.image_captioner import waiting_sentence
from ingestion.indexing.indexing_run import FileReader, IndexingRun, StageSettings
from ingestion.scan.paths import printable_path
from ingestion.scan.sync_plan import ASKABLE, FileTask, hash_file, seconds_until_readable
from ingestion.workers.worker_protocol import MEMBER_SEPARATOR, Demand, Extraction, Failure, MemberRead

_log = logging.getLogger(__name__)
_WINDOWS = 16  # windows of text that are on their way at a time
_BYTES = 10  # of a token, about: its text, and what is known of it
_RECOGNITION_OFF_HINT = "Text recognition is switched off (ingestion.ocr.enabled); switch it on and index again."
_EXCLUSION_HINT = "A person took it out of the library. End the exclusion to have it read again."
PreparedStream = MemoryObjectSendStream[PreparedDocument]


class ReadStage:
    """Reads one file after another for a run; several calls may go on at the same time."""

    def __init__(self, run: IndexingRun, reader: FileReader, embedder: Embedder, settings: StageSettings) -> None:
        self._run, self._reader, self._embedder, self._settings = run, reader, embedder, settings
        self._budget = ByteBudget(_WINDOWS * settings.window * settings.limits.tokens * _BYTES)
        self._decision_lock = run.index_writer.stores.decision_lock
        self.members = KnownMembers(run.plan)
        self._members_in_flight: Counter[str] = Counter()  # members that are not stored yet, by the file on disk that they lie in
        self._stored = anyio.Condition()
        self._paths_to_reread: set[str] = set()  # paths that this run comes back to

    async def read_file(self, work: FileTask, prepared: PreparedStream) -> None:
        """Read a file and send on what is to be embedded. Raises what ends the run; any other error becomes a line in the ledger."""
        self._run.meter.show_file(work.stamp.path)
        digest = ""
        await anyio.sleep(seconds_until_readable(work.stamp))
        try:
            if work.only_members is not None:
                await self._read_members(work, prepared)
                return
            if self._may_be_known(work) and await self._attach_if_known(work, await _hash(work)):
                await self._read_due_members(work, prepared)
                return
            extraction = await self._read_document(work, prepared)
            digest = extraction.content_hash
            await self._wait_for_members(work)
            await self._prepare_document(work, extraction, prepared)
        except Exception as error:  # noqa: BLE001  (one file must not end the run; the cause is in ledger and log)
            await self.record_failure(work, error, digest)

    def _may_be_known(self, work: FileTask) -> bool:
        """Return whether hashing the file first can spare reading it.

        A file that another run was at is opened where it holds members: they may be of another version than the file's own line.
        """
        if work.recognize or not self._run.plan.may_be_known(work):
            return False
        return work.stamp.path not in self._run.plan.thorough_paths or not self.members.rows_in(work.stamp.path)

    async def _wait_for_members(self, work: FileTask) -> None:
        """Wait until all members of a file are stored. Its own line says that it was read, so it comes last, should the run be cut short."""
        async with self._stored:
            while self._members_in_flight[work.stamp.path]:
                await self._stored.wait()

    async def mark_settled(self, work: FileTask) -> None:
        """Count a member as done: stored, attached to a document of the same content, or recorded in the ledger."""
        if work.container is None:
            return
        async with self._stored:
            self._members_in_flight[work.container.stamp.path] -= 1
            self._stored.notify_all()

    async def release_document(self, document: PreparedDocument) -> None:
        """Release a document that is through, and its share of the budget."""
        document.close()
        del self._run.open_documents[id(document)]
        await self._budget.release(document.weight)

    # -- what lies in a file ---------------------------------------------------------------------------------------------------------

    async def _read_document(self, work: FileTask, prepared: PreparedStream) -> Extraction:
        """Read the file's own document, after its members were indexed and those that it lost were removed."""
        container = ContainerReading(work, self.members.rows_in(work.stamp.path))
        demand = self._demand(work, self.members.current_hashes(work))
        taking, telling = partial(self._take_member, container, prepared), partial(self._report_progress, work)
        extraction = await self._reader.extract(Path(work.stamp.path), demand, on_member=taking, on_progress=telling)
        await self._settle_members(container, all_met=extraction.complete)
        return extraction

    async def _read_due_members(self, work: FileTask, prepared: PreparedStream) -> None:
        """Read the members of an unchanged file that must be read all the same."""
        run = self._run
        due = self.members.find_due(work, run.excluded_paths, password=bool(run.password), slow=await self.slow_steps())
        for inner in due.read_later:
            run.meter.count_found(0)
            run.wait_for_recognition(work, inner)
        if due.read_now:
            await self._read_members(replace(work, only_members=due.read_now), prepared)

    async def _read_members(self, work: FileTask, prepared: PreparedStream) -> None:
        container = ContainerReading(work, self.members.rows_in(work.stamp.path))
        taking, telling = partial(self._take_member, container, prepared), partial(self._report_progress, work)
        try:
            await self._reader.read_members(Path(work.stamp.path), self._demand(work, {}), taking, telling)
        except errors.ExtractionError as error:
            await self._fail_members(container, error)
            return
        await self._settle_members(container, all_met=True)

    def _demand(self, work: FileTask, known: dict[str, str]) -> Demand:
        recognize = work.recognize and self._settings.recognize
        return Demand(self._run.password, recognize, work.only_members, known, ignore=self._settings.ignore, urgent=self._run.is_brief)

    async def _take_member(self, container: ContainerReading, prepared: PreparedStream, read: MemberRead) -> None:
        work, outcome = container.record_member(read), read.outcome
        if outcome is None:
            return  # counted with all that is unchanged
        self._members_in_flight[container.work.stamp.path] += 1
        if not work.recognize:  # what waited for recognition was counted when it was found
            self._run.meter.count_found(work.stamp.size)
        if is_excluded(work.stamp.path, self._run.excluded_paths):
            await self._record_reason(work, DocumentState.SKIPPED, LedgerReason(_EXCLUSION_HINT, EXCLUDED))
            return
        if isinstance(outcome, Failure) and outcome.ignored:
            await self._record_reason(work, DocumentState.SKIPPED, LedgerReason(outcome.message, "ignored"))
            return
        try:
            if isinstance(outcome, Failure):
                raise _make_error(outcome)
            await self._prepare_document(work, outcome, prepared)
        except Exception as error:  # noqa: BLE001  (as for files)
            # What could not be read was not claimed: others of the same content may be on their way.
            await self.record_failure(work, error, "" if isinstance(outcome, Failure) else read.content_hash)

    async def _settle_members(self, container: ContainerReading, *, all_met: bool) -> None:
        """Count the unchanged members, and remove those that are gone."""
        run, unchanged = self._run, container.unchanged_rows()
        for row in unchanged:
            run.meter.count_settled("skipped" if row.state is DocumentState.SKIPPED else "unchanged")
        mtime = container.work.stamp.mtime_ns
        gone = container.vanished_paths() if all_met else []
        stay = {row.stamp.path: row.stamp for row in (*unchanged, *container.unseen_rows(gone)) if row.stamp.mtime_ns != mtime}
        await run.index_writer.touch_all([replace(stamp, mtime_ns=mtime) for stamp in stay.values()])
        if gone:
            async with self._decision_lock:
                run.meter.count_removed(len((await run.index_writer.remove(gone)).files))

    async def _fail_members(self, container: ContainerReading, error: Exception) -> None:
        """Record an error for each member that was asked for, where the file that holds them cannot be opened."""
        if run_ends(error):
            raise error
        for inner in sorted((container.work.only_members or frozenset()) - container.met_members):
            row = container.rows.get(inner)
            if row is not None:
                await self.record_failure(FileTask(row.stamp, container.work.root, row, recognize=container.work.recognize), error, row.content_hash)

    def _report_progress(self, work: FileTask, inner: str, done: int, of: int) -> None:
        path = f"{work.stamp.path}{MEMBER_SEPARATOR}{inner}" if inner else work.stamp.path
        self._run.meter.show_pages(path, done, of)

    # -- one document ----------------------------------------------------------------------------------------------------------------

    async def _prepare_document(self, work: FileTask, extraction: Extraction, prepared: PreparedStream) -> None:
        if await self._attach_if_known(work, extraction.content_hash, claim=True):
            return
        if extraction.document.unread_pages and self._was_recognized(work, extraction.content_hash):
            raise NeedsRecognition("Pages of it are pictures.")  # until these are read again, what is known of them stays
        if extraction.graph_error:
            _log.warning("The knowledge graph leaves out %s: %s", printable_path(work.stamp.path), extraction.graph_error)
        extraction = await self._note_waiting_pictures(work, self._note_waiting_pages(work, extraction))
        weight = weight_of(extraction)
        await self._budget.reserve(weight)
        try:
            document = await self._chunk_document(work, extraction)
        except BaseException:
            await self._budget.release(weight)
            raise
        self._run.open_documents[id(document)] = document
        await prepared.send(document)

    def _was_recognized(self, work: FileTask, digest: str) -> bool:
        """Return whether the library has this very content with all its pages, and this run reads it without text recognition."""
        row = work.ledger_row
        return row is not None and not work.recognize and _was_read(work, digest) and row.code not in {NEEDS_RECOGNITION, RECOGNITION_OFF}

    def _note_waiting_pages(self, work: FileTask, extraction: Extraction) -> Extraction:
        """Note pages that only recognition can read: the rest is indexed now, they come at the end of the run."""
        pages = len(extraction.document.unread_pages)
        if not pages or work.recognize:
            return extraction
        said = f"{pages:,} page waits" if pages == 1 else f"{pages:,} pages wait"
        if self._settings.recognize:
            sentence = f"{said} for text recognition."
            self._read_again_later(work)
        else:
            sentence = f"{pages:,} {'page is a picture' if pages == 1 else 'pages are pictures'}. {_RECOGNITION_OFF_HINT}"
        warnings = tuple(warning for warning in extraction.document.warnings if "scanned?" not in warning)
        return replace(extraction, document=replace(extraction.document, warnings=(*warnings, sentence)))

    async def _note_waiting_pictures(self, work: FileTask, extraction: Extraction) -> Extraction:
        """Note pictures that a model has not described: they come at the end of the run if it is there, else once it is."""
        document, seeing = extraction.document, self._run.enrichment.captioner
        if seeing.describer is None or not document.figures or any(figure.data for figure in document.figures):
            return extraction
        there, why = await seeing.check_availability()
        if there:
            self._read_again_later(work)
        else:
            seeing.count_missed(len(document.figures), why)
        sentence = waiting_sentence(document.figures, seeing.describer.name, "" if there else why)
        return replace(extraction, document=replace(document, warnings=(*document.warnings, sentence)))

    async def slow_steps(self) -> SlowSteps:
        """Return which slow steps can be done at the end of this run."""
        describe, _ = await self._run.enrichment.captioner.check_availability()
        return SlowSteps(self._settings.recognize, describe)

    def ledger_code(self, work: FileTask, extraction: Extraction) -> str:
        """Return the ledger's code for a document of which pages or pictures wait, "" for a complete one."""
        if extraction.document.unread_pages and not work.recognize:
            return NEEDS_RECOGNITION if self._settings.recognize else RECOGNITION_OFF
        return NEEDS_DESCRIPTION if extraction.document.figures else ""

    def will_reread(self, work: FileTask) -> bool:
        """Return whether the run reads this file once more, with all the time that it takes."""
        return work.stamp.path in self._paths_to_reread and not work.recognize

    def _read_again_later(self, work: FileTask) -> None:
        """Come back to this file when all others are done."""
        self._paths_to_reread.add(work.stamp.path)
        if work.container is None:
            self._run.wait_for_recognition(work)
        else:
            self._run.wait_for_recognition(work.container, work.stamp.path[len(work.container.stamp.path) + len(MEMBER_SEPARATOR) :])

    async def _chunk_document(self, work: FileTask, extraction: Extraction) -> PreparedDocument:
        title = extraction.profile.title or Path(work.stamp.path).stem
        extraction = await self._run.enrichment.captioner.caption_pictures(extraction, title)
        chunks = await anyio.to_thread.run_sync(chunk_document, extraction.document, title, self._settings.limits, self._embedder.token_spans)
        if not chunks:
            raise Empty("There is no text in this file besides running heads and page numbers.")
        extraction = await self._run.enrichment.enrich(extraction, chunks, title)
        tokens = TokenSpool(len(chunks), self._settings.home) if self._run.index_writer.stores.tokens is not None else None
        return PreparedDocument(work, extraction, chunks, np.empty((len(chunks), self._embedder.dimension), np.float16), tokens)

    # -- known content, and what cannot be read --------------------------------------------------------------------------------------

    async def _attach_if_known(self, work: FileTask, digest: str, *, claim: bool = False) -> bool:
        """Attach the path to the document that has this content, if that is stored or on its way; return whether it is.

        With `claim` the caller goes on to index the content if it is not; other files of the same content wait for that.
        """
        run, key = self._run, (work.root.collection, digest)
        if not work.recognize and work.ledger_row is not None and run.plan.is_same(work, digest):
            await run.index_writer.touch(work.stamp, work.ledger_row)
            if (await self.slow_steps()).helps(work.ledger_row):
                self._read_again_later(work)
                run.meter.count_postponed(work.stamp.size)
            else:
                run.meter.count_finished("unchanged", work.stamp.size)
            await self.mark_settled(work)
            return True
        if key in run.duplicates:
            run.duplicates[key].append(work)
            return True
        if claim:
            run.duplicates[key] = []
        async with self._decision_lock:
            return await self.attach_to_known(work, digest)

    async def attach_to_known(self, work: FileTask, digest: str) -> bool:
        """Attach the path to the document that has this content, if there is one that need not be made again. Call it holding
        `Stores.decision_lock`."""
        run = self._run
        document_id = await run.index_writer.stores.writer.find_by_hash(run.tenant, digest, work.root.collection)
        if document_id is None or not run.plan.is_fresh(document_id) or (work.recognize and document_id not in run.recognized_documents):
            return False
        await self.attach([work, *run.duplicates.pop((work.root.collection, digest), [])], document_id)
        return True

    async def attach(self, works: list[FileTask], document_id: str) -> None:
        """Attach further paths to a document. Call it holding `Stores.decision_lock`."""
        run = self._run
        for work in works:
            try:
                await run.index_writer.attach(work.stamp, work.root.path, document_id, run.plan.version, work.ledger_row)
            except NotFound as error:  # a person deleted the document this very moment
                await self._refuse([work], error, "")
            else:
                run.meter.count_finished("indexed", work.stamp.size)
                await self.mark_settled(work)

    async def record_failure(self, work: FileTask, error: Exception, digest: str) -> None:
        """Record a ledger line for a file that could not be indexed, and for those that wait for its content. Raises what ends the run."""
        if run_ends(error):
            raise error
        waiting = self._run.duplicates.pop((work.root.collection, digest), []) if digest else []
        async with self._decision_lock:
            await self._refuse([work, *waiting], error, digest)

    async def _refuse(self, works: list[FileTask], error: Exception, digest: str) -> None:
        for work in works:
            if isinstance(error, NeedsRecognition) and not work.recognize:
                await self._postpone(work, digest)
                continue
            if isinstance(error, Vanished | FileNotFoundError) and not await anyio.to_thread.run_sync(os.path.lexists, work.stamp.path):
                await self._handle_vanished(work)
                continue
            if type(error) is Empty and work.recognize and self._run.enrichment.captioner.describer is not None:
                error = NothingSeen(str(error))  # so that it is not read again at each run for its pictures
            state, reason = ledger_entry(error, work.stamp.path, digest, password_given=bool(self._run.password))
            kept = state is DocumentState.SKIPPED and _was_read(work, digest)
            await self._record_reason(work, DocumentState.FAILED if kept else state, reason)

    async def _handle_vanished(self, work: FileTask) -> None:
        """Handle a file that went between the scan of its folder and its reading: that is no failure.

        What is known of it is removed at the end of the run, with all that vanished, unless its disk seems to be missing.
        """
        self._run.plan.note_gone(work.stamp.path)
        if work.ledger_row is None:
            await self._run.index_writer.remove([work.stamp.path])  # a line that it got in this run
        self._run.meter.count_finished("skipped", work.stamp.size)
        await self.mark_settled(work)

    async def _postpone(self, work: FileTask, digest: str) -> None:
        """Handle a file whose whole text is in pictures: recognition reads it later, or the ledger says why not."""
        if not self._settings.recognize and self._was_recognized(work, digest):
            reason = LedgerReason(f"Text in it was recognized in pictures. {_RECOGNITION_OFF_HINT}", RECOGNITION_OFF, digest)
            await self._record_reason(work, DocumentState.FAILED, reason)
            return
        if not self._settings.recognize:
            await self._record_reason(
                work, DocumentState.SKIPPED, LedgerReason(f"All its text is in pictures. {_RECOGNITION_OFF_HINT}", RECOGNITION_OFF, digest)
            )
            return
        reason = LedgerReason("It waits for text recognition.", NEEDS_RECOGNITION, digest)
        await self._run.index_writer.record_refusal(work.stamp, work.root.path, DocumentState.QUEUED, reason, work.ledger_row)
        self._run.meter.count_postponed(work.stamp.size)
        self._read_again_later(work)
        await self.mark_settled(work)

    async def _record_reason(self, work: FileTask, state: DocumentState, reason: LedgerReason) -> None:
        reason = replace(reason, settings_version=self._run.plan.version)
        await self._run.index_writer.record_refusal(work.stamp, work.root.path, state, reason, work.ledger_row)
        self._run.meter.count_finished("skipped" if state is DocumentState.SKIPPED else "failed", work.stamp.size)
        await self.mark_settled(work)


def _was_read(work: FileTask, digest: str) -> bool:
    """Return whether the library has the text of this very file: what a later reading no longer finds does not take that away."""
    row = work.ledger_row
    return row is not None and row.state in ASKABLE and row.document_id is not None and (row.stamp == work.stamp or digest == row.content_hash)


async def _hash(work: FileTask) -> str:
    return await anyio.to_thread.run_sync(hash_file, Path(work.stamp.path))


def _make_error(failure: Failure) -> VantageError:
    kind: type[VantageError] = getattr(errors, failure.error)
    return kind(failure.message)
