"""`python -m benchmarks.dialogues [--home DIR] [--later] [--verbose]`: conversations over the sample library, each turn with what its answer holds.

The dialogues are the project's own (`benchmarks/dialogues.json`). Every turn is asked in the conversation of those before it, whatever they were
answered. Printed are the first questions and the follow-ups that are answered with what they expect, and the dialogues of which all turns are.
`--later` asks those that were first run after the others had been developed on.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.sample_questions import fold_text, index_sample, run_with_later
from bootstrap import open_services
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import Settings

DIALOGUES = Path(__file__).with_suffix(".json")


def is_answered(turn: dict[str, Any], response: SearchResponse) -> bool:
    text = fold_text(response.answer)
    return response.status == "success" and all(fold_text(each) in text for each in turn["answer_contains"])


async def run_dialogue(services: Services, turns: list[dict[str, Any]], *, verbose: bool) -> list[bool]:
    """One dialogue from its first turn to its last: which of its turns were answered."""
    conversation = (await services.conversations.create("default", "benchmark", "")).id
    right: list[bool] = []
    for turn in turns:
        request = SearchRequest(query=turn["question"], use_memory=False, conversation_id=conversation)
        response = await services.runs.result("default", await services.runs.start(request, "default", "benchmark"))
        right.append(is_answered(turn, response))
        if verbose and not right[-1]:
            said = " | ".join(each["question"] for each in turns[: len(right)])
            sys.stdout.write(f"\n-- {said}\n   wants {turn['answer_contains']}; {response.intent.value}, {response.status}, {response.confidence}\n")
            sys.stdout.write(f"   {response.answer[:400]}\n   {[step.details for step in response.steps][:2]}\n")
    return right


async def measure(home: Path, *, later: bool, verbose: bool) -> list[tuple[str, str]]:
    dialogues = json.loads(DIALOGUES.read_text(encoding="utf-8"))["later" if later else "dialogues"]
    async with open_services(Settings(home=home)) as services:
        await index_sample(services)
        answered = [await run_dialogue(services, turns, verbose=verbose) for turns in dialogues]
    first, following = [each[0] for each in answered], [turn for each in answered for turn in each[1:]]
    return [
        ("first questions", f"{sum(first)} of {len(first)}"),
        ("follow-ups", f"{sum(following)} of {len(following)}"),
        ("whole dialogues", f"{sum(all(each) for each in answered)} of {len(answered)}"),
    ]


def main() -> None:
    run_with_later(measure, ("asked", "answered"), __doc__ or "")


if __name__ == "__main__":
    main()
