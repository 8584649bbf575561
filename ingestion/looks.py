"""Tracks which runs are at which paths at the same time, so that paths which overlapping runs share are scanned again when the last of them finishes.

A run scans files, takes its time to read them, and changes the library. Where another run is at the same file meanwhile, neither knows of the
other, and what is stored last may be what was read first. So each run that changed something at a path that another was at scans it once more when
it is over: whoever changes a path last has then looked at it alone, or has left it as it is on disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ingestion.paths import PathSet
from ingestion.protocol import INSIDE


@dataclass(slots=True, eq=False)
class Look:
    """One run: the `paths` that it is at, the runs that were `beside` it at any time, and the `crossed` paths that it changed while another was at
    them."""

    tenant: str
    paths: PathSet
    beside: list[Look] = field(default_factory=list)
    crossed: set[str] = field(default_factory=set)

    def widen(self, paths: Iterable[str]) -> None:
        """Add paths that the run is at."""
        self.paths = PathSet.of((*self.paths.paths, *paths))

    def changed(self, paths: Iterable[str]) -> None:
        """Note paths that the run changed. Call it after the library was changed: a run that begins later sees it."""
        if self.beside:
            self.crossed.update(path for path in paths if any(other.paths.holds(each) for each in _with_around(path) for other in self.beside))


class Looks:
    """The runs that are at work in a library now."""

    def __init__(self) -> None:
        self._open: set[Look] = set()
        self._deleted: dict[tuple[str, str], int] = {}  # tenant, path -> when, by a clock that counts deletions
        self._clock = 0

    def begin(self, tenant: str, paths: Iterable[str]) -> Look:
        """Register a run, before it asks the library or the disk for anything."""
        look = Look(tenant, PathSet.of(paths))
        for other in self._open:
            if other.tenant == tenant:
                other.beside.append(look)
                look.beside.append(other)
        self._open.add(look)
        return look

    def delete(self, tenant: str, paths: Iterable[str]) -> None:
        """Note that a person deleted what lies at these paths: what was read of it before must not bring it back."""
        self._clock += 1
        self._deleted.update(dict.fromkeys(((tenant, path) for path in paths), self._clock))

    def now(self) -> int:
        """Return the time, on a clock that counts deletions, for `deleted_since`."""
        return self._clock

    def deleted_since(self, then: int, tenant: str, path: str) -> bool:
        """Return whether a person deleted this path, or a file around it, after `then`."""
        return self._clock > then and any(self._deleted.get((tenant, each), 0) > then for each in _with_around(path))

    def end(self, look: Look) -> None:
        """Remove a run that is over."""
        self._open.discard(look)
        look.beside.clear()


def _with_around(path: str) -> Iterator[str]:
    """Yield a path and, for the member of a container, the paths of the files that it lies in."""
    yield path
    at = path.rfind(INSIDE)
    while at > 0:
        yield path[:at]
        at = path.rfind(INSIDE, 0, at)
