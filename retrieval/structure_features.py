"""The reranker that looks at where a passage stands: its headings, its neighbours, its document. Off unless `search.structure.enabled`.

score = sum of weight * feature over the first candidates, every feature in 0..1.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from core.documents import Document, DocumentState, StoredChunk
from core.language.content_words import stems
from core.ports import Library
from core.search import Candidate, Retrieval, RetrievalRequest, StageReport
from retrieval.options import FeatureWeights, StructureOptions
from retrieval.reranking import reorder
from retrieval.routing import has_heading

STAGE = "structure"
_NEAR = 2  # chunks before and behind that are neighbours
_GOOD = 0.3  # score above which a neighbour counts
_EACH_NEIGHBOUR, _MOST_NEIGHBOURS = 0.1, 0.3
_HALF = 0.5  # of a document of another type, that is not the latest, or that was not read wholly


@dataclass(frozen=True, slots=True)
class StructureFeatures:
    """What a passage's place says for it. `parent`: the best of the other candidates under the same parent heading; `section_match`: the share of the
    question's words that stand in its headings; `confidence`: 1 for a document that was read wholly. `position_in_doc` is logged and not weighed."""

    text: float
    parent: float
    section_match: float
    confidence: float
    adjacency: float
    document_type: float
    recency: float
    position_in_doc: float


@dataclass(frozen=True, slots=True)
class StructureReranker:
    library: Library
    structure: StructureOptions

    async def rerank(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Return the candidates in their new order; the report has the weights and every feature."""
        if not self.structure.enabled or STAGE in request.without or not found.candidates:
            return found
        started = time.perf_counter()
        head = found.candidates[: self.structure.candidates]
        chunks = await self.library.chunks(request.tenant, [each.chunk_id for each in head])
        documents = await self.library.documents(request.tenant, list(dict.fromkeys(each.document_id for each in head)))
        seen = [each for each in head if each.chunk_id in chunks and each.document_id in documents]
        features = {each.chunk_id: _measure(each, _Neighbourhood(request, seen, chunks, documents)) for each in seen}
        weights = self.structure.feature_weights
        candidates = reorder(found.candidates, {number: weigh_features(each, weights) for number, each in features.items()}, STAGE)
        logged = {number: {name: round(value, 4) for name, value in asdict(each).items()} for number, each in features.items()}
        report = StageReport(
            stage=STAGE,
            entered=len(found.candidates),
            left=len(candidates),
            duration_ms=round((time.perf_counter() - started) * 1000, 3),
            parameters={"method": "structure features", "weights": weights.model_dump(), "features": logged},
            note=_describe_moves(found.candidates, candidates),
        )
        return found.model_copy(update={"candidates": candidates, "reports": [*found.reports, report]})


def weigh_features(features: StructureFeatures, weights: FeatureWeights) -> float:
    return (
        weights.text * features.text
        + weights.parent * features.parent
        + weights.section_match * features.section_match
        + weights.confidence * features.confidence
        + weights.adjacency * features.adjacency
        + weights.document_type * features.document_type
        + weights.recency * features.recency
    )


@dataclass(frozen=True, slots=True)
class _Neighbourhood:
    """What a candidate is looked at beside: the others, their chunks and documents, and what is asked."""

    request: RetrievalRequest
    candidates: Sequence[Candidate]
    chunks: Mapping[int, StoredChunk]
    documents: Mapping[str, Document]

    def siblings(self, candidate: Candidate) -> list[tuple[Candidate, StoredChunk]]:
        """Return the other candidates of its document."""
        others = (each for each in self.candidates if each.document_id == candidate.document_id and each.chunk_id != candidate.chunk_id)
        return [(each, self.chunks[each.chunk_id]) for each in others]

    def is_latest(self, document: Document) -> bool:
        times = [each.modified_at.timestamp() for each in self.documents.values() if each.modified_at is not None]
        return document.modified_at is not None and document.modified_at.timestamp() == max(times)


def _measure(candidate: Candidate, around: _Neighbourhood) -> StructureFeatures:
    chunk, document, plan = around.chunks[candidate.chunk_id], around.documents[candidate.document_id], around.request.query_plan
    siblings = around.siblings(candidate)
    parent = chunk.section[:-1]
    near = sum(other.score > _GOOD and abs(beside.ordinal - chunk.ordinal) <= _NEAR for other, beside in siblings)
    return StructureFeatures(
        text=candidate.score,
        parent=max((other.score for other, beside in siblings if beside.section[: len(parent)] == parent), default=0.0),
        section_match=_match_headings(chunk, around.request),
        confidence=1.0 if document.state is DocumentState.INDEXED else _HALF,
        adjacency=min(_EACH_NEIGHBOUR * near, _MOST_NEIGHBOURS),
        document_type=1.0 if plan is not None and document.doc_type in plan.document_types else _HALF,
        recency=1.0 if around.is_latest(document) else _HALF,
        position_in_doc=min(chunk.start / document.characters, 1.0) if document.characters else 0.0,
    )


def _match_headings(chunk: StoredChunk, request: RetrievalRequest) -> float:
    """1 under a heading that the plan names, else the share of the question's words in the headings."""
    if request.query_plan is not None and has_heading(chunk, request.query_plan.boost_sections):
        return 1.0
    asked = stems(request.text)
    return len(asked & stems(" ".join(chunk.section))) / len(asked) if asked else 0.0


def _describe_moves(before: Sequence[Candidate], after: Sequence[Candidate]) -> str:
    moved = sum(old.chunk_id != new.chunk_id for old, new in zip(before, after, strict=True))
    return f"{moved} of {len(after)} changed places."
