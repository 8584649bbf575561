"""Columns and cells of a table as a question names them."""

from __future__ import annotations

from dataclasses import dataclass

from core.tables import Column


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column as the question names it: the share of its name that is named (1: all of it) by the words at `places`; `implied`: what
    is not named of it is what the table is called."""

    place: int
    column: Column
    share: float
    places: tuple[int, ...]
    implied: bool = False

    @property
    def fit(self) -> tuple[bool, int, float]:
        """How well it is named; larger is better."""
        return (self.share == 1, len(self.places), self.share)


@dataclass(frozen=True, slots=True)
class NamedCells:
    """A text of the question that cells of a column are (or, not `is_exact`, hold): `texts` are the cells."""

    place: int
    texts: frozenset[str]
    words: str
    places: tuple[int, ...]
    is_exact: bool
