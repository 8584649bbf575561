"""The folder picker shows what lies under its roots: no links, nothing hidden, nothing of Vantage or the system, nothing outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InvalidInput, NotFound, PathNotAllowed
from server.folder_choices import folder_choices


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("me/Documents/2024", "me/archive", "me/.ssh", "me/vantage/uploads", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "me" / "out").symlink_to(tmp_path / "other")
    (tmp_path / "me" / "a file").write_text("no folder")
    return tmp_path / "me"


def test_it_begins_at_the_roots_and_goes_down_and_up(root: Path) -> None:
    home = root / "vantage"
    begin = folder_choices(None, [root, root / "gone"], home)
    assert (begin.under, begin.above, [each.path for each in begin.folders]) == (None, None, [str(root)])
    inside = folder_choices(str(root), [root], home)
    assert (inside.above, [each.name for each in inside.folders]) == (None, ["archive", "Documents"])
    deeper = folder_choices(str(root / "Documents"), [root], home)
    assert (deeper.above, [each.name for each in deeper.folders], deeper.truncated) == (str(root), ["2024"], False)


@pytest.mark.parametrize("outside", ["..", "../other", "out", "vantage", "vantage/uploads", "Documents/../../other"])
def test_nothing_outside_is_shown(root: Path, outside: str) -> None:
    with pytest.raises(PathNotAllowed):
        folder_choices(str(root / outside), [root], root / "vantage")


def test_folders_of_the_system_are_not_offered(root: Path) -> None:
    offered = [each.path for each in folder_choices("/", [Path("/")], root / "vantage").folders]
    assert not {"/proc", "/sys", "/dev"} & set(offered)
    with pytest.raises(PathNotAllowed):
        folder_choices("/proc", [Path("/")], root / "vantage")


def test_what_is_no_folder_says_so(root: Path) -> None:
    for missing in ("gone", "a file"):
        with pytest.raises(NotFound, match="There is no folder"):
            folder_choices(str(root / missing), [root], root / "vantage")
    with pytest.raises(InvalidInput):
        folder_choices("\0", [root], root / "vantage")


def test_a_folder_of_thousands_is_cut_and_says_so(root: Path) -> None:
    for number in range(1001):
        (root / "archive" / f"{number:04}").mkdir()
    found = folder_choices(str(root / "archive"), [root], root / "vantage")
    assert (len(found.folders), found.truncated) == (1000, True)
