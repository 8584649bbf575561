"""The day on which something ends: "The term is ten years … ending on 30 April 2031", for "When does the lease end?".

A sentence that says when somebody may end it ("may end this lease on 30 April 2028") has the same words, and is another answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
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
