"""Sums of money and percentages in running text, and numbers as people write them."""

from __future__ import annotations

import re

_SIGNS = {"£": "GBP", "€": "EUR", "$": "USD", "¥": "JPY", "us$": "USD"}
_CODES = "EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|CAD|AUD|CNY|INR"
_UNITS = {
    "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "pound": "GBP", "pounds": "GBP", "franken": "CHF", "francs": "CHF",
    "yen": "JPY", "%": "%", "percent": "%", "per cent": "%", "prozent": "%", "por ciento": "%",
}  # fmt: skip
NUMBER = r"\d{1,3}(?:[,.' \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,2})?|\d{1,15}(?:[.,]\d{1,4})?"
_SCALE = r"(?:\s?(?P<scale>k|m|bn|thousand|million|billion|mio\.?|mrd\.?|millionen|milliarden|millones)\b)?"
AMOUNTS = (
    re.compile(rf"(?P<sign>US\$|[£€$¥])\s?(?P<number>{NUMBER}){_SCALE}", re.I),
    re.compile(rf"(?<!\w)(?P<sign>{_CODES})\s?(?P<number>{NUMBER}){_SCALE}(?!\w)"),
    re.compile(
        rf"(?<![\w.,])(?P<number>{NUMBER}){_SCALE}\s?(?P<sign>{_CODES}|[£€$¥%]|{'|'.join(sorted(_UNITS, key=len, reverse=True)[:-1])})(?!\w)", re.I
    ),
)
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "mio": 1e6, "millionen": 1e6, "millones": 1e6, "bn": 1e9, "billion": 1e9,
           "mrd": 1e9, "milliarden": 1e9}  # fmt: skip


def parse_amount(match: re.Match[str]) -> tuple[int | float, str] | None:
    """Return the value and unit ("GBP", "%") of a match of AMOUNTS."""
    sign = match["sign"].lower()
    unit = _SIGNS.get(sign) or _UNITS.get(sign) or sign.upper()
    value = parse_number(match["number"])
    if value is None:
        return None
    value *= _SCALES.get((match["scale"] or "").lower().rstrip("."), 1.0)
    return int(value) if value == int(value) else round(value, 6), unit


def parse_number(written: str) -> float | None:
    """Return the value of a number as people write it: a mark before exactly three digits parts thousands, another one is the decimal point."""
    digits = re.sub(r"[' \u00a0\u202f]", "", written)
    marks = [each for each in digits if each in ",."]
    if len(set(marks)) == 2:
        decimal = marks[-1]
        digits = digits.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    elif marks:
        thousands = len(marks) > 1 or re.fullmatch(r"[1-9]\d{0,2}[,.]\d{3}", digits)
        digits = re.sub(r"[,.]", "" if thousands else ".", digits)
    try:
        return float(digits)
    except ValueError:
        return None
