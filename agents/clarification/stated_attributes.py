"""Attributes that documents of one kind each state for themselves (a price, a delivery time, a warranty), and the values that a text states."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.dates import DATES
from core.language.numbers import number_words
from core.language.sentences import split_sentences
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used

_COUNT = rf"(?:\d+(?:[.,]\d+)?|{join_alternatives(number_words('en'))})"
_MONEY = r"[£$€]\s?\d[\d.,]*|\b\d{1,3}(?:[.,]\d{3})+(?:[.,]\d\d)?\b|\b\d+(?:[.,]\d\d)?\s?(?:EUR|GBP|USD|euros?|pounds?|dollars?)\b"
_SPAN = rf"\b{_COUNT}[\s-]+(?:working\s+|operating\s+|calendar\s+)?(?:minute|hour|day|week|month|year)s?\b"
_SHARE = rf"\b{_COUNT}\s?(?:%|per\s?cent)"
_DAY = f"(?x:{DATES.pattern})"  # DATES is verbose, what it becomes part of is not


@dataclass(frozen=True, slots=True)
class StatedAttribute:
    """`name` as it is asked for, `mention_pattern` the words by which a text speaks of it, `value_pattern` what it then states."""

    name: str
    mention_pattern: re.Pattern[str]
    value_pattern: re.Pattern[str]


# How it is asked for; how texts state it; what the value is.
_ATTRIBUTES: tuple[tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (compile_when_used(named), compile_when_used(rf"\b(?:{told})\b", re.IGNORECASE), compile_when_used(value, re.IGNORECASE))
    for named, told, value in (
        (r"(?:(?:total|net|gross|final|overall|purchase) ){0,2}(?:price|costs?|total|amount|sum)", r"price|total|costs?|amount|sum", _MONEY),
        (r"(?:delivery|lead)(?: (?:time|date|period))?", r"deliver(?:y|ed|s)?|lead time|arrives?", rf"{_SPAN}|{_DAY}"),
        (r"(?:warranty|guarantee)(?: (?:period|term))?", r"warrant(?:y|ies)|guarantees?", _SPAN),
        (r"payment (?:terms?|period|deadline)|terms of payment", r"payment|paid|pay(?:s|able)?|due", rf"{_SPAN}|{_SHARE}"),
        (r"(?:validity|expiry)(?: (?:period|date))?", r"valid|expir(?:es|y)|stands", rf"{_SPAN}|{_DAY}"),
        (r"discount", r"discount", rf"{_SHARE}|{_MONEY}"),
        (r"interest rate|rate of interest", r"interest", _SHARE),
        (r"(?:(?:yearly|annual|monthly) )?rent", r"rent", _MONEY),
        (r"deposit", r"deposit", _MONEY),
        (r"salary|wage", r"salary|wages?", _MONEY),
        (r"(?:insurance )?premium", r"premium", _MONEY),
        (r"fee", r"fees?", _MONEY),
        (r"(?:notice|cancellation) period", r"notice|cancellation", _SPAN),
        (r"term|duration", r"term|duration", _SPAN),
        (r"due date|deadline", r"due|deadline|payable", _DAY),
    )
)
_ATTRIBUTE_QUESTION = compile_when_used(
    r"""
        ^\W*(?:(?:and|so|please|ok)[\s,]+)*(?:
              what(?:['’]?s|\s+is|\s+are|\s+was)|how\s+(?:long|much|high|large|big)(?:['’]?s|\s+is|\s+are)
            | when(?:['’]?s|\s+is)
        )\s+(?:the|our|their|its)\s+(?P<attribute>[a-z][a-z\s]{2,40}?)\s*(?:,?\s*(?:please|now|right\s+now))?\W*$
    """,
    re.IGNORECASE | re.VERBOSE,
)


def asked_attribute(question: str) -> StatedAttribute | None:
    """Return the attribute that a question asks for without a word about whose: "What is the delivery time?"; None where it says more, or less."""
    asked = _ATTRIBUTE_QUESTION.match(question)
    if asked is None:
        return None
    name = " ".join(asked["attribute"].lower().split())
    return next((StatedAttribute(name, told, value) for named, told, value in _ATTRIBUTES if named.fullmatch(name)), None)


def find_stated_values(attribute: StatedAttribute, text: str) -> frozenset[str]:
    """Return the values of the attribute that stand in one sentence or line of the text with its words."""
    found: set[str] = set()
    for line in text.split("\n"):
        for start, end in split_sentences(line):
            sentence = line[start:end]
            if attribute.mention_pattern.search(sentence):
                found.update(" ".join(match.group().lower().split()).rstrip(".,") for match in attribute.value_pattern.finditer(sentence))
    return frozenset(found)
