"""Whether a cited passage says what a written sentence says: its best span, by meaning and by words, and whether numbers and names agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from answers.scoring import TermIndex
from answers.units import Role, Unit, split_units
from answers.vectors import UnitVectors
from answers.wanted import capitalised
from core.answers import Evidence, Support

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_DENIAL = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nicht|kein\w*|nie|niemals|ohne|nunca|ningun\w*|ningún|sin|ne|pas|jamais|sans|aucun\w*)\b|n['’]t\b|[不没無未]",
    re.IGNORECASE,
)
_CANDIDATES = 8  # units of a passage that are encoded for one sentence
SUPPORTED, WEAK = 0.62, 0.45


@dataclass(frozen=True, slots=True)
class Found:
    """The best span for a sentence: `strength` is .5 cosine + .5 idf overlap, `missing` the numbers and names that the span lacks,
    `reversed` whether one of the two denies and the other does not."""

    source: int
    start: int
    end: int
    strength: float
    missing: tuple[str, ...] = ()
    reversed: bool = False

    @property
    def support(self) -> Support:
        """`supported` needs all numbers and names and the same polarity; a missing name or a denial leaves it weak, a missing number nothing."""
        if self.strength >= SUPPORTED and not self.missing and not self.reversed:
            return "supported"
        if self.strength >= WEAK and not any(_NUMBER.fullmatch(word) for word in self.missing):
            return "weak"
        return "unsupported"


class SupportCheck:
    """Checks the sentences of one answer against its evidence."""

    def __init__(self, vectors: UnitVectors, index: TermIndex, tenant: str, evidence: Sequence[Evidence]) -> None:
        self._vectors = vectors
        self._index = index
        self._tenant = tenant
        self._evidence = evidence
        self._units: list[list[Unit]] = [[] for _ in evidence]
        for source, item in enumerate(evidence):
            self._units[source] = [unit for unit in split_units([item]) if unit.role is not Role.HEADING]

    async def best(self, sentence: str, sources: Sequence[int]) -> Found | None:
        """The span among the passages `sources` that supports the sentence best; None where they hold no unit."""
        units = [(source, place) for source in sources for place in range(len(self._units[source]))]
        if not units:
            return None
        weights = await self._index.idf(self._tenant, sentence)
        shares = {key: _share(weights, frozenset(self._index.terms(self._unit(key).text))) for key in units}
        first = sorted(units, key=lambda key: -shares[key])[:_CANDIDATES]
        matrix = await self._vectors.of([sentence, *(self._unit(key).text for key in first)])
        cosines = self._vectors.scale.scaled(matrix[1:] @ matrix[0])
        strengths = 0.5 * cosines + 0.5 * np.array([shares[key] for key in first], np.float32)
        place = int(np.argmax(strengths))
        return self._found(sentence, first[place], float(strengths[place]), weights)

    def _unit(self, key: tuple[int, int]) -> Unit:
        return self._units[key[0]][key[1]]

    def _found(self, sentence: str, key: tuple[int, int], strength: float, weights: dict[str, float]) -> Found:
        """The best unit, with its neighbour where the two together say clearly more."""
        source, place = key
        unit = self._unit(key)
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
        context = f"{text} {self._evidence[source].title} {' '.join(passage.section)}"
        return Found(source, start, end, min(1.0, strength + 0.5 * gained), _missing(sentence, context), _denies(sentence) != _denies(text))


def _share(weights: dict[str, float], terms: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in terms) / total if total else 0.0


def _missing(sentence: str, span: str) -> tuple[str, ...]:
    """Numbers of the sentence that the span lacks, and names: capitalised words that do not open it."""
    held = {_plain(number) for number in _NUMBER.findall(span)}
    numbers = [number for number in _NUMBER.findall(sentence) if _plain(number) not in held]
    words = span.casefold()
    names = [sentence[start:end] for start, end in capitalised(sentence) if start > 0]
    return (*numbers, *(name for name in names if name.casefold().rstrip("'’s") not in words))


def _denies(text: str) -> bool:
    return _DENIAL.search(text) is not None


def _plain(number: str) -> str:
    """1,200 and 1200 are one number; 1.5 stays."""
    return re.sub(r",(?=\d{3}\b)", "", number).rstrip(".,")
