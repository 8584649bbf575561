"""The metrics of a server for Prometheus: what happened is counted as it happens, what is the case is looked up when somebody asks.

No label tells whose something is or what it is about: their values are names from this code, states, and status codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from composition.active_search import ActiveSearch
from core.documents import DocumentState
from core.runs import Trace, TraceNode
from ingestion.workers.pool import ExtractionPool
from llm.model_middleware import TokenCounts
from orchestration.run_registry import Runs
from retrieval.graph_reranking import STAGE as GRAPH_RERANK
from server.open_streams import OpenStreams
from storage.database import Database
from storage.row_mapping import CacheCounts
from storage.stored_counts import StoredCounts, count_stored

CONTENT_TYPE = CONTENT_TYPE_LATEST
STAGE_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
_QUEUE = {("index", "queued"): 0, ("index", "running"): 0}  # told also where there is none: an empty queue is a figure
RUN_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)


@dataclass(frozen=True, slots=True)
class MetricSources:
    """What is looked up at each scrape."""

    database: Database
    runs: Runs
    streams: OpenStreams
    readers: ExtractionPool
    serving: ActiveSearch

    @property
    def text_cache(self) -> CacheCounts:
        found: CacheCounts = getattr(self.serving.engine.stores.library, "cache_counts", CacheCounts())
        return found

    @property
    def model_counts(self) -> TokenCounts:
        """Those of the language model in use; zeros without one."""
        found: TokenCounts = getattr(self.serving.engine.model, "counts", TokenCounts())
        return found


class ServerMetrics:
    """Everything that `/metrics` tells, in a registry of its own."""

    content_type = CONTENT_TYPE

    def __init__(self, sources: MetricSources) -> None:
        self._sources = sources
        self._registry = registry = CollectorRegistry()
        self._requests = Counter("vantage_requests", "Requests that were answered", ("method", "route", "status"), registry=registry)
        self._request_seconds = Histogram(
            "vantage_request_seconds", "From a request to the end of its answer", ("route",), buckets=RUN_BUCKETS, registry=registry
        )
        self._runs = Counter("vantage_runs", "Questions that came to an end, or asked back", ("status", "degraded"), registry=registry)
        self._run_seconds = Histogram("vantage_run_seconds", "From a question to its end", ("status",), buckets=RUN_BUCKETS, registry=registry)
        self._stage_seconds = Histogram("vantage_stage_seconds", "Each passing of a node", ("stage",), buckets=STAGE_BUCKETS, registry=registry)
        self._stages = Counter("vantage_stages", "Passings of a node by how they ended", ("stage", "outcome"), registry=registry)
        self._graph_rerank_seconds = Histogram(
            "vantage_graph_rerank_seconds", "Each reranking of a search by the knowledge graph", buckets=STAGE_BUCKETS, registry=registry
        )
        self._looked_up = _LookedUp()
        sources.runs.observers.append(self.count_run)
        registry.register(self._looked_up)
        ProcessCollector(registry=registry)

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def count_run(self, trace: Trace, passed: Sequence[TraceNode]) -> None:
        """Count a run by its trace, and the nodes that it has passed since it was counted last: one that asked back comes again when it has ended."""
        self._runs.labels(trace.status, "yes" if trace.degraded else "no").inc()
        self._run_seconds.labels(trace.status).observe(trace.duration_ms / 1000)
        for node in passed:
            self._stage_seconds.labels(node.node).observe(node.duration_ms / 1000)
            self._stages.labels(node.node, node.outcome).inc()
        for report in trace.reports:
            if report["stage"] == GRAPH_RERANK:
                self._graph_rerank_seconds.observe(report["duration_ms"] / 1000)

    async def render(self) -> bytes:
        """Return all of it in Prometheus' text format. Raises what the database raises."""
        stored = await self._sources.database.read(count_stored)
        self._looked_up.metrics = [*_stored_metrics(stored), *_live_metrics(self._sources)]
        return generate_latest(self._registry)


class _LookedUp(Collector):
    """Passes on what was looked up last."""

    def __init__(self) -> None:
        self.metrics: list[Metric] = []

    def collect(self) -> Iterable[Metric]:
        return self.metrics


def _stored_metrics(stored: StoredCounts) -> Iterator[Metric]:
    yield GaugeMetricFamily("vantage_documents", "Documents in the library", value=stored.documents)
    yield GaugeMetricFamily("vantage_chunks", "Passages in the library", value=stored.chunks)
    ledger = GaugeMetricFamily("vantage_ledger_files", "Files in the ledger by state", labels=("state",))
    for state in DocumentState:
        ledger.add_metric([state.value], stored.files.get(state.value, 0))
    yield ledger
    jobs = GaugeMetricFamily("vantage_jobs", "Stored jobs by kind and state; queued and running ones are the queue", labels=("kind", "state"))
    for labels, number in sorted({**_QUEUE, **stored.jobs}.items()):
        jobs.add_metric(labels, number)
    yield jobs


def _live_metrics(sources: MetricSources) -> Iterator[Metric]:
    yield GaugeMetricFamily("vantage_runs_running", "Questions that are being answered", value=sources.runs.running)
    yield GaugeMetricFamily("vantage_streams_open", "Open event streams", value=len(sources.streams))
    workers = GaugeMetricFamily("vantage_workers", "Processes that read files, of as many as there may be", labels=("state",))
    for activity, number in (("busy", sources.readers.busy), ("limit", sources.readers.size)):
        workers.add_metric([activity], number)
    yield workers
    lookups = CounterMetricFamily("vantage_cache_lookups", "Lookups in a cache", labels=("cache", "result"))
    for result, number in (("hit", sources.text_cache.hits), ("miss", sources.text_cache.misses)):
        lookups.add_metric(["document_texts", result], number)
    counts = sources.model_counts
    lookups.add_metric(["model_replies", "hit"], counts.cached)
    yield lookups
    calls = CounterMetricFamily("vantage_model_calls", "Calls of the language model by how they ended", labels=("outcome",))
    for outcome, number in (("ok", counts.calls - counts.failures), ("failed", counts.failures)):
        calls.add_metric([outcome], number)
    yield calls
    tokens = CounterMetricFamily("vantage_model_tokens", "Tokens of the language model", labels=("direction",))
    for direction, number in (("input", counts.input_tokens), ("output", counts.output_tokens)):
        tokens.add_metric([direction], number)
    yield tokens
