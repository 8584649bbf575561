"""The cells of one row: for each side the unit that speaks best of an attribute."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from agents.comparison.sides import Side, SideText
from agents.sources.quotable_units import ChosenUnit, QuotableUnit
from agents.text.document_names import name_stems
from core.language.content_words import stems
from core.language.months import ENGLISH_MONTH
from core.language.numbers import number_words
from core.language.related_words import has_related, similar_words
from core.language.units import times
from core.language.word_files import join_alternatives

_LEAST_SHARE = 0.5  # of an attribute's words in the unit that answers it
_FIGURE_BONUS, _SEARCH_BONUS, _HEADING_SHARE, _LENGTH_PENALTY = 0.15, 0.25, 0.6, 0.004
_ABOUT_AS_GOOD = 0.12
_MOST_CANDIDATES = 12
_MOST_SPANS = 4  # of those that the search found, how many speak for a unit
_SAME_WORD_SHARE = 0.6  # of the words of two cells that say the same
# Words that ask for a figure of a kind: such a figure stands for the word, and a unit without one says little.
_MONEY = re.compile(r"[£$€¥]\s?\d|\b\d{1,3}(?:,\d{3})+\b|\b\d{3,}(?:\.\d\d)?\b(?!\s*(?:kg|km|mm|cm|m|hours?|days?|%)\b)")
_DATE = re.compile(rf"\b\d{{1,2}}\s+(?:{ENGLISH_MONTH})\b|\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b")
_CLOCK = re.compile(r"\b\d{1,2}[:.]\d\d\b")
_ANY_FIGURE = re.compile(r"\d")
_NUMBER_WORDS = join_alternatives((*number_words("en"), *number_words("de", least=2)))
_DURATION = re.compile(rf"(?:\d|\b(?:{_NUMBER_WORDS}))[\s-]+(?:\w+\s+)?(?:{join_alternatives(times('en', 'de'))})\b", re.IGNORECASE)
AMOUNT_WORDS = stems("price prices cost costs amount sum charge fee")
DURATION_WORDS = stems("time duration warranty guarantee notice validity lieferzeit dauer garantie frist")
_NAMED_IN_WORDS = stems("warranty guarantee notice validity lieferzeit garantie")  # any duration may be a time, none is a warranty unsaid
_ASKS_FOR: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(AMOUNT_WORDS, _MONEY),
    **dict.fromkeys(stems("date deadline expiry"), _DATE),
    **dict.fromkeys(stems("hours opening access"), _CLOCK),
    **dict.fromkeys(DURATION_WORDS, _DURATION),
    **dict.fromkeys(stems("limit maximum minimum threshold ceiling percentage"), _ANY_FIGURE),
}
_SAY_NOTHING = stems("terms conditions details provisions arrangements")  # "payment terms" are what is said of payment
_TOTAL = re.compile(r"^\W*(?:grand\s+|sub)?total\b", re.IGNORECASE)
_STAND_IN_SHARE = 0.8
_RELATED_SHARE = 0.6  # of a word's weight, for one that means nearly the same


def fill_row(attribute: str, sides: Sequence[Side], texts: Sequence[SideText]) -> list[ChosenUnit | None]:
    """Choose for each side the unit that speaks best of the attribute, None where none holds half of its words. Of units that are about as good,
    those are taken that the sides word alike: they answer the same question."""
    likely = [_rank_units(attribute, side, text) for side, text in zip(sides, texts, strict=True)]
    chosen: list[ChosenUnit | None] = [found[0] if found else None for found in likely]
    for place, found in enumerate(likely):
        others = [cell.unit for at, cell in enumerate(chosen) if cell is not None and at != place]
        near = [each for each in found if each.strength >= found[0].strength - _ABOUT_AS_GOOD]
        if len(near) > 1 and others:
            chosen[place] = max(near, key=lambda each: (sum(_likeness(each.unit, other) for other in others), each.strength))
    return chosen


def _rank_units(attribute: str, side: Side, text: SideText) -> list[ChosenUnit]:
    wanted = stems(attribute) - (name_stems(side.document) if side.document else frozenset())
    wanted = (wanted - _SAY_NOTHING) or wanted or stems(attribute)
    if side.document is None:
        wanted |= stems(side.name)
    spread = Counter(word for unit in text.units for word in wanted & (stems(unit.text) | _context(unit)))
    weights = {word: 1.0 / math.log(2.0 + spread[word]) for word in wanted}
    found = {span: 1.0 - place / 6.0 for place, span in enumerate(text.search_spans.get(attribute, ())[:_MOST_SPANS])}
    scored = [ChosenUnit(text.document_id, unit, _strength(unit, weights, found)) for unit in text.units]
    return sorted((each for each in scored if each.strength >= _LEAST_SHARE), key=lambda each: (-each.strength, each.unit.start))[:_MOST_CANDIDATES]


def _context(unit: QuotableUnit) -> frozenset[str]:
    return stems(" ".join([*unit.section[-1:], *unit.header]))


def _strength(unit: QuotableUnit, weights: Mapping[str, float], found: Mapping[tuple[int, int], float]) -> float:
    """The weight of the attribute's words in the unit, those of its heading and columns at a discount, more where it has a figure and where the
    search found it, less for a long one; 0 where it holds too few of the words itself."""
    total = sum(weights.values())
    own = stems(unit.text)
    if len(own) < 2 or sum(letter.isalpha() for letter in unit.text) < 0.3 * len(unit.text.replace(" ", "")):
        return 0.0
    figures = {word: bool(_ASKS_FOR[word].search(unit.text)) for word in weights if word in _ASKS_FOR}
    held = sum(_held_weight(word, weight, _share_named(word, own), figures.get(word)) for word, weight in weights.items())
    around = frozenset[str]() if _speaks_of_other_topic(unit, own, weights) else _context(unit)
    lent = sum(weight for word, weight in weights.items() if word not in own and not figures.get(word) and word in around)
    near = max((value for (start, end), value in found.items() if start <= unit.start < end), default=0.0)
    share = (held + _HEADING_SHARE * lent) / total if total else 0.0
    if share < _LEAST_SHARE - _SEARCH_BONUS * near or held == 0:
        return 0.0
    total_row = 0.1 * (any(figures.values()) and bool(_TOTAL.match(unit.text)))
    return (
        share
        + total_row
        + _FIGURE_BONUS * (bool(unit.numbers) or any(figures.values()))
        + _SEARCH_BONUS * near
        - _LENGTH_PENALTY * max(0, len(unit.text.split()) - 15)
    )


def _speaks_of_other_topic(unit: QuotableUnit, own: frozenset[str], wanted: Collection[str]) -> bool:
    """Return whether a unit names another topic of its heading than the one that is wanted: the warranty under "Delivery, payment and warranty"."""
    return bool(not unit.cells and (stems(" ".join(unit.section[-1:])) - frozenset(wanted)) & own)


def _share_named(word: str, own: frozenset[str]) -> float:
    """Return 1 where the unit has the word or another ending of it, _RELATED_SHARE where it has a word that means nearly the same, else 0."""
    if word in own or has_related(word, own):
        return 1.0
    if word in _ASKS_FOR:
        return 0.0  # of "price" a service that "costs" something is no part
    return _RELATED_SHARE * (not own.isdisjoint(stems(" ".join(similar_words(word)))))


def _held_weight(word: str, weight: float, named: float, has_figure: bool | None) -> float:
    """A word that asks for a figure is held by the figure, unless it must be said; its name alone, without one, is half of it. None: the word asks
    for no figure."""
    if has_figure is None or (word in _NAMED_IN_WORDS and not named):
        return weight * named
    return weight * (1.0 if has_figure and named else _STAND_IN_SHARE if has_figure else 0.5 * named)


def _likeness(one: QuotableUnit, other: QuotableUnit) -> float:
    left, right = stems(one.text), stems(other.text)
    return len(left & right) / max(1, len(left | right)) + 0.2 * (one.section[-1:] == other.section[-1:] != ())


def differs(cells: Sequence[ChosenUnit | None]) -> bool | None:
    """Return whether the figures differ, or clearly the words; None where a side says nothing."""
    units = [cell.unit for cell in cells if cell is not None]
    if len(units) < 2 or len(units) < len(cells):
        return None
    first = stems(units[0].text)
    apart = any(len(first & stems(other.text)) < _SAME_WORD_SHARE * len(first | stems(other.text)) for other in units[1:])
    return apart or len({unit.numbers for unit in units}) > 1
