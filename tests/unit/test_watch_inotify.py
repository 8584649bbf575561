"""Notices of the kernel: every folder by its own name, whatever is renamed, moved in, or linked."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.watching.inotify import FolderNotices, Mask, Noticed
from tests.support.bench import put

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path / "docs" / "sub" / "deep" / "a.txt", "One.")
    return tmp_path / "docs"


@pytest.fixture
def notices(root: Path) -> Iterator[FolderNotices]:
    made = FolderNotices(str(root))
    yield made
    made.close()


def noticed(notices: FolderNotices) -> set[str]:
    """Ends when something changed; a test that hangs here is one in which a notice was lost."""
    found = notices.wait(threading.Event())
    assert not found.lost
    return set(found.paths)


def test_changes_anywhere_in_the_tree(notices: FolderNotices, root: Path) -> None:
    path = put(root / "sub" / "deep" / "b.txt", "Two.")
    assert str(path) in noticed(notices)
    path.unlink()
    assert noticed(notices) == {str(path)}


def test_a_new_folder_is_watched_with_all_that_is_in_it(notices: FolderNotices, root: Path) -> None:
    (root / "new" / "inner").mkdir(parents=True)
    assert str(root / "new") in noticed(notices)
    path = put(root / "new" / "inner" / "c.txt", "Three.")
    assert str(path) in noticed(notices)


def test_a_renamed_folder_is_told_of_by_its_new_name(notices: FolderNotices, root: Path) -> None:
    (root / "sub").rename(root / "other")
    assert noticed(notices) >= {str(root / "sub"), str(root / "other")}
    path = put(root / "other" / "deep" / "d.txt", "Four.")
    assert noticed(notices) == {str(path)}


def test_a_folder_that_left_is_no_longer_told_of(notices: FolderNotices, root: Path) -> None:
    (root / "sub").rename(root.parent / "gone")
    assert str(root / "sub") in noticed(notices)
    put(root.parent / "gone" / "deep" / "x.txt", "Elsewhere.")
    path = put(root / "y.txt", "Here.")
    assert noticed(notices) == {str(path)}


def test_links_are_neither_followed_nor_confused_with_folders(notices: FolderNotices, root: Path) -> None:
    """A second name of a folder, which goes again, must not take the first one's notices away."""
    put(root.parent / "outside" / "secret.txt", "Not ours.")
    (root / "box").mkdir()
    for name, target in (("up", root.parent), ("alias", root / "sub"), ("out", root.parent / "outside")):
        (root / "box" / name).symlink_to(target)
    noticed(notices)
    (root / "box").rename(root / "crate")
    noticed(notices)
    put(root.parent / "outside" / "more.txt", "Not ours.")
    path = put(root / "sub" / "e.txt", "Five.")
    assert noticed(notices) == {str(path)}
    for name in ("up", "alias", "out"):
        (root / "crate" / name).unlink()
    (root / "crate").rmdir()
    noticed(notices)
    path = put(root / "sub" / "deep" / "f.txt", "Six.")
    assert noticed(notices) == {str(path)}


def test_a_shallow_watch_tells_of_the_folder_alone(root: Path) -> None:
    made = FolderNotices(str(root), deep=False)
    try:
        put(root / "sub" / "deep" / "x.txt", "Below.")
        (root / "sub" / "new").mkdir()
        path = put(root / "y.txt", "Here.")
        assert noticed(made) == {str(path)}
    finally:
        made.close()


def test_names_that_are_not_utf8(notices: FolderNotices, root: Path) -> None:
    name = os.fsdecode(bytes(root) + b"/caf\xe9.txt")
    with open(name, "w") as file:  # noqa: PTH123  (a name that Path cannot print)
        file.write("One.")
    assert name in noticed(notices)


def test_what_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FolderNotices(str(tmp_path / "missing"))


def test_waiting_ends_when_it_is_stopped(notices: FolderNotices) -> None:
    stop = threading.Event()
    stop.set()
    assert notices.wait(stop).paths == frozenset()


def drop_what_waits(notices: FolderNotices, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue of the kernel is full: what waits in it is gone, and it says so, as inotify(7) has it."""
    read = notices._read

    def overflown() -> Iterator[tuple[int, Mask, str]]:
        list(read())
        monkeypatch.setattr(notices, "_read", read)
        yield -1, Mask.OVERFLOW, ""

    monkeypatch.setattr(notices, "_read", overflown)


def test_dropped_notices_are_told_of_and_new_folders_are_watched_all_the_same(
    notices: FolderNotices, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop_what_waits(notices, monkeypatch)
    put(root / "new" / "inner" / "b.txt", "Two.")
    (root / "sub" / "deep").rename(root / "sub" / "deeper")
    assert notices.wait(threading.Event()) == Noticed(frozenset(), lost=True)
    paths = {str(put(root / name, "Three.")) for name in ("new/inner/c.txt", "sub/deeper/d.txt")}
    assert noticed(notices) == paths


def test_a_folder_that_went_while_notices_were_dropped_ends_nothing(notices: FolderNotices, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop_what_waits(notices, monkeypatch)
    shutil.rmtree(root / "sub")
    assert notices.wait(threading.Event()).lost
    path = put(root / "c.txt", "Three.")
    assert str(path) in noticed(notices)
