"""Sums of money and percentages in running text."""

from __future__ import annotations

import re

from core.language.numbers import SCALE, find_power, parse_digits
from core.language.units import CURRENCY_CODES_IN_TEXT, SHARED_CURRENCY_SIGNS, currency_names, measures
from core.language.word_files import join_alternatives

_SIGNS = {"£": "GBP", "€": "EUR", **SHARED_CURRENCY_SIGNS, "us$": "USD"}
_CODES = join_alternatives(CURRENCY_CODES_IN_TEXT)
_UNITS = currency_names("en", "de") | {name: unit for name, unit in measures("en", "de", "es").items() if unit == "%"}
NUMBER = r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,2})?|\d{1,15}(?:[.,]\d{1,4})?"
_SCALE = rf"(?:\s?(?P<scale>{SCALE}))?"
_NAMES = join_alternatives(map(re.escape, _UNITS.keys() - {"%"}))
AMOUNTS = (
    re.compile(rf"(?P<sign>US\$|[£€$¥])\s?(?P<number>{NUMBER}){_SCALE}", re.I),
    re.compile(rf"(?<!\w)(?P<sign>{_CODES})\s?(?P<number>{NUMBER}){_SCALE}(?!\w)"),
    re.compile(rf"(?<![\w.,])(?P<number>{NUMBER}){_SCALE}\s?(?P<sign>{_CODES}|[£€$¥%]|{_NAMES})(?!\w)", re.I),
)


def parse_amount(match: re.Match[str]) -> tuple[int | float, str] | None:
    """Return the value and unit ("GBP", "%") of a match of `AMOUNTS`."""
    sign = match["sign"].lower()
    unit = _SIGNS.get(sign) or _UNITS.get(sign) or sign.upper()
    value = parse_digits(match["number"])
    if value is None:
        return None
    value = value.scaleb(find_power(match["scale"] or ""))
    return int(value) if value == int(value) else round(float(value), 6), unit
