"""Routing measured: accuracy of Athena's and Proteus's rules on labelled questions, and their time. `python -m benchmarks.routing [--misses]`"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from agents.query_classifier.agent import Athena, classify
from agents.strategy.agent import STRATEGIES, StrategyChoice, choose_strategy
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.routing_phrasings import PHRASINGS
from benchmarks.routing_questions import HELD_OUT, QUESTIONS, LabelledQuestion
from core.search import Classification, Intent, Query, Strategy, StrategyName

ATHENA = Athena(llm=None, now=datetime(2026, 5, 6, tzinfo=UTC))
_ROUNDS = 20
PROMISE_MS = 10.0
LABELLED_SETS: dict[str, tuple[LabelledQuestion, ...]] = {"labelled": QUESTIONS, "held out": HELD_OUT, "three phrasings": PHRASINGS}
ALL_LABELLED = (*QUESTIONS, *HELD_OUT, *PHRASINGS)


async def route_question(question: str) -> tuple[Classification, Strategy]:
    """What Athena and Proteus decide without a model."""
    found = await classify(Query(text=question), athena=ATHENA)
    return found, await choose_strategy(StrategyChoice(text=found.search_text, classification=found), hybrid=STRATEGIES["hybrid"])


async def count_misses(labelled: Sequence[LabelledQuestion]) -> tuple[list[LabelledQuestion], list[tuple[LabelledQuestion, StrategyName]], int]:
    """The questions whose intent missed, those whose strategy missed with what was chosen, and how many strategies were judged."""
    intents: list[LabelledQuestion] = []
    strategies: list[tuple[LabelledQuestion, StrategyName]] = []
    judged = 0
    for each in labelled:
        found, strategy = await route_question(each.question)
        if found.intent is not each.intent:
            intents.append(each)
        if each.strategy:
            judged += 1
            if strategy.name != each.strategy:
                strategies.append((each, strategy.name))
    return intents, strategies, judged


SETS = {
    "squad2_500": "squad2_500/queries.jsonl",
    "xquad en": "xquad/queries.en.jsonl",
    "hotpotqa": "hipporag_hotpotqa_train100/queries.jsonl",
    "musique": "hipporag_musique_train100/queries.jsonl",
    "scifact": "scifact/queries.jsonl",
    "locomo": "locomo/queries.jsonl",
}


async def searched_share(path: Path) -> tuple[int, float, float]:
    """Questions of a public set (all want documents): how many, the share routed to a search, the share that a filter from words restricts."""
    with path.open(encoding="utf-8") as lines:
        questions = [str(json.loads(line)["text"]) for line in lines]
    routed = [(await route_question(question))[0] for question in questions]
    searched = sum(found.intent not in (Intent.GENERAL_KNOWLEDGE, Intent.SYSTEM_META, Intent.CLARIFICATION_NEEDED) for found in routed)
    return len(routed), searched / len(routed), sum(not found.filters.is_empty() for found in routed) / len(routed)


async def measure_times(labelled: Sequence[LabelledQuestion]) -> list[float]:
    """Milliseconds for each question, over several rounds after a first that warms the patterns."""
    taken = []
    for turn in range(_ROUNDS + 1):
        for each in labelled:
            start = time.perf_counter()
            await route_question(each.question)
            if turn:
                taken.append((time.perf_counter() - start) * 1000)
    return taken


def table(
    labelled: Sequence[LabelledQuestion], wrong: Sequence[LabelledQuestion], strategies: Sequence[LabelledQuestion]
) -> list[tuple[object, ...]]:
    """Accuracy for each phrasing, each intent and each strategy: (what, questions, right, share)."""
    by_style = [(f"phrasing: {name}", [each for each in labelled if each.style == name], wrong) for name in ("terse", "polite", "clumsy")]
    by_intent = [(f"intent: {name.value}", [each for each in labelled if each.intent is name], wrong) for name in Intent]
    by_strategy = [(f"strategy: {name}", [each for each in labelled if each.strategy == name], strategies) for name in get_args(StrategyName)]
    rows: list[tuple[object, ...]] = []
    for what, those, missed in (*by_style, *by_intent, *by_strategy):
        right = sum(each not in missed for each in those)
        rows += [(what, len(those), right, f"{right / len(those):.3f}")] if those else []
    return rows


async def print_sets(*, misses: bool) -> None:
    """The sets one by one, then all of them by phrasing, intent and strategy."""
    rows, all_wrong, all_strategies = [], [], []
    for name, labelled in LABELLED_SETS.items():
        wrong, strategies, judged = await count_misses(labelled)
        rows.append((name, len(labelled), f"{1 - len(wrong) / len(labelled):.3f}", judged, f"{1 - len(strategies) / judged:.3f}"))
        all_wrong += wrong
        all_strategies += [each for each, _ in strategies]
        if misses:
            for each in wrong:
                print(f"    intent   {each.question!r}: {(await route_question(each.question))[0].intent} for {each.intent}")
            for each, chosen in strategies:
                print(f"    strategy {each.question!r}: {chosen} for {each.strategy}")
    print_table(("set", "questions", "intent", "judged", "strategy"), rows)
    print()
    print_table(("over all sets", "questions", "right", "accuracy"), table(ALL_LABELLED, all_wrong, all_strategies))


async def main(*, misses: bool) -> int:
    print(f"{describe()}; rules alone, no model; {len(ALL_LABELLED)} labelled questions\n")
    await print_sets(misses=misses)
    print()
    folder = data_folder()
    present = {name: folder / file for name, file in SETS.items() if (folder / file).is_file()}
    if present:
        found = [(name, *(await searched_share(path))) for name, path in present.items()]
        shares = [(name, count, f"{searched:.3f}", f"{filtered:.3f}") for name, count, searched, filtered in found]
        print_table(("public questions", "questions", "searched", "filtered"), shares)
    else:
        print("No public sets: set VANTAGE_DATA to their folder.")
    taken = await measure_times(ALL_LABELLED)
    p50, p95, p99 = (percentile(taken, share) for share in (0.5, 0.95, 0.99))
    print(f"\nAthena + Proteus: p50 {p50:.3f} ms, p95 {p95:.3f} ms, p99 {p99:.3f} ms over {len(taken)} questions (promise: p95 {PROMISE_MS:.0f} ms)")
    return 0 if p95 <= PROMISE_MS else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(misses="--misses" in sys.argv[1:])))
