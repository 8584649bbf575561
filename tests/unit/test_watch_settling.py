"""Waiting until a change is whole, with a clock of the test's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingestion.watching.debounce import Debouncer, is_open_for_writing


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def settling(clock: Clock) -> Debouncer:
    return Debouncer(still_seconds=0.5, longest_wait=60.0, clock=clock)


def fresh(path: Path, text: str = "text") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def old(path: Path, text: str = "text") -> str:
    """A file that was written long ago, as one that was moved here is."""
    name = fresh(path, text)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    return name


def after(settling: Debouncer, clock: Clock, seconds: float) -> list[str]:
    clock.now += seconds
    return sorted(settling.take_rested().paths)


def test_a_file_is_taken_when_it_rests_and_only_once(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    path = fresh(tmp_path / "a.txt")
    settling.note_paths([path])
    assert after(settling, clock, 0.1) == []
    assert after(settling, clock, 0.6) == [path]
    assert after(settling, clock, 5) == []
    assert not settling


def test_a_file_that_grows_is_waited_for(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    settling.note_paths([fresh(path)])
    for number in range(5):
        path.write_text("text" * (number + 2))
        assert after(settling, clock, 0.4) == []
    assert after(settling, clock, 0.6) == [str(path)]


def test_a_file_that_never_rests_is_taken_at_last(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    settling.note_paths([fresh(path)])
    taken = []
    for number in range(150):
        path.write_text("text" * (number + 2))
        settling.note_paths([str(path)])
        taken += after(settling, clock, 0.45)
    assert taken == [str(path)]


def test_a_file_that_was_moved_here_rests_already(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    path = old(tmp_path / "a.txt")
    settling.note_paths([path])
    assert after(settling, clock, 0.35) == [path]


def test_a_file_that_is_open_for_writing_is_waited_for(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    path = old(tmp_path / "a.txt")
    if not is_open_for_writing_works(tmp_path):
        pytest.skip("this system does not tell who has a file open")
    settling.note_paths([path])
    with Path(path).open("a"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
        settling.note_paths([fresh(tmp_path / "b.txt")])
        assert path not in after(settling, clock, 0.4)
    assert path in after(settling, clock, 11)


def is_open_for_writing_works(folder: Path) -> bool:
    with (folder / "probe").open("w"):
        return is_open_for_writing(str(folder / "probe"))


def test_a_file_nobody_writes_is_not_open_for_writing(tmp_path: Path) -> None:
    path = fresh(tmp_path / "a.txt")
    with Path(path).open():
        assert not is_open_for_writing(path)
    assert not is_open_for_writing(str(tmp_path / "missing"))
    assert not is_open_for_writing(str(tmp_path))


def test_what_is_gone_waits_for_the_file_that_came_with_it(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    """Written and renamed at once: both halves of the move must meet in one run."""
    gone, came = str(tmp_path / "a.txt"), fresh(tmp_path / "b.txt")
    settling.note_paths([gone, came])
    assert after(settling, clock, 0.35) == []
    assert after(settling, clock, 0.6) == [gone, came]


def test_what_is_gone_does_not_wait_for_ever(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    gone, growing = str(tmp_path / "a.txt"), tmp_path / "b.txt"
    settling.note_paths([gone, fresh(growing)])
    taken = []
    for number in range(30):
        growing.write_text("text" * (number + 2))
        taken += after(settling, clock, 0.4)
    assert taken == [gone]


def test_a_new_folder_waits_for_what_is_copied_into_it_and_is_looked_at_twice(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    folder, inner = tmp_path / "new", tmp_path / "new" / "deep" / "a.txt"
    old(inner)
    settling.note_paths([str(folder)])
    assert after(settling, clock, 0.2) == []
    assert after(settling, clock, 0.35) == [str(folder), str(inner)]
    late = old(tmp_path / "new" / "late.txt")
    assert after(settling, clock, 1.1) == []
    assert after(settling, clock, 0.35) == sorted([str(folder), str(inner), late])
    assert after(settling, clock, 10) == []


def test_a_link_to_a_folder_is_not_entered(settling: Debouncer, clock: Clock, tmp_path: Path) -> None:
    old(tmp_path / "real" / "a.txt")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    settling.note_paths([str(tmp_path / "link")])
    after(settling, clock, 0.35)
    assert after(settling, clock, 11) in ([str(tmp_path / "link")], [])
    assert not settling
