"""Reads one file in a worker: its bytes under limits, its document, its profile and graph; whatever goes wrong becomes a `Failure`."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import IO, Protocol

from core.documents import DocumentProfile, ExtractedDocument
from core.errors import Empty, ExtractionError, LimitExceeded, Malformed, Vanished, VantageError
from core.graph import DocumentGraph
from core.tables import TypedTable
from ingestion.readers.base.source import LARGE_FILE_BYTES, MEBIBYTE, ExtractionLimits, Source
from ingestion.workers.worker_protocol import Extraction, Failure

_BLOCK = 1 << 20
_HEAD = 1 << 20  # what is kept in memory of a file that is read piece by piece
_DESCRIPTORS = Path("/proc/self/fd")
GraphReader = Callable[[ExtractedDocument, str, str], DocumentGraph]  # document, file name, title


@dataclass(slots=True)
class ContentDigest:
    """What is known of a file's bytes so far: their sha256 (hex) and number."""

    content_hash: str = ""
    size: int = 0


class SourceFactory(Protocol):
    """Factory of a `Source` from a file's beginning or whole, and the path where it is read from there."""

    def __call__(self, data: bytes, path: Path | None = None) -> Source: ...


# -- bytes ---------------------------------------------------------------------------------------------------------------------------


@contextmanager
def file_source(path: Path, limits: ExtractionLimits, taken: ContentDigest, shape: SourceFactory) -> Iterator[Source]:
    """Open a regular file as a `Source`: in memory, or by its path where it is large and its reader takes it piece by piece.

    Raises:
        LimitExceeded: it is larger than the limits allow for its type.
        Malformed: it is no regular file.
        ExtractionError: the system refuses to read it, or it is gone.
    """
    try:
        # O_NONBLOCK: opening a named pipe must not wait for its writer.
        with FileIO(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Malformed("This is no regular file.")
            source = (
                _open_large(file, path, status.st_size, limits, taken, shape) if status.st_size > min(LARGE_FILE_BYTES, limits.file_bytes) else None
            )
            if source is None:
                data = _read_bytes(file, status.st_size, limits)
                taken.content_hash, taken.size = hashlib.sha256(data).hexdigest(), len(data)
                source = shape(data)
    except OSError as error:
        raise _reading_error(error) from error
    yield source


def _reading_error(error: OSError) -> ExtractionError:
    match error:
        case FileNotFoundError():
            return Vanished("The file is gone: it was deleted or moved while its folder was indexed.")
        case IsADirectoryError():
            return Malformed("This is no regular file.")
        case PermissionError():
            return ExtractionError("Permission denied. Allow reading it and index again.")
    return ExtractionError(f"The file cannot be read: {error.strerror or error}. Check its disk, then index again.")


def _open_large(file: FileIO, path: Path, size: int, limits: ExtractionLimits, taken: ContentDigest, shape: SourceFactory) -> Source | None:
    """Return the source by its path, or None where the file must be in memory, and may."""
    source = shape(file.read(_HEAD), path)
    streamed = is_streamed(source)
    limit, name = (limits.streamed_bytes, "max_streamed_file_mb") if streamed else (limits.file_bytes, "max_file_mb")
    if size > limit:
        raise LimitExceeded(f"The file has {size / MEBIBYTE:,.0f} MiB; the limit is {limit / MEBIBYTE:,.0f} MiB (ingestion.{name}).")
    file.seek(0)
    if not streamed:
        return None
    digest = hashlib.sha256()
    while block := file.read(_BLOCK):
        digest.update(block)
        taken.size += len(block)
    taken.content_hash = digest.hexdigest()
    return source


def is_streamed(source: Source) -> bool:
    """Return whether the reader of such a file takes it piece by piece."""
    from ingestion.readers.detection import detect
    from ingestion.readers.registry import STREAMED

    try:
        return detect(source) in STREAMED
    except ExtractionError:
        return False


def _read_bytes(file: FileIO, size: int, limits: ExtractionLimits) -> bytes:
    """Read whole blocks as the system gives them: one for nearly every file, so that its bytes are in memory once."""
    blocks: list[bytes] = []
    read = 0
    while block := file.read(max(1, size + 1 - read)):
        blocks.append(block)
        read += len(block)
        if read > limits.file_bytes:
            raise LimitExceeded(f"The file grew over {limits.file_bytes / MEBIBYTE:,.0f} MiB while it was read (ingestion.max_file_mb).")
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


class _HashingStream(io.RawIOBase):
    """A stream that writes to a file and hashes what it writes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.digest = file, hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.digest.update(data)
        return self._file.write(data)


@contextmanager
def copied_source(copy: Callable[[IO[bytes]], int], limits: ExtractionLimits, taken: ContentDigest, shape: SourceFactory) -> Iterator[Source]:
    """Open what `copy` writes as a `Source`: in memory, or, where it is large, in a nameless private file.

    Raises:
        LimitExceeded: it is larger than the limits allow for its type.
    """
    with tempfile.SpooledTemporaryFile(LARGE_FILE_BYTES, "w+b") as file:
        hashing = _HashingStream(file)
        taken.size = copy(hashing)  # type: ignore[arg-type]
        taken.content_hash = hashing.digest.hexdigest()
        file.seek(0)
        if taken.size > LARGE_FILE_BYTES and _DESCRIPTORS.exists():
            file.flush()
            source = shape(file.read(_HEAD), _DESCRIPTORS / str(file.fileno()))
            if is_streamed(source):
                yield source
                return
            file.seek(0)
        if taken.size > limits.file_bytes:
            raise LimitExceeded(
                f"It has {taken.size / MEBIBYTE:,.0f} MiB; the limit is {limits.file_bytes / MEBIBYTE:,.0f} MiB (ingestion.max_file_mb)."
            )
        yield shape(file.read())


# -- documents -----------------------------------------------------------------------------------------------------------------------


def extract_document(source: Source) -> ExtractedDocument:
    """Extract the document of a file. Raises ExtractionError, among them `Empty` for a file without text and without pictures to be described."""
    from ingestion.readers.registry import extract

    document = extract(source)
    if not document.text.strip() and not document.figures:
        raise Empty("There is no text in this file.")
    return document


def extraction_of(
    document: ExtractedDocument, name: str, taken: ContentDigest, read_graph: GraphReader | None, *, complete: bool = True
) -> Extraction:
    """Complete a document with its profile, its graph and its tables as typed rows: what takes long is done here and not where questions are
    answered."""
    profile = _profile(document, name)
    graph, error = _graph(document, name, profile.title, read_graph)
    return Extraction(document, profile, taken.content_hash, taken.size, graph, error, complete, _type_tables(document))


def _type_tables(document: ExtractedDocument) -> tuple[TypedTable, ...]:
    from ingestion.tables.typed_columns import typed_tables

    return typed_tables(document) if document.tables else ()


def _profile(document: ExtractedDocument, name: str) -> DocumentProfile:
    from ingestion.enrichment.profile import profile_document

    return profile_document(document, name)


def _graph(document: ExtractedDocument, name: str, title: str, read_graph: GraphReader | None) -> tuple[DocumentGraph | None, str]:
    """Read the document's knowledge graph, or return why there is none: a file is worth reading without it."""
    if read_graph is None:
        return None, ""
    try:
        return read_graph(document, name, title), ""
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001  reported by the parent; the document itself was read
        return None, f"{type(error).__name__}: {str(error)[:200]}"


def failure_of(error: Exception, limits: ExtractionLimits, taken: ContentDigest) -> Failure:
    """Make the ledger's reason of what a parser raised on a file: any error of any parser is this file's, not the worker's."""
    digest, size = taken.content_hash, taken.size
    match error:
        case VantageError():
            return Failure(type(error).__name__, str(error), digest, size)
        case MemoryError():
            message = f"Reading it takes more than {limits.memory_mb:,} MiB of memory (ingestion.memory_mb)."
            return Failure(LimitExceeded.__name__, message, digest, size, worn=True)
        case RecursionError():
            return Failure(LimitExceeded.__name__, "It is nested too deeply to be read.", digest, size)
    return Failure(Malformed.__name__, f"The reader failed on it: {type(error).__name__}: {str(error)[:200]}", digest, size)
