"""What came back for each question of a set, and its scores."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from evaluation.evaluation_sets import EvaluationQuestion
from evaluation.ranking_metrics import all_relevant_found, average_precision, ndcg, precision, recall, reciprocal_rank
from evaluation.text_hits import holds_gold

_CLARIFY = "clarify"
_FIXED = (4, 10)  # depths of hits in MultiHop-RAG


class MeasuredQuestion(BaseModel):
    """A question with what it brought. `ranking` are documents by the names that the set has for them, best first; `texts` marks of the retrieved
    passages, the same for the same text; `scores` is empty for a question without a judgement. `ms` is the time of the whole question, `stages` of
    its steps. `refused` None: no answer was made.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    text: str
    ranking: list[str]
    texts: list[str]
    scores: dict[str, float]
    ms: float
    stages: dict[str, float]
    refused: bool | None
    asked_back: bool
    answerable: bool | None = None
    rule: str = ""
    degraded: list[str] = Field(default_factory=list)


def depth_for(k: int) -> int:
    """Return how many documents are asked for: what the measures look at."""
    return max(k, *_FIXED)


def measure_response(
    question: EvaluationQuestion, response: Mapping[str, Any], ms: float, *, k: int, answers: bool, names: Mapping[str, str] | None = None
) -> MeasuredQuestion:
    """Score a response of POST /evaluation/search. `names` are the ids of documents by their file names, None where the set is about the library
    itself."""
    results = response["results"]
    ranking = list(dict.fromkeys(_name_result(result, question.grades, names) for result in results))
    texts = [passage["content"] for result in results for passage in result["passages"]]
    stages: dict[str, float] = {}
    for step in response["steps"]:
        stages[step["node"]] = round(stages.get(step["node"], 0.0) + (step["duration_ms"] or 0.0), 3)
    return MeasuredQuestion(
        id=question.id,
        text=question.text,
        ranking=ranking,
        texts=[_mark_text(text) for text in texts[: depth_for(k)]],
        scores=score_ranking(question, ranking, texts, k) if question.is_judged else {},
        ms=round(ms, 3),
        stages=stages,
        refused=response["status"] == "not_found" if answers else None,
        asked_back=_CLARIFY in stages,
        answerable=question.answerable,
        rule=question.rule,
        degraded=[f"{each['part']}: {each['reason']}" for each in response["degraded"]],
    )


def score_ranking(question: EvaluationQuestion, ranking: Sequence[str], texts: Sequence[str], k: int) -> dict[str, float]:
    """Return every measure by its name. A hit is a text that holds one of the question's passages; where it has none, a document that answers it."""
    grades = question.grades
    hits = (
        {depth: holds_gold(texts, question.passages, depth) for depth in _FIXED}
        if question.passages
        else {depth: float(reciprocal_rank(ranking, grades, depth) > 0) for depth in _FIXED}
    )
    return {
        f"ndcg@{k}": ndcg(ranking, grades, k),
        f"recall@{k}": recall(ranking, grades, k),
        "precision@10": precision(ranking, grades, 10),
        "mrr": reciprocal_rank(ranking, grades, len(ranking)),
        "map": average_precision(ranking, grades),
        f"all-gold@{k}": all_relevant_found(ranking, grades, k),
        **{f"hits@{depth}": value for depth, value in hits.items()},
    }


def _name_result(result: Mapping[str, Any], grades: Mapping[str, float], names: Mapping[str, str] | None) -> str:
    """Return a document's name in the set: of the own library any of its id, file name, path (or its end) and title that a judgement has."""
    if names is not None:
        return names.get(result["filename"], result["filename"])
    path = result["file_path"].replace("\\", "/").casefold()
    known = {result["id"], result["filename"].casefold(), path, result["title"].casefold()}
    for name in grades:
        wanted = name.replace("\\", "/").casefold()
        if name in known or wanted in known or path.endswith(f"/{wanted}"):
            return name
    return str(result["id"])


def _mark_text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
