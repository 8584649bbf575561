"""The authors of a document: the line of names under its title, for "Who are the authors of Dense Passage Retrieval?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.claim_words import label_words
from core.language.dates import DATES
from core.language.question_wording import strip_politeness

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:(?:who\s+(?:(?:wrote|authored)(?!\s+to\b)|(?:is|are|was|were)\s+the\s+(?:authors?|writers?)\s+of)|wer\s+(?:ist|sind)\s+(?:der|die)\s+autor(?:en|in)?\s+(?:von|des|der))\s+"
    r"(?P<what>.+?)|by\s+whom\s+(?:is|was|were)\s+(?P<written>.+?)\s+written|wer\s+hat\s+(?P<geschrieben>.+?)\s+(?:geschrieben|verfasst))\W*$",
    re.IGNORECASE,
)
_WRITINGS = label_words("paper article blog post book report study text document page thesis")
_MOST_UNITS = 12  # units of a document's first passage among which its line of names stands
_MARKS = re.compile(r"[\d*∗†‡§¶˘()\[\]{}]+")  # notes behind the names
_NAME_SEPARATOR = re.compile(r"\s*(?:,|;|·|&|\band\b|\bund\b)\s*")
_NAME = re.compile(r"[^\W\d_a-z][\w’'-]+(?:\s+(?:[^\W\d_a-z]\.?|van|von|de|der|la|du|di|bin|al|[^\W\d_a-z][\w’'-]+)){1,4}")
_SHORT_LINES = frozenset({Role.HEADING, Role.LABEL, Role.SENTENCE, Role.ITEM})
_TITLE_UNITS = 3  # in which a title stands above the day of a page
_MOST_NAMES = 0.6  # of the parts of a line
_LEAST_NAMED = 0.6  # of the words by which the question calls the document


def byline(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the names under the title of the document that is asked about; None where no such line stands at its beginning, or in two documents."""
    asked = _QUESTION_PATTERN.match(strip_politeness(question.text))
    called = label_words(next(filter(None, asked.groups()), "")) - _WRITINGS if asked is not None else frozenset[str]()
    if not called:
        return None
    found = {units[places[0]].document: places for places in _bylines(units) if _is_called(called, places[0], units)}
    if len(found) != 1:
        return None
    spans = tuple(UnitSpan(place, 0, len(units[place].unit.text)) for place in next(iter(found.values())))
    return RuleAnswer(units[spans[0].unit].unit.text, spans, LIKELY_CHANCE, "span")


def _is_called(called: frozenset[str], place: int, units: Sequence[ScoredUnit]) -> bool:
    """Return whether the document's title, its file's name or what stands above the names has most words of what the question calls it."""
    above = [unit.unit.text for unit in units[max(0, place - _MOST_UNITS) : place] if unit.unit.source == units[place].unit.source]
    said = label_words(" ".join([*units[place].names, *above]))
    return len(called & said) >= _LEAST_NAMED * len(called)


def _bylines(units: Sequence[ScoredUnit]) -> Iterator[list[int]]:
    """Yield the lines of names at the beginning of each document's first passage, below its title, and beside the day under the title of a page."""
    begun: set[int] = set()
    for place, unit in enumerate(units):
        if unit.unit.source in begun:
            continue
        begun.add(unit.unit.source)
        if unit.unit.start > len(unit.unit.text) + _MOST_UNITS:
            continue  # not at the beginning of its document
        top = [at for at in range(place, min(place + _MOST_UNITS, len(units))) if units[at].unit.source == unit.unit.source]
        first = next((at for at in top[1:] if _are_names(units[at])), None)
        if first is not None:
            yield [*takewhile(lambda at: _are_names(units[at]), [at for at in top if at >= first])]
    for place, unit in enumerate(units):
        if unit.unit.role in _SHORT_LINES and DATES.search(unit.unit.text) is not None and _stands_under_title(place, units):
            yield from _names_beside_date(place, units)


def _stands_under_title(place: int, units: Sequence[ScoredUnit]) -> bool:
    """Return whether the lines right above hold most of the document's title, as on a page that begins with its menu."""
    above = [unit for unit in units[max(0, place - _TITLE_UNITS) : place] if unit.unit.source == units[place].unit.source]
    title = label_words(units[place].title)
    said = label_words(" ".join(unit.unit.text for unit in above))
    return bool(title) and len(title & said) >= _LEAST_NAMED * len(title)


def _names_beside_date(place: int, units: Sequence[ScoredUnit]) -> Iterator[list[int]]:
    """Yield the line of names right above or under a page's day, which may stand there twice, beside a picture."""
    for at in (place + 1, place - 1):
        inside = 0 <= at < len(units) and units[at].unit.source == units[place].unit.source
        if inside and units[at].unit.role in _SHORT_LINES and _NAME.fullmatch(units[at].unit.text.strip()) is not None:
            yield [at]
            return


def _are_names(unit: ScoredUnit) -> bool:
    """Return whether a line holds little but names of persons."""
    if unit.unit.role in {Role.ROW, Role.HEADER, Role.QUESTION} or not unit.unit.choosable:
        return False
    parts = [part for each in _NAME_SEPARATOR.split(_MARKS.sub(" ", unit.unit.text)) if (part := " ".join(each.split()).strip(" ."))]
    names = sum(_NAME.fullmatch(part) is not None for part in parts)
    return bool(parts) and names >= max(1, _MOST_NAMES * len(parts))
