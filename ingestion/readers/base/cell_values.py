"""Values of cells as a person reads them, alike in every kind of workbook."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

_CURRENCY = re.compile(r"\[\$([^\]-]{1,4})|\"\s*([$€£¥₹₽₩]|USD|EUR|GBP|CHF)\s*\"|([$€£¥₹₽₩])")


def format_cell_value(value: object, number_format: str = "") -> str:
    """Return the text of a cell's value: dates in ISO form, percentages and currencies marked by the format of Excel, other numbers plain."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return marked_number(value, number_format)
    return format_moment(value)


def marked_number(value: float, number_format: str) -> str:
    """Return a number as text with the sign of percent or of the currency that its format shows."""
    style = (number_format or "").split(";")[0]
    if style in ("General", "@", ""):
        return plain_number(value)
    if "%" in style:
        return f"{plain_number(float(f'{value * 100:.12g}'))}%"
    match = _CURRENCY.search(style)
    if match is None:
        return plain_number(value)
    symbol = next(group for group in match.groups() if group).strip()
    return f"{symbol}{plain_number(value)}" if len(symbol) == 1 else f"{plain_number(value)} {symbol}"


def plain_number(value: float) -> str:
    """Return a number in at most fifteen figures, as spreadsheets compute; whole numbers without a point."""
    if isinstance(value, int):
        return str(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"


def format_moment(value: object) -> str:
    """Return a date, a time or a duration in ISO form; a day without its midnight."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d") if value.time() == time() else value.isoformat(" ", "seconds")
    if isinstance(value, time):
        return value.isoformat("seconds")
    return _duration(value) if isinstance(value, timedelta) else str(value)


def _duration(value: timedelta) -> str:
    """Return hours, minutes and seconds, as sheets show more than a day: "26:05:00"."""
    seconds = round(abs(value.total_seconds()))
    return f"{'-' if value < timedelta(0) else ''}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
