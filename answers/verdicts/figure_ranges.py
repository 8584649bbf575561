"""Figures with their limits as ranges: "more than 140 euros", "at least 30 days", "over half", "up to 140 euros a night"."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from core.language.figures import figures_of

_SHARES = {"half": 50.0, "a third": 100 / 3, "one third": 100 / 3, "a quarter": 25.0, "two thirds": 200 / 3, "three quarters": 75.0, "hälfte": 50.0}
_SHARE = re.compile(r"\b(?P<share>half|(?:a|one)\s+third|a\s+quarter|two\s+thirds|three\s+quarters|hälfte)\b", re.IGNORECASE)
_MAJORITY = re.compile(r"\b(?:most\s+(?:of\s+)?(?=[a-z])|(?:the\s+|a\s+)majority\s+of\b|mehrheit\b)", re.IGNORECASE)
_MINORITY = re.compile(r"\b(?:a|the)\s+minority\s+of\b", re.IGNORECASE)
_COMPARATIVE = (
    r"more|longer|larger|greater|higher|heavier|older|taller|wider|deeper|later|bigger|"
    r"mehr|länger|größer|höher|älter|schwerer|plus|supérieure?s?|más|mayor(?:es)?"
)
_LESSER = (
    r"less|fewer|shorter|smaller|lower|lighter|younger|cheaper|"
    r"weniger|kürzer|kleiner|niedriger|jünger|leichter|moins|inférieure?s?|menos|menor(?:es)?"
)
_ABOVE = re.compile(
    rf"(?:\b(?:{_COMPARATIVE})\s+(?:than|als|de|que)|\b(?:over|above|exceed\w*|beyond|über))\s+(?:the\s+|of\s+)?[£$€]?$", re.IGNORECASE
)
_BELOW = re.compile(rf"(?:\b(?:{_LESSER})\s+(?:than|als|de|que)|\b(?:under|below|unter|within))\s+(?:the\s+|of\s+)?[£$€]?$", re.IGNORECASE)
_LEAST = re.compile(
    r"\b(?:at\s+least|(?:not|no)\s+(?:less|fewer)\s+than|a\s+minimum\s+of|minimum(?:\s+of)?|mindestens|au\s+moins|al\s+menos)\s+[£$€]?$",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:at\s+(?:the\s+)?most|up\s+to|no(?:t)?\s+(?:more|longer)\s+than|not\s+exceed(?:ing)?|a\s+maximum\s+of|maximum(?:\s+of)?|höchstens|bis\s+zu|maximal|au\s+plus|como\s+máximo|hasta)\s+[£$€]?$",
    re.IGNORECASE,
)
_OR_MORE = re.compile(r"^\s*(?:or|and|oder|und)\s+(?:more|over|above|older|longer|mehr|älter)\b", re.IGNORECASE)
_OR_LESS = re.compile(r"^\s*(?:or|oder)\s+(?:less|fewer|under|below|younger|weniger)\b", re.IGNORECASE)
_AGE = re.compile(r"(?<![\w.,-])\d[\d.,]*(?![\w%-])")
# Units of one dimension, each as a number of the first.
_SCALES = (
    {"day": 1.0, "week": 7.0, "month": 30.4375, "quarter": 91.3125, "year": 365.25, "hour": 1 / 24, "minute": 1 / 1440, "second": 1 / 86400},
    {"kg": 1.0, "g": 0.001, "t": 1000.0},
    {"m": 1.0, "mm": 0.001, "cm": 0.01, "km": 1000.0},
    {"MB": 1.0, "GB": 1000.0},
)
_NEAR = 1e-6


class Range(NamedTuple):
    """The values from `low` to `high` of a `kind` ("sum EUR", "measure day", "count"); `has_low`, `has_high`: whether the ends are in it. It stands
    at [start:end] of its text with the words that bound it."""

    kind: str
    low: float
    high: float
    has_low: bool
    has_high: bool
    start: int
    end: int

    @property
    def is_bounded(self) -> bool:
        """Whether a word sets a limit: a single value is none."""
        return self.low != self.high


def ranges_of(text: str) -> list[Range]:
    """Return the figures of a text and its shares ("half", "most") as ranges, in their order; days of the calendar and clock times are left out."""
    found = []
    for figure in figures_of(text):
        measured = _measure(figure.kind, figure.value)
        if measured is not None:
            found.append(_bound(text, *measured, figure.start, figure.end))
    taken = [(each.start, each.end) for each in found]
    found += [_bound(text, "measure %", _share(match["share"]), *match.span()) for match in _SHARE.finditer(text) if _is_share(text, match)]
    found += [Range("measure %", 50.0, math.inf, False, True, *match.span()) for match in _MAJORITY.finditer(text)]
    found += [Range("measure %", 0.0, 50.0, True, False, *match.span()) for match in _MINORITY.finditer(text)]
    for match in _AGE.finditer(text):
        if not any(start <= match.start() < end for start, end in taken) and (number := _plain(match.group())) is not None:
            bound = _bound(text, "count", number, *match.span())
            found += [bound] if bound.is_bounded else []
    return sorted(found, key=lambda each: each.start)


def compare_ranges(asked: Range, said: Range) -> bool | None:
    """Return whether what is said lies in what is asked; False where it cannot, None where it may or may not, or where the kinds differ."""
    if not same_kind(asked.kind, said.kind):
        return None
    if _reaches(asked, said):
        return True
    if said.is_bounded and not asked.is_bounded:  # a value within what is allowed, or beyond it
        return _reaches(said, asked) or False
    return False if _are_apart(asked, said) else None


def same_kind(one: str, other: str) -> bool:
    """Return whether two kinds of figures can be compared."""
    return one == other or {one, other} == {"count", "measure year"}


def _reaches(outer: Range, inner: Range) -> bool:
    low = inner.low > outer.low + _NEAR or (abs(inner.low - outer.low) <= _NEAR and (outer.has_low or not inner.has_low))
    high = inner.high < outer.high - _NEAR or inner.high == outer.high == math.inf
    return low and (high or (abs(inner.high - outer.high) <= _NEAR and (outer.has_high or not inner.has_high)))


def _are_apart(one: Range, other: Range) -> bool:
    first, last = sorted((one, other), key=lambda each: (each.low, each.high))
    return first.high < last.low - _NEAR or (abs(first.high - last.low) <= _NEAR and not (first.has_high and last.has_low))


def _bound(text: str, kind: str, value: float, start: int, end: int) -> Range:
    """Return the range of a figure with the words in front of it and behind it that set a limit."""
    for pattern, low, high, holds in (
        (_LEAST, value, math.inf, True),
        (_MOST, 0.0, value, True),
        (_ABOVE, value, math.inf, False),
        (_BELOW, 0.0, value, False),
    ):
        if (limit := pattern.search(text, 0, start)) is not None:
            return Range(kind, low, high, holds or low == 0.0, holds or high == math.inf, limit.start(), end)
    if (limit := _OR_MORE.match(text[end:])) is not None:
        return Range(kind, value, math.inf, True, True, start, end + limit.end())
    if (limit := _OR_LESS.match(text[end:])) is not None:
        return Range(kind, 0.0, value, True, True, start, end + limit.end())
    return Range(kind, value, value, True, True, start, end)


def _measure(kind: str, written: str) -> tuple[str, float] | None:
    """Return the kind and the value of a figure in the first unit of its dimension; None where it is no number."""
    value = _plain(written)
    if value is None or kind in {"date", "hours", "time"}:
        return None
    unit = kind.removeprefix("measure ")
    for scale in _SCALES:
        if unit in scale:
            return f"measure {next(iter(scale))}", value * scale[unit]
    return kind, value


def _plain(written: str) -> float | None:
    try:
        return float(written.replace(",", ""))
    except ValueError:
        return None


def _share(written: str) -> float:
    return _SHARES[" ".join(written.casefold().split())]


def _is_share(text: str, match: re.Match[str]) -> bool:
    """Return whether "half" is a share: not "one and a half hours"."""
    return re.search(r"\b(?:and\s+a|a)\s+$", text[: match.start()], re.IGNORECASE) is None or match["share"].casefold().startswith("a ")
