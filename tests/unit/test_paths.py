from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InvalidInput, PathNotAllowed
from ingestion.scan.paths import PathSet, is_printable, is_within, printable_path, resolve_indexable, resolve_under


def test_a_path_under_a_root_is_resolved(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    (root / "a").mkdir(parents=True)
    assert resolve_under(root / "a" / ".." / "a", [root]) == root / "a"
    assert resolve_under(root, [root]) == root


@pytest.mark.parametrize("path", ["..", "../other", "a/../../other", "/etc/passwd"])
def test_a_path_that_climbs_out_is_refused(tmp_path: Path, path: str) -> None:
    root = tmp_path / "docs"
    (root / "a").mkdir(parents=True)
    with pytest.raises(PathNotAllowed, match="outside the folders"):
        resolve_under(root / path, [root])


def test_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    root, outside = tmp_path / "docs", tmp_path / "secret"
    root.mkdir()
    outside.mkdir()
    (root / "link").symlink_to(outside)
    with pytest.raises(PathNotAllowed):
        resolve_under(root / "link" / "file.txt", [root])


def test_a_sibling_with_the_same_beginning_is_not_inside() -> None:
    assert is_within("/data/docs/a", "/data/docs")
    assert not is_within("/data/docs2", "/data/docs")
    assert is_within("/data", "/")


@pytest.mark.parametrize("path", ["", "  ", "a\0b"])
def test_what_is_no_path_is_said(path: str) -> None:
    with pytest.raises(InvalidInput):
        resolve_under(path, [Path("/")])


def test_a_link_to_itself_is_said(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InvalidInput, match="cannot be followed"):
        resolve_indexable(tmp_path / "loop" / "x", tmp_path / "home")


def test_the_home_is_not_indexed_but_its_uploads_are(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert resolve_indexable(home / "uploads" / "a.txt", home, roots=[]) == home / "uploads" / "a.txt"
    assert resolve_indexable(tmp_path, home) == tmp_path
    for path in (home, home / "index"):
        with pytest.raises(PathNotAllowed, match="Vantage itself"):
            resolve_indexable(path, home)


@pytest.mark.parametrize("path", ["/proc", "/proc/self/environ", "/sys", "/dev", "/dev/shm/x", "/usr/../proc"])
def test_folders_of_the_system_are_never_roots(tmp_path: Path, path: str) -> None:
    (tmp_path / "link").symlink_to(path)
    for named in (path, tmp_path / "link"):
        with pytest.raises(PathNotAllowed, match="folder of the system"):
            resolve_indexable(named, tmp_path / "home")


def test_a_link_to_the_home_is_no_root(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "home")
    with pytest.raises(PathNotAllowed, match="Vantage itself"):
        resolve_indexable(tmp_path / "link", tmp_path / "home")


def test_names_that_are_not_utf8_can_be_shown() -> None:
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    assert printable_path(name) == "caf\\xe9.txt"
    assert not is_printable(name)
    assert is_printable("café 漢字.txt")


def test_a_set_of_paths_knows_what_lies_at_below_and_above_them() -> None:
    held = PathSet.from_paths(["/docs/a", "/docs/b/c.txt"])
    assert all(held.holds(path) for path in ("/docs/a", "/docs/a/x/y", "/docs/b/c.txt"))
    assert not any(held.holds(path) for path in ("/docs/ab", "/docs/b", "/"))
    assert [held.meets(path) for path in ("/docs/a/x", "/docs/b", "/docs", "/", "/docs/b/d.txt", "/other")] == [True, True, True, True, False, False]
    assert not PathSet.from_paths([]).meets("/docs")
