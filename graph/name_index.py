"""An index from texts to what bears them: surfaces by their names, documents by their titles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from graph.hashed_numbers import QUICK, HashedNumbers

Item = TypeVar("Item")


class NameIndex(Mapping[str, Sequence[Item]]):
    """A mapping from texts to items. Kept are the hashes of the texts and the items' numbers: that two of ten million texts share one of 2^64 is not
    to be expected (1 : 370,000). `show` makes an item of its number, `texts_of` tells the texts of an item, for who goes through all of them.
    """

    def __init__(self, show: Callable[[int], Item], texts_of: Callable[[Item], Iterable[str]]) -> None:
        self._numbers = HashedNumbers(QUICK)
        self._show, self._texts_of = show, texts_of

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, text: object) -> bool:
        return hash(text) in self._numbers

    def __getitem__(self, text: str) -> Sequence[Item]:
        if text not in self:
            raise KeyError(text)
        return [self._show(number) for number in self.numbers(text)]

    def __iter__(self) -> Iterator[str]:
        for mark, numbers in self._numbers.items():
            yield next(text for text in self._texts_of(self._show(numbers[0])) if hash(text) == mark)

    def numbers(self, text: str) -> Sequence[int]:
        """Return the numbers of the items with this text, in the order in which they were added."""
        return self._numbers.get(hash(text))

    def add(self, text: str, number: int) -> None:
        self._numbers.add(hash(text), number)

    def remove(self, text: str, number: int) -> None:
        self._numbers.remove(hash(text), number)
