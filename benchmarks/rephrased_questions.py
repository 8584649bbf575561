"""The same questions asked otherwise over the sample library: in slang and shorthand beside their proper wording, and in German beside English.

`python -m benchmarks.rephrased_questions [--home DIR] [--later] [--verbose]`

The questions and what a right answer holds are the project's own (`benchmarks/asked_otherwise.json`), judged as `benchmarks.sample_questions` does.
`--later`
asks those that were written after the rules. Of German, "answered like English" counts the questions answered right in both of those that are right
in English.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.sample_questions import JudgedAnswer, fold_text, index_sample, judge, run_with_later
from bootstrap import open_services
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import AUTO_MODEL, EmbeddingSettings, Settings

QUESTIONS = Path(__file__).with_suffix(".json")


async def ask(services: Services, question: str) -> SearchResponse:
    run_id = await services.runs.start(SearchRequest(query=question, use_memory=False), "default", "benchmark")
    return await services.runs.result("default", run_id)


async def wait_until_warm(services: Services) -> None:
    """Waits for the encoder that the first German question opens: what is measured is the library once it is there."""
    for _ in range(120):
        response = await ask(services, "Wie hoch ist die Miete von Quay 7?")
        if not any(each.part == "multilingual" for each in response.degraded):
            return
        await asyncio.sleep(1)


def holds_expected(entry: dict[str, Any], response: SearchResponse) -> bool:
    text = fold_text(response.answer)
    return response.status == "success" and all(fold_text(each) in text for each in entry["answer_contains"])


def is_right(entry: dict[str, Any], response: SearchResponse) -> JudgedAnswer:
    """As the sample's questions are judged; what the library has no answer to may be answered by its own state or not at all."""
    found = judge(entry, response)
    return found._replace(right=found.intent) if entry["kind"] in {"system", "general"} else found


def print_question(question: str, other: str, response: SearchResponse, wanted: list[str]) -> None:
    sys.stdout.write(f"\n-- {other}   ({question})\n   wants {wanted}; {response.intent.value}, {response.status}, {response.confidence}\n")
    sys.stdout.write(f"   {response.answer[:400]}\n")
    cited = ", ".join(dict.fromkeys(citation.filename for citation in response.citations))
    sys.stdout.write(f"   [{cited}] {[step.details for step in response.steps][:2]}\n")


async def measure_slang(services: Services, entries: list[dict[str, Any]], *, verbose: bool) -> list[tuple[str, str]]:
    proper = slang = kept = 0
    for entry in entries:
        first, second = await ask(services, entry["proper"]), await ask(services, entry["slang"])
        right = holds_expected(entry, first), holds_expected(entry, second)
        proper, slang, kept = proper + right[0], slang + right[1], kept + all(right)
        for was_right, question, response in zip(right, (entry["proper"], entry["slang"]), (first, second), strict=True):
            if verbose and not was_right:
                print_question(entry["proper"], question, response, entry["answer_contains"])
    number = len(entries)
    return [
        ("written properly", f"{proper} of {number}"),
        ("in slang and shorthand", f"{slang} of {number}"),
        ("right in both", f"{kept} of {number}"),
    ]


async def measure_german(services: Services, entries: list[dict[str, Any]], *, verbose: bool) -> list[tuple[str, str]]:
    await wait_until_warm(services)
    english = german = both = intents = english_intents = 0
    for entry in entries:
        first, second = await ask(services, entry["english"]), await ask(services, entry["german"])
        one, other = is_right(entry, first), is_right(entry, second)
        english, german, both = english + one.right, german + other.right, both + (one.right and other.right)
        english_intents, intents = english_intents + one.intent, intents + other.intent
        for judged, question, response in ((one, entry["english"], first), (other, entry["german"], second)):
            if verbose and not (judged.right and judged.intent):
                print_question(entry["english"], question, response, entry["answer_contains"])
    number = len(entries)
    return [
        ("English", f"{english} of {number}"),
        ("German", f"{german} of {number}"),
        ("German, of those right in English", f"{both} of {english}"),
        ("intents in English", f"{english_intents} of {number}"),
        ("intents in German", f"{intents} of {number}"),
    ]


async def measure(home: Path, *, later: bool, verbose: bool) -> list[tuple[str, str]]:
    asked = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    asked = asked["later"] if later else asked
    async with open_services(Settings(home=home, embedding=EmbeddingSettings(model=AUTO_MODEL))) as services:
        await index_sample(services)
        slang = await measure_slang(services, asked["slang"], verbose=verbose)
        return [*slang, *await measure_german(services, asked["german"], verbose=verbose)]


def main() -> None:
    run_with_later(measure, ("asked", "answered right"), __doc__ or "")


if __name__ == "__main__":
    main()
