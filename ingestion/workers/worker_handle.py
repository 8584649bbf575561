"""One worker process as its parent sees it: started when it is first needed, asked for one file at a time, ended at any moment."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO, NamedTuple

import psutil

import ingestion
from core.errors import Cancelled, LimitExceeded, Malformed
from ingestion.enrichment.language_model import share_model
from ingestion.readers.base.source import MEBIBYTE, ExtractionLimits
from ingestion.workers import malloc_tuning
from ingestion.workers.deadline import ReadingDeadline
from ingestion.workers.result_codec import failure_body
from ingestion.workers.worker_protocol import HEADER, Failure, FrameKind

ReceivedFrame = tuple[FrameKind, bytes | bytearray]
_ROOT = Path(ingestion.__file__).resolve().parent.parent
# A worker is replaced after this many files, or as soon as it has grown past this share of its memory limit: parsers leak and fragment.
_FILES_PER_WORKER = 500
_GROWN_SHARE = 0.5
_REPLY_SHARE = 4  # a reply may have the fourth part of the memory of a worker: the server has to hold what it reads of it
_SENDABLE_KINDS = frozenset(FrameKind) - {FrameKind.DEATH}
_START_SECONDS = 60.0
_KEPT_VARIABLES = frozenset({"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV"})
# One thread: the pool is the parallelism. And no kernels of text recognition are kept for sizes of pictures that were seen before: they would
# fill 150 MB.
_FRUGAL = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "0", **malloc_tuning.MALLOC_ENVIRONMENT}


class Worker:
    """One worker process. `begin_request` and `next_frame` block and belong in a thread; `kill` may be called from any thread at any time."""

    def __init__(self, limits: ExtractionLimits, graph_reader: str) -> None:
        self._limits, self._graph_reader = limits, graph_reader
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._files = 0
        self.took_request = False  # whether it began with the last request
        self.deadline = ReadingDeadline(limits)
        self._killed = False
        self._starting = threading.Lock()
        self._reading = threading.RLock()

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    @property
    def is_fit(self) -> bool:
        """True while it may read another file."""
        process = self._process
        if process is None or self._killed or process.poll() is not None:
            return False
        return self._files < _FILES_PER_WORKER and _resident_bytes(process.pid) < _GROWN_SHARE * self._limits.memory_mb * MEBIBYTE

    def begin_request(self, line: bytes) -> ReceivedFrame:
        """Hand over a request, wait until the process (which may be starting) takes it, and return its first frame.

        WORN if the process was dead before it began.
        """
        with self._reading:
            self.took_request = False
            try:
                process = self._ensure_started()
                _send(process, line)
                spent = process_stopwatch(process.pid)
                _receive(process, HEADER.size, lambda: _START_SECONDS - spent())
            except (OSError, EOFError):
                return (FrameKind.DEATH, self._death_report()) if self._killed else (FrameKind.WORN, b"")
            self._files += 1
            self.took_request = True
            self.deadline = ReadingDeadline(self._limits)
            return self.next_frame()

    def next_frame(self) -> ReceivedFrame:
        """Return the next frame; DEATH, with a `Failure`, where the process died or took too long."""
        with self._reading:
            try:
                process = self._ensure_started()
                kind, size = HEADER.unpack(self._receive_in_time(process, HEADER.size))
                if (refused := self._frame_refusal(kind, size)) is not None:
                    self.kill()
                    return FrameKind.DEATH, failure_body(refused)
                return FrameKind(kind), self._receive_in_time(process, size)
            except TimeoutError:
                self.kill()
                return FrameKind.DEATH, failure_body(Failure(LimitExceeded.__name__, self.deadline.reason))
            except (OSError, EOFError):
                return FrameKind.DEATH, self._death_report()

    def _frame_refusal(self, kind: int, size: int) -> Failure | None:
        """Return why a frame is not read: it is too large, or none that a worker sends."""
        most = self._limits.memory_mb // _REPLY_SHARE
        if size > most * MEBIBYTE:
            return Failure(LimitExceeded.__name__, f"What it holds takes more than {most:,} MiB (a quarter of ingestion.memory_mb).")
        if kind not in _SENDABLE_KINDS:
            return Failure(Malformed.__name__, "Its reader said what no reader says.")
        return None

    def _receive_in_time(self, process: subprocess.Popen[bytes], size: int) -> bytearray:
        """Receive bytes within the deadline: only time that the process lets us wait counts, not the time that we, or other programs, let it wait."""
        spent, allowed = process_stopwatch(process.pid), self.deadline.seconds_left
        try:
            return _receive(process, size, lambda: allowed - spent())
        finally:
            self.deadline.spend(spent())

    def kill(self) -> None:
        """End the process. A thread that waits for it comes back with the reason."""
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
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)  # what it was at is of no use to anybody

    def _ensure_started(self) -> subprocess.Popen[bytes]:
        with self._starting:
            if self._killed:
                raise EOFError
            if self._process is None:
                self._folder = Path(tempfile.mkdtemp(prefix="vantage-reader-"))
                self._process = _start_process(self._limits, self._graph_reader, self._folder)
            return self._process

    def _death_report(self) -> bytes:
        return failure_body(self._cause_of_death())

    def _cause_of_death(self) -> Failure:
        """Return why the process is gone, as the ledger's reason."""
        if self._killed or self._process is None:
            return Failure(Cancelled.__name__, "Reading was stopped.")
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            status = 0
        self.kill()
        if -status == signal.SIGXCPU:
            return Failure(LimitExceeded.__name__, self.deadline.reason)
        if -status == signal.SIGKILL:
            return Failure(LimitExceeded.__name__, "The system ended the reader, most likely because memory ran out.")
        cause = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return Failure(Malformed.__name__, f"The file is damaged: it crashed the reader ({cause}).")


def _start_process(limits: ExtractionLimits, graph_reader: str, folder: Path) -> subprocess.Popen[bytes]:
    model = share_model()
    # -P keeps the current folder off the module path: it may be the very folder of somebody's files.
    command = [sys.executable, "-P", "-W", "ignore", "-m", "ingestion.workers.process", json.dumps(asdict(limits)), graph_reader, str(model)]
    pipe, null, environment = subprocess.PIPE, subprocess.DEVNULL, _environment(folder)
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, bufsize=0, env=environment, cwd="/", pass_fds=[model])


def _environment(folder: Path) -> dict[str, str]:
    """Make the environment of a worker, without keys or settings. `folder` is where it may write."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT_VARIABLES or name.startswith("LC_")}
    return {**kept, **_FRUGAL, "PYTHONPATH": str(_ROOT), "TMPDIR": str(folder)}


def _send(process: subprocess.Popen[bytes], line: bytes) -> None:
    """Write the whole line: a pipe takes only a part of a long one at a time."""
    waiting = memoryview(line)
    while waiting:
        waiting = waiting[os.write(_descriptor(process.stdin), waiting) :]


def process_stopwatch(process_id: int) -> Callable[[], float]:
    """Return a function that gives the seconds that a process had since now, without those in which other programs had the processor."""
    started = changed = time.monotonic()
    first = seen = _read_schedule(process_id)

    def spent() -> float:
        nonlocal changed, seen
        now, found = time.monotonic(), _read_schedule(process_id)
        if found != seen:
            seen, changed = found, now
        # A wait is counted when it ends: of one that lasts, nothing is there yet but that nothing has changed.
        waits = now - changed if _is_ready_to_run(process_id) else 0.0
        return max(0.0, now - started - max(0.0, found.waited - first.waited) - waits)

    return spent


class _Schedule(NamedTuple):
    """Seconds that a process's main thread ran and waited for a processor since it began; 0 where the system does not say (only Linux does)."""

    run: float = 0.0
    waited: float = 0.0


def _read_schedule(process_id: int) -> _Schedule:
    try:
        run, waited, _ = Path(f"/proc/{process_id}/schedstat").read_text(encoding="ascii").split()
        return _Schedule(int(run) / 1e9, int(waited) / 1e9)
    except (OSError, ValueError):
        return _Schedule()


def _is_ready_to_run(process_id: int) -> bool:
    """Return whether the process runs or waits for a processor; False where the system does not say."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0] == "R"
    except (OSError, IndexError):
        return False


def _receive(process: subprocess.Popen[bytes], size: int, left: Callable[[], float]) -> bytearray:
    """Read exactly `size` bytes of the worker's replies, in memory once.

    Raises:
        TimeoutError: no seconds are `left`.
        EOFError: the worker closed its end.
    """
    descriptor = _descriptor(process.stdout)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    data = bytearray(size)
    waiting = memoryview(data)
    while waiting:
        seconds = left()
        if seconds <= 0:
            raise TimeoutError
        if not poll.poll(max(1.0, seconds * 1000)):
            continue  # by the clock it is over: was the time its own?
        read = os.readv(descriptor, [waiting[: 1 << 20]])
        if not read:
            raise EOFError
        waiting = waiting[read:]
    return data


def _descriptor(pipe: IO[bytes] | None) -> int:
    if pipe is None:
        raise ValueError("a worker has pipes")
    return pipe.fileno()


def _resident_bytes(pid: int) -> int:
    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return 0
