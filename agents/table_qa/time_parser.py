"""Times that a question names, as conditions on a column of dates: years, quarters, months, days, and before, after and between them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from core.language.months import full_months, short_months
from core.language.numbers import ordinals
from core.language.word_files import join_alternatives

# Not those of French and Spanish: a question may be about Mars.
MONTHS = full_months("en", "de") | short_months("en", "de")
_MONTH = join_alternatives(MONTHS)
ORDINALS = ordinals("en", most=4)
_YEAR = r"(?:19|20)\d{2}"
_TIME = re.compile(
    rf"""
        \b(?:
              (?P<iso>{_YEAR}-\d{{2}}-\d{{2}})
            | (?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<day_month>{_MONTH})\b\.?,?\s+(?P<day_year>{_YEAR})
            | (?P<american>{_MONTH})\b\.?\s+(?P<american_day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<american_year>{_YEAR})
            | (?P<dotted>\d{{1,2}}\.\d{{1,2}}\.{_YEAR})|(?P<month>{_MONTH})\b\.?(?:\s+(?:of\s+)?(?P<month_year>{_YEAR}))?
            | (?:Q(?P<quarter>[1-4])|(?P<ordinal>{join_alternatives(ORDINALS)})\s+quarter)(?:\s+(?:of\s+)?(?P<quarter_year>{_YEAR}))?
            | (?:H(?P<half>[12])|(?P<half_word>first|second)\s+half)(?:\s+(?:of\s+)?(?P<half_year>{_YEAR}))?|(?P<year>{_YEAR})
        )\b
    """,
    re.I | re.VERBOSE,
)
_LEAD = re.compile(
    r"\b(before|until|till|up\s+to|after|since|from|between|in|during|on|for|of|through|to|and|by|vor|nach|seit|im|bis)\s+(?:the\s+)?(?:end\s+of\s+)?$",
    re.I,
)
_BEFORE_WORDS, _AFTER_WORDS = frozenset({"before", "vor"}), frozenset({"after", "nach"})
_UNTIL_WORDS, _SINCE_WORDS = frozenset({"until", "till", "up to", "by", "bis", "through"}), frozenset({"since", "seit"})
_LEADING = re.compile(r"^(?:(?:from|between|in|during|on|for|of|through|to|and|im)\s+)?(?:the\s+)?", re.I)


class Span(NamedTuple):
    start: int
    end: int

    def holds(self, other: tuple[int, int]) -> bool:
        return self.start <= other[0] and other[1] <= self.end

    def meets(self, other: tuple[int, int]) -> bool:
        return self.start < other[1] and other[0] < self.end


@dataclass(frozen=True, slots=True)
class NamedTime:
    """A time with its words at `span`. Days from `first_day` to `last_day` inclusive (ISO, "" for no bound); `months` instead where no year is
    named."""

    span: Span
    words: str
    first_day: str = ""
    last_day: str = ""
    months: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _TimeMatch:
    span: Span
    lead: str
    first_day: str
    last_day: str
    months: tuple[int, ...]


def find_times(text: str, taken: Sequence[Span]) -> Iterator[NamedTime]:
    """Yield the times in their order; two that "between", "from … to" join are one."""
    found = [
        each
        for match in _TIME.finditer(text)
        if not any(span.meets(match.span()) for span in taken) and (each := _read_match(text, match)) is not None
    ]
    place = 0
    while place < len(found):
        one = found[place]
        following = found[place + 1] if place + 1 < len(found) else None
        if following is not None and one.lead in {"between", "from"} and following.lead in {"and", "to", "until", "till", "through", "bis"}:
            yield _join_times(text, one, following)
            place += 2
            continue
        yield _make_time(text, one)
        place += 1


def _read_match(text: str, match: re.Match[str]) -> _TimeMatch | None:
    lead = _LEAD.search(text[: match.start()])
    word = " ".join(lead[1].casefold().split()) if lead else ""
    if (
        match["month"]
        and not match["month_year"]
        and match["month"].casefold() in {"may", "mar", "mai"}
        and not (word and match["month"][0].isupper())
    ):
        return None
    bounds = _days(match)
    if bounds is None:
        return None
    start = lead.start() if lead else match.start()
    return _TimeMatch(Span(start, match.end()), word, *bounds)


def _days(match: re.Match[str]) -> tuple[str, str, tuple[int, ...]] | None:
    """First and last day, or the months of a time without its year; None for a day that no calendar has."""
    try:
        if day := _day(match):
            return day, day, ()
    except ValueError:
        return None
    if match["month"]:
        month = MONTHS[match["month"].casefold()]
        return _months(match["month_year"], (month,))
    if match["quarter"] or match["ordinal"]:
        quarter = int(match["quarter"] or ORDINALS[match["ordinal"].casefold()])
        return _months(match["quarter_year"], tuple(range(3 * quarter - 2, 3 * quarter + 1)))
    if match["half"] or match["half_word"]:
        half = int(match["half"] or ORDINALS[match["half_word"].casefold()])
        return _months(match["half_year"], tuple(range(6 * half - 5, 6 * half + 1)))
    return f"{match['year']}-01-01", f"{match['year']}-12-31", ()


def _day(match: re.Match[str]) -> str:
    if match["iso"]:
        return date.fromisoformat(match["iso"]).isoformat()
    if match["dotted"]:
        day, month, year = match["dotted"].split(".")
        return date(int(year), int(month), int(day)).isoformat()
    if match["day"]:
        return date(int(match["day_year"]), MONTHS[match["day_month"].casefold()], int(match["day"])).isoformat()
    if match["american"]:
        return date(int(match["american_year"]), MONTHS[match["american"].casefold()], int(match["american_day"])).isoformat()
    return ""


def _months(year: str | None, months: tuple[int, ...]) -> tuple[str, str, tuple[int, ...]]:
    if not year:
        return "", "", months
    last = monthrange(int(year), months[-1])[1]
    return f"{year}-{months[0]:02}-01", f"{year}-{months[-1]:02}-{last:02}", ()


def _make_time(text: str, found: _TimeMatch) -> NamedTime:
    words = text[found.span.start : found.span.end]
    months, year = found.months, (1, 12)
    if found.lead in _BEFORE_WORDS:
        return NamedTime(found.span, words, "", _shift_day(found.first_day, -1), _or_no_month(range(year[0], months[0])) if months else ())
    if found.lead in _UNTIL_WORDS:
        return NamedTime(found.span, words, "", found.last_day, tuple(range(year[0], months[-1] + 1)) if months else ())
    if found.lead in _AFTER_WORDS:
        return NamedTime(found.span, words, _shift_day(found.last_day, 1), "", _or_no_month(range(months[-1] + 1, year[1] + 1)) if months else ())
    if found.lead in _SINCE_WORDS:
        return NamedTime(found.span, words, found.first_day, "", tuple(range(months[0], year[1] + 1)) if months else ())
    bare = _LEADING.sub("", words)
    return NamedTime(
        found.span, f"{'on' if found.first_day and found.first_day == found.last_day else 'in'} {bare}", found.first_day, found.last_day, months
    )


def _join_times(text: str, one: _TimeMatch, other: _TimeMatch) -> NamedTime:
    span = Span(one.span.start, other.span.end)
    words = text[span.start : span.end]
    if one.months and other.months:
        return NamedTime(span, words, months=tuple(range(one.months[0], other.months[-1] + 1)))
    if one.months and other.last_day:  # "from March to June 2024": the year at the end holds for both
        first, _, _ = _months(other.last_day[:4], one.months)
        return NamedTime(span, words, first, other.last_day)
    return NamedTime(span, words, one.first_day, other.last_day)


def _shift_day(day: str, days: int) -> str:
    return date.fromordinal(date.fromisoformat(day).toordinal() + days).isoformat() if day else ""


def _or_no_month(months: range) -> tuple[int, ...]:
    """The months; a month that no date has where there are none ("before January")."""
    return tuple(months) or (0,)
