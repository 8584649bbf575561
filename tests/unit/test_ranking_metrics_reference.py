"""The measures against trec_eval's own code (pytrec_eval), on random rankings and judgements."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest
import pytrec_eval

from evaluation.evaluation_sets import EvaluationQuestion
from evaluation.measured_questions import score_ranking

DOCUMENTS = [f"d{number}" for number in range(40)]


def reference_scores(grades: Mapping[str, float], ranking: Sequence[str], k: int) -> dict[str, float]:
    """The same measures as trec_eval computes them; a ranking is given to it as falling scores."""
    wanted = {f"ndcg_cut.{k}", f"recall.{k}", "P.10", "recip_rank", "map", "success.4,10"}
    judge = pytrec_eval.RelevanceEvaluator({"q": {document: int(grade) for document, grade in grades.items()}}, wanted)
    found = judge.evaluate({"q": {document: float(len(ranking) - place) for place, document in enumerate(ranking)}})["q"]
    return {
        f"ndcg@{k}": found[f"ndcg_cut_{k}"],
        f"recall@{k}": found[f"recall_{k}"],
        "precision@10": found["P_10"],
        "mrr": found["recip_rank"],
        "map": found["map"],
        "hits@4": found["success_4"],
        "hits@10": found["success_10"],
        f"all-gold@{k}": float(found[f"recall_{k}"] == 1.0),
    }


@pytest.mark.parametrize("k", [5, 10, 20])
def test_every_measure_is_trec_eval_s(k: int) -> None:
    drawn = random.Random(k)
    for _ in range(200):
        judged = drawn.sample(DOCUMENTS, drawn.randint(1, 12))
        grades = {document: float(drawn.choice([0, 1, 1, 2, 3])) for document in judged} | {judged[0]: 1.0}
        ranking = drawn.sample(DOCUMENTS, drawn.randint(1, 30))
        ours = score_ranking(EvaluationQuestion("q", "?", grades), ranking, [], k)
        assert ours == pytest.approx(reference_scores(grades, ranking, k), abs=1e-9)
