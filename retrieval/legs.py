"""Running the legs of a search side by side. A leg that fails is a degradation; only when all fail is the search unavailable."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

from core.errors import InvalidInput, Unavailable, VantageError
from core.ports import Embedder, Hit, SearchIndex
from core.search import Degradation, RetrievalRequest, StageReport

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NAMES = {"lexical": "the search for words", "dense": "the search for meaning"}


@dataclass(slots=True)
class Legs:
    """What the legs found: hits, best first, by the leg's name; `vector` is the question's, `completed` the cosines of chunks that the
    dense leg did not reach."""

    hits: dict[str, tuple[Hit, ...]] = field(default_factory=dict)
    reports: list[StageReport] = field(default_factory=list)
    degraded: list[Degradation] = field(default_factory=list)
    signals: dict[str, float] = field(default_factory=dict)
    vector: NDArray[np.float32] | None = None
    completed: dict[int, float] = field(default_factory=dict)
    refused: InvalidInput | None = None

    @property
    def documents(self) -> dict[int, str]:
        """chunk id -> document id."""
        return {hit.chunk_id: hit.document_id for hits in self.hits.values() for hit in hits}

    def scores(self, name: str) -> dict[int, float]:
        return {hit.chunk_id: hit.score for hit in self.hits.get(name, ())}


@dataclass(frozen=True, slots=True)
class LegRunner:
    """Runs both legs to `depth` hits; the dense one alone where the request has no use for words."""

    index: SearchIndex
    embedder: Embedder

    async def run(self, request: RetrievalRequest, depth: int) -> Legs:
        """Raises Unavailable when no leg answered, and InvalidInput as it comes."""
        legs = Legs()
        plan: dict[str, Callable[[], Awaitable[tuple[Hit, ...]]]] = {"dense": lambda: self._dense(request, depth, legs)}
        if request.use_hybrid:
            plan["lexical"] = lambda: self._lexical(request, depth, legs)
        async with anyio.create_task_group() as group:
            for name, search in plan.items():
                group.start_soon(self._guarded, name, search, legs)
        legs.reports.sort(key=lambda report: report.stage, reverse=True)  # lexical, dense: the same order every time
        if legs.refused is not None:
            raise legs.refused
        if not legs.hits:
            reasons = " ".join(degradation.reason for degradation in legs.degraded)
            raise Unavailable(f"Nothing can be searched. {reasons}")
        return legs

    async def _guarded(self, name: str, search: Callable[[], Awaitable[tuple[Hit, ...]]], legs: Legs) -> None:
        started = time.perf_counter()
        try:
            hits = await search()
        except InvalidInput as error:
            legs.refused = error  # raised outside the task group, which would wrap it
        except VantageError as error:
            legs.degraded.append(Degradation(part=name, reason=f"{NAMES[name].capitalize()} failed: {error}"))
            legs.reports.append(StageReport(stage=name, entered=0, left=0, duration_ms=_since(started), note=str(error)))
        else:
            legs.hits[name] = hits
            legs.reports.append(StageReport(stage=name, entered=len(hits), left=len(hits), duration_ms=_since(started)))

    async def _lexical(self, request: RetrievalRequest, depth: int, legs: Legs) -> tuple[Hit, ...]:
        result = await self.index.lexical(request.tenant, request.text, request.filters, depth)
        best = result.hits[0].score if result.hits else 0.0
        # The bound is that of the chunk's text; headings and document can lift a score above it.
        legs.signals["lexical_ratio"] = min(best / result.upper_bound, 1.0) if result.upper_bound > 0 else 0.0
        return result.hits

    async def _dense(self, request: RetrievalRequest, depth: int, legs: Legs) -> tuple[Hit, ...]:
        vector = await self.embedder.embed_query(request.text)
        hits = await self.index.dense(request.tenant, vector, request.filters, depth)
        legs.signals["dense_top1"] = min(max(hits[0].score, 0.0), 1.0) if hits else 0.0
        legs.vector = vector
        return hits

    async def complete(self, request: RetrievalRequest, legs: Legs) -> None:
        """Give the chunks that only the lexical leg found their true cosine, which costs no search. They count as found by words alone."""
        if legs.vector is None or "dense" not in legs.hits:
            return
        known = {hit.chunk_id for hit in legs.hits["dense"]}
        missing = [hit for hit in legs.hits.get("lexical", ()) if hit.chunk_id not in known]
        vectors = await self.index.vectors(request.tenant, [hit.chunk_id for hit in missing])
        legs.completed = {chunk_id: float(vector @ legs.vector) for chunk_id, vector in vectors.items()}


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
