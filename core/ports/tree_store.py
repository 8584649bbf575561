"""Trees of summaries: where they are kept, how they are built and how a search reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.ports.community_store import COMMUNITY_JOB
from core.ports.ontology_store import TYPING_JOB
from core.ports.search_index import SearchIndex
from core.ports.stored_records import JobRecord
from core.trees import StoredTree, TreePage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TREE_JOB = "tree"  # the kind of a job that builds one
DERIVED_JOBS = frozenset({COMMUNITY_JOB, TREE_JOB, TYPING_JOB})  # those that read no file


@dataclass(frozen=True, slots=True)
class TreeCentres:
    """The groups of a tree as a search compares them: `vectors` [groups, dimension] are the directions of their centres, `members` their passages,
    `levels` their levels."""

    vectors: NDArray[np.float32]
    members: tuple[NDArray[np.int64], ...]
    levels: tuple[int, ...]


class TreeStore(Protocol):
    """The kept tree of each library. Every tree follows from the documents: one that is lost is built again."""

    async def load(self, library: str) -> StoredTree | None: ...
    async def save(self, library: str, tree: StoredTree) -> None:
        """Put this one in the place of the earlier one, wholly or not at all."""
        ...


class SummaryTrees(Protocol):
    """The trees that a search reads."""

    async def find_centres(self, tenant: str, model: str, index: SearchIndex) -> TreeCentres | None:
        """Return the groups of the tenant's tree by the passages that the index still holds; None where no tree was built. `model` made the index's
        vectors."""
        ...


class TreeBuilds(SummaryTrees, Protocol):
    """The trees with the jobs that build them."""

    async def queue_build(self, tenant: str, requested_by: str = "") -> JobRecord:
        """Begin to build the tree as a job, or return the one that is under way. Raises Conflict where it is switched off or cannot be built."""
        ...

    async def list_summaries(self, tenant: str, *, level: int | None = None, limit: int = 50) -> TreePage: ...
