"""Runs over a set, kept as a JSON file each in VANTAGE_HOME/evaluation/runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import Conflict, NotFound
from evaluation.measured_questions import MeasuredQuestion
from evaluation.percentiles import percentile
from evaluation.text_diversity import Diversity, measure_diversity


class RunOwner(NamedTuple):
    """Whose a run is, and who reads: a person of a tenant. `person` None reads as everybody of it, where there are no keys."""

    tenant: str
    person: str | None

    def is_read_by(self, reader: RunOwner) -> bool:
        """Return whether this one's runs are shown to `reader`: they hold questions, and what the documents of one person are called."""
        return self.tenant == reader.tenant and reader.person in {None, self.person}


LOCAL_PERSON = RunOwner("default", "local")  # who asks on the command line (`server.auth`)


class EvaluationRun(BaseModel):
    """A set with what each of its questions brought. `k` is the depth of the measures; `strategy`, `pipeline`, `without` and `settings` are how it
    was searched, `embedder` the embedding model; `tenant` and `person` asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    set_name: str
    started_at: datetime
    k: int
    strategy: str
    pipeline: str = "auto"
    without: list[str] = Field(default_factory=list)
    settings: dict[str, Any] = Field(default_factory=dict)
    embedder: str = ""
    documents: int = 0
    tenant: str = LOCAL_PERSON.tenant
    person: str = LOCAL_PERSON.person or ""
    questions: list[MeasuredQuestion]

    @property
    def owner(self) -> RunOwner:
        return RunOwner(self.tenant, self.person)

    @property
    def judged(self) -> list[MeasuredQuestion]:
        return [question for question in self.questions if question.scores]

    def means(self) -> dict[str, float]:
        """Return the mean of each measure over the judged questions."""
        names = self.judged[0].scores if self.judged else ()
        return {name: _mean([question.scores[name] for question in self.judged]) for name in names}

    def diversity(self) -> Diversity:
        return measure_diversity([question.texts for question in self.questions])

    def stage_times(self) -> dict[str, dict[str, float]]:
        """Return mean and 95th percentile in milliseconds of each step, over the questions that took it, and of the whole question."""
        steps = dict.fromkeys(step for question in self.questions for step in question.stages)
        taken = {step: [question.stages[step] for question in self.questions if step in question.stages] for step in steps}
        taken["whole question"] = [question.ms for question in self.questions]
        return {step: {"mean": _mean(times), "p95": percentile(times, 0.95), "questions": len(times)} for step, times in taken.items() if times}

    def refusals(self) -> dict[str, float | int]:
        """Return the share of the unanswerable questions that were refused, and of the answerable ones; {} where no answers were made."""
        judged = [question for question in self.questions if question.refused is not None and question.answerable is not None]
        shares: dict[str, float | int] = {}
        for name, answerable in (("unanswerable", False), ("answerable", True)):
            asked = [question for question in judged if question.answerable is answerable]
            if asked:
                shares |= {f"{name}_questions": len(asked), f"{name}_refused": _mean([float(bool(question.refused)) for question in asked])}
        return shares

    def summary(self) -> dict[str, Any]:
        """Return the figures of the run without its questions."""
        return {
            **self.model_dump(mode="json", exclude={"questions", "tenant", "person"}),
            "questions": len(self.questions),
            "judged": len(self.judged),
            "asked_back": sum(question.asked_back for question in self.questions),
            "metrics": self.means(),
            "refusals": self.refusals(),
            "diversity": {name: value for name, value in self.diversity().as_json().items() if name != "most_common"},
            "times_ms": self.stage_times(),
            "degraded": sorted({each for question in self.questions for each in question.degraded}),
        }


def make_run_id(set_name: str, at: datetime, taken: Iterable[str] = ()) -> str:
    """Return an id that says when and of what: 20261125-190003-scifact."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", set_name).strip("-")[:40] or "set"
    first = f"{at:%Y%m%d-%H%M%S}-{name}"
    used = set(taken)
    return first if first not in used else next(each for number in range(2, len(used) + 3) if (each := f"{first}-{number}") not in used)


class StoredRuns:
    """The runs in a folder. An unfinished one is never there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ids(self) -> list[str]:
        """Return the ids, oldest first."""
        return sorted(path.stem for path in self.folder.glob("*.json"))

    def save(self, run: EvaluationRun) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.folder / f"{run.id}.json"
        temporary = path.with_suffix(".part")
        temporary.write_text(run.model_dump_json() + "\n", encoding="utf-8")
        temporary.replace(path)
        return path

    def load(self, named: str) -> EvaluationRun:
        """Load a run by its id, the only beginning or end of one, `last` or `previous`. Raises NotFound, Conflict for several."""
        found = _find_run(self.ids(), named)
        path = self.folder / f"{found}.json"
        try:
            return EvaluationRun.model_validate_json(path.read_text(encoding="utf-8"))
        except ValidationError as error:
            raise Conflict(f"{path} is no run of this version: {error.errors()[0]['msg']}.") from error


def _find_run(ids: Sequence[str], named: str) -> str:
    recent = {"last": -1, "previous": -2}
    if named in recent and len(ids) >= -recent[named]:
        return ids[recent[named]]
    found = [each for each in ids if each == named] or [each for each in ids if named and (each.startswith(named) or each.endswith(named))]
    if not found:
        raise NotFound(f"There is no run {named!r}. `vantage eval list` lists those that are kept.")
    if len(found) > 1:
        raise Conflict(f"{named!r} may be {' or '.join(found[:5])}.")
    return found[0]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
