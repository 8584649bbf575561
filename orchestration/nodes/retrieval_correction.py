"""Trying again: Sisyphus changes a weak retrieval within his budget, and gives back the best of the tries."""

from __future__ import annotations

import time

from agents.retrieval_controller.agent import NEAREST_PASSAGES, NextTry, WeakRetrieval, best_try, next_try
from core.ports import ChatModel, KnowledgeGraph, Library
from core.reasoning import Attempt
from core.search import StageReport
from orchestration.answer_chance import AnswerChance
from orchestration.dependencies import Options
from orchestration.node_adapter import NodeResult
from orchestration.state import State

STAGE = "correct"
_TEXTS = 3  # passages whose words may help to reword
_MEANING = ("dense_top1", "multilingual_top1")


async def correct(
    state: State, *, answerability: AnswerChance, library: Library, llm: ChatModel | None, graph: KnowledgeGraph | None, options: Options
) -> NodeResult:
    """Judge the last try by the question itself; then the next one, or the best of all where that is good enough or the budget is spent."""
    attempts = [*state["attempts"][:-1], await judge_attempt(state["attempts"][-1], state, answerability)]
    tries, spent = len(attempts) - 1, sum(attempt.duration_ms for attempt in attempts[1:])
    if attempts[-1].quality >= options.correct_below:
        return _settle(attempts, options, "it is good enough" if tries else "seen with its best passage it is good enough")
    if tries >= options.correction_max_tries:
        return _settle(attempts, options, f"{tries} {'try' if tries == 1 else 'tries'} made")
    if spent + attempts[0].duration_ms > options.correction_budget_ms:
        return _settle(attempts, options, f"the budget of {options.correction_budget_ms:.0f} ms is spent")
    if not tries:
        attempts = [await measure_reach(attempts[0], state, answerability)]
    case = await _make_weak_case(state, attempts, library, options)
    following = await next_try(case, llm=llm if state["model"].available else None, graph=graph)
    if following is None:
        return _settle(attempts, options, "nothing is left to change" if tries or attempts[0].reach == 1.0 else "no other passage is nearer")
    return _try_again(attempts, following)


async def judge_attempt(attempt: Attempt, state: State, answerability: AnswerChance) -> Attempt:
    """Return the try with the share of the question that its best passage covers: what was found is weighed, not how it was asked."""
    if "coverage" in attempt.retrieval.signals:
        return attempt  # weighed with it already
    if not attempt.retrieval.candidates:
        return attempt.model_copy(update={"quality": 0.0})
    started = time.perf_counter()
    weighed = await answerability.with_coverage(attempt.request, attempt.retrieval, 5)
    took = attempt.duration_ms + (time.perf_counter() - started) * 1000
    return attempt.model_copy(update={"retrieval": weighed, "quality": answerability.judge(state, weighed), "duration_ms": round(took, 3)})


async def measure_reach(attempt: Attempt, state: State, answerability: AnswerChance) -> Attempt:
    """Return the try with how good it would be if the best of its first passages stood first: other searches of the same documents come no further.

    Only where there are enough of them, and words and meaning were both searched and weighed; else another search may bring what this one lacks.
    """
    signals, candidates = attempt.retrieval.signals, attempt.retrieval.candidates
    weighed = "coverage" in signals and "lexical_ratio" in signals and any(name in signals for name in _MEANING)
    if not weighed or len(candidates) < NEAREST_PASSAGES:
        return attempt
    reach = attempt.quality
    for candidate in candidates[1:NEAREST_PASSAGES]:
        alone = attempt.retrieval.model_copy(update={"candidates": [candidate]})
        seen = await answerability.with_coverage(attempt.request.model_copy(update={"top_k": 1}), alone, 1)
        reach = max(reach, answerability.judge(state, seen))
    return attempt.model_copy(update={"reach": reach})


async def _make_weak_case(state: State, attempts: list[Attempt], library: Library, options: Options) -> WeakRetrieval:
    best = attempts[_best_attempt(attempts, options)]
    head = [candidate.chunk_id for candidate in best.retrieval.candidates[:_TEXTS]]
    chunks = await library.chunks(state["query"].tenant, head)
    request = state["request"]
    return WeakRetrieval(
        attempts=attempts,
        given_filters=state["query"].filters,
        strategy_asked=request.strategy != "auto" or bool(options.weights),
        mode_asked=request.mode != "auto",
        entities=state["classification"].entities,
        texts=[chunks[each].text for each in head if each in chunks],
        hybrid=options.hybrid,
        routes=options.routes,
        silent_below=options.not_found_below,
        sure_above=options.correct_below,
    )


def _try_again(attempts: list[Attempt], following: NextTry) -> NodeResult:
    last = attempts[-1]
    what = f"Try {len(attempts)}" if last.change else "The search"
    details = f"{what} finds {last.quality:.2f} of 1: too weak. Next: {following.change}."
    writes = {"attempts": attempts, "retrieval_request": following.request, "change": following.change, "settled": False}
    return NodeResult(writes, details, tuple(following.degraded), tokens=following.tokens, prompts=following.prompts)


def _best_attempt(attempts: list[Attempt], options: Options) -> int:
    return best_try(attempts, silent_below=options.not_found_below, sure_above=options.correct_below)


def _settle(attempts: list[Attempt], options: Options, why: str) -> NodeResult:
    """Return the best try, with what was tried in the stage's report."""
    place = _best_attempt(attempts, options)
    best = attempts[place]
    tried = "; ".join(f"{attempt.change or 'as asked'}: {attempt.quality:.2f}" for attempt in attempts)
    report = StageReport(
        stage=STAGE,
        entered=len(attempts),
        left=1,
        duration_ms=round(sum(attempt.duration_ms for attempt in attempts[1:]), 3),
        parameters={"tries": len(attempts) - 1, "quality": round(best.quality, 4)},
        note=tried,
    )
    retrieval = best.retrieval.model_copy(update={"reports": [*best.retrieval.reports, report]}) if len(attempts) > 1 else best.retrieval
    kept = (
        f"Kept: {best.change} ({best.quality:.2f} against {attempts[0].quality:.2f})" if place else f"Kept: the search as asked ({best.quality:.2f})"
    )
    writes = {
        "attempts": attempts,
        "retrieval": retrieval,
        "retrieval_request": best.request,
        "quality": best.quality,
        "change": best.change,
        "settled": True,
    }
    return NodeResult(writes, f"{kept}; {why}." + (f" Tried: {tried}." if len(attempts) > 1 else ""))
