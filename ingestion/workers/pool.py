"""The pool of worker processes in which files are read, so that a hostile file costs one worker and one line in the ledger."""

from __future__ import annotations

import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, cast

import anyio
import anyio.to_thread

from core.errors import Cancelled, LimitExceeded, Malformed, Unavailable
from ingestion.readers.base.source import ExtractionLimits
from ingestion.workers.result_codec import make_error, unpack_path, unpack_progress, unpack_result
from ingestion.workers.worker_handle import ReceivedFrame, Worker
from ingestion.workers.worker_protocol import MEMBER_SEPARATOR, Demand, Extraction, Failure, FrameKind, MemberRead, ReadResult, request_line

__all__ = ["Extraction", "ExtractionLimits", "ExtractionPool"]

_FINAL_KINDS = frozenset({FrameKind.REPLY, FrameKind.FAILED, FrameKind.ALL_READ, FrameKind.WORN, FrameKind.DEATH})
_WHOLE_FILE = Demand()
OnMember = Callable[[MemberRead], Awaitable[None]]
OnProgress = Callable[[str, int, int], None]
_DEATHS = 25  # workers that one file may cost
_PAUSES = (0.0, 0.5, 2.0, 8.0, 20.0)  # the first worker may have been one that died while it had nothing to do
_LARGE = 1 << 20  # bytes of a frame that is unpacked in a thread


class ExtractionPool:
    """Reads files in `workers` processes that start when they are first needed. Close it, or the processes live as long as this one.

    While all of them are busy, one more reads what is urgent: a file that was just saved, or one that a person opens out of an archive, is not kept
    waiting by an hour of text recognition.

    `graph_reader` names ("module:function") what reads the knowledge graph of a document there; "" reads none. A worker that cannot be started is
    tried again after each of the `pauses` (seconds); that is no file's fault.
    """

    def __init__(
        self,
        workers: int = 0,
        limits: ExtractionLimits = ExtractionLimits(),  # noqa: B008  (frozen)
        graph_reader: str = "",
        pauses: Sequence[float] = _PAUSES,
    ) -> None:
        self._graph_reader, self._pauses = graph_reader, tuple(pauses)
        self._size = workers or max(1, min(4, (os.cpu_count() or 2) - 1))
        self._limits = limits
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._lock = threading.Lock()
        self._slots = anyio.CapacityLimiter(self._size)
        # A cancelled call's thread lives until its worker is dead: spare places keep the next call from waiting for it.
        self._threads = anyio.CapacityLimiter(2 * (self._size + 1))
        self._spare = anyio.CapacityLimiter(1)
        self._closed = False

    @property
    def size(self) -> int:
        """Number of files that are read at the same time."""
        return self._size

    @property
    def busy(self) -> int:
        """Number of files that are being read."""
        with self._lock:
            return len(self._busy)

    @property
    def process_ids(self) -> list[int]:
        """Process ids of the workers that live now."""
        with self._lock:
            return [worker.pid for worker in [*self._idle, *self._busy]]

    async def extract(
        self, path: Path, demand: Demand = _WHOLE_FILE, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        """Read one file, and what it holds. A cancelled call kills its worker at once.

        Without `on_member` only the file's own document is read. It is awaited with each member as it is done, before the file's own document
        comes back: the worker waits meanwhile, so that never more than a member or two are in memory. `on_progress` gets the inner path, the
        pages done and the pages in all. A member at which a worker dies or hangs is reported as failed, and another worker goes on behind it.

        Raises:
            ExtractionError: one of its kinds; `LimitExceeded` when the worker hung or grew, `Malformed` when it died.
            Cancelled: the pool was closed meanwhile.
            Unavailable: no worker could be started, for as long as it was tried.
        """
        if on_member is None:
            demand = replace(demand, members=False)
        reply = await self._run_reading(_FileReading(path, demand, on_member, on_progress))
        if not isinstance(reply, Extraction):
            raise Malformed("The reader gave no document for this file.")
        return reply

    async def read_members(self, path: Path, demand: Demand, on_member: OnMember, on_progress: OnProgress | None = None) -> None:
        """Read the members that `demand.only_members` names, and nothing else of the file. Raises as `extract`, where it cannot be opened."""
        await self._run_reading(_FileReading(path, demand, on_member, on_progress))

    async def _run_reading(self, reading: _FileReading) -> ReadResult:
        async with self._spare if reading.demand.urgent and not self._slots.available_tokens else self._slots:
            while (reply := await self._attempt(reading)) is None:
                if reading.has_begun and reading.starts >= 2:
                    raise LimitExceeded("Two readers gave it up, grown too large: it takes more memory than a reader may have (ingestion.memory_mb).")
                if not reading.has_begun:
                    await self._pause(reading)
        if isinstance(reply, Failure):
            raise make_error(reply)
        return reply

    async def _pause(self, reading: _FileReading) -> None:
        """Wait before another worker is started. Raises Unavailable where it was tried often enough."""
        if reading.failed_starts > len(self._pauses):
            raise Unavailable(
                "No reader could be started: the machine is out of memory, of processes or of open files, or refuses what ingestion.confine_readers "
                "asks for. Close other programs or raise the limit (ulimit), and index again. No file was counted as failed by this."
            )
        await anyio.sleep(self._pauses[reading.failed_starts - 1])

    async def fetch(self, path: Path, inner: str, target: IO[bytes], password: str = "") -> None:
        """Write the bytes of the member `inner` of a file to `target`.

        Raises:
            NotFound: it is not there (any more).
            ExtractionError: it cannot be unpacked, or not within the limits.
        """
        await self._run_reading(_FileReading(path, Demand(password=password, urgent=True), fetch=inner, target=target))

    async def draw_page(self, path: Path, inner: str, page: int, target: IO[bytes]) -> None:
        """Write page `page` (from 1) of a picture as JPEG to `target`: of the file, or of its member `inner`.

        Raises:
            NotFound: it is not there (any more), is no picture, or has no such page.
            ExtractionError: it cannot be decoded, or not within the limits.
        """
        await self._run_reading(_FileReading(path, Demand(urgent=True), fetch=inner, target=target, page=page))

    async def _attempt(self, reading: _FileReading) -> ReadResult | None:
        """Have one worker read its part of a file. Return None where another has to go on, or to begin."""
        worker = self._take_worker()
        reply: ReadResult | None = None
        try:
            kind, body = await self._run_in_thread(worker.begin_request, reading.line())
            reading.note_start(begun=worker.took_request)
            while kind not in _FINAL_KINDS:
                await self._handle_frame(worker, reading, kind, body)
                kind, body = await self._run_in_thread(worker.next_frame)
            reply = None if kind is FrameKind.WORN else cast("ReadResult", await _unpack_frame(kind, body))
            del body
            if isinstance(reply, Failure) and kind is FrameKind.DEATH and await reading.blame_member(reply):
                reply = None
        except BaseException:
            self._dismiss(worker)
            raise
        self._return_worker(worker, reply)
        return reply

    async def _run_in_thread(self, function: Callable[..., ReceivedFrame], *arguments: bytes) -> ReceivedFrame:
        return await anyio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True, limiter=self._threads)

    async def _handle_frame(self, worker: Worker, reading: _FileReading, kind: FrameKind, body: bytes | bytearray) -> None:
        match kind:
            case FrameKind.VISITING:
                worker.deadline.restart()
                reading.begin_member(unpack_path(body))
            case FrameKind.PASSING:
                worker.deadline.restart()
            case FrameKind.PROGRESS:
                done, of, inner = unpack_progress(body)
                worker.deadline.extend_for_pages(done, recognized=reading.demand.recognize)
                reading.report_progress(inner, done, of)
            case FrameKind.MEMBER:
                await reading.end_member(cast("MemberRead", await _unpack_frame(kind, body)))
            case FrameKind.PIECE if reading.target is not None:
                reading.written += len(body)
                if reading.written > self._limits.archive_bytes:
                    raise LimitExceeded("It unpacks to more than ingestion.max_archive_mb.")
                await anyio.to_thread.run_sync(reading.target.write, body)

    async def close(self) -> None:
        """End all workers; calls that run raise `Cancelled`."""
        with self._lock:
            self._closed = True
            workers = [*self._idle, *self._busy]
            self._idle.clear()
        for worker in workers:
            worker.kill()

    def _take_worker(self) -> Worker:
        with self._lock:
            if self._closed:
                raise Cancelled("Reading was stopped.")
            worker = Worker(self._limits, self._graph_reader)
            while self._idle:
                waiting = self._idle.pop()
                if waiting.is_fit:
                    worker = waiting
                    break
                waiting.kill()  # it died while it had nothing to do: no file is to blame
            self._busy.add(worker)
            return worker

    def _return_worker(self, worker: Worker, reply: ReadResult | None) -> None:
        worn = reply is None or (isinstance(reply, Failure) and reply.worn)
        if worn or not worker.is_fit:
            self._dismiss(worker)
            return
        with self._lock:
            self._busy.discard(worker)
            if not self._closed:
                self._idle.append(worker)
                return
        worker.kill()

    def _dismiss(self, worker: Worker) -> None:
        worker.kill()
        with self._lock:
            self._busy.discard(worker)


async def _unpack_frame(kind: FrameKind, body: bytes | bytearray) -> ReadResult | MemberRead:
    return unpack_result(kind, body) if len(body) < _LARGE else await anyio.to_thread.run_sync(unpack_result, kind, body)


@dataclass(slots=True)
class _FileReading:
    """One file's way through the workers.

    `current_member` is the member that the present worker is at ("" before the first), `settled_members` those that are done with; `has_begun`
    whether the present worker took the file."""

    path: Path
    demand: Demand
    on_member: OnMember | None = None
    on_progress: OnProgress | None = None
    fetch: str | None = None
    target: IO[bytes] | None = None
    page: int = 0
    written: int = 0
    settled_members: set[str] = field(default_factory=set)
    current_member: str = ""
    starts: int = 0  # of workers since a member was done
    failed_starts: int = 0  # workers that could not be started, one after the other
    has_begun: bool = False
    deaths: int = 0

    def note_start(self, *, begun: bool) -> None:
        self.has_begun, self.starts, self.failed_starts = begun, self.starts + begun, 0 if begun else self.failed_starts + 1

    def line(self) -> bytes:
        demand = replace(self.demand, settled_members=frozenset(self.settled_members)) if self.settled_members else self.demand
        self.current_member = ""
        return request_line(os.path.abspath(self.path), demand, self.fetch, self.page)  # noqa: PTH100  (links stay)

    def begin_member(self, inner: str) -> None:
        self.current_member = inner
        self.report_progress(inner, 0, 0)

    def report_progress(self, inner: str, done: int, of: int) -> None:
        if self.on_progress is not None:
            self.on_progress(inner, done, of)

    async def end_member(self, read: MemberRead) -> None:
        self.starts = 0
        self.settled_members.add(read.path)
        if read.path == self.current_member:  # from here on it is its container that the worker is at
            self.current_member = read.container
        if self.on_member is not None:
            await self.on_member(read)

    async def blame_member(self, failure: Failure) -> bool:
        """Record the member at which a worker died as failed. Return False where it was at none, or too many died already: then the file itself
        has failed."""
        if not self.current_member or failure.error == Cancelled.__name__ or self.deaths >= _DEATHS:
            return False
        self.deaths += 1
        container = self.current_member.rpartition(MEMBER_SEPARATOR)[0]
        await self.end_member(MemberRead(self.current_member, container, failure))
        return True
