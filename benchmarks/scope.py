"""The router measured: whether 120 questions are read as about the whole library, something in it, or both. `python -m benchmarks.scope [--misses]`

The questions are of our own, in English and German, about the sample library and about none (`scope_questions.json`). All were written before the
wordings; those of the half "choose" changed them, those of "judge" did not. `--misses` prints those of the first half alone. The graph is that of the
sample library, read without a server; no search is made, so the peak of the scores says nothing.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from agents.query_routing.agent import QueryRouter, route_query, weigh_signals
from agents.query_routing.word_signals import find_word_signals
from benchmarks.machine import describe, percentile, print_table
from core.query_routes import QueryType
from graph.graph_view import GraphView
from tests.support.sample_graph import read_sample_graph

QUESTIONS = Path(__file__).with_name("scope_questions.json")
HALVES, SCOPES, LANGUAGES = ("choose", "judge"), ("global", "local", "hybrid"), ("en", "de")
_ROUNDS = 20
PROMISE_MS = 2.0


class LabelledQuestion(NamedTuple):
    question: str
    scope: QueryType
    language: str
    half: str


def read_questions() -> list[LabelledQuestion]:
    return [LabelledQuestion(**each) for each in json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"]]


def accuracy(questions: Sequence[LabelledQuestion], right: Sequence[LabelledQuestion]) -> str:
    return f"{sum(each in right for each in questions) / len(questions):.3f} of {len(questions)}" if questions else ""


async def find_right(questions: Sequence[LabelledQuestion], router: QueryRouter, *, misses: bool) -> list[LabelledQuestion]:
    right = []
    for each in questions:
        route = (await route_query(each.question, "default", router=router)).route
        if route.query_type == each.scope:
            right.append(each)
        elif misses and each.half == "choose":
            print(f"    {each.question!r}: {route.query_type} for {each.scope}: {route.reasoning}")
    return right


async def measure_times(questions: Sequence[LabelledQuestion], router: QueryRouter) -> list[float]:
    """Milliseconds for each question, over several rounds after a first that warms the patterns."""
    taken = []
    for turn in range(_ROUNDS + 1):
        for each in questions:
            start = time.perf_counter()
            await route_query(each.question, "default", router=router)
            if turn:
                taken.append((time.perf_counter() - start) * 1000)
    return taken


def make_rows(questions: Sequence[LabelledQuestion], right: Sequence[LabelledQuestion]) -> list[tuple[object, ...]]:
    """Accuracy on both halves for each scope and language, and what the words alone reach."""
    words = [each for each in questions if weigh_signals(find_word_signals(each.question)).query_type == each.scope]
    parts = [(scope, [each for each in questions if each.scope == scope]) for scope in SCOPES]
    parts += [(language, [each for each in questions if each.language == language]) for language in LANGUAGES]
    named = [(name, part, right) for name, part in (*parts, ("all", list(questions)))]
    return [
        (name, *(accuracy([each for each in part if each.half == half], found) for half in HALVES))
        for name, part, found in (*named, ("all, words alone", list(questions), words))
    ]


async def main(*, misses: bool) -> int:
    questions, view = read_questions(), GraphView(await read_sample_graph())
    router = QueryRouter(graph=view)
    print(f"{describe()}; rules alone, no model; {len(questions)} questions\n")
    print_table(("questions", *HALVES), make_rows(questions, await find_right(questions, router, misses=misses)))
    taken = await measure_times(questions, router)
    p50, p95, p99 = (percentile(taken, share) for share in (0.5, 0.95, 0.99))
    print(f"\na question: p50 {p50:.3f} ms, p95 {p95:.3f} ms, p99 {p99:.3f} ms over {len(taken)} (asked: {PROMISE_MS:.0f} ms)")
    return 0 if p95 <= PROMISE_MS else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(misses="--misses" in sys.argv[1:])))
