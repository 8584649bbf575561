"""Metrics over a library of which nothing is real but the numbers."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

from composition.metrics import MetricSources, ServerMetrics
from core.runs import Outcome, Trace, TraceNode
from llm.model_middleware import TokenCounts
from storage.row_mapping import CacheCounts
from storage.stored_counts import StoredCounts

THEN = datetime(2026, 5, 4, tzinfo=UTC)


def make_metrics() -> ServerMetrics:
    """Of a library with a model, of which nothing else is real."""

    async def read(_: object) -> StoredCounts:
        return StoredCounts(3, 40, {"indexed": 2, "failed": 1}, {("index", "running"): 1})

    engine = SimpleNamespace(
        stores=SimpleNamespace(library=SimpleNamespace(cache_counts=CacheCounts(5, 2))),
        model=SimpleNamespace(counts=TokenCounts(calls=4, failures=1, cached=6, input_tokens=700, output_tokens=80)),
    )
    readers = SimpleNamespace(busy=2, size=3)
    sources = (SimpleNamespace(read=read), SimpleNamespace(observers=[], running=1), [None], readers, SimpleNamespace(engine=engine))
    return ServerMetrics(MetricSources(*cast("tuple[Any, Any, Any, Any, Any]", sources)))


def make_trace(status: str, *nodes: str) -> Trace:
    steps = [
        TraceNode(id=f"s{place}", node=node, agent="", action="", details="", started_at=THEN, duration_ms=500.0, outcome=Outcome.OK)
        for place, node in enumerate(nodes)
    ]
    about: dict[str, Any] = {"generated_by": "extractive", "routing_path": "", "request": {}, "response": {}, "moves": []}
    return Trace(
        id="r1",
        tenant="t",
        user_id="u",
        conversation_id=None,
        query="q",
        status=status,
        started_at=THEN,
        duration_ms=2000.0,
        nodes=steps,
        **about,
    )
