"""The day on which something ends, and how long it runs: "The term is ten years … ending on 30 April 2031", for "When does the lease end?".

A sentence that says when somebody may end it ("may end this lease on 30 April 2028") has the same words, and is another answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import AnswerKind, values_of
from answers.scoring.unit_scores import Question, ScoredUnit
from core.claim_words import label_words
from core.language.dates import DATES, day_of
from core.language.question_wording import strip_politeness

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:and\s+)?(?:when|on\s+what\s+(?:day|date))\s+(?:does|do|did|will|would)\s+(?P<thing>.+?)\s+(?:end|expire|run\s+out|finish|lapse|terminate)\W*$|"
    r"^\W*(?:and\s+)?(?:until\s+when|till\s+when|how\s+long)\s+(?:is|are|was|were)\s+(?P<valid>.+?)\s+(?:valid|open|in\s+force|good)\W*$",
    re.IGNORECASE,
)
_END = re.compile(
    r"\b(?:(?P<ends>end(?:s|ed|ing)?|expir(?:es?|ed|ing|y)|r[ua]n(?:s|ning)?\s+out|terminat(?:es?|ed|ing)|(?:valid|stands?|open|in\s+force)\b[^.;]{0,60}?\buntil)|until|till)"
    r"\s*:?\s*(?:on\s+|the\s+)?$",
    re.IGNORECASE,
)
_TERM_QUESTION = re.compile(
    r"^\W*(?:and\s+)?(?:how\s+long\s+(?:does|do|is|are|was|will|did)\s+(?P<thing>.+?)(?:\s+(?:run|last|valid|in\s+force|for|be|go\s+on))?|"
    r"what\s+(?:is|was)\s+the\s+(?:term|duration|length|period)\s+of\s+(?P<of>.+?))\W*$",
    re.IGNORECASE,
)
_TERM = re.compile(
    r"\b(?:term|duration|laufzeit|dauer)\b\W{1,3}(?:of\s+(?:the|this)\s+\w+\s+)?(?:is\s+|shall\s+be\s+|runs\s+for\s+)?(?:for\s+)?$|"
    r"\bfor\s+a\s+(?:fixed\s+)?(?:term|period)\s+of\s+$|\b(?:runs|lasts|is\s+valid|is\s+made|is\s+concluded)\s+for\s+$",
    re.IGNORECASE,
)
_OPTION = re.compile(r"\b(?:may|might|can|could|would|option|if|unless|earlier|early)\b")
_KINDS = label_words("quote quotation offer bid proposal tender contract agreement lease policy licence license subscription insurance warranty")


def end_day(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the day on which a sentence says that the thing ends; None where several days are said, or none."""
    asked = _QUESTION_PATTERN.match(strip_politeness(question.text))
    words = label_words(asked["thing"] or asked["valid"]) if asked is not None else frozenset[str]()
    needed = words - _KINDS or words
    if not needed:
        return None
    said: dict[bool, dict[str, UnitSpan]] = {True: {}, False: {}}
    for place, unit in enumerate(units):
        if not unit.unit.choosable or not needed <= label_words(" ".join([*unit.names, unit.unit.lead_in, unit.unit.text])):
            continue
        for found in DATES.finditer(unit.unit.text):
            before = unit.unit.text[: found.start()]
            end, day = _END.search(before), day_of(found)
            if end is not None and day is not None and _OPTION.search(before) is None:
                said[end["ends"] is not None].setdefault(day.isoformat(), UnitSpan(place, *found.span()))
    days = said[True] or said[False]
    if len(days) != 1:
        return None
    span = next(iter(days.values()))
    return RuleAnswer(units[span.unit].unit.text[span.start : span.end], (span,), SURE_CHANCE, "span")


def term_length(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return how long a document says that it runs: "ten years" of "The term is ten years", for "How long does the lease run?"; None where several
    lengths are said, or none."""
    asked = _TERM_QUESTION.match(strip_politeness(question.text))
    words = label_words(asked["thing"] or asked["of"]) if asked is not None else frozenset[str]()
    said: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units) if words else ():
        if not unit.unit.choosable or unit.is_for_another or not words <= label_words(" ".join([*unit.names, unit.unit.lead_in])):
            continue
        for span in values_of(AnswerKind.DURATION, unit.unit.text):
            if _TERM.search(unit.unit.text[: span[0]]) is not None:
                said.setdefault(unit.unit.text[slice(*span)].casefold(), UnitSpan(place, *span))
    if len(said) != 1:
        return None
    found = next(iter(said.values()))
    return RuleAnswer(units[found.unit].unit.text[found.start : found.end], (found,), SURE_CHANCE, "span")
