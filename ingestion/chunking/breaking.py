"""The least costly way to break a row of pieces into groups (Knuth & Plass, "Breaking paragraphs into lines", 1981)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """A stretch that is not broken: its span in the text and in tokens, the tokens that a group beginning with it may have, and what a break
    behind it costs, where an empty group costs 1."""

    start: int
    end: int
    first: int
    last: int
    room: int
    cost: float


def best_breaks(pieces: Sequence[Piece], *, tokens: int, characters: int, fill: float = 1.0) -> list[tuple[int, int]]:
    """The groups as (first, behind the last) places of `pieces`.

    A group of several pieces has at most `tokens` tokens, its first piece's `room`, and `characters` characters; a piece alone may be larger.
    `fill` is the share of the room that a group should fill. best[j] is the least cost of pieces[:j], came[j] where its last group begins.
    """
    best, came = [0.0], [0]
    for j in range(1, len(pieces) + 1):
        low, place = float("inf"), j - 1
        for i in range(j - 1, -1, -1):
            size = pieces[j - 1].last - pieces[i].first
            if i < j - 1 and (size > tokens or pieces[j - 1].end - pieces[i].start > characters):
                break
            if i < j - 1 and size > pieces[i].room:
                continue
            cost = best[i] + (1 - size / (pieces[i].room * fill)) ** 2
            if cost < low:
                low, place = cost, i
        best.append(low + (pieces[j - 1].cost if j < len(pieces) else 0.0))
        came.append(place)
    groups: list[tuple[int, int]] = []
    end = len(pieces)
    while end:
        groups.append((came[end], end))
        end = came[end]
    return groups[::-1]
