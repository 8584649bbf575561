"""Reads dates in the cells of tables. Whether 03/04/2026 is in March or in April is decided for a column by what else stands in it, never guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from core.language.months import months_in_cells
from core.language.weekdays import WEEKDAY_BEGINNING

Order = Literal["dmy", "mdy"]

LONGEST = 40
_PIVOT = 70  # two digits of a year from here on are of the last century
MONTHS = months_in_cells()
_WEEKDAY = re.compile(rf"^{WEEKDAY_BEGINNING}[^\W\d]{{0,8}}\.?,?\s+", re.I)
_TIME = r"""
    (?:
        [T\s,]\s?(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?
        \s?(?P<half>[AaPp]\.?[Mm]\.?)?(?P<zone>Z|\s?[+-]\d{2}:?\d{2})?
    )?
"""
_ISO = re.compile(rf"(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}}){_TIME}", re.VERBOSE)
_FIGURES = re.compile(rf"(?P<first>\d{{1,2}})(?P<mark>[./-])\s?(?P<second_>\d{{1,2}})(?P=mark)\s?(?P<year>\d{{4}}|\d{{2}}){_TIME}", re.VERBOSE)
_DAY_FIRST = re.compile(
    rf"""
    (?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?[\s-]?
    (?:de\s)?(?P<name>[^\W\d_]{{3,12}})\.?[\s,-]{{0,2}}
    (?:de\s)?(?P<year>\d{{4}}|\d{{2}})(?:\s?(?:г|р|r)\.)?
    {_TIME}
    """,
    re.VERBOSE,
)
_MONTH_FIRST = re.compile(rf"(?P<name>[^\W\d_]{{3,10}})\.?[\s-](?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?[\s-](?P<year>\d{{4}}){_TIME}", re.VERBOSE)


@dataclass(frozen=True, slots=True)
class CellDate:
    """A cell that holds a date. `order` is None where it says itself which is day and which is month; else `first` and `second` are the two as
    they stand, and `dmy` or `mdy` the only order that can be, "" for both."""

    year: int
    first: int
    second: int
    clock: str = ""
    is_ambiguous: bool = False

    @property
    def decisive_order(self) -> Order | None:
        """The only order under which this is a date, as evidence for its column; None where both are, or the cell says itself which it is."""
        if not self.is_ambiguous:
            return None
        readings: list[Order] = [order for order in ("dmy", "mdy") if self.iso(order) is not None]
        return readings[0] if len(readings) == 1 else None

    def iso(self, order: Order | None = None) -> str | None:
        """Return the ISO 8601 day or time; None where no calendar has it. A cell that is open needs an order."""
        if self.is_ambiguous and order is None:
            return None
        day, month = (self.second, self.first) if self.is_ambiguous and order == "mdy" else (self.first, self.second)
        try:
            return date(self.year, month, day).isoformat() + self.clock
        except ValueError:
            return None


def read_date(cell: str) -> CellDate | None:
    """Return the date that a cell holds, None where it is none."""
    if not 6 <= len(cell) <= LONGEST or not any(character.isdigit() for character in cell):
        return None
    if match := _ISO.fullmatch(cell):
        return _make_date(match, int(match["day"]), int(match["month"]))
    if match := _FIGURES.fullmatch(cell):
        # Dots part days from months in one order only; strokes and hyphens in both.
        return _make_date(match, int(match["first"]), int(match["second_"]), undecided=match["mark"] != ".")
    text = _WEEKDAY.sub("", cell)
    match = _DAY_FIRST.fullmatch(text) or _MONTH_FIRST.fullmatch(text) or _FIGURES.fullmatch(text)
    if match is None:
        return None
    if "name" in match.re.groupindex:
        month = MONTHS.get(match["name"].casefold())
        return None if month is None else _make_date(match, int(match["day"]), month)
    return _make_date(match, int(match["first"]), int(match["second_"]), undecided=match["mark"] != ".")


def _make_date(match: re.Match[str], day: int, month: int, *, undecided: bool = False) -> CellDate | None:
    year = int(match["year"])
    if len(match["year"]) == 2:
        year += 1900 if year >= _PIVOT else 2000
    clock = _clock(match)
    if clock is None:
        return None
    moment = CellDate(year, day, month, clock, undecided)
    orders: tuple[Order | None, ...] = ("dmy", "mdy") if undecided else (None,)
    return moment if any(moment.iso(order) for order in orders) else None


def _clock(match: re.Match[str]) -> str | None:
    """Return "" without a time, "T14:30:00" with one; None for a time that no clock shows."""
    if match["hour"] is None:
        return ""
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    zone = (match["zone"] or "").strip()
    return f"T{hour:02}:{minute:02}:{second:02}" + (f"{zone[:3]}:{zone[-2:]}" if len(zone) >= 5 else zone)
