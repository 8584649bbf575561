"""Runs as OpenTelemetry traces: one trace of a run, a span of each node, with the times and outcomes of the stored trace."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from composition.otel_traces import RunSpans, open_spans
from core.errors import ConfigurationError
from core.runs import Trace, TraceNode
from core.search_schemas import RunAnswer, SearchRequest
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus
from settings_server import TelemetrySettings
from tests.support.ports import FakeRetriever, make_dependencies

QUESTION = "How much notice must the tenant give?"


class Exported:
    """Runs whose spans are kept in memory."""

    def __init__(self) -> None:
        self._exporter, self.traces = InMemorySpanExporter(), dict[str, Trace]()
        spans = RunSpans(SimpleSpanProcessor(self._exporter))

        def keep(trace: Trace, _: Sequence[TraceNode]) -> None:
            self.traces[trace.id] = trace

        deps = make_dependencies()
        assert isinstance(deps.retriever, FakeRetriever)
        self.retriever = deps.retriever
        self.runs = Runs(Zeus(deps), [spans.record, keep])

    @property
    def spans(self) -> Sequence[ReadableSpan]:
        return self._exporter.get_finished_spans()

    @property
    def roots(self) -> list[ReadableSpan]:
        return [span for span in self.spans if span.parent is None]


def ended_at(span: ReadableSpan) -> datetime:
    return datetime.fromtimestamp((span.end_time or 0) / 1e9, UTC)


async def test_a_run_is_a_trace_and_each_node_a_span_of_it() -> None:
    exported = Exported()
    run_id = await exported.runs.start(SearchRequest(query=QUESTION), "default", "ann")
    await exported.runs.result("default", run_id)
    trace, [root] = exported.traces[run_id], exported.roots
    nodes = [span for span in exported.spans if span.parent is not None]
    assert {f"{span.context.trace_id:032x}" for span in exported.spans if span.context} == {run_id}
    assert [span.name for span in nodes] == [node.node for node in trace.nodes]
    assert {span.parent.span_id for span in nodes if span.parent} == {root.context.span_id if root.context else 0}
    for span, node in zip(nodes, trace.nodes, strict=True):
        assert (span.attributes or {})["vantage.outcome"] == node.outcome
        assert abs(ended_at(span) - node.started_at - timedelta(milliseconds=node.duration_ms)) < timedelta(milliseconds=1)
    assert dict(root.attributes or {}) == {"vantage.tenant": "default", "vantage.status": "success", "vantage.generated_by": trace.generated_by}
    told = " ".join(span.to_json() for span in exported.spans)
    assert "notice" not in told.lower()
    assert "ann" not in told.replace("channel", "").split('"')


async def test_a_run_that_goes_on_after_it_asked_back_is_one_trace_with_no_node_twice() -> None:
    exported = Exported()
    run_id = await exported.runs.start(SearchRequest(query="it?"))
    await exported.runs.result("default", run_id)
    await exported.runs.answer("default", run_id, RunAnswer(skip=True))
    await exported.runs.result("default", run_id)
    assert (exported.roots[0].attributes or {})["vantage.status"] == "clarification_needed"
    assert len(exported.roots) == 2
    assert {f"{span.context.trace_id:032x}" for span in exported.spans if span.context} == {run_id}
    assert len(exported.spans) - 2 == len(exported.traces[run_id].nodes)


async def test_what_failed_is_an_error_without_its_words() -> None:
    exported = Exported()
    exported.retriever.fail["retrieve"] = RuntimeError("the quincunx is broken")
    run_id = await exported.runs.start(SearchRequest(query=QUESTION))
    with pytest.raises(RuntimeError, match="quincunx"):
        await exported.runs.result("default", run_id)
    failed = {span.name for span in exported.spans if span.status.status_code.name == "ERROR"}
    assert failed == {"run", "retrieve"}
    assert "quincunx" not in "".join(span.to_json() for span in exported.spans)


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "composition.otel_traces")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'vantage\[otel\]'"):
        import composition.otel_traces  # noqa: F401


def test_a_collector_that_is_away_fails_nothing() -> None:
    spans = open_spans(TelemetrySettings(exporter="otlp", endpoint="http://127.0.0.1:9/v1/traces"))
    spans.close()
