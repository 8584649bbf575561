"""The kept runs of `vantage eval run` and the sets of `vantage eval make`, as the page reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import anyio.to_thread

from core.errors import Conflict, InvalidInput, NotFound
from evaluation.evaluation_sets import load_set
from evaluation.paired_bootstrap import LEVEL, RESAMPLES, PairedDifference
from evaluation.run_comparison import compare_runs
from evaluation.stored_runs import LOCAL_PERSON, EvaluationRun, RunOwner, StoredRuns
from server.evaluation_schemas import (
    EvaluationComparison,
    EvaluationRunDetail,
    EvaluationRunList,
    EvaluationRunOut,
    EvaluationSetList,
    EvaluationSetOut,
    MeasureDifference,
    QuestionChange,
    RunQuestionOut,
)

_WEAKEST = 20
_Read = TypeVar("_Read")


class KeptEvaluations:
    """Implements `server.services.EvaluationRecords` over VANTAGE_HOME/evaluation. What a run comes to is read once for each version of its file."""

    def __init__(self, home: Path) -> None:
        self._runs = StoredRuns(home / "evaluation" / "runs")
        self._sets = home / "evaluation" / "sets"
        self._known: dict[str, tuple[int, RunOwner, EvaluationRunOut]] = {}

    async def list_runs(self, tenant: str, owner: str | None, limit: int) -> EvaluationRunList:
        return await _read_aside(lambda: self._list_runs(RunOwner(tenant, owner), limit))

    async def read_run(self, tenant: str, owner: str | None, run_id: str) -> EvaluationRunDetail:
        run = await _read_aside(lambda: self._load(RunOwner(tenant, owner), run_id))
        judged = run.judged
        measure = next(iter(judged[0].scores), "") if judged else ""
        short = (question for question in judged if question.scores[measure] < 1)
        weakest = sorted(short, key=lambda question: (question.scores[measure], question.id))[:_WEAKEST]
        shown = [RunQuestionOut.model_validate(each.model_dump(include=set(RunQuestionOut.model_fields))) for each in weakest]
        return EvaluationRunDetail(run=_summarize(run), measured_by=measure, weakest=shown)

    async def compare(self, tenant: str, owner: str | None, before: str, after: str) -> EvaluationComparison:
        return await _read_aside(lambda: self._compare(RunOwner(tenant, owner), before, after))

    async def list_sets(self, tenant: str, owner: str | None) -> EvaluationSetList:
        if not LOCAL_PERSON.is_read_by(RunOwner(tenant, owner)):
            return EvaluationSetList(sets=[])
        return await _read_aside(lambda: EvaluationSetList(sets=[_describe_set(path) for path in sorted(self._sets.glob("*/"))]))

    def _list_runs(self, reader: RunOwner, limit: int) -> EvaluationRunList:
        runs: list[EvaluationRunOut] = []
        unreadable: list[str] = []
        total = 0
        for run_id in reversed(self._runs.ids()):
            try:
                owner, found = self._look_up(run_id)
            except Conflict:
                unreadable += [run_id] if LOCAL_PERSON.is_read_by(reader) else []
                continue
            if owner.is_read_by(reader):
                total += 1
                runs += [found] if len(runs) < limit else []
        return EvaluationRunList(runs=runs, total=total, unreadable=unreadable)

    def _look_up(self, run_id: str) -> tuple[RunOwner, EvaluationRunOut]:
        changed = (self._runs.folder / f"{run_id}.json").stat().st_mtime_ns
        known = self._known.get(run_id)
        if known is None or known[0] != changed:
            run = self._runs.load(run_id)
            known = self._known[run_id] = (changed, run.owner, _summarize(run))
        return known[1:]

    def _load(self, reader: RunOwner, run_id: str) -> EvaluationRun:
        """Raises NotFound for a run that is not there, and for one that is somebody else's."""
        if run_id not in self._runs.ids():
            raise NotFound("There is no such run.")
        run = self._runs.load(run_id)
        if not run.owner.is_read_by(reader):
            raise NotFound("There is no such run.")
        return run

    def _compare(self, reader: RunOwner, before: str, after: str) -> EvaluationComparison:
        one, other = self._load(reader, before), self._load(reader, after)
        found = compare_runs(one, other)
        return EvaluationComparison(
            before=_summarize(one),
            after=_summarize(other),
            questions=found.questions,
            level=LEVEL,
            resamples=RESAMPLES,
            measures=[_describe_difference(name, each) for name, each in found.measures.items()],
            moved_by=found.moved_by,
            moved=[QuestionChange.model_validate(asdict(each)) for each in found.moved],
        )


async def _read_aside(read: Callable[[], _Read]) -> _Read:
    """Read files in a thread: nothing waits for a disk."""
    return await anyio.to_thread.run_sync(read)


def _summarize(run: EvaluationRun) -> EvaluationRunOut:
    return EvaluationRunOut.model_validate(run.summary())


def _describe_difference(name: str, found: PairedDifference) -> MeasureDifference:
    return MeasureDifference(name=name, certain=found.low > 0 or found.high < 0, **asdict(found))


def _describe_set(folder: Path) -> EvaluationSetOut:
    try:
        found = load_set(folder)
    except (InvalidInput, OSError, UnicodeDecodeError) as error:
        return EvaluationSetOut(name=folder.name, questions=0, judged=0, unanswerable=0, rules={}, problem=str(error))
    return EvaluationSetOut(
        name=folder.name,
        questions=len(found.questions),
        judged=sum(question.is_judged for question in found.questions),
        unanswerable=sum(question.answerable is False for question in found.questions),
        rules=dict(Counter(question.rule for question in found.questions if question.rule)),
        problem="",
    )
