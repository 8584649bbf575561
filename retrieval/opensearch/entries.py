"""A document as operations of a bulk request, and how filters become clauses of a query.

All of this blocks: it is called from threads, a portion of documents at a time.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
import tantivy

from core.errors import InvalidInput
from core.ownership import libraries_read
from core.ports import FilterableDocument, IndexedDocument
from core.search import Filters
from retrieval.analysis import prepare_document_text
from retrieval.lexical_schema import add_headings, document_key, normalise_path, raw_term, to_microseconds
from retrieval.opensearch.catalogue import StoredVersion, chunk_entry_id, document_entry_id
from retrieval.vector_table import NEVER

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LONGEST_KEYWORD = 1000  # bytes; Lucene takes 32,766
_DIGITS = 7  # of a vector's numbers: float16 has 4


class EntryWriter:
    """Makes the operations for one index of words or vectors."""

    def __init__(self, analyser: tantivy.TextAnalyzer) -> None:
        self._analyser = analyser

    def word_entries(self, index: str, document: IndexedDocument, version: StoredVersion) -> Iterator[bytes]:
        """Yield an operation for each chunk, then the document's own."""
        common = common_fields(version)
        for chunk in document.chunks:
            entry = {**common, "chunk": chunk.id, "text": self._terms(add_headings(chunk.headings, chunk.text))}
            yield index_operation(index, chunk_entry_id(chunk.id, version.revision), entry)
        names = {
            "title": self._terms(document.title),
            "filename": self._terms(document.filename),
            "keywords": self._terms("\n".join(document.keywords)),
            "summary": self._terms(document.summary),
        }
        yield document_operation(index, version, common | names)

    def _terms(self, text: str) -> str:
        return " ".join(self._analyser.analyze(prepare_document_text(text)))


def vector_entries(index: str, version: StoredVersion, matrix: NDArray[Any]) -> Iterator[bytes]:
    """Yield an operation for each row of `matrix` [chunks, dimension], then the document's own."""
    common = common_fields(version)
    halves = matrix.astype(np.float16)
    numbers = np.round(halves.astype(np.float64), _DIGITS).tolist()
    for chunk, half, row in zip(version.document.chunk_ids, halves, numbers, strict=True):
        entry = {**common, "chunk": chunk, "float16": base64.b64encode(half.tobytes()).decode("ascii")}
        if any(row):  # a vector without a direction is near to nothing, and OpenSearch refuses it
            entry["vector"] = row
        yield index_operation(index, chunk_entry_id(chunk, version.revision), entry)
    yield document_operation(index, version, common)


def stack_checked(document: IndexedDocument, dimension: int) -> NDArray[np.float16]:
    """Return the vectors [chunks, dimension] of a document. Raises InvalidInput for a vector of another length."""
    wrong = next((chunk.id for chunk in document.chunks if chunk.vector.shape != (dimension,)), None)
    if wrong is not None:
        raise InvalidInput(f"Chunk {wrong} of {document.filename} has a vector of another model: index the document again.")
    rows = [chunk.vector.astype(np.float16) for chunk in document.chunks]
    return np.stack(rows) if rows else np.empty((0, dimension), np.float16)


def index_operation(index: str, entry_id: str, entry: dict[str, Any]) -> bytes:
    return f"{_dump({'index': {'_index': index, '_id': entry_id}})}\n{_dump(entry)}\n".encode()


def document_operation(index: str, version: StoredVersion, entry: dict[str, Any]) -> bytes:
    """Return the operation for a document's own entry, whose record a start reads back."""
    document = version.document
    record = {"document": _plain(document), "revision": version.revision, "digest": version.digest}
    whole = {**entry, "key": f"{document_key(document.id):016x}.{version.revision}", "record": record}
    return index_operation(index, document_entry_id(document.id, version.revision), whole)


def delete_operations(index: str, entry_ids: Iterable[str]) -> Iterator[bytes]:
    for entry_id in entry_ids:
        yield f"{_dump({'delete': {'_index': index, '_id': entry_id}})}\n".encode()


def read_record(record: dict[str, Any]) -> StoredVersion:
    """Return the version that a document's own entry tells of."""
    fields = record["document"]
    document = FilterableDocument(**{**fields, "chunk_ids": tuple(fields["chunk_ids"]), "places": frozenset(fields["places"])})
    return StoredVersion(document, record["revision"], record["digest"])


def read_vector(text: str) -> NDArray[np.float32]:
    return np.frombuffer(base64.b64decode(text), np.float16).astype(np.float32)


def words_digest(document: IndexedDocument, filterable: FilterableDocument) -> str:
    """Return a digest of all that the words' entries hold."""
    digest = blake2b(_dump(_plain(filterable)).encode(), digest_size=16)
    for text in (document.title, document.filename, *document.keywords, document.summary):
        digest.update(text.encode("utf-8", "backslashreplace") + b"\0")
    for chunk in document.chunks:
        digest.update(f"{chunk.headings}\0{chunk.text}\0".encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def vectors_digest(filterable: FilterableDocument, matrix: NDArray[Any]) -> str:
    """Return a digest of all that the vectors' entries hold: those of another model have another one."""
    digest = blake2b(_dump(_plain(filterable)).encode(), digest_size=16)
    digest.update(np.ascontiguousarray(matrix, np.float16).tobytes())
    return digest.hexdigest()


def common_fields(version: StoredVersion) -> dict[str, Any]:
    """Return what filters ask for, and the revision."""
    document = version.document
    fields: dict[str, Any] = {
        "tenant": keyword_value(document.tenant),
        "collection": keyword_value(document.collection),
        "document": keyword_value(document.id),
        "path": [keyword_value(place) for place in sorted(document.places)],
        "file_type": keyword_value(document.file_type),
        "doc_type": keyword_value(document.doc_type),
        "language": keyword_value(document.language),
        "revision": version.revision,
    }
    return fields if document.modified == NEVER else fields | {"modified": document.modified}


def keyword_value(value: str) -> str:
    """Return a value as a keyword: what Lucene finds too long is known by its digest."""
    text = raw_term(value)
    encoded = text.encode()
    return text if len(encoded) <= _LONGEST_KEYWORD else f"{text[:100]}#{blake2b(encoded, digest_size=16).hexdigest()}"


def tenant_clause(tenant: str) -> dict[str, Any]:
    """Return the entries that are read under this name."""
    return {"terms": {"tenant": [keyword_value(library) for library in libraries_read(tenant)]}}


def filter_clauses(tenant: str | None, filters: Filters) -> list[dict[str, Any]]:
    """Return the conditions that every entry must satisfy; `tenant` None where only one is in the index."""
    clauses = [tenant_clause(tenant)] if tenant is not None else []
    single = [("collection", filters.collection), ("path", None if filters.path_prefix is None else normalise_path(filters.path_prefix))]
    clauses += [{"term": {name: keyword_value(value)}} for name, value in single if value is not None]
    several = (
        ("file_type", [value.lower() for value in filters.file_types]),
        ("doc_type", [value.lower() for value in filters.doc_types]),
        ("language", [value.lower() for value in filters.languages]),
        ("document", filters.listed_documents()),
    )
    clauses += [{"terms": {name: [keyword_value(value) for value in values]}} for name, values in several if values]
    bounds = {"gte": filters.modified_after, "lt": filters.modified_before}
    known = {name: to_microseconds(moment) for name, moment in bounds.items() if moment is not None}
    return [*clauses, {"range": {"modified": known}}] if known else clauses


def _plain(document: FilterableDocument) -> dict[str, Any]:
    fields = {name: getattr(document, name) for name in document.__slots__}
    texts = {name: raw_term(value) for name, value in fields.items() if isinstance(value, str)}
    return fields | texts | {"chunk_ids": list(document.chunk_ids), "places": sorted(map(raw_term, document.places))}


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
