"""Rows of whole numbers of any length in one array, and columns whose rows come and go in blocks: no Python object for each."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_SCANNED = 64  # numbers: a longer row is searched by numpy
Numbers = npt.NDArray[np.int32]


class BlockSpace:
    """Places in an array that grows: blocks that were given back are taken again before it grows."""

    def __init__(self) -> None:
        self.size = 0
        self._free: dict[int, list[int]] = {}

    def take(self, count: int) -> int:
        """Return the first place of a block for so many."""
        room = block_size(count)
        if free := self._free.get(room):
            return free.pop()
        self.size += room
        return self.size - room

    def give_back(self, start: int, count: int) -> None:
        if count:
            self._free.setdefault(block_size(count), []).append(start)


def block_size(count: int) -> int:
    """Return the places that a block of so many takes: few sizes, so that blocks fit again, and at most an eighth too many."""
    if count <= 16:
        return count
    shift = count.bit_length() - 4
    return -(-count >> shift) << shift


class Columns:
    """Arrays of the given type codes, a row across all of them; rows are added and given back in blocks."""

    def __init__(self, codes: str) -> None:
        self.arrays: list[array[Any]] = [array(code) for code in codes]
        self._space = BlockSpace()

    def add(self, *values: Sequence[Any]) -> int:
        """Add a block of rows, a sequence for each column. Return the number of the first."""
        count = len(values[0])
        first = self._space.take(count)
        for column, given in zip(self.arrays, values, strict=True):
            extend(column, self._space.size)
            column[first : first + count] = array(column.typecode, given)
        return first

    def give_back(self, first: int, count: int) -> None:
        self._space.give_back(first, count)


class IntRows:
    """Numbered rows of whole numbers, each in the order in which they were added; a row that was never written is empty."""

    def __init__(self) -> None:
        self._starts, self._counts, self._pool = array("i"), array("i"), array("i")
        self._space = BlockSpace()

    def row(self, number: int) -> array[int]:
        if number >= len(self._counts):
            return array("i")
        start = self._starts[number]
        return self._pool[start : start + self._counts[number]]

    def count(self, number: int) -> int:
        return self._counts[number] if number < len(self._counts) else 0

    def gather(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Return how many values each of these rows has, and the values, row after row."""
        counts, starts = self.counts_of(numbers), self._of_written(self._starts, numbers)
        ends = np.cumsum(counts)
        places = np.arange(counts.sum()) + np.repeat(starts - ends + counts, counts)
        return counts, view(self._pool)[places]

    def counts_of(self, numbers: Numbers) -> Numbers:
        """Return how many values each of these rows has."""
        return self._of_written(self._counts, numbers)

    def _of_written(self, column: array[int], numbers: Numbers) -> Numbers:
        """Return a column's values for these rows, 0 for those that were never written."""
        found, written = np.zeros_like(numbers), numbers < len(column)
        found[written] = view(column)[numbers[written]]
        return found

    def counts(self, size: int) -> Numbers:
        """Return how many values each of the first `size` rows has."""
        extend(self._counts, size)
        extend(self._starts, size)
        return view(self._counts)[:size].copy()

    def add(self, number: int, value: int) -> None:
        """Add a value at the end of a row."""
        extend(self._starts, number + 1)
        extend(self._counts, number + 1)
        start, count = self._starts[number], self._counts[number]
        if count == 0 or block_size(count) == count:  # the block is full
            start = self._move(start, count, count + 1)
            self._starts[number] = start
        self._pool[start + count] = value
        self._counts[number] = count + 1

    def remove(self, number: int, value: int) -> None:
        """Remove a value that the row holds; the others stay in their order."""
        start, count = self._starts[number], self._counts[number]
        place = self._find(value, start, count)
        self._pool[place : start + count - 1] = self._pool[place + 1 : start + count]
        self._counts[number] = count - 1
        if block_size(count - 1) < block_size(count):
            self._starts[number] = self._move(start, count, count - 1)

    def clear(self, number: int) -> None:
        if self.count(number):
            self._space.give_back(self._starts[number], self._counts[number])
            self._counts[number] = 0

    def _find(self, value: int, start: int, count: int) -> int:
        if count < _SCANNED:
            return self._pool.index(value, start, start + count)
        held = np.frombuffer(self._pool, np.int32)[start : start + count]
        return start + int(np.flatnonzero(held == value)[0])

    def _move(self, start: int, count: int, wanted: int) -> int:
        """Move a row's first values to a block for `wanted` of them. Return where it begins."""
        values = self._pool[start : start + min(count, wanted)]
        self._space.give_back(start, count)
        if not wanted:
            return 0
        moved = self._space.take(wanted)
        extend(self._pool, self._space.size)
        self._pool[moved : moved + len(values)] = values
        return moved


def extend(column: array[Any], size: int) -> None:
    """Fill an array with zeros up to a size."""
    if len(column) < size:
        column.frombytes(bytes((size - len(column)) * column.itemsize))


def view(column: array[int]) -> Numbers:
    """Return an array of 32-bit numbers for numpy, not copied: it must be gone before the array grows."""
    return np.frombuffer(column, np.int32)
