"""The search index and the token vectors beside it: derived, and made again from the library when lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from core.ports.text_encoders import TokenVectors
from core.search import Filters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk as the index needs it. `text` is the chunk's own text, `headings` its section path joined."""

    id: int
    text: str
    headings: str
    vector: NDArray[np.float32] | NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """All that the index keeps of one document. Upserting replaces whatever stood under `id`."""

    id: str
    tenant: str
    collection: str
    generation: int
    paths: tuple[str, ...]
    filename: str
    title: str
    keywords: tuple[str, ...]
    summary: str
    file_type: str
    doc_type: str
    language: str
    modified_at: datetime | None
    chunks: tuple[IndexedChunk, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a leg found; `score` is the leg's own (BM25, cosine)."""

    chunk_id: int
    document_id: str
    score: float


@dataclass(frozen=True, slots=True)
class LexicalResult:
    """`upper_bound` is the highest score that the query could reach (for the ratio among the signals); `terms` are the analysed terms
    with their idf."""

    hits: tuple[Hit, ...]
    upper_bound: float
    terms: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexCounts:
    documents: int
    chunks: int
    vectors: int
    bytes_on_disk: int


class SearchIndex(Protocol):
    """Both legs behind one port. Writes become visible together at `commit`; an upsert is idempotent per (id, generation)."""

    async def upsert(self, documents: Sequence[IndexedDocument]) -> None: ...
    async def delete(self, tenant: str, document_ids: Sequence[str]) -> None: ...
    async def commit(self) -> None: ...
    async def documents_beside_deleted(self) -> dict[str, tuple[str, int]]:
        """Return document id -> tenant and entries, of documents whose words are stored together with those of deleted ones: once each is written
        again (`rewrite_words`, `commit`), nothing of the deleted ones is left in the index's files."""
        ...

    async def rewrite_words(self, documents: Sequence[IndexedDocument]) -> None:
        """Write the words of these documents again; their vectors stay as they are."""
        ...

    async def search_lexical(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult: ...
    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]: ...
    async def vectors(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]: ...
    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        """Return the analysed terms of `text` (lower case, stemmed, stop words left out) with their idf (BM25's) in this tenant's chunks."""
        ...

    def terms(self, text: str) -> list[str]:
        """Return the analysed terms of `text` in order, with repeats: the same analysis as `idf` and the index itself."""
        ...

    async def generations(self) -> dict[str, int]:
        """Return document id -> generation of everything that is committed: compared with the library at start-up for replay."""
        ...

    async def languages(self, tenant: str) -> dict[str, int]:
        """Return language (ISO 639-1, "" where it is unknown) -> documents of the tenant."""
        ...

    async def counts(self) -> IndexCounts: ...
    async def close(self) -> None: ...


class TokenStore(Protocol):
    """Token vectors of chunks for late interaction, derived and reduced; whatever is missing is encoded on the fly."""

    async def put(self, rows: Sequence[tuple[int, TokenVectors]]) -> None: ...
    async def get(self, chunk_ids: Sequence[int]) -> dict[int, TokenVectors]: ...
    async def delete(self, chunk_ids: Sequence[int]) -> None: ...
    async def reclaim_space(self) -> None:
        """Reclaim the space of deleted documents: nothing of them stays in its log."""
        ...

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return query token vectors in the space of the stored ones."""
        ...

    async def close(self) -> None: ...
