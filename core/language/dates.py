"""Days in running text: where they stand, and which day is meant."""

from __future__ import annotations

import re
from datetime import date

from core.language.months import MONTH, MONTHS

DATES = re.compile(
    rf"""
          \b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b
        | \b(?P<day2>\d{{1,2}})(?:st|nd|rd|th|\.|er)?\s+(?:of\s+|de\s+)?(?P<name2>{MONTH})\.?,?\s+(?:de\s+)?
          (?P<year2>(?:19|20)\d\d)\b
        | \b(?P<name3>{MONTH})\.?\s+(?P<day3>\d{{1,2}})(?:st|nd|rd|th)?,\s+(?P<year3>(?:19|20)\d\d)\b
        | \b(?P<a>\d{{1,2}})(?P<mark>[./])(?P<b>\d{{1,2}})(?P=mark)(?P<year4>(?:19|20)\d\d)\b
    """,
    re.I | re.VERBOSE,
)

# A day, a month or a year alone, also of long ago: "3 May 1866", "May 1866", "1866".
DAYS_OR_YEARS = re.compile(
    rf"""
        \b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+)?
        (?:(?P<month>{MONTH})\.?,?\s+(?:(?P<after>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?)?(?P<year>1\d{{3}}|20\d\d)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def year_month_day(match: re.Match[str]) -> tuple[int, int, int]:
    """Return (year, month, day) of a match of DAYS_OR_YEARS; 0 for what it does not say."""
    month = match["month"]
    return int(match["year"]), MONTHS[month.lower()] if month else 0, int(match["day"] or match["after"] or 0) if month else 0


def day_of(match: re.Match[str]) -> date | None:
    """Return the day of a match; None for one that does not exist, or that reads two ways (03/04/2024)."""
    parts = match.groupdict()
    if parts["year"]:
        return _date(parts["year"], int(parts["month"]), parts["day"])
    if parts["name2"]:
        return _date(parts["year2"], MONTHS[parts["name2"].casefold()], parts["day2"])
    if parts["name3"]:
        return _date(parts["year3"], MONTHS[parts["name3"].casefold()], parts["day3"])
    first, second = int(parts["a"]), int(parts["b"])
    if parts["mark"] == "." or first > 12 or first == second:
        return _date(parts["year4"], second, str(first))
    return _date(parts["year4"], first, str(second)) if second > 12 else None


def _date(year: str, month: int, day: str) -> date | None:
    try:
        return date(int(year), month, int(day))
    except ValueError:
        return None
