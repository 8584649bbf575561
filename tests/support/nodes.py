"""Nodes by their names, bound to fake ports as their rows bind them."""

from __future__ import annotations

from core.search_schemas import SearchRequest
from orchestration.dependencies import Dependencies
from orchestration.events import RunRecord
from orchestration.node_adapter import NodeResult
from orchestration.nodes import ROWS
from orchestration.state import State
from tests.support.ports import NOW

_BY_NAME = {row.name: row for row in ROWS}


def make_run(tenant: str = "default") -> RunRecord:
    return RunRecord(id="r", tenant=tenant, user_id="ann", request=SearchRequest(query="x"), started_at=NOW)


async def run_node(name: str, state: State, deps: Dependencies, run: RunRecord | None = None) -> NodeResult:
    return await _BY_NAME[name].bind(deps, run or make_run(), _tell_nobody)(state)


def _tell_nobody(progress: str) -> None:
    """Outside of a graph nobody hears of progress."""
