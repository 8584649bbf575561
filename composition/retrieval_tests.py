"""What the retrieval test shows of searches: their results, each leg's share, and how the two differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.runs import Trace
from core.search import Strategy
from core.search_schemas import SearchResponse
from orchestration.trace_inspector import differences, result_shifts
from server.evaluation_schemas import LegShare, RetrievalTest, SearchOutcome


def describe_test(traces: Sequence[Trace]) -> RetrievalTest:
    """Return one search, or two side by side, from their traces."""
    left, right = traces[0], traces[1] if len(traces) > 1 else None
    return RetrievalTest(
        left=_describe_search(left),
        right=_describe_search(right) if right is not None else None,
        differences=differences(left, right) if right is not None else [],
        results=result_shifts(left, right) if right is not None else [],
    )


def _describe_search(trace: Trace) -> SearchOutcome:
    response = SearchResponse.model_validate(trace.response)
    asked = trace.retrieval_request
    steps: dict[str, float] = {}
    for node in trace.nodes:
        steps[node.node] = round(steps.get(node.node, 0.0) + node.duration_ms, 3)
    return SearchOutcome.model_validate(
        {
            "strategy": Strategy.model_validate(asked["strategy"]) if asked else None,
            "text": asked.get("text", ""),
            "shares": share_legs(trace.reports, response),
            "results": response.results,
            "moves": trace.moves,
            "reports": trace.reports,
            "steps_ms": steps,
            "duration_ms": trace.duration_ms,
            "routing_path": trace.routing_path,
            "degraded": response.degraded,
        }
    )


def share_legs(reports: Sequence[dict[str, Any]], response: SearchResponse) -> list[LegShare]:
    """Return the legs that were fused last, in the order of the fusion; [] where nothing was fused."""
    found = {report["stage"]: report["left"] for report in reports}
    fused: dict[str, Any] = next((report["parameters"] for report in reversed(reports) if report["stage"] == "fusion"), {})
    return [
        LegShare(
            leg=leg,
            weight=weight,
            share=fused["shares"].get(leg, 0.0),
            found=found.get(leg) if leg != "time" else None,
            results=sum(leg in result.stages for result in response.results) if leg != "time" else None,
        )
        for leg, weight in fused.get("weights", {}).items()
    ]
