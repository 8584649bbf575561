"""Procedural memory shown by simulation: a person whose clicks favour exact words, then meaning, then neither. `python -m benchmarks.learning`

The product itself, over the sample library: each search runs through the graph, the simulated person opens one of the results shown, and that
is fed back as /feedback does. Printed: how the weight of words moves, and what Proteus then searches with.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from benchmarks.machine import print_table
from benchmarks.sample_questions import QUESTIONS, index_sample
from bootstrap import open_services
from core.memory import UserPreferences
from core.ports import FeedbackRecord
from core.search_schemas import ResultOut, SearchRequest
from server.services import Services
from settings import Settings

Habit = Literal["words", "meaning", "chance"]
_MISSED = 51  # the rank of a result that a leg did not find
_SHOWN = 10
TENANT = "default"


class LearningStep(NamedTuple):
    """One search: what Proteus gave to words, what memory said of it, and what was learned from the click that followed."""

    lexical: float
    moved: str
    learned: UserPreferences


def choose_click(results: list[ResultOut], habit: Habit, chance: random.Random) -> ResultOut | None:
    """The result that this person opens: the one that stands furthest forward by words, or by meaning, or any."""
    if not results:
        return None
    if habit == "chance":
        return chance.choice(results)
    leg, other = ("lexical", "dense") if habit == "words" else ("dense", "lexical")
    return min(results, key=lambda each: (_leg_rank(each, leg) - _leg_rank(each, other), _leg_rank(each, leg)))


def _leg_rank(result: ResultOut, leg: str) -> int:
    return result.stages[leg].rank if leg in result.stages else _MISSED


def questions() -> list[str]:
    """Those of the sample library that documents answer."""
    entries = json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"]
    return [str(each["question"]) for each in entries if each["documents"] and each["intent"] == "document_search"]


async def run_searches(services: Services, person: str, habit: Habit, count: int, seed: int = 1) -> AsyncIterator[LearningStep]:
    """`count` searches of this person, each followed by an opened result."""
    chance, asked = random.Random(seed), questions()
    for _ in range(count):
        run = await services.runs.start(SearchRequest(query=chance.choice(asked), strategy="auto", top_k=_SHOWN), TENANT, person)
        response = await services.runs.result(TENANT, run)
        result = choose_click(response.results, habit, chance)
        if result is not None:
            await services.memory.learn_from_feedback(_feedback(person, run, result, response.results.index(result) + 1))
        trace = await services.traces.get(TENANT, run)
        strategy: dict[str, float] = next((node.writes["strategy"] for node in trace.nodes if node.node == "choose_strategy"), {})
        moved = next((each.used_for for each in response.memory_used or [] if each.tier == "procedural"), "")
        learned = (await services.memory.overview(TENANT, person, 1)).preferences
        yield LearningStep(float(strategy.get("lexical", 0.0)), moved, learned)


def _feedback(person: str, run: str, result: ResultOut, rank: int) -> FeedbackRecord:
    return FeedbackRecord(
        id=uuid.uuid4().hex,
        tenant=TENANT,
        user_id=person,
        trace_id=run,
        kind="open_citation",
        result_id=result.id,
        rank=rank,
        reason=None,
        correction=None,
        created_at=datetime.now(UTC),
    )


async def learning_curve(services: Services, habits: list[tuple[Habit, int]], person: str, every: int) -> list[tuple[str, ...]]:
    """A line every so many searches of one person whose habit changes."""
    rows: list[tuple[str, ...]] = []
    number = 0
    for habit, count in habits:
        async for found in run_searches(services, person, habit, count, seed=number + 1):
            number += 1
            if number % every == 0 or number == 3:
                weights = found.learned.optimal_weights
                share = f"{weights['lexical']:.3f}" if weights else "—"
                rows.append((person, habit, str(number), f"{found.learned.evidence:.2f}", share, found.moved))
    return rows


async def main(home: Path, count: int, every: int) -> None:
    async with open_services(Settings(home=home)) as services:
        await index_sample(services)
        person = uuid.uuid4().hex[:6]
        rows = await learning_curve(services, [("words", count), ("meaning", count)], f"changes-{person}", every)
        rows += await learning_curve(services, [("chance", count)], f"chance-{person}", every)
    print_table(("person", "opens by", "search", "evidence", "learned weight of words (prior .400)", "said in this search's answer"), rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, help="a home to keep between two runs; a new one is filled with the sample library")
    parser.add_argument("--count", type=int, default=30, help="searches for each habit")
    parser.add_argument("--every", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(options.home or Path(folder), options.count, options.every))
    sys.stdout.write("\n")
