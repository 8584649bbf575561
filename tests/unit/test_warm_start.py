"""`tests.support.warm_start`: what is forked behaves as what is started, and the warm parent goes with whoever asked for it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.serving import make_environment
from tests.support.warm_start import Command, Process, WarmParent, start_cold


@pytest.fixture(scope="module")
def parent() -> Iterator[WarmParent]:
    made = WarmParent()
    yield made
    made.close()


def run(parent: WarmParent | None, folder: Path, *arguments: str) -> tuple[int, str, str]:
    """The exit code and what was printed, of a forked process or, without a parent, of a started one."""
    with (folder / "out").open("wb") as output, (folder / "err").open("wb") as errors:
        command = Command(arguments, make_environment(folder / "home"), folder, output, errors)
        process: Process = parent.start(command) if parent else start_cold(command)
        code = process.wait(60)
    return code, (folder / "out").read_text(encoding="utf-8"), (folder / "err").read_text(encoding="utf-8")


@pytest.mark.parametrize("arguments", [(), ("unknown",), ("status", "--json"), ("index", "nowhere")])
def test_a_forked_command_ends_and_prints_as_a_started_one(parent: WarmParent, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    warm = run(parent, tmp_path, *arguments)
    assert warm == run(None, tmp_path, *arguments)
    assert warm[1] or warm[2]


def test_one_that_is_killed_says_so_and_the_next_goes_on(parent: WarmParent, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with (tmp_path / "out").open("wb") as output:
        command = Command(
            (str(tmp_path / "home"), "0"), make_environment(tmp_path / "home"), tmp_path, output, output, module="tests.support.writing_child"
        )
        first, second = parent.start(command), parent.start(command)
        assert first.pid != second.pid
        with pytest.raises(subprocess.TimeoutExpired):
            first.wait(0.01)
        first.kill()
        assert first.wait(60) == -signal.SIGKILL
        assert second.poll() is None
        second.send_signal(signal.SIGTERM)
        assert second.wait(60) == second.poll() == -signal.SIGTERM


def test_what_still_runs_ends_with_the_parent(tmp_path: Path) -> None:
    parent = WarmParent()
    (tmp_path / "home").mkdir()
    with (tmp_path / "out").open("wb") as output:
        command = Command(
            (str(tmp_path / "home"), "0"), make_environment(tmp_path / "home"), tmp_path, output, output, module="tests.support.writing_child"
        )
        process = parent.start(command)
        parent.close()
    with pytest.raises(RuntimeError, match="has ended"):
        process.wait(60)
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
