"""`python -m benchmarks.written_answers --model qwen2.5-coder-1.5b`: what a language model at an Ollama server makes of the sample's questions.

30 questions over the sample library: 18 by lot of examples/questions.json (facts, two steps, superseded values) and 12 of this file, six of which the
library cannot answer. Each is asked twice in the same run, without the model and with it. Printed are the answers that hold what is expected, who
answered, the sentences that were left out, and what must be 0: written sentences with a figure that stands in no span that they cite, and questions
without an answer that the model answered. `--url`, `--seconds` (llm.seconds_per_question), `--number`, `--home DIR` (an indexed sample), `--verbose`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.machine import describe, percentile, print_table
from benchmarks.sample_questions import QUESTIONS, fold_text, index_sample
from bootstrap import open_services
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import Settings, load_settings

_ANSWERED_KINDS = frozenset({"lookup", "two_hop", "supersedes"})
_OWN_QUESTIONS: tuple[tuple[str, tuple[str, ...] | None], ...] = (  # a question, and what its answer holds; None where the library has no answer
    ("Salary of the Finance Director?", None),
    ("Who insures the crane ship?", None),
    ("What is the telephone number of the harbour master's wife?", None),
    ("How old is Morwenna Pascoe?", None),
    ("What did the auditor find in 2019?", None),
    ("What is the population of Karlshavn?", None),
    ("Why was Pallas chosen?", ("Pallas",)),
    ("How large is the deposit and who holds it?", ("80,000", "Agent")),
    ("What happens if the tenant pays late?", ("interest",)),
    ("What is the speed limit inside the building?", ("8 km/h",)),
    ("What is the rent of Quay 7?", ("341,500",)),
    ("Who works for Trevanion & Holt?", ("Morwenna Pascoe",)),
)


class WrittenAnswer(NamedTuple):
    """A question with its answer: whether it holds what is expected (a silent one where nothing is there), and the seconds it took."""

    question: str
    expected: tuple[str, ...] | None
    response: SearchResponse
    right: bool
    seconds: float


def questions(number: int) -> list[tuple[str, tuple[str, ...] | None]]:
    entries: list[dict[str, Any]] = [each for each in json.loads(QUESTIONS.read_text())["questions"] if each["kind"] in _ANSWERED_KINDS]
    random.Random(3).shuffle(entries)
    return [*_OWN_QUESTIONS, *((each["question"], tuple(each["answer_contains"])) for each in entries)][:number]


def is_right(expected: tuple[str, ...] | None, response: SearchResponse) -> bool:
    if expected is None:
        return response.status == "not_found"
    return response.status == "success" and all(fold_text(each) in fold_text(response.answer) for each in expected)


def unsupported_figures(response: SearchResponse) -> list[str]:
    """Written sentences with a number that stands in no span that they cite, whatever the product's own check says of them."""
    quotes = {each.number: each.quote for each in response.citations}
    written = [each for each in response.answer_sentences if each.support != "quoted"]
    return [each.text for each in written if not _find_numbers(each.text) <= _find_numbers(" ".join(quotes[number] for number in each.citations))]


def _find_numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", re.sub(r"(?<=\d),(?=\d{3})", "", text)))


async def ask(services: Services, question: str, expected: tuple[str, ...] | None) -> WrittenAnswer:
    started = time.perf_counter()
    run = await services.runs.start(SearchRequest(query=question, use_memory=False))
    response = await services.runs.result("default", run)
    return WrittenAnswer(question, expected, response, is_right(expected, response), time.perf_counter() - started)


def count_left_out(response: SearchResponse) -> int:
    found = [re.match(r"(\d+) sentences? that the model wrote", note) for note in response.answer_notes]
    return sum(int(match[1]) for match in found if match is not None)


def print_answer(asked: WrittenAnswer) -> None:
    mark = "right" if asked.right else "wrong"
    reasons = "; ".join(each.reason for each in asked.response.degraded)
    answer = " ".join(asked.response.answer.split())
    sys.stdout.write(f"{mark} · {asked.response.generated_by} · {asked.seconds:.0f} s · {asked.question}\n    {answer[:400]}\n")
    sys.stdout.write(f"    {reasons}\n" if reasons else "")
    sys.stdout.writelines(f"    a figure that its citation lacks: {each}\n" for each in unsupported_figures(asked.response))
    sys.stdout.flush()


def row(name: str, asked: list[WrittenAnswer], model: str) -> list[str]:
    answerable = [each for each in asked if each.expected is not None]
    silent = [each for each in asked if each.expected is None]
    seconds = [each.seconds for each in asked]
    return [
        name,
        f"{sum(each.right for each in answerable)} of {len(answerable)}",
        f"{sum(each.right for each in silent)} of {len(silent)}",
        str(sum(each.response.generated_by == model for each in asked)),
        str(sum(each.response.generated_by == model for each in silent)),
        str(sum(count_left_out(each.response) for each in asked)),
        str(sum(len(unsupported_figures(each.response)) for each in asked)),
        f"{percentile(seconds, 0.5):.1f} / {percentile(seconds, 0.95):.1f}",
    ]


async def measure(settings: Settings, number: int, model: str, *, verbose: bool) -> list[WrittenAnswer]:
    found: list[WrittenAnswer] = []
    async with open_services(settings) as services:
        await index_sample(services)
        (part,) = [part for part in await services.parts() if part.name == "language model"]
        if model and part.state != "ok":
            sys.exit(f"The model {model} does not answer: {part.detail}")
        for question, expected in questions(number):
            found.append(await ask(services, question, expected))
            if verbose:
                print_answer(found[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--url", default="http://127.0.0.1:11434")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--number", type=int, default=30)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--verbose", action="store_true")
    chosen = parser.parse_args()
    sys.stdout.write(f"{describe()}\n\n")
    with tempfile.TemporaryDirectory() as place:
        environ = {"VANTAGE_HOME": str(chosen.home or Path(place) / "home"), "VANTAGE_INGESTION__WATCH__ENABLED": "false"}
        model = {
            "VANTAGE_OLLAMA__ENABLED": "on",
            "VANTAGE_OLLAMA__BASE_URL": chosen.url,
            "VANTAGE_OLLAMA__UNIFIED_MODEL__NAME": chosen.model,
            "VANTAGE_LLM__SECONDS_PER_QUESTION": str(chosen.seconds),
        }
        runs = [("without a model", "", {"VANTAGE_OLLAMA__ENABLED": "off"}), (chosen.model, chosen.model, model)]
        rows = []
        for name, by, more in runs:
            settings = load_settings(environ={**environ, **more}, folder=Path(place))
            rows.append(row(name, asyncio.run(measure(settings, chosen.number, by, verbose=chosen.verbose)), by))
    heads = ["", "answered right", "rightly silent", "written", "of the silent", "left out", "figures not cited", "s p50 / p95"]
    print_table(heads, rows)


if __name__ == "__main__":
    main()
