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
    """Return the side with the least or the greatest value, or those that share it; None where a side says none, or all say the same."""
    values = [None if cell is None else _value_in(cell.unit, request.attributes[0]) for cell in cells]
    sizes = [value.size for value in values if value is not None]
    if len(sizes) < 2 or len(sizes) < len(cells):
        return None
    wanted = min(sizes) if request.superlative == "least" else max(sizes)
    found = [(place, value) for place, value in enumerate(values) if value is not None and value.size == wanted]
    cell, value = cells[found[0][0]], found[0][1]
    if len(found) == len(cells) or cell is None:
        return None
    places = [place for place, _ in found]
    return ExtremeSides(places, cell.unit.text[value.start : value.end], cell.unit.start + value.start, cell.unit.start + value.end)


def _value_in(unit: QuotableUnit, attribute: str) -> _Value | None:
    """Return the value of a unit: of a duration its days, the first one; of a price the last figure of a row or line, else the first sum."""
    wanted = stems(attribute)
    if wanted & DURATION_WORDS:
        found = _DURATION.search(unit.text)
        return _value_of(found, _UNIT_DAYS[_TIME_NAMES[found["unit"].lower()]]) if found is not None else None
    if wanted & AMOUNT_WORDS and not unit.cells and (found := _SUM.search(unit.text)) is not None:
        return _value_of(found)
    numbers = list(_ANY_NUMBER.finditer(unit.text))
    is_line_of_sum = bool(unit.cells or wanted & AMOUNT_WORDS)
    return _value_of(numbers[-1]) if numbers and (len(numbers) == 1 or is_line_of_sum) else None


def _value_of(match: re.Match[str], factor: float = 1.0) -> _Value | None:
    size = parse_number(match["number"])
    return _Value(float(size) * factor, *match.span()) if size is not None else None
