"""What the three agents of attached files take for each document, first and when it is known from before. `python -m benchmarks.attached [FOLDER]`

Over the sample library, or the readable files of a folder: each is read as the indexer reads it, then analysed and searched for insights by rules.
Extraction is timed apart, for an attached file has been read when it is asked about; the store is in memory, so a hit is shown without the disk.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import NamedTuple

from agents.attached.agent import Material
from agents.document_analyzer import agent as hypatia
from agents.document_insights import agent as mnemosyne
from benchmarks.machine import describe, percentile, print_table
from core.ports.attached_files import InsightKey
from core.runs import Trace
from core.search_schemas import SearchRequest
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus
from tests.support.attached import material_of_file
from tests.support.ports import FakeLibrary, make_dependencies
from tests.support.stores import MemoryTraces

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "library"
_NODES = ("read", "analyse", "find_insights")
_LARGEST = 2_000_000


class DocumentTimes(NamedTuple):
    """Milliseconds of one document: extraction, and each agent the first time and from before."""

    extraction: float
    first: dict[str, float]
    known: dict[str, float]


class MemoryInsightStore:
    """An insight store in memory: what a hit costs without the disk."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, InsightKey], str] = {}

    async def get(self, tenant: str, key: InsightKey) -> str | None:
        return self._kept.get((tenant, key))

    async def put(self, tenant: str, key: InsightKey, body: str) -> None:
        self._kept[tenant, key] = body


def read_materials(folder: Path) -> list[tuple[Material, float]]:
    found = []
    for path in sorted(each for each in folder.rglob("*") if each.is_file() and each.stat().st_size < _LARGEST):
        started = time.perf_counter()
        material = material_of_file(path)
        if material is not None:
            found.append((material, (time.perf_counter() - started) * 1000))
    return found


def times_by_node(trace: Trace) -> dict[str, float]:
    return {node.node: node.duration_ms for node in trace.nodes if node.node in _NODES}


async def measure_document(material: Material, extraction: float) -> DocumentTimes:
    library = FakeLibrary([(material.document, material.content)])
    deps = make_dependencies(library, insights=MemoryInsightStore())
    runs, taken = Runs(Zeus(deps)), []
    for _ in range(2):
        run_id = await runs.start(SearchRequest(query="Summarise this", attached_documents=[material.document.id]))
        await runs.result("default", run_id)
        assert isinstance(deps.traces, MemoryTraces)
        taken.append(times_by_node(await deps.traces.get("default", run_id)))
    return DocumentTimes(extraction, taken[0], taken[1])


async def measure_in_parallel(materials: list[Material]) -> float:
    """Milliseconds for one question over all documents at once."""
    deps = make_dependencies(FakeLibrary([(each.document, each.content) for each in materials]))
    runs, started = Runs(Zeus(deps)), time.perf_counter()
    run_id = await runs.start(SearchRequest(query="Summarise these", attached_documents=[each.document.id for each in materials][:100]))
    await runs.result("default", run_id)
    return (time.perf_counter() - started) * 1000


async def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE
    found = read_materials(folder)
    taken = [await measure_document(material, extraction) for material, extraction in found]
    characters = sum(len(material.content.text) for material, _ in found)
    sys.stdout.write(f"{describe()}; {len(found)} readable documents of {folder.name}, {characters:,} characters; ms for each document, by rules\n\n")
    rows = [("extraction (when it is indexed)", *_format_shares([each.extraction for each in taken]), "")]
    for node, agent in zip(_NODES, ("Prometheus", "Hypatia", "Mnemosyne"), strict=True):
        first, known = [each.first[node] for each in taken if node in each.first], [each.known[node] for each in taken if node in each.known]
        rows.append((agent, *_format_shares(first), f"{percentile(known, 0.5):.2f}"))
    print_table(("agent", "p50", "p95", "slowest", "known from before, p50"), rows)
    counted = [mnemosyne.find_insights_by_rules(material, []) for material, _ in found]
    placed = sum(hypatia.analyze_by_rules(material, []).complexity_note.startswith(("Flesch", "LIX", "Fern")) for material, _ in found)
    lines = [(len(each.executive_summary), len(each.key_points), len(each.action_items), len(each.questions_raised)) for each in counted]
    totals = [sum(column) for column in zip(*lines, strict=True)]
    sys.stdout.write(
        f"\n{totals[0]} summary sentences, {totals[1]} key points, {totals[2]} tasks, {totals[3]} open questions; readability of {placed}\n"
    )
    sys.stdout.write(f"one question over {min(100, len(found))} of them at once: {await measure_in_parallel([each for each, _ in found]):.0f} ms\n")
    return 0


def _format_shares(values: list[float]) -> tuple[str, str, str]:
    return f"{percentile(values, 0.5):.2f}", f"{percentile(values, 0.95):.2f}", f"{max(values, default=0.0):.2f}"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
