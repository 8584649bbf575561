"""The superlative of a group: "Which offer has the shortest delivery time?" compares what each offer says of it, and the shortest leads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agents.comparison.cell_selection import AMOUNT_WORDS, DURATION_WORDS
from agents.comparison.comparison_request import ComparisonRequest
from agents.sources.quotable_units import ChosenUnit, QuotableUnit
from agents.sources.unit_citations import QuotedAnswer
from agents.text.document_names import singular
from agents.text.superlative_questions import LEAST, PRICE_WORDS, SPEED_WORDS, SUPERLATIVE_FIRST, SUPERLATIVE_QUESTION, WRITERS
from core.answers import Lead
from core.cited_answers import lead_line
from core.language.amounts import NUMBER
from core.language.content_words import stems
from core.language.numbers import NUMBER_WORDS, parse_number
from core.language.units import times
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used

_TOPIC = compile_when_used(r"\b(?:for|on|of|in|to|among|between)\b\s*(?:the\s+|our\s+)?", re.IGNORECASE)
_UNIT_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.4, "quarter": 91.3, "year": 365.25}
_TIME_NAMES = {name: unit for name, unit in times("en", "de").items() if unit in _UNIT_DAYS}
_NUMBER = rf"(?:{NUMBER}|(?:{join_alternatives(NUMBER_WORDS)})(?![\w-]))"
_DURATION = compile_when_used(
    rf"(?<![\w.,/-])(?P<number>{_NUMBER})[\s-]+(?:(?:working|calendar|full|whole)\s+)?(?P<unit>{join_alternatives(_TIME_NAMES)})\b", re.IGNORECASE
)
_SUM = compile_when_used(rf"[£$€¥]\s?(?P<number>{NUMBER})", re.IGNORECASE)
_ANY_NUMBER = compile_when_used(rf"(?<![\w.,/-])(?P<number>{NUMBER})(?![\w/]|-\d)")
_ENDS_LINE = compile_when_used(r"\s*(?:[£$€¥]|[A-Z]{3})?\s*\W*$")
_CURRENCY = compile_when_used(r"[£$€¥]|\b(?:EUR|USD|GBP|CHF|JPY)\b")
_TAX_WORDS = compile_when_used(r"\b(?P<net>net|netto|excluding|excl|zzgl)\b|\b(?P<gross>gross|brutto|including|incl|inkl|to\s+pay)\b", re.IGNORECASE)
_CHANCE = 0.8  # of a verdict whose every side states its value


class ExtremeSides(NamedTuple):
    """The places of the sides whose cells hold the least or the greatest value; [start:end] of the first one's document says `value`."""

    places: list[int]
    value: str
    start: int
    end: int


def lead_with(extreme: ExtremeSides, names: Sequence[str], quoted: QuotedAnswer) -> QuotedAnswer:
    """Return the answer with the sides that were asked for in its first line; `names` are those of all sides, which all have a line."""
    answer = quoted.answer
    numbers = [answer.sentences[place].citations[0] for place in extreme.places]
    told = f"{' and '.join(names[place] for place in extreme.places)}: {extreme.value}"
    lead = Lead(text=told, kind="verdict", citation=numbers[0], start=extreme.start, end=extreme.end, chance=_CHANCE)
    return quoted._replace(answer=answer.model_copy(update={"lead": lead, "text": lead_line(lead, numbers) + answer.text}))


class _Value(NamedTuple):
    size: float
    start: int
    end: int


def parse_superlative(question: str) -> ComparisonRequest | None:
    """Read a question as one for the superlative of a group of documents; None where it is none."""
    asked = SUPERLATIVE_QUESTION.match(question) or SUPERLATIVE_FIRST.match(question)
    if asked is None:
        return None
    noun = singular(asked["noun"].lower())
    word = asked["word"].lower().split()[-1]
    parts = _TOPIC.split(asked["rest"], maxsplit=1)
    attribute, topic = parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""
    if word in PRICE_WORDS:
        attribute, topic = "total price", topic or attribute
    elif not attribute and word in SPEED_WORDS:
        attribute = "delivery time"
    if not attribute:
        return None
    is_least = asked["more"].lower() == "least" if asked["more"] else word in LEAST.split()
    return ComparisonRequest(group=WRITERS.get(noun, noun), topic=topic, attributes=(attribute,), superlative="least" if is_least else "most")


def extreme_sides(request: ComparisonRequest, cells: Sequence[ChosenUnit | None]) -> ExtremeSides | None:
    """Return the side with the least or the greatest value, or those that share it; None where a side says none, all say the same, or they do not
    speak of the same: in other currencies, or one net and one gross."""
    units = [cell.unit for cell in cells if cell is not None]
    values = [value for unit in units if (value := _value_in(unit, request.attributes[0])) is not None]
    if len(values) < 2 or len(values) < len(cells) or not _are_comparable(units):
        return None
    wanted = (min if request.superlative == "least" else max)(value.size for value in values)
    places = [place for place, value in enumerate(values) if value.size == wanted]
    if len(places) == len(values):
        return None
    unit, value = units[places[0]], values[places[0]]
    return ExtremeSides(places, unit.text[value.start : value.end], unit.start + value.start, unit.start + value.end)


def _are_comparable(units: Sequence[QuotableUnit]) -> bool:
    """Return whether all units that name a currency name the same, and all of them are with tax, without it, or do not say."""
    said = [" ".join([*unit.header, unit.text]) for unit in units]
    currencies = {frozenset(_CURRENCY.findall(text)) for text in said} - {frozenset()}
    taxes = {frozenset(match.lastgroup for match in _TAX_WORDS.finditer(unit.text)) for unit in units}
    return len(currencies) <= 1 and len(taxes) == 1


def _value_in(unit: QuotableUnit, attribute: str) -> _Value | None:
    """Return the value of a unit: of a duration its days, the first one; of a price the first sum of a sentence, else the figure that ends a row or a
    line; of anything else its only figure."""
    wanted = stems(attribute)
    if wanted & DURATION_WORDS:
        found = _DURATION.search(unit.text)
        return _value_of(found, _UNIT_DAYS[_TIME_NAMES[found["unit"].lower()]]) if found is not None else None
    if wanted & AMOUNT_WORDS and not unit.cells and (found := _SUM.search(unit.text)) is not None:
        return _value_of(found)
    numbers = list(_ANY_NUMBER.finditer(unit.text))
    ends_line = bool(numbers and wanted & AMOUNT_WORDS and _ENDS_LINE.match(unit.text, numbers[-1].end()))
    return _value_of(numbers[-1]) if numbers and (len(numbers) == 1 or unit.cells or ends_line) else None


def _value_of(match: re.Match[str], factor: float = 1.0) -> _Value | None:
    size = parse_number(match["number"])
    return _Value(float(size) * factor, *match.span()) if size is not None else None
