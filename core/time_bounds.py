"""Since when and until when a sentence says that something holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.dates import DATES, day_of
from core.language.months import MONTH, MONTHS

_WHEN = rf"""
    (?P<when>
          (?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?(?:{MONTH})\b\.?(?:\s+\d{{1,2}}(?!\d)(?:st|nd|rd|th)?)?(?:,?\s+(?:19|20)\d\d)?
        | (?:19|20)\d\d-\d\d-\d\d
        | \d{{1,2}}[./]\d{{1,2}}[./](?:19|20)\d\d
        | (?:19|20)\d\d
    )(?!\w|[.,]\d)
"""
_SINCE = re.compile(
    rf"""
        \b(?:
              with\s+effect\s+from|taking\s+effect\s+on|takes?\s+effect\s+(?:on|from)
            | (?:in\s+force|valid|effective|applicable)\s+(?:as\s+of|from|since|on)|effective|as\s+(?:of|from)|from
            | since|mit\s+wirkung\s+(?:vom|zum|ab)|gültig\s+(?:ab|seit)|in\s+kraft\s+(?:ab|seit)|ab|seit
            | from\s+and\s+after
        )\s+(?:the\s+|dem\s+|1\.\s+of\s+)?{_WHEN}
    """,
    re.I | re.VERBOSE,
)
_UNTIL = re.compile(rf"\b(?:until|till|up\s+to|through|valid\s+to|bis(?:\s+zum)?|gültig\s+bis(?:\s+zum)?)\s+(?:the\s+)?{_WHEN}", re.I | re.VERBOSE)


@dataclass(frozen=True, slots=True)
class TimeBound:
    """One bound of a time: where it stands, its ISO day ("" where its year is not said) and its words."""

    start: int
    end: int
    day: str
    words: str


@dataclass(frozen=True, slots=True)
class TimeBounds:
    """The bounds that a sentence names; those that it gives as its very values are none."""

    since: tuple[TimeBound, ...]
    until: tuple[TimeBound, ...]

    @property
    def spans(self) -> list[tuple[int, int]]:
        return [(each.start, each.end) for each in (*self.since, *self.until)]

    def covers(self, place: int) -> bool:
        return any(start <= place < end for start, end in self.spans)

    def bounds_near(self, place: int, earliest: int, latest: int | None) -> tuple[str, str, str]:
        """Return (since, its words, until) of what stands at `place`: the bound behind it before `latest`, else one in front of it from `earliest`
        on."""
        since, until = _nearest_bound(self.since, place, earliest, latest), _nearest_bound(self.until, place, earliest, latest)
        return (since.day if since else "", since.words if since else "", until.day if until else "")


def _nearest_bound(bounds: tuple[TimeBound, ...], place: int, earliest: int, latest: int | None) -> TimeBound | None:
    behind = [each for each in bounds if each.start >= place and (latest is None or each.start < latest)]
    before = [each for each in bounds if earliest <= each.start < place]
    return behind[0] if behind else before[-1] if before else None


def find_time_bounds(text: str, *, dates_are_values: bool) -> TimeBounds:
    """Find the bounds of time that a sentence names. `dates_are_values`: nothing but days is stated, so that a day behind "until" is what the
    sentence is about, not a bound of it."""
    if dates_are_values and DATES.search(text):
        return TimeBounds((), ())
    return TimeBounds(tuple(map(_parse_bound, _SINCE.finditer(text))), tuple(map(_parse_bound, _UNTIL.finditer(text))))


def _parse_bound(match: re.Match[str]) -> TimeBound:
    return TimeBound(match.start(), match.end(), iso_day(match["when"]), " ".join(match["when"].split()))


def iso_day(words: str) -> str:
    """Return the ISO day that the words mean, the first one of a month or a year; "" where the year is missing."""
    if (match := DATES.search(words)) is not None and (day := day_of(match)) is not None:
        return day.isoformat()
    year = re.search(r"(?:19|20)\d\d", words)
    if year is None:
        return ""
    month = next((MONTHS[word] for word in re.findall(r"[^\W\d_]+", words.casefold()) if word in MONTHS), 1)
    return f"{year.group()}-{month:02}-01"
