"""The steps of a plan: the name that the next one waits for, and what all of them found in one list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from agents.planner.bridge_entity import BridgeEntity, BridgeSearch, HopPassage, find_bridge
from core.errors import VantageError
from core.ports import AnswerReader, KnowledgeGraph, Library
from core.reasoning import Hop
from core.search import Candidate, Degradation, Retrieval, StageReport, StageScore

STAGE = "hops"
CLUE_PASSAGES = 6  # passages of a hop that are read for a bridging entity
KEPT_PASSAGES = 2  # places that the question's own search keeps
PASSAGES_PER_HOP = 2  # passages of each hop, and of the question, that come next
MAX_DEPTH = 6  # places of a list that they are taken from
MAX_MERGED = 50
Named = tuple[BridgeEntity | None, tuple[Degradation, ...]]  # with the parts that did not look for it
FindName = Callable[[str, str, Sequence[Candidate]], Awaitable[Named]]  # by tenant, the step's question and what it found


async def find_name(
    tenant: str, asked: str, candidates: Sequence[Candidate], *, library: Library, graph: KnowledgeGraph | None, reader: AnswerReader | None
) -> Named:
    """Find the name that a later step waits for. A graph or a reader that fails is left out of the weighing."""
    bridging = BridgeSearch(tenant=tenant, question=asked, passages=await _clues(candidates, tenant, library))
    lost: tuple[Degradation, ...] = ()
    for asked_too in (graph, None):
        try:
            return await find_bridge(bridging, graph=asked_too, reader=reader), lost
        except VantageError as error:
            lost = (Degradation(part="hop", reason=f"The bridging name was looked for without all parts: {error}"),)
    return await find_bridge(bridging), lost


async def _clues(candidates: Sequence[Candidate], tenant: str, library: Library) -> list[HopPassage]:
    head = candidates[:CLUE_PASSAGES]
    chunks = await library.chunks(tenant, [candidate.chunk_id for candidate in head])
    documents = await library.documents(tenant, list(dict.fromkeys(candidate.document_id for candidate in head)))
    best = max((candidate.score for candidate in head), default=0.0) or 1.0
    return [
        HopPassage(
            document_id=chunk.document_id,
            generation=chunk.generation,
            filename=documents[chunk.document_id].filename,
            title=documents[chunk.document_id].title,
            section=chunk.section,
            page=chunk.page,
            start=chunk.start,
            text=chunk.text,
            score=max(0.0, candidate.score / best),
        )
        for candidate in head
        if (chunk := chunks.get(candidate.chunk_id)) is not None and chunk.document_id in documents
    ]


def merge_hops(found: Retrieval, hops: Sequence[Hop]) -> Retrieval:
    """Return the question's first KEPT; then EACH times the best that is left of every hop in turn (the last step first: it holds the answer) and of
    the question itself; then the rest by score.

    Scores of all lists lie in 0..1 and come from the same stages; none stands above the one before it. The signals are the chain's where its
    weakest step is surer than the question itself: a question over several passages has no single one that covers it.
    """
    ordered = sorted(hops, key=lambda each: -each.sub_query.priority)
    if not any(made.retrieval.candidates for made in hops):
        return found
    lists = {f"{made.sub_query.id} “{made.asked}”": made.retrieval.candidates for made in ordered} | {"the question itself": found.candidates}
    best: dict[int, Candidate] = {}
    for candidate in [*found.candidates, *(each for made in ordered for each in made.retrieval.candidates)]:
        known = best.get(candidate.chunk_id)
        if known is None:
            best[candidate.chunk_id] = candidate
        elif candidate.score > known.score:
            best[candidate.chunk_id] = known.model_copy(update={"score": candidate.score})
    order = [candidate.chunk_id for candidate in found.candidates[:KEPT_PASSAGES]]
    reasons: dict[int, str] = {}
    for _ in range(PASSAGES_PER_HOP):
        for name, candidates in lists.items():
            following = next((each.chunk_id for each in candidates[:MAX_DEPTH] if each.chunk_id not in order), None)
            if following is not None:
                order.append(following)
                reasons[following] = name
    order = list(dict.fromkeys([*order, *sorted(best, key=lambda number: -best[number].score)]))
    return _make_merged_retrieval(found, order[:MAX_MERGED], best, reasons, hops)


def _make_merged_retrieval(
    found: Retrieval, order: Sequence[int], best: dict[int, Candidate], reasons: dict[int, str], hops: Sequence[Hop]
) -> Retrieval:
    placed, ceiling = [], 1.0
    for rank, number in enumerate(order, start=1):
        candidate = best[number]
        ceiling = min(ceiling, max(candidate.score, _floor(rank, order, best)))
        stages = {**candidate.stages, STAGE: StageScore(rank=rank, score=ceiling)}
        placed.append(candidate.model_copy(update={"score": ceiling, "stages": stages}))
    places = {number: rank for rank, number in enumerate(order, start=1)}
    note = "; ".join(f"{places[number]}: by {name}" for number, name in reasons.items() if number in places)
    report = StageReport(stage=STAGE, entered=len(best), left=len(placed), duration_ms=0.0, parameters={"hops": len(hops)}, note=note)
    kept = {each.reason: each for made in hops for each in made.retrieval.degraded} | {each.reason: each for each in found.degraded}
    changed = {"candidates": placed, "reports": [*found.reports, report], "signals": _signals(found, hops), "degraded": list(kept.values())}
    return found.model_copy(update=changed)


def _floor(rank: int, order: Sequence[int], best: dict[int, Candidate]) -> float:
    """No candidate falls below one that stands behind it: a hop's passage was put there on purpose."""
    return max((best[number].score for number in order[rank:]), default=0.0)


def _signals(found: Retrieval, hops: Sequence[Hop]) -> dict[str, float]:
    """Return the weakest step's signals, where every step had the name that it waited for and that step is surer than the question as a whole."""
    weakest = min(hops, key=lambda made: made.quality)
    named = {made.sub_query.id for made in hops if made.bridge}
    names = [name for name in weakest.retrieval.signals if name in found.signals]
    whole = all(set(made.sub_query.dependencies) <= named for made in hops)
    surer = sum(weakest.retrieval.signals[name] for name in names) > sum(found.signals[name] for name in names)
    return weakest.retrieval.signals if names and whole and surer else found.signals
