"""Building a tree: a pure function from passages and their vectors to its groups, level upon level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.documents import StoredChunk
from core.trees import TreeNode, TreeOptions
from graph.trees.group_summaries import GroupText, Vocabulary, choose_sentences, count_words, sentence_places
from graph.trees.mixture_groups import group_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

_READ = 8  # passages of a group, the nearest to its centre, whose sentences may stand in its summary


@dataclass(frozen=True, slots=True)
class BuildWatch:
    """Who watches a building: `report` gets the level, how many of its members are grouped, and how many there are; `is_stopped` ends it."""

    report: Callable[[int, int, int], None] = lambda level, done, total: None
    is_stopped: Callable[[], bool] = lambda: False


def build_tree(
    passages: Sequence[StoredChunk], vectors: NDArray[np.float32], options: TreeOptions, watch: BuildWatch = BuildWatch()
) -> tuple[TreeNode, ...]:
    """Return the groups, those of level 1 first; none for as many passages as fit into one group. The order of the passages, their ids and what was
    there before are no matter: only their texts and vectors are. Raises Cancelled, and Conflict without scikit-learn. Blocks.
    """
    order = sorted(range(len(passages)), key=lambda row: (passages[row].prefix, passages[row].text, passages[row].id))
    return _TreeBuilding([passages[row] for row in order], vectors[order], options, watch).build()


class _TreeBuilding:
    def __init__(self, passages: list[StoredChunk], vectors: NDArray[np.float32], options: TreeOptions, watch: BuildWatch) -> None:
        self._passages, self._vectors, self._options, self._watch = passages, vectors, options, watch
        self._nodes: list[TreeNode] = []
        self._words = count_words(each.text for each in passages) if options.with_sentences else count_words(())

    def build(self) -> tuple[TreeNode, ...]:
        below, rows, texts, first = self._vectors, [np.array([row]) for row in range(len(self._passages))], [[each] for each in self._whole()], 0
        for level in range(1, self._options.max_levels + 1):
            if len(below) <= self._options.cluster_size:
                break
            groups = self._group(below, level)
            members = [np.unique(np.concatenate([rows[each] for each in group])) for group in groups]
            centres = np.stack([self._vectors[each].mean(axis=0) for each in members])
            said = self._summarise(groups, below, centres, texts) if self._options.with_sentences else [() for _ in groups]
            children = [tuple((group + first).tolist()) if level > 1 else () for group in groups]
            first = len(self._nodes)
            self._nodes += [
                TreeNode(level, tuple(sorted(self._passages[row].id for row in each)), own, sentence_places(chosen))
                for each, own, chosen in zip(members, children, said, strict=True)
            ]
            below, rows, texts = centres, members, [list(each) for each in said]
        return tuple(self._nodes)

    def _whole(self) -> list[GroupText]:
        return [GroupText(each.id, 0, each.text, 1.0) for each in self._passages]

    def _group(self, below: NDArray[np.float32], level: int) -> list[NDArray[np.int64]]:
        lengths = np.maximum(np.linalg.norm(below, axis=1, keepdims=True), 1e-9)
        report = lambda done: self._watch.report(level, done, len(below))  # noqa: E731 # a name for it says no more
        return group_vectors(below / lengths, self._options.cluster_size, report, self._watch.is_stopped)

    def _summarise(
        self, groups: Sequence[NDArray[np.int64]], below: NDArray[np.float32], centres: NDArray[np.float32], texts: Sequence[Sequence[GroupText]]
    ) -> list[tuple[GroupText, ...]]:
        """Return the sentences of each group: out of the passages nearest its centre, above level 1 out of the summaries of its members."""
        outside = Vocabulary(self._words, self._words.total() / max(len(groups), 1))
        found = []
        for group, centre in zip(groups, centres, strict=True):
            nearness = np.round(below[group] @ centre, 6)
            nearest = np.argsort(-nearness, kind="stable")[:_READ]
            read = [GroupText(each.chunk_id, each.start, each.text, float(nearness[at])) for at in nearest for each in texts[group[at]]]
            words = count_words(each.text for member in group for each in texts[member])
            found.append(choose_sentences(read, words, outside))
        return found
