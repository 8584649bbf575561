"""What an evaluation of the search sends: one question, two ways of searching it, and the kept runs over sets of questions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from core.run_inspection import ResultShift
from core.runs import TraceMove
from core.search import Degradation, StageReport, Strategy, StrategyName
from core.search_schemas import STAGES, PipelineName, ResultOut, Schema, StageName

Weight = Annotated[float, Field(ge=0.0, le=1.0)]


class LegWeights(Schema):
    """The weights of the fusion instead of the strategy's, each 0 to 1; they need not add up to 1. `dense` is also that of the search across
    languages. At least one of `lexical`, `dense` and `graph` is above 0: time finds nothing by itself."""

    lexical: Weight
    dense: Weight
    graph: Weight = 0.0
    time: Weight = 0.0

    @model_validator(mode="after")
    def _require_leg(self) -> Self:
        if self.lexical + self.dense + self.graph <= 0:
            raise ValueError("words, meaning and graph all weigh 0, and a search needs one of them: give one a weight above 0")
        return self


class SearchSetting(Schema):
    """How a question is searched. `settings` are dotted names of settings of the search with values for this question alone
    (`settings_page.TUNABLE`)."""

    strategy: StrategyName | Literal["auto"] = "auto"
    pipeline: PipelineName = "auto"
    weights: LegWeights | None = None
    diversity_weight: Weight = 0.0
    without: Annotated[list[StageName], Field(description="Stages that are left out.", max_length=len(STAGES), default_factory=list)]
    settings: Annotated[dict[str, Any], Field(max_length=20, default_factory=dict)]


class QuestionRequest(Schema):
    """A question, and how many documents are wanted."""

    query: Annotated[str, Field(description="The question, 1 to 20,000 characters.")]
    top_k: Annotated[int, Field(ge=1, le=50)] = 10


class EvaluationRequest(QuestionRequest, SearchSetting):
    """POST /evaluation/search: a question, and how it is searched. `answers` False leaves the answer out, which costs most of the time: the ranking
    is the same, and the status says nothing."""

    answers: bool = True


class RetrievalTestRequest(QuestionRequest):
    """POST /evaluation/test: a question, searched in one way or in two."""

    left: SearchSetting
    right: SearchSetting | None = None


class RetrievalTestExplainRequest(QuestionRequest):
    """POST /evaluation/explain: why a document is where it is in such a search, or why it is not there. `document` is an id, a path or a file
    name."""

    setting: SearchSetting
    document: Annotated[str, Field(min_length=1, max_length=4096)]


class LegShare(Schema):
    """A leg's part in the fused score of one question: its weight, and that weight's share among the legs that found something. `found` counts the
    passages that the leg found, `results` the results among which its are; None for the time, which finds nothing."""

    leg: str
    weight: float
    share: float
    found: int | None
    results: int | None


class SearchOutcome(Schema):
    """A search of the question in one way. `strategy` is None where the question needed no documents. `text` is what was searched. `reports` say what
    each stage did, `moves` where each passage stood at each, `steps_ms` how long the steps of the graph took."""

    strategy: Strategy | None
    text: str
    shares: list[LegShare]
    results: list[ResultOut]
    moves: list[TraceMove]
    reports: list[StageReport]
    steps_ms: dict[str, float]
    duration_ms: float
    routing_path: str
    degraded: list[Degradation]


class RetrievalTest(Schema):
    """Both searches, what differs between them in sentences, and each document's places in both. Nothing of it is stored."""

    left: SearchOutcome
    right: SearchOutcome | None
    differences: list[str]
    results: list[ResultShift]


class StepTimes(Schema):
    """Milliseconds of a step over the questions that took it."""

    mean: float
    p95: float
    questions: int


class DiversityOut(Schema):
    """How many of all texts that were retrieved are different, and how many pairs of questions got the very same ones."""

    questions: int
    total: int
    unique: int
    ratio: float
    identical_sets: int
    pairs: int
    identical_sets_percentage: float


class EvaluationRunOut(Schema):
    """A kept run of `vantage eval run`: how its set was searched, and what that came to. `refusals` has shares and counts by name."""

    id: str
    set_name: str
    started_at: datetime
    k: int
    strategy: str
    pipeline: str
    without: list[str]
    settings: dict[str, Any]
    embedder: str
    documents: int
    questions: int
    judged: int
    asked_back: int
    metrics: dict[str, float]
    refusals: dict[str, float]
    diversity: DiversityOut
    times_ms: dict[str, StepTimes]
    degraded: list[str]


class EvaluationRunList(Schema):
    """GET /evaluation/runs: the newest first. `unreadable` are files that are no runs of this version."""

    runs: list[EvaluationRunOut]
    total: int
    unreadable: list[str]


class RunQuestionOut(Schema):
    """A question of a run with its measures."""

    id: str
    text: str
    scores: dict[str, float]
    ms: float
    refused: bool | None
    answerable: bool | None
    rule: str


class EvaluationRunDetail(Schema):
    """GET /evaluation/runs/{id}: a run with its weakest judged questions, by its first measure: those below 1."""

    run: EvaluationRunOut
    measured_by: str
    weakest: list[RunQuestionOut]


class MeasureDifference(Schema):
    """The mean of a measure in both runs over the same questions; `level` of the paired bootstrap's resamples lie between `low` and `high`.
    `certain`: the interval does not hold 0."""

    name: str
    before: float
    after: float
    difference: float
    low: float
    high: float
    certain: bool


class QuestionChange(Schema):
    id: str
    text: str
    before: float
    after: float


class EvaluationComparison(Schema):
    """GET /evaluation/runs/compare: two runs over the same questions, and those that moved most by the measure `moved_by`."""

    before: EvaluationRunOut
    after: EvaluationRunOut
    questions: int
    level: float
    resamples: int
    measures: list[MeasureDifference]
    moved_by: str
    moved: list[QuestionChange]


class EvaluationSetOut(Schema):
    """A set in VANTAGE_HOME/evaluation/sets. `rules` counts its questions by how they were made; `problem` says why it cannot be read, "" for one
    that can."""

    name: str
    questions: int
    judged: int
    unanswerable: int
    rules: dict[str, int]
    problem: str


class EvaluationSetList(Schema):
    sets: list[EvaluationSetOut]
