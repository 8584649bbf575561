"""One person's memories searched by words and by meaning, in memory: lines of sessions, as in the turns of a conversation.

The recipe for conversations: a line's words include its speaker and its date; its vector is of the previous line and itself together; the
hybrid score `h = .4 bm25 / max + .6 cosine / max` gains `.3 h` of each direct neighbour in the session, `.15 h` of each next but one, `.1` of
the session's best line, and `.05` where the question names the speaker. BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance
Framework" (2009).
"""

from __future__ import annotations

import math
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.ports import REFERENCE_SCALE, SimilarityScale

TermAnalyser: TypeAlias = Callable[[str], list[str]]
FloatArray: TypeAlias = NDArray[np.float32]

_K1, _B = 1.2, 0.75
_FEW_DEAD, _FEWEST_ROWS = 256, 16
# Among a handful of lines every word looks common or unheard of: rarity is judged as if there were at least so many.
_FEWEST_LINES = 100


class LineWeights(NamedTuple):
    """The weight of each part of the score; the defaults are the recipe."""

    lexical: float = 0.4
    dense: float = 0.6
    neighbour: float = 0.3
    next_but_one: float = 0.15
    session: float = 0.1
    speaker: float = 0.05


DEFAULT_WEIGHTS = LineWeights()


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A searched text. Lines of one `group` (a session) are neighbours in the order of `at`."""

    id: str
    group: str
    text: str
    at: datetime | None = None
    speaker: str = ""

    @property
    def spoken_text(self) -> str:
        """The text with who said it: "Speaker: text"."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    @property
    def lexical_text(self) -> str:
        """The lexical field: "Speaker: text 8 May 2023"."""
        return f"{self.spoken_text} {spoken_date(self.at)}" if self.at else self.spoken_text


@dataclass(frozen=True, slots=True)
class RankedLine:
    """A line with its place in the ranking (`score`) and two measures that can be compared between questions: the cosine of question and line, and
    the share of the question's idf mass that the line holds, both in 0..1."""

    id: str
    score: float
    cosine: float
    coverage: float


def spoken_date(at: datetime) -> str:
    """Return a date as people write it: "8 May 2023"."""
    return f"{at.day} {at:%B} {at.year}"


class LineIndex:
    """The lines of one person. Safe to search in one thread while another adds. `scale` is that of the embedder whose vectors the lines have."""

    def __init__(self, dimension: int, terms: TermAnalyser, weights: LineWeights = DEFAULT_WEIGHTS, scale: SimilarityScale = REFERENCE_SCALE) -> None:
        self._terms, self._weights, self._scale = terms, weights, scale
        self._lock = threading.Lock()
        self._vectors: FloatArray = np.zeros((0, dimension), np.float32)
        self._lengths: FloatArray = np.zeros(0, np.float32)
        self._alive: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._times: NDArray[np.float64] = np.zeros(0, np.float64)
        self._groups: NDArray[np.int64] = np.zeros(0, np.int64)
        self._numbers: dict[str, int] = {}
        self._lines: list[MemoryLine] = []
        self._rows: dict[str, int] = {}
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._names: dict[str, list[int]] = {}
        self._order: _Order | None = None

    def __len__(self) -> int:
        return len(self._rows)

    def previous_line(self, line: MemoryLine) -> MemoryLine | None:
        """Return the line before this one in its session."""
        with self._lock:
            earlier = [each for each in self._lines if each.group == line.group and each.id != line.id and _timestamp(each) <= _timestamp(line)]
            return max((each for each in earlier if each.id in self._rows), key=_timestamp, default=None)

    def vector(self, line_id: str) -> FloatArray | None:
        """Return [dimension]; zeros for a line that has none, None for one that is not here."""
        with self._lock:
            row = self._rows.get(line_id)
            return None if row is None else self._vectors[row].copy()

    def put_line(self, line: MemoryLine, vector: NDArray[np.floating] | None) -> None:
        """Add a line, or put it in place of the one with its id. Without a vector it is found by its words alone."""
        with self._lock:
            self._mark_removed([line.id])
            row = len(self._lines)
            self._grow(row + 1)
            self._lines.append(line)
            self._rows[line.id] = row
            self._alive[row] = True
            self._times[row] = _timestamp(line)
            self._groups[row] = self._numbers.setdefault(line.group, len(self._numbers))
            self._vectors[row] = 0.0 if vector is None else vector
            counts = Counter(self._terms(line.lexical_text))
            self._lengths[row] = counts.total()
            for term, count in counts.items():
                rows, frequencies = self._postings.setdefault(term, (array("i"), array("i")))
                rows.append(row)
                frequencies.append(count)
            for name in set(self._terms(line.speaker)) if line.speaker else ():
                self._names.setdefault(name, []).append(row)
            self._order = None

    def nearest_lines(self, vector: NDArray[np.floating], limit: int) -> list[tuple[str, float]]:
        """Return the lines nearest in meaning with their scaled cosine, nearest first."""
        with self._lock:
            cosine = self._scale.rescale(self._vectors[: len(self._lines)] @ np.asarray(vector, np.float32))
            cosine[~self._alive[: len(self._lines)]] = 0.0
            return [(self._lines[row].id, float(cosine[row])) for row in _best_rows(cosine, limit)]

    def remove_lines(self, ids: Iterable[str]) -> None:
        with self._lock:
            self._mark_removed(ids)
            if len(self._lines) - len(self._rows) > max(_FEW_DEAD, len(self._rows) // 4):
                self._compact()

    def search(self, question: str, vector: FloatArray, limit: int) -> list[RankedLine]:
        """Return the best lines, best first; a line that shares neither words nor meaning with the question is not among them."""
        asked = list(dict.fromkeys(self._terms(question)))
        with self._lock:
            count = len(self._lines)
            if not self._rows:
                return []
            alive = self._alive[:count]
            cosine = np.maximum(self._scale.rescale(self._vectors[:count] @ vector), 0.0)
            cosine[~alive] = 0.0
            bm25, coverage = self._score_lexically(asked, count)
            bm25[~alive] = 0.0
            scores = self._add_bonuses(_normalise(bm25) * self._weights.lexical + _normalise(cosine) * self._weights.dense, asked)
            scores[~alive] = 0.0
            best = _best_rows(scores, limit)
            return [RankedLine(self._lines[row].id, float(scores[row]), float(min(1.0, cosine[row])), float(coverage[row])) for row in best]

    def _score_lexically(self, asked: Sequence[str], count: int) -> tuple[FloatArray, FloatArray]:
        """Return BM25 of each line, and the share of the question's idf mass that it holds."""
        scores, held = np.zeros(count, np.float32), np.zeros(count, np.float32)
        lengths, living = self._lengths[:count], max(_FEWEST_LINES, len(self._rows))
        norms = _K1 * (1 - _B + _B * lengths / max(1e-6, float(lengths[self._alive[:count]].mean())))
        mass = 0.0
        for term in asked:
            posting = self._postings.get(term)
            frequency = len(posting[0]) if posting else 0
            idf = math.log1p((living - min(frequency, living) + 0.5) / (min(frequency, living) + 0.5))
            mass += idf
            if posting is None:
                continue
            rows, counts = np.frombuffer(posting[0], np.int32), np.frombuffer(posting[1], np.int32)
            scores[rows] += idf * counts * (_K1 + 1) / (counts + norms[rows])
            held[rows] += idf
        return scores, held / mass if mass else held

    def _add_bonuses(self, h: FloatArray, asked: Sequence[str]) -> FloatArray:
        """Return the hybrid score with the bonuses of neighbours, session and speaker."""
        if self._order is None:
            self._order = _Order.from_rows(np.flatnonzero(self._alive[: len(self._lines)]), self._groups, self._times)
        scores = h.copy()
        scores[self._order.rows] += self._order.bonus(h, self._weights)
        for row in {row for term in asked for row in self._names.get(term, ())}:
            scores[row] += self._weights.speaker
        return scores

    def _mark_removed(self, ids: Iterable[str]) -> None:
        for each in ids:
            row = self._rows.pop(each, None)
            if row is not None:
                self._alive[row] = False
                self._vectors[row] = 0.0
                self._order = None

    def _grow(self, rows: int) -> None:
        have = len(self._alive)
        if rows <= have:
            return
        more = max(rows, 2 * have, _FEWEST_ROWS) - have
        self._vectors = np.concatenate([self._vectors, np.zeros((more, self._vectors.shape[1]), np.float32)])
        self._lengths = np.concatenate([self._lengths, np.zeros(more, np.float32)])
        self._alive = np.concatenate([self._alive, np.zeros(more, np.bool_)])
        self._times = np.concatenate([self._times, np.zeros(more, np.float64)])
        self._groups = np.concatenate([self._groups, np.zeros(more, np.int64)])

    def _compact(self) -> None:
        """Give the rows of removed lines back."""
        alive = self._alive[: len(self._lines)]
        moved = (np.cumsum(alive) - 1).astype(np.int32)
        self._vectors, self._lengths = self._vectors[: len(alive)][alive], self._lengths[: len(alive)][alive]
        self._times, self._groups = self._times[: len(alive)][alive], self._groups[: len(alive)][alive]
        self._lines = [line for line, lives in zip(self._lines, alive, strict=True) if lives]
        self._rows = {line.id: row for row, line in enumerate(self._lines)}
        self._alive, self._order = np.ones(len(self._lines), np.bool_), None
        self._names = {name: [int(moved[row]) for row in rows if alive[row]] for name, rows in self._names.items()}
        self._postings = {term: kept for term, posting in self._postings.items() if (kept := _compact_posting(posting, alive, moved))[0]}


def _compact_posting(posting: tuple[array[int], array[int]], alive: NDArray[np.bool_], moved: NDArray[np.int32]) -> tuple[array[int], array[int]]:
    rows, counts = np.frombuffer(posting[0], np.int32), np.frombuffer(posting[1], np.int32)
    lives = alive[rows]
    return array("i", moved[rows[lives]].tolist()), array("i", counts[lives].tolist())


@dataclass(frozen=True, slots=True)
class _Order:
    """The living rows by session and time: neighbours of a session stand side by side. `first` are the places where sessions begin."""

    rows: NDArray[np.int64]
    sessions: NDArray[np.int64]
    first: NDArray[np.int64]

    @classmethod
    def from_rows(cls, living: NDArray[np.int64], groups: NDArray[np.int64], times: NDArray[np.float64]) -> _Order:
        rows = living[np.lexsort((living, times[living], groups[living]))]
        sessions = groups[rows]
        return cls(rows, sessions, np.flatnonzero(np.diff(sessions, prepend=-1)))

    def bonus(self, h: FloatArray, weights: LineWeights) -> FloatArray:
        """Return the bonus of neighbours and of the session's best line, in the order of `rows`."""
        own = h[self.rows]
        found = weights.session * np.repeat(np.maximum.reduceat(own, self.first), np.diff(self.first, append=len(own)))
        for distance, weight in ((1, weights.neighbour), (2, weights.next_but_one)):
            same = self.sessions[distance:] == self.sessions[:-distance]
            found[distance:] += weight * own[:-distance] * same
            found[:-distance] += weight * own[distance:] * same
        return found.astype(np.float32)


def _timestamp(line: MemoryLine) -> float:
    return line.at.timestamp() if line.at else 0.0


def _normalise(values: FloatArray) -> FloatArray:
    """Return each value as a share of the highest."""
    highest = float(values.max(initial=0.0))
    return values / highest if highest > 0 else values


def _best_rows(scores: FloatArray, limit: int) -> list[int]:
    """Return the rows of the highest scores above nothing, best first, equal ones in the order of their coming."""
    count = min(limit, len(scores))
    if count <= 0:
        return []
    threshold = np.partition(scores, -count)[-count]
    rows = np.flatnonzero((scores >= threshold) & (scores > 0))
    return [int(row) for row in rows[np.lexsort((rows, -scores[rows]))][:count]]
