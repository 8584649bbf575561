"""The two tantivy schemas of the lexical index, how a document becomes their entries, and how filters become queries.

`chunks` holds one entry per chunk (its headings and text), `documents` one per document (title, filename, keywords, summary). They are two
indexes and not two kinds of entry in one, because BM25's average length and document frequency would be those of a mixture.
Both carry the filter terms, so that a filter means the same in each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from typing import Any

import tantivy
from tantivy import FieldType, Occur, Query

from core.documents import HEADING_SEPARATOR
from core.ownership import libraries_read
from core.ports import IndexedDocument
from core.search import Filters
from retrieval.analysis import ANALYSER, prepare_document_text

# Measured over four sets (docs/decisions/0016-words-are-counted-once.md): a chunk's text mostly holds its heading already, and a document's keywords
# and summary are words of its text, so that with more weight they count the same words again.
CHUNK_FIELDS = {"text": 1.0}
DOCUMENT_FIELDS = {"title": 2.0, "filename": 2.0, "keywords": 0.2, "summary": 0.6}
_TERMS = ("tenant", "collection", "path", "file_type", "doc_type", "language")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def chunk_schema() -> tantivy.Schema:
    builder = _schema_builder(CHUNK_FIELDS)
    builder.add_unsigned_field("chunk", fast=True)
    return builder.build()


def document_schema() -> tantivy.Schema:
    builder = _schema_builder(DOCUMENT_FIELDS)
    for name in ("id", "owner"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("generation", stored=True)
    return builder.build()


def _schema_builder(fields: dict[str, float]) -> tantivy.SchemaBuilder:
    builder = tantivy.SchemaBuilder()
    for name in fields:
        builder.add_text_field(name, tokenizer_name=ANALYSER, index_option="freq")
    for name in (*_TERMS, "document"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("key", fast=True)
    builder.add_integer_field("modified", fast=True)
    return builder


def document_key(document_id: str) -> int:
    """Return the document's id as the number that a fast field can hold (64 bits of BLAKE2b)."""
    return int.from_bytes(blake2b(document_id.encode("utf-8", "backslashreplace"), digest_size=8).digest(), "big")


def chunk_entries(document: IndexedDocument) -> Iterator[tantivy.Document]:
    """Yield the entries one after the other: an entry holds a copy of its chunk's text."""
    filters = _filter_values(document)
    for chunk in document.chunks:
        entry = _make_entry(document, filters)
        entry.add_text("text", prepare_document_text(add_headings(chunk.headings, chunk.text)))
        entry.add_unsigned("chunk", chunk.id)
        yield entry


def add_headings(headings: str, text: str) -> str:
    """Return a chunk's text with the `headings` above it (joined by HEADING_SEPARATOR) in front, without those that stand in its first lines already,
    so that no word counts twice.
    """
    above = [heading for heading in headings.split(HEADING_SEPARATOR) if heading]
    lines = (line.strip() for line in text.splitlines())
    opening = list(islice((line for line in lines if line), len(above)))
    return "\n".join([*(heading for heading in above if heading not in opening), text])


def document_entry(document: IndexedDocument) -> tantivy.Document:
    entry = _make_entry(document, _filter_values(document))
    entry.add_text("title", prepare_document_text(document.title))
    entry.add_text("filename", prepare_document_text(document.filename))
    entry.add_text("keywords", prepare_document_text("\n".join(document.keywords)))
    entry.add_text("summary", prepare_document_text(document.summary))
    entry.add_text("id", raw_term(document.id))
    entry.add_text("owner", raw_term(document.tenant))
    entry.add_unsigned("generation", document.generation)
    return entry


def _filter_values(document: IndexedDocument) -> list[tuple[str, str]]:
    values = [("tenant", document.tenant), ("collection", document.collection), ("document", document.id)]
    values += [("file_type", document.file_type.lower()), ("doc_type", document.doc_type.lower()), ("language", document.language.lower())]
    values += [("path", place) for place in path_prefixes(document.paths)]
    return [(name, raw_term(value)) for name, value in values]


def _make_entry(document: IndexedDocument, filters: Sequence[tuple[str, str]]) -> tantivy.Document:
    entry = tantivy.Document()
    for name, value in filters:
        entry.add_text(name, value)
    entry.add_unsigned("key", document_key(document.id))
    if document.modified_at is not None:
        entry.add_integer("modified", to_microseconds(document.modified_at))
    return entry


def raw_term(value: str) -> str:
    """Return a value as a raw term: file names may hold bytes that are no Unicode (lone surrogates), which tantivy cannot take."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8")


def normalise_path(path: str) -> str:
    """Return a path with "/" between its parts and none at its end; the root is ""."""
    return path.replace("\\", "/").rstrip("/")


def path_prefixes(paths: Sequence[str]) -> list[str]:
    """Return every path with each folder above it: the prefixes by which it can be found."""
    places: dict[str, None] = {}
    for path in map(normalise_path, paths):
        places[path] = None
        for cut, character in enumerate(path):
            if character == "/":
                places[path[:cut]] = None
    return list(places)


def to_microseconds(moment: datetime) -> int:
    """Return microseconds since 1970; a naive time is read as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    span = aware - _EPOCH
    return (span.days * 86_400 + span.seconds) * 1_000_000 + span.microseconds


def owner_query(schema: tantivy.Schema, tenant: str) -> Query:
    """Return the entries that are read under this name: a tenant's, for a person the own ones, too."""
    libraries = [raw_term(library) for library in libraries_read(tenant)]
    return Query.term_query(schema, "tenant", libraries[0], "basic") if len(libraries) == 1 else Query.term_set_query(schema, "tenant", libraries)


def filter_queries(schema: tantivy.Schema, tenant: str | None, filters: Filters) -> list[Query]:
    """Return the conditions that every entry must satisfy, without a share in the score; `tenant` None where only one tenant is in the index."""
    queries = [owner_query(schema, tenant)] if tenant is not None else []
    single = [("collection", filters.collection), ("path", None if filters.path_prefix is None else normalise_path(filters.path_prefix))]
    queries += [Query.term_query(schema, name, raw_term(value), "basic") for name, value in single if value is not None]
    several: list[tuple[str, Sequence[str]]] = [
        ("file_type", [value.lower() for value in filters.file_types]),
        ("doc_type", [value.lower() for value in filters.doc_types]),
        ("language", [value.lower() for value in filters.languages]),
        ("document", filters.listed_documents()),
    ]
    queries += [Query.term_set_query(schema, name, [raw_term(value) for value in values]) for name, values in several if values]
    if filters.modified_after is not None or filters.modified_before is not None:
        queries.append(_modified_query(schema, filters))
    return [Query.const_score_query(query, 0.0) for query in queries]


def _modified_query(schema: tantivy.Schema, filters: Filters) -> Query:
    bounds: dict[str, Any] = {}
    if filters.modified_after is not None:
        bounds["lower_bound"] = to_microseconds(filters.modified_after)
    if filters.modified_before is not None:
        bounds["upper_bound"] = to_microseconds(filters.modified_before) - 1  # exclusive
    return Query.range_query(schema, "modified", FieldType.Integer, **bounds)


def match_all_of(queries: Sequence[Query]) -> Query:
    return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Must, query) for query in queries])
