"""Display of the progress of long work: a bar on a terminal, a plain line every few seconds anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO

LINE_SECONDS = 5.0
State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """`done` of `total` (0: not known yet) things called `unit`; `note` is what else there is to say."""

    done: int
    total: int
    unit: str
    note: str = ""

    @property
    def line(self) -> str:
        count = f"{self.done:,} of {self.total:,} {self.unit}" if self.total else f"{self.done:,} {self.unit}"
        return f"{count} · {self.note}" if self.note else count


class PlainProgress:
    """Progress as lines: one where the last is older than LINE_SECONDS and something changed; short work writes none."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock, self._last, self._since = out, clock, "", clock()

    def print_step(self, step: ProgressStep) -> None:
        now = self._clock()
        if now - self._since >= LINE_SECONDS and step.line != self._last:
            self._out.write(f"{step.line}\n")
            self._out.flush()
            self._last, self._since = step.line, now


@contextmanager
def open_display(*, quiet: bool = False) -> Iterator[Callable[[ProgressStep], None]]:
    """Open what steps are shown on: a bar on a terminal, which is gone afterwards, else lines. `quiet` shows nothing."""
    if quiet:
        yield lambda _: None
    elif not sys.stderr.isatty():
        yield PlainProgress(sys.stderr).print_step
    else:
        with _open_bar() as draw:
            yield draw


@contextmanager
def _open_bar() -> Iterator[Callable[[ProgressStep], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("work", total=None, note="")

        def draw(now: ProgressStep) -> None:
            bar.update(task, total=now.total or None, completed=now.done, note=f"{now.unit} · {now.note}" if now.note else now.unit)

        yield draw


async def show_states(states: AsyncIterator[State], step: Callable[[State], ProgressStep], *, quiet: bool = False) -> State:
    """Show each state as a step until they end; returns the last one. `quiet` shows nothing."""
    last = State()
    with open_display(quiet=quiet) as show:
        async for last in states:
            show(step(last))
    return last
