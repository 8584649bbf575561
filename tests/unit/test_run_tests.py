"""What failed is run once more, alone: what then passes is named, what fails twice fails the run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from scripts.run_tests import MOST, last_failed, run_tests

MANY = [f"tests/test_a.py::test_{number}" for number in range(MOST + 1)]


@pytest.mark.parametrize(
    ("statuses", "failed", "status", "calls", "named"),
    [
        ([0], [], 0, 1, 0),
        ([1, 0], MANY[:2], 0, 2, 2),
        ([1, 1], MANY[:1], 1, 2, 0),
        ([1], MANY, 1, 1, 0),
        ([1], [], 1, 1, 0),
        ([2], MANY[:1], 2, 1, 0),
        ([8], MANY[:1], 8, 1, 0),
    ],
)
def test_what_fails_is_tried_once_more(
    statuses: list[int], failed: list[str], status: int, calls: int, named: int, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def call(arguments: Sequence[str]) -> int:
        asked.append(list(arguments))
        return statuses[len(asked) - 1]

    assert run_tests(["-n", "2"], call, lambda: failed) == status
    assert asked[0] == ["--cache-clear", "-n", "2"]
    assert asked[1:] == [failed] * (calls - 1)
    assert capsys.readouterr().out.count("UNSTABLE") == named


def test_the_failed_ones_are_those_of_the_last_run(tmp_path: Path) -> None:
    assert last_failed(tmp_path / "none") == []
    (tmp_path / "lastfailed").write_text(json.dumps({"tests/test_a.py::test_b[x y]": True}))
    assert last_failed(tmp_path / "lastfailed") == ["tests/test_a.py::test_b[x y]"]
