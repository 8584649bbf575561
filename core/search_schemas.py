"""The search request and response, as SPEC gives them: Zeus's input and output, and what goes over HTTP unchanged."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from core.answers import AnswerSentence, Citation, Lead
from core.documents import PageUnit
from core.graph import GraphExpansion
from core.graph_answers import DualLevelResult, LazyRAGResult
from core.insights import AttachedReport, Comparison
from core.leg_names import LegName
from core.memory import MemoryUsed
from core.query_routes import QueryRoute, Scope
from core.reasoning import Reasoning
from core.runs import Step
from core.search import Degradation, Filters, GraphContext, Intent, Mode, QueryPlan, StageScore, StrategyName
from core.tables import Calculation

Status = Literal["success", "clarification_needed", "not_found", "stopped"]
PipelineName = Literal["basic", "hybrid", "graphrag", "raptor", "auto"]
AnswerKind = Literal["answer", "documents", "computed", "comparison", "summary", "refusal"]
Identifier = Annotated[str, Field(min_length=1, max_length=200)]


def _check_file_name(asked: str) -> str:
    """Return a file's path or name as it came in. Raises ValueError for what names a folder or nothing."""
    if asked.replace("\\", "/").rstrip("/").rpartition("/")[2].strip() in {"", ".", ".."}:
        raise ValueError(f"{asked!r} is no file: name a document's id, or the path or name of an uploaded file")
    return asked


_ATTACHED = "A document's id, or the path or name of an uploaded file."
AttachedName = Annotated[str, Field(min_length=1, max_length=4096, description=_ATTACHED), AfterValidator(_check_file_name)]
StageName = Literal[LegName, "links", "rerank", "structure", "graph_rerank", "negation", "plan", "correct", "memory"]
STAGES: tuple[str, ...] = get_args(StageName)


class Schema(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SearchRequest(Schema):
    """POST /search and /search/stream. Everything but `query` is optional."""

    query: Annotated[str, Field(description="The question, 1 to 20,000 characters.", examples=["How much notice must we give?"])]
    top_k: Annotated[int, Field(ge=1, le=50)] = 5
    use_hybrid: bool = True
    stream_status: bool = True
    session_id: Identifier | None = None
    user_id: Identifier | None = None
    conversation_id: Identifier | None = None
    attached_documents: Annotated[list[AttachedName], Field(max_length=100)] | None = None
    offset: Annotated[int, Field(ge=0, le=20_000, description="Of a list of documents: leave out so many and go on behind them.")] = 0
    filters: Filters | None = None
    strategy: StrategyName | Literal["auto"] = "auto"
    pipeline: Annotated[
        PipelineName,
        Field(
            description="By meaning alone (basic), by words and meaning (hybrid), by both with the knowledge graph and links (graphrag) or with the "
            "tree of summaries (raptor); auto: as you are served."
        ),
    ] = "auto"
    mode: Mode = "auto"
    scope: Annotated[
        Scope, Field(description="Answer from passages (local), from the library as a whole (global), or both (hybrid); auto: as the question asks.")
    ] = "auto"
    diversity_weight: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    explain: bool = False
    use_memory: Annotated[bool, Field(description="False answers as if nothing were remembered of this person: the undo of memory.")] = True
    correct_spelling: Annotated[bool, Field(description="False reads the question letter for letter: the undo of a corrected spelling.")] = True
    replaces: Annotated[
        Identifier | None,
        Field(description="A run of this conversation whose place the answer takes: an interrupted question, or one that is asked for a new answer."),
    ] = None
    without: Annotated[list[StageName], Field(description="Stages that this run leaves out, to see what they do.", max_length=len(STAGES))] = []


class RunAnswer(Schema):
    """POST /runs/{id}/answer: one of the choices by its place (from 0), or words, or skip (the question is searched as written).

    `wait` True answers with the finished response, as POST /search does; False at once, and the events go on at /runs/{id}/events.
    """

    choice: Annotated[int, Field(ge=0, le=50)] | None = None
    text: Annotated[str, Field(max_length=20_000)] | None = None
    skip: bool = False
    wait: bool = True


class PassageOut(Schema):
    content: str
    section: list[str]
    document_id: str
    start: int
    end: int
    chunks: list[int]
    page: int | None
    anchor_score: float
    coherence_score: float


class ResultOut(Schema):
    """One per document, best first. `score` in 0..1. `why` is Hermes's phrase, `bars` the three thin bars in 0..1 (lexical, dense, links),
    `stages` where the best passage stood at each stage, `graph_context` what the graph says for that passage where graph_reranker is on."""

    id: str
    filename: str
    file_path: str
    score: float
    detailed_summary: str
    keywords: list[str]
    passages: list[PassageOut]
    title: str
    file_type: str
    doc_type: str
    modified_at: datetime | None
    page_unit: PageUnit
    why: str
    why_sentence: str
    bars: dict[str, float]
    stages: dict[str, StageScore]
    graph_context: GraphContext | None = None


class SpellingCorrection(Schema):
    """A word of the question that stands nowhere in the library, and the nearest one that does."""

    written: str
    meant: str


class DocumentPage(Schema):
    """The part of a list of documents that was sent: the answer names `named` of them from `offset` (from 0) on, `results` hold `top_k`."""

    total: int
    offset: int
    named: int


class SearchResponse(Schema):
    """`answer` is the cited text with [n] markers; `answer_sentences` is the same answer in pieces for programs and the page."""

    status: Status
    response_message: str
    answer: str
    answer_kind: Annotated[AnswerKind, Field(description="What the answer is made of; a refusal has no citations.")] = "answer"
    lead: Annotated[
        Lead | None,
        Field(description="The answer itself, where one span, cell or figure is it. The text begins with it unless its sentence says little more."),
    ] = None
    answer_sentences: list[AnswerSentence]
    spelling: list[SpellingCorrection] = Field(default_factory=list, description="Words of the question that were read as words of the library.")
    answer_notes: list[str] = Field(default_factory=list, description="What the answer leaves out or does not tell, each a sentence.")
    generated_by: str
    citations: list[Citation]
    results: list[ResultOut]
    count: int
    intent: Intent
    route: Annotated[
        QueryRoute | None, Field(description="Whether the question was read as about something in the library or about the whole of it, and why.")
    ] = None
    confidence: float
    confidence_label: Literal["high", "medium", "low"]
    confidence_reason: str
    confidence_factors: dict[str, float]
    search_time: float
    total_time: float
    routing_path: str
    steps: list[Step]
    suggested_followups: list[str]
    degraded: list[Degradation]
    trace_id: str
    conversation_id: str | None = None
    searched: dict[str, Any] = Field(
        default_factory=dict,
        description="Counts for the line above the answer: passages, kept, cited, documents (those of the passages), asked (the documents that were "
        "searched) out of the whole library; of a list of documents listed.",
    )
    listing: Annotated[
        DocumentPage | None,
        Field(description="Of a list of documents (`answer_kind` documents): how many there are in the whole library, and which part this is."),
    ] = None
    clarification_questions: list[str] | None = None
    clarification_of: str | None = Field(default=None, description="The run that waits for an answer at POST /runs/{id}/answer.")
    comparison_result: Comparison | None = None
    summary: str | None = None
    explanations: list[dict[str, Any]] | None = None
    query_plan: Annotated[QueryPlan | None, Field(description="How the question was searched beyond its words; with `explain` only.")] = None
    insights: AttachedReport | None = None
    calculations: Annotated[
        list[Calculation] | None,
        Field(description="What was computed over a table: the answer's figures then are computed, not quoted."),
    ] = None
    reasoning: Reasoning | None = None
    graph_expansion: GraphExpansion | None = None
    lazy_rag: Annotated[
        LazyRAGResult | None, Field(description="The summary of what the documents together say, made of the graph for this question.")
    ] = None
    dual_level: Annotated[
        DualLevelResult | None, Field(description="Passages with their entities, the communities that they belong to, and what both say.")
    ] = None
    quality_evaluation: dict[str, Any] | None = None
    memory_used: list[MemoryUsed] | None = None
