"""Groups of things of which each is linked with another (disjoint sets)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class LinkedGroups:
    """Groups among `count` places; at first each is a group of its own."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def link(self, one: int, other: int) -> None:
        self._parents[self._root(one)] = self._root(other)

    def split_items(self, items: Sequence[T]) -> list[list[T]]:
        """Return the items at the places, group by group, in the order of their first ones."""
        groups: dict[int, list[T]] = {}
        for place, item in enumerate(items):
            groups.setdefault(self._root(place), []).append(item)
        return list(groups.values())

    def _root(self, place: int) -> int:
        parents = self._parents
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place
