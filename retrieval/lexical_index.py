"""The lexical leg: BM25 by tantivy over chunks and documents. Derived from the library: a lost index is rebuilt from there.

A chunk's score is BM25(headings and text) + `document_weight` * (2 BM25(title) + 2 BM25(filename) + .2 BM25(keywords) + .6 BM25(summary)),
the second part being its document's (k1 1.2, b .75; Robertson & Zaragoza 2009, https://doi.org/10.1561/1500000019).

An upsert deletes the document's entries and adds the new ones; both become visible, and durable, at `commit`. The chunks are committed
before the documents, and a document's generation stands in its document entry: whatever a crash cut off keeps its old generation and is
replayed. All methods block; `EmbeddedIndex` calls them from threads (one writer, any number of readers).
"""

from __future__ import annotations

import logging
import math
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tantivy
from tantivy import Occur, Query

from core.errors import Conflict, StorageFull, Unavailable, VantageError
from core.ownership import libraries_read
from core.ports import Hit, IndexedDocument, LexicalResult
from core.search import Filters
from retrieval.analysis import ANALYSER, prepare_question_text, text_analyser
from retrieval.lexical_cleanup import remove_stale_deletions
from retrieval.lexical_schema import (
    CHUNK_FIELDS,
    DOCUMENT_FIELDS,
    chunk_entries,
    chunk_schema,
    document_entry,
    document_key,
    document_schema,
    filter_queries,
    match_all_of,
    owner_query,
    raw_term,
)
from retrieval.lexical_segments import keys_beside_deleted

log = logging.getLogger(__name__)

K1 = 1.2
QUESTION_TERMS = 64  # of a longer question the rarest; the others would add time and no order
LOOKED_UP_TERMS = 2000
DOCUMENT_DEPTH = 100  # documents whose score is known at once; of the others, those with a chunk in sight are scored too
NAMED_DOCUMENTS = 10  # the best of them bring their own chunks, even where no word of the question stands in these
SILENT_CHUNKS = 3  # so many chunks without a word of the question for each of them
_CHUNK_HEAP, _DOCUMENT_HEAP = 48_000_000, 15_000_000


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A committed document: its id, its tenant and its generation."""

    id: str
    tenant: str
    generation: int


@dataclass(frozen=True, slots=True)
class _View:
    """The index as readers see it between two commits."""

    chunks: tantivy.Searcher
    documents: tantivy.Searcher
    catalogue: dict[int, CatalogueEntry]
    tenants: Counter[str]

    def holds(self, tenant: str) -> bool:
        """Return whether anything is read under this name."""
        return any(self.tenants[library] for library in libraries_read(tenant))


@dataclass(frozen=True, slots=True)
class _Question:
    """The terms of a question with how often each occurs in it and its idf in the chunks' text."""

    counts: dict[str, int]
    idf: dict[str, float]


@dataclass(slots=True)
class _StagedChanges:
    """The changes of the next commit: key -> entry, or None for a deleted document."""

    changes: dict[int, CatalogueEntry | None] = field(default_factory=dict)


class LexicalIndex:
    """`folder` is its alone. Raises Conflict where another process writes to it; an index that cannot be read is dropped and made anew."""

    def __init__(self, folder: Path, document_weight: float) -> None:
        self._folder = folder
        self._document_weight = document_weight
        self._analyser = text_analyser()
        self._staged = _StagedChanges()
        self.was_rebuilt = False
        try:
            self._open_index()
        except Conflict:
            raise
        except BaseException as error:
            if not _is_broken_index(error):
                raise
            log.warning("The lexical index in %s cannot be used (%s). It is made anew and filled from the library.", folder, error)
            self.was_rebuilt = True
            shutil.rmtree(folder, ignore_errors=True)
            self._open_index()

    # ------------------------------------------------------------------------------------------------------------------ writing
    def upsert(self, document: IndexedDocument) -> None:
        key = document_key(document.id)
        with _translate_errors():
            self._drop_document(document.id)
            for entry in chunk_entries(document):
                self._chunk_writer.add_document(entry)
            self._document_writer.add_document(document_entry(document))
        self._staged.changes[key] = CatalogueEntry(document.id, document.tenant, document.generation)

    def delete(self, tenant: str, document_ids: Iterable[str]) -> None:
        """Delete the tenant's documents; those of other tenants stay."""
        for document_id in document_ids:
            known = self._newest_entry(document_id)
            if known is not None and known.tenant == tenant:
                with _translate_errors():
                    self._drop_document(document_id)
                self._staged.changes[document_key(document_id)] = None

    def commit(self) -> None:
        """Commit the staged changes. Raises StorageFull or Unavailable; then nothing of the staged changes is visible and all of it must be brought
        again.
        """
        if not self._staged.changes:
            return
        try:
            with _translate_errors():
                self._chunk_writer.commit()
                self._document_writer.commit()
                self._chunk_index.reload()
                self._document_index.reload()
        except VantageError:
            self._staged = _StagedChanges()
            self._roll_back()
            raise
        catalogue = dict(self._view.catalogue)
        for key, entry in self._staged.changes.items():
            if entry is None:
                catalogue.pop(key, None)
            else:
                catalogue[key] = entry
        self._staged = _StagedChanges()
        self._publish(catalogue)

    def close(self) -> None:
        """Close the index; what was not committed is dropped."""
        for writer in (self._chunk_writer, self._document_writer):
            writer.rollback()
        del self._chunk_writer, self._document_writer  # gives the writers' locks back

    def generations(self) -> dict[str, int]:
        return {entry.id: entry.generation for entry in self._view.catalogue.values()}

    def generation(self, document_id: str) -> int | None:
        """Return the generation of the newest version, staged ones counted; None where there is none."""
        known = self._newest_entry(document_id)
        return None if known is None else known.generation

    def entries(self) -> list[CatalogueEntry]:
        return list(self._view.catalogue.values())

    def documents_beside_deleted(self) -> dict[str, tuple[str, int]]:
        """Return document id -> tenant and entries, of the documents whose words share a segment with those of deleted ones. For who writes."""
        with _translate_errors():
            parts = (("chunks", self._chunk_index), ("documents", self._document_index))
            counted = sum((keys_beside_deleted(self._folder / name, index) for name, index in parts), Counter[int]())
        known = self._view.catalogue
        return {known[key].id: (known[key].tenant, entries) for key, entries in counted.items() if key in known}

    def bytes_on_disk(self) -> int:
        return sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file())

    # ------------------------------------------------------------------------------------------------------------------ reading
    def terms(self, text: str) -> list[str]:
        found: list[str] = self._analyser.analyze(prepare_question_text(text))
        return found

    def idf(self, tenant: str, text: str) -> dict[str, float]:
        view = self._view
        counts = Counter(self.terms(text)[:LOOKED_UP_TERMS])
        with _translate_errors():
            return self._idf(view, tenant, counts)

    def chunks_with_similar_term(self, tenant: str, word: str, distance: int, limit: int) -> list[int]:
        """Return ids of the tenant's chunks with a term within so many edits of this one, in no order."""
        view = self._view
        if not view.holds(tenant):
            return []
        near = Query.fuzzy_term_query(self._chunk_index.schema, "text", word, distance)
        owner = owner_query(self._chunk_index.schema, tenant)
        with _translate_errors():
            return list(self._search_chunks(view, match_all_of([near, owner]), limit))

    def search(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult:
        view = self._view
        if not view.holds(tenant):
            return LexicalResult((), 0.0)
        with _translate_errors():
            question = self._question(view, tenant, text)
            if not question.counts:
                return LexicalResult((), 0.0)
            restriction = tenant if len(view.tenants) > 1 else None
            found = self._score_chunks(view, question, restriction, filters, limit)
        hits = sorted((-score, chunk, key) for chunk, (score, key) in found.items())[:limit]
        bound = (1 + K1) * sum(count * question.idf[word] for word, count in question.counts.items())
        return LexicalResult(tuple(Hit(chunk, view.catalogue[key].id, -score) for score, chunk, key in hits), bound, question.idf)

    def _question(self, view: _View, tenant: str, text: str) -> _Question:
        counts = Counter(self.terms(text)[:LOOKED_UP_TERMS])
        idf = self._idf(view, tenant, counts)
        kept = sorted(counts, key=lambda word: -idf[word])[:QUESTION_TERMS]
        return _Question({word: counts[word] for word in kept}, {word: idf[word] for word in kept})

    def _idf(self, view: _View, tenant: str, words: Iterable[str]) -> dict[str, float]:
        """Return ln(1 + (N - n + .5) / (n + .5)) with N and n counted in the tenant's chunks."""
        if not view.holds(tenant):  # of the one tenant who has documents another learns nothing
            total, seen = 0, dict.fromkeys(words, 0)
        elif len(view.tenants) <= 1:
            total = view.chunks.num_docs
            seen = {word: view.chunks.doc_freq("text", word) for word in words}
        else:
            owner = owner_query(self._chunk_index.schema, tenant)
            total = _count_matches(view.chunks, owner)
            seen = {word: _count_matches(view.chunks, match_all_of([owner, self._term_query("text", word)])) for word in words}
        return {word: math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5)) for word, count in seen.items()}

    def _score_chunks(self, view: _View, question: _Question, tenant: str | None, filters: Filters, limit: int) -> dict[int, tuple[float, int]]:
        """Return chunk id -> (score, document key): the best chunks and the chunks of the best documents."""
        musts = filter_queries(self._chunk_index.schema, tenant, filters)
        words = self._any_term_query(self._chunk_index, view.chunks, CHUNK_FIELDS, question)
        by_document = self._document_scores(view, question, tenant, filters)
        found: dict[int, tuple[float, int]] = {}
        if words is not None:
            found = self._search_chunks(view, match_all_of([words, *musts]), 2 * limit)
        named = sorted(by_document, key=lambda key: -by_document[key])[:NAMED_DOCUMENTS]
        if named:
            found = self._search_chunks_of(view, named, words, limit) | found
        if len(by_document) >= DOCUMENT_DEPTH:
            unknown = {key for _, key in found.values()} - by_document.keys()
            ids = [view.catalogue[key].id for key in unknown]
            by_document |= self._document_scores(view, question, tenant, Filters(document_ids=ids)) if ids else {}
        weight = self._document_weight
        return {chunk: (score + weight * by_document.get(key, 0.0), key) for chunk, (score, key) in found.items()}

    def _document_scores(self, view: _View, question: _Question, tenant: str | None, filters: Filters) -> dict[int, float]:
        words = self._any_term_query(self._document_index, view.documents, DOCUMENT_FIELDS, question)
        if words is None or not self._document_weight:
            return {}
        musts = filter_queries(self._document_index.schema, tenant, filters)
        limit = max(DOCUMENT_DEPTH, len(filters.document_ids))
        hits = view.documents.search(match_all_of([words, *musts]), limit, count=False).hits
        keys = view.documents.fast_field_values("key", [address for _, address in hits])
        return {int(key or 0): score for key, (score, _) in zip(keys, hits, strict=True)}

    def _search_chunks(self, view: _View, query: Query, limit: int) -> dict[int, tuple[float, int]]:
        hits = view.chunks.search(query, limit, count=False).hits
        addresses = [address for _, address in hits]
        chunks = view.chunks.fast_field_values("chunk", addresses)
        keys = view.chunks.fast_field_values("key", addresses)
        known = view.catalogue  # an entry whose document was committed only by half is not shown
        return {int(chunk or 0): (score, int(key or 0)) for chunk, key, (score, _) in zip(chunks, keys, hits, strict=True) if int(key or 0) in known}

    def _search_chunks_of(self, view: _View, keys: Sequence[int], words: Query | None, limit: int) -> dict[int, tuple[float, int]]:
        """Return chunks of these documents, best first; of each at most SILENT_CHUNKS that hold no word of the question."""
        ids = [raw_term(view.catalogue[key].id) for key in keys if key in view.catalogue]
        inside = Query.const_score_query(Query.term_set_query(self._chunk_index.schema, "document", ids), 0.0)
        parts = [(Occur.Must, inside)] + ([(Occur.Should, words)] if words is not None else [])
        kept: dict[int, tuple[float, int]] = {}
        silent: Counter[int] = Counter()
        for chunk, (score, key) in sorted(self._search_chunks(view, Query.boolean_query(parts), limit).items()):
            silent[key] += score <= 0
            if score > 0 or silent[key] <= SILENT_CHUNKS:
                kept[chunk] = (score, key)
        return kept

    def _any_term_query(self, index: tantivy.Index, searcher: tantivy.Searcher, fields: dict[str, float], question: _Question) -> Query | None:
        """Return the weighted sum of the terms' scores over the fields in which they occur; None where none does."""
        parts = []
        for word, count in question.counts.items():
            for name, weight in fields.items():
                if searcher.doc_freq(name, word):
                    query = Query.term_query(index.schema, name, word, "freq")
                    boost = weight * count
                    parts.append((Occur.Should, query if boost == 1.0 else Query.boost_query(query, boost)))
        return Query.boolean_query(parts) if parts else None

    def _term_query(self, name: str, word: str) -> Query:
        return Query.term_query(self._chunk_index.schema, name, word, "freq")

    # ------------------------------------------------------------------------------------------------------------------ opening
    def _open_index(self) -> None:
        self._chunk_index = self._open_part("chunks", chunk_schema())
        self._document_index = self._open_part("documents", document_schema())
        with _translate_errors():
            self._chunk_writer = self._chunk_index.writer(_CHUNK_HEAP, 1)
            self._document_writer = self._document_index.writer(_DOCUMENT_HEAP, 1)
        for name in ("chunks", "documents"):  # with the writers' locks, so that nobody else is at work there
            remove_stale_deletions(self._folder / name)
        self._publish(self._read_catalogue())
        self._search_chunks(self._view, Query.all_query(), 1)  # touches the files that hold the chunks

    def _open_part(self, name: str, schema: tantivy.Schema) -> tantivy.Index:
        path = self._folder / name
        path.mkdir(parents=True, exist_ok=True)
        index = tantivy.Index(schema, path=str(path), reuse=True)
        index.register_tokenizer(ANALYSER, self._analyser)
        return index

    def _read_catalogue(self) -> dict[int, CatalogueEntry]:
        searcher = self._document_index.searcher()
        total = searcher.num_docs
        if not total:
            return {}
        found = {}
        for _, address in searcher.search(Query.all_query(), total, count=False).hits:
            stored = searcher.doc(address)
            entry = CatalogueEntry(stored["id"][0], stored["owner"][0], stored["generation"][0])
            found[document_key(entry.id)] = entry
        return found

    def _publish(self, catalogue: dict[int, CatalogueEntry]) -> None:
        tenants = Counter(entry.tenant for entry in catalogue.values())
        self._view = _View(self._chunk_index.searcher(), self._document_index.searcher(), catalogue, tenants)

    def _drop_document(self, document_id: str) -> None:
        for writer in (self._chunk_writer, self._document_writer):
            writer.delete_documents_by_term("document", raw_term(document_id))

    def _newest_entry(self, document_id: str) -> CatalogueEntry | None:
        key = document_key(document_id)
        return self._staged.changes[key] if key in self._staged.changes else self._view.catalogue.get(key)

    def _roll_back(self) -> None:
        for writer in (self._chunk_writer, self._document_writer):
            try:
                writer.rollback()
            except ValueError as error:
                log.warning("A writer of the lexical index could not be rolled back: %s", error)


class _translate_errors:  # noqa: N801 - read as a word in `with`
    """tantivy raises ValueError and OSError with a sentence; they become the errors of core."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, ValueError | OSError):
            return
        text = str(error)
        if "LockBusy" in text:
            raise Conflict("The search index is being written by another process. Stop it, or let it do the work.") from error
        if "No space left" in text or "StorageFull" in text:
            raise StorageFull("No space is left on the disk for the search index. Free some and index again.") from error
        raise Unavailable(f"The lexical index does not work: {text}. Start again: it is repaired from the library.") from error


def _is_broken_index(error: BaseException) -> bool:
    """Return whether the error tells of damage, which tantivy reports as ValueError or OSError, and by a panic (a BaseException of pyo3) where a file
    is cut short.
    """
    return isinstance(error, ValueError | OSError | KeyError | IndexError | Unavailable) or type(error).__name__ == "PanicException"


def _count_matches(searcher: tantivy.Searcher, query: Query) -> int:
    found: int | None = getattr(searcher.search(query, 1, count=True), "count")  # noqa: B009 - missing in tantivy's type stubs
    return found or 0
