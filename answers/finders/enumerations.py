"""What a sentence enumerates: the members of what the question names in the plural ("Expected companies include Tern, Holm and Marl"), and the value
that stands for one of several things told "respectively"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from answers.finders.rule_answer import LIKELY_CHANCE, SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import AnswerKind, is_of_another_kind
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.language.content_words import stems
from core.language.inflections import singularize_english
from core.lazy_patterns import compile_when_used

_WHICH_SEVERAL = re.compile(
    r"^\W*(?:which|what|who)\s+(?:(?:are|were)\s+(?:the\s+)?)?(?:[a-z]+\s+){0,2}?(?P<noun>[a-z]{3,}s)\b(?!\s+(?:is|was|has|of\s+the\s+\w+\s+is)\b)",
    re.IGNORECASE,
)
_MEMBERS = compile_when_used(
    r"\b(?P<noun>[a-z]{3,}s)\s+(?:(?:will|may|can)\s+)?(?:include[sd]?|are|were|comprise[sd]?|such\s+as|like|namely|:)\s*:?\s+(?P<members>[^.;:]*?,\s*[^.;:]+?(?:,|\band\b|&|etc)[^.;:]*)",
    re.IGNORECASE,
)
_LEAST_SHARE = 0.4  # of the question in the sentence that enumerates
_LEAST_RESPECTIVE_SHARE = 0.3  # of the question, in the sentence that tells several "respectively"
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_ITEM = r"(?:(?:[£$€]\s?)?\d+(?:[.,]\d+)*(?:\s?%)?|(?:[Tt]he\s+)?[^\W\d_][\w’'-]*(?:\s+[A-ZÀ-Þ][\w’'-]*)*)"
_SERIES = compile_when_used(rf"(?P<first>{_ITEM})(?P<more>(?:,\s+{_ITEM})*),?\s+(?:and|or|&)\s+(?P<last>{_ITEM})")
_MORE = compile_when_used(rf",\s+({_ITEM})")


def enumerated_members(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return what the best sentence enumerates of what the question asks for in the plural; None where none does."""
    asked = _WHICH_SEVERAL.match(question.text)
    if asked is None or question.answer_kind not in {AnswerKind.ANYTHING, AnswerKind.NAME}:
        return None
    noun = singularize_english(asked["noun"].lower())
    best: tuple[float, UnitSpan] | None = None
    for place, unit in enumerate(units):
        if not unit.unit.choosable or unit.is_for_another or unit.unit.role is Role.ROW or unit.lex < _LEAST_SHARE:
            continue
        said = next((each for each in _MEMBERS.finditer(unit.unit.text) if singularize_english(each["noun"].lower()) == noun), None)
        if said is not None and (best is None or unit.score > best[0]):
            start, end = said.span("members")
            best = unit.score, UnitSpan(place, start, start + len(unit.unit.text[start:end].rstrip(" ,")))
    if best is None:
        return None
    span = best[1]
    return RuleAnswer(units[span.unit].unit.text[span.start : span.end], (span,), LIKELY_CHANCE, "span")


def respective_value(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the value told of the one thing that the question names: "2.6" of "for 1, 2 and 10 years 0.3, 0.6 and 2.6 percent, respectively"; None
    where it names none of them, or several."""
    for place, unit in sorted(enumerate(units), key=lambda pair: -pair[1].score):
        if not unit.unit.choosable or unit.lex < _LEAST_RESPECTIVE_SHARE or _RESPECTIVELY.search(unit.unit.text) is None:
            continue
        series = [_members(match) for match in _SERIES.finditer(unit.unit.text) if _RESPECTIVELY.search(match.group()) is None]
        pairs = [(one, other) for one, other in pairwise(series) if len(one) == len(other)]
        span = _paired(question, unit.unit.text, *pairs[-1]) if pairs else None
        if span is not None and not is_of_another_kind(question.answer_kind, unit.unit.text[slice(*span)]):
            return RuleAnswer(unit.unit.text[slice(*span)], (UnitSpan(place, *span),), SURE_CHANCE, "span")
    return None


def _members(series: re.Match[str]) -> list[tuple[int, int]]:
    """Return [start:end] of the members of a series in its text."""
    return [series.span("first"), *(match.span(1) for match in _MORE.finditer(series.string, *series.span("more"))), series.span("last")]


def _paired(question: Question, text: str, things: Sequence[tuple[int, int]], values: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return [start:end] of the value whose thing alone the question names."""
    asked = stems(question.text) | set(re.findall(r"\d+(?:[.,]\d+)*", question.text))
    named = [place for place, (start, end) in enumerate(things) if _words(text[start:end]) and _words(text[start:end]) <= asked]
    return values[named[0]] if len(named) == 1 else None


def _words(text: str) -> frozenset[str]:
    return stems(text) | frozenset(re.findall(r"\d+(?:[.,]\d+)*", text))
