"""Texts by number in one block of bytes, instead of a Python string for each."""

from __future__ import annotations

from array import array

from graph.hashed_numbers import HashedNumbers
from graph.int_rows import BlockSpace, extend

_ENCODING = ("utf-8", "surrogatepass")  # a file's name may hold half a character


class PackedTexts:
    """Texts by number; the number of a text that was removed is given to another."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._starts, self._lengths = array("I"), array("i")
        self._space = BlockSpace()
        self._free: list[int] = []

    @property
    def size(self) -> int:
        """All numbers are below this."""
        return len(self._starts)

    def text(self, number: int) -> str:
        start = self._starts[number]
        return self._bytes[start : start + self._lengths[number]].decode(*_ENCODING)

    def add(self, text: str) -> int:
        """Return the number under which the text is kept from now on."""
        written = text.encode(*_ENCODING)
        number = self._free.pop() if self._free else len(self._starts)
        extend(self._starts, number + 1)
        extend(self._lengths, number + 1)
        start = self._space.take(len(written))
        if len(self._bytes) < self._space.size:
            self._bytes.extend(bytes(self._space.size - len(self._bytes)))
        self._bytes[start : start + len(written)] = written
        self._starts[number], self._lengths[number] = start, len(written)
        return number

    def remove(self, number: int) -> None:
        self._space.give_back(self._starts[number], self._lengths[number])
        self._free.append(number)


class SharedTexts:
    """Texts that many use, each kept once for as long as somebody uses it."""

    def __init__(self) -> None:
        self._texts = PackedTexts()
        self._uses = array("i")
        self._by_hash = HashedNumbers()
        self.text = self._texts.text

    def add(self, text: str) -> int:
        """Return the text's number, used once more."""
        mark = hash(text)
        number = next((each for each in self._by_hash.get(mark) if self.text(each) == text), None)
        if number is None:
            number = self._texts.add(text)
            extend(self._uses, number + 1)
            self._by_hash.add(mark, number)
        self._uses[number] += 1
        return number

    def drop(self, number: int) -> None:
        """Take back a use of the text with this number."""
        self._uses[number] -= 1
        if not self._uses[number]:
            self._by_hash.remove(hash(self.text(number)), number)
            self._texts.remove(number)
