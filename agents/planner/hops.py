"""The steps of a plan: the name that the next one waits for, and what all of them found in one list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from agents.planner.bridge_entity import BridgeEntity, BridgeSearch, HopPassage, find_bridge
from core.errors import VantageError
from core.ports import AnswerReader, KnowledgeGraph, Library
from core.reasoning import Hop
from core.search import Candidate, Degradation, Retrieval, StageReport, StageScore

STAGE = "hops"
CLUE_PASSAGES = 6  # passages of a hop that are read for a bridging entity
KEPT_PASSAGES = 1  # first places that the question's own search and each step keep
OTHER_LISTS = 0.2  # what a passage's place in the other lists counts beside its best one
MAX_MERGED = 50
_EXPLAINED = 8  # places whose list the report names
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
    """Return one list of the question's own passages and those of every step.

    The question's first keeps its place, then comes the first of each step, the last step's first (it holds the answer; both sides of a comparison
    are shown), then the rest by the joint score: of the shares that a passage has of the best score in each list, the largest, and `OTHER_LISTS` of
    the others.

    Scores of all lists lie in 0..1 and come from the same stages; none stands above the one before it. The signals are the chain's where its
    weakest step is surer than the question itself: a question over several passages has no single one that covers it.
    """
    ordered = sorted(hops, key=lambda each: -each.sub_query.priority)
    if not any(made.retrieval.candidates for made in hops):
        return found
    lists = {"the question itself": found.candidates} | {f"{made.sub_query.id} “{made.asked}”": made.retrieval.candidates for made in ordered}
    best: dict[int, Candidate] = {}
    for candidate in (each for candidates in lists.values() for each in candidates):
        known = best.setdefault(candidate.chunk_id, candidate)
        if candidate.score > known.score:
            best[candidate.chunk_id] = known.model_copy(update={"score": candidate.score})
    joint, reasons = _joint_scores(lists)
    kept = [candidate.chunk_id for candidates in lists.values() for candidate in candidates[:KEPT_PASSAGES]]
    order = list(dict.fromkeys([*kept, *sorted(joint, key=lambda number: -joint[number])]))
    return _make_merged_retrieval(found, order[:MAX_MERGED], best, {number: reasons[number] for number in order[:_EXPLAINED]}, hops)


def _joint_scores(lists: Mapping[str, Sequence[Candidate]]) -> tuple[dict[int, float], dict[int, str]]:
    """Return chunk id -> joint score, and chunk id -> the list in which it has its largest share."""
    shares: dict[int, dict[str, float]] = {}
    for name, candidates in lists.items():
        highest = max((candidate.score for candidate in candidates), default=0.0) or 1.0
        for candidate in candidates:
            shares.setdefault(candidate.chunk_id, {})[name] = max(candidate.score, 0.0) / highest
    joint = {number: max(each.values()) + OTHER_LISTS * (sum(each.values()) - max(each.values())) for number, each in shares.items()}
    return joint, {number: max(each, key=lambda name: each[name]) for number, each in shares.items()}


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
