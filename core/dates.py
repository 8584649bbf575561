"""Days in running text: where they stand, and which day is meant."""

from __future__ import annotations

import re
from datetime import date

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero",
            "february feb februar février fevrier febrero",
            "march mar märz maerz mars marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet julio",
            "august aug août aout agosto",
            "september sep sept septembre septiembre",
            "october oct oktober okt octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre decembre diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
DATES = re.compile(
    rf"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"
    rf"|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th|\.|er)?\s+(?:of\s+|de\s+)?(?P<name2>{MONTH})\.?,?\s+(?:de\s+)?(?P<year2>(?:19|20)\d\d)\b"
    rf"|\b(?P<name3>{MONTH})\.?\s+(?P<day3>\d{{1,2}})(?:st|nd|rd|th)?,\s+(?P<year3>(?:19|20)\d\d)\b"
    rf"|\b(?P<a>\d{{1,2}})(?P<mark>[./])(?P<b>\d{{1,2}})(?P=mark)(?P<year4>(?:19|20)\d\d)\b",
    re.I,
)


def day_of(match: re.Match[str]) -> date | None:
    """The day of a match; None for one that does not exist, or that reads two ways (03/04/2024)."""
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
