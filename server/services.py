"""The services that the routers use: one typed object, built by bootstrap and yielded by the lifespan."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypedDict

from core.ports import (
    DEFAULT_INDEXING,
    Communities,
    ConversationStore,
    DocumentLists,
    FeedbackStore,
    HistoryStore,
    IndexJobOptions,
    JobRecord,
    KnowledgeGraph,
    LedgerReports,
    Library,
    MemoryManager,
    Ontologies,
    PlaceStore,
    ReferenceStore,
    RemovalResult,
    TableStore,
    TraceStore,
    TreeBuilds,
    Watcher,
)
from core.run_inspection import EventList, FileExplanation, TraceComparison, ZeusGraphOut
from core.search_schemas import SearchResponse, StageName
from core.version import VERSION
from orchestration.run_registry import Runs
from server.evaluation_schemas import (
    EvaluationComparison,
    EvaluationRequest,
    EvaluationRunDetail,
    EvaluationRunList,
    EvaluationSetList,
    RetrievalTest,
    RetrievalTestExplainRequest,
    RetrievalTestRequest,
)
from server.failed_tries import FailedTries
from server.file_responses import MemberFiles
from server.health_cache import HealthReports
from server.open_streams import OpenStreams
from server.request_identity import Identity
from server.schemas import EmbedderOut, Part
from server.session_cookies import BrowserSessions
from server.settings_schemas import FeatureOut, LanguageModelsOut, ModelTestOut, SettingsOut
from settings import Settings

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "library"


class IndexingActivity(Protocol):
    """The reading in progress, and the ids of the jobs that run or wait."""

    @property
    def progress(self) -> ReadingProgress: ...
    @property
    def jobs(self) -> tuple[str, ...]: ...


class ReadingProgress(Protocol):
    """The progress of a run."""

    @property
    def files_total(self) -> int: ...
    @property
    def files_done(self) -> int: ...
    @property
    def rate(self) -> float: ...
    @property
    def files_rate(self) -> float: ...
    @property
    def seconds_left(self) -> float | None: ...
    @property
    def current(self) -> str: ...


class IndexingJobs(Protocol):
    """The indexing jobs as HTTP needs them; every id of another tenant raises NotFound."""

    async def queue_run(self, tenant: str, path: str, collection: str, *, how: IndexJobOptions = DEFAULT_INDEXING) -> JobRecord: ...
    async def get(self, tenant: str, job_id: str) -> JobRecord: ...
    async def list_recent(self, tenant: str, limit: int) -> list[JobRecord]: ...
    def events(self, tenant: str, job_id: str) -> AsyncIterator[JobRecord]: ...
    async def cancel(self, tenant: str, job_id: str) -> bool: ...
    async def retry(self, tenant: str, path: str, *, how: IndexJobOptions = DEFAULT_INDEXING) -> JobRecord: ...
    async def reread(self, tenant: str, path: str, *, how: IndexJobOptions = DEFAULT_INDEXING) -> JobRecord: ...
    def activity(self, tenant: str) -> IndexingActivity: ...
    async def tenants_at(self, path: str) -> frozenset[str]: ...
    @property
    def version(self) -> str: ...
    async def delete_document(self, tenant: str, document_id: str) -> RemovalResult: ...
    async def remove_root(self, tenant: str, path: str) -> RemovalResult: ...


class Inspector(Protocol):
    """Questions about stored runs; every id of another tenant raises NotFound, and with a `user_id` of another person."""

    def graph(self) -> ZeusGraphOut: ...
    async def compare(self, tenant: str, left: str, right: str, user_id: str | None = None) -> TraceComparison: ...
    async def events(self, tenant: str, trace_id: str, user_id: str | None = None) -> EventList: ...
    async def replay(self, tenant: str, trace_id: str, without: list[StageName], user_id: str | None = None) -> SearchResponse: ...
    async def explain(self, tenant: str, trace_id: str, document: str, user_id: str | None = None) -> FileExplanation: ...


class EvaluationSearch(Protocol):
    """Questions that are asked to measure the search. Nothing of them is stored. All raise InvalidInput for a setting that cannot be."""

    async def ask(self, tenant: str, request: EvaluationRequest, owner: str | None) -> SearchResponse:
        """Search as POST /search does, with some settings of its own."""
        ...

    async def test(self, tenant: str, request: RetrievalTestRequest, owner: str | None) -> RetrievalTest:
        """Search in one way or in two, and tell how each passage moved."""
        ...

    async def explain(self, tenant: str, request: RetrievalTestExplainRequest, owner: str | None) -> FileExplanation:
        """Search, and tell where a file stands in that, or at which stage it fell. Raises Conflict where several files have the name."""
        ...


class EvaluationRecords(Protocol):
    """The kept runs over sets of questions, and the sets. A run is the person's whose account made it (`owner` None: the only person); to others it
    is as what never was."""

    async def list_runs(self, tenant: str, owner: str | None, limit: int) -> EvaluationRunList: ...
    async def read_run(self, tenant: str, owner: str | None, run_id: str) -> EvaluationRunDetail:
        """Raises NotFound, Conflict for a file that is no run of this version."""
        ...

    async def compare(self, tenant: str, owner: str | None, before: str, after: str) -> EvaluationComparison:
        """Raises NotFound, InvalidInput for runs that have no question in common."""
        ...

    async def list_sets(self, tenant: str, owner: str | None) -> EvaluationSetList: ...


class Evaluation(NamedTuple):
    """What measures the search, and what was measured."""

    search: EvaluationSearch
    records: EvaluationRecords


class Metrics(Protocol):
    """What the server counts, for Prometheus."""

    @property
    def content_type(self) -> str: ...
    def count_request(self, method: str, route: str, status: int, seconds: float) -> None: ...
    async def render(self) -> bytes: ...


class PartsReport(Protocol):
    """The state of every part; `thorough` has the store check the whole of itself."""

    async def __call__(self, *, thorough: bool = False) -> list[Part]: ...


class EmbedderChoice(Protocol):
    """The embedding model that the library is searched by, and the switch to another while questions are asked."""

    async def state(self) -> EmbedderOut: ...
    async def switch(self, model: str) -> EmbedderOut:
        """Begin it; nothing where the model is in use or coming already. Raises InvalidInput for a model that cannot be chosen here, Conflict where
        the settings name another one, where another switch is at work, and where the model's package is missing."""
        ...


class SettingsChoice(Protocol):
    """The settings while the server runs. Who may not change them gets Forbidden."""

    def read(self, caller: Identity) -> SettingsOut: ...
    async def change(self, caller: Identity, values: Mapping[str, Any]) -> SettingsOut:
        """Keep new values, None to take one back. Raises InvalidInput for a value or key that cannot be, Conflict where the environment sets it."""
        ...

    def features(self, tenant: str, parts: Sequence[Part], passages: int) -> list[FeatureOut]:
        """Return the features as a tenant has them, by the parts of /health and the number of passages in its library."""
        ...

    async def switch(self, caller: Identity, values: Mapping[str, bool | None]) -> None:
        """Switch features for the caller's tenant from now on; None takes a switch back. Raises InvalidInput for one that is unknown, Conflict for
        one that is switched at a start, by the environment, or needs what was not opened at the start."""
        ...

    async def language_models(self) -> LanguageModelsOut: ...
    async def test_model(self, caller: Identity, name: str) -> ModelTestOut:
        """Ask it one short thing. Raises Conflict where there is no language model."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """`parts` reports the state of every part for /health; `metrics` are kept by a server alone; `sample` is the folder that the word "sample" stands
    for; `token` is the secret of this start, for the commands."""

    settings: Settings
    library: Library
    document_lists: DocumentLists
    runs: Runs
    jobs: IndexingJobs
    conversations: ConversationStore
    traces: TraceStore
    history: HistoryStore
    feedback: FeedbackStore
    memory: MemoryManager
    graph: KnowledgeGraph
    communities: Communities
    ontologies: Ontologies
    trees: TreeBuilds
    watcher: Watcher
    ledger: LedgerReports
    tables: TableStore
    references: ReferenceStore
    places: PlaceStore
    inspector: Inspector
    evaluation: Evaluation
    embedder: EmbedderChoice
    preferences: SettingsChoice
    parts: PartsReport
    streams: OpenStreams
    sessions: BrowserSessions
    tries: FailedTries
    members: MemberFiles
    uploads: Path
    version: str = VERSION
    sample: Path = SAMPLE
    metrics: Metrics | None = None
    ready: Callable[[], bool] = lambda: True
    started_at: float = field(default_factory=time.time)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    health: HealthReports = field(default_factory=HealthReports)


class LifespanState(TypedDict):
    services: Services
