"""Figures that a sentence states: sums, days, hours, measures and counts, each with its kind, its value and its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.language.amounts import AMOUNTS, NUMBER, parse_amount
from core.language.dates import DATES, day_of
from core.language.months import MONTH, MONTHS
from core.language.numbers import NUMBER_WORDS, parse_number
from core.language.units import measures, times
from core.language.word_files import join_alternatives


@dataclass(frozen=True, slots=True)
class StatedFigure:
    """A figure: [start, end) of a text states `value` (a plain number, an ISO day, "06:00-20:00") of a `kind`: "sum GBP", "date", "hours", "time",
    "measure km/h", "count". Two figures can be compared where their kinds are the same."""

    kind: str
    value: str
    start: int
    end: int
    text: str


_TIMES = frozenset({"second", "minute", "hour", "day", "week", "month", "quarter", "year"})
# A quarter is a part of anything, several are of a year.
UNITS = measures("en", "de") | {name: unit for name, unit in times("en", "de").items() if unit in _TIMES and name != "quarter"}
_UNIT = join_alternatives(map(re.escape, UNITS))
_SPELT = join_alternatives(NUMBER_WORDS)
NUMERAL = rf"(?:{NUMBER}|(?:{_SPELT})(?![\w-]))"
_CLOCK = r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)?(?:\s?(?:uhr|o['’]clock|[ap]\.?m\b))?"
_HOURS = re.compile(rf"(?<![\w.,:£$€])(?P<first>{_CLOCK})\s?(?:to|until|till|and|bis|und|-|–)\s?(?P<last>{_CLOCK})(?![\w:]|[.,]\d)", re.I)
_TIME = re.compile(
    r"""
        (?<![\w.,:])(?:
              (?:[01]?\d|2[0-4]):[0-5]\d(?:\s?(?:uhr|[ap]\.?m\b))?
            | (?:[01]?\d|2[0-4])(?:[.][0-5]\d)?\s?(?:uhr\b|o['’]clock\b|[ap]\.?m\b)
        )
    """,
    re.I | re.VERBOSE,
)
_CLOCK_PARTS = re.compile(r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d))?\s?(?P<half>[ap]?)", re.I)
_DAY = re.compile(
    rf"""
          (?<![\w.,])(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?P<name>{MONTH})(?!\w)(?!\.?,?\s+\d{{4}})
        | (?<!\w)(?P<name2>{MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\w:]|,?\s+\d{{4}})
    """,
    re.I | re.VERBOSE,
)
_MEASURE = re.compile(rf"(?<![\w.,/-])(?P<number>{NUMERAL})[\s-]?(?P<unit>{_UNIT})(?:['’]s?)?(?![\w/])", re.I)
_COUNT = re.compile(
    rf"""
        (?P<lead>
            (?:
                  ^|[:=|(]
                | \b(?:
                        is|are|was|were|be|has|have|had|holds?|with|for|to|of|than|most|least|about|only|exactly|every
                      | the|at|by|takes?|seats?|employs?|now|counts?|totals?|lets?|sind|ist|hat|haben|mit|für|auf|von
                      | nur|höchstens|mindestens|bis[ ]zu|maximal|beträgt|zu
                  )(?=\s)
            )\s*
        )(?P<number>{NUMERAL})(?![\w%°]|[.,:/-]?\d)
    """,
    re.I | re.VERBOSE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_AGREEING = {"yes": True, "ja": True, "sí": True, "oui": True, "no": False, "nein": False, "non": False}
_VERDICT = re.compile(rf"\W*({'|'.join(_AGREEING)})\b", re.I)


def figures_of(text: str) -> tuple[StatedFigure, ...]:
    """Return the figures of a text in their order; where two could be read from one place, the more telling one. A year alone is none."""
    found: list[StatedFigure] = []
    for figure in _find_figures(text):
        if not any(figure.start < other.end and other.start < figure.end for other in found):
            found.append(figure)
    return tuple(sorted(found, key=lambda each: each.start))


def contradicts(said: str, known: str) -> bool:
    """Return whether a text states figures of the kind of the first one of `known`, and not that one: "8 km/h" against "10 km/h since 2024". "Yes"
    and "No" at their beginnings contradict each other."""
    verdicts = [_VERDICT.match(text) for text in (said, known)]
    if verdicts[0] is not None and verdicts[1] is not None:
        return _AGREEING[verdicts[0][1].casefold()] != _AGREEING[verdicts[1][1].casefold()]
    first = next(iter(figures_of(known)), None)
    if first is None:
        return False
    values = {figure.value for figure in figures_of(said) if figure.kind == first.kind}
    return bool(values) and first.value not in values


def _find_figures(text: str) -> Iterator[StatedFigure]:
    """Yield the figures of a text, the most telling kind first and the least last."""
    yield from _find_days(text)
    yield from _find_times(text)
    yield from _find_sums(text)
    for match in _MEASURE.finditer(text):
        if value := plain_number(match["number"]):
            yield _make_figure(f"measure {UNITS[match['unit'].casefold()]}", value, match)
    for match in _COUNT.finditer(text):
        value = plain_number(match["number"])
        if value and not _YEAR.fullmatch(match["number"]):
            yield StatedFigure("count", value, *match.span("number"), match["number"])


def _find_days(text: str) -> Iterator[StatedFigure]:
    for match in DATES.finditer(text):
        if (day := day_of(match)) is not None:
            yield _make_figure("date", day.isoformat(), match)
    for match in _DAY.finditer(text):
        name, day_number = match["name"] or match["name2"], match["day"] or match["day2"]
        if name[0].isupper():
            yield _make_figure("date", f"--{MONTHS[name.casefold()]:02}-{int(day_number):02}", match)


def _find_sums(text: str) -> Iterator[StatedFigure]:
    for pattern in AMOUNTS:
        for match in pattern.finditer(text):
            if (amount := parse_amount(match)) is not None:
                value, unit = amount
                yield _make_figure("measure %" if unit == "%" else f"sum {unit}", f"{value:.15g}", match)


def _make_figure(kind: str, value: str, match: re.Match[str]) -> StatedFigure:
    return StatedFigure(kind, value, match.start(), match.end(), match.group())


def _find_times(text: str) -> Iterator[StatedFigure]:
    for match in _HOURS.finditer(text):
        if re.search(r"[:h]\d\d|\d\s?(?:uhr|[ap]\.?m)|o['’]clock", match.group(), re.I):  # "10 to 12" alone may be anything
            first, last = match["first"], match["last"]
            half = re.search(r"[ap]\.?m", last, re.I)
            if half and not re.search(r"[ap]\.?m", first, re.I) and _parse_minutes(first + half.group()) < _parse_minutes(last):
                first += half.group()  # "9 to 11 am"
            yield _make_figure("hours", f"{_format_clock(first)}-{_format_clock(last)}", match)
    for match in _TIME.finditer(text):
        yield _make_figure("time", _format_clock(match.group()), match)


def _format_clock(written: str) -> str:
    minutes = _parse_minutes(written)
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _parse_minutes(written: str) -> int:
    parts = _CLOCK_PARTS.match(written)
    if parts is None:
        return 0
    hour = int(parts["hour"])
    if parts["half"]:
        hour = hour % 12 + (12 if parts["half"] in "pP" else 0)
    return hour * 60 + int(parts["minute"] or 0)


def plain_number(written: str) -> str:
    """Return a number in plain digits: "1,200" and "1200" are "1200", "six" is "6"; "" for no number."""
    number = parse_number(written)
    if number is None:
        return ""
    return str(int(number)) if number == int(number) else f"{float(number):g}"
