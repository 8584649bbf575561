"""Corrective retrieval on questions that the documents answer and on the same ones with the answer taken away:
`python -m benchmarks.correction [--set squad2_500] [--queries 250]`

Prints how many count as found before and after, how often the paragraph that answers is first, and the price. What matters most is the last line
of the table: a question whose answer is not there must stay "not found". The questions go through the product's own nodes, by its rules, with
and without a limit in their words that no document meets; late interaction is left out here, because these sets have no stored token vectors.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from agents.query_classifier.agent import Athena, ClassifiedQuery, classify
from agents.strategy.agent import StrategyChoice, choose_strategy
from answers.calibration.answerability import not_found_answer, probability
from benchmarks.answer_sets import AnswerSet, load_answer_set
from benchmarks.corpora import TENANT
from benchmarks.machine import describe, percentile, print_table
from benchmarks.models import open_embedder
from core.ports import Composer, ConversationStore, TraceStore
from core.search import Filters, Query, Retrieval, RetrievalRequest
from core.search_schemas import SearchRequest
from orchestration.answer_chance import AnswerChance
from orchestration.dependencies import Dependencies, Options
from orchestration.nodes.library_search import rerank, retrieve
from orchestration.nodes.retrieval_correction import correct, judge_attempt
from orchestration.state import ModelState, State
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder


@dataclass(frozen=True, slots=True)
class CorrectionOutcome:
    """One question's first search and what correction made of it: the chance that it answers, the document that comes first, tries and time."""

    before: float
    after: float
    first_before: str
    first_after: str
    tries: int
    milliseconds: float
    change: str


def deps_of(answers: AnswerSet, embedder: OpenVinoEmbedder) -> Dependencies:
    """What the nodes reach here; anything else fails."""
    return Dependencies(
        retriever=answers.retriever,
        library=answers.retriever.library,
        composer=cast(Composer, None),
        traces=cast(TraceStore, None),
        conversations=cast(ConversationStore, None),
        probability=probability,
        not_found_answer=not_found_answer,
        options=Options(rerank_enabled=False),
    )


async def run_question(text: str, given: Filters, deps: Dependencies) -> CorrectionOutcome:
    """Search, and correct until it is settled: the way of a question between Proteus and its answer."""
    started = 0.0
    query = Query(text=text, tenant=TENANT, filters=given)
    found = await classify(query, athena=Athena(llm=None, now=deps.now()))
    request = await _request(found, deps)
    state: dict[str, Any] = {
        "request": SearchRequest(query=text),
        "query": query,
        "model": ModelState(),
        "classification": found,
        "retrieval_request": request,
    }
    answerability = AnswerChance(deps.retriever, deps.probability, deps.options.not_found_below)
    weigh = partial(rerank, retriever=deps.retriever, answerability=answerability, options=deps.options, passed=())
    try_again = partial(correct, answerability=answerability, library=deps.library, llm=None, graph=None, options=deps.options)
    while not state.get("settled"):
        state |= (await retrieve(cast(State, state), retriever=deps.retriever)).writes
        state |= (await weigh(cast(State, state))).writes
        started = started or time.perf_counter()  # behind the first search
        if not state["settled"]:
            state |= (await try_again(cast(State, state))).writes
    attempts = [await judge_attempt(state["attempts"][0], cast(State, state), answerability), *state["attempts"][1:]]
    if len(attempts) == 1:
        state["quality"] = attempts[0].quality
    return CorrectionOutcome(
        before=attempts[0].quality,
        after=state["quality"],
        first_before=_first_document(attempts[0].retrieval),
        first_after=_first_document(state["retrieval"]),
        tries=len(attempts) - 1,
        milliseconds=(time.perf_counter() - started) * 1000,
        change=state["change"] if len(attempts) > 1 else "",
    )


async def _request(found: ClassifiedQuery, deps: Dependencies) -> RetrievalRequest:
    strategy = await choose_strategy(StrategyChoice(text=found.search_text, classification=found), hybrid=deps.options.hybrid)
    return RetrievalRequest(text=found.search_text, tenant=TENANT, filters=found.filters, strategy=strategy)


def _first_document(found: Retrieval) -> str:
    return found.candidates[0].document_id if found.candidates else ""


async def measure(answers: AnswerSet, queries: Sequence[str], deps: Dependencies, worded: Callable[[str], str], *, absent: bool) -> tuple[str, ...]:
    everything = [document.id for document in answers.corpus.documents]
    tried: list[tuple[CorrectionOutcome, set[str]]] = []
    for query in queries:
        gold = set(answers.corpus.grades[query])
        given = Filters(document_ids=[each for each in everything if each not in gold]) if absent else Filters()
        tried.append((await run_question(worded(answers.corpus.queries[query]), given, deps), gold))
    below = deps.options.not_found_below
    count = len(tried)
    found_before, found_after = (
        sum(value >= below for value in values) / count for values in zip(*((each.before, each.after) for each, _ in tried), strict=True)
    )
    right_before = sum(each.first_before in gold for each, gold in tried) / count
    right_after = sum(each.first_after in gold for each, gold in tried) / count
    flipped = sum(each.before < below <= each.after for each, _ in tried)
    times = [each.milliseconds for each, _ in tried if each.tries]
    return (
        f"{found_before:.3f}",
        f"{found_after:.3f}",
        f"{flipped}",
        "-" if absent else f"{right_before:.3f}",
        "-" if absent else f"{right_after:.3f}",
        f"{sum(each.tries > 0 for each, _ in tried) / count:.2f}",
        f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f}" if times else "-",
    )


async def report(name: str, limit: int, embedder: OpenVinoEmbedder, stack: AsyncExitStack) -> None:
    answers = await load_answer_set(name, embedder, stack)
    if answers is None:
        return
    queries = [query for query in answers.corpus.grades if query not in answers.impossible][:limit]
    deps = deps_of(answers, embedder)
    sys.stdout.write(f"\n{name}: {len(answers.corpus.documents)} documents, {len(queries)} questions\n\n")
    rows = [
        ("answer there", *await measure(answers, queries, deps, lambda text: text, absent=False)),
        (
            "answer there, with a limit that nothing meets",
            *await measure(answers, queries, deps, lambda text: f"{text} Look in the PDF files.", absent=False),
        ),
        ("answer taken away", *await measure(answers, queries, deps, lambda text: text, absent=True)),
        ("answer taken away, with the limit", *await measure(answers, queries, deps, lambda text: f"{text} Look in the PDF files.", absent=True)),
    ]
    head = ("questions", "found", "after", "turned into found", "right first", "after", "share tried again", "ms of the tries p50 / p95")
    print_table(head, rows)


async def main(name: str, limit: int) -> None:
    embedder = open_embedder()
    sys.stdout.write(f"{describe()}, {embedder.precision}\n")
    async with AsyncExitStack() as stack:
        await report(name, limit, embedder, stack)
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", default="squad2_500")
    parser.add_argument("--queries", type=int, default=250)
    chosen = parser.parse_args()
    asyncio.run(main(chosen.set, chosen.queries))
