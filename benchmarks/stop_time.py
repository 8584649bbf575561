"""How long a run takes to end once it is told to stop: at every node, while that node hangs. `python -m benchmarks.stop_time`

Each node in turn is replaced by one that never ends; the clock runs from the call of cancel to the response with what was found so far.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import replace
from typing import Any

from benchmarks.machine import describe, percentile, print_table
from core.search_schemas import SearchRequest
from orchestration.nodes import ROWS
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus
from tests.support.ports import make_dependencies

PROMISE_MS = 200.0
_TIMES = 20
_PLAIN = {"query": "How much notice must the tenant give?"}
_BRIDGE = {"query": "First find the landlord of the Halden lease, then find the roof of the building"}
# What leads to a node that the plain question passes by.
_LEADS: dict[str, dict[str, Any]] = {
    "attached_documents": {**_PLAIN, "attached_documents": ["notes"]},
    "correct": {"query": "Which zebras, lions and penguins live under the roof?"},
    "hop": _BRIDGE,
    "join_hops": _BRIDGE,
    "analyze": {"query": "Compare hotels and trains for journeys under four hours"},
    "summarize": {"query": "Summarise the travel policy"},
    "general_answer": {"query": "How many PDFs are indexed?"},
    "clarify": {"query": "it?"},
}
_SAFE = ("remember",)  # the answer stands already


async def time_stopping(name: str) -> tuple[float, int]:
    """Milliseconds from cancel to the response, and how many results it kept."""
    reached = asyncio.Event()

    async def hang(state: Any) -> Any:
        reached.set()
        await asyncio.Event().wait()

    rows = tuple(replace(row, bind=lambda *_: hang) if row.name == name else row for row in ROWS)
    runs = Runs(Zeus(make_dependencies(), rows))
    run_id = await runs.start(SearchRequest.model_validate(_LEADS.get(name, _PLAIN)))
    async with asyncio.timeout(10):
        await reached.wait()
    began = time.perf_counter()
    await runs.cancel("default", run_id)
    response = await runs.result("default", run_id)
    if response.status != "stopped":
        raise RuntimeError(f"{name} was not stopped: {response.status}")
    return (time.perf_counter() - began) * 1000, len(response.results)


async def main() -> int:
    rows, worst = [], 0.0
    for row in ROWS:
        if row.name in _SAFE:
            continue
        taken = [await time_stopping(row.name) for _ in range(_TIMES)]
        times = [each for each, _ in taken]
        worst = max(worst, *times)
        kept = str(taken[-1][1])
        rows.append((row.name, row.agent.name, f"{percentile(times, 0.5):.2f}", f"{percentile(times, 0.95):.2f}", f"{max(times):.2f}", kept))
    sys.stdout.write(f"{describe()}; {_TIMES} times each, ms from cancel to the response\n\n")
    print_table(("node that hangs", "agent", "p50", "p95", "max", "results kept"), rows)
    sys.stdout.write(f"\nSlowest: {worst:.1f} ms (promise: {PROMISE_MS:.0f} ms)\n")
    return 0 if worst <= PROMISE_MS else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
