"""What a worker does whose reader was taken over by a hostile file: it stands in for the reader of the knowledge graph (`ExtractionPool`'s
`graph_reader`), is told in the document's text what to try, and says in the graph how each try went."""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.documents import ExtractedDocument
from core.graph import DocumentGraph, EntityType, FoundEntity
from ingestion.workers.worker_protocol import HEADER, FrameKind

TOLD_MARK = "The reader of this file is told: "


def text_telling(what: object) -> str:
    """The text of a file that tells it."""
    return f"{TOLD_MARK}{json.dumps(what)}\n"


def _read_told(document: ExtractedDocument) -> Any:
    return json.loads(document.text.partition(TOLD_MARK)[2])


def try_everything(document: ExtractedDocument, name: str, title: str) -> DocumentGraph:
    """Try the network, files elsewhere and the parent; then write in its own folder, as a reader may."""
    told = _read_told(document)
    tries = [*_network_tries(told["port"], told["socket"]), *_foreign_file_tries(Path(told["file"])), *_own_folder_tries()]
    return DocumentGraph(tuple(FoundEntity(what, _outcome(attempt), EntityType.CONCEPT, ((0, 1),)) for what, attempt in tries))


Try = tuple[str, Callable[[], object]]


def _network_tries(port: int, path: str) -> list[Try]:
    return [
        ("connect", lambda: socket.create_connection(("127.0.0.1", port), timeout=5)),
        ("datagram", lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)),
        ("connect in the file system", lambda: socket.socket(socket.AF_UNIX).connect(path)),
        ("program with a network", lambda: subprocess.run(["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{port}"], check=True, capture_output=True)),
    ]


def _foreign_file_tries(file: Path) -> list[Try]:
    return [
        ("leave to write", lambda: _ask_to_write(file)),
        ("write", lambda: file.with_name("made.txt").write_text("made")),
        ("change", lambda: file.open("ab")),
        ("delete", file.unlink),
        ("move", lambda: file.rename(file.with_name("moved.txt"))),
        ("link", lambda: os.link(file, Path(tempfile.gettempdir()) / "link")),
        ("permit", lambda: file.chmod(0o777)),
        ("date", lambda: os.utime(file, (0, 0))),
        ("program that writes", lambda: subprocess.run(["touch", str(file.with_name("touched.txt"))], check=True, capture_output=True)),
        ("signal", lambda: os.kill(os.getppid(), 0)),
    ]


def _ask_to_write(file: Path) -> None:
    if not os.access(file, os.W_OK):
        raise PermissionError(file)


def _own_folder_tries() -> list[Try]:
    def write() -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.txt").write_text("a")

    return [("own folder", write), ("own program", lambda: subprocess.run(["true"], check=True, stdout=subprocess.DEVNULL))]


def _outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except (OSError, subprocess.CalledProcessError) as error:
        return type(error).__name__
    return "done"


class _Harmful:
    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (self.path,)


def send_a_pickle(document: ExtractedDocument, name: str, title: str) -> DocumentGraph:
    """Answer with a pickle that makes the folder that the text names, wherever it is unpickled."""
    body = pickle.dumps(_Harmful(_read_told(document)))
    _write_into_pipes(HEADER.pack(FrameKind.REPLY, len(body)) + body)
    return DocumentGraph()


def send_no_frame(document: ExtractedDocument, name: str, title: str) -> DocumentGraph:
    """Answer with what no reader says, as the text has it: a kind of frame and its size."""
    kind, size = _read_told(document)
    _write_into_pipes(HEADER.pack(kind, size) + b"\xff" * min(size, 100))
    return DocumentGraph()


def _write_into_pipes(data: bytes) -> None:
    """Write into every pipe that is open for writing: one of them leads to the server."""
    for entry in os.listdir("/proc/self/fd"):  # noqa: PTH208  (descriptors are numbers)
        try:
            if os.readlink(f"/proc/self/fd/{entry}").startswith("pipe:"):  # noqa: PTH115  (it leads to no file)
                os.write(int(entry), data)
        except OSError:
            continue  # one that is open for reading, or that listed them
