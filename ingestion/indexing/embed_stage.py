"""The embedding stage: batches are filled from all documents that wait, longest chunks first, so that the model never idles or pads."""

from __future__ import annotations

import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import anyio
import anyio.to_thread
import numpy as np
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from numpy.typing import NDArray

from core.documents import Chunk, embedded_text
from core.ports import Embedder, EncodedPassages, TokenVectors
from ingestion.scan.sync_plan import FileTask
from ingestion.workers.worker_protocol import Extraction

_SPOOL_BYTES = 16 << 20  # bytes of a document's token vectors that stay in memory; the rest goes to a nameless file
_CONCURRENT_CALLS = 2  # calls at a time: while one is computed, the other is tokenised or stored


class TokenSpool:
    """Token vectors of a document's chunks until the chunks have ids, as bfloat16; a large document's lie in a nameless file in `folder`.

    The encoder computes in bfloat16, and cutting a float32 in half costs a tenth of making a float16.
    """

    def __init__(self, chunks: int, folder: Path) -> None:
        self._places: list[tuple[int, int, int]] = [(0, 0, 0)] * chunks
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(_SPOOL_BYTES, "w+b", dir=str(folder))  # noqa: SIM115  (closed by its owner)
        self._lock = threading.Lock()

    def add_tokens(self, ordinal: int, tokens: TokenVectors) -> None:
        count, dimension = tokens.vectors.shape
        bits = np.ascontiguousarray(tokens.vectors, np.float32).view(np.uint32) + np.uint32(0x8000)  # rounds to the nearest
        data = (tokens.ids.astype(np.int32), tokens.spans.astype(np.int32), (bits >> np.uint32(16)).astype(np.uint16))
        with self._lock:  # the embedder's threads add chunks of one document at the same time
            self._places[ordinal] = (self._file.seek(0, 2), count, dimension)
            self._file.write(b"".join(part.tobytes() for part in data))

    def __iter__(self) -> Iterator[TokenVectors]:
        for place, count, dimension in self._places:
            self._file.seek(place)
            ids = np.frombuffer(self._file.read(4 * count), np.int32)
            spans = np.frombuffer(self._file.read(8 * count), np.int32).reshape(count, 2)
            halves = np.frombuffer(self._file.read(2 * count * dimension), np.uint16).reshape(count, dimension)
            yield TokenVectors(ids, spans, (halves.astype(np.uint32) << np.uint32(16)).view(np.float32))

    def close(self) -> None:
        self._file.close()


@dataclass(slots=True)
class PreparedDocument:
    """A document on its way through embedding. `vectors` float16 [chunks, dimension] fills up; `missing_chunks` counts the chunks still to come."""

    task: FileTask
    extraction: Extraction
    chunks: tuple[Chunk, ...]
    vectors: NDArray[np.float16]
    tokens: TokenSpool | None = None
    missing_chunks: int = field(init=False)

    def __post_init__(self) -> None:
        self.missing_chunks = len(self.chunks)

    @property
    def weight(self) -> int:
        return weight_of(self.extraction)

    def close(self) -> None:
        if self.tokens is not None:
            self.tokens.close()

    def text(self, ordinal: int) -> str:
        chunk = self.chunks[ordinal]
        return embedded_text(chunk.prefix, self.extraction.document.text[chunk.start : chunk.end])


def weight_of(extraction: Extraction) -> int:
    """Return the bytes that a document counts against the budget: those of its worker's reply, its text at least."""
    return max(extraction.weight, len(extraction.document.text))


Row = tuple[PreparedDocument, int]


@dataclass(frozen=True, slots=True)
class EmbedStage:
    """Turns prepared documents into finished ones.

    `window` chunks are sorted by length together and cut into calls of `slice_size`; `on_embedded(document, chunks)` gets each call's share.
    """

    embedder: Embedder
    window: int
    slice_size: int
    on_embedded: Callable[[PreparedDocument, int], None]

    async def run(self, prepared: MemoryObjectReceiveStream[PreparedDocument], finished: MemoryObjectSendStream[PreparedDocument]) -> None:
        """Embed until `prepared` ends; closes `finished`."""
        send, receive = anyio.create_memory_object_stream[list[Row]](0)
        async with prepared, finished, anyio.create_task_group() as group:
            for _ in range(_CONCURRENT_CALLS):
                group.start_soon(self._embed, receive.clone(), finished.clone())
            receive.close()
            async with send:
                await self._feed(prepared, send)

    async def _feed(self, prepared: MemoryObjectReceiveStream[PreparedDocument], slices: MemoryObjectSendStream[list[Row]]) -> None:
        waiting: deque[Row] = deque()
        open_ended = True
        while open_ended or waiting:
            open_ended = await self._fill(prepared, waiting) if open_ended else False
            rows = [waiting.popleft() for _ in range(min(self.window, len(waiting)))]
            rows.sort(key=lambda row: -row[0].chunks[row[1]].tokens)
            for start in range(0, len(rows), self.slice_size):
                await slices.send(rows[start : start + self.slice_size])

    async def _fill(self, prepared: MemoryObjectReceiveStream[PreparedDocument], waiting: deque[Row]) -> bool:
        """Top up the window with what is ready; wait only where there is nothing at all. Return False at the end of the stream."""
        try:
            while len(waiting) < self.window:
                document = prepared.receive_nowait() if waiting else await prepared.receive()
                waiting.extend((document, ordinal) for ordinal in range(len(document.chunks)))
        except anyio.WouldBlock:
            return True
        except anyio.EndOfStream:
            return False
        return True

    async def _embed(self, slices: MemoryObjectReceiveStream[list[Row]], finished: MemoryObjectSendStream[PreparedDocument]) -> None:
        async with slices, finished:
            async for rows in slices:
                with_tokens = any(document.tokens is not None for document, _ in rows)
                encoded = await self.embedder.embed_passages([document.text(ordinal) for document, ordinal in rows], with_tokens=with_tokens)
                await anyio.to_thread.run_sync(_store_vectors, rows, encoded)
                for document, _ in rows:
                    self.on_embedded(document, 1)
                    document.missing_chunks -= 1
                    if not document.missing_chunks:
                        await finished.send(document)


def _store_vectors(rows: Sequence[Row], encoded: EncodedPassages) -> None:
    for place, (document, ordinal) in enumerate(rows):
        document.vectors[ordinal] = encoded.vectors[place]
        if document.tokens is not None and encoded.tokens:
            document.tokens.add_tokens(ordinal, encoded.tokens[place])
