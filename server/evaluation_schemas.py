"""What an evaluation of the search sends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from core.search import StrategyName
from core.search_schemas import STAGES, Schema, StageName


class EvaluationRequest(Schema):
    """POST /evaluation/search: a question, and how it is searched. `settings` are dotted names of settings of the search with values for this
    question alone (`settings_page.TUNABLE`). `answers` False leaves the answer out, which costs most of the time: the ranking is the same, and the
    status says nothing."""

    query: Annotated[str, Field(description="The question, 1 to 20,000 characters.")]
    top_k: Annotated[int, Field(ge=1, le=50)] = 10
    strategy: StrategyName | Literal["auto"] = "auto"
    pipeline: Literal["basic", "hybrid", "auto"] = "auto"
    answers: bool = True
    without: Annotated[list[StageName], Field(description="Stages that are left out.", max_length=len(STAGES), default_factory=list)]
    settings: Annotated[dict[str, Any], Field(max_length=20, default_factory=dict)]
