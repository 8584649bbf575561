"""The questions of examples/questions.json asked of the sample library: which are answered with what they expect.

`python -m benchmarks.sample_questions [--home DIR] [--kind table] [--verbose]`

A question counts as answered when the answer is found, holds every text that it expects, and cites the documents that the file names (one of
them; all for a comparison). One that the library cannot answer counts when nothing is answered from it. `asked back` counts the questions
that were interrupted though they stand alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.machine import percentile, print_table
from bootstrap import SAMPLE, open_services
from core.language.sentences import word_count
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import AUTO_MODEL, EmbeddingSettings, Settings

QUESTIONS = SAMPLE.parent / "questions.json"


class JudgedAnswer(NamedTuple):
    right: bool
    intent: bool
    cited: bool


def fold_text(text: str) -> str:
    """Letter case, white space and thousands separators aside, as questions.json says."""
    return re.sub(r"\s+", "", re.sub(r"(?<=\d),(?=\d{3})", "", text)).casefold()


def judge(entry: dict[str, Any], response: SearchResponse) -> JudgedAnswer:
    wanted, cited = set(entry["documents"]), {citation.filename for citation in response.citations}
    intent = response.intent.value == entry["intent"]
    if not wanted:
        silent = not cited or response.status == "not_found"
        return JudgedAnswer(silent, intent, silent)
    text = fold_text(response.answer)
    held = response.status == "success" and all(fold_text(each) in text for each in entry["answer_contains"])
    sourced = wanted <= cited if entry["kind"] == "comparison" else bool(wanted & cited)
    return JudgedAnswer(held and sourced, intent, sourced)


async def index_sample(services: Services) -> None:
    """The sample library, indexed where it is not yet."""
    if (await services.library.totals("default")).documents:
        return
    job = await services.jobs.queue_run("default", str(SAMPLE), "default")
    async for record in services.jobs.events("default", job.id):
        if record.state in {"done", "failed", "cancelled"}:
            break


async def measure(home: Path, kind: str, model: str, *, verbose: bool) -> list[tuple[str, ...]]:
    entries = [each for each in json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"] if kind in {"", each["kind"]}]
    right, all_of, intents, asked = Counter[str](), Counter[str](), 0, 0
    words: list[int] = []
    async with open_services(Settings(home=home, embedding=EmbeddingSettings(model=model))) as services:
        await index_sample(services)
        for entry in entries:
            run_id = await services.runs.start(SearchRequest(query=entry["question"], use_memory=False), "default", "benchmark")
            response = await services.runs.result("default", run_id)
            found = judge(entry, response)
            if found.right and response.answer_sentences:
                words.append(sum(word_count(sentence.text) for sentence in response.answer_sentences))
            asked += response.status == "clarification_needed"
            all_of[entry["kind"]] += 1
            right[entry["kind"]] += found.right
            intents += found.intent
            if verbose and not found.right:
                sys.stdout.write(f"\n-- {entry['kind']}: {entry['question']}\n   wants {entry['answer_contains']} of {entry['documents']}\n")
                sys.stdout.write(f"   {response.intent.value}, {response.status}, confidence {response.confidence}\n   {response.answer}\n")
                for citation in response.citations:
                    sys.stdout.write(f"     [{citation.number}] {citation.filename}\n")
    answerable = [each for each in all_of if each not in {"not_in_library", "system", "general"}]
    total = f"{sum(right[each] for each in answerable)} of {sum(all_of[each] for each in answerable)}"
    rows = [(each, f"{right[each]} of {count}") for each, count in all_of.items()]
    length = f"{percentile(words, 0.5):.0f}" if words else ""
    rows += [("with a stated answer, together", total), ("intents", f"{intents} of {len(entries)}"), ("asked back", str(asked))]
    return [*rows, ("words of right answers, median", length)]


def run_with_later(measure: Callable[..., Awaitable[Sequence[tuple[str, ...]]]], heads: tuple[str, ...], description: str) -> None:
    """The command of a set of questions of which some are kept for a first run (`--later`): reads the options, prints the table."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--home", type=Path, help="a home to keep between two runs; a new one is filled with the sample library")
    parser.add_argument("--later", action="store_true", help="those that were first asked after the others had been developed on")
    parser.add_argument("--verbose", action="store_true", help="print the answers that fail")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(_run_measure(measure, options.home or Path(folder), later=options.later, verbose=options.verbose))
    sys.stdout.write("\n")
    print_table(heads, rows)


async def _run_measure(measure: Callable[..., Awaitable[Sequence[tuple[str, ...]]]], home: Path, **options: bool) -> Sequence[tuple[str, ...]]:
    return await measure(home, **options)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, help="a home to keep between two runs; a new one is filled with the sample library")
    parser.add_argument("--kind", default="", help="only the questions of this kind")
    parser.add_argument("--verbose", action="store_true", help="print the answers that fail")
    parser.add_argument("--embedder", default=AUTO_MODEL, help="the embedding model of a new home")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(measure(options.home or Path(folder), options.kind, options.embedder, verbose=options.verbose))
    sys.stdout.write("\n")
    print_table(("kind of question", "right"), rows)


if __name__ == "__main__":
    main()
