"""Running the legs of a search side by side. A leg that fails is a degradation; only when all fail is the search unavailable."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import anyio

from core.errors import InvalidInput, Unavailable, VantageError
from core.ports import Embedder, Hit, SearchIndex
from core.search import Degradation, RetrievalRequest, StageReport
from retrieval.language_crossing import LEG_NAME as MULTILINGUAL
from retrieval.language_crossing import CrossLanguageHits, CrossLanguageSearch, LanguageCrossing, describe_crossing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEG_NAMES = {
    "lexical": "the search for words",
    "dense": "the search for meaning",
    "graph": "the search along the knowledge graph",
    MULTILINGUAL: "the search across languages",
}
_ORDER = tuple(LEG_NAMES)  # of the reports: the same every time
Leg = Callable[[], Awaitable[tuple[Hit, ...]]]


@dataclass(slots=True)
class LegResults:
    """The results of the legs: hits, best first, by the leg's name; `vector` is the question's, `completed_cosines` the cosines of chunks that the
    dense leg did not reach, `moved_cosines` those of all chunks with the question as feedback moved it.
    """

    hits: dict[str, tuple[Hit, ...]] = field(default_factory=dict)
    reports: list[StageReport] = field(default_factory=list)
    degraded: list[Degradation] = field(default_factory=list)
    signals: dict[str, float] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    completed_cosines: dict[int, float] = field(default_factory=dict)
    moved_cosines: dict[int, float] = field(default_factory=dict)
    refusal: InvalidInput | None = None
    notes: dict[str, str] = field(default_factory=dict)
    crossing: LanguageCrossing | None = None
    cross_language_hits: CrossLanguageHits | None = None

    @property
    def documents(self) -> dict[int, str]:
        """chunk id -> document id."""
        return {hit.chunk_id: hit.document_id for hits in self.hits.values() for hit in hits}

    def scores(self, name: str) -> dict[int, float]:
        return {hit.chunk_id: hit.score for hit in self.hits.get(name, ())}

    def meaning_scores(self) -> dict[int, float]:
        """Return the dense leg's scores, where languages were crossed those of the multilingual encoder in their place."""
        return self.scores("dense") | self.scores(MULTILINGUAL)


@dataclass(frozen=True, slots=True)
class LegRunner:
    """Runs the legs to `depth` hits: words and meaning, and the graph's where the request brings hits of it and the strategy gives them weight.
    Without words wanted (`use_hybrid` False) the dense one alone."""

    index: SearchIndex
    embedder: Embedder
    cross_language: CrossLanguageSearch | None = None

    async def run(self, request: RetrievalRequest, depth: int) -> LegResults:
        """Run the legs. Raises InvalidInput where every leg is left out, and as a leg raises it; Unavailable when no leg answered."""
        legs = LegResults()
        if self.cross_language is not None:
            legs.crossing = await self.cross_language.plan_crossing(request)
        plan = self._plan(request, depth, legs)
        async with anyio.create_task_group() as group:
            for name, search in plan.items():
                group.start_soon(self._run_guarded, name, search, legs)
        legs.reports.sort(key=lambda report: _ORDER.index(report.stage))
        if legs.refusal is not None:
            raise legs.refusal
        await self._complete_crossing(request, legs)
        if not legs.hits:
            reasons = " ".join(degradation.reason for degradation in legs.degraded)
            raise Unavailable(f"Nothing can be searched. {reasons}")
        return legs

    def _plan(self, request: RetrievalRequest, depth: int, legs: LegResults) -> dict[str, Leg]:
        plan: dict[str, Leg] = {"dense": lambda: self._run_dense(request, depth, legs)}
        if request.use_hybrid:
            plan["lexical"] = lambda: self._run_lexical(request, depth, legs)
        if request.use_hybrid and request.graph_hits and request.strategy.graph > 0:
            plan["graph"] = lambda: self._run_graph(request, depth, legs)
        plan = {name: search for name, search in plan.items() if name not in request.without}
        if plan and legs.crossing is not None and "dense" not in request.without:
            plan[MULTILINGUAL] = lambda: self._run_multilingual(request, depth, legs)
        if not plan:
            raise InvalidInput("Every leg of the search is left out: nothing can be found. Leave at least one of words, meaning and graph in.")
        return plan

    async def _run_guarded(self, name: str, search: Callable[[], Awaitable[tuple[Hit, ...]]], legs: LegResults) -> None:
        started = time.perf_counter()
        try:
            hits = await search()
        except InvalidInput as error:
            legs.refusal = error  # raised outside the task group, which would wrap it
        except VantageError as error:
            legs.degraded.append(Degradation(part=name, reason=f"{LEG_NAMES[name].capitalize()} failed: {error}"))
            legs.reports.append(StageReport(stage=name, entered=0, left=0, duration_ms=_elapsed_ms(started), note=str(error)))
        else:
            legs.hits[name] = hits
            note = legs.notes.get(name, "")
            legs.reports.append(StageReport(stage=name, entered=len(hits), left=len(hits), duration_ms=_elapsed_ms(started), note=note))

    async def _run_lexical(self, request: RetrievalRequest, depth: int, legs: LegResults) -> tuple[Hit, ...]:
        own = "" if legs.crossing is None else legs.crossing.words
        result = await self.index.search_lexical(request.tenant, own or request.text, request.filters, depth)
        best = result.hits[0].score if result.hits else 0.0
        if _is_reworded(request) and not own:
            result_of_question = await self.index.search_lexical(request.tenant, request.question, request.filters, depth)
            found = {hit.chunk_id for hit in result.hits}
            best = max((hit.score for hit in result_of_question.hits if hit.chunk_id in found), default=0.0)
            legs.signals["lexical_ratio"] = _capped_ratio(best, result_of_question.upper_bound)
        else:
            legs.signals["lexical_ratio"] = _capped_ratio(best, result.upper_bound)
        return result.hits

    async def _run_dense(self, request: RetrievalRequest, depth: int, legs: LegResults) -> tuple[Hit, ...]:
        vector = await self.embedder.embed_query(request.text)
        found = await self.index.search_dense(request.tenant, vector, request.filters, depth)
        hits = tuple(replace(hit, score=self.embedder.scale.rescale(hit.score)) for hit in found)
        best = hits[0].score if hits else 0.0
        if _is_reworded(request) and hits:
            asked = await self.embedder.embed_query(request.question)
            vectors = await self.index.vectors(request.tenant, [hit.chunk_id for hit in hits])
            best = max((self.embedder.scale.rescale(float(each @ asked)) for each in vectors.values()), default=0.0)
        legs.signals["dense_top1"] = min(max(best, 0.0), 1.0)
        legs.vector = vector
        return hits

    async def _run_graph(self, request: RetrievalRequest, depth: int, legs: LegResults) -> tuple[Hit, ...]:
        """Return Apollo's hits, best first, those that this tenant's index still holds: the graph may be older than the last change of a document."""
        best: dict[int, Hit] = {}
        for hit in request.graph_hits:
            if hit.chunk_id not in best or hit.score > best[hit.chunk_id].score:
                best[hit.chunk_id] = Hit(hit.chunk_id, hit.document_id, min(max(hit.score, 0.0), 1.0))
        known = await self.index.vectors(request.tenant, list(best))
        hits = sorted((hit for number, hit in best.items() if number in known), key=lambda hit: (-hit.score, hit.chunk_id))
        gone = len(best) - len(hits)
        if gone:
            legs.notes["graph"] = f"{gone} left out: the index no longer holds {'it' if gone == 1 else 'them'}."
        return tuple(hits[:depth])

    async def _run_multilingual(self, request: RetrievalRequest, depth: int, legs: LegResults) -> tuple[Hit, ...]:
        if self.cross_language is None or legs.crossing is None:
            return ()
        legs.cross_language_hits = await self.cross_language.search(request, legs.crossing, depth)
        if legs.cross_language_hits.degradation is not None:
            legs.degraded.append(legs.cross_language_hits.degradation)
        return legs.cross_language_hits.hits

    async def _complete_crossing(self, request: RetrievalRequest, legs: LegResults) -> None:
        """Give what only other legs found its cosine, once all have ended. A leg that found nothing is as if it had not been run."""
        crossing, found = legs.crossing, legs.cross_language_hits
        if self.cross_language is None or crossing is None or MULTILINGUAL not in legs.hits or found is None:
            return
        if not legs.hits.pop(MULTILINGUAL):
            return
        others = {} if crossing.passages is not None else legs.documents
        legs.hits[MULTILINGUAL] = await self.cross_language.complete_hits(request, found, others)
        note = describe_crossing(crossing)
        legs.reports = [each.model_copy(update={"note": note}) if each.stage == MULTILINGUAL else each for each in legs.reports]

    async def complete_cosines(self, request: RetrievalRequest, legs: LegResults) -> None:
        """Give the chunks that only other legs found their scaled cosine, which costs no search. They do not count as found by the dense leg."""
        if legs.vector is None or "dense" not in legs.hits:
            return
        known = {hit.chunk_id for hit in legs.hits["dense"]}
        missing = [chunk_id for chunk_id in legs.documents if chunk_id not in known]
        vectors = await self.index.vectors(request.tenant, missing)
        scaled = self.embedder.scale.rescale
        legs.completed_cosines = {chunk_id: scaled(float(vector @ legs.vector)) for chunk_id, vector in vectors.items()}


def _is_reworded(request: RetrievalRequest) -> bool:
    return bool(request.question.strip()) and request.question != request.text


def _capped_ratio(best: float, bound: float) -> float:
    """Return the score as a share of its bound, at most 1. The bound is that of the chunk's text; headings and document can lift a score above it."""
    return min(best / bound, 1.0) if bound > 0 else 0.0


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
