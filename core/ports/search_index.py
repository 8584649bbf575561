"""The search index and the token vectors beside it: derived, and made again from the library when lost."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from core.ports.text_encoders import TokenVectors
from core.search import Filters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True)
class IndexCondition:
    """How an index fares. `state`: ok; degraded: it answers, and something is wrong; down: it does not answer. `advice` is what a person can do, ""
    for nothing."""

    state: Literal["ok", "degraded", "down"]
    detail: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class FilterableDocument:
    """A document as filters see it, with its chunks' ids in their order. `places` are its paths and the folders above them, `modified` is in
    microseconds since 1970 (the lowest int64: no time is known); kinds and language are lower case."""

    id: str
    tenant: str
    generation: int
    chunk_ids: tuple[int, ...]
    collection: str
    places: frozenset[str]
    file_type: str
    doc_type: str
    language: str
    modified: int


class IndexFollower(Protocol):
    """Listener that is told of each write to an index, where the writing is done, and keeps in step with it. Blocks."""

    def on_upsert(self, document: IndexedDocument) -> None: ...
    def on_delete(self, tenant: str, document_ids: Sequence[str]) -> None: ...
    def on_commit(self) -> None: ...
    def on_discard(self) -> None:
        """A commit failed: what was told since the last one does not hold."""
        ...


class SearchIndex(Protocol):
    """Words and vectors of all documents behind one port: whoever opens, fills, searches or switches an index knows no more of it.

    Writes become visible together at `commit`; an upsert is idempotent per (id, generation). An index may keep a part of itself in memory alone:
    after it was opened, every document is brought with `load`, whatever the library no longer has goes with `retain`, and then comes a `commit`.
    """

    # ------------------------------------------------------------------------------------------------------------------ writing
    async def upsert(self, documents: Sequence[IndexedDocument]) -> None: ...
    async def load_documents(self, documents: Sequence[IndexedDocument]) -> None:
        """As `upsert`, but what is kept on disk in the same generation stays as it is."""
        ...

    async def delete(self, tenant: str, document_ids: Sequence[str]) -> None: ...
    async def retain(self, live: Mapping[str, Any]) -> int:
        """Delete every document, of any tenant, that is no key of `live`; returns how many."""
        ...

    async def commit(self) -> None: ...
    async def documents_beside_deleted(self) -> dict[str, tuple[str, int]]:
        """Return document id -> tenant and entries, of documents whose words are stored together with those of deleted ones: once each is written
        again (`rewrite_words`, `commit`), nothing of the deleted ones is left in the index's files."""
        ...

    async def rewrite_words(self, documents: Sequence[IndexedDocument]) -> None:
        """Write the words of these documents again; their vectors stay as they are."""
        ...

    async def close(self) -> None: ...

    # ------------------------------------------------------------------------------------------------------------------ searching
    async def search_lexical(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult: ...
    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]: ...
    async def vectors(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]: ...
    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        """Return the analysed terms of `text` (lower case, stemmed, stop words left out) with their idf (BM25's) in this tenant's chunks."""
        ...

    async def chunks_with_similar_term(self, tenant: str, term: str, distance: int, limit: int) -> list[int]:
        """Ids of this tenant's chunks with a term within so many edits of this one, in no order."""
        ...

    def terms(self, text: str) -> list[str]:
        """Return the analysed terms of `text` in order, with repeats: the same analysis as `idf` and the index itself."""
        ...

    @property
    def analysis(self) -> Callable[[str], list[str]]:
        """`terms`, for who keeps it: it holds no vectors, and outlives a switch of the model (`with_vectors`)."""
        ...

    # ------------------------------------------------------------------------------------------------------------------ what it holds
    async def generations(self) -> dict[str, int]:
        """Return document id -> generation of everything that is committed: compared with the library at start-up for replay."""
        ...

    async def chunk_ids(self) -> set[int]:
        """All chunks that have a vector."""
        ...

    async def languages(self, tenant: str) -> dict[str, int]:
        """Return language (ISO 639-1, "" where it is unknown) -> documents of the tenant."""
        ...

    async def all_languages(self) -> set[str]:
        """The languages of all tenants' documents."""
        ...

    async def counts(self) -> IndexCounts: ...
    async def check_condition(self) -> IndexCondition:
        """Return how it fares now, within a few seconds; whatever is wrong is said there, and not raised."""
        ...

    @property
    def memory_bytes(self) -> int:
        """Memory that the vectors take in this process."""
        ...

    # ------------------------------------------------------------------------------------------------------------------ other vectors
    async def with_vectors(self, dimension: int, found: AsyncIterable[tuple[str, int, NDArray[np.float16]]]) -> SearchIndex:
        """Return an index of the same words with the vectors of another embedding model: `found` are (document id, generation, [chunks, dimension])
        in the order of the chunks. Nobody may write meanwhile; whoever searches this index goes on doing so, and from then on the new one alone is
        written to. It has the same followers.

        What `found` does not have, or has of another generation, is in the new index with its words alone. Raises InvalidInput for vectors that
        do not fit.
        """
        ...

    @property
    def followers(self) -> list[IndexFollower]:
        """Listeners that are told of each write: whoever wants to be appends itself, and removes itself."""
        ...

    async def run_in_writer(self, work: Callable[[], T]) -> T:
        """Do `work`, which blocks, where the index does its writing: no write of the index is done at the same time."""
        ...

    def filterable_document(self, document_id: str) -> FilterableDocument | None:
        """The newest version of a document, one that waits for the commit included; None where it is gone. For `work` of `write`."""
        ...


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


class SharedSearchIndex(SearchIndex, Protocol):
    """A search index that several processes write, one at a time, and all search."""

    @property
    def commits(self) -> int:
        """How many commits this process made that changed anything."""
        ...

    async def catch_up(self, live: Mapping[str, Any]) -> tuple[set[str], dict[str, str]]:
        """Take over what other processes committed since; `live` are the documents of the library. Return the ids of those that are new or changed,
        and id -> tenant of those that are gone, whose last traces the next commit takes out. Nobody else may be writing."""
        ...

    async def tell_followers(self, documents: Sequence[IndexedDocument], gone: Mapping[str, Sequence[str]]) -> None:
        """Tell who follows this index what other processes committed: documents, and tenant -> ids of those that are gone."""
        ...
