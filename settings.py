"""config.yaml and the environment become one frozen Settings; the defaults live here and nowhere else.

A value is taken from, in this order: a command-line flag, the environment (`VANTAGE_SEARCH__MIN_SCORE=.4`: section and key joined by two
underscores), what was set on the page (`settings_page`), the file, the default. The file is found in this order: --config, VANTAGE_CONFIG,
./config.yaml, VANTAGE_HOME/config.yaml.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import platformdirs
from pydantic import Field, ValidationError, field_validator, model_validator

from core.errors import ConfigurationError
from retrieval.search_engines import EngineName
from settings_graph import (
    CommunitySettings,
    DualLevelSettings,
    GraphRerankerSettings,
    GraphSettings,
    LazyRagSettings,
    OntologySettings,
    QueryRoutingSettings,
    RaptorSettings,
)
from settings_ingestion import IngestionSettings
from settings_page import Source, dotted_names, read_page_values
from settings_search import HybridSettings, LegWeightSettings, StructureSettings
from settings_server import (
    Count,
    Fraction,
    OpenSearchSettings,
    ServerSettings,
    SettingsSection,
    StorageSettings,
    TelemetrySettings,
    WorkersSettings,
)
from settings_sources import SettingsLayers, explain_error, find_config_file, read_config_file, read_environment

AUTO_MODEL = "auto"


class EmbeddingSettings(SettingsSection):
    """`model`: granite-embedding-30m-english or all-MiniLM-L6-v2 (OpenVINO, carried by packages), or a sentence-transformers name or path (extra
    `models`). auto leaves a library with the model that it has until another one is asked for (`vantage embedder`); a new one gets the first of
    the two that is installed.

    `precision` auto takes bfloat16 where the processor has it. `threads` 0 takes one per physical core that the process may use. `keep_compiled`
    keeps the compiled networks of the shipped models in VANTAGE_HOME/compiled, about 100 MB, so that the next start reads them instead.
    """

    model: str = AUTO_MODEL
    precision: Literal["auto", "bf16", "f32"] = "auto"
    threads: Annotated[int, Field(ge=0, le=256)] = 0
    keep_compiled: bool = True
    query_prefix: str = ""
    passage_prefix: str = ""


class RerankSettings(SettingsSection):
    """Late interaction with the embedding model's token vectors over the first candidates; `cross_encoder` names a model to use instead."""

    enabled: bool = True
    candidates: Annotated[int, Field(ge=1, le=50)] = 20
    weight: Annotated[float, Field(ge=0.0, le=5.0)] = 0.2
    budget_ms: Annotated[int, Field(ge=0)] = 400
    store_token_vectors: bool = True
    cross_encoder: str = ""


class FeedbackSettings(SettingsSection):
    """A question that names nothing is moved by `weight` (0 leaves it as it is) towards the first `passages` that it finds, and its words by `words`
    towards the likeliest `terms` of theirs. `enabled` false does neither."""

    enabled: bool = True
    weight: Fraction = 0.4
    passages: Annotated[int, Field(ge=2, le=50)] = 8
    words: Fraction = 0.5
    terms: Annotated[int, Field(ge=1, le=200)] = 20


class RoutingSettings(SettingsSection):
    """A question that speaks of a kind of document ("clause": contracts) moves such documents, and what stands under the headings that answer it, up
    by `weight` each (0 leaves the order as it is), and the one of these documents that it names ("the Pallas offer") by `named_weight`: 1 doubles the
    score. `vocabulary_file` names a TOML file of words of one's own beside those that are shipped."""

    weight: Fraction = 0.0
    named_weight: Fraction = 1.0
    vocabulary_file: str = ""


class SearchSettings(SettingsSection):
    """`engine` is a row of `retrieval.search_engines`. `cross_language`: a multilingual encoder compares questions and passages in different
    languages. auto makes its vectors once the library holds, or is asked in, another language than English; always, from the start; never leaves
    it out. `spelling`: words of a question that the library does not have are read as the nearest one that it has, and this is said. `recounted`: the
    first candidates, whose words are counted again with their titles. `negation_weight`: by how much passages that say "not" as the question does
    move up, and those that say the opposite down; 0 leaves them."""

    engine: EngineName = "embedded"
    hybrid: HybridSettings = HybridSettings()
    semantic: LegWeightSettings = LegWeightSettings()
    fusion: Literal["rrf", "weighted", "min_max", "z_score"] = "weighted"
    rrf_k: Count = 60
    recall_top_k: Annotated[int, Field(ge=1, le=1000)] = 50
    rerank_top_k: Annotated[int, Field(ge=1, le=50)] = 5
    min_score: Fraction = 0.3
    document_weight: Annotated[float, Field(ge=0.0, le=5.0)] = 0.1
    recounted: Annotated[int, Field(ge=0, le=50)] = 20
    recounted_enabled: bool = True
    passage_tokens: Annotated[int, Field(ge=64, le=4096)] = 1024
    cross_language: Literal["auto", "always", "never"] = "auto"
    spelling: bool = True
    negation_weight: Fraction = 0.1
    faiss_above: Count = 20_000
    feedback: FeedbackSettings = FeedbackSettings()
    rerank: RerankSettings = RerankSettings()
    routing: RoutingSettings = RoutingSettings()
    structure: StructureSettings = StructureSettings()


class AnswerSettings(SettingsSection):
    """The extractive composer's bounds, whether passages are read for the answer itself and tables are asked for figures, and when it says "not
    found". `reader_activations` auto rounds what goes into the reader's products to 8 bits where the processor has no bfloat16."""

    max_words: Annotated[int, Field(ge=20, le=1000)] = 120
    max_sentences: Annotated[int, Field(ge=1, le=30)] = 6
    not_found_below: Fraction = 0.16
    reader_enabled: bool = True
    tables_enabled: bool = True
    reader_activations: Literal["auto", "int8", "float"] = "auto"


class UnifiedModelSettings(SettingsSection):
    name: str = "qwen3-vl:8b"
    temperature: Annotated[float, Field(ge=0.0, le=2.0)] = 0.3
    max_tokens: Count = 15_000


class OllamaSettings(SettingsSection):
    """`enabled` auto uses the model when the server answers and has it, and is extractive otherwise. `vision_model` describes pictures where
    `ingestion.ocr.describe_images` is on; empty: the unified model, which has to be one that sees."""

    enabled: Literal["auto", "on", "off"] = "auto"
    base_url: str = "http://localhost:11434"
    timeout: Annotated[float, Field(gt=0)] = 500.0
    first_token_seconds: Annotated[float, Field(gt=0)] = 60.0
    unified_model: UnifiedModelSettings = UnifiedModelSettings()
    vision_model: str = ""

    @field_validator("enabled", mode="before")
    @classmethod
    def _read_yaml_switch(cls, value: object) -> object:
        """Return the word that was written: YAML reads on and off as truth values."""
        return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


class LlmSettings(SettingsSection):
    """`model` "provider:name" takes any other LangChain chat model (extra `langchain` and the provider's package); empty means Ollama. All calls of a
    model for one question take `seconds_per_question` together; then the answer is quoted. `enabled` false answers without any model."""

    enabled: bool = True
    model: str = ""
    seconds_per_question: Annotated[float, Field(gt=0)] = 120.0


class ClassifierSettings(SettingsSection):
    enabled: bool = True
    use_llm_fallback: bool = True
    confidence_threshold: Fraction = 0.8


class PlannerSettings(SettingsSection):
    """`enabled` false searches once for every question."""

    enabled: bool = True


class CorrectionSettings(SettingsSection):
    """A retrieval that is too weak is tried again, at most `max_tries` times and, without a model, for `budget_ms`; the best try wins."""

    enabled: bool = True
    max_tries: Annotated[int, Field(ge=1, le=10)] = 3
    budget_ms: Annotated[int, Field(ge=0, le=60_000)] = 400


class AttachedFileSettings(SettingsSection):
    """`wait_seconds`: how long a question waits for an attached file that is still being indexed."""

    wait_seconds: Annotated[float, Field(ge=0, le=3600)] = 60.0


class AgentSettings(SettingsSection):
    classifier: ClassifierSettings = ClassifierSettings()
    planner: PlannerSettings = PlannerSettings()
    correction: CorrectionSettings = CorrectionSettings()
    attached: AttachedFileSettings = AttachedFileSettings()


class SessionSettings(SettingsSection):
    """The turns of a session. `backend` auto keeps them in Redis where `redis_url` names one, and in this process otherwise."""

    backend: Literal["auto", "process", "redis"] = "auto"
    redis_url: str = ""
    window_size: Count = 10
    ttl_seconds: Count = 3600


class NoteGenerationSettings(SettingsSection):
    max_keywords: Annotated[int, Field(ge=1, le=20)] = 5


class NoteEvolutionSettings(SettingsSection):
    """Notes of at least this cosine are linked, and may change one another."""

    similarity_threshold: Fraction = 0.7
    max_links_per_note: Annotated[int, Field(ge=0, le=100)] = 10


class AgenticMemorySettings(SettingsSection):
    """Notes made from what was learned. `notes_max` for each person; answers that nobody confirmed are pruned first."""

    enabled: bool = True
    notes_max: Count = 2000
    from_answers: bool = False
    generation: NoteGenerationSettings = NoteGenerationSettings()
    evolution: NoteEvolutionSettings = NoteEvolutionSettings()


class MemorySettings(SettingsSection):
    """`enabled` false keeps the session's window and nothing else of a person."""

    enabled: bool = True
    episodes_max: Count = 10_000
    consolidation_seconds: Annotated[float, Field(gt=0)] = 3600.0
    session: SessionSettings = SessionSettings()
    agentic_memory: AgenticMemorySettings = AgenticMemorySettings()


class Settings(SettingsSection):
    """All settings of a process. `home` is VANTAGE_HOME: the one folder that holds everything Vantage stores. `layers` is what each source set."""

    home: Path
    config_file: Path | None = None
    layers: SettingsLayers = Field(default=SettingsLayers(), exclude=True, repr=False)
    server: ServerSettings = ServerSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    storage: StorageSettings = StorageSettings()
    workers: WorkersSettings = WorkersSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    search: SearchSettings = SearchSettings()
    opensearch: OpenSearchSettings = OpenSearchSettings()
    answers: AnswerSettings = AnswerSettings()
    ollama: OllamaSettings = OllamaSettings()
    llm: LlmSettings = LlmSettings()
    agents: AgentSettings = AgentSettings()
    graph: GraphSettings = GraphSettings()
    community: CommunitySettings = CommunitySettings()
    raptor: RaptorSettings = RaptorSettings()
    query_routing: QueryRoutingSettings = QueryRoutingSettings()
    lazy_rag: LazyRagSettings = LazyRagSettings()
    dual_level: DualLevelSettings = DualLevelSettings()
    ontology: OntologySettings = OntologySettings()
    graph_reranker: GraphRerankerSettings = GraphRerankerSettings()
    memory: MemorySettings = MemorySettings()
    ingestion: IngestionSettings = IngestionSettings()

    @model_validator(mode="after")
    def _check_required_model(self) -> Settings:
        wanted = [name for name, on in (("graph.use_model", self.graph.use_model), ("ingestion.use_model", self.ingestion.use_model)) if on]
        if wanted and self.ollama.enabled == "off" and not self.llm.model:
            raise ValueError(f"{wanted[0]} is on and no language model is; set ollama.enabled or llm.model, or switch {wanted[0]} off")
        return self

    @model_validator(mode="after")
    def _check_workers(self) -> Settings:
        if self.workers.queue == "in_process":
            return self
        if not self.storage.url.startswith("postgres"):
            raise ValueError("workers.queue is postgres and storage.url names no PostgreSQL; set it to postgresql+psycopg://user@host/database")
        if self.search.engine != "opensearch":
            raise ValueError("workers.queue is postgres and search.engine is embedded, which one process alone can write; set it to opensearch")
        return self

    @model_validator(mode="after")
    def _check_vision_model(self) -> Settings:
        if not self.ingestion.ocr.describe_images:
            return self
        if self.ollama.enabled == "off":
            raise ValueError("ingestion.ocr.describe_images is on and ollama.enabled is off: pictures are described by a vision model there")
        if not self.ingestion.ocr.enabled:
            raise ValueError("ingestion.ocr.describe_images is on and ingestion.ocr.enabled is off: switch both on, or describe_images off")
        return self


def default_home(environ: Mapping[str, str]) -> Path:
    """Return VANTAGE_HOME, else the user's data folder as platformdirs gives it."""
    chosen = environ.get("VANTAGE_HOME")
    return Path(chosen).expanduser().absolute() if chosen else Path(platformdirs.user_data_path("vantage", appauthor=False))


def load_settings(
    config: Path | None = None, environ: Mapping[str, str] | None = None, overrides: Mapping[str, Any] | None = None, folder: Path | None = None
) -> Settings:
    """Read the settings. `overrides` are flags as nested sections; `folder` is where ./config.yaml is looked for (default: the working folder).

    Raises ConfigurationError naming the key, the value and where it came from.
    """
    environ = os.environ if environ is None else environ
    home = default_home(environ)
    path = find_config_file(config, environ, home, folder or Path.cwd())
    file = read_config_file(path) if path else {}
    page, tenants = read_page_values(home)
    layers = SettingsLayers(file=file, page=page, tenants=tenants, environment=read_environment(environ), flags=dict(overrides or {}))
    settings = _build_settings(layers, home, path)
    for tenant in tenants:
        settings_of_tenant(settings, tenant)  # what cannot be is said at the start
    return settings


def apply_page_values(settings: Settings, page: Mapping[str, Any], tenants: Mapping[str, Mapping[str, Any]]) -> Settings:
    """Return the same settings with other values (nested sections) from the page, and of each tenant. Raises ConfigurationError."""
    layers = settings.layers.model_copy(update={"page": dict(page), "tenants": dict(tenants)})
    return _build_settings(layers, settings.home, settings.config_file)


def settings_of_tenant(settings: Settings, tenant: str) -> Settings:
    """Return the settings with what a tenant switched for itself: the same ones where it switched nothing. Raises ConfigurationError."""
    if not settings.layers.tenants.get(tenant):
        return settings
    return _build_settings(settings.layers.of_tenant(tenant), settings.home, settings.config_file)


def find_source(settings: Settings, key: str) -> Source:
    """Return the source that sets a dotted name."""
    layers = settings.layers
    sources: list[tuple[Source, Mapping[str, Any]]] = [("flag", layers.flags), ("environment", layers.environment)]
    sources += [("page", layers.page), ("config.yaml", layers.file)]
    return next((source for source, values in sources if key in set(dotted_names(values))), "default")


def _build_settings(layers: SettingsLayers, home: Path, path: Path | None) -> Settings:
    try:
        return Settings.model_validate({**layers.merge_all(), "home": home, "config_file": path, "layers": layers})
    except ValidationError as error:
        raise ConfigurationError(explain_error(error, path)) from error
