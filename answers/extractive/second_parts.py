"""The answer to a second question that stands behind the first one: "and when?", "and at what price?"."""

from __future__ import annotations

from collections.abc import Sequence

from answers.questions.answer_kinds import AnswerKind, answer_kind_of, holds_kind
from answers.questions.question_parts import bare_second_question
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.scoring.unit_selection import Bounds


def add_second_part(question: Question, chosen: list[ScoredUnit], units: Sequence[ScoredUnit], bounds: Bounds) -> list[ScoredUnit]:
    """Return the chosen units, and behind them the best one of their documents that holds the time or figure that is asked for second, where none of
    them does. Unchanged where the question is one, or nothing fits the answer."""
    kind = answer_kind_of(bare_second_question(question.text))
    if not (kind.is_figure or kind in {AnswerKind.TIME, AnswerKind.CLOCK}) or not chosen:
        return chosen
    if any(holds_kind(kind, unit.unit.text, question.words) for unit in chosen):
        return chosen
    documents, least = {unit.document for unit in chosen}, bounds.least_score * max(unit.score for unit in units)
    room = bounds.max_words - sum(unit.words for unit in chosen)
    fitting = [
        unit
        for unit in units
        if unit.unit.choosable
        and not unit.is_for_another
        and unit.document in documents
        and unit.score >= least
        and unit.words <= room
        and holds_kind(kind, unit.unit.text, question.words)
    ]
    return [*chosen, max(fitting, key=lambda unit: unit.score)] if fitting else chosen
