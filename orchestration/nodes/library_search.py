"""Searching: the legs, the rerank, and the answer composed of what they found."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from agents.query_routing.agent import weigh_scores
from core.ports import Retriever
from core.query_routes import QueryRoute
from core.reasoning import Attempt
from core.runs import TraceNode
from core.search import Intent, Retrieval, RetrievalRequest
from orchestration.answer_chance import AnswerChance
from orchestration.dependencies import Options
from orchestration.node_adapter import NodeResult, OptionalAnswer
from orchestration.nodes.answers_from_graph import AnswerFromGraph
from orchestration.passages import ReadPassages
from orchestration.response import format_count
from orchestration.state import State
from orchestration.table_answer import ComputedAnswer

_JUDGED_PASSAGES = 5  # candidates whose best passage says how good a try is
Search = Callable[[RetrievalRequest, Collection[str]], Awaitable[Retrieval]]  # without the stages that are named
Answer = Callable[[State, ReadPassages, ComputedAnswer | None], Awaitable[NodeResult]]


class PassagePorts(NamedTuple):
    """What reads the passages of a search, computes an answer from the tables that they stand in, and shows it."""

    read: Callable[[State], Awaitable[ReadPassages]]
    compute: Callable[[State, ReadPassages], Awaitable[ComputedAnswer | None]]
    show_computed: Callable[[ComputedAnswer, State, ReadPassages], Awaitable[NodeResult]]


async def search_passages(request: RetrievalRequest, without: Collection[str], *, retriever: Retriever, reranks: bool) -> Retrieval:
    """Search, and reorder what was found unless that is switched off or left out of this run."""
    found = await retriever.retrieve(request)
    return await retriever.rerank(request, found) if found.candidates and reranks and "rerank" not in without else found


async def retrieve(state: State, *, retriever: Retriever) -> NodeResult:
    found = await retriever.retrieve(state["retrieval_request"])
    documents = len({candidate.document_id for candidate in found.candidates})
    details = f"{format_count(len(found.candidates), 'passage')} from {format_count(documents, 'document')}."
    return NodeResult({"retrieval": found}, details if found.candidates else "Nothing found.", tuple(found.degraded))


async def rerank(state: State, *, retriever: Retriever, answerability: AnswerChance, options: Options, passed: Sequence[TraceNode]) -> NodeResult:
    """Reorder, then weigh the try: where it is weak, Sisyphus may try again. `passed` are the nodes of the run so far."""
    before, searched = state["retrieval"], [node.duration_ms for node in passed if node.node == "retrieve"]
    started = time.perf_counter() - sum(searched[-1:]) / 1000
    if not options.rerank_enabled or "rerank" in state["request"].without or not before.candidates:
        details = "Switched off." if before.candidates else "Nothing to reorder."
        return NodeResult(await _weigh_attempt(state, before, answerability, options, started), details, skipped=True)
    after = await retriever.rerank(state["retrieval_request"], before)
    moved = sum(old.chunk_id != new.chunk_id for old, new in zip(before.candidates, after.candidates, strict=False))
    first = "the first stays" if after.candidates and after.candidates[0].chunk_id == before.candidates[0].chunk_id else "another is first"
    lost = tuple(each for each in after.degraded if each not in before.degraded)
    writes = await _weigh_attempt(state, after, answerability, options, started)
    return NodeResult(writes, f"{moved} of {len(after.candidates)} changed places; {first}.", lost)


async def _weigh_attempt(state: State, found: Retrieval, answerability: AnswerChance, options: Options, started: float) -> dict[str, Any]:
    """Return the try with its quality: the chance that what was found answers. One that seems weak is looked at once more with the share of the
    question that its best passage covers, which costs a reading of the first passages."""
    quality = answerability.judge(state, found) if found.candidates else 0.0
    tried = state.get("attempts", [])
    if found.candidates and (tried or quality < options.correct_below):
        found = await answerability.with_coverage(state["retrieval_request"], found, _JUDGED_PASSAGES)
        quality = answerability.judge(state, found)
    attempt = Attempt(
        request=state["retrieval_request"],
        retrieval=found,
        quality=quality,
        change=state.get("change", ""),
        duration_ms=round((time.perf_counter() - started) * 1000, 3),
    )
    wanted = options.correction_enabled and "correct" not in state["request"].without and not _continues_in_steps(state)
    enough = quality >= options.correct_below and not tried  # among several tries Sisyphus chooses, and says which
    return {"retrieval": found, "quality": quality, "attempts": [*tried, attempt], "settled": enough or not wanted}


def _continues_in_steps(state: State) -> bool:
    """Return whether the question goes on in steps: it is weak as a whole then, its hops come first, and nothing is corrected before them."""
    return bool("plan" in state and state["plan"].sub_queries)


async def document_search(
    state: State,
    *,
    find_documents: OptionalAnswer,
    ports: PassagePorts,
    answer: Answer,
    settle_route: Callable[[State], QueryRoute | None],
    answer_from_graph: AnswerFromGraph,
) -> NodeResult:
    """Passages, the evidence that they are, and the answer; where the evidence is too weak the answer says so and the nearest are shown. What the
    graph can answer for the question's scope comes before them."""
    if (listed := await find_documents(state)) is not None:
        return listed
    route = settle_route(state)
    told = await answer_from_graph(state, route)
    done = told.done if told.done is not None else await _answer_from_passages(state, ports, answer)
    return with_route(replace(done, degraded=(*told.degraded, *done.degraded)), route)


async def _answer_from_passages(state: State, ports: PassagePorts, answer: Answer) -> NodeResult:
    passages = await ports.read(state)
    computed = await ports.compute(state, passages)
    if computed is not None and computed.calculations:
        return await ports.show_computed(computed, state, passages)
    return await answer(state, passages, computed)


def weigh_route(state: State, *, threshold: float) -> QueryRoute | None:
    """Return the scope as the scores of the search leave it; None where nobody read it."""
    return weigh_scores(state["route"], state["retrieval"].candidates, threshold) if "route" in state else None


def with_route(done: NodeResult, route: QueryRoute | None) -> NodeResult:
    """Return the result of a step with the scope that was settled there."""
    return replace(done, writes={**done.writes, "route": route}) if route is not None else done


async def answer_from_table(state: State, *, ports: PassagePorts) -> NodeResult | None:
    """Return the answer to a task that one table holds ("analyse the average freight per carrier"); of a comparison how far two figures are apart.
    None where none does."""
    passages = await ports.read(state)
    computed = await ports.compute(state, passages)
    operation = computed.calculations[0].operation if computed is not None and computed.calculations else "lookup"
    asks = operation == "difference" if state["classification"].intent is Intent.COMPARISON else operation != "lookup"
    return await ports.show_computed(computed, state, passages) if computed is not None and asks else None
