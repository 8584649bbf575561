"""An index from hashes to numbers in two arrays: about 18 bytes an entry, where a dictionary of strings and tuples takes 200."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

import numpy as np

from graph.int_rows import IntRows

_EMPTY, _LEAST = -1, 8
_GROWTH = 1.25
DENSE, QUICK = 0.75, 0.5  # the share of places that may be taken: what is not there is told after 8 or 2 comparisons, at most on average


class HashedNumbers:
    """A multimap from 64-bit hashes to numbers of 0 and more, by open addressing with linear probing. Keys of one hash are one: what must not be
    mistaken is compared by the caller. The numbers of a hash are in the order in which they were added.
    """

    def __init__(self, full: float = DENSE) -> None:
        self._full = full
        self._hashes, self._values = array("q", bytes(8 * _LEAST)), array("i", [_EMPTY] * _LEAST)
        self._used = 0
        self._rows = IntRows()  # of hashes with several numbers: the value -2 - row stands for them
        self._free_rows: list[int] = []
        self._next_row = 0

    def __len__(self) -> int:
        return self._used

    def __contains__(self, key: int) -> bool:
        values, hashes, size = self._values, self._hashes, len(self._values)
        place = key % size
        while values[place] != _EMPTY:
            if hashes[place] == key:
                return True
            place = place + 1 if place + 1 < size else 0
        return False

    def get(self, key: int) -> Sequence[int]:
        """Return the numbers of a hash."""
        value = self._values[self._place(key)]
        return () if value == _EMPTY else (value,) if value >= 0 else self._rows.row(-2 - value)

    def items(self) -> Iterator[tuple[int, Sequence[int]]]:
        return ((key, self.get(key)) for key, value in zip(self._hashes, self._values, strict=True) if value != _EMPTY)

    def add(self, key: int, number: int) -> None:
        place = self._place(key)
        value = self._values[place]
        if value == _EMPTY:
            self._hashes[place], self._values[place] = key, number
            self._used += 1
            if self._used > self._full * len(self._values):
                self._grow()
        elif value >= 0:
            row = self._take_row()
            self._rows.add(row, value)
            self._rows.add(row, number)
            self._values[place] = -2 - row
        else:
            self._rows.add(-2 - value, number)

    def remove(self, key: int, number: int) -> None:
        """Remove a number that the hash has."""
        place = self._place(key)
        value = self._values[place]
        if value >= 0:
            self._empty_place(place)
            return
        self._rows.remove(-2 - value, number)
        if self._rows.count(-2 - value) == 1:
            self._values[place] = self._rows.row(-2 - value)[0]
            self._rows.clear(-2 - value)
            self._free_rows.append(-2 - value)

    def clear(self, key: int) -> None:
        """Remove all numbers of a hash."""
        for number in self.get(key):
            self.remove(key, number)

    def _place(self, key: int) -> int:
        """Return the place of a hash, or the empty one where it belongs."""
        values, hashes, size = self._values, self._hashes, len(self._values)
        place = key % size
        while values[place] != _EMPTY and hashes[place] != key:
            place = place + 1 if place + 1 < size else 0
        return place

    def _take_row(self) -> int:
        if self._free_rows:
            return self._free_rows.pop()
        self._next_row += 1
        return self._next_row - 1

    def _empty_place(self, place: int) -> None:
        """Empty a place and move up what stood behind it only because it was taken."""
        values, hashes, size = self._values, self._hashes, len(self._values)
        self._used -= 1
        following = place
        while values[following := (following + 1) % size] != _EMPTY:
            if (following - hashes[following] % size) % size >= (following - place) % size:
                hashes[place], values[place] = hashes[following], values[following]
                place = following
        values[place] = _EMPTY

    def _grow(self) -> None:
        """Make the table larger: all in the order of their first places at once, then those that would stand behind its end."""
        size = int(len(self._values) * _GROWTH) + _LEAST
        values = np.frombuffer(self._values, np.int32)
        kept = values != _EMPTY
        hashes, values = np.frombuffer(self._hashes, np.int64)[kept], values[kept]
        home = hashes % size
        order = np.argsort(home, kind="stable")
        count = np.arange(len(order))
        places = count + np.maximum.accumulate(home[order] - count)
        inside = places < size
        new_hashes, new_values = np.zeros(size, np.int64), np.full(size, _EMPTY, np.int32)
        new_hashes[places[inside]], new_values[places[inside]] = hashes[order][inside], values[order][inside]
        late = list(zip(hashes[order][~inside].tolist(), values[order][~inside].tolist(), strict=True))
        self._hashes, self._values = array("q", new_hashes.tobytes()), array("i", new_values.tobytes())
        for key, value in late:
            place = self._place(key)
            self._hashes[place], self._values[place] = key, value
