"""Progress of an indexing run: counts, the rate over the last seconds, and the time left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

_WINDOW, _STEP = 15.0, 0.2  # seconds that the rate looks back, and between two of its points

FileOutcome = Literal["indexed", "partial", "unchanged", "skipped", "failed"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress at one moment. `rate` is chunks per second over the last seconds, `files_rate` files per second; `seconds_left` is None while unknown.

    `files_total` grows while folders are still being walked. `files_failed` counts quarantined files too.
    """

    files_total: int = 0
    files_done: int = 0
    files_indexed: int = 0
    files_unchanged: int = 0
    files_partial: int = 0
    files_skipped: int = 0
    files_failed: int = 0
    files_removed: int = 0
    chunks: int = 0
    rate: float = 0.0
    files_rate: float = 0.0
    seconds_left: float | None = None
    current: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Progress:
        """Make a progress of what `as_dict` gave; unknown keys are left out."""
        known = {item.name for item in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})


def resumed_progress(before: Progress, now: Progress) -> Progress:
    """Return what to show of a run that resumes where another process was ended: the counts reached before, until it has reached them again."""
    if now.files_done >= before.files_done:
        return now
    return replace(before, files_total=max(before.files_total, now.files_total), rate=now.rate, files_rate=now.files_rate, current=now.current)


@dataclass(frozen=True, slots=True)
class FileChange:
    """A change that a run made: `change` is added, changed, moved or removed, `moved_from` the path before a move."""

    change: Literal["added", "changed", "moved", "removed"]
    path: str
    moved_from: str | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The result of a run: its counts, the seconds it took, and sentences a person should read ("12 files could not be …").

    `missing_roots` are roots that seem to lie on a disk that is not there, each with the sentence that says so: nothing of them was removed.
    `changes` are the last changes that it made, `waiting_paths` files whose text recognition it left to a longer run."""

    progress: Progress
    seconds: float
    cancelled: bool = False
    notes: tuple[str, ...] = ()
    missing_roots: dict[str, str] = field(default_factory=dict)
    changes: tuple[FileChange, ...] = ()
    waiting_paths: tuple[str, ...] = ()


@dataclass(slots=True)
class ProgressMeter:
    """Counts what happens in a run and calls `report` after each change. `clock` gives seconds."""

    report: Callable[[Progress], None]
    clock: Callable[[], float] = time.monotonic
    state: Progress = field(default_factory=Progress)
    _bytes_total: int = 0
    _bytes_done: int = 0
    _history: deque[tuple[float, int, int, int]] = field(default_factory=deque)
    _is_recognizing: bool = False  # all bytes were read, and files are left

    def __post_init__(self) -> None:
        self._history.append((self.clock(), 0, 0, 0))

    def count_found(self, size: int) -> None:
        """Add a file of `size` bytes that must be read."""
        self._bytes_total += size
        self._change(files_total=self.state.files_total + 1)

    def count_settled(self, outcome: FileOutcome) -> None:
        """Count a file that needs no reading."""
        self._change(files_total=self.state.files_total + 1, **self._finished_counts(outcome))

    def show_file(self, path: str) -> None:
        self._change(current=path)

    def show_pages(self, path: str, done: int, of: int) -> None:
        """Show how far a file is: `done` of its `of` pages; 0 where that is unknown."""
        self._change(current=f"{path.rsplit('/', 1)[-1]}: page {done:,} of {of:,}" if of else path)

    def count_postponed(self, size: int) -> None:
        """Note that a file of `size` bytes waits until the others are done: it is not through yet."""
        self._bytes_done += size
        self._change()

    def count_embedded(self, chunks: int, size: int) -> None:
        """Count `chunks` that were embedded, worth `size` bytes of their file."""
        self._bytes_done += size
        self._change(chunks=self.state.chunks + chunks)

    def count_finished(self, outcome: FileOutcome, size: int = 0) -> None:
        """Count a file that was `count_found` as done; `size` are those of its bytes that `count_embedded` did not count."""
        self._bytes_done += size
        self._change(**self._finished_counts(outcome))

    def count_removed(self, files: int) -> None:
        self._change(files_removed=self.state.files_removed + files)

    def _finished_counts(self, outcome: FileOutcome) -> dict[str, int]:
        name = f"files_{outcome}"
        return {"files_done": self.state.files_done + 1, name: getattr(self.state, name) + 1}

    def _change(self, **values: Any) -> None:
        self.state = replace(self.state, **values)
        now = self.clock()
        if now - self._history[-1][0] >= _STEP:
            self._measure(now)
        self.report(self.state)

    def _measure(self, now: float) -> None:
        """Update the rate and the time left from the last seconds."""
        before, self._is_recognizing = self._is_recognizing, self._bytes_done >= self._bytes_total and self.state.files_done < self.state.files_total
        if self._is_recognizing and not before:
            self._history.clear()  # how fast files were read says nothing of recognition
        self._history.append((now, self.state.chunks, self._bytes_done, self.state.files_done))
        if len(self._history) == 1:
            self.state = replace(self.state, seconds_left=None)
            return
        while len(self._history) > 2 and now - self._history[1][0] > _WINDOW:
            self._history.popleft()
        then, chunks, size, files = self._history[0]
        elapsed = now - then
        left = self._estimate_seconds_left(elapsed, self._bytes_done - size, self.state.files_done - files)
        rate = round((self.state.chunks - chunks) / elapsed, 2)
        files_rate = round((self.state.files_done - files) / elapsed, 2)
        self.state = replace(self.state, rate=rate, files_rate=files_rate, seconds_left=None if left is None else round(left, 1))

    def _estimate_seconds_left(self, elapsed: float, read: int, done: int) -> float | None:
        """Estimate the seconds left by the bytes that are left, and at the end by the files: those that wait for recognition were counted as read
        before."""
        files = self.state.files_total - self.state.files_done
        left, made = (files, done) if self._is_recognizing else (max(0, self._bytes_total - self._bytes_done), read)
        return left * elapsed / made if made else None if files else 0.0


@dataclass(frozen=True, slots=True)
class JobActivity:
    """The progress of the run that goes on now, and the ids of the jobs that run or wait."""

    progress: Progress
    jobs: tuple[str, ...]
