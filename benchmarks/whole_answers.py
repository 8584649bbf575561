"""The time of a whole answer, and whether a change of the code left the answers alone: `python -m benchmarks.whole_answers [--home DIR]`

About 5,000 paragraphs (squad2_500 and, from `reader`, SQuAD's and SQuADShifts's) are indexed as text files and questions of squad2_500 are asked of
them over POST /search, inside this process: everything that a request costs but the socket. Processor time of all threads is what can be compared
on a machine that others use, too; a question counts with its own, the table has the median.

`--write FILE` keeps every answer with its trace, without times and random ids; `--compare FILE` says which questions are answered, cited, weighed or
traced otherwise than in such a file. `--home` keeps the index between two runs, or is another library; `--questions` is another JSON list of them.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, get_args

import httpx

from api import create_app
from benchmarks.machine import data_folder, describe, percentile, print_table
from retrieval.embedders.openvino_embedder import Activations
from server.services import Services
from settings import AgentSettings, AnswerSettings, CorrectionSettings, RerankSettings, SearchSettings, Settings

TENANT = "default"
PASSAGES, QUESTIONS = 5_000, 200
WARMING, LOADING = 8, 60  # questions, and seconds that parts may take to load
FILLING_PARAGRAPHS = ("squad1_train_du_test", "squadshifts_new_wiki", "nq_qed")
# What differs between two runs of the same code.
_TIMES = frozenset({"duration_ms", "total_time", "search_time", "timestamp", "started_at", "trace_id"})


class QuestionCost(NamedTuple):
    """Milliseconds of one question: on the clock, of the processor in all threads, and in the thread of the event loop alone."""

    wall: float
    processor: float
    loop: float


@dataclass(slots=True)
class AskedQuestions:
    """What asking all questions gave: their costs, the milliseconds on the clock of each node, and the answers."""

    costs: list[QuestionCost] = field(default_factory=list)
    nodes: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: dict[str, Any] = field(default_factory=dict)


def load_paragraphs(count: int) -> list[str]:
    """Those of squad2_500, and different ones of other sets up to `count`."""
    corpus = (data_folder() / "squad2_500" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = dict.fromkeys(json.loads(line)["text"] for line in corpus)
    for name in FILLING_PARAGRAPHS:
        with gzip.open(data_folder() / "reader" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            texts |= dict.fromkeys(json.loads(line)["context"] for line in lines)
    return list(texts)[:count]


def write_paragraphs(folder: Path) -> None:
    folder.mkdir()
    for number, text in enumerate(load_paragraphs(PASSAGES)):
        (folder / f"{number:05}.txt").write_text(text, encoding="utf-8")


def questions() -> list[str]:
    lines = (data_folder() / "squad2_500" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines][:QUESTIONS]


@asynccontextmanager
async def open_client(home: Path, activations: Activations) -> AsyncIterator[tuple[httpx.AsyncClient, Services]]:
    """A client that asks the application in this process, and what the application serves."""
    # Whatever else the machine does, the same is searched: no step ends early because its milliseconds are over.
    unhurried = Settings(
        home=home,
        agents=AgentSettings(correction=CorrectionSettings(budget_ms=60_000)),
        answers=AnswerSettings(reader_activations=activations),
        search=SearchSettings(rerank=RerankSettings(budget_ms=60_000)),
    )
    app = create_app(unhurried, watch=False)
    async with app.router.lifespan_context(app) as state:

        async def with_state(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
            await app({**scope, "state": dict(state or {})}, receive, send)

        transport = httpx.ASGITransport(app=with_state, client=("127.0.0.1", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=600) as client:
            yield client, (state or {})["services"]


async def index(services: Services, folder: Path) -> None:
    """The paragraphs as text files, indexed where the home holds nothing yet."""
    if (await services.library.totals(TENANT)).documents:
        return
    write_paragraphs(folder)
    job = await services.jobs.queue_run(TENANT, str(folder), TENANT)
    async for record in services.jobs.events(TENANT, job.id):
        if record.state in {"done", "failed", "cancelled"}:
            break


async def ask(client: httpx.AsyncClient, question: str) -> tuple[QuestionCost, dict[str, Any]]:
    wall, processor, loop = time.perf_counter(), time.process_time(), time.thread_time()
    response = await client.post("/search", json={"query": question, "use_memory": False})
    cost = QuestionCost(*(1000 * taken for taken in (time.perf_counter() - wall, time.process_time() - processor, time.thread_time() - loop)))
    response.raise_for_status()
    return cost, response.json()


async def warm(client: httpx.AsyncClient, asked: Sequence[str]) -> None:
    """Asks a few questions until every part (the reader, the knowledge graph) has been loaded and is there for them."""
    for question in asked[:WARMING]:
        for _ in range(LOADING):
            _, response = await ask(client, question)
            if not response["degraded"]:
                break
            await asyncio.sleep(1)


async def ask_all(client: httpx.AsyncClient, services: Services, asked: Sequence[str]) -> AskedQuestions:
    found = AskedQuestions()
    for question in asked:
        cost, response = await ask(client, question)
        found.costs.append(cost)
        trace = await services.traces.get(TENANT, response["trace_id"])
        for node in trace.nodes:
            found.nodes[node.node].append(node.duration_ms)
        found.answers[question] = strip_times({"response": response, "trace": trace.model_dump(mode="json", exclude={"id", "response"})})
    return found


def strip_times(value: Any) -> Any:
    """The value without times and the ids of runs, steps in an order that does not hang on time."""
    if isinstance(value, dict):
        step = "node" in value and "action" in value
        return {key: strip_times(each) for key, each in value.items() if key not in _TIMES and not (step and key == "id")}
    if isinstance(value, list):
        kept = [strip_times(each) for each in value]
        steps = bool(kept) and all(isinstance(each, dict) and "node" in each and "action" in each for each in kept)
        return sorted(kept, key=json.dumps) if steps else kept  # some run side by side
    return value


def differences(before: Any, after: Any, path: str = "") -> list[str]:
    """The paths at which two values differ, with what stands there."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        return [each for key in keys for each in differences(before.get(key), after.get(key), f"{path}/{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [each for place, pair in enumerate(zip(before, after, strict=True)) for each in differences(*pair, f"{path}/{place}")]
    return [] if before == after else [f"{path}: {_shorten(before)} is now {_shorten(after)}"]


def _shorten(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:120]


def compare(file: Path, answers: dict[str, Any]) -> int:
    """Tells what differs; 1 where anything does."""
    before = json.loads(file.read_text(encoding="utf-8"))
    other = {question: found for question, answer in answers.items() if (found := differences(before.get(question), answer))}
    sys.stdout.write(f"{len(other)} of {len(answers)} questions are answered or traced otherwise than in {file}\n")
    for question, found in other.items():
        sys.stdout.write("\n".join([f"\n{question}", *(f"  {each}" for each in found[:8])]) + "\n")
    return 1 if other else 0


def report(rounds: Sequence[AskedQuestions]) -> None:
    cold = rounds[0]
    for number, asked in enumerate(rounds):
        sys.stdout.write(f"\nasked {'again' if number else 'the first time'}, {len(asked.costs)} questions, ms\n\n")
        rows = [
            (what, *(f"{percentile([getattr(cost, what) for cost in asked.costs], share):.0f}" for share in (0.5, 0.95)))
            for what in QuestionCost._fields
        ]
        print_table(("", "p50", "p95"), rows)
    sys.stdout.write("\nnodes, asked the first time, on the clock, ms\n\n")
    nodes = [(name, str(len(taken)), f"{percentile(taken, 0.5):.1f}", f"{sum(taken) / len(cold.costs):.1f}") for name, taken in cold.nodes.items()]
    print_table(("node", "times", "p50", "mean of all questions"), nodes)


async def main(options: argparse.Namespace, folder: Path) -> int:
    asked = json.loads(options.questions.read_text(encoding="utf-8")) if options.questions else questions()
    async with open_client(options.home or folder / "home", options.activations) as (client, services):
        await index(services, folder / "paragraphs")
        passages = (await services.library.totals(TENANT)).chunks
        await warm(client, asked)
        rounds = [await ask_all(client, services, asked) for _ in range(options.rounds)]
    sys.stdout.write(f"{describe()}; {passages:,} passages, no language model\n")
    report(rounds)
    if options.write:
        options.write.write_text(json.dumps(rounds[0].answers), encoding="utf-8")
    return compare(options.compare, rounds[0].answers) if options.compare else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, help="a home to keep, or one that is indexed already")
    parser.add_argument("--questions", type=Path, help="a JSON list of questions to ask instead")
    parser.add_argument("--rounds", type=int, default=2, help="how often all questions are asked; from the second on their vectors are warm")
    parser.add_argument("--activations", choices=get_args(Activations), default="auto", help="as answers.reader_activations")
    parser.add_argument("--write", type=Path, help="where answers and traces are kept")
    parser.add_argument("--compare", type=Path, help="answers and traces of another run")
    chosen = parser.parse_args()
    if not chosen.home and not (data_folder() / "squad2_500").is_dir():
        sys.stdout.write(f"skipped: {data_folder() / 'squad2_500'} is not there (set VANTAGE_DATA)\n")
        sys.exit(0)
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(asyncio.run(main(chosen, Path(temporary))))
