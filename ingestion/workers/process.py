"""The worker process: reads one file after another under limits, and ends when its parent does.

Started by `ingestion.workers.worker_handle` with two pipes: requests come as JSON lines on standard input, answers go out in frames
(`ingestion.workers.worker_protocol`) on standard output. What reads the knowledge graph is named on the command line, and so is the descriptor
of the model that identifies languages.
Nothing of the server is imported here, so that a worker is light and starts fast.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import shutil
import signal
import sys
import threading
from io import RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ingestion.readers.base.source import MEBIBYTE, ExtractionLimits
from ingestion.workers.confinement import confine
from ingestion.workers.file_reading import ContentDigest, GraphReader, failure_of
from ingestion.workers.result_codec import pack_result
from ingestion.workers.worker_protocol import Demand, EndOfRequest, Extraction, Failure, FrameKind, MemberRead, ReadResult, frame, progress_frame

if TYPE_CHECKING:
    from ingestion.workers.file_walk import FileWalk

__all__ = ["Extraction", "Failure", "extract_file"]

_GROWN_SHARE = 0.5  # of its memory limit: a worker that has grown past this asks to be replaced before the next member
_PIECE = 1 << 20
_BACKGROUND = 10  # the niceness of what nobody waits for
_PASSED_PER_SIGN = 20  # members that are passed by between two signs of life


def extract_file(path: Path, limits: ExtractionLimits, read_graph: GraphReader | None = None) -> Extraction | Failure:
    """Read, extract and profile one file, in this process and without its members. Whatever a library raises on hostile input ends as a
    `Failure` with a sentence."""
    from ingestion.workers.file_walk import FileWalk

    result = FileWalk(Demand(members=False), limits, _SilentListener(), read_graph).read_file(path)
    return result if not isinstance(result, EndOfRequest) else Failure("Malformed", "Nothing was asked of it.")


class _SilentListener:
    def pass_over(self) -> None: ...
    def begin_member(self, inner: str) -> None: ...
    def end_member(self, read: MemberRead) -> None: ...
    def report_progress(self, done: int, of: int) -> None: ...


def load_graph_reader(name: str) -> GraphReader | None:
    """Load the function that "module:function" names; None for ""."""
    if not name:
        return None
    module, _, function = name.partition(":")
    found: GraphReader = getattr(importlib.import_module(module), function)
    return found


# -- the process ---------------------------------------------------------------------------------------------------------------------


class _WornOut(BaseException):
    """Raised when the process has grown too large to go on with the next member. No `Exception`, so that no reader takes it for its own."""


class _FrameWriter(RawIOBase):
    """Sends frames to the parent. Each member and each page that is reported gets processor time of its own. As a file it sends pieces."""

    def __init__(self, replies: BinaryIO, limits: ExtractionLimits) -> None:
        self._replies, self._limits = replies, limits
        self._inner, self._done, self._reported, self._passed = "", 0, 0, 0

    def begin_file(self) -> None:
        """Start the clock of a file; from here on a death is the file's doing."""
        self._inner, self._reported = "", 0
        self._restart()
        self._send(frame(FrameKind.BEGUN))

    def begin_member(self, inner: str) -> None:
        if self._reported and _resident_bytes() > _GROWN_SHARE * self._limits.memory_mb * MEBIBYTE:
            raise _WornOut
        self._inner = inner
        self._restart()
        self._send(frame(FrameKind.VISITING, inner.encode()))

    def pass_over(self) -> None:
        self._passed += 1
        if self._passed % _PASSED_PER_SIGN == 0:
            self._restart()
            self._send(frame(FrameKind.PASSING))

    def end_member(self, read: MemberRead) -> None:
        self._reported += 1
        self._send(*pack_result(read))

    def report_progress(self, done: int, of: int) -> None:
        if done > self._done:
            self._limit(self._limits.seconds + done * self._limits.ocr.seconds_per_page)
            self._done = done
        self._send(progress_frame(done, of, self._inner))

    def reply(self, result: ReadResult) -> None:
        self._send(*pack_result(result))

    def send_worn(self) -> None:
        self._send(frame(FrameKind.WORN))

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        whole = bytes(data)
        for start in range(0, len(whole), _PIECE):
            self._send(frame(FrameKind.PIECE, whole[start : start + _PIECE]))
        return len(whole)

    def _restart(self) -> None:
        self._done = 0
        self._limit(self._limits.seconds)

    def _limit(self, seconds: float) -> None:
        """Limit processor time. Recognition computes in several threads: its processor time is several times that of the clock."""
        ocr = self._limits.ocr
        _limit_processor_time(seconds * (max(1, ocr.threads or (os.cpu_count() or 2) // 2) if ocr.enabled else 1))

    def _send(self, *parts: bytes) -> None:
        for part in parts:
            self._replies.write(part)
        self._replies.flush()


def main() -> None:
    """Serve requests until standard input ends, or none comes for a while: an idle worker holds its memory for nothing."""
    requests, replies = _take_over_pipes()
    limits = ExtractionLimits.from_json(json.loads(sys.argv[1]))
    if limits.confined:
        confine(Path(os.environ["TMPDIR"]))  # first of all: it holds for threads that come later, and for what libraries do when they are loaded
    from ingestion.enrichment.language_model import receive_model

    read_graph = load_graph_reader(sys.argv[2])
    _limit_memory(limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    receive_model(int(sys.argv[3]))
    lines: list[bytes] = []
    ready = threading.Semaphore(0)
    threading.Thread(target=_listen, args=(requests, lines, ready), daemon=True).start()
    wire = _FrameWriter(replies, limits)
    while ready.acquire(timeout=limits.idle_seconds):
        request = json.loads(lines.pop(0))
        _lower_priority(request)
        wire.begin_file()
        try:
            wire.reply(_answer(request, limits, wire, read_graph))
        except _WornOut:
            wire.send_worn()


def _lower_priority(request: dict[str, Any]) -> None:
    """Read at low priority what nobody waits for. That cannot be taken back: idle processes end soon, and a fresh one comes for what follows."""
    if not request["urgent"] and hasattr(os, "nice"):
        os.nice(max(0, _BACKGROUND - os.nice(0)))


def _answer(request: dict[str, Any], limits: ExtractionLimits, wire: _FrameWriter, read_graph: GraphReader | None) -> ReadResult:
    from ingestion.workers.file_walk import FileWalk

    walk, path = FileWalk(Demand.from_json(request), limits, wire, read_graph), Path(request["path"])
    if request["fetch"] is None:
        return walk.read_file(path)
    try:
        if request["page"]:
            wire.write(_draw_page(walk, path, request, limits))
        else:
            walk.fetch_member(path, request["fetch"], wire)  # type: ignore[arg-type]
    except Exception as error:  # noqa: BLE001  the border of the sandbox
        return failure_of(error, limits, ContentDigest())
    return EndOfRequest()


def _draw_page(walk: FileWalk, path: Path, request: dict[str, Any], limits: ExtractionLimits) -> bytes:
    from ingestion.workers.page_images import draw_page

    inner = request["fetch"]
    return draw_page(path, request["page"], limits, (lambda target: walk.fetch_member(path, inner, target)) if inner else None)


def _take_over_pipes() -> tuple[int, BinaryIO]:
    """Return descriptors of our own for requests and replies; what a library prints goes nowhere."""
    requests, replies = os.dup(0), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    return requests, replies


def _listen(requests: int, lines: list[bytes], ready: threading.Semaphore) -> None:
    """Receive requests, and end the process at once when the parent is gone, even in the middle of a file."""
    pending = b""
    while block := os.read(requests, 1 << 16):
        *complete, pending = (pending + block).split(b"\n")
        for line in complete:
            lines.append(line)
            ready.release()
    try:
        # The parent removes the folder. Where it was killed nobody does, but a copy of somebody's file does not stay in it.
        for left in Path(os.environ["TMPDIR"]).iterdir():
            shutil.rmtree(left, ignore_errors=True)
    finally:
        os._exit(0)


def _limit_memory(limits: ExtractionLimits) -> None:
    # Private writable memory counts, not the libraries that are mapped: those would need another limit on each machine.
    size = limits.memory_mb * MEBIBYTE
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_processor_time(seconds: float) -> None:
    """Limit processor time, a second line behind the parent's clock: it ends a worker that holds the interpreter's lock when nobody is left to
    kill it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + seconds) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _resident_bytes() -> int:
    """Return the bytes that the process has in memory now; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


if __name__ == "__main__":
    main()
