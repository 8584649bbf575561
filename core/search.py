"""Questions, filters, strategies, candidates and passages: what travels between the agents and the retrieval stages."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.errors import InvalidInput


class Intent(StrEnum):
    """Aim of a question. The names are SPEC's; Zeus has one route for each."""

    DOCUMENT_SEARCH = "document_search"
    GENERAL_KNOWLEDGE = "general_knowledge"
    SYSTEM_META = "system_meta"
    CLARIFICATION_NEEDED = "clarification_needed"
    COMPARISON = "comparison"
    ANALYSIS = "analysis"
    SUMMARIZATION = "summarization"


class FrozenModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


NO_DOCUMENT = "none"  # the id of no document: a limit that nothing passes


class Filters(FrozenModel):
    """Restricts the documents that may answer. Empty lists and None restrict nothing; the fields are and-ed, the values of one are or-ed.

    `file_types` are extensions with their dot, lower case (".pdf"); times compare with the document's `modified_at`, `after` inclusive,
    `before` exclusive; `path_prefix` is an absolute folder or file path. `entity_class` names a class of a loaded ontology, by name, label or
    address: when a run begins, `document_ids` become those that mention an entity of it or of a class below it.
    """

    collection: str | None = None
    path_prefix: str | None = None
    file_types: list[str] = Field(default_factory=list)
    doc_types: list[str] = Field(default_factory=list)
    languages: list[str] = Field(default_factory=list)
    document_ids: list[str] = Field(default_factory=list)
    modified_after: datetime | None = None
    modified_before: datetime | None = None
    entity_class: Annotated[str, Field(min_length=1, max_length=500)] | None = None

    def is_empty(self) -> bool:
        return self == Filters()

    def listed_documents(self) -> list[str]:
        """Return `document_ids`. Raises InvalidInput where a class was not turned into documents: no store knows which ones mention an entity of it,
        and it would limit nothing."""
        if self.entity_class is not None and not self.document_ids:
            raise InvalidInput(f"Documents cannot be limited to the class {self.entity_class!r} here: name them by their ids.")
        return self.document_ids


EVERYTHING = Filters()


class Query(FrozenModel):
    """A question as it came in. `history` holds the conversation's earlier (question, answer) pairs, oldest first; `last_results` are the ids of
    the documents that the turn before brought, best first."""

    text: str
    tenant: str = "default"
    user_id: str = "local"
    conversation_id: str | None = None
    session_id: str | None = None
    history: list[tuple[str, str]] = Field(default_factory=list)
    last_results: list[str] = Field(default_factory=list)
    filters: Filters = Field(default_factory=Filters)


class TimeFilter(FrozenModel):
    """A time that the words name, in SPEC's shapes; exactly one shape is filled."""

    time_range: str | None = None
    quarter: str | None = None
    year: str | None = None
    month: int | None = None


class Classification(FrozenModel):
    """Athena's result. `confidence` in 0..1; rules stand above .8. `rule` names the rule that matched, `by` is "rules" or the model's name.
    `must` and `must_not` are phrases that a passage has to hold or may not hold."""

    intent: Intent
    confidence: float
    rule: str
    by: str = "rules"
    reasoning: str = ""
    entities: list[str] = Field(default_factory=list)
    quoted: list[str] = Field(default_factory=list)
    filters: Filters = Field(default_factory=Filters)
    time: TimeFilter | None = None
    search_text: str = ""
    must: list[str] = Field(default_factory=list)
    must_not: list[str] = Field(default_factory=list)


StrategyName = Literal["precise", "semantic", "exploratory", "temporal", "hybrid"]
Mode = Literal["precision", "recall", "balanced", "auto"]


class Strategy(FrozenModel):
    """Proteus's result: the weights of the fusion (they need not add up to 1) and the parameters of SPEC's table.

    `min_score` is compared with the fused score scaled to 0..1. `indicators` are the words that spoke for each strategy. By `feedback` (0..1) the
    question's meaning is moved towards the passages that were found first, and everything weighed again; 0 leaves that out.
    """

    name: StrategyName
    lexical: float
    dense: float
    graph: float = 0.0
    time: float = 0.0
    min_score: float = 0.3
    hops: int = 0
    prefer_recent: bool = False
    feedback: float = 0.0
    reason: str = ""
    indicators: dict[str, list[str]] = Field(default_factory=dict)


WEIGHTED = ("lexical", "dense", "graph", "time")  # what strategies differ in: the fields of `Strategy` that are weights of the fusion


class StageScore(FrozenModel):
    """Place of a candidate at one stage. `rank` counts from 1; `score` is the stage's own, not comparable between stages."""

    rank: int
    score: float


class GraphContext(FrozenModel):
    """What the knowledge graph says for a passage. `episode_mentions` are the distinct episodes that name one of its entities, `min_distance` the
    relationships between the question's entities and the nearest of its own, None where none leads there. The scores are in 0..1; `episode_score` and
    `distance_score` are None where that signal was not looked for or is absent from the whole search. `original_score` is the score before, among
    the candidates; `combined_score` the one that the order is made by."""

    episode_mentions: int = 0
    min_distance: int | None = None
    episode_score: float | None = None
    distance_score: float | None = None
    original_score: float = 0.0
    graph_score: float = 0.0
    combined_score: float = 0.0


class Candidate(FrozenModel):
    """A chunk on its way through the stages. `score` is the latest; `stages` maps a stage's name ("lexical", "dense", "fusion", "rerank",
    "passages") to where the chunk stood there, so that a person can ask why it is where it is. `graph_context` None: the graph moved nothing."""

    chunk_id: int
    document_id: str
    score: float
    stages: dict[str, StageScore] = Field(default_factory=dict)
    graph_context: GraphContext | None = None


class DroppedCandidate(FrozenModel):
    """A candidate that a stage let go, with the reason in words ("below the minimum .30 with .21")."""

    chunk_id: int
    document_id: str
    stage: str
    score: float
    reason: str


class StageReport(FrozenModel):
    """The work of one stage: how many went in and out, how long it took, its parameters and what it dropped (first 20)."""

    stage: str
    entered: int
    left: int
    duration_ms: float
    parameters: dict[str, Any] = Field(default_factory=dict)
    dropped: list[DroppedCandidate] = Field(default_factory=list)
    note: str = ""


class Degradation(FrozenModel):
    """A part that did not run as configured, and why, in a sentence a person can act on."""

    part: str
    reason: str


class Retrieval(FrozenModel):
    """The state of a retrieval after one or more stages. `signals` are numbers for the critic and Themis, all in 0..1 where present:
    dense_top1 (cosine), lexical_ratio (best BM25 / its upper bound for the query), coverage (idf mass of the query in the first passage),
    multilingual_top1 (in the place of dense_top1 where the multilingual encoder found the first). `words` is the question in the library's own words
    where it was asked in another language: coverage and lexical_ratio are then those of these words, and left out where there are none. `measured`
    are the signals of both encoders, where both were asked: a rerank changes which passage is first, and so which of them speak."""

    candidates: list[Candidate] = Field(default_factory=list)
    reports: list[StageReport] = Field(default_factory=list)
    signals: dict[str, float] = Field(default_factory=dict)
    degraded: list[Degradation] = Field(default_factory=list)
    words: str = ""
    measured: dict[str, float] = Field(default_factory=dict)


QuestionAim = Literal["factual", "exploratory", "comparative"]


class QueryConstraints(FrozenModel):
    """What a passage must satisfy, as request and question demand it: all of it is searched as a limit, nothing of it is a matter of score. `types`
    are types of documents and of files (".pdf"); of the times `modified_after` is inclusive, `modified_before` exclusive."""

    must_include: list[str] = Field(default_factory=list)
    must_exclude: list[str] = Field(default_factory=list)
    modified_after: datetime | None = None
    modified_before: datetime | None = None
    types: list[str] = Field(default_factory=list)
    collections: list[str] = Field(default_factory=list)


class QueryPlan(FrozenModel):
    """How a question is searched beyond its words. `document_types` are the types that its words speak of and the library has, likeliest first: they
    move passages up and exclude none. `expanded_queries` say it with the words of such documents; headings in `boost_sections` answer such questions.
    `kind_words` are the words that spoke for it, `reason` says so."""

    original: str
    intent: QuestionAim = "factual"
    document_types: list[str] = Field(default_factory=list)
    expanded_queries: list[str] = Field(default_factory=list)
    constraints: QueryConstraints = Field(default_factory=QueryConstraints)
    boost_sections: list[str] = Field(default_factory=list)
    kind_words: list[str] = Field(default_factory=list)
    reason: str = ""


class GraphHit(FrozenModel):
    """A chunk that the graph leg found; `score` in 0..1, `reason` names the entity and the way ("Trevanion & Holt, WORKS_AT Mara Ellison")."""

    chunk_id: int
    document_id: str
    score: float
    reason: str = ""


class RetrievalRequest(FrozenModel):
    """A request to a retriever. `use_hybrid` False runs the dense leg alone (SPEC, search request).

    `graph_hits` are Apollo's: the graph leg, fused with the strategy's graph weight. `use_links` lets title and phrase links rescore what was
    found, `use_tree` searches the tree of summaries beside the passages. `without` names stages to leave out ("lexical", "dense", "graph",
    "multilingual", "links"). `question` is what the person asked where `text` is a rewording of it: the signals are then measured on the question,
    so that tries can be compared. `query_plan` None: nothing was planned.
    """

    text: str
    tenant: str = "default"
    filters: Filters = Field(default_factory=Filters)
    strategy: Strategy
    top_k: int = 5
    use_hybrid: bool = True
    diversity_weight: float = 0.0
    mode: Mode = "auto"
    graph_hits: list[GraphHit] = Field(default_factory=list)
    use_links: bool = False
    use_tree: bool = False
    without: list[str] = Field(default_factory=list)
    must: list[str] = Field(default_factory=list)
    must_not: list[str] = Field(default_factory=list)
    question: str = ""
    query_plan: QueryPlan | None = None
    user_id: str = ""


class Passage(FrozenModel):
    """Adjacent chunks of one section merged. `content` is exactly text[start:end] of the document; `chunks` are chunk ids, best first is
    `anchor`. `anchor_score` is the best chunk's score, `coherence_score` the mean cosine between neighbouring chunks (1 for a single one)."""

    content: str
    section: list[str]
    document_id: str
    start: int
    end: int
    chunks: list[int]
    page: int | None
    anchor: int
    anchor_score: float
    coherence_score: float
    stages: dict[str, StageScore] = Field(default_factory=dict)
    graph_context: GraphContext | None = None
