"""What indexing needs around it: documents made in a line, a reader of text files, and fakes of embedder, index and token store."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.lowlevel
import numpy as np
from numpy.typing import NDArray

from core import errors
from core.documents import Block, BlockKind, DocumentProfile, ExtractedDocument, Metadata, PageUnit, Section, Table
from core.ports import REFERENCE_SCALE, EncodedPassages, IndexedDocument, TokenVectors
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.workers.pool import Extraction
from ingestion.workers.worker_protocol import Demand
from tests.support.memory_index import InMemoryIndex

_PIECES = re.compile(r"\w{1,4}|[^\w\s]")


def token_spans(text: str) -> NDArray[np.int32]:
    """Tokens of at most four letters, each mark a token of its own: offsets [tokens, 2]."""
    return np.array([match.span() for match in _PIECES.finditer(text)], np.int32).reshape(-1, 2)


def document(blocks: Sequence[tuple[BlockKind, str]], levels: Sequence[int] = ()) -> ExtractedDocument:
    """A document from (kind, text) in reading order. A table's text has a row per line, the first naming the columns."""
    text, made, tables, marks = "", [], [], []
    for index, (kind, piece) in enumerate(blocks):
        text += "\n\n" if text else ""
        start, end = len(text), len(text) + len(piece)
        level = levels[index] if index < len(levels) else 1
        if kind is BlockKind.TABLE:
            tables.append(_table(piece, start))
        if kind is BlockKind.HEADING:
            marks.append((start, piece, level))
        made.append(Block(kind, start, end, page=1, level=level, table=len(tables) - 1 if kind is BlockKind.TABLE else None))
        text += piece
    return ExtractedDocument(text, tuple(made), _sections(marks, len(text)), tuple(tables), (), PageUnit.NONE, Metadata(), "test")


def _table(piece: str, start: int) -> Table:
    spans, at = [], start
    for line in piece.split("\n"):
        spans.append((at, at + len(line)))
        at += len(line) + 1
    return Table(start, start + len(piece), tuple(tuple(line.split(" | ")) for line in piece.split("\n")), tuple(spans))


def _sections(marks: Sequence[tuple[int, str, int]], end: int) -> tuple[Section, ...]:
    sections = [] if marks and marks[0][0] == 0 else [Section((), 0, marks[0][0] if marks else end)]
    opened: list[tuple[str, int]] = []
    for (start, title, level), stop in zip(marks, [*(mark[0] for mark in marks[1:]), end], strict=False):
        opened = [(name, depth) for name, depth in opened if depth < level] + [(title, level)]
        sections.append(Section(tuple(name for name, _ in opened), start, stop, level))
    return tuple(sections)


_WHOLE = Demand()


class FileReader:
    """Reads text files: paragraphs parted by blank lines, headings after "# ". A file that begins with "!encrypted" or the like raises that."""

    size = 2

    def __init__(self) -> None:
        self.read: list[str] = []

    async def read_members(self, path: Path, demand: Demand, on_member: OnMember, on_progress: OnProgress | None = None) -> None:
        raise NotImplementedError("text files hold no others")

    async def extract(
        self, path: Path, demand: Demand = _WHOLE, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        self.read.append(path.name)
        data = await anyio.Path(path).read_bytes()
        text = data.decode("utf-8", "replace")
        for word, error in ERRORS.items():
            if text.startswith(f"!{word}"):
                raise error(f"The file is {word}.")
        made = _parse_text(text)
        summary = text[:40]
        profile = DocumentProfile(text.split("\n")[0][:20].strip(), summary, summary, ("word",), (), "en", "text")
        return Extraction(made, profile, hashlib.sha256(data).hexdigest(), len(data))


ERRORS: dict[str, type[Exception]] = {
    "encrypted": errors.Encrypted,
    "unsupported": errors.Unsupported,
    "empty": errors.Empty,
    "malformed": errors.Malformed,
    "crash": ZeroDivisionError,
}


def _parse_text(text: str) -> ExtractedDocument:
    pieces = [piece.strip() for piece in text.split("\n\n") if piece.strip()]
    if not pieces:
        raise errors.Empty("There is no text in this file.")
    made = document([(BlockKind.HEADING, piece[2:]) if piece.startswith("# ") else (BlockKind.PARAGRAPH, piece) for piece in pieces])
    return replace(made, warnings=("Half of it is missing.",)) if text.startswith("!partial") else made


class HashEmbedder:
    """Unit vectors and token vectors that follow from the text alone. `delay` seconds pass in each call."""

    name, dimension, window, scale = "hash", 8, 256, REFERENCE_SCALE

    def __init__(self, delay: float = 0.0) -> None:
        self.texts: list[str] = []
        self.delay = delay
        self.failure: Exception | None = None

    def token_spans(self, text: str) -> NDArray[np.int32]:
        return token_spans(text)

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        await anyio.sleep(self.delay)
        if self.failure is not None:
            raise self.failure
        self.texts += texts
        tokens = tuple(self._tokens(text) for text in texts) if with_tokens else ()
        return EncodedPassages(np.stack([self._vector(text) for text in texts]), tokens)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    async def embed_query_tokens(self, text: str) -> TokenVectors:
        return self._tokens(text)

    async def close(self) -> None:
        pass

    def _vector(self, text: str) -> NDArray[np.float32]:
        numbers = np.frombuffer(hashlib.sha256(text.encode()).digest()[: self.dimension], np.uint8).astype(np.float32) - 127.5
        unit: NDArray[np.float32] = numbers / np.linalg.norm(numbers)
        return unit

    def _tokens(self, text: str) -> TokenVectors:
        spans = token_spans(text)
        vectors = np.stack([self._vector(text[a:b]) for a, b in spans])
        return TokenVectors(np.arange(len(spans), dtype=np.int32), spans, vectors)


class MemoryIndex(InMemoryIndex):
    """A search index whose upserts raise `failure`."""

    def __init__(self) -> None:
        super().__init__(HashEmbedder.dimension)
        self.failure: Exception | None = None

    async def upsert(self, documents: Sequence[IndexedDocument]) -> None:
        if self.failure is not None:
            raise self.failure
        await super().upsert(documents)


class MemoryTokens:
    """A `TokenStore` in a dictionary."""

    def __init__(self) -> None:
        self.rows: dict[int, TokenVectors] = {}

    async def put(self, rows: Sequence[tuple[int, TokenVectors]]) -> None:
        self.rows.update(rows)

    async def get(self, chunk_ids: Sequence[int]) -> dict[int, TokenVectors]:
        return {each: self.rows[each] for each in chunk_ids if each in self.rows}

    async def delete(self, chunk_ids: Sequence[int]) -> None:
        for each in chunk_ids:
            self.rows.pop(each, None)

    async def reclaim_space(self) -> None:
        """Nothing is kept of what was deleted."""

    async def chunk_ids(self) -> list[int]:
        return list(self.rows)

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return vectors

    async def close(self) -> None:
        pass
