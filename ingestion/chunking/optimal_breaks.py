"""Finds the least costly way to break a row of pieces into groups (Knuth & Plass, "Breaking paragraphs into lines", 1981)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class UnbrokenPiece(NamedTuple):
    """A stretch that is not broken: its span in the text and in tokens, the tokens that a group beginning with it may have, and what a break
    behind it costs, where an empty group costs 1."""

    start: int
    end: int
    first_token: int
    end_token: int
    room: int
    cost: float


def best_breaks(pieces: Sequence[UnbrokenPiece], *, tokens: int, characters: int, fill: float = 1.0) -> list[tuple[int, int]]:
    """Return the groups as (first, behind the last) places of `pieces`, with the least cost in all.

    A group of several pieces has at most `tokens` tokens, its first piece's `room`, and `characters` characters; a piece alone may be larger. `fill`
    is the share of the room that a group should fill.

    best[j] is the least cost of pieces[:j], came[j] where its last group begins.
    """
    starts, firsts, rooms = [each.start for each in pieces], [each.first_token for each in pieces], [each.room for each in pieces]
    best, came = [0.0], [0]
    for j, piece in enumerate(pieces, start=1):
        low, place = float("inf"), j - 1
        last, end = piece.end_token, piece.end
        for i in range(j - 1, -1, -1):
            size, room = last - firsts[i], rooms[i]
            if i < j - 1 and (size > tokens or end - starts[i] > characters):
                break
            if i < j - 1 and size > room:
                continue
            cost = best[i] + (1 - size / (room * fill)) ** 2
            if cost < low:
                low, place = cost, i
        best.append(low + (piece.cost if j < len(pieces) else 0.0))
        came.append(place)
    groups: list[tuple[int, int]] = []
    end = len(pieces)
    while end:
        groups.append((came[end], end))
        end = came[end]
    return groups[::-1]
