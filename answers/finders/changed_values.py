"""The value that something was changed to: "from 10 mg to 20 mg" for "What is the new dose of …?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import capitalised_spans
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import CONTEXT_ROLES, Role
from core.language.content_words import stems
from core.lazy_patterns import compile_when_used

_ASKS_NEW = compile_when_used(
    r"^\W*(?:what|which|how\s+(?:much|many|long|high|often|fast)|welche[rsnm]?|wie\s+(?:hoch|lange?|viele?|oft))\b[^?]*"
    r"\b(?:new|increased|raised|reduced|lowered|revised|updated|changed|neue[rsnm]?|erhöhte[rsnm]?|geänderte[rsnm]?)\b",
    re.IGNORECASE,
)
_VALUE = r"[$€£¥]?\s?\d[\d.,]*(?<![.,])(?:\s?(?:%|‰|°[CF]?|[^\W\d_]{1,12}))?"
_CHANGE = compile_when_used(rf"\b(?:from|von)\s+{_VALUE}\s+(?:to|auf)\s+(?P<now>{_VALUE})", re.IGNORECASE)
_LEAST_SHARE = 0.4  # of the question in the sentence, "new" and the word for the value left aside


def changed_value(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the second value of "from … to …" in the sentence that holds most of a question for the new one, with all names in that; None where no
    sentence has one, or two hold as much of the question and differ."""
    if _ASKS_NEW.match(question.text) is None:
        return None
    names = stems(" ".join(question.text[start:end] for start, end in capitalised_spans(question.text) if start > 0))
    found = [
        (round(unit.lex, 4), place, match)
        for place, unit in enumerate(units)
        if unit.unit.role not in {Role.ROW, *CONTEXT_ROLES} and unit.lex >= _LEAST_SHARE and names <= stems(unit.unit.text)
        if (match := _CHANGE.search(unit.unit.text)) is not None
    ]
    if not found:
        return None
    most, place, match = max(found, key=lambda each: each[0])
    if len({other["now"].casefold() for share, _, other in found if share == most}) > 1:
        return None
    return RuleAnswer(match["now"], (UnitSpan(place, *match.span("now")),), SURE_CHANCE, "span")
