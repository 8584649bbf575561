"""What the graph itself costs: every node over ports that answer at once, no retrieval, no model, no disk. `python -m benchmarks.zeus`"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import NamedTuple

from benchmarks.machine import describe, percentile, print_table
from core.search_schemas import SearchRequest
from orchestration.nodes import ROWS
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus
from tests.support.ports import make_dependencies
from tests.support.stores import MemoryTraces

_RUNS = 300
_QUESTIONS = {
    "documents": "How much notice must the tenant give?",
    "not found": "Who feeds the zebras?",
    "system": "How many PDFs are indexed?",
    "clarification": "it?",
}
PROMISE_MS = 15.0


class RunTime(NamedTuple):
    """Milliseconds from the request to the response with the trace stored: on the clock, and of the processor (what a busy machine leaves)."""

    wall: float
    processor: float
    run_id: str


async def time_run(runs: Runs, query: str) -> RunTime:
    start, spent = time.perf_counter(), time.process_time()
    run_id = await runs.start(SearchRequest(query=query))
    await runs.result("default", run_id)
    return RunTime((time.perf_counter() - start) * 1000, (time.process_time() - spent) * 1000, run_id)


async def main() -> int:
    deps = make_dependencies()
    runs = Runs(Zeus(deps))
    for query in _QUESTIONS.values():
        await time_run(runs, query)
    taken = {name: [await time_run(runs, query) for _ in range(_RUNS)] for name, query in _QUESTIONS.items()}
    rows = [
        (name, *(f"{percentile([each[kind] for each in found], share):.2f}" for kind in (0, 1) for share in (0.5, 0.95)))  # type: ignore[misc] # numbers
        for name, found in taken.items()
    ]
    sys.stdout.write(f"{describe()}; {_RUNS} runs each, ms from request to response with the trace kept in memory\n\n")
    print_table(("way", "p50", "p95", "processor p50", "processor p95"), rows)
    assert isinstance(deps.traces, MemoryTraces)
    nodes = [node for each in taken["documents"] for node in (await deps.traces.get("default", each.run_id)).nodes]
    by_node = {row.name: [node.duration_ms for node in nodes if node.node == row.name] for row in ROWS}
    sys.stdout.write("\n")
    print_table(
        ("node, on the way through the documents", "p50", "p95"),
        [(name, f"{percentile(each, 0.5):.3f}", f"{percentile(each, 0.95):.3f}") for name, each in by_node.items() if each],
    )
    whole = percentile([each.processor for each in taken["documents"]], 0.95)
    sys.stdout.write(f"\nZeus's own overhead through the documents, processor p95: {whole:.2f} ms (promise: {PROMISE_MS:.0f} ms)\n")
    return 0 if whole <= PROMISE_MS else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
