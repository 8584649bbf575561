"""A run that asks back and goes on: it is told twice, and no node twice."""

from __future__ import annotations

from collections.abc import Sequence

from core.runs import Trace, TraceNode
from core.search_schemas import RunAnswer, SearchRequest
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus
from tests.support.ports import make_dependencies


async def test_observers_are_told_of_a_run_when_it_asks_back_and_when_it_ends() -> None:
    told: list[tuple[Trace, Sequence[TraceNode]]] = []
    runs = Runs(Zeus(make_dependencies()), [lambda trace, passed: told.append((trace, passed))])
    run_id = await runs.start(SearchRequest(query="it?"))
    assert (await runs.result("default", run_id)).status == "clarification_needed"
    assert runs.running == 0
    await runs.answer("default", run_id, RunAnswer(skip=True))
    assert runs.running == 1
    await runs.result("default", run_id)
    (asked, first), (ended, then) = told
    assert (asked.id, ended.id) == (run_id, run_id)
    assert [*first, *then] == ended.nodes
    assert first == asked.nodes
    assert then
