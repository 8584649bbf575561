"""How far a piece of work is, where nobody looks at a terminal."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, cast

import pytest

from commands.index_command import describe_job, job_states
from commands.progress_display import LINE_SECONDS, PlainProgress, ProgressStep, show_states

if TYPE_CHECKING:
    from commands.client import Client


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_line_every_few_seconds_and_none_that_says_the_same() -> None:
    out, clock = io.StringIO(), Clock()
    lines = PlainProgress(out, clock)
    lines.print_step(ProgressStep(1, 9, "files"))
    assert out.getvalue() == ""
    clock.now = LINE_SECONDS
    lines.print_step(ProgressStep(2, 9, "files", "40 passages"))
    lines.print_step(ProgressStep(3, 9, "files", "50 passages"))
    clock.now = 2 * LINE_SECONDS
    lines.print_step(ProgressStep(2, 9, "files", "40 passages"))
    clock.now = 3 * LINE_SECONDS
    lines.print_step(ProgressStep(1200, 0, "files"))
    assert out.getvalue() == "2 of 9 files · 40 passages\n1,200 files\n"


async def test_without_a_terminal_the_last_state_is_returned_and_no_bar_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    async def states() -> AsyncIterator[dict[str, Any]]:
        for done in (1, 2):
            yield {"done": done}

    assert await show_states(states(), lambda state: ProgressStep(state["done"], 2, "files")) == {"done": 2}
    assert await show_states(states(), lambda state: ProgressStep(state["done"], 2, "files"), quiet=True) == {"done": 2}
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")


class WaitingClient:
    """A server with one job that runs and one that waits until the other is done."""

    def __init__(self) -> None:
        self._asked = 0

    async def get(self, path: str) -> dict[str, Any]:
        first = {"id": "one", "state": "running", "kind": "index", "path": "/docs", "files_done": 3, "files_total": 9}
        if path == "/jobs":
            return {"jobs": [{"id": "two", "state": "queued"}, first]}
        self._asked += 1
        return {
            "id": "two",
            "state": "queued" if self._asked < 2 else "done",
            "files_done": 0,
            "files_total": 0,
            "chunks": 0,
            "rate": 0.0,
            "seconds_left": 0,
        }


async def test_a_job_that_waits_says_behind_which() -> None:
    client = cast("Client", WaitingClient())
    steps = [describe_job(job).line async for job in job_states(client, "two")]
    assert steps == ["3 of 9 files · of /docs, begun before this one, which waits", "0 files · 0 passages · 0/s"]
