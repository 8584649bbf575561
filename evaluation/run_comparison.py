"""Two runs over the same questions: the difference of each measure with its interval, and the questions that moved most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InvalidInput
from evaluation.measured_questions import MeasuredQuestion
from evaluation.paired_bootstrap import PairedDifference, paired_difference
from evaluation.stored_runs import EvaluationRun


@dataclass(frozen=True, slots=True)
class MovedQuestion:
    """A question whose first measure changed, with the places of its first right document (None: not among the results)."""

    id: str
    text: str
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class RunComparison:
    """`measures` are those that both runs have, `moved` the questions by how much `moved_by` changed, most first."""

    questions: int
    measures: dict[str, PairedDifference]
    moved_by: str
    moved: tuple[MovedQuestion, ...]


def compare_runs(before: EvaluationRun, after: EvaluationRun, *, most: int = 10) -> RunComparison:
    """Compare what both runs judged. Raises InvalidInput where that is nothing."""
    earlier = {(question.id, question.text): question for question in before.judged}
    pairs = [(earlier[question.id, question.text], question) for question in after.judged if (question.id, question.text) in earlier]
    if not pairs:
        raise InvalidInput(f"{before.id} and {after.id} have no question in common: they are runs over different sets.")
    names = [name for name in pairs[0][0].scores if name in pairs[0][1].scores]
    measures = {name: paired_difference(*_columns(pairs, name)) for name in names}
    moved_by = names[0]
    moved = [MovedQuestion(one.id, one.text, one.scores[moved_by], other.scores[moved_by]) for one, other in pairs]
    ordered = sorted((each for each in moved if each.change), key=lambda each: (-abs(each.change), each.id))
    return RunComparison(len(pairs), measures, moved_by, tuple(ordered[:most]))


def _columns(pairs: Sequence[tuple[MeasuredQuestion, MeasuredQuestion]], name: str) -> tuple[list[float], list[float]]:
    return [one.scores[name] for one, _ in pairs], [other.scores[name] for _, other in pairs]
