"""Recognition of quotes: two texts that share so many words in a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Scripts that write no spaces between words: there each character counts as one.
_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORT = 3  # letters that a word of a name has at least
_ARTICLES = frozenset("the this that these those der die das den dem des les una los las".split())


class QuotedWords:
    """The words of some texts, `run` in a row. As sorted numbers of 64 bits: a text of 20 million characters takes about 30 MB."""

    def __init__(self, texts: Iterable[str], run: int) -> None:
        """Collect the runs of words; a text of fewer words is quoted where all of it stands."""
        self._runs: dict[int, NDArray[np.int64]] = {}
        found: dict[int, list[NDArray[np.int64]]] = {}
        for text in texts:
            words = _WORD.findall(text.casefold())
            length = min(run, len(words))
            if length:
                found.setdefault(length, []).append(np.unique(_hash_runs(words, length)))
        for length, runs in found.items():
            self._runs[length] = np.unique(np.concatenate(runs))

    def occur_in(self, text: str) -> bool:
        words = _WORD.findall(text.casefold())
        return any(_has_any(_hash_runs(words, length), runs) for length, runs in self._runs.items() if length <= len(words))


def capitalized_pairs(text: str) -> set[str]:
    """Return two words in a row that both begin with a capital letter, as most names do: the text's own, and first words of sentences among them."""
    found, before = set(), None
    for word in _LETTERS.finditer(text):
        capital = word[0][0].isupper() and len(word[0]) >= _SHORT and word[0].casefold() not in _ARTICLES
        if capital and before is not None and text[before.end() : word.start()].strip(" \t\n\u00a0") == "":
            found.add(f"{before[0]} {word[0]}")
        before = word if capital else None
    return found


def _hash_runs(words: Sequence[str], length: int) -> NDArray[np.int64]:
    count = len(words) - length + 1
    return np.fromiter((hash(tuple(words[place : place + length])) for place in range(count)), np.int64, count)


def _has_any(wanted: NDArray[np.int64], known: NDArray[np.int64]) -> bool:
    places = np.searchsorted(known, wanted)
    return bool((known[np.minimum(places, len(known) - 1)] == wanted).any())
