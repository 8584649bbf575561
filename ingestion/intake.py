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
from core.ports import Embedder, Reason
from ingestion.changes import ASKABLE, Work, content_hash, ripens_in
from ingestion.chunker import cut
from ingestion.concurrency import Budget
from ingestion.embedding import Prepared, TokenSpool, weight_of
from ingestion.failures import ledger_entry, run_ends
from ingestion.holding import EXCLUDED, NEEDS_DESCRIPTION, NEEDS_RECOGNITION, RECOGNITION_OFF, Holding, Members, Slow, taken_out
from ingestion.paths import printable
from ingestion.protocol import INSIDE, Demand, Extraction, Failure, MemberRead
from ingestion.run import Reader, Run, StageSettings
from ingestion.seeing import waiting_sentence

_log = logging.getLogger(__name__)
_WINDOWS = 16  # windows of text that are on their way at a time
_BYTES = 10  # of a token, about: its text, and what is known of it
_OFF = "Text recognition is switched off (ingestion.ocr.enabled); switch it on and index again."
_TAKEN_OUT = "A person took it out of the library. End the exclusion to have it read again."
Prepares = MemoryObjectSendStream[Prepared]


class Intake:
    """Reads one file after another for a run; several calls may go on at the same time."""

    def __init__(self, run: Run, reader: Reader, embedder: Embedder, settings: StageSettings) -> None:
        self._run, self._reader, self._embedder, self._settings = run, reader, embedder, settings
        self._budget = Budget(_WINDOWS * settings.window * settings.limits.tokens * _BYTES)
        self._deciding = run.books.stores.deciding
        self.members = Members(run.changes)
        self._on_their_way: Counter[str] = Counter()  # members that are not stored yet, by the file on disk that they lie in
        self._stored = anyio.Condition()
        self._returning: set[str] = set()  # paths that this run comes back to

    async def take(self, work: Work, prepared: Prepares) -> None:
        """Read a file and send on what is to be embedded. Raises what ends the run; any other error becomes a line in the ledger."""
        self._run.meter.started(work.stamp.path)
        digest = ""
        await anyio.sleep(ripens_in(work.stamp))
        try:
            if work.only is not None:
                await self._read_members(work, prepared)
                return
            if self._may_be_known(work) and await self._is_known(work, await _hash(work)):
                await self._read_due(work, prepared)
                return
            extraction = await self._read(work, prepared)
            digest = extraction.content_hash
            await self._members_stored(work)
            await self._index(work, extraction, prepared)
        except Exception as error:  # noqa: BLE001  (one file must not end the run; the cause is in ledger and log)
            await self.fail(work, error, digest)

    def _may_be_known(self, work: Work) -> bool:
        """Return whether hashing the file first can spare reading it.

        A file that another run was at is opened where it holds members: they may be of another version than the file's own line.
        """
        if work.recognize or not self._run.changes.may_be_known(work):
            return False
        return work.stamp.path not in self._run.changes.thorough or not self.members.of(work.stamp.path)

    async def _members_stored(self, work: Work) -> None:
        """Wait until all members of a file are stored. Its own line says that it was read, so it comes last, should the run be cut short."""
        async with self._stored:
            while self._on_their_way[work.stamp.path]:
                await self._stored.wait()

    async def settled(self, work: Work) -> None:
        """Count a member as done: stored, attached to a document of the same content, or recorded in the ledger."""
        if work.within is None:
            return
        async with self._stored:
            self._on_their_way[work.within.stamp.path] -= 1
            self._stored.notify_all()

    async def done(self, document: Prepared) -> None:
        """Release a document that is through, and its share of the budget."""
        document.close()
        del self._run.open[id(document)]
        await self._budget.give_back(document.weight)

    # -- what lies in a file ---------------------------------------------------------------------------------------------------------

    async def _read(self, work: Work, prepared: Prepares) -> Extraction:
        """Read the file's own document, after its members were indexed and those that it lost were removed."""
        holding = Holding(work, self.members.of(work.stamp.path))
        demand = self._demand(work, self.members.current(work))
        taking, telling = partial(self._take_member, holding, prepared), partial(self._tell, work)
        extraction = await self._reader.extract(Path(work.stamp.path), demand, on_member=taking, on_progress=telling)
        await self._settle_members(holding, all_met=extraction.complete)
        return extraction

    async def _read_due(self, work: Work, prepared: Prepares) -> None:
        """Read the members of an unchanged file that must be read all the same."""
        run = self._run
        due = self.members.due(work, run.excluded, password=bool(run.password), slow=await self.slow())
        for inner in due.later:
            run.meter.found(0)
            run.wait_for_recognition(work, inner)
        if due.now:
            await self._read_members(replace(work, only=due.now), prepared)

    async def _read_members(self, work: Work, prepared: Prepares) -> None:
        holding = Holding(work, self.members.of(work.stamp.path))
        taking, telling = partial(self._take_member, holding, prepared), partial(self._tell, work)
        try:
            await self._reader.read_members(Path(work.stamp.path), self._demand(work, {}), taking, telling)
        except errors.ExtractionError as error:
            await self._fail_members(holding, error)
            return
        await self._settle_members(holding, all_met=True)

    def _demand(self, work: Work, known: dict[str, str]) -> Demand:
        recognize = work.recognize and self._settings.recognize
        return Demand(self._run.password, recognize, work.only, known, ignore=self._settings.ignore, urgent=self._run.brief)

    async def _take_member(self, holding: Holding, prepared: Prepares, read: MemberRead) -> None:
        work, outcome = holding.member(read), read.outcome
        if outcome is None:
            return  # counted with all that is unchanged
        self._on_their_way[holding.work.stamp.path] += 1
        if not work.recognize:  # what waited for recognition was counted when it was found
            self._run.meter.found(work.stamp.size)
        if taken_out(work.stamp.path, self._run.excluded):
            await self._put_off(work, DocumentState.SKIPPED, Reason(_TAKEN_OUT, EXCLUDED))
            return
        if isinstance(outcome, Failure) and outcome.ignored:
            await self._put_off(work, DocumentState.SKIPPED, Reason(outcome.message, "ignored"))
            return
        try:
            if isinstance(outcome, Failure):
                raise _error(outcome)
            await self._index(work, outcome, prepared)
        except Exception as error:  # noqa: BLE001  (as for files)
            # What could not be read was not claimed: others of the same content may be on their way.
            await self.fail(work, error, "" if isinstance(outcome, Failure) else read.content_hash)

    async def _settle_members(self, holding: Holding, *, all_met: bool) -> None:
        """Count the unchanged members, and remove those that are gone."""
        run, unchanged = self._run, holding.unchanged()
        for row in unchanged:
            run.meter.settled("skipped" if row.state is DocumentState.SKIPPED else "unchanged")
        mtime = holding.work.stamp.mtime_ns
        gone = holding.gone() if all_met else []
        stay = {row.stamp.path: row.stamp for row in (*unchanged, *holding.left(gone)) if row.stamp.mtime_ns != mtime}
        await run.books.touch_all([replace(stamp, mtime_ns=mtime) for stamp in stay.values()])
        if gone:
            async with self._deciding:
                run.meter.removed(len((await run.books.remove(gone)).files))

    async def _fail_members(self, holding: Holding, error: Exception) -> None:
        """Record an error for each member that was asked for, where the file that holds them cannot be opened."""
        if run_ends(error):
            raise error
        for inner in sorted((holding.work.only or frozenset()) - holding.met):
            row = holding.rows.get(inner)
            if row is not None:
                await self.fail(Work(row.stamp, holding.work.root, row, recognize=holding.work.recognize), error, row.content_hash)

    def _tell(self, work: Work, inner: str, done: int, of: int) -> None:
        path = f"{work.stamp.path}{INSIDE}{inner}" if inner else work.stamp.path
        self._run.meter.reading(path, done, of)

    # -- one document ----------------------------------------------------------------------------------------------------------------

    async def _index(self, work: Work, extraction: Extraction, prepared: Prepares) -> None:
        if await self._is_known(work, extraction.content_hash, claim=True):
            return
        if extraction.document.unread_pages and self._was_recognized(work, extraction.content_hash):
            raise NeedsRecognition("Pages of it are pictures.")  # until these are read again, what is known of them stays
        if extraction.graph_error:
            _log.warning("The knowledge graph leaves out %s: %s", printable(work.stamp.path), extraction.graph_error)
        extraction = await self._with_waiting_pictures(work, self._with_waiting_pages(work, extraction))
        weight = weight_of(extraction)
        await self._budget.take(weight)
        try:
            document = await self._chunked(work, extraction)
        except BaseException:
            await self._budget.give_back(weight)
            raise
        self._run.open[id(document)] = document
        await prepared.send(document)

    def _was_recognized(self, work: Work, digest: str) -> bool:
        """Return whether the library has this very content with all its pages, and this run reads it without text recognition."""
        row = work.known
        return row is not None and not work.recognize and _was_read(work, digest) and row.code not in {NEEDS_RECOGNITION, RECOGNITION_OFF}

    def _with_waiting_pages(self, work: Work, extraction: Extraction) -> Extraction:
        """Note pages that only recognition can read: the rest is indexed now, they come at the end of the run."""
        pages = len(extraction.document.unread_pages)
        if not pages or work.recognize:
            return extraction
        said = f"{pages:,} page waits" if pages == 1 else f"{pages:,} pages wait"
        if self._settings.recognize:
            sentence = f"{said} for text recognition."
            self._wait(work)
        else:
            sentence = f"{pages:,} {'page is a picture' if pages == 1 else 'pages are pictures'}. {_OFF}"
        warnings = tuple(warning for warning in extraction.document.warnings if "scanned?" not in warning)
        return replace(extraction, document=replace(extraction.document, warnings=(*warnings, sentence)))

    async def _with_waiting_pictures(self, work: Work, extraction: Extraction) -> Extraction:
        """Note pictures that a model has not described: they come at the end of the run if it is there, else once it is."""
        document, seeing = extraction.document, self._run.enriching.seeing
        if seeing.describer is None or not document.figures or any(figure.data for figure in document.figures):
            return extraction
        there, why = await seeing.available()
        if there:
            self._wait(work)
        else:
            seeing.missed(len(document.figures), why)
        sentence = waiting_sentence(document.figures, seeing.describer.name, "" if there else why)
        return replace(extraction, document=replace(document, warnings=(*document.warnings, sentence)))

    async def slow(self) -> Slow:
        """Return which slow steps can be done at the end of this run."""
        describe, _ = await self._run.enriching.seeing.available()
        return Slow(self._settings.recognize, describe)

    def code(self, work: Work, extraction: Extraction) -> str:
        """Return the ledger's code for a document of which pages or pictures wait, "" for a complete one."""
        if extraction.document.unread_pages and not work.recognize:
            return NEEDS_RECOGNITION if self._settings.recognize else RECOGNITION_OFF
        return NEEDS_DESCRIPTION if extraction.document.figures else ""

    def comes_back(self, work: Work) -> bool:
        """Return whether the run reads this file once more, with all the time that it takes."""
        return work.stamp.path in self._returning and not work.recognize

    def _wait(self, work: Work) -> None:
        """Come back to this file when all others are done."""
        self._returning.add(work.stamp.path)
        if work.within is None:
            self._run.wait_for_recognition(work)
        else:
            self._run.wait_for_recognition(work.within, work.stamp.path[len(work.within.stamp.path) + len(INSIDE) :])

    async def _chunked(self, work: Work, extraction: Extraction) -> Prepared:
        title = extraction.profile.title or Path(work.stamp.path).stem
        extraction = await self._run.enriching.seeing.see(extraction, title)
        cutting = await anyio.to_thread.run_sync(cut, extraction.document, title, self._settings.limits, self._embedder.token_spans)
        chunks = cutting.chunks
        if not chunks:
            raise Empty("There is no text in this file besides running heads and page numbers.")
        extraction = await self._run.enriching.enrich(extraction, chunks, title)
        tokens = TokenSpool(len(chunks), self._settings.home) if self._run.books.stores.tokens is not None else None
        return Prepared(work, extraction, chunks, np.empty((len(chunks), self._embedder.dimension), np.float16), tokens, cutting.larger)

    # -- known content, and what cannot be read --------------------------------------------------------------------------------------

    async def _is_known(self, work: Work, digest: str, *, claim: bool = False) -> bool:
        """Attach the path to the document that has this content, if that is stored or on its way; return whether it is.

        With `claim` the caller goes on to index the content if it is not; other files of the same content wait for that.
        """
        run, key = self._run, (work.root.collection, digest)
        if not work.recognize and work.known is not None and run.changes.is_same(work, digest):
            await run.books.touch(work.stamp, work.known)
            if (await self.slow()).helps(work.known):
                self._wait(work)
                run.meter.postponed(work.stamp.size)
            else:
                run.meter.finished("unchanged", work.stamp.size)
            await self.settled(work)
            return True
        if key in run.twins:
            run.twins[key].append(work)
            return True
        if claim:
            run.twins[key] = []
        async with self._deciding:
            return await self.attach_to_known(work, digest)

    async def attach_to_known(self, work: Work, digest: str) -> bool:
        """Attach the path to the document that has this content, if there is one that need not be made again. Call it holding `Stores.deciding`."""
        run = self._run
        document_id = await run.books.stores.writer.find_by_hash(run.tenant, digest, work.root.collection)
        if document_id is None or not run.changes.is_fresh(document_id) or (work.recognize and document_id not in run.recognized):
            return False
        await self.attach([work, *run.twins.pop((work.root.collection, digest), [])], document_id)
        return True

    async def attach(self, works: list[Work], document_id: str) -> None:
        """Attach further paths to a document. Call it holding `Stores.deciding`."""
        run = self._run
        for work in works:
            try:
                await run.books.attach(work.stamp, work.root.path, document_id, run.changes.version, work.known)
            except NotFound as error:  # a person deleted the document this very moment
                await self._refuse([work], error, "")
            else:
                run.meter.finished("indexed", work.stamp.size)
                await self.settled(work)

    async def fail(self, work: Work, error: Exception, digest: str) -> None:
        """Record a ledger line for a file that could not be indexed, and for those that wait for its content. Raises what ends the run."""
        if run_ends(error):
            raise error
        waiting = self._run.twins.pop((work.root.collection, digest), []) if digest else []
        async with self._deciding:
            await self._refuse([work, *waiting], error, digest)

    async def _refuse(self, works: list[Work], error: Exception, digest: str) -> None:
        for work in works:
            if isinstance(error, NeedsRecognition) and not work.recognize:
                await self._postpone(work, digest)
                continue
            if isinstance(error, Vanished | FileNotFoundError) and not await anyio.to_thread.run_sync(os.path.lexists, work.stamp.path):
                await self._gone(work)
                continue
            if type(error) is Empty and work.recognize and self._run.enriching.seeing.describer is not None:
                error = NothingSeen(str(error))  # so that it is not read again at each run for its pictures
            state, reason = ledger_entry(error, work.stamp.path, digest, password_given=bool(self._run.password))
            kept = state is DocumentState.SKIPPED and _was_read(work, digest)
            await self._put_off(work, DocumentState.FAILED if kept else state, reason)

    async def _gone(self, work: Work) -> None:
        """Handle a file that went between the scan of its folder and its reading: that is no failure.

        What is known of it is removed at the end of the run, with all that vanished, unless its disk seems to be missing.
        """
        self._run.changes.gone(work.stamp.path)
        if work.known is None:
            await self._run.books.remove([work.stamp.path])  # a line that it got in this run
        self._run.meter.finished("skipped", work.stamp.size)
        await self.settled(work)

    async def _postpone(self, work: Work, digest: str) -> None:
        """Handle a file whose whole text is in pictures: recognition reads it later, or the ledger says why not."""
        if not self._settings.recognize and self._was_recognized(work, digest):
            reason = Reason(f"Text in it was recognized in pictures. {_OFF}", RECOGNITION_OFF, digest)
            await self._put_off(work, DocumentState.FAILED, reason)
            return
        if not self._settings.recognize:
            await self._put_off(work, DocumentState.SKIPPED, Reason(f"All its text is in pictures. {_OFF}", RECOGNITION_OFF, digest))
            return
        reason = Reason("It waits for text recognition.", NEEDS_RECOGNITION, digest)
        await self._run.books.refuse(work.stamp, work.root.path, DocumentState.QUEUED, reason, work.known)
        self._run.meter.postponed(work.stamp.size)
        self._wait(work)
        await self.settled(work)

    async def _put_off(self, work: Work, state: DocumentState, reason: Reason) -> None:
        reason = replace(reason, settings_version=self._run.changes.version)
        await self._run.books.refuse(work.stamp, work.root.path, state, reason, work.known)
        self._run.meter.finished("skipped" if state is DocumentState.SKIPPED else "failed", work.stamp.size)
        await self.settled(work)


def _was_read(work: Work, digest: str) -> bool:
    """Return whether the library has the text of this very file: what a later reading no longer finds does not take that away."""
    row = work.known
    return row is not None and row.state in ASKABLE and row.document_id is not None and (row.stamp == work.stamp or digest == row.content_hash)


async def _hash(work: Work) -> str:
    return await anyio.to_thread.run_sync(content_hash, Path(work.stamp.path))


def _error(failure: Failure) -> VantageError:
    kind: type[VantageError] = getattr(errors, failure.error)
    return kind(failure.message)
