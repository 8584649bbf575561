"""What is to be done in a case: the sentence that says so, in or right behind the one that tells the case, for "What should I do if …?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import CONTEXT_ROLES, Role
from core.language.content_words import stems
from core.lazy_patterns import compile_when_used

_ASKED = compile_when_used(
    r"^\W*(?:what\s+(?:must|should|shall|do|can|does|has|have|will)\b[^?]*?\bdo|was\s+(?:muss|soll(?:te)?|kann|ist)\b[^?]*?(?:tun|machen)),?\s+"
    r"(?:if|when|in\s+case(?:\s+of)?|after|wenn|falls|nach|bei)\s+(?P<case>[^?]+?)\W*$",
    re.IGNORECASE,
)
_ADVICE = compile_when_used(
    r"\b(?:need(?:s)?\s+to|must|should|shall|ha(?:ve|s)\s+to|please|(?:is|are)\s+required\s+to|muss|müssen|soll(?:te|ten|en)?|bitte)\b|"
    r"(?:^|[,;:]\s+(?:then\s+)?)(?:call|contact|ask|tell|inform|notify|report|press|turn|switch|open|close|check|remove|replace|reset|restart|stop|leave|"
    r"write|send|keep|use|click|go|see|return|apply|rinse|seek|wait|do\s+not|don['’]t|never)\b",
    re.IGNORECASE,
)
_CONDITION = compile_when_used(r"^\W*(?:if|when|in\s+case|should|wenn|falls|nach|bei)\b[^,;]*,", re.IGNORECASE)
_LEAST_SHARE = 0.6  # of the case's words in the sentence that tells it
_BEHIND = 2  # sentences


def advised_action(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the advice of a sentence that tells most of the case, or of the next ones in its passage, those with a condition ("If …") first; None
    where none of them gives any."""
    asked = _ASKED.match(question.text)
    case = stems(asked["case"]) if asked is not None else frozenset[str]()
    if len(case) < 2:  # one word is told everywhere
        return None
    telling = [
        (_CONDITION.match(unit.unit.text) is None, -held, place)
        for place, unit in enumerate(units)
        if _may_tell(unit) and (held := len(case & stems(unit.unit.text)) / len(case)) >= _LEAST_SHARE
    ]
    return next((advice for _, _, place in sorted(telling) if (advice := _advice_at(units, place)) is not None), None)


def _may_tell(unit: ScoredUnit) -> bool:
    return unit.unit.role not in {Role.ROW, Role.QUESTION, *CONTEXT_ROLES} and not unit.is_for_another


def _advice_at(units: Sequence[ScoredUnit], place: int) -> RuleAnswer | None:
    """Return what the sentence advises behind its condition, else the first sentence behind it that advises something, with this one as its case."""
    text = units[place].unit.text
    condition = _CONDITION.match(text)
    start = condition.end() + len(text[condition.end() :]) - len(text[condition.end() :].lstrip()) if condition is not None else 0
    if condition is not None and _ADVICE.search(text[start:]) is not None:
        return RuleAnswer(text[start:].rstrip(" ."), (UnitSpan(place, start, len(text.rstrip(" ."))),), LIKELY_CHANCE, "span")
    for behind in range(place + 1, min(place + 1 + _BEHIND, len(units))):
        unit = units[behind].unit
        if unit.source != units[place].unit.source or not _may_tell(units[behind]):
            return None
        if _CONDITION.match(unit.text) is None and _ADVICE.search(unit.text) is not None:
            whole = UnitSpan(behind, 0, len(unit.text.rstrip(" .")))
            return RuleAnswer(unit.text.rstrip(" ."), (whole, UnitSpan(place, 0, len(text))), LIKELY_CHANCE, "span")
    return None
