"""Retrieval sets as the product would hold them: read, cut into chunks, embedded once (cached in the temp folder) and put into an index."""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import data_folder
from core.documents import Chunk, ExtractedDocument, StoredChunk, embedded_text
from core.ports import Embedder, IndexedChunk, IndexedDocument, Library, TokenStore
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
        return cast(Library, CorpusLibrary(self.chunks))  # the stages that are measured read chunks and nothing else


class CorpusLibrary:
    """The part of `core.ports.Library` that late interaction reads."""

    def __init__(self, chunks: dict[int, StoredChunk]) -> None:
        self._chunks = chunks

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        return {chunk_id: self._chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in self._chunks}


async def load_corpus(
    name: str, embedder: Embedder, tokens: TokenStore | None = None, chunk_tokens: int = 256, language: str = "en"
) -> Corpus | None:
    """The set of that (short) name; None, with a word on standard error, where its folder is missing. `tokens` is filled where given; `language` is
    that of the documents."""
    folder = data_folder() / SHORT_NAMES.get(name, name)
    if not (folder / "corpus.jsonl").is_file():
        sys.stderr.write(f"{name}: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return None
    cut = [_cut_into_chunks(row, embedder, chunk_tokens) for row in read_rows(folder / "corpus.jsonl")]
    chunks = _number_chunks(cut)
    vectors = await _load_vectors([embedded_text(each.prefix, each.text) for each in chunks], embedder, tokens)
    queries = {str(row["id"]): str(row["text"]) for row in read_rows(folder / "queries.jsonl")}
    extracted = tuple((each.document, each.chunks) for each in cut)
    return Corpus(
        name,
        _make_indexed(cut, chunks, vectors, language),
        {each.id: each for each in chunks},
        queries,
        read_grades(folder / "qrels.tsv"),
        extracted,
    )


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
