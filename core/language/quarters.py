"""The quarter of a year that a text names: "Q3", "third quarter", "July to September"."""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.months import full_months, short_months
from core.language.numbers import ordinals
from core.language.word_files import join_alternatives

_MONTHS = full_months("en", "de") | short_months("en", "de")
_ORDINALS = ordinals("en", most=4) | {"erstes": 1, "ersten": 1, "zweites": 2, "zweiten": 2, "drittes": 3, "dritten": 3, "viertes": 4, "vierten": 4}
_MONTH = join_alternatives(_MONTHS)
_QUARTER = re.compile(
    rf"""
        \b(?:
              [Qq](?P<digit>[1-4])(?!\d)
            | (?:(?P<word>{join_alternatives(_ORDINALS)})|(?P<number>[1-4])(?:st|nd|rd|th|\.)?)\s+(?:quarter|quartal)s?
            | (?P<first>{_MONTH})\.?\s*(?:to|[-–—]|through|until|bis)\s*(?P<last>{_MONTH})
        )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(maxsize=256)
def quarter_of(text: str) -> int | None:
    """Return 1 to 4, the only quarter that a text names; None where it names none, or several."""
    found = {number for match in _QUARTER.finditer(text) if (number := _number(match)) is not None}
    return found.pop() if len(found) == 1 else None


def _number(match: re.Match[str]) -> int | None:
    if match["digit"] or match["number"]:
        return int(match["digit"] or match["number"])
    if match["word"]:
        return _ORDINALS[match["word"].casefold()]
    first, last = (_MONTHS[match[each].casefold()] for each in ("first", "last"))
    return (first + 2) // 3 if first % 3 == 1 and last == first + 2 else None


def without_quarter(text: str) -> str:
    """Return a text without the words that name its quarter."""
    return _QUARTER.sub(" ", text)
