"""What the mission promises of each operation, beside what one run of everything took. `python -m benchmarks.operations [--home DIR] [--rounds 2]`

The sample library is indexed and its questions are asked by one person, whose memory grows meanwhile. Nodes are timed by their traces; memory,
extraction and embedding are called directly on the same library. A figure is good at a tenth of its promise; where it is not, the table says why.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from benchmarks.machine import describe, percentile, print_table
from benchmarks.sample_questions import QUESTIONS, index_sample
from bootstrap import SAMPLE, open_services
from composition.model_factories import make_embedder
from core.errors import VantageError
from core.ports import MemoryQuestion
from core.search import Filters
from core.search_schemas import SearchRequest
from ingestion.workers.pool import ExtractionPool
from server.services import Services
from settings import Settings

TENANT, PERSON = "default", "benchmark"
_ALL_SECTIONS = 1_000_000  # more sections than a document has


class Operation(NamedTuple):
    """`low` and `high` are the promise in ms; `node` is the trace's node that does it, "" for what is called directly; `why` where a tenth of
    the promise is not the right measure."""

    name: str
    low: float
    high: float
    node: str = ""
    why: str = ""


OPERATIONS = (
    Operation("classification", 200, 500, "classify"),
    Operation("strategy", 0, 50, "choose_strategy"),
    Operation("graph expansion", 50, 200, "expand_graph"),
    Operation("hybrid search", 100, 300, "retrieve"),
    Operation("rerank", 200, 500, "rerank"),
    Operation("confidence", 50, 100, "score_confidence", why="it asks the index itself whether up to six follow-ups can be answered"),
    Operation("memory search", 0, 100),
    Operation("document extraction", 1000, 10_000, why="by format: one that has to be read as a picture (OCR) takes seconds"),
    Operation("embedding a document", 50, 100, why="grows with the document: every passage of it goes through the encoder"),
)


async def measure_nodes(services: Services, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each node that ran, over all questions of the sample library."""
    questions = [str(each["question"]) for each in json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"]]
    taken: dict[str, list[float]] = defaultdict(list)
    for turn in range(rounds + 1):
        for question in questions[: None if turn else 5]:  # a few first, so that nothing is cold
            run = await services.runs.start(SearchRequest(query=question), TENANT, PERSON)
            await services.runs.result(TENANT, run)
            for node in (await services.traces.get(TENANT, run)).nodes if turn else ():
                if node.outcome in ("ok", "degraded"):
                    taken[node.node].append(node.duration_ms)
    return taken


async def measure_memory(services: Services) -> list[float]:
    """Recalling for each question, of a person who has asked all of them."""
    taken = []
    for entry in json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"]:
        start = time.perf_counter()
        await services.memory.recall(MemoryQuestion(TENANT, PERSON, str(entry["question"])))
        taken.append((time.perf_counter() - start) * 1000)
    return taken


async def measure_extractions() -> list[float]:
    """Every file of the sample library in one warm worker; what cannot be read counts too."""
    pool, taken = ExtractionPool(1), []
    files = sorted(path for path in SAMPLE.rglob("*") if path.is_file())
    try:
        for path in (files[0], *files):  # the first starts the worker
            start = time.perf_counter()
            try:
                await pool.extract(path)
            except VantageError:
                continue
            finally:
                taken.append((time.perf_counter() - start) * 1000)
    finally:
        await pool.close()
    return taken[1:]


async def measure_embeddings(services: Services, settings: Settings) -> tuple[list[float], float]:
    """Milliseconds for all passages of each document of the library, and the mean number of these."""
    embedder = make_embedder(settings)
    taken, passages = [], 0
    try:
        await embedder.embed_passages(["warm"])
        documents, _, _ = await services.library.list_documents(TENANT, filters=Filters(), limit=200)
        for document in documents:
            texts = [chunk.text for chunk in await services.library.section_chunks(TENANT, document.id, 0, _ALL_SECTIONS)]
            start = time.perf_counter()
            await embedder.embed_passages(texts)
            taken.append((time.perf_counter() - start) * 1000)
            passages += len(texts)
    finally:
        await embedder.close()
    return taken, passages / max(1, len(taken))


def line(operation: Operation, taken: list[float]) -> tuple[str, ...]:
    """The operation's row: p50, p95, promise, and how p95 stands to a tenth of the promise's upper end."""
    promise = f"{operation.low:,.0f}-{operation.high:,.0f} ms" if operation.low else f"< {operation.high:,.0f} ms"
    if not taken:
        return (operation.name, "0", "—", "—", promise, "did not run")
    p50, p95 = percentile(taken, 0.5), percentile(taken, 0.95)
    within = f"a tenth: {operation.high / 10:,.0f} ms" if p95 <= operation.high / 10 else f"p95 is {p95 / operation.high:.2f} of the promise"
    return (
        operation.name,
        str(len(taken)),
        f"{p50:,.2f}",
        f"{p95:,.2f}",
        promise,
        within if p95 <= operation.high / 10 else _join_remarks(within, operation.why),
    )


def _join_remarks(within: str, why: str) -> str:
    return f"{within}; {why}" if why else within


async def main(home: Path, rounds: int) -> None:
    settings = Settings(home=home)
    async with open_services(settings) as services:
        await index_sample(services)
        taken = await measure_nodes(services, rounds)
        searched = await measure_memory(services)
        embedded, passages = await measure_embeddings(services, settings)
    direct = {"memory search": searched, "document extraction": await measure_extractions(), "embedding a document": embedded}
    sys.stdout.write(f"{describe()}; the sample library, {passages:.1f} passages a document, no language model; ms\n\n")
    rows = [line(each, taken[each.node] if each.node else direct[each.name]) for each in OPERATIONS]
    print_table(("operation", "times", "p50", "p95", "promise", "how it stands"), rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, help="a home to keep between two runs; a new one is filled with the sample library")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(options.home or Path(folder), options.rounds))
