"""`ExtractionPool`: files are read in long-lived worker processes, so that a hostile file costs one worker and one line in the ledger."""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO, cast

import anyio
import anyio.to_thread
import psutil

from core import errors
from core.errors import Cancelled, LimitExceeded, Malformed, VantageError
from ingestion.extractors.source import MEBIBYTE, ExtractionLimits
from ingestion.worker import HEADER, Extraction, Failure

__all__ = ["Extraction", "ExtractionLimits", "ExtractionPool"]

_ROOT = Path(__file__).resolve().parent.parent
# A worker is replaced after this many files, or as soon as it has grown past this share of its memory limit: parsers leak and fragment.
_FILES_PER_WORKER = 500
_GROWN = 0.5
_START_SECONDS = 60.0
_KEPT_VARIABLES = frozenset({"PATH", "HOME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV"})


class ExtractionPool:
    """Reads files in `workers` processes that start when they are first needed. Close it, or the processes live as long as this one.

    `graph_reader` names ("module:function") what reads the knowledge graph of a document there; "" reads none.
    """

    def __init__(self, workers: int = 0, limits: ExtractionLimits = ExtractionLimits(), graph_reader: str = "") -> None:  # noqa: B008  (frozen)
        self._graph_reader = graph_reader
        self._size = workers or max(1, min(4, (os.cpu_count() or 2) - 1))
        self._limits = limits
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._lock = threading.Lock()
        self._slots = anyio.CapacityLimiter(self._size)
        # A cancelled call's thread lives until its worker is dead: spare places keep the next call from waiting for it.
        self._threads = anyio.CapacityLimiter(2 * self._size)
        self._closed = False

    @property
    def size(self) -> int:
        """How many files are read at the same time."""
        return self._size

    @property
    def process_ids(self) -> list[int]:
        """The workers that live now."""
        with self._lock:
            return [worker.pid for worker in [*self._idle, *self._busy]]

    async def extract(self, path: Path) -> Extraction:
        """Read one file. A cancelled call kills its worker at once.

        Raises:
            ExtractionError: one of its kinds; `LimitExceeded` when the worker hung or grew, `Malformed` when it died.
            Cancelled: the pool was closed meanwhile.
        """
        async with self._slots:
            reply = await self._attempt(path) or await self._attempt(path)
        if reply is None:
            raise LimitExceeded("No reader could be started: the machine is out of memory or of processes.")
        if isinstance(reply, Failure):
            raise _error(reply)
        return reply

    async def _attempt(self, path: Path) -> Extraction | Failure | None:
        worker = self._take()
        try:
            reply = await anyio.to_thread.run_sync(worker.extract, path, abandon_on_cancel=True, limiter=self._threads)
        except BaseException:
            self._dismiss(worker)
            raise
        self._give_back(worker, reply)
        return reply

    async def close(self) -> None:
        """End all workers; calls that run raise `Cancelled`."""
        with self._lock:
            self._closed = True
            workers = [*self._idle, *self._busy]
            self._idle.clear()
        for worker in workers:
            worker.kill()

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise Cancelled("Reading was stopped.")
            worker = _Worker(self._limits, self._graph_reader)
            while self._idle:
                waiting = self._idle.pop()
                if waiting.fit:
                    worker = waiting
                    break
                waiting.kill()  # it died while it had nothing to do: no file is to blame
            self._busy.add(worker)
            return worker

    def _give_back(self, worker: _Worker, reply: Extraction | Failure | None) -> None:
        worn = reply is None or (isinstance(reply, Failure) and reply.worn)
        if worn or not worker.fit:
            self._dismiss(worker)
            return
        with self._lock:
            self._busy.discard(worker)
            if not self._closed:
                self._idle.append(worker)
                return
        worker.kill()

    def _dismiss(self, worker: _Worker) -> None:
        worker.kill()
        with self._lock:
            self._busy.discard(worker)


def _error(failure: Failure) -> VantageError:
    kind: type[VantageError] = getattr(errors, failure.error)
    return kind(failure.message)


class _Worker:
    """One process. `extract` blocks and belongs in a thread; `kill` may be called from any thread at any time."""

    def __init__(self, limits: ExtractionLimits, graph_reader: str) -> None:
        self._limits, self._graph_reader = limits, graph_reader
        self._process: subprocess.Popen[bytes] | None = None
        self._files = 0
        self._killed = False
        self._starting = threading.Lock()
        self._reading = threading.RLock()

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    @property
    def fit(self) -> bool:
        """Whether it may read another file."""
        process = self._process
        if process is None or self._killed or process.poll() is not None:
            return False
        return self._files < _FILES_PER_WORKER and _resident_bytes(process.pid) < _GROWN * self._limits.memory_mb * MEBIBYTE

    def extract(self, path: Path) -> Extraction | Failure | None:
        """What the process says; None if it was dead before it began with the file."""
        with self._reading:
            try:
                if not self._begin(path):
                    return None if not self._killed else self._obituary()
                return self._reply()
            except TimeoutError:
                self.kill()
                return Failure(LimitExceeded.__name__, f"Reading it took longer than {self._limits.seconds:g} s (ingestion.seconds_per_file).")
            except (OSError, EOFError):
                return self._obituary()

    def kill(self) -> None:
        """End the process. A thread that waits in `extract` comes back with the reason."""
        with self._starting:
            self._killed = True
            process = self._process
        if process is None:
            return
        process.kill()
        with self._reading:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    pipe.close()

    def _begin(self, path: Path) -> bool:
        """Hand over the path and wait until the process (which may be starting) takes it."""
        try:
            process = self._started()
            os.write(_descriptor(process.stdin), json.dumps({"path": os.path.abspath(path)}).encode() + b"\n")  # noqa: PTH100  (links stay)
            _receive(process, HEADER.size, time.monotonic() + _START_SECONDS)
        except (OSError, EOFError):
            return False
        self._files += 1
        return True

    def _reply(self) -> Extraction | Failure:
        process = self._started()
        deadline = time.monotonic() + self._limits.seconds
        size = HEADER.unpack(_receive(process, HEADER.size, deadline))[0]
        # The reply comes from our own code in the worker, over a pipe that only it holds.
        return cast("Extraction | Failure", pickle.loads(_receive(process, size, deadline)))  # noqa: S301

    def _started(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._killed:
                raise EOFError
            if self._process is None:
                self._process = _start(self._limits, self._graph_reader)
            return self._process

    def _obituary(self) -> Failure:
        """Why the process is gone, as the ledger's reason."""
        if self._killed or self._process is None:
            return Failure(Cancelled.__name__, "Reading was stopped.")
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = 0
        self.kill()
        if -status == signal.SIGXCPU:
            return Failure(LimitExceeded.__name__, f"Reading it took more than {self._limits.seconds:g} s (ingestion.seconds_per_file).")
        if -status == signal.SIGKILL:
            return Failure(LimitExceeded.__name__, "The system ended the reader, most likely because memory ran out.")
        cause = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return Failure(Malformed.__name__, f"The file is damaged: it crashed the reader ({cause}).")


def _start(limits: ExtractionLimits, graph_reader: str) -> subprocess.Popen[bytes]:
    # -P keeps the current folder off the module path: it may be the very folder of somebody's files.
    command = [sys.executable, "-P", "-W", "ignore", "-m", "ingestion.worker", json.dumps(asdict(limits)), graph_reader]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0, env=_environment(), cwd="/")


def _environment() -> dict[str, str]:
    """What a worker needs and nothing more: no keys, no settings."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT_VARIABLES or name.startswith("LC_")}
    # One thread: the pool is the parallelism. Few arenas: glibc reserves address space for each.
    return {**kept, "PYTHONPATH": str(_ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


def _receive(process: subprocess.Popen[bytes], size: int, deadline: float) -> bytes:
    """Exactly `size` bytes of the worker's replies.

    Raises:
        TimeoutError: the deadline (`time.monotonic`) passed first.
        EOFError: the worker closed its end.
    """
    descriptor = _descriptor(process.stdout)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    data = bytearray()
    while len(data) < size:
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise TimeoutError
        block = os.read(descriptor, min(1 << 20, size - len(data)))
        if not block:
            raise EOFError
        data += block
    return bytes(data)


def _descriptor(pipe: IO[bytes] | None) -> int:
    if pipe is None:
        raise ValueError("a worker has pipes")
    return pipe.fileno()


def _resident_bytes(pid: int) -> int:
    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return 0
