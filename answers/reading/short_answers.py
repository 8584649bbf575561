"""The likely short answer inside a sentence, marked only when there is exactly one candidate of the wanted kind."""

from __future__ import annotations

import re

from answers.questions.answer_kinds import CLOCK, NUMBER, REFERENCE, TIME, AnswerKind, capitalised_spans
from answers.scoring.unit_scores import Question
from core.lazy_patterns import compile_when_used

Span = tuple[int, int]
# A number that says how old or long a thing is, and counts nothing: "4-year-old".
MEASURE_OF_THING = compile_when_used(r"\W*\d+-(?:year|month|week|day|hour|minute|page|storey|story|bed(?:room)?|door|seat)s?\b", re.IGNORECASE)


def highlight(question: Question, text: str, begin: int) -> Span | None:
    """Return offsets in `text` (from `begin` on) of the only time, hour, number or name that the question asks for and does not hold itself; else
    None."""
    candidates = [span for span in _candidates(question, text) if span[0] >= begin]
    return candidates[0] if len(candidates) == 1 else None


def _candidates(question: Question, text: str) -> list[Span]:
    if question.answer_kind is AnswerKind.TIME:
        return [match.span() for match in TIME.finditer(text)]
    if question.answer_kind is AnswerKind.CLOCK:
        return [match.span() for match in CLOCK.finditer(text)]
    if question.answer_kind.is_figure:
        counts, named = question.answer_kind is AnswerKind.NUMBER, [match.span() for match in REFERENCE.finditer(text)]
        found = [match.span() for match in NUMBER.finditer(text) if not (counts and MEASURE_OF_THING.match(text, match.start()))]
        return [span for span in found if not any(start <= span[0] < end for start, end in named)]  # "clause 8.4" names a place
    return _names(question, text) if question.answer_kind is AnswerKind.NAME else []


def _names(question: Question, text: str) -> list[Span]:
    """Return runs of capitalised words that share no word with the question; the sentence's first word alone is no name."""
    runs: list[Span] = []
    for start, end in capitalised_spans(text):
        if runs and text[runs[-1][1] : start] == " ":
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return [run for run in runs if _is_new(question, text[slice(*run)]) and not (run[0] == 0 and " " not in text[slice(*run)])]


def _is_new(question: Question, name: str) -> bool:
    return not any(word.lower() in question.words for word in name.split())
