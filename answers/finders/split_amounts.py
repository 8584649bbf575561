"""Amounts that one sentence gives for several: "£4,740 for the landlord and £3,160 for you", for "How much does the landlord pay?", and "the lining
(£2,350), the buffers (£1,180) and the joint (£7,900)", for "What does the joint cost?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import AnswerKind
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.claim_words import label_words
from core.language.numbers import SCALE

_QUESTION_PATTERN = re.compile(
    r"""
        \bhow\s+much\b(?P<thing>[^?]*?)\b(?:do|does|did|must|will|would|should)\s+(?:(?:the|our)\s+)?
        (?P<party>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+(?:have\s+to\s+|need\s+to\s+)?(?:pay|bear|contribute|owe)s?\b
        (?P<rest>[^?]*)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OWN_PRONOUNS = frozenset("we i us".split())
_OWN_NAMES = r"(?:you|us|we|me)"  # a letter to us says "for you"
_AMOUNT = rf"(?P<amount>(?:[£$€]\s?|(?:EUR|GBP|USD|CHF)\s?)\d[\d.,']*\d(?:\s?{SCALE})?)"
_LISTED_AMOUNT = re.compile(rf"(?P<thing>[^,;:()]+)\(\s*{_AMOUNT}[^)]*\)", re.IGNORECASE)
_LEAST_THINGS, _LEAST_NAMED_WORDS = 2, 2  # things in a list; words of one that the question has
_LEAST_SHARED = 0.5  # of the words for what is paid, in the passage


def payers_share(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the only amount that a sentence gives for the one who is asked about, in a passage about what is paid."""
    asked = _QUESTION_PATTERN.search(question.text)
    if asked is None:
        return None
    party = asked["party"].strip()
    name = _OWN_NAMES if party.lower() in _OWN_PRONOUNS else rf"(?:the\s+|our\s+)?{re.escape(party)}"
    said = re.compile(
        rf"{_AMOUNT}\s+for\s+{name}\b|\b{name}\s+(?:pays?|bears?|owes?|contributes?)\s+{_AMOUNT.replace('amount', 'paid')}", re.IGNORECASE
    )
    thing = label_words(f"{asked['thing']} {asked['rest']}") - label_words("of for that this it")
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        match = said.search(unit.unit.text) if unit.unit.choosable and unit.unit.role is not Role.ROW else None
        if match is None or not _is_about(thing, unit, units):
            continue
        group = "amount" if match["amount"] else "paid"
        found.setdefault(match[group], UnitSpan(place, *match.span(group)))
    return RuleAnswer(*(next((text, (span,)) for text, span in found.items())), SURE_CHANCE, "span") if len(found) == 1 else None


def listed_amount(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the amount in brackets behind the one of several things that shares the most words with the question; None where two share as many, and
    where several sentences list such things."""
    asked = label_words(question.text)
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        items = list(_LISTED_AMOUNT.finditer(unit.unit.text)) if question.answer_kind is AnswerKind.MONEY and unit.unit.choosable else []
        if len(items) < _LEAST_THINGS or unit.unit.role is Role.ROW or unit.is_for_another:
            continue
        shared = [len(label_words(each["thing"]) & asked) for each in items]
        best = max(shared)
        if best >= _LEAST_NAMED_WORDS and shared.count(best) == 1:
            item = items[shared.index(best)]
            found.setdefault(item["amount"], UnitSpan(place, *item.span("amount")))
    return RuleAnswer(*(next((text, (span,)) for text, span in found.items())), SURE_CHANCE, "span") if len(found) == 1 else None


def _is_about(thing: frozenset[str], unit: ScoredUnit, units: Sequence[ScoredUnit]) -> bool:
    around = frozenset[str]().union(*(label_words(other.unit.text) for other in units if other.unit.source == unit.unit.source))
    return len(thing & around) >= _LEAST_SHARED * len(thing)
