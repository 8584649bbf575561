"""The members of communities and the relationships inside them, in arrays: one pass over a library's relationships for all of its communities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from graph.communities.community_graph import CommunityGraph
from graph.communities.hierarchy import Group

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float64]
_DAMPING, _ITERATIONS = 0.85, 50


@dataclass(frozen=True)
class GroupMembers:
    """Communities with a row for each member of each, and a line for each relationship inside each, both in the order of the communities. Of a row
    `nodes` has the member and `owners` its community; of a line `relations` has the relationship's number, `holders` its community, `ends` the rows
    of its two members.
    """

    count: int
    nodes: Whole
    owners: Whole
    relations: Whole
    holders: Whole
    ends: Whole

    @cached_property
    def row_begins(self) -> list[int]:
        """Where the rows of each community begin, and behind the last one where they end."""
        return _begins(self.owners, self.count)

    def rank(self, weights: Real) -> Real:
        """Return for each row its member's PageRank (Brin and Page 1998) inside its community, weighted, without directions, by power iteration, all
        communities at once. `weights` are those of the relationships by number.
        """
        sizes = np.bincount(self.owners, minlength=self.count)
        size, own = np.repeat(sizes, sizes), weights[self.relations]
        one, other = np.append(self.ends[:, 0], self.ends[:, 1]), np.append(self.ends[:, 1], self.ends[:, 0])
        both = np.append(own, own)
        sums = np.bincount(one, both, len(size))
        shares, ranks = both / sums[other], 1 / size
        for _ in range(_ITERATIONS):
            lost = np.bincount(self.owners, np.where(sums == 0, ranks, 0.0), self.count) / sizes  # of members without a neighbour inside
            ranks = (1 - _DAMPING) / size + _DAMPING * (lost[self.owners] + np.bincount(one, ranks[other] * shares, len(size)))
        return np.round(ranks, 9)


def gather_members(graph: CommunityGraph, groups: Sequence[Group]) -> GroupMembers:
    """Return the members of the groups, each of which stands behind the one that it is part of."""
    sizes = np.array([len(group.nodes) for group in groups], np.int64)
    nodes = np.fromiter(chain.from_iterable(group.nodes for group in groups), np.int64, int(sizes.sum()))
    owners, rows = np.repeat(np.arange(len(groups)), sizes), np.arange(len(nodes))
    depths = np.array(_count_depths(groups), np.int64)[owners]
    found: list[tuple[Whole, Whole, Whole]] = []
    for depth in range(int(depths.max(initial=-1)) + 1):  # the groups of one depth have no member in common
        row_of = np.full(len(graph.nodes), -1)
        row_of[nodes[depths == depth]] = rows[depths == depth]
        ends = row_of[graph.ends]
        numbers = np.flatnonzero((ends >= 0).all(axis=1))
        numbers = numbers[owners[ends[numbers, 0]] == owners[ends[numbers, 1]]]
        found.append((numbers, owners[ends[numbers, 0]], ends[numbers]))
    relations, holders, inner = (np.concatenate(each) for each in zip(*found, strict=True)) if found else (rows, rows, rows.reshape(-1, 2))
    order = np.argsort(holders, kind="stable")
    return GroupMembers(len(groups), nodes, owners, relations[order], holders[order], inner[order])


def spread(begins: Whole, counts: Whole) -> tuple[Whole, Whole]:
    """Return the places of blocks that begin there and have so many places, behind each other, and for each place which block it is of."""
    blocks = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return np.arange(len(blocks)) - before[blocks] + begins[blocks], blocks


def first_of_each(owners: Whole, count: int, most: int) -> Whole:
    """Return the places of the first `most` rows of each of `count` owners, where the rows are in the order of their owners."""
    begins = np.array(_begins(owners, count), np.int64)
    return spread(begins[:-1], np.minimum(np.diff(begins), most))[0]


def _begins(owners: Whole, count: int) -> list[int]:
    found: list[int] = np.searchsorted(owners, np.arange(count + 1)).tolist()
    return found


def _count_depths(groups: Sequence[Group]) -> list[int]:
    depths: list[int] = []
    for group in groups:
        depths.append(0 if group.parent is None else depths[group.parent] + 1)
    return depths
