"""A tree of summaries over a library's passages: groups of what is near in meaning, each described by sentences of its passages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from core.communities import CommunityCitation
from core.search import FrozenModel


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a passage: its text is [start, end) of the passage's."""

    chunk_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A group of passages. `level` 1 groups passages; above it `children` are the numbers of the groups that are grouped. A passage may be in several
    groups of a level."""

    level: int
    chunk_ids: tuple[int, ...]
    children: tuple[int, ...] = ()
    sentences: tuple[SummarySentence, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredTree:
    """A tree as it is kept: ids and places, no text. `mark` is the fingerprint of the passages, the model and the settings that it was built from."""

    mark: str
    built_at: datetime
    passages: int
    nodes: tuple[TreeNode, ...]


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """How a tree is built: at most `max_levels` levels, groups of about `cluster_size`; without `with_sentences` they have no summary."""

    max_levels: int = 3
    cluster_size: int = 10
    with_sentences: bool = True


class TreeSummary(FrozenModel):
    """A group of a tree as it is shown. `number` names it until the tree is built anew. The summary is its citations' sentences; a group whose
    passages are gone is not shown."""

    number: int
    level: int
    passages: int
    child_numbers: list[int]
    summary: str
    citations: list[CommunityCitation]


class TreePage(FrozenModel):
    """GET /graph/tree: the groups of a tree, the top level first. `stale`: passages came or went since it was built. `reason` says in a sentence why
    there is none."""

    summaries: list[TreeSummary] = Field(default_factory=list)
    total: int = 0
    levels: int = 0
    passages: int = 0
    stale: bool = False
    built_at: datetime | None = None
    reason: str = ""
