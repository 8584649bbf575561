"""The factor by which one thing is more than another: of "25 times faster than the interpreter, and 5 times faster than V8" the one that is asked
for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from core.claim_words import label_words
from core.language.question_wording import strip_politeness

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:by\s+)?(?:how\s+much|how\s+many\s+times)\s+(?P<more>(?:more|less)\s+\w+|\w+er)\s+(?:is|are|was|were|does|do|did)\s+.+?\s+than\s+(?P<other>.+?)\W*$",
    re.IGNORECASE,
)
_FACTOR_STATEMENT = re.compile(
    r"(?P<value>\d[\d.,]*\s*(?:x|×|%|per\s?cent|percent|times|-?fold))\s+(?P<more>(?:more|less)\s+\w+|\w+er)\s+than\s+(?P<other>[^.,;:()]{2,80})",
    re.IGNORECASE,
)


def compared_factor(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the factor that a sentence gives for the very thing that is compared with; None where no sentence does, or several do differently."""
    asked = _QUESTION_PATTERN.match(strip_politeness(question.text))
    other = label_words(asked["other"]) if asked is not None else frozenset[str]()
    if asked is None or not other:
        return None
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        for said in _FACTOR_STATEMENT.finditer(unit.unit.text) if unit.unit.choosable and not unit.is_for_another else ():
            shared = other & label_words(said["other"])
            if shared and 2 * len(shared) >= len(other) and said["more"].casefold() == asked["more"].casefold():
                found.setdefault(said["value"].casefold(), UnitSpan(place, *said.span("value")))
    if len(found) != 1:
        return None
    span = next(iter(found.values()))
    return RuleAnswer(units[span.unit].unit.text[span.start : span.end], (span,), SURE_CHANCE, "span")
