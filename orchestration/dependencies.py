"""What Zeus is built from: every port and value, injected by the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from agents.dual_level.agent import DualLevelOptions
from agents.lazy_rag.agent import LazyOptions
from core.answers import Answer, Evidence
from core.language.document_vocabularies import DocumentVocabulary
from core.ports import (
    AnswerReader,
    ChatModel,
    Communities,
    Composer,
    ConversationStore,
    KnowledgeGraph,
    Library,
    MemoryManager,
    MentionFinder,
    QuestionTranslator,
    ReferenceStore,
    Retriever,
    Speller,
    TableStore,
    TopicFinder,
    TraceStore,
    Writer,
)
from core.ports.attached_files import Attachments, InsightStore
from core.search import Strategy


@dataclass(frozen=True, slots=True)
class Options:
    """The settings that the graph needs, by their names in settings.py. `model_required`: a model is configured on purpose, so its absence is
    reported; with `ollama.enabled: auto` it is not. `model_seconds`: what all calls of models in one run take
    together. `keep_seconds`: how long a run's events can be read again after its end. `max_questions` run at the same time, of one person at most
    `max_questions_per_person`. `weights` stand in the place of the strategy's (fields of `Strategy`), where a search is measured with some. By the
    `vocabularies` a search is planned; `routes` lets a plan move what is found, and try its other wordings."""

    hybrid: Strategy = field(default_factory=lambda: Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.3))
    semantic: Strategy = field(default_factory=lambda: Strategy(name="semantic", lexical=0.3, dense=0.7, min_score=0.3))
    weights: Mapping[str, float] = field(default_factory=dict)
    vocabularies: Sequence[DocumentVocabulary] = ()
    routes: bool = False
    feedback: float = 0.4
    not_found_below: float = 0.16
    hybrid_enabled: bool = True
    classifier_enabled: bool = True
    use_llm_fallback: bool = True
    confidence_threshold: float = 0.8
    routing_enabled: bool = True
    routing_threshold: float = 0.7
    lazy_rag: LazyOptions | None = None
    dual_level: DualLevelOptions | None = None
    rerank_enabled: bool = True
    model_required: bool = False
    planner_enabled: bool = True
    correction_enabled: bool = True
    correct_below: float = 0.45
    correction_max_tries: int = 3
    correction_budget_ms: float = 400.0
    note_answers_above: float = 0.7
    max_query_characters: int = 20_000
    history_turns: int = 10
    answer_passages: int = 10
    model_seconds: float = 120.0
    keep_seconds: float = 600.0
    keep_runs: int = 200
    attached_wait_seconds: float = 60.0
    max_questions: int = 8
    max_questions_per_person: int = 4


@dataclass(frozen=True, slots=True)
class Dependencies:
    """`probability` maps the retrieval's signals to the chance that the documents answer; `not_found_answer` says that they do not. `embedder` is
    the name of the embedding model that all of this searches by.

    `model` serves Athena and general questions, `writer` writes cited answers, `summary_writer` Thoth's summaries and `comparison_writer` what
    Aristotle's table says; `routing_model` is asked for the scope of a question, `lazy_writer` writes summaries of the graph. All None without a
    language model.

    `features` says which of the features that can be switched are on; `find_own` gives the dependencies of a tenant that switched some otherwise.
    """

    retriever: Retriever
    library: Library
    composer: Composer
    traces: TraceStore
    conversations: ConversationStore
    probability: Callable[[Mapping[str, float]], float]
    not_found_answer: Callable[[str, Sequence[Evidence]], Answer]
    memory: MemoryManager | None = None
    graph: KnowledgeGraph | None = None
    communities: Communities | None = None
    reader: AnswerReader | None = None
    mentions: MentionFinder | None = None
    topics: TopicFinder | None = None
    speller: Speller | None = None
    translator: QuestionTranslator | None = None
    insights: InsightStore | None = None
    attachments: Attachments | None = None
    tables: TableStore | None = None
    references: ReferenceStore | None = None
    model: ChatModel | None = None
    writer: Writer | None = None
    summary_writer: Writer | None = None
    comparison_writer: Writer | None = None
    routing_model: ChatModel | None = None
    lazy_writer: Writer | None = None
    embedder: str = ""
    features: Mapping[str, bool] = field(default_factory=dict)
    find_own: Callable[[str], Dependencies | None] = lambda _: None
    options: Options = field(default_factory=Options)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def of_tenant(self, tenant: str) -> Dependencies:
        """Return what the runs of a tenant go by."""
        return self.find_own(tenant) or self
