"""The part of a question that stands in the sentence that would answer it, in words and in meaning: two signals beside those of the reader.

A text that all but answers holds the very thing of another question ("Who founded the eastern mill?" over a text about the western one), so the
reader is nearly as sure of it. Its sentence then lacks a word of the question. Inflections, words of one family and synonyms count as
`Question.share` counts them, and of the meaning the nearest sentence is taken, not the lead's own: a few typed words are near to no single one.
"""

from __future__ import annotations

from collections.abc import Sequence

from answers.calibration.answerability import MEANING_HELD, WORDS_HELD
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role


def question_coverage(question: Question, units: Sequence[ScoredUnit], place: int | None, decided: float) -> dict[str, float]:
    """Return both signals, in 0..1. `place` is the unit of the lead; None: the best one. A row is represented by the row that holds most of the
    question: the reader knows little of rows, and which of them is shown is decided by words. What was `decided` (its chance) need not use the words
    of the question."""
    if not units:
        return {WORDS_HELD: decided, MEANING_HELD: decided}
    unit = units[place] if place is not None else max(units, key=lambda each: each.score)
    candidates = [each for each in units if each.unit.role is Role.ROW] if place is not None and unit.unit.role is Role.ROW else [unit]
    meaning = max(each.cosine or 0.0 for each in units)
    return {
        WORDS_HELD: round(max(decided, *(question.share(each.terms | each.covered_terms) for each in candidates)), 4),
        MEANING_HELD: round(min(1.0, max(meaning, decided)), 4),
    }
