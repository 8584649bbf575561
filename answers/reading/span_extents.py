"""How far a lead reaches: with the words that bound its figure ("more than 7%"), the whole of a figure with a stroke ("142/88"), and all that a
sentence names side by side where several are asked for; the reason as it is given; without a number that stands in front of a time."""

from __future__ import annotations

import re
from dataclasses import replace

from answers.questions.answer_kinds import AnswerKind, holds_kind
from answers.reading.evidence_reading import FoundSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.names_beside import with_names_beside
from core.language.dates import DATES
from core.lazy_patterns import compile_when_used

_BOUND = compile_when_used(
    r"(?:\b(?:(?:not\s+|no\s+)?(?:more|less|fewer|longer|later|earlier)\s+than|over|under|above|below|at\s+(?:least|most)|up\s+to|nearly|almost|about|around|"
    r"approximately|roughly|approx\.|ca\.|mehr\s+als|weniger\s+als|mindestens|höchstens|bis\s+zu|über|unter|rund|etwa|fast|knapp)\s+|[~≈<>≤≥±]\s?)$",
    re.IGNORECASE,
)
_STROKE_BEHIND = compile_when_used(r"(?:/\d+(?:[.,]\d+)*)+(?![\w/])")
_STRAY_NUMBER = compile_when_used(r"\d{1,3}\s+(?=(?:for|in|at|within|until|after|during)\s)", re.IGNORECASE)
_LIMIT_BEHIND = compile_when_used(r"\s+[<>≤≥]\s?\d")  # "6.8% <5.7% HIGH": what it is, and what it should be
_BEGINS_WITH_FIGURE = compile_when_used(r"[$€£¥]?\d")
# "Which types are there?", "What is it made of?", "To which countries …?": several may be the answer.
_ASKS_SEVERAL = compile_when_used(
    r"^\W*(?:(?:to|in|from|for|on|by|with|at|of)\s+)?(?:which|what)\s+(?:(?:are|were)\s+(?:the\s+)?)?(?:(?!is\b|was\b|does\b|has\b)[a-z-]+\s+){0,2}?"
    r"[a-z]{2,}[^s\W]s\b(?<!us)(?<!is)(?!['’])|"
    # "On which three sets …?", "Auf welchen drei Datensätzen …?"
    r"^\W*(?:\w+\s+)?(?:which|what|welche[nmrs]?|quel(?:le)?s|qué|cuáles)\b[^?]{0,40}?\b(?:two|three|four|five|six|zwei|drei|vier|fünf|sechs|deux|trois|quatre|cinq|"
    r"dos|tres|cuatro|cinco)\b|^\W*(?:what|woraus)\b[^?]*\b(?:made|built|composed|consists?|besteht|gemacht)\b",
    re.IGNORECASE,
)
_OPENING_QUOTES = ("“", '"', "„")
_WORD = r"[^\W_](?:[\w’'/.-]*\w)?"
# One of several things: words with what stands in brackets behind them, or a title in quotes.
_THING = rf"(?:“[^”]{{1,60}}”|\"[^\"]{{1,60}}\"|„[^“]{{1,60}}“|{_WORD}(?:\s+{_WORD}){{0,11}}?)(?:\s+\([^()]{{1,40}}\))?"
_AND = r"(?:and|or|&|und|oder|sowie|et|y)"
_OTHERS = compile_when_used(
    rf"(?:[”\"“]|\s+\([^()]{{1,40}}\))?(?:\s+{_AND}\s+{_THING}(?=,))?(?:,\s+{_THING}){{0,8}},?\s+{_AND}\s+{_THING}"
    r"(?=\s*(?:[.;:)]|$)|(?<=[”\"])\s+[a-z])"
)
_ASKS_WHO = compile_when_used(r"^\W*(?:by\s+)?(?:who|whom|wer|wen|wem)\b", re.IGNORECASE)
_VERB = compile_when_used(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|would|can|could|may|might|must|shall|should|do|does|did|ist|sind|war|waren|hat|haben|wird|werden|"
    r"kann|können|muss|müssen)\b",
    re.IGNORECASE,
)
# A reason up to the end of what is said of it: "because it damages the health of the ducks and pollutes waterways".
_REASON = compile_when_used(
    r"\b(?:because(?:\s+of)?|due\s+to|owing\s+to|thanks\s+to|as\s+a\s+result\s+of|caused\s+by|weil|aufgrund|wegen)\s+(?P<reason>[^;:]{2,}?)(?=[;:]|[.!?]+(?:\[\d+\])*(?:\s|$)|$)",
    re.IGNORECASE,
)
_MOST_REASON_WORDS = 40
_ASKS_YEAR_OR_MONTH = compile_when_used(r"\b(?:years?|months?|decades?|jahr\w*|monat\w*|années?|mois|años?|mes)\b", re.IGNORECASE)
# "AMD EPYC" is a processor, and "AMD EPYC 7763" the one that is meant.
_ENDS_AS_NAME = compile_when_used(r"(?:^|\s)[A-ZÀ-Þ][\w-]*$")
_MODEL_NUMBER = compile_when_used(
    r" (?!(?:1[89]|20)\d\d\b)(?:[A-Z]+-?)?(?:\d{3,5}[A-Za-z]{0,2}\b(?![.,]?\d|\s*%)|\d\d[A-Za-z]{0,2}\b(?![.,]?\d|\s*(?:%|[a-z])))"
)


def complete_span(question: Question, unit: ScoredUnit, span: FoundSpan) -> FoundSpan:
    """Return the span as far as it reaches in its unit; as it is in a row, and where it goes on behind its unit."""
    start, end, text = span.start - unit.unit.start, span.end - unit.unit.start, unit.unit.text
    if unit.unit.role is Role.ROW or start < 0 or text[start:end] != span.text:
        return span
    if (stray := _length_of_stray_number(question, span.text)) > 0:
        start += stray
    elif (day := _day_around(question, text, start, end)) is not None:
        start, end = day
    elif _BEGINS_WITH_FIGURE.match(span.text) is not None:
        end = start + (limit.start() if (limit := _LIMIT_BEHIND.search(span.text)) is not None else len(span.text))
        start -= _length_of_bound(question, text[:start])
        end += _length(_STROKE_BEHIND, text, end)
    else:
        start, end = _reach_of_words(question, text, start, end)
    return replace(span, start=unit.unit.start + start, end=unit.unit.start + end, text=text[start:end])


def _reach_of_words(question: Question, text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span of words with the things or names beside it where several may be asked for, the whole of a reason, the number of a model."""
    if _ASKS_SEVERAL.match(question.text) is not None and (more := _length_of_others(text, end)) > 0:
        return start - (text[start - 1 : start] in _OPENING_QUOTES), end + more
    if question.answer_kind is AnswerKind.NAME and _ASKS_WHO.match(question.text) is not None and text[start : start + 1].isupper():
        return with_names_beside(text, start, end)
    if question.answer_kind is AnswerKind.REASON:
        return _span_of_reason(text, start, end)
    if question.answer_kind is AnswerKind.ANYTHING and _ENDS_AS_NAME.search(text[start:end]) is not None:
        return start, end + _length(_MODEL_NUMBER, text, end)
    return start, end


def _day_around(question: Question, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the whole day that a span is a part of ("16 Dec 2022" of "2022"), where a time is asked for and no year or month; None where it is
    part of none."""
    if question.answer_kind is not AnswerKind.TIME or _ASKS_YEAR_OR_MONTH.search(question.text) is not None:
        return None
    days = (match.span() for match in DATES.finditer(text))
    return next((day for day in days if day[0] <= start and end <= day[1] and day != (start, end)), None)


def _span_of_reason(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the whole of the reason that a span is a part of, or of the only one that its sentence gives; the span where it says itself why ("to
    avoid floods"), or no reason is short enough."""
    reasons = [found.span("reason") for found in _REASON.finditer(text) if len(found["reason"].split()) <= _MOST_REASON_WORDS]
    own = next(((first, last) for first, last in reasons if first <= start < last), None)
    if own is not None:
        return own[0], max(own[1], end)
    if len(reasons) != 1 or holds_kind(AnswerKind.REASON, text[start:end], frozenset()):
        return start, end
    return reasons[0]


def _length_of_stray_number(question: Question, said: str) -> int:
    """Return how many characters a number takes that stands in front of a time and is none: "area 3 for about 15 minutes"."""
    if question.answer_kind not in {AnswerKind.DURATION, AnswerKind.TIME, AnswerKind.CLOCK}:
        return 0
    length = _length(_STRAY_NUMBER, said, 0)
    return length if length and holds_kind(question.answer_kind, said[length:], question.words) else 0


def _length_of_bound(question: Question, before: str) -> int:
    """Return how many characters in front of a figure bound it; none in front of a day ("over 2020") or an hour."""
    if question.answer_kind in {AnswerKind.TIME, AnswerKind.CLOCK}:
        return 0
    found = _BOUND.search(before)
    return len(found.group()) if found is not None else 0


def _length(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() - at if found is not None else 0


def _length_of_others(text: str, end: int) -> int:
    """Return how many characters behind a span name others beside it, up to the end of the sentence's part; none where a verb stands among them."""
    more = _length(_OTHERS, text, end)
    return more if _VERB.search(text, end, end + more) is None else 0
