"""Runs, what they add up to, and two of them side by side."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.errors import Conflict, InvalidInput, NotFound
from evaluation.evaluation_sets import EvaluationQuestion
from evaluation.measured_questions import MeasuredQuestion, measure_response
from evaluation.paired_bootstrap import paired_difference
from evaluation.run_comparison import compare_runs
from evaluation.stored_runs import EvaluationRun, StoredRuns, make_run_id
from evaluation.text_diversity import measure_diversity
from evaluation.text_hits import holds_gold

AT = datetime(2026, 11, 25, 19, 0, 3, tzinfo=UTC)


def response(*documents: tuple[str, str], status: str = "success") -> dict[str, Any]:
    """A response with a result for each (name, text)."""
    results = [
        {
            "id": f"id-{name}",
            "filename": f"{name}.txt",
            "file_path": f"/docs/birds/{name}.txt",
            "title": f"About {name}",
            "passages": [{"content": text}],
        }
        for name, text in documents
    ]
    steps = [{"node": "retrieve", "duration_ms": 2.0}, {"node": "retrieve", "duration_ms": 3.0}, {"node": "rerank", "duration_ms": None}]
    return {"results": results, "steps": steps, "status": status, "degraded": []}


def measured(number: int, score: float, **fields: Any) -> MeasuredQuestion:
    known: dict[str, Any] = {"ranking": [], "texts": [], "ms": 10.0, "stages": {}, "refused": None, "asked_back": False}
    scores = {"ndcg@10": score, "mrr": score}
    return MeasuredQuestion(id=f"q{number}", text=f"Question {number}?", **{"scores": scores, **known, **fields})


def run_of(name: str, *questions: MeasuredQuestion) -> EvaluationRun:
    return EvaluationRun(id=name, set_name="birds", started_at=AT, k=10, strategy="auto", questions=list(questions))


@pytest.mark.parametrize("name", ["heron.txt", "Heron.TXT", "birds/heron.txt", "About heron", "id-heron", "/docs/birds/heron.txt"])
def test_a_document_of_the_own_library_is_known_by_any_of_its_names(name: str) -> None:
    question = EvaluationQuestion("q", "Where?", {name: 1.0})
    found = measure_response(question, response(("newt", "Newts swim."), ("heron", "Herons nest.")), 12.0, k=10, answers=False)
    assert found.ranking == ["id-newt", name]
    assert (found.scores["mrr"], found.stages, found.refused) == (0.5, {"retrieve": 5.0, "rerank": 0.0}, None)


def test_a_document_of_a_set_has_the_set_s_name() -> None:
    names = {"newt.txt": "n/1", "heron.txt": "h/2"}
    found = measure_response(
        EvaluationQuestion("q", "?", {"h/2": 1.0}), response(("heron", "a"), ("newt", "b")), 1.0, k=10, answers=False, names=names
    )
    assert (found.ranking, found.scores["ndcg@10"]) == (["h/2", "n/1"], 1.0)


def test_hits_are_texts_where_the_set_has_passages() -> None:
    question = EvaluationQuestion("q", "?", {"heron.txt": 1.0}, passages=("nest in\n  alders",))
    there = measure_response(question, response(("heron", "Herons nest in alders, high up.")), 1.0, k=10, answers=False)
    elsewhere = measure_response(question, response(("heron", "Herons eat fish.")), 1.0, k=10, answers=False)
    assert (there.scores["hits@4"], elsewhere.scores["hits@4"], elsewhere.scores["recall@10"]) == (1.0, 0.0, 1.0)
    assert holds_gold(["a", "b", "nest in alders"], ["nest in alders"], 2) == 0.0


def test_what_was_refused_is_counted_by_what_has_an_answer() -> None:
    asked = [
        measure_response(EvaluationQuestion(str(number), "?", answerable=answerable), response(status=status), 1.0, k=10, answers=True)
        for number, (answerable, status) in enumerate([(True, "success"), (True, "not_found"), (False, "not_found"), (False, "not_found")])
    ]
    assert run_of("a", *asked).refusals() == {
        "unanswerable_questions": 2,
        "unanswerable_refused": 1.0,
        "answerable_questions": 2,
        "answerable_refused": 0.5,
    }
    assert run_of("a", measured(1, 1.0)).refusals() == {}


def test_means_are_of_the_judged_questions_alone_and_times_of_all() -> None:
    run = run_of("a", measured(1, 1.0, stages={"rerank": 4.0}), measured(2, 0.5), measured(3, 0.0, scores={}, ms=100.0))
    assert run.means() == {"ndcg@10": 0.75, "mrr": 0.75}
    assert run.stage_times()["rerank"] == {"mean": 4.0, "p95": 4.0, "questions": 1}
    assert run.stage_times()["whole question"] == {"mean": 40.0, "p95": 100.0, "questions": 3}


def test_diversity_by_hand() -> None:
    found = measure_diversity([["a", "b"], ["b", "a"], ["a", "c"], []])
    assert (found.total, found.unique, found.ratio) == (6, 3, 0.5)
    assert (found.identical_sets, found.pairs) == (1, 3)
    assert found.identical_sets_percentage == pytest.approx(100 / 3)
    assert found.most_common[0] == ("a", 3)
    assert measure_diversity([]).ratio == 0.0


def test_the_interval_holds_the_difference_and_narrows_with_more_questions() -> None:
    few, many = [paired_difference([0.5, 0.6, 0.4] * times, [0.7, 0.6, 0.5] * times) for times in (3, 100)]
    assert few.difference == pytest.approx(0.1)
    assert few.low <= few.difference <= few.high
    assert many.high - many.low < few.high - few.low
    assert many.is_better
    assert not paired_difference([0.5, 0.5], [0.9, 0.1]).is_better
    with pytest.raises(ValueError, match="same questions"):
        paired_difference([1.0], [])


def test_two_runs_are_compared_over_their_common_questions() -> None:
    before = run_of("a", measured(1, 1.0), measured(2, 0.0), measured(3, 0.5), measured(4, 1.0))
    after = run_of("b", measured(1, 0.25), measured(2, 1.0), measured(3, 0.5), measured(5, 1.0))
    found = compare_runs(before, after)
    assert (found.questions, found.moved_by, [each.id for each in found.moved]) == (3, "ndcg@10", ["q2", "q1"])
    assert found.measures["mrr"].difference == pytest.approx(0.25 / 3)
    with pytest.raises(InvalidInput, match="different sets"):
        compare_runs(before, run_of("c", measured(9, 1.0)))


def test_runs_are_kept_and_found_by_a_part_of_their_names(tmp_path: Path) -> None:
    stored = StoredRuns(tmp_path / "runs")
    first, second = run_of(make_run_id("birds & co", AT), measured(1, 1.0)), run_of("20261125-200000-newts", measured(1, 0.5))
    stored.save(first)
    stored.save(second)
    assert stored.ids() == ["20261125-190003-birds-co", "20261125-200000-newts"]
    assert make_run_id("birds & co", AT, stored.ids()) == "20261125-190003-birds-co-2"
    assert stored.load("last") == stored.load("newts") == second
    assert stored.load("previous") == first
    with pytest.raises(NotFound, match="eval list"):
        stored.load("herons")
    with pytest.raises(Conflict, match="may be"):
        stored.load("2026")
