"""How far a piece of work is, where nobody looks at a terminal."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from typing import Any

import pytest

from commands.progress_display import LINE_SECONDS, PlainProgress, ProgressStep, show_states


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
