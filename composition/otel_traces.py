"""Runs as OpenTelemetry traces: the run is a trace (its id is the run's), each node that it passed a span, all from the stored trace.

Spans have names, times, outcomes and the tenant; nothing of a question, a document or a person. Importing this raises ConfigurationError where the
extra `otel` is not installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from core.errors import ConfigurationError
from core.runs import Outcome, Trace, TraceNode
from core.version import VERSION
from settings_server import TelemetrySettings

try:
    from opentelemetry.context import Context
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
    from opentelemetry.trace import Span, Status, StatusCode, set_span_in_context
except ModuleNotFoundError as error:
    raise ConfigurationError("`telemetry.exporter` needs a package that is not installed: pip install 'vantage[otel]'.") from error

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

_EXPORT_SECONDS = 5  # for one try: a collector that is away keeps nobody waiting at the end
_WAIT_MS = 1000  # between two batches: what is lost where the process is killed
_FAILED = frozenset({"failed", Outcome.FAILED.value})


class _RunIds(RandomIdGenerator):
    """Gives the next trace the id of its run: both are 128 bits."""

    run_id = ""

    def generate_trace_id(self) -> int:
        return int(self.run_id, 16)


class RunSpans:
    """Turns runs into spans. `record` is an observer of `orchestration.run_registry.Runs`; `close` sends what waits, and blocks."""

    def __init__(self, processor: SpanProcessor) -> None:
        self._ids = _RunIds()
        resource = Resource.create({"service.name": "vantage", "service.version": VERSION})
        self._provider = TracerProvider(id_generator=self._ids, resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("vantage", VERSION)

    def record(self, trace: Trace, passed: Sequence[TraceNode]) -> None:
        """Record a run that ended. One that asked back and went on has a second root span, in the same trace, of what came then."""
        self._ids.run_id = trace.id
        goes_on = len(passed) < len(trace.nodes)
        began = passed[0].started_at if goes_on and passed else trace.started_at
        about = {"vantage.tenant": trace.tenant, "vantage.status": trace.status, "vantage.generated_by": trace.generated_by}
        root = self._tracer.start_span("run", Context(), start_time=_nanoseconds(began), attributes=about)
        inside = set_span_in_context(root, Context())
        for node in passed:
            about = {"vantage.agent": node.agent, "vantage.outcome": node.outcome.value}
            span = self._tracer.start_span(node.node, inside, start_time=_nanoseconds(node.started_at), attributes=about)
            _end(span, node.outcome.value, node.started_at, node.duration_ms)
        _end(root, trace.status, trace.started_at, trace.duration_ms)

    def close(self) -> None:
        self._provider.shutdown()


def open_spans(telemetry: TelemetrySettings) -> RunSpans:
    """Return what sends spans to the exporter of the settings, a batch at a time, in a thread."""
    return RunSpans(BatchSpanProcessor(_make_exporter(telemetry), schedule_delay_millis=_WAIT_MS))


def _make_exporter(telemetry: TelemetrySettings) -> SpanExporter:
    if telemetry.exporter == "console":
        return ConsoleSpanExporter()
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter(endpoint=telemetry.endpoint, timeout=_EXPORT_SECONDS)


def _end(span: Span, outcome: str, began: datetime, duration_ms: float) -> None:
    if outcome in _FAILED:
        span.set_status(Status(StatusCode.ERROR))
    span.end(_nanoseconds(began + timedelta(milliseconds=duration_ms)))


def _nanoseconds(time: datetime) -> int:
    return round(time.timestamp() * 1_000_000) * 1000
