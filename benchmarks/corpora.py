"""Retrieval sets as the product would hold them: read, cut into chunks, embedded once (cached in the temp folder) and put into an index."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import data_folder
from core.documents import Chunk, ExtractedDocument, StoredChunk, embedded_text
from core.ports import DocumentContent, DocumentNames, Embedder, IndexedChunk, IndexedDocument, Library, TokenStore
from evaluation.evaluation_sets import read_grades, read_rows
from ingestion.chunking.chunker import ChunkLimits, chunk_document
from ingestion.enrichment.profile import profile_document
from ingestion.readers.base.document_builder import DocumentBuilder
from retrieval.embedded_index import EmbeddedIndex

TENANT = "default"
SHORT_NAMES = {"musique": "hipporag_musique_train100", "hotpotqa": "hipporag_hotpotqa_train100"}
CACHE = Path(tempfile.gettempdir()) / "vantage-benchmarks"
WINDOW = 512


@dataclass(frozen=True)
class Corpus:
    """Documents cut into chunks (ids from 1), queries (id -> text) and judgements (query id -> document id -> grade). `extracted` are the
    documents as a reader gives them, in the order of `documents`, with their chunks."""

    name: str
    documents: tuple[IndexedDocument, ...]
    chunks: dict[int, StoredChunk]
    queries: dict[str, str]
    grades: dict[str, dict[str, float]]
    extracted: tuple[tuple[ExtractedDocument, tuple[Chunk, ...]], ...] = ()

    @property
    def library(self) -> Library:
        return cast(Library, CorpusLibrary(self))  # the stages that are measured read chunks and nothing else


class CorpusLibrary:
    """The part of `core.ports.Library` that the measured stages read."""

    def __init__(self, corpus: Corpus) -> None:
        self._chunks, self._documents = corpus.chunks, {each.id: each for each in corpus.documents}
        self._contents = {each.id: extracted for each, (extracted, _) in zip(corpus.documents, corpus.extracted, strict=True)}

    async def contents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentContent]:
        return {each: DocumentContent(each, 1, self._contents[each].text, cast("Any", None)) for each in document_ids if each in self._contents}

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        return {chunk_id: self._chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in self._chunks}

    async def documents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, IndexedDocument]:
        return {each: self._documents[each] for each in document_ids if each in self._documents}

    async def names(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentNames]:
        """What the coverage reads of a document."""
        return {each: DocumentNames(found.title, found.filename) for each, found in (await self.documents(tenant, document_ids)).items()}

    async def section_chunks(self, tenant: str, document_id: str, first: int, last: int) -> list[StoredChunk]:
        own = [self._chunks[piece.id] for piece in self._documents[document_id].chunks]
        return [each for each in own if first <= each.ordinal <= last]


async def load_corpus(
    name: str, embedder: Embedder, tokens: TokenStore | None = None, chunk_tokens: int = 256, language: str = "en"
) -> Corpus | None:
    """The set of that (short) name; None, with a word on standard error, where its folder is missing. `tokens` is filled where given; `language` is
    that of the documents."""
    folder = data_folder() / SHORT_NAMES.get(name, name)
    if not (folder / "corpus.jsonl").is_file():
        sys.stderr.write(f"{name}: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return None
    queries = {str(row["id"]): str(row["text"]) for row in read_rows(folder / "queries.jsonl")}
    given = CorpusRows(list(read_rows(folder / "corpus.jsonl")), queries, read_grades(folder / "qrels.tsv"), language)
    return await make_corpus(name, given, embedder, tokens, chunk_tokens)


@dataclass(frozen=True)
class CorpusRows:
    """What a corpus is made of: rows {id, title?, text}, queries and judgements as in `Corpus`, and the documents' language."""

    rows: Sequence[dict[str, Any]]
    queries: dict[str, str]
    grades: dict[str, dict[str, float]]
    language: str = "en"


async def make_corpus(name: str, given: CorpusRows, embedder: Embedder, tokens: TokenStore | None = None, chunk_tokens: int = 256) -> Corpus:
    """Return the rows cut, embedded and ready for an index."""
    cut = [_cut_into_chunks(row, embedder, chunk_tokens) for row in given.rows]
    chunks = _number_chunks(cut)
    vectors = await _load_vectors([embedded_text(each.prefix, each.text) for each in chunks], embedder, tokens)
    extracted = tuple((each.document, each.chunks) for each in cut)
    documents = _make_indexed(cut, chunks, vectors, given.language)
    return Corpus(name, documents, {each.id: each for each in chunks}, given.queries, given.grades, extracted)


def join_corpora(name: str, corpora: Sequence[Corpus], step: int = 1) -> Corpus:
    """Return several corpora as one library, of each every `step`th document; the ids of documents and queries begin with the corpus's name."""
    documents: list[IndexedDocument] = []
    chunks: dict[int, StoredChunk] = {}
    extracted: list[tuple[ExtractedDocument, tuple[Chunk, ...]]] = []
    queries: dict[str, str] = {}
    grades: dict[str, dict[str, float]] = {}
    for corpus in corpora:
        for each in corpus.documents[::step]:
            own, renumbered = f"{corpus.name}-{each.id}", []
            for piece in each.chunks:
                number = len(chunks) + 1
                chunks[number] = corpus.chunks[piece.id].model_copy(update={"id": number, "document_id": own})
                renumbered.append(replace(piece, id=number))
            documents.append(replace(each, id=own, filename=f"{own}.txt", paths=(f"/{own}.txt",), chunks=tuple(renumbered)))
        extracted += corpus.extracted[::step]
        queries |= {f"{corpus.name}-{query}": text for query, text in corpus.queries.items()}
        grades |= {
            f"{corpus.name}-{query}": {f"{corpus.name}-{each}": grade for each, grade in given.items()} for query, given in corpus.grades.items()
        }
    return Corpus(name, tuple(documents), chunks, queries, grades, tuple(extracted))


async def build_index(folder: Path, corpus: Corpus, *, document_weight: float, dimension: int) -> EmbeddedIndex:
    index = await EmbeddedIndex.open(folder, dimension=dimension, document_weight=document_weight, faiss_above=200_000)
    await index.load_documents(corpus.documents)
    await index.commit()
    return index


@dataclass(frozen=True)
class _ChunkedRow:
    row: dict[str, Any]
    document: ExtractedDocument
    chunks: tuple[Chunk, ...]


def _cut_into_chunks(row: dict[str, Any], embedder: Embedder, chunk_tokens: int) -> _ChunkedRow:
    """A row as a page with its title for a heading."""
    title, builder = " ".join(row.get("title", "").split()), DocumentBuilder("benchmark")
    if title:
        builder.heading(title)
    body = row["text"].strip()
    builder.paragraph(body.removeprefix(row.get("title", "")).strip() or body or "-")
    document = builder.build()
    return _ChunkedRow(row, document, chunk_document(document, title, ChunkLimits(min(chunk_tokens, embedder.window)), embedder.token_spans))


def _number_chunks(cut: Sequence[_ChunkedRow]) -> list[StoredChunk]:
    found: list[StoredChunk] = []
    for each in cut:
        for piece in each.chunks:
            text = each.document.text[piece.start : piece.end]
            found.append(
                StoredChunk(
                    id=len(found) + 1,
                    document_id=str(each.row["id"]),
                    generation=1,
                    ordinal=piece.ordinal,
                    start=piece.start,
                    end=piece.end,
                    page=None,
                    section=list(piece.section),
                    kind=piece.kind,
                    tokens=piece.tokens,
                    prefix=piece.prefix,
                    text=text,
                )
            )
    return found


def _make_indexed(
    cut: Sequence[_ChunkedRow], chunks: Sequence[StoredChunk], vectors: NDArray[np.float16], language: str
) -> tuple[IndexedDocument, ...]:
    documents, place = [], 0
    for each in cut:
        about = profile_document(each.document, f"{each.row['id']}.txt")
        rows = range(place, place + len(each.chunks))
        place += len(each.chunks)
        pieces = tuple(IndexedChunk(chunks[row].id, chunks[row].text, " › ".join(chunks[row].section), vectors[row]) for row in rows)
        documents.append(
            IndexedDocument(
                id=str(each.row["id"]),
                tenant=TENANT,
                collection="benchmark",
                generation=1,
                paths=(f"/{each.row['id']}.txt",),
                filename=f"{each.row['id']}.txt",
                title=about.title if each.row.get("title") else "",
                keywords=about.keywords,
                summary=about.summary,
                file_type=".txt",
                doc_type="text",
                language=language,
                modified_at=None,
                chunks=pieces,
            )
        )
    return tuple(documents)


async def _load_vectors(texts: Sequence[str], embedder: Embedder, tokens: TokenStore | None) -> NDArray[np.float16]:
    """Vectors from the cache or made now; token vectors go into `tokens` at the same time."""
    mark = hashlib.sha256("\0".join([embedder.name, *texts]).encode("utf-8", "replace")).hexdigest()[:20]
    path = CACHE / f"{mark}.npy"
    stored = len(await tokens.get(range(1, len(texts) + 1))) if tokens is not None else len(texts)
    if path.is_file() and stored == len(texts):
        found: NDArray[np.float16] = np.load(path)
        return found
    started, parts = time.perf_counter(), []
    for begin in range(0, len(texts), WINDOW):
        encoded = await embedder.embed_passages(texts[begin : begin + WINDOW], with_tokens=tokens is not None)
        parts.append(encoded.vectors.astype(np.float16))
        if tokens is not None:
            await tokens.put([(begin + row + 1, value) for row, value in enumerate(encoded.tokens)])
    sys.stderr.write(f"embedded {len(texts)} chunks in {time.perf_counter() - started:.0f} s\n")
    vectors = np.concatenate(parts)
    CACHE.mkdir(parents=True, exist_ok=True)
    np.save(path, vectors)
    return vectors
