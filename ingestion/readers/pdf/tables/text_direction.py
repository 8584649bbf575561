"""Texts that run from right to left, in the order in which they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

_LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_RIGHTWARD = re.compile(r"[A-Za-z\u00c0-\u024f\u0370-\u052f]")


def words_in_reading_order(texts: Sequence[str]) -> list[str]:
    """Order words given from the left as they are read; numbers and foreign words among those from right to left keep their own order."""
    if all(text.isascii() for text in texts):
        return list(texts)
    leftward = [bool(_LEFTWARD.search(text)) for text in texts]
    if not any(leftward):
        return list(texts)
    rightward = sum(bool(_RIGHTWARD.search(text)) for text in texts)
    turned = sum(leftward) > rightward
    runs = [[text for text, _ in group] for _, group in groupby(zip(texts, leftward, strict=True), key=lambda pair: pair[1])]
    ordered: list[str] = []
    for run in reversed(runs) if turned else runs:
        ordered += reversed(run) if _LEFTWARD.search(run[0]) else run
    return ordered


def is_leftward(texts: Sequence[str]) -> bool:
    """Return whether most letters run from right to left."""
    return _count(_LEFTWARD, texts) > _count(_RIGHTWARD, texts)


def _count(letters: re.Pattern[str], texts: Iterable[str]) -> int:
    return sum(len(letters.findall(text)) for text in texts)
