"""Why a file that was ranked is not shown, and by which names a file is known."""

from __future__ import annotations

import pytest

from core.search_schemas import SearchRequest
from orchestration.run_registry import Runs
from orchestration.trace_inspector import TraceInspector
from orchestration.zeus import Options, Zeus
from tests.support.ports import make_dependencies

ROOF = "What does the lease of the Halden building say of the roof?"


class Bench:
    def __init__(self, options: Options) -> None:
        zeus = Zeus(make_dependencies(options=options))
        self.runs = Runs(zeus)
        self.inspector = TraceInspector(zeus, self.runs)

    async def ask(self, top_k: int) -> tuple[str, list[str]]:
        run = await self.runs.start(SearchRequest(query=ROOF, top_k=top_k), "default", "ann")
        return run, [each.id for each in (await self.runs.result("default", run)).results]


async def test_one_that_was_not_read_is_told_so_with_both_scores() -> None:
    bench = Bench(Options(answer_passages=1))
    run, shown = await bench.ask(1)
    behind = next(each for each in ("lease", "notes") if each not in shown)
    found = await bench.inspector.explain("default", run, behind)
    last = found.stages[-1]
    assert (found.fell_at, last.stage, last.passed) == ("passages", "passages", False)
    assert last.score is not None
    assert last.needed is not None
    assert last.score <= last.needed
    assert "more than 1 result" in found.help


async def test_one_that_was_read_is_told_what_stands_before_it() -> None:
    bench = Bench(Options())
    run, shown = await bench.ask(1)
    behind = next(each for each in ("lease", "notes") if each not in shown)
    found = await bench.inspector.explain("default", run, behind)
    assert (found.fell_at, found.stages[-1].stage) == ("results", "results")


@pytest.mark.parametrize("named", ["halden-lease.pdf", "Halden-Lease", "HALDEN LEASE", "/library/legal/halden-lease.pdf", "lease"])
async def test_a_file_is_known_by_path_name_title_and_id(named: str) -> None:
    bench = Bench(Options())
    run, _ = await bench.ask(5)
    assert (await bench.inspector.explain("default", run, named)).document_id == "lease"


async def test_half_a_character_is_no_file() -> None:
    bench = Bench(Options())
    run, _ = await bench.ask(5)
    assert (await bench.inspector.explain("default", run, "\ud800")).fell_at == "not_indexed"
