"""Misspelt words of a question, in the words of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class WordCorrection:
    """A correction: what was written at [start:end] of the question stands nowhere in the library; `meant` does."""

    start: int
    end: int
    written: str
    meant: str


class Speller(Protocol):
    async def corrections(self, tenant: str, text: str) -> tuple[WordCorrection, ...]:
        """Return the corrections in the order of the text. Words in quotation marks, names with figures and words that are known elsewhere are left
        as they are."""
        ...


def apply_corrections(text: str, corrections: Sequence[WordCorrection]) -> str:
    """Return the text with what was meant in place of what was written."""
    for each in reversed(corrections):
        text = f"{text[: each.start]}{each.meant}{text[each.end :]}"
    return text
