"""Spans of a passage that answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """`passage[start:end]`, in code points, without white space at either end. `score` is its logit less that of "no answer here": above 0 the
    reader would give the span rather than none."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class PassageReading:
    """At most five spans, best first, of which no two overlap. `answerable`: the probability that the passage answers the question; `relevant`:
    that it is about what is asked, whether it answers or not. A blank passage, or one read with a blank question, has neither."""

    spans: tuple[AnswerSpan, ...]
    answerable: float
    relevant: float


class AnswerReader(Protocol):
    """`name` identifies model and version: scores of different names are never compared."""

    @property
    def name(self) -> str: ...

    async def read_passages(self, question: str, passages: Sequence[str]) -> tuple[PassageReading, ...]:
        """Return one for each passage, in their order. Raises Unavailable once closed."""
        ...

    async def close(self) -> None: ...
