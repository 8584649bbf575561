"""Limits that a question and a sentence set to one figure: "a repair above £5,000" is not what "£5,000 or less" speaks of."""

from __future__ import annotations

import re

_NUMBER = r"[£$€]?\s?(?P<{}>\d[\d.,]*\d|\d)(?:\s?(?:[£$€%]|[^\W\d_]+\b)(?=\s+(?:or|and|oder)\b))?"
_BELOW = (
    r"not\s+(?:more\s+than|exceeding|above|over)|no\s+more\s+than|does\s+not\s+exceed|below|under|less\s+than|up\s+to|at\s+most|höchstens|bis\s+zu|unter|"
    r"weniger\s+als"
)
_ABOVE = r"above|over|more\s+than|exceed(?:s|ing)?|greater\s+than|beyond|at\s+least|not\s+less\s+than|mindestens|über|mehr\s+als"
_LIMIT = re.compile(
    rf"\b(?:(?P<below>{_BELOW})|(?P<above>{_ABOVE}))\s+(?:the\s+(?:sum|amount)\s+of\s+)?{_NUMBER.format('behind')}|"
    rf"{_NUMBER.format('front')}\s+(?:(?P<less>(?:or|oder)\s+(?:less|below|under|fewer|weniger))|(?P<more>(?:or|and|oder)\s+(?:more|above|over|upwards|mehr)))\b",
    re.IGNORECASE,
)


def limits_of(text: str) -> dict[str, frozenset[str]]:
    """Return for each figure that a text sets a limit with (its digits alone) on which sides: "above", "below" or both."""
    found: dict[str, frozenset[str]] = {}
    for match in _LIMIT.finditer(text):
        side = "below" if match["below"] or match["less"] else "above"
        number = re.sub(r"\D", "", match["behind"] or match["front"])
        found[number] = found.get(number, frozenset()) | {side}
    return found


def speaks_of_other_side(question: str, text: str) -> bool:
    """Return whether a text sets a limit with a figure of the question's, and only on the other side of it."""
    asked = limits_of(question)
    said = limits_of(text) if asked else {}
    return any(number in said and not sides & said[number] for number, sides in asked.items())
