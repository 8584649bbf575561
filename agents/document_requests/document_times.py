"""The times that bound documents, as people write them in English and German, on top of what every question's times are read by
(`agents.text.query_filters.find_time`): days, "since last week", "older than 2010", "the last two weeks", "aus dem 2. Quartal 2024"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from agents.text.query_filters import find_time, relative_span
from core.language.months import MONTHS, english_month_of, full_months
from core.language.numbers import NUMBER_WORDS
from core.language.units import times
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used

_GERMAN_MONTHS = english_month_of("de")
_UNITS = times("de")
_NUMBERS = NUMBER_WORDS | {"couple of": 2, "few": 3, "paar": 3}
_MONTH = join_alternatives(_GERMAN_MONTHS)
_YEAR = r"(?:19|20)\d\d"
_POINT = rf"(?:(?:{_MONTH})\s+)?{_YEAR}|{_MONTH}"
_LAST = r"(?:letzte|vergangene|vorige)[nrsm]?"
_NUMBER = "|".join(_NUMBERS)
_ENGLISH_MONTH = rf"(?P<month>{join_alternatives(name[:3] for name in full_months('en'))})[a-z]*\.?"
_DAYS = (
    compile_when_used(rf"\b(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_ENGLISH_MONTH},?\s+(?P<year>{_YEAR})\b", re.IGNORECASE),
    compile_when_used(rf"\b{_ENGLISH_MONTH}\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)?,?\s+(?P<year>{_YEAR})\b", re.IGNORECASE),
    compile_when_used(rf"\b(?P<year>{_YEAR})-(?P<month>\d\d)-(?P<day>\d\d)\b"),
    compile_when_used(rf"\b(?P<day>[0-3]?\d)\.(?P<month>[01]?\d)\.(?P<year>{_YEAR})\b"),
)
_BOUND = compile_when_used(r"\b(?P<word>since|after|before|until)\s+$", re.IGNORECASE)
_SINCE = compile_when_used(r"\bsince\s+(?P<name>yesterday|(?:last|this)\s+(?:week|month|quarter|year))\b", re.IGNORECASE)
_DECADE = compile_when_used(r"\b(?P<decade>(?:19|20)\d)0s\b")


class DocumentTime(NamedTuple):
    """`before` is exclusive; `span` are the characters that name the time."""

    after: datetime | None
    before: datetime | None
    span: tuple[int, int]


def _unit(word: str) -> str:
    return next(english for german, english in _UNITS.items() if word.lower().startswith(german))


_TranslationRule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]


def _rule(pattern: str, said: Callable[[re.Match[str]], str]) -> _TranslationRule:
    return compile_when_used(pattern, re.IGNORECASE), said


# In this order: what a phrase is made of comes after the phrase.
_RULES: tuple[_TranslationRule, ...] = (
    _rule(rf"\b(?P<last>last|past|{_LAST})\s+(?P<number>{_NUMBER})\b(?=\s+\w)", lambda found: f"{found['last']} {_NUMBERS[found['number'].lower()]}"),
    _rule(r"\b(?:are\s+)?(?:older\s+than|earlier\s+than|prior\s+to|älter\s+als)\b", lambda _: "before"),
    _rule(r"\b(?:are\s+)?(?:newer\s+than|younger\s+than|later\s+than|jünger\s+als|neuer\s+als)\b", lambda _: "after"),
    _rule(rf"\bup\s+to\s+(?=(?:the\s+)?(?:\w+\s+)?{_YEAR}\b)", lambda _: "until "),
    _rule(rf"\b(since|after|before|until|in|from|of)\s+the\s+year\s+(?={_YEAR}\b)", lambda found: f"{found[1]} "),
    _rule(r"\bgestern\b", lambda _: "yesterday"),
    _rule(r"\bheute\b", lambda _: "today"),
    _rule(
        rf"\b(?:der\s+|den\s+)?{_LAST}\s+(?P<number>\d{{1,3}})\s+(?P<unit>Tage|Wochen|Monate|Jahre)n?\b",
        lambda found: f"last {found['number']} {_unit(found['unit'])}s",
    ),
    _rule(rf"\b(?:der\s+|dem\s+|des\s+)?{_LAST}\s+(?P<unit>Woche|Monats?|Quartals?|Jahre?s?)\b", lambda found: f"last {_unit(found['unit'])}"),
    _rule(r"\bdiese[nrsm]?\s+(?P<unit>Woche|Monats?|Quartals?|Jahre?s?)\b", lambda found: f"this {_unit(found['unit'])}"),
    _rule(rf"\b(?P<number>[1-4])\.\s*Quartals?\s+(?P<year>{_YEAR})\b", lambda found: f"Q{found['number']} {found['year']}"),
    _rule(
        rf"\b(?:zwischen|von)\s+(?P<first>{_POINT})\s+(?:und|bis)\s+(?P<last>{_POINT})\b",
        lambda found: f"between {found['first']} and {found['last']}",
    ),
    _rule(r"\bseit\s+(?=\w+\s*\d|\d|last\b|this\b|yesterday\b)", lambda _: "since "),
    _rule(rf"\bseit\s+dem\s+Jahr\s+(?={_YEAR})", lambda _: "since "),
    _rule(rf"\bvor\s+(?:dem\s+Jahr\s+|dem\s+)?(?=(?:\d\d?\.\s*)?(?:{_POINT})\b|\d+\.\d+\.)", lambda _: "before "),
    _rule(rf"\bnach\s+(?:dem\s+Jahr\s+|dem\s+)?(?=(?:\d\d?\.\s*)?(?:{_POINT})\b|\d+\.\d+\.)", lambda _: "after "),
    _rule(rf"\bbis\s+(?=(?:{_POINT})\b)", lambda _: "until "),
    _rule(rf"\b(?:aus\s+dem|im|vom|des)\s+Jahre?s?\s+(?={_YEAR}\b)", lambda _: "from "),
    _rule(rf"\b(?:aus|von|vom|im)\s+(?:dem\s+)?(?=(?:{_POINT}|Q[1-4])\b)", lambda _: "from "),
    _rule(rf"\b(?:{_MONTH})\b", lambda found: _GERMAN_MONTHS[found.group().lower()]),
)


def translate_times(text: str) -> str:
    """Put the words for times into English: "von letzter Woche" is "von last week", "older than 2010" is "before 2010"; other words stay as
    they are."""
    for pattern, said in _RULES:
        text = pattern.sub(said, text)
    return text


def find_document_time(text: str, now: datetime) -> DocumentTime | None:
    """Return the time that a text names, None for none. The text is in English (`translate_times`)."""
    for reader in (_find_since, _find_day, _find_decade):
        found = reader(text, now)
        if found is not None:
            return found
    time = find_time(text, now)
    return DocumentTime(time.after, time.before, time.span) if time is not None else None


def _find_since(text: str, now: datetime) -> DocumentTime | None:
    match = _SINCE.search(text)
    if match is None:
        return None
    return DocumentTime(relative_span("_".join(match["name"].lower().split()), now)[0], None, match.span())


def _find_day(text: str, now: datetime) -> DocumentTime | None:
    """A day, or what lies before or after it. A day that no calendar has is none."""
    match = next((found for pattern in _DAYS if (found := pattern.search(text)) is not None), None)
    if match is None:
        return None
    month = int(match["month"]) if match["month"].isdigit() else MONTHS[match["month"].lower()[:3]]
    try:
        start = datetime(int(match["year"]), month, int(match["day"]), tzinfo=UTC)
    except ValueError:
        return None
    end = start + timedelta(days=1)
    bound = _BOUND.search(text[: match.start()])
    span = (bound.start() if bound is not None else match.start(), match.end())
    match bound["word"].lower() if bound is not None else "":
        case "since":
            return DocumentTime(start, None, span)
        case "after":
            return DocumentTime(end, None, span)
        case "before":
            return DocumentTime(None, start, span)
        case "until":
            return DocumentTime(None, end, span)
        case _:
            return DocumentTime(start, end, span)


def _find_decade(text: str, now: datetime) -> DocumentTime | None:
    match = _DECADE.search(text)
    if match is None:
        return None
    year = 10 * int(match["decade"])
    return DocumentTime(datetime(year, 1, 1, tzinfo=UTC), datetime(year + 10, 1, 1, tzinfo=UTC), match.span())
