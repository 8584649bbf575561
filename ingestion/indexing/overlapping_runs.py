"""Tracks which runs are at which paths at the same time, so that paths which overlapping runs share are scanned again when the last of them finishes.

A run scans files, takes its time to read them, and changes the library. Where another run is at the same file meanwhile, neither knows of the
other, and what is stored last may be what was read first. So each run that changed something at a path that another was at scans it once more when
it is over: the last run that changes a path has then scanned it alone, or has left it as it is on disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ingestion.scan.paths import PathSet
from ingestion.workers.worker_protocol import MEMBER_SEPARATOR


@dataclass(slots=True, eq=False)
class ActiveRun:
    """One run: the `paths` that it is at, the runs that were `concurrent_runs` it at any time, and the `contended_paths` paths that it changed while
    another was at them."""

    tenant: str
    paths: PathSet
    concurrent_runs: list[ActiveRun] = field(default_factory=list)
    contended_paths: set[str] = field(default_factory=set)

    def add_paths(self, paths: Iterable[str]) -> None:
        """Add paths that the run is at."""
        self.paths = PathSet.from_paths((*self.paths.paths, *paths))

    def note_changes(self, paths: Iterable[str]) -> None:
        """Note paths that the run changed. Call it after the library was changed: a run that begins later sees it."""
        if self.concurrent_runs:
            self.contended_paths.update(
                path for path in paths if any(other.paths.holds(each) for each in _path_and_containers(path) for other in self.concurrent_runs)
            )


class ActiveRuns:
    """The runs that are at work in a library now."""

    def __init__(self) -> None:
        self._runs: set[ActiveRun] = set()
        self._deleted: dict[tuple[str, str], int] = {}  # tenant, path -> when, by a clock that counts deletions
        self._clock = 0

    def begin_run(self, tenant: str, paths: Iterable[str]) -> ActiveRun:
        """Register a run, before it asks the library or the disk for anything."""
        run = ActiveRun(tenant, PathSet.from_paths(paths))
        for other in self._runs:
            if other.tenant == tenant:
                other.concurrent_runs.append(run)
                run.concurrent_runs.append(other)
        self._runs.add(run)
        return run

    def note_deletion(self, tenant: str, paths: Iterable[str]) -> None:
        """Note that a person deleted what lies at these paths: what was read of it before must not bring it back."""
        self._clock += 1
        self._deleted.update(dict.fromkeys(((tenant, path) for path in paths), self._clock))

    def deletion_time(self) -> int:
        """Return the time, on a clock that counts deletions, for `was_deleted_since`."""
        return self._clock

    def was_deleted_since(self, then: int, tenant: str, path: str) -> bool:
        """Return whether a person deleted this path, or a file around it, after `then`."""
        return self._clock > then and any(self._deleted.get((tenant, each), 0) > then for each in _path_and_containers(path))

    def end_run(self, run: ActiveRun) -> None:
        """Remove a run that is over."""
        self._runs.discard(run)
        run.concurrent_runs.clear()


def _path_and_containers(path: str) -> Iterator[str]:
    """Yield a path and, for the member of a container, the paths of the files that it lies in."""
    yield path
    at = path.rfind(MEMBER_SEPARATOR)
    while at > 0:
        yield path[:at]
        at = path.rfind(MEMBER_SEPARATOR, 0, at)
