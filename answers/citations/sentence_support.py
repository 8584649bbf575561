"""The check whether a cited passage says what a written sentence says: its best span, by meaning and by words, and whether numbers and names
agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from answers.questions.answer_kinds import capitalised_spans
from answers.scoring.unit_scores import TermIndex, header_of
from answers.scoring.unit_vectors import UnitVectors
from answers.units.answer_units import Role, Unit, split_units
from answers.units.row_wording import cells_of
from core.answers import Evidence, Support
from core.language.content_words import stems
from core.language.figures import StatedFigure, figures_of
from core.language.months import MONTHS

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nicht|kein\w*|nie|niemals|ohne|nunca|ningun\w*|ningún|sin|ne|pas|jamais|sans|aucun\w*)\b|n['’]t\b|[不没無未]",
    re.IGNORECASE,
)
_NAMES = re.compile(r"[A-ZÀ-Þ][\w’'-]+(?:\s+(?:&\s+)?[A-ZÀ-Þ][\w’'-]+)*")
_SYMMETRIC_JOINT = re.compile(r"[,;:|()]|\b(?:and|or|by|of|from|at|in|und|oder|von|durch|bei)\b|['’]s\b", re.IGNORECASE)
_ADDRESS = re.compile(r"\S+@\S+|\b(?:https?://|www\.)\S+")
_FIGURE_CELL = re.compile(r"^[-−+£€$\s]*(?P<number>\d+(?:[.,]\d+)*)\s*[^\W\d]{0,4}[%°]?$")
_CANDIDATES = 8  # units of a passage that are encoded for one sentence
SUPPORTED_STRENGTH, WEAK_STRENGTH = 0.62, 0.45


@dataclass(frozen=True, slots=True)
class SupportingSpan:
    """The best span for a sentence: `strength` is .5 cosine + .5 idf overlap, `missing_details` the figures, days and names that the span lacks,
    `is_reversed` whether one of the two denies and the other does not, two names have changed places, or a figure is that of another column of the
    row than the sentence speaks of."""

    source: int
    start: int
    end: int
    strength: float
    missing_details: tuple[str, ...] = ()
    is_reversed: bool = False

    @property
    def support(self) -> Support:
        """The support of the sentence: none for a figure, a day or a name that its span lacks, or for the opposite of what it says, however near it
        is."""
        if self.missing_details or self.is_reversed or self.strength < WEAK_STRENGTH:
            return "unsupported"
        return "supported" if self.strength >= SUPPORTED_STRENGTH else "weak"


class SupportCheck:
    """The check of the sentences of one answer against its evidence."""

    def __init__(self, vectors: UnitVectors, index: TermIndex, tenant: str, evidence: Sequence[Evidence]) -> None:
        self._vectors = vectors
        self._index = index
        self._tenant = tenant
        self._evidence = evidence
        self._units: list[list[Unit]] = [[] for _ in evidence]
        for source, item in enumerate(evidence):
            self._units[source] = [unit for unit in split_units([item]) if unit.role is not Role.HEADING]

    async def find_best(self, sentence: str, sources: Sequence[int]) -> SupportingSpan | None:
        """Return the span among the passages `sources` that supports the sentence best; None where they hold no unit."""
        units = [(source, place) for source in sources for place in range(len(self._units[source]))]
        if not units:
            return None
        weights = await self._index.idf(self._tenant, sentence)
        shares = {key: _share(weights, frozenset(self._index.terms(self._make_unit(key).text))) for key in units}
        first = sorted(units, key=lambda key: -shares[key])[:_CANDIDATES]
        matrix = await self._vectors.encode([sentence, *(self._make_unit(key).text for key in first)])
        cosines = self._vectors.scale.rescale(matrix[1:] @ matrix[0])
        strengths = 0.5 * cosines + 0.5 * np.array([shares[key] for key in first], np.float32)
        place = int(np.argmax(strengths))
        return self._make_span(sentence, first[place], float(strengths[place]), weights)

    def context_words(self, found: SupportingSpan) -> str:
        """Return the words of a span with those of the title and the headings that it stands under."""
        item = self._evidence[found.source]
        text = item.passage.content[found.start - item.passage.start : found.end - item.passage.start]
        return f"{text} {item.title} {' '.join(item.passage.section)}"

    def _make_unit(self, key: tuple[int, int]) -> Unit:
        return self._units[key[0]][key[1]]

    def _make_span(self, sentence: str, key: tuple[int, int], strength: float, weights: dict[str, float]) -> SupportingSpan:
        """Return the best unit, with its neighbour where the two together say clearly more."""
        source, place = key
        unit = self._make_unit(key)
        start, end, text = unit.start, unit.end, unit.text
        alone = _share(weights, frozenset(self._index.terms(text)))
        for other in (place - 1, place + 1):
            if 0 <= other < len(self._units[source]):
                beside = self._units[source][other]
                both = _share(weights, frozenset(self._index.terms(f"{unit.text} {beside.text}")))
                if both >= alone + 0.2:
                    start, end, alone = min(unit.start, beside.start), max(unit.end, beside.end), both
        passage = self._evidence[source].passage
        text = passage.content[start - passage.start : end - passage.start]
        gained = alone - _share(weights, frozenset(self._index.terms(unit.text)))
        found = SupportingSpan(source, start, end, min(1.0, strength + 0.5 * gained))
        reversed_ = _denies(sentence) != _denies(text) or _swaps_names(sentence, text) or self._takes_another_column(sentence, source, (start, end))
        return replace(found, missing_details=_find_missing_details(sentence, self.context_words(found)), is_reversed=reversed_)

    def _takes_another_column(self, sentence: str, source: int, span: tuple[int, int]) -> bool:
        """Return whether a row of the span has the sentence's figure under another column than the sentence speaks of."""
        rows = [unit for unit in self._units[source] if unit.role is Role.ROW and span[0] <= unit.start and unit.end <= span[1]]
        return any(_takes_another_column(sentence, row.text, header_of(row, self._evidence[source])) for row in rows)


def _share(weights: dict[str, float], terms: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in terms) / total if total else 0.0


def _find_missing_details(sentence: str, span: str) -> tuple[str, ...]:
    """Return what of a sentence is said nowhere in its span: figures by kind and value (£80,000, 3 months and "three months", 1 May 2026 and
    2026-05-01), other numbers as they are written, and names: capitalised words that do not open the sentence."""
    stated = figures_of(sentence)
    figures = [figure.text for figure in stated if not _holds_figure(span, figure)]
    read = [(figure.start, figure.end) for figure in stated]
    held = {_normalise_number(number) for number in _NUMBER.findall(span)}
    numbers = [
        match.group()
        for match in _NUMBER.finditer(sentence)
        if _normalise_number(match.group()) not in held and not any(start <= match.start() < end for start, end in read)
    ]
    words = _ADDRESS.sub(" ", span).casefold()  # "m.pascoe@trevanion-holt.example" does not speak of Trevanion & Holt
    names = [sentence[start:end] for start, end in capitalised_spans(sentence) if start > 0]
    names = [name for name in names if name.casefold() not in MONTHS and name.casefold().rstrip("'’s") not in words]
    return (*figures, *numbers, *names)


def _holds_figure(span: str, figure: StatedFigure) -> bool:
    """Return whether a span states a figure: the same kind and value; a number alone in the span (a cell whose unit stands above it) is taken for any
    kind, and a number alone in the sentence for a number of the span. A day without its year is the day of any year."""
    stated = figures_of(span)
    if any((other.kind, other.value) == (figure.kind, figure.value) for other in stated):
        return True
    if figure.kind == "date":
        return any(other.kind == "date" and other.value[-5:] == figure.value[-5:] and "--" in other.value + figure.value for other in stated)
    taken = [(other.start, other.end) for other in stated if other.kind != "count"]
    bare = [match for match in _NUMBER.finditer(span) if not any(start <= match.start() < end for start, end in taken)]
    values = {_normalise_number(match.group()) for match in bare}
    if figure.kind == "count":
        values |= {_normalise_number(number) for number in _NUMBER.findall(span)} | {other.value for other in stated}
    return _normalise_number(figure.value) in values


def _swaps_names(sentence: str, span: str) -> bool:
    """Return whether a sentence says of two names what its span says the other way round: "Holt works for Ada" of "Ada Finch | Holt". Names beside
    each other, and a passive ("is owned by"), may stand in any order."""
    found = [match for match in _NAMES.finditer(sentence) if match.group() in span]
    for one, other in pairwise(found):
        between = sentence[one.end() : other.start()]
        swapped = span.index(other.group()) < span.index(one.group())
        if swapped and between.strip() and _SYMMETRIC_JOINT.search(between) is None:
            return True
    return False


def _takes_another_column(sentence: str, row: str, header: str) -> bool:
    """Return whether a figure of the sentence is a cell of the row, and the column of another figure there shares more words with the sentence: "the
    alarm goes off at -21" of "target -21 | alarm above -18"."""
    cells, heads = cells_of(row), cells_of(header)
    if len(cells) > len(heads):
        return False
    said, words = {_normalise_number(number) for number in _NUMBER.findall(sentence)}, stems(sentence)
    figures = [
        (_normalise_number(match["number"]) in said, len(words & stems(head.replace("_", " "))))
        for cell, head in zip(cells, heads, strict=False)  # empty cells at a row's end are not written
        if (match := _FIGURE_CELL.match(cell)) is not None
    ]
    said_shares = [shared for is_said, shared in figures if is_said]
    return bool(said_shares) and max(said_shares) < max((shared for is_said, shared in figures if not is_said), default=0)


def _denies(text: str) -> bool:
    return _DENIAL.search(text) is not None


def _normalise_number(number: str) -> str:
    """Return a number without its thousands marks: 1,200 and 1200 are one number, and so is 1.200; 1.5 stays."""
    return re.sub(r"[.,](?=\d{3}(?!\d))", "", number).rstrip(".,")
