"""Running the legs of a search side by side. A leg that fails is a degradation; only when all fail is the search unavailable."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from core.errors import InvalidInput, Unavailable, VantageError
from core.ports import Embedder, Hit, Library, SearchIndex, SummaryTrees
from core.search import Degradation, RetrievalRequest, StageReport
from retrieval.language_crossing import CrossLanguageSearch, LanguageCrossing
from retrieval.leg import Leg, LegResult, LegSearch
from retrieval.leg_table import LEGS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ORDER = tuple(leg.name for leg in LEGS)  # of the reports: the same every time


@dataclass(slots=True)
class LegResults:
    """The results of the legs by their names; `completed_cosines` are the cosines of chunks that the dense leg did not reach,
    `recounted_words` the BM25 of the first ones with what stands above them, `moved_cosines` and `moved_words` the scores of all chunks with the
    question as feedback moved it."""

    results: dict[str, LegResult] = field(default_factory=dict)
    reports: list[StageReport] = field(default_factory=list)
    degraded: list[Degradation] = field(default_factory=list)
    signals: dict[str, float] = field(default_factory=dict)
    completed_cosines: dict[int, float] = field(default_factory=dict)
    recounted_words: dict[int, float] = field(default_factory=dict)
    moved_cosines: dict[int, float] = field(default_factory=dict)
    moved_words: dict[int, float] = field(default_factory=dict)
    refusal: InvalidInput | None = None
    crossing: LanguageCrossing | None = None

    @property
    def hits(self) -> dict[str, tuple[Hit, ...]]:
        """Leg -> hits, best first."""
        return {name: result.hits for name, result in self.results.items()}

    @property
    def vector(self) -> NDArray[np.float32] | None:
        """The question's, as the dense leg compared it; None where that one did not run."""
        return self.results["dense"].vector if "dense" in self.results else None

    @property
    def documents(self) -> dict[int, str]:
        """chunk id -> document id."""
        return {hit.chunk_id: hit.document_id for result in self.results.values() for hit in result.hits}

    def scores(self) -> dict[str, dict[int, float]]:
        """Leg -> chunk id -> score, of the legs that are fused: one that replaces another stands in that one's place for what it found."""
        scores: dict[str, dict[int, float]] = {}
        for leg in LEGS:
            if leg.name in self.results:
                own = {hit.chunk_id: hit.score for hit in self.results[leg.name].hits}
                place = leg.replaces or leg.name
                scores[place] = scores.get(place, {}) | own
        return scores


@dataclass(frozen=True, slots=True)
class LegRunner:
    """Runs the legs that a search has, to `depth` hits each. Without words wanted (`use_hybrid` False) those for meaning alone."""

    index: SearchIndex
    embedder: Embedder
    cross_language: CrossLanguageSearch | None = None
    trees: SummaryTrees | None = None
    library: Library | None = None

    async def run(self, request: RetrievalRequest, depth: int) -> LegResults:
        """Run the legs. Raises InvalidInput where every leg is left out, and as a leg raises it; Unavailable when no leg answered."""
        crossing = await self.cross_language.plan_crossing(request) if self.cross_language is not None else None
        search = LegSearch(request, depth, self.index, self.embedder, self.cross_language, crossing, self.trees, self.library)
        legs, planned = LegResults(crossing=crossing), _plan_legs(search)
        async with anyio.create_task_group() as group:
            for leg in planned:
                group.start_soon(_run_guarded, leg, search, legs)
        legs.reports.sort(key=lambda report: _ORDER.index(report.stage))
        if legs.refusal is not None:
            raise legs.refusal
        for leg in planned:
            await _complete(leg, search, legs)
        if not legs.results:
            reasons = " ".join(degradation.reason for degradation in legs.degraded)
            raise Unavailable(f"Nothing can be searched. {reasons}")
        return legs

    async def complete_cosines(self, request: RetrievalRequest, legs: LegResults) -> None:
        """Give the chunks that only other legs found their scaled cosine, which costs no search. They do not count as found by the dense leg."""
        if legs.vector is None:
            return
        known = {hit.chunk_id for hit in legs.hits["dense"]}
        missing = [chunk_id for chunk_id in legs.documents if chunk_id not in known]
        vectors = await self.index.vectors(request.tenant, missing)
        scaled = self.embedder.scale.rescale
        legs.completed_cosines = {chunk_id: scaled(float(vector @ legs.vector)) for chunk_id, vector in vectors.items()}


def _plan_legs(search: LegSearch) -> list[Leg]:
    """Return the legs of this search. Raises InvalidInput where none is left in."""
    planned = [leg for leg in LEGS if _is_planned(leg, search)]
    if not planned:
        *others, last = (leg.short for leg in LEGS if not leg.replaces)
        raise InvalidInput(f"Every leg of the search is left out: nothing can be found. Leave at least one of {', '.join(others)} and {last} in.")
    return planned


def _is_planned(leg: Leg, search: LegSearch) -> bool:
    request = search.request
    if leg.name in request.without or leg.replaces in request.without:
        return False
    return (request.use_hybrid or leg.in_dense_search) and (leg.runs is None or leg.runs(search))


async def _run_guarded(leg: Leg, search: LegSearch, legs: LegResults) -> None:
    started = time.perf_counter()
    try:
        result = await leg.search(search)
    except InvalidInput as error:
        legs.refusal = error  # raised outside the task group, which would wrap it
        return
    except VantageError as error:
        legs.degraded.append(Degradation(part=leg.name, reason=f"{leg.title.capitalize()} failed: {error}"))
        legs.reports.append(StageReport(stage=leg.name, entered=0, left=0, duration_ms=_elapsed_ms(started), note=str(error)))
        return
    count = len(result.hits)
    legs.results[leg.name] = result
    legs.signals |= result.signals
    legs.degraded += [result.degraded] if result.degraded is not None else []
    legs.reports.append(StageReport(stage=leg.name, entered=count, left=count, duration_ms=_elapsed_ms(started), note=result.note))


async def _complete(leg: Leg, search: LegSearch, legs: LegResults) -> None:
    """Let a leg add to what it found, once all have ended. One that found nothing is then as if it had not been run."""
    if leg.complete is None or leg.name not in legs.results:
        return
    found = legs.results.pop(leg.name)
    if not found.hits:
        return
    result = legs.results[leg.name] = await leg.complete(search, found, legs.documents)
    legs.reports = [each.model_copy(update={"note": result.note}) if each.stage == leg.name else each for each in legs.reports]


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
