"""The lexical leg in OpenSearch, scored as the embedded engine scores (`retrieval.lexical_index`): a chunk's BM25 plus `document_weight` times its
document's, and the best documents bring their own chunks.

A search is two requests, each an `_msearch`: the best chunks, the best documents and how many chunks hold each term; then the chunks of the best
documents, and the documents of chunks that were not among these.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.ownership import libraries_read
from core.ports import Hit, LexicalResult
from core.search import Filters
from retrieval.analysis import prepare_question_text, text_analyser
from retrieval.lexical_index import DOCUMENT_DEPTH, K1, LOOKED_UP_TERMS, NAMED_DOCUMENTS, QUESTION_TERMS, SILENT_CHUNKS
from retrieval.lexical_schema import CHUNK_FIELDS, DOCUMENT_FIELDS
from retrieval.opensearch.catalogue import Catalogue
from retrieval.opensearch.connection import OpenSearchClient
from retrieval.opensearch.entries import filter_clauses, keyword_value, tenant_clause

_SEARCHES_AT_ONCE = 250
_KNOWN_COUNTS = 50_000
_EXPANSIONS = 1000  # terms near to one; a query may have 1,024 parts
HIT_FIELDS: dict[str, Any] = {
    "_source": False,
    "stored_fields": "_none_",
    "docvalue_fields": ["chunk", "document", "revision"],
    "track_total_hits": False,
}


@dataclass(frozen=True, slots=True)
class _Question:
    """The terms of a question with how often each occurs in it and its idf in the chunks' text."""

    counts: dict[str, int]
    idf: dict[str, float]


@dataclass(frozen=True, slots=True)
class _FoundChunk:
    """A chunk with the score of its own text and its document."""

    score: float
    document: str


class LexicalSearch:
    """`index` is searched, `catalogue` says what of it is committed. `score_scale` brings the server's BM25 to tantivy's (`score_scale` of the
    versions)."""

    def __init__(self, client: OpenSearchClient, index: str, catalogue: Catalogue, document_weight: float, score_scale: float) -> None:
        self.index, self.catalogue = index, catalogue
        self._client, self._document_weight, self._score_scale = client, document_weight, score_scale
        self._analyser = text_analyser()
        self._counts: dict[tuple[str, str], int] = {}

    def terms(self, text: str) -> list[str]:
        found: list[str] = self._analyser.analyze(prepare_question_text(text))
        return found

    def forget_counts(self) -> None:
        """Forget how many chunks hold a term: a commit changed that."""
        self._counts = {}

    # ------------------------------------------------------------------------------------------------------------------ weights
    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        return await self._idf(tenant, Counter(self.terms(text)[:LOOKED_UP_TERMS]))

    async def _idf(self, tenant: str, words: Iterable[str]) -> dict[str, float]:
        """Return ln(1 + (N - n + .5) / (n + .5)) with N and n counted in the tenant's chunks."""
        wanted = list(words)
        if not self._holds(tenant):  # of the one tenant who has documents another learns nothing
            return self._weigh(0, dict.fromkeys(wanted, 0))
        unknown = [word for word in wanted if (tenant, word) not in self._counts]
        for start in range(0, len(unknown), _SEARCHES_AT_ONCE):
            part = unknown[start : start + _SEARCHES_AT_ONCE]
            self._note_counts(tenant, part, await self._client.search_several(self.index, [self._count_body(tenant, word) for word in part]))
        return self._known_idf(tenant, wanted)

    def _known_idf(self, tenant: str, words: Iterable[str]) -> dict[str, float]:
        total = self.catalogue.count_chunks(libraries_read(tenant))
        return self._weigh(total, {word: self._counts.get((tenant, word), 0) for word in words})

    def _weigh(self, total: int, seen: dict[str, int]) -> dict[str, float]:
        return {word: math.log(1 + (max(total - count, 0) + 0.5) / (count + 0.5)) for word, count in seen.items()}

    def _count_body(self, tenant: str, word: str) -> dict[str, Any]:
        owner = [tenant_clause(tenant)] if self._is_shared() else []
        return {"size": 0, "track_total_hits": True, "query": {"bool": {"filter": [{"term": {"text": word}}, *owner]}}}

    def _note_counts(self, tenant: str, words: Sequence[str], answers: Sequence[dict[str, Any]]) -> None:
        if len(self._counts) > _KNOWN_COUNTS:
            self._counts = {}
        for word, answer in zip(words, answers, strict=True):
            self._counts[(tenant, word)] = answer["hits"]["total"]["value"]

    def _holds(self, tenant: str) -> bool:
        return any(self.catalogue.tenants[library] for library in libraries_read(tenant))

    def _is_shared(self) -> bool:
        return len(self.catalogue.tenants) > 1

    # ------------------------------------------------------------------------------------------------------------------ searching
    async def search(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult:
        counts = Counter(self.terms(text)[:LOOKED_UP_TERMS])
        if not counts or not self._holds(tenant):
            return LexicalResult((), 0.0)
        if len(counts) > QUESTION_TERMS:
            rarity = await self._idf(tenant, counts)
            counts = Counter({word: counts[word] for word in sorted(counts, key=lambda word: -rarity[word])[:QUESTION_TERMS]})
        restriction = filter_clauses(tenant if self._is_shared() else None, filters)
        chunks, documents = await self._first_round(tenant, counts, restriction, limit)
        chunks, documents = await self._second_round(counts, restriction, (chunks, documents), limit)
        question = _Question(dict(counts), self._known_idf(tenant, counts))
        return self._rank(chunks, documents, question, limit)

    async def _first_round(
        self, tenant: str, counts: Counter[str], restriction: list[dict[str, Any]], limit: int
    ) -> tuple[dict[int, _FoundChunk], dict[str, float]]:
        unknown = [word for word in counts if (tenant, word) not in self._counts]
        bodies = [_words_body(counts, CHUNK_FIELDS, restriction, 2 * limit)]
        bodies += [_words_body(counts, DOCUMENT_FIELDS, restriction, max(DOCUMENT_DEPTH, limit))] if self._document_weight else []
        answers = await self._client.search_several(self.index, [*bodies, *(self._count_body(tenant, word) for word in unknown)])
        self._note_counts(tenant, unknown, answers[len(bodies) :])
        return self._read_chunks(answers[0]), self._read_documents(answers[1]) if self._document_weight else {}

    async def _second_round(
        self,
        counts: Counter[str],
        restriction: list[dict[str, Any]],
        found: tuple[dict[int, _FoundChunk], dict[str, float]],
        limit: int,
    ) -> tuple[dict[int, _FoundChunk], dict[str, float]]:
        """Add the chunks of the best documents, and the scores of documents that were too many to be known at once."""
        chunks, documents = found
        named = sorted(documents, key=lambda document: -documents[document])[:NAMED_DOCUMENTS]
        unknown = sorted({chunk.document for chunk in chunks.values()} - documents.keys()) if len(documents) >= DOCUMENT_DEPTH else []
        bodies = [_named_body(counts, named, limit)] if named else []
        bodies += [_words_body(counts, DOCUMENT_FIELDS, [*restriction, _documents_clause(unknown)], len(unknown))] if unknown else []
        answers = await self._client.search_several(self.index, bodies)
        if named:
            chunks = self._without_silent(self._read_chunks(answers[0])) | chunks
        return chunks, documents | self._read_documents(answers[-1]) if unknown else documents

    def _rank(self, chunks: dict[int, _FoundChunk], documents: dict[str, float], question: _Question, limit: int) -> LexicalResult:
        weight, scale = self._document_weight, self._score_scale
        scored = [(-scale * (each.score + weight * documents.get(each.document, 0.0)), chunk, each) for chunk, each in chunks.items()]
        best = sorted(scored, key=lambda each: each[:2])[:limit]
        bound = (1 + K1) * sum(count * question.idf[word] for word, count in question.counts.items())
        return LexicalResult(tuple(Hit(chunk, each.document, -score) for score, chunk, each in best), bound, question.idf)

    async def chunks_with_similar_term(self, tenant: str, term: str, distance: int, limit: int) -> list[int]:
        if not self._holds(tenant):
            return []
        near = {"fuzzy": {"text": {"value": term, "fuzziness": distance, "max_expansions": _EXPANSIONS, "rewrite": "constant_score"}}}
        body = {**HIT_FIELDS, "size": limit, "query": {"bool": {"filter": [near, tenant_clause(tenant)]}}}
        [answer] = await self._client.search_several(self.index, [body])
        return list(self._read_chunks(answer))

    # ------------------------------------------------------------------------------------------------------------------ answers
    def _read_chunks(self, answer: dict[str, Any]) -> dict[int, _FoundChunk]:
        return {chunk: _FoundChunk(score, document) for chunk, document, score in read_hits(answer, self.catalogue.accepts)}

    def _read_documents(self, answer: dict[str, Any]) -> dict[str, float]:
        return {document: score for _, document, score in read_hits(answer, self.catalogue.accepts)}

    def _without_silent(self, chunks: dict[int, _FoundChunk]) -> dict[int, _FoundChunk]:
        """Return the chunks, of each document at most SILENT_CHUNKS that hold no word of the question."""
        kept: dict[int, _FoundChunk] = {}
        silent = Counter[str]()
        for chunk, each in sorted(chunks.items()):
            silent[each.document] += each.score <= 0
            if each.score > 0 or silent[each.document] <= SILENT_CHUNKS:
                kept[chunk] = each
        return kept


def read_hits(answer: dict[str, Any], accepts: Callable[[str, int], bool]) -> list[tuple[int, str, float]]:
    """Return (chunk, document, score) of the hits that are committed; chunk 0 for a document's own entry."""
    found = []
    for hit in answer["hits"]["hits"]:
        fields = hit["fields"]
        document = fields["document"][0]
        if accepts(document, fields["revision"][0]):
            found.append((fields.get("chunk", (0,))[0], document, hit["_score"] or 0.0))
    return found


def _words_body(counts: Counter[str], fields: dict[str, float], restriction: list[dict[str, Any]], size: int) -> dict[str, Any]:
    """Return the weighted sum of the terms' scores over the fields."""
    return {
        **HIT_FIELDS,
        "size": size,
        "query": {"bool": {"should": _term_clauses(counts, fields), "filter": restriction, "minimum_should_match": 1}},
    }


def _named_body(counts: Counter[str], documents: Sequence[str], size: int) -> dict[str, Any]:
    """Return the chunks of these documents, those with words of the question first."""
    inside = [_documents_clause(documents), {"exists": {"field": "chunk"}}]
    query = {"bool": {"should": _term_clauses(counts, CHUNK_FIELDS), "filter": inside, "minimum_should_match": 0}}
    return {**HIT_FIELDS, "size": size, "query": query, "sort": [{"_score": "desc"}, {"chunk": "asc"}], "track_scores": True}


def _term_clauses(counts: Counter[str], fields: dict[str, float]) -> list[dict[str, Any]]:
    return [{"term": {name: {"value": word, "boost": weight * count}}} for word, count in counts.items() for name, weight in fields.items()]


def _documents_clause(documents: Sequence[str]) -> dict[str, Any]:
    return {"terms": {"document": [keyword_value(document) for document in documents]}}
