"""`TreeJobs`: trees built as jobs that a person begins, watches and stops."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import Conflict
from core.ownership import shared_library
from core.ports import TREE_JOB, ClaimableJobStore, JobRecord, SearchIndex, TreeCentres
from core.trees import TreePage
from graph.derived_jobs import DerivedJobs, RunningJob
from graph.trees.library_trees import LibraryTrees
from graph.trees.mixture_groups import require_mixtures
from graph.trees.tree_building import BuildWatch

SWITCHED_OFF = "Trees of summaries are switched off: set raptor.enabled to true, or switch the feature raptor on."


class TreeJobs:
    """core.ports.tree_store.TreeBuilds. Call `open` once in the running event loop and `close` at the end."""

    def __init__(self, trees: LibraryTrees, jobs: ClaimableJobStore, is_wanted: Callable[[str], bool]) -> None:
        self._trees, self._jobs, self._is_wanted = trees, jobs, is_wanted
        self._builds = DerivedJobs(TREE_JOB, "Building the tree", jobs, self._build)

    async def open(self, *, resume: bool = True) -> None:
        """Go on with what an earlier process left unfinished: it begins again, and the earlier tree serves until it is done."""
        if resume:
            await self._builds.open()

    async def close(self) -> None:
        """Stop; what is not finished begins again at the next start."""
        await self._builds.close()

    async def find_centres(self, tenant: str, model: str, index: SearchIndex) -> TreeCentres | None:
        return await self._trees.find_centres(tenant, model, index)

    async def list_summaries(self, tenant: str, *, level: int | None = None, limit: int = 50) -> TreePage:
        library = shared_library(tenant)
        return await self._trees.list_summaries(library, level=level, limit=limit) if self._is_wanted(library) else TreePage(reason=SWITCHED_OFF)

    async def queue_build(self, tenant: str, requested_by: str = "") -> JobRecord:
        library = shared_library(tenant)
        if not self._is_wanted(library):
            raise Conflict(SWITCHED_OFF)
        require_mixtures()
        return await self._builds.queue(library, requested_by)

    async def _build(self, library: str, running: RunningJob) -> str:
        def note(level: int, done: int, total: int) -> None:
            running.progress = {"chunks": done, "current": f"level {level}: {done:,} of {total:,}"}

        return await self._trees.build(library, BuildWatch(note, running.stop.is_set))
