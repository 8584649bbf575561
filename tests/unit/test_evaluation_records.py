"""Kept runs and sets as the page reads them: whose they are, what they come to, and what cannot be read."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from composition.evaluation_records import KeptEvaluations
from core.errors import InvalidInput, NotFound
from evaluation.measured_questions import MeasuredQuestion
from evaluation.stored_runs import EvaluationRun, StoredRuns

BEGAN = datetime(2026, 11, 25, 19, 0, tzinfo=UTC)


def keep(home: Path, name: str, scores: list[float], *, tenant: str = "default", person: str = "local", set_name: str = "ferry") -> None:
    questions = [
        MeasuredQuestion(
            id=f"q{number}",
            text=f"Which ferry leaves at {number}?",
            ranking=["boats.txt"],
            texts=["a"],
            scores={"ndcg@10": score, "mrr": score},
            ms=12.0 + number,
            stages={"retrieve": 5.0},
            refused=None,
            asked_back=False,
        )
        for number, score in enumerate(scores, start=1)
    ]
    began = BEGAN + timedelta(minutes=len(list(home.rglob("*.json"))))
    run = EvaluationRun(id=name, set_name=set_name, started_at=began, k=10, strategy="auto", tenant=tenant, person=person, questions=questions)
    StoredRuns(home / "evaluation" / "runs").save(run)


async def test_runs_are_listed_newest_first_with_what_they_come_to(tmp_path: Path) -> None:
    keep(tmp_path, "20261125-1-ferry", [1.0, 0.5])
    keep(tmp_path, "20261125-2-ferry", [0.0, 0.5])
    records = KeptEvaluations(tmp_path)
    found = await records.list_runs("default", None, 10)
    assert [(run.id, run.metrics["mrr"], run.judged) for run in found.runs] == [("20261125-2-ferry", 0.25, 2), ("20261125-1-ferry", 0.75, 2)]
    assert found.runs[0].times_ms["retrieve"].mean == 5.0
    assert [run.id for run in (await records.list_runs("default", None, 1)).runs] == ["20261125-2-ferry"]
    assert (await records.list_runs("default", None, 1)).total == 2
    keep(tmp_path, "20261125-2-ferry", [1.0, 1.0])
    assert (await records.list_runs("default", None, 1)).runs[0].metrics["mrr"] == 1.0, "a file that changed is read again"


async def test_a_run_tells_its_weakest_questions_first(tmp_path: Path) -> None:
    keep(tmp_path, "20261125-1-ferry", [1.0, 0.25, 0.5])
    found = await KeptEvaluations(tmp_path).read_run("default", None, "20261125-1-ferry")
    assert (found.measured_by, [each.id for each in found.weakest]) == ("ndcg@10", ["q2", "q3"]), "nothing is missing in the other"


async def test_two_runs_are_compared_over_the_same_questions(tmp_path: Path) -> None:
    keep(tmp_path, "20261125-1-ferry", [0.2, 0.3, 0.4])
    keep(tmp_path, "20261125-2-ferry", [0.9, 0.8, 0.4])
    keep(tmp_path, "20261125-3-empty", [], set_name="empty")
    records = KeptEvaluations(tmp_path)
    found = await records.compare("default", None, "20261125-1-ferry", "20261125-2-ferry")
    first = found.measures[0]
    assert (first.name, round(first.difference, 3), first.low <= first.difference <= first.high) == ("ndcg@10", 0.4, True)
    assert [each.id for each in found.moved] == ["q1", "q2"]
    assert {each.certain for each in (await records.compare("default", None, "20261125-1-ferry", "20261125-1-ferry")).measures} == {False}
    with pytest.raises(InvalidInput, match="no question in common"):
        await records.compare("default", None, "20261125-1-ferry", "20261125-3-empty")


@pytest.mark.parametrize(("tenant", "person"), [("default", "cleo"), ("acme", "local"), ("acme", None)])
async def test_a_run_is_unknown_to_everybody_else(tmp_path: Path, tenant: str, person: str | None) -> None:
    keep(tmp_path, "20261125-1-ferry", [1.0])
    (tmp_path / "evaluation" / "runs" / "20261125-2-broken.json").write_text("{}")
    (tmp_path / "evaluation" / "sets" / "silver").mkdir(parents=True)
    records = KeptEvaluations(tmp_path)
    found = await records.list_runs(tenant, person, 10)
    assert (found.runs, found.total, found.unreadable, (await records.list_sets(tenant, person)).sets) == ([], 0, [], [])
    with pytest.raises(NotFound):
        await records.read_run(tenant, person, "20261125-1-ferry")
    with pytest.raises(NotFound):
        await records.compare(tenant, person, "20261125-1-ferry", "20261125-1-ferry")


async def test_a_person_reads_the_own_runs_by_their_whole_names(tmp_path: Path) -> None:
    keep(tmp_path, "20261125-1-ferry", [1.0], tenant="acme", person="cleo")
    records = KeptEvaluations(tmp_path)
    assert (await records.list_runs("acme", "cleo", 10)).total == 1
    assert (await records.list_runs("default", None, 10)).total == 0
    for named in ("last", "ferry", "../runs/20261125-1-ferry", ""):
        with pytest.raises(NotFound):
            await records.read_run("acme", "cleo", named)


async def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    keep(tmp_path, "20261125-1-ferry", [1.0])
    (tmp_path / "evaluation" / "runs" / "20261125-2-broken.json").write_text("{}")
    found = await KeptEvaluations(tmp_path).list_runs("default", None, 10)
    assert ([run.id for run in found.runs], found.unreadable) == (["20261125-1-ferry"], ["20261125-2-broken"])


async def test_sets_are_counted_by_how_their_questions_were_made(tmp_path: Path) -> None:
    folder = tmp_path / "evaluation" / "sets" / "silver"
    folder.mkdir(parents=True)
    rows = [{"id": "1", "text": "Which lock?", "rule": "field"}, {"id": "2", "text": "Who is Ix?", "rule": "absent_name", "answerable": False}]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "qrels.tsv").write_text("1\tlock.txt\t1\n")
    (tmp_path / "evaluation" / "sets" / "torn").mkdir()
    silver, torn = (await KeptEvaluations(tmp_path).list_sets("default", "local")).sets
    assert (silver.questions, silver.judged, silver.unanswerable, silver.rules) == (2, 1, 1, {"field": 1, "absent_name": 1})
    assert (torn.name, "does not exist" in torn.problem) == ("torn", True)
