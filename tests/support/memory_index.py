"""A complete `core.ports.SearchIndex` in dictionaries: every search looks at every chunk, and nothing is kept on disk.

For tests, and to show what a second engine has to do (docs/add-a-search-engine.md). Whatever is read or written is done at once, in the event loop,
so that readers see whole commits only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncIterable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.errors import InvalidInput
from core.ownership import libraries_read
from core.ports import FilterableDocument, Hit, IndexCondition, IndexCounts, IndexedDocument, IndexFollower, LexicalResult
from core.search import Filters
from retrieval.analysis import prepare_document_text, prepare_question_text, text_analyser
from retrieval.lexical_schema import normalise_path, to_microseconds
from retrieval.vector_table import NEVER, make_filterable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from retrieval.search_engines import IndexOptions

T = TypeVar("T")
K1, B = 1.2, 0.75  # of BM25, as in `retrieval.lexical_index`


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document: as it came, as filters see it, the terms of each chunk and of its own fields, and its vectors [chunks, dimension]."""

    indexed: IndexedDocument
    document: FilterableDocument
    chunks: tuple[Counter[str], ...]
    names: Counter[str]
    matrix: NDArray[np.float32] | None


class InMemoryIndex:
    """Implements `core.ports.SearchIndex`. `known` are the entries of an index whose words this one shares."""

    def __init__(self, dimension: int, document_weight: float = 0.3, known: dict[str, _Entry] | None = None) -> None:
        self._dimension, self._document_weight = dimension, document_weight
        self._analyser = text_analyser()
        self._committed: dict[str, _Entry] = known or {}
        self._staged: dict[str, _Entry | None] = {}
        self.followers: list[IndexFollower] = []

    @classmethod
    async def open(cls, options: IndexOptions) -> InMemoryIndex:
        """Make an empty one: the library brings its documents."""
        return cls(options.dimension, options.document_weight)

    # ------------------------------------------------------------------------------------------------------------------ writing
    async def upsert(self, documents: Sequence[IndexedDocument]) -> None:
        for document in documents:
            self._staged[document.id] = self._entry(document)
            for follower in self.followers:
                follower.on_upsert(document)

    async def load_documents(self, documents: Sequence[IndexedDocument]) -> None:
        await self.upsert(documents)

    async def delete(self, tenant: str, document_ids: Sequence[str]) -> None:
        for document_id in document_ids:
            known = self.filterable_document(document_id)
            if known is not None and known.tenant == tenant:
                self._staged[document_id] = None
        for follower in self.followers:
            follower.on_delete(tenant, document_ids)

    async def retain(self, live: Mapping[str, Any]) -> int:
        gone = [entry.document for entry in self._committed.values() if entry.document.id not in live]
        for document in gone:
            await self.delete(document.tenant, [document.id])
        return len(gone)

    async def commit(self) -> None:
        entries = {**self._committed, **self._staged}
        self._committed, self._staged = {each: entry for each, entry in entries.items() if entry is not None}, {}
        for follower in self.followers:
            follower.on_commit()

    async def documents_beside_deleted(self) -> dict[str, tuple[str, int]]:
        return {}

    async def rewrite_words(self, documents: Sequence[IndexedDocument]) -> None:
        """Nothing of deleted documents is left anywhere."""

    async def close(self) -> None:
        """Nothing is open."""

    def _entry(self, document: IndexedDocument) -> _Entry:
        wrong = next((chunk.id for chunk in document.chunks if chunk.vector.shape != (self._dimension,)), None)
        if wrong is not None:
            raise InvalidInput(f"Chunk {wrong} has a vector of another model.")
        chunks = tuple(self._counted((chunk.headings, chunk.text)) for chunk in document.chunks)
        names = self._counted((document.title, document.filename, *document.keywords, document.summary))
        rows = [chunk.vector.astype(np.float16).astype(np.float32) for chunk in document.chunks]
        return _Entry(document, make_filterable(document), chunks, names, np.stack(rows) if rows else None)

    def _counted(self, texts: Iterable[str]) -> Counter[str]:
        return Counter(self._analyser.analyze(prepare_document_text("\n".join(texts))))

    # ------------------------------------------------------------------------------------------------------------------ searching
    async def search_lexical(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult:
        counts, idf = Counter(self.terms(text)), await self.idf(tenant, text)
        weights = {term: count * idf[term] for term, count in counts.items()}
        entries = list(self._own(tenant))
        chunks, names = _mean(each for entry in entries for each in entry.chunks), _mean(entry.names for entry in entries)
        hits = []
        for entry in entries:
            if not _passes(entry.document, filters):
                continue
            lift = self._document_weight * _bm25(weights, entry.names, names)
            scores = [_bm25(weights, terms, chunks) + lift for terms in entry.chunks]
            hits += [Hit(number, entry.document.id, score) for number, score in zip(entry.document.chunk_ids, scores, strict=True) if score > 0]
        return LexicalResult(_best(hits, limit), (1 + K1) * sum(weights.values()) if entries else 0.0, idf if entries else {})

    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        if vector.shape != (self._dimension,):
            raise InvalidInput(f"The question's vector has {vector.shape} numbers, the index {self._dimension}.")
        hits = []
        for entry in self._own(tenant):
            if entry.matrix is not None and _passes(entry.document, filters):
                scores = (entry.matrix @ vector).tolist()
                hits += [Hit(number, entry.document.id, score) for number, score in zip(entry.document.chunk_ids, scores, strict=True)]
        return _best(hits, limit)

    async def vectors(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        own = (entry for entry in self._own(tenant) if entry.matrix is not None)
        known = {number: (entry.matrix, row) for entry in own for row, number in enumerate(entry.document.chunk_ids)}
        return {number: matrix[row] for number, (matrix, row) in known.items() if matrix is not None and number in set(chunk_ids)}

    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        chunks = [chunk for entry in self._own(tenant) for chunk in entry.chunks]
        seen = {term: sum(term in chunk for chunk in chunks) for term in dict.fromkeys(self.terms(text))}
        return {term: math.log(1 + (len(chunks) - count + 0.5) / (count + 0.5)) for term, count in seen.items()}

    async def chunks_with_similar_term(self, tenant: str, term: str, distance: int, limit: int) -> list[int]:
        near = {each for entry in self._own(tenant) for chunk in entry.chunks for each in chunk if _edits(term, each) <= distance}
        own = self._own(tenant)
        found = [number for entry in own for number, chunk in zip(entry.document.chunk_ids, entry.chunks, strict=True) if near & chunk.keys()]
        return found[:limit]

    def terms(self, text: str) -> list[str]:
        found: list[str] = self._analyser.analyze(prepare_question_text(text))
        return found

    @property
    def analysis(self) -> Callable[[str], list[str]]:
        return InMemoryIndex(0).terms

    def _own(self, tenant: str) -> Iterator[_Entry]:
        libraries = libraries_read(tenant)
        return (entry for entry in self._committed.values() if entry.document.tenant in libraries)

    # ------------------------------------------------------------------------------------------------------------------ what it holds
    @property
    def committed(self) -> dict[str, IndexedDocument]:
        """What a search sees, by document id."""
        return {document_id: entry.indexed for document_id, entry in self._committed.items()}

    async def generations(self) -> dict[str, int]:
        return {document_id: entry.document.generation for document_id, entry in self._committed.items()}

    async def chunk_ids(self) -> set[int]:
        return {number for entry in self._committed.values() if entry.matrix is not None for number in entry.document.chunk_ids}

    async def languages(self, tenant: str) -> dict[str, int]:
        return dict(Counter(entry.document.language for entry in self._own(tenant)))

    async def all_languages(self) -> set[str]:
        return {entry.document.language for entry in self._committed.values()}

    async def counts(self) -> IndexCounts:
        chunks = sum(len(entry.chunks) for entry in self._committed.values())
        return IndexCounts(len(self._committed), chunks, len(await self.chunk_ids()), 0)

    async def check_condition(self) -> IndexCondition:
        counts = await self.counts()
        return IndexCondition("ok", f"{counts.chunks} passages in dictionaries")

    @property
    def memory_bytes(self) -> int:
        return sum(entry.matrix.nbytes for entry in self._committed.values() if entry.matrix is not None)

    # ------------------------------------------------------------------------------------------------------------------ other vectors
    async def with_vectors(self, dimension: int, found: AsyncIterable[tuple[str, int, NDArray[np.float16]]]) -> InMemoryIndex:
        entries = {document_id: replace(entry, matrix=None) for document_id, entry in self._committed.items()}
        async for document_id, generation, matrix in found:
            entry = entries.get(document_id)
            if entry is None or entry.document.generation != generation:
                continue
            if matrix.shape != (len(entry.chunks), dimension):
                raise InvalidInput(f"The vectors of document {document_id} are {matrix.shape}, not {(len(entry.chunks), dimension)}.")
            entries[document_id] = replace(entry, matrix=matrix.astype(np.float32))
        following = InMemoryIndex(dimension, self._document_weight, entries)
        following.followers = self.followers
        return following

    async def run_in_writer(self, work: Callable[[], T]) -> T:
        return work()

    def filterable_document(self, document_id: str) -> FilterableDocument | None:
        entry = self._staged[document_id] if document_id in self._staged else self._committed.get(document_id)
        return None if entry is None else entry.document


def _best(hits: Sequence[Hit], limit: int) -> tuple[Hit, ...]:
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:limit])


def _mean(texts: Iterable[Counter[str]]) -> float:
    lengths = [text.total() for text in texts]
    return sum(lengths) / len(lengths) if lengths else 0.0


def _bm25(weights: Mapping[str, float], text: Counter[str], mean: float) -> float:
    """sum_t w_t f_t (k1 + 1) / (f_t + k1 (1 - b + b length / mean)) (Robertson & Zaragoza 2009, https://doi.org/10.1561/1500000019)."""
    norm = K1 * (1 - B + B * text.total() / mean) if mean else K1
    return sum(weight * text[term] * (K1 + 1) / (text[term] + norm) for term, weight in weights.items() if term in text)


def _passes(document: FilterableDocument, filters: Filters) -> bool:
    after, before = (None if each is None else to_microseconds(each) for each in (filters.modified_after, filters.modified_before))
    kinds = ((document.file_type, filters.file_types), (document.doc_type, filters.doc_types), (document.language, filters.languages))
    return (
        (filters.collection is None or document.collection == filters.collection)
        and (filters.path_prefix is None or normalise_path(filters.path_prefix) in document.places)
        and (not (listed := filters.listed_documents()) or document.id in listed)
        and all(not wanted or kind in {each.lower() for each in wanted} for kind, wanted in kinds)
        and (after is None or document.modified >= after)
        and (before is None or NEVER < document.modified < before)
    )


def _edits(one: str, other: str) -> int:
    """Letters to insert, leave out or change (Levenshtein 1966)."""
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, start=1):
        before, row[0] = row[0], place
        for column, each in enumerate(other, start=1):
            before, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, before + (letter != each))
    return row[-1]
