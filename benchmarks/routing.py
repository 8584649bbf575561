"""Routing measured: accuracy of Athena's and Proteus's rules on labelled questions, and their time. `python -m benchmarks.routing [--misses]`"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from agents.adaptive_retriever import STRATEGIES, StrategyChoice, choose_strategy
from agents.query_classifier import Athena, classify
from benchmarks.machine import data_folder, describe, percentile
from benchmarks.routing_questions import HELD_OUT, QUESTIONS, Labelled
from core.search import Classification, Intent, Query, Strategy, StrategyName

ATHENA = Athena(llm=None, now=datetime(2026, 5, 6, tzinfo=UTC))
_ROUNDS = 20


async def route(question: str) -> tuple[Classification, Strategy]:
    """What Athena and Proteus decide without a model."""
    found = await classify(Query(text=question), athena=ATHENA)
    return found, await choose_strategy(StrategyChoice(text=found.search_text, classification=found), hybrid=STRATEGIES["hybrid"])


async def accuracy(labelled: Sequence[Labelled]) -> tuple[list[Labelled], list[tuple[Labelled, StrategyName]], int]:
    """The questions whose intent missed, those whose strategy missed with what was chosen, and how many strategies were judged."""
    intents: list[Labelled] = []
    strategies: list[tuple[Labelled, StrategyName]] = []
    judged = 0
    for each in labelled:
        found, strategy = await route(each.question)
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
    routed = [(await route(question))[0] for question in questions]
    searched = sum(found.intent not in (Intent.GENERAL_KNOWLEDGE, Intent.SYSTEM_META, Intent.CLARIFICATION_NEEDED) for found in routed)
    return len(routed), searched / len(routed), sum(not found.filters.is_empty() for found in routed) / len(routed)


async def timings(labelled: Sequence[Labelled]) -> list[float]:
    """Milliseconds for each question, over several rounds after a first that warms the patterns."""
    taken = []
    for turn in range(_ROUNDS + 1):
        for each in labelled:
            start = time.perf_counter()
            await route(each.question)
            if turn:
                taken.append((time.perf_counter() - start) * 1000)
    return taken


async def main(*, misses: bool) -> None:
    print(f"{describe()}; rules alone, no model\n")
    print(f"{'set':<10}{'questions':>10}{'intent':>9}{'strategy':>10}{'judged':>8}")
    for name, labelled in (("labelled", QUESTIONS), ("held out", HELD_OUT)):
        if not labelled:
            continue
        wrong, strategies, judged = await accuracy(labelled)
        print(f"{name:<10}{len(labelled):>10}{1 - len(wrong) / len(labelled):>9.3f}{1 - len(strategies) / judged:>10.3f}{judged:>8}")
        for style in ("terse", "polite", "clumsy"):
            of_style = [each for each in labelled if each.style == style]
            print(f"  {style:<8}{len(of_style):>10}{1 - sum(each in wrong for each in of_style) / max(1, len(of_style)):>9.3f}")
        if misses:
            for each in wrong:
                print(f"    intent   {each.question!r}: {(await route(each.question))[0].intent} for {each.intent}")
            for each, chosen in strategies:
                print(f"    strategy {each.question!r}: {chosen} for {each.strategy}")
    folder = data_folder()
    present = {name: folder / file for name, file in SETS.items() if (folder / file).is_file()}
    print(
        f"{'public questions':<18}{'questions':>10}{'searched':>10}{'filtered':>10}"
        if present
        else "No public sets: set VANTAGE_DATA to their folder."
    )
    for name, path in present.items():
        count, searched, filtered = await searched_share(path)
        print(f"{name:<18}{count:>10}{searched:>10.3f}{filtered:>10.3f}")
    taken = await timings(QUESTIONS)
    p50, p95, p99 = (percentile(taken, share) for share in (0.5, 0.95, 0.99))
    print(f"Athena + Proteus: p50 {p50:.3f} ms, p95 {p95:.3f} ms, p99 {p99:.3f} ms over {len(taken)} questions")


if __name__ == "__main__":
    asyncio.run(main(misses="--misses" in sys.argv[1:]))
