"""Several searches for one question: Odysseus's plan, its hops side by side or one after the other, and what they bring together."""

from __future__ import annotations

from collections.abc import Sequence

from agents.planner.agent import PlanningRequest, build_reasoning, fill_placeholders, is_needed, plan, ready_hops
from agents.planner.bridge_entity import BridgeEntity, BridgeSearch, HopPassage, find_bridge
from core.errors import VantageError
from core.memory import Recollection
from core.reasoning import Hop, Plan, SubQuery
from core.search import Candidate, Degradation, Retrieval, StageReport, StageScore
from orchestration.node_adapter import NodeResult, Tools
from orchestration.response import format_count
from orchestration.state import State

STAGE = "hops"
CLUE_PASSAGES = 6  # passages of a hop that are read for a bridging entity
KEPT_PASSAGES = 2  # places that the question's own search keeps
PASSAGES_PER_HOP = 2  # passages of each hop, and of the question, that come next
MAX_DEPTH = 6  # places of a list that they are taken from
MAX_MERGED = 50
__all__ = ["join_hops", "plan_question", "ready_hops", "run_hop"]


async def plan_question(state: State, tools: Tools) -> NodeResult:
    """Whether one search is enough. A simple question costs nothing."""
    if "plan" in state["request"].without:
        return NodeResult({"plan": Plan(reason="Left out: one search.")}, "Left out for this run: one search.", skipped=True)
    found = state["classification"]
    llm = tools.deps.model if state["model"].available else None
    planning = PlanningRequest(text=found.search_text, intent=found.intent, episodes=state.get("memory", Recollection()).episodes)
    planned = await plan(planning, llm=llm)
    writes = {"plan": Plan.model_validate(planned.model_dump(include=set(Plan.model_fields)))}
    details = _describe_plan(planned)
    skipped = planned.complexity == "simple" and not planned.sub_queries
    return NodeResult(writes, details, tuple(planned.degraded), skipped=skipped, tokens=planned.tokens, prompts=planned.prompts)


def _describe_plan(found: Plan) -> str:
    what = f"{found.complexity.capitalize()} ({found.score}"
    what += f": {', '.join(found.indicators)})" if found.indicators else ")"
    if not found.sub_queries:
        return f"{what}. {found.reason}"
    steps = "; ".join(f"{each.id} “{each.query}”" for each in found.sub_queries)
    return f"{what}, {found.kind}, {format_count(len(found.sub_queries), 'step')}: {steps}. {found.reason}"


# -- one hop -----------------------------------------------------------------------------------------------------------------------------


async def run_hop(state: State, tools: Tools) -> NodeResult:
    """Ask one sub-query as the question itself is asked: with its filters, its strategy and the same stages."""
    sub_query, planned = state["hop_query"], state["plan"]
    asked, missing = fill_placeholders(sub_query, state.get("hops", []))
    request = state["retrieval_request"].model_copy(update={"text": asked, "graph_hits": [], "question": ""})
    found = await tools.deps.retriever.retrieve(request)
    if found.candidates and tools.deps.options.rerank_enabled and "rerank" not in request.without:
        found = await tools.deps.retriever.rerank(request, found)
    if found.candidates:  # how much of the step's question its best passage covers: a step is judged as a question is
        head = found.model_copy(update={"candidates": found.candidates[:CLUE_PASSAGES]})
        found = found.model_copy(update={"signals": (await tools.deps.retriever.assemble_passages(request, head, 1))[1].signals})
    bridge, lost = await _bridge(sub_query, asked, planned, found, tools)
    quality = round(tools.deps.probability(found.signals), 4) if found.candidates else 0.0
    made = Hop(
        sub_query=sub_query,
        asked=asked,
        retrieval=found,
        quality=quality,
        bridge=bridge.name if bridge else "",
        because=bridge.sentence if bridge else "",
        citation=bridge.citation if bridge else None,
    )
    return NodeResult({"hops": [made]}, _describe_hop(made, missing, needed=is_needed(planned, sub_query)), (*found.degraded, *lost))


async def _bridge(
    sub_query: SubQuery, asked: str, planned: Plan, found: Retrieval, tools: Tools
) -> tuple[BridgeEntity | None, tuple[Degradation, ...]]:
    """What a later step waits for. A graph or a reader that fails is left out of the weighing."""
    if not is_needed(planned, sub_query) or not found.candidates:
        return None, ()
    bridging = BridgeSearch(tenant=tools.run.library, question=asked, passages=await _clues(found.candidates, tools))
    lost: tuple[Degradation, ...] = ()
    for graph, reader in ((tools.deps.graph, tools.deps.reader), (None, tools.deps.reader)):
        try:
            return await find_bridge(bridging, graph=graph, reader=reader), lost
        except VantageError as error:
            lost = (Degradation(part="hop", reason=f"The bridging name was looked for without all parts: {error}"),)
    return await find_bridge(bridging), lost


async def _clues(candidates: Sequence[Candidate], tools: Tools) -> list[HopPassage]:
    head = candidates[:CLUE_PASSAGES]
    chunks = await tools.deps.library.chunks(tools.run.library, [candidate.chunk_id for candidate in head])
    documents = await tools.deps.library.documents(tools.run.library, list(dict.fromkeys(candidate.document_id for candidate in head)))
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


def _describe_hop(made: Hop, missing: Sequence[str], *, needed: bool) -> str:
    documents = len({candidate.document_id for candidate in made.retrieval.candidates})
    found = f"{format_count(len(made.retrieval.candidates), 'passage')} from {format_count(documents, 'document')}" if documents else "nothing found"
    parts = [f"“{made.asked}”: {found}."]
    parts += [f"{' and '.join(missing)} found no name, so the description was searched instead."] if missing else []
    parts += [f"It is {made.bridge}: “{made.because}”" if made.bridge else "No name stands out in it."] if needed else []
    return " ".join(parts)


# -- bringing together -------------------------------------------------------------------------------------------------------------------


async def join_hops(state: State, tools: Tools) -> NodeResult:
    """Where steps remain, which come next; at the end the passages of all steps in one list, and the account of the reasoning."""
    planned, hops = state["plan"], state.get("hops", [])
    following = ready_hops(planned, hops)
    if following:
        return NodeResult({}, f"Next: {'; '.join(f'{each.id} “{fill_placeholders(each, hops)[0]}”' for each in following)}")
    before = state.get("retrieval", Retrieval())
    after = merge_hops(before, hops)
    reasoning = build_reasoning(planned, hops)
    came = len({candidate.chunk_id for candidate in after.candidates} - {candidate.chunk_id for candidate in before.candidates})
    named = [made.bridge for made in hops if made.bridge]
    through = f" by way of {', '.join(named)}" if named else ""
    return NodeResult(
        {"retrieval": after, "reasoning": reasoning}, f"{format_count(len(hops), 'step')} brought {format_count(came, 'new passage')}{through}."
    )


def merge_hops(found: Retrieval, hops: Sequence[Hop]) -> Retrieval:
    """The question's first KEPT; then EACH times the best that is left of every hop in turn (the last step first: it holds the answer) and of
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
    """The weakest step's, where every step had the name that it waited for and that step is surer than the question as a whole."""
    weakest = min(hops, key=lambda made: made.quality)
    named = {made.sub_query.id for made in hops if made.bridge}
    names = [name for name in weakest.retrieval.signals if name in found.signals]
    whole = all(set(made.sub_query.dependencies) <= named for made in hops)
    surer = sum(weakest.retrieval.signals[name] for name in names) > sum(found.signals[name] for name in names)
    return weakest.retrieval.signals if names and whole and surer else found.signals
