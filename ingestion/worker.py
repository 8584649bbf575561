"""The worker process: reads one file after another under limits, and ends when its parent does.

Started by `worker_pool` as `python -m ingestion.worker` with two pipes: requests come as JSON lines on standard input, replies go out
length-prefixed and pickled on standard output. What reads the knowledge graph is named on the command line. Nothing of the server is imported
here, so that a worker is light and starts fast.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import pickle
import resource
import signal
import stat
import struct
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from core.documents import DocumentProfile, ExtractedDocument
from core.errors import Empty, ExtractionError, LimitExceeded, Malformed
from core.graph import DocumentGraph
from ingestion.extractors.source import MEBIBYTE, ExtractionLimits, Source

HEADER = struct.Struct("<Q")
GraphReader = Callable[[ExtractedDocument, str, str], DocumentGraph]  # document, file name, title


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read from one file. `content_hash` is the sha256 (hex) of the very bytes that `document` was read from, `file_size` their number.

    `graph` is None where nothing reads it, or where that failed: then `graph_error` says how.
    """

    document: ExtractedDocument
    profile: DocumentProfile
    content_hash: str
    file_size: int
    graph: DocumentGraph | None = None
    graph_error: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be read: the class of the error by its name, its sentence, and the hash of what was there (or "")."""

    error: str
    message: str
    content_hash: str = ""
    file_size: int = 0
    worn: bool = False


def read_file(path: Path, limits: ExtractionLimits) -> tuple[bytes, str]:
    """The bytes of a regular file and their sha256.

    Raises:
        LimitExceeded: it is larger than `limits.file_bytes`.
        Malformed: it is no regular file, or the system refuses to read it.
    """
    try:
        # O_NONBLOCK: opening a named pipe must not wait for its writer.
        with FileIO(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Malformed("This is no regular file.")
            if status.st_size > limits.file_bytes:
                raise LimitExceeded(_too_large(status.st_size, limits))
            return _read(file, status.st_size, limits)
    except OSError as error:
        raise Malformed(f"The file cannot be read: {error.strerror or error}.") from error


def _read(file: FileIO, size: int, limits: ExtractionLimits) -> tuple[bytes, str]:
    """Whole blocks as the system gives them: one for nearly every file, so that its bytes are in memory once."""
    blocks: list[bytes] = []
    while block := file.read(max(1, size + 1 - sum(map(len, blocks)))):
        blocks.append(block)
        if sum(map(len, blocks)) > limits.file_bytes:
            raise LimitExceeded(_too_large(size, limits))
    data = blocks[0] if len(blocks) == 1 else b"".join(blocks)
    return data, hashlib.sha256(data).hexdigest()


def _too_large(size: int, limits: ExtractionLimits) -> str:
    return f"The file has {size / MEBIBYTE:,.0f} MiB; the limit is {limits.file_bytes / MEBIBYTE:,.0f} MiB (ingestion.max_file_mb)."


def extract_file(path: Path, limits: ExtractionLimits, read_graph: GraphReader | None = None) -> Extraction | Failure:
    """Read, extract and profile one file. Whatever a library raises on hostile input ends as a `Failure` with a sentence."""
    content_hash, size = "", 0
    try:
        data, content_hash = read_file(path, limits)
        size = len(data)
        document = _extract(Source(data, path.name, limits))
        profile = _profile(document, path.name)
        return Extraction(document, profile, content_hash, size, *_graph(document, path.name, profile.title, read_graph))
    except ExtractionError as error:
        return Failure(type(error).__name__, str(error), content_hash, size)
    except MemoryError:
        message = f"Reading it takes more than {limits.memory_mb:,} MiB of memory (ingestion.memory_mb)."
        return Failure(LimitExceeded.__name__, message, content_hash, size, worn=True)
    except RecursionError:
        return Failure(LimitExceeded.__name__, "It is nested too deeply to be read.", content_hash, size)
    except Exception as error:  # noqa: BLE001  the border of the sandbox: any error of any parser is this file's, not the worker's
        return Failure(Malformed.__name__, f"The reader failed on it: {type(error).__name__}: {str(error)[:200]}", content_hash, size)


def _extract(source: Source) -> ExtractedDocument:
    from ingestion.extractors.registry import extract

    document = extract(source)
    if not document.text.strip():
        raise Empty("There is no text in this file.")
    return document


def _profile(document: ExtractedDocument, name: str) -> DocumentProfile:
    from ingestion.profile import profile

    return profile(document, name)


def _graph(document: ExtractedDocument, name: str, title: str, read_graph: GraphReader | None) -> tuple[DocumentGraph | None, str]:
    """The document's knowledge graph, or why there is none: a file is worth reading without it."""
    if read_graph is None:
        return None, ""
    try:
        return read_graph(document, name, title), ""
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  reported by the parent; the document itself was read
        return None, f"{type(error).__name__}: {str(error)[:200]}"


def graph_reader(name: str) -> GraphReader | None:
    """The function that "module:function" names; None for ""."""
    if not name:
        return None
    module, _, function = name.partition(":")
    found: GraphReader = getattr(importlib.import_module(module), function)
    return found


# -- the process ---------------------------------------------------------------------------------------------------------------------


def main() -> None:
    """Serve requests until standard input ends, or none comes for a while: an idle worker holds its memory for nothing."""
    from ingestion.profile import prepare

    requests, replies = _own_pipes()
    limits = ExtractionLimits.from_json(json.loads(sys.argv[1]))
    read_graph = graph_reader(sys.argv[2])
    _limit_memory(limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    prepare()
    lines: list[bytes] = []
    ready = threading.Semaphore(0)
    threading.Thread(target=_listen, args=(requests, lines, ready), daemon=True).start()
    while ready.acquire(timeout=limits.idle_seconds):
        replies.write(HEADER.pack(0))  # the file is begun: its clock starts here, and from here on a death is its doing
        replies.flush()
        _limit_processor_time(limits)
        reply = extract_file(Path(json.loads(lines.pop(0))["path"]), limits, read_graph)
        _send(replies, reply)


def _own_pipes() -> tuple[int, BinaryIO]:
    """Descriptors of our own for requests and replies; what a library prints goes nowhere."""
    requests, replies = os.dup(0), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    return requests, replies


def _listen(requests: int, lines: list[bytes], ready: threading.Semaphore) -> None:
    """Take requests, and end the process at once when the parent is gone, even in the middle of a file."""
    pending = b""
    while block := os.read(requests, 1 << 16):
        *complete, pending = (pending + block).split(b"\n")
        for line in complete:
            lines.append(line)
            ready.release()
    os._exit(0)


def _send(replies: BinaryIO, reply: Extraction | Failure) -> None:
    payload = pickle.dumps(reply, protocol=pickle.HIGHEST_PROTOCOL)
    replies.write(HEADER.pack(len(payload)) + payload)
    replies.flush()


def _limit_memory(limits: ExtractionLimits) -> None:
    # Private writable memory counts, not the libraries that are mapped: those would need another limit on each machine.
    size = limits.memory_mb * MEBIBYTE
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_processor_time(limits: ExtractionLimits) -> None:
    """A second line behind the parent's clock: processor time ends a worker that holds the interpreter's lock when nobody is left to kill it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + limits.seconds) + 5
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


if __name__ == "__main__":
    # Pickle names classes by their module: as "__main__" the parent could not find them.
    from ingestion.worker import main as serve

    serve()
