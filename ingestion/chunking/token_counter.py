"""Counting the tokens of any stretch of a text that is tokenised once."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TokenSpans = Callable[[str], "NDArray[np.int32]"]

_SLAB = 200_000  # characters tokenised in one call, so that a huge text needs no huge token list


class TokenCounter:
    """Counts the tokens of any stretch of a text that was tokenised once. A stretch that cuts a word may differ by a few tokens."""

    def __init__(self, text: str, token_spans: TokenSpans) -> None:
        self.starts, self.ends = array("i"), array("i")
        for begin, end in _slabs(text):
            spans = token_spans(text[begin:end]) + begin
            self.starts.frombytes(spans[:, 0].astype("int32").tobytes())
            self.ends.frombytes(spans[:, 1].astype("int32").tobytes())

    def first_token(self, start: int) -> int:
        """Return the index of the first token that ends behind `start`."""
        return bisect_right(self.ends, start)

    def end_token(self, end: int) -> int:
        """Return the index behind the last token that starts before `end`."""
        return bisect_left(self.starts, end)

    def count(self, start: int, end: int) -> int:
        return self.end_token(end) - self.first_token(start)


def _slabs(text: str) -> Iterator[tuple[int, int]]:
    """Cut `text` into stretches of about _SLAB characters, at line ends or spaces where there are any."""
    begin = 0
    while begin < len(text):
        end = min(begin + _SLAB, len(text))
        if end < len(text):
            cut = max(text.rfind("\n", begin + _SLAB // 2, end), text.rfind(" ", begin + _SLAB // 2, end))
            end = cut + 1 if cut > begin else end
        yield begin, end
        begin = end
