"""The dense leg: every chunk's vector in memory beside what filters ask about its document.

Vectors are not kept on disk here: the library holds them (float16) and they are brought again at every start. A commit publishes a new
immutable view; searches work on the view that they began with and never wait. Deleted rows are masked out, and when they are more than a
quarter of all, the rows are written anew.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InvalidInput
from core.ownership import libraries_read
from core.ports import FilterableDocument, Hit, IndexedDocument
from core.search import Filters
from retrieval.lexical_schema import normalise_path, path_prefixes, to_microseconds
from retrieval.vector_blocks import BLOCK, ExactRows, QuantisedRows, VectorRows, VectorRowsView, stack_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

WASTE = 0.25
REMEMBERED_MASKS = 32  # of a view; a conversation asks with the same filters again and again
NEVER = np.iinfo(np.int64).min  # "no modification time"


def make_filterable(document: IndexedDocument) -> FilterableDocument:
    return FilterableDocument(
        id=document.id,
        tenant=document.tenant,
        generation=document.generation,
        chunk_ids=tuple(chunk.id for chunk in document.chunks),
        collection=document.collection,
        places=frozenset(path_prefixes(document.paths)),
        file_type=document.file_type.lower(),
        doc_type=document.doc_type.lower(),
        language=document.language.lower(),
        modified=NEVER if document.modified_at is None else to_microseconds(document.modified_at),
    )


@dataclass(frozen=True, slots=True)
class _View:
    """The table as readers see it. `owners[row]` is the place of the row's document in `documents`, -1 for a deleted row."""

    rows: VectorRowsView
    chunk_ids: NDArray[np.int64]
    owners: NDArray[np.int32]
    documents: tuple[FilterableDocument | None, ...]
    row_of: dict[int, int]
    tenants: frozenset[str]
    dead: int
    masks: dict[str, NDArray[np.bool_]]
    languages: dict[str, dict[str, int]]


class VectorTable:
    """Vectors of `dimension`; numpy up to `faiss_above` rows, faiss beyond. One writer (`upsert`, `delete`, `commit`), many readers."""

    def __init__(self, dimension: int, faiss_above: int) -> None:
        self._dimension = dimension
        self.faiss_above = faiss_above
        self._staged: dict[str, tuple[FilterableDocument, NDArray[Any]] | None] = {}  # what each document becomes; None: it goes
        self._rows: VectorRows = ExactRows(dimension)
        self._place_of: dict[str, int] = {}
        self._documents: list[FilterableDocument | None] = []
        self._row_of: dict[int, int] = {}
        self._chunk_ids = np.empty(0, np.int64)
        self._owners = np.empty(0, np.int32)
        self._view = self._make_view()

    # ------------------------------------------------------------------------------------------------------------------ writing
    def upsert(self, document: IndexedDocument) -> None:
        """Stage chunks and vectors. Raises InvalidInput for a vector of another length."""
        wrong = next((chunk.id for chunk in document.chunks if chunk.vector.shape != (self._dimension,)), None)
        if wrong is not None:
            raise InvalidInput(f"Chunk {wrong} of {document.filename} has a vector of another model: index the document again.")
        vectors = stack_vectors([chunk.vector for chunk in document.chunks], self._dimension)
        self._staged[document.id] = (make_filterable(document), vectors)

    def upsert_vectors(self, document: FilterableDocument, vectors: NDArray[Any]) -> None:
        """Stage vectors as `upsert` does, for a document that another table describes: `vectors` [its chunks, dimension]. Raises InvalidInput where
        they do not fit.
        """
        if vectors.shape != (len(document.chunk_ids), self._dimension):
            raise InvalidInput(f"The vectors of document {document.id} are {vectors.shape}, not {(len(document.chunk_ids), self._dimension)}.")
        self._staged[document.id] = (document, vectors)

    def delete(self, tenant: str, document_ids: Iterable[str]) -> None:
        """Delete the tenant's documents; those of other tenants stay."""
        for document_id in document_ids:
            known = self.newest_version(document_id)
            if known is not None and known.tenant == tenant:
                self._staged[document_id] = None

    def commit(self) -> None:
        if not self._staged:
            return
        staged, self._staged = self._staged, {}
        self._owners = self._owners.copy()  # readers keep theirs
        self._row_of = dict(self._row_of)
        for document_id in staged:
            self._forget_document(document_id)
        self._append_rows([change for change in staged.values() if change is not None])
        self._choose_layout()
        self._view = self._make_view()

    def discard(self) -> None:
        """Drop what is staged."""
        self._staged = {}

    def generation(self, document_id: str) -> int | None:
        """Return the generation of the newest version, staged ones counted."""
        known = self.newest_version(document_id)
        return None if known is None else known.generation

    def newest_version(self, document_id: str) -> FilterableDocument | None:
        """Return the newest version of a document, staged ones counted; None where it is gone."""
        if document_id in self._staged:
            change = self._staged[document_id]
            return None if change is None else change[0]
        place = self._place_of.get(document_id)
        return None if place is None else self._documents[place]

    def _forget_document(self, document_id: str) -> None:
        place = self._place_of.pop(document_id, None)
        known = None if place is None else self._documents[place]
        if known is None or place is None:
            return
        for chunk_id in known.chunk_ids:
            row = self._row_of.get(chunk_id)
            if row is not None and self._owners[row] == place:
                self._owners[row] = -1
                del self._row_of[chunk_id]
        self._documents[place] = None

    def _append_rows(self, changes: Sequence[tuple[FilterableDocument, NDArray[Any]]]) -> None:
        if not changes:
            return
        first = self._rows.count
        owners = []
        for document, _ in changes:
            owners.append(np.full(len(document.chunk_ids), len(self._documents), np.int32))
            self._place_of[document.id] = len(self._documents)
            self._documents.append(document)
        ids = np.array([chunk_id for document, _ in changes for chunk_id in document.chunk_ids], np.int64)
        self._rows.append(np.concatenate([vectors for _, vectors in changes]))
        self._chunk_ids = np.concatenate([self._chunk_ids, ids])
        self._owners = np.concatenate([self._owners, *owners])
        self._row_of.update(zip(ids.tolist(), range(first, first + len(ids)), strict=True))

    def _choose_layout(self) -> None:
        """Write the rows anew where too many are dead, or where their number asks for the other kind of search."""
        alive = len(self._row_of)
        quantised = isinstance(self._rows, QuantisedRows)
        if self._rows.count - alive > max(WASTE * self._rows.count, 1024) or (alive > self.faiss_above) != quantised:
            self._rewrite_rows(QuantisedRows(self._dimension) if alive > self.faiss_above else ExactRows(self._dimension))

    def _rewrite_rows(self, rows: VectorRows) -> None:
        view = self._rows.view()
        kept = np.flatnonzero(self._owners >= 0)
        for start in range(0, len(kept), 4 * BLOCK):
            rows.append(view.gather(kept[start : start + 4 * BLOCK]))
        places = {place: number for number, place in enumerate(place for place, known in enumerate(self._documents) if known is not None)}
        renumbered = np.full(len(self._documents) + 1, -1, np.int32)
        renumbered[list(places)] = list(places.values())
        self._documents = [self._documents[place] for place in places]
        self._place_of = {document.id: number for number, document in enumerate(self._documents) if document is not None}
        self._chunk_ids, self._owners = self._chunk_ids[kept], renumbered[self._owners[kept]]
        self._row_of = dict(zip(self._chunk_ids.tolist(), range(len(kept)), strict=True))
        self._rows = rows
        log.info("The vectors were written anew: %d rows, %s.", rows.count, type(rows).__name__)

    def _make_view(self) -> _View:
        documents = tuple(self._documents)
        tenants = frozenset(document.tenant for document in documents if document is not None)
        dead = self._rows.count - len(self._row_of)
        return _View(self._rows.view(), self._chunk_ids, self._owners, documents, self._row_of, tenants, dead, {}, {})

    # ------------------------------------------------------------------------------------------------------------------ reading
    def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        """Return the hits, best cosine first (the inner product of unit vectors)."""
        view = self._view
        if view.tenants.isdisjoint(libraries_read(tenant)) or limit <= 0:
            return ()
        allowed = _allowed_rows(view, tenant, filters)
        rows, scores = view.rows.search(np.ascontiguousarray(vector, np.float32), allowed, limit)
        hits = []
        for row, score in zip(rows.tolist(), scores.tolist(), strict=True):
            document = view.documents[view.owners[row]]
            if document is not None:
                hits.append(Hit(int(view.chunk_ids[row]), document.id, score))
        return tuple(hits)

    def get(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        """Return the vectors of those chunks that are known and the tenant's."""
        view, libraries = self._view, libraries_read(tenant)
        known = [(chunk_id, view.row_of[chunk_id]) for chunk_id in chunk_ids if chunk_id in view.row_of]
        own = [(chunk_id, row) for chunk_id, row in known if _owner(view, row) in libraries]
        if not own:
            return {}
        found = view.rows.gather(np.array([row for _, row in own], np.int64))
        return {chunk_id: found[place] for place, (chunk_id, _) in enumerate(own)}

    def counts(self) -> tuple[int, int]:
        """Return documents and vectors."""
        return sum(document is not None for document in self._view.documents), len(self._view.row_of)

    def chunk_ids(self) -> set[int]:
        """Return the chunk ids of every committed row."""
        return set(self._view.row_of)

    def languages(self, tenant: str) -> dict[str, int]:
        """Return language -> documents of the tenant. Counted once for each commit."""
        view = self._view
        if tenant not in view.languages:
            libraries = libraries_read(tenant)
            view.languages[tenant] = dict(
                Counter(document.language for document in view.documents if document is not None and document.tenant in libraries)
            )
        return view.languages[tenant]

    def all_languages(self) -> set[str]:
        view = self._view
        return {language for tenant in view.tenants for language in self.languages(tenant)}

    def documents_by_id(self) -> dict[str, FilterableDocument]:
        """Return every committed document by its id."""
        return {document.id: document for document in self._view.documents if document is not None}

    def entries(self) -> list[tuple[str, str]]:
        """Return (tenant, document id) of all documents."""
        return [(document.tenant, document.id) for document in self._view.documents if document is not None]

    @property
    def nbytes(self) -> int:
        """Memory of vectors and row columns (without Python's dictionaries, about 100 bytes a chunk)."""
        return self._rows.nbytes + self._chunk_ids.nbytes + self._owners.nbytes


def _owner(view: _View, row: int) -> str | None:
    document = view.documents[view.owners[row]] if view.owners[row] >= 0 else None
    return None if document is None else document.tenant


def _allowed_rows(view: _View, tenant: str, filters: Filters) -> NDArray[np.bool_] | None:
    """Return which rows may answer; None where all may."""
    if filters.is_empty() and len(view.tenants) == 1:
        return view.owners >= 0 if view.dead else None
    key = repr((tenant, filters))
    mask = view.masks.get(key)
    if mask is None:
        check = _FilterCheck(tenant, filters)
        documents = np.array([document is not None and check.passes(document) for document in view.documents] + [False], np.bool_)
        mask = documents[view.owners]  # a deleted row's -1 is the False at the end
        if len(view.masks) < REMEMBERED_MASKS:
            view.masks[key] = mask
    return mask


class _FilterCheck:
    """A filter, made ready to be asked about many documents."""

    def __init__(self, tenant: str, filters: Filters) -> None:
        self._libraries = libraries_read(tenant)
        self._collection = filters.collection
        self._place = None if filters.path_prefix is None else normalise_path(filters.path_prefix)
        self._after, self._before = _moment(filters.modified_after), _moment(filters.modified_before)
        self._ids = frozenset(filters.listed_documents())
        self._file_types, self._doc_types, self._languages = (
            frozenset(value.lower() for value in values) for values in (filters.file_types, filters.doc_types, filters.languages)
        )

    def passes(self, document: FilterableDocument) -> bool:
        return (
            document.tenant in self._libraries
            and (self._collection is None or document.collection == self._collection)
            and (self._place is None or self._place in document.places)
            and (not self._ids or document.id in self._ids)
            and self._passes_kind(document)
            and self._passes_time(document.modified)
        )

    def _passes_kind(self, document: FilterableDocument) -> bool:
        return (
            (not self._file_types or document.file_type in self._file_types)
            and (not self._doc_types or document.doc_type in self._doc_types)
            and (not self._languages or document.language in self._languages)
        )

    def _passes_time(self, modified: int) -> bool:
        if self._after is None and self._before is None:
            return True
        known = modified != NEVER
        return known and (self._after is None or modified >= self._after) and (self._before is None or modified < self._before)


def _moment(value: datetime | None) -> int | None:
    return None if value is None else to_microseconds(value)
