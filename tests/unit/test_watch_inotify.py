"""Notices of the kernel: every folder by its own name, whatever is renamed, moved in, or linked."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.watching.inotify import InotifyNotices, Mask, NoticedChanges
from tests.support.indexing_bench import write_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_file(tmp_path / "docs" / "sub" / "deep" / "a.txt", "One.")
    return tmp_path / "docs"


@pytest.fixture
def notices(root: Path) -> Iterator[InotifyNotices]:
    made = InotifyNotices(str(root))
    yield made
    made.close()


def noticed(notices: InotifyNotices) -> set[str]:
    """Ends when something changed; a test that hangs here is one in which a notice was lost."""
    found = notices.wait(threading.Event())
    assert not found.has_lost_notices
    return set(found.paths)


def test_changes_anywhere_in_the_tree(notices: InotifyNotices, root: Path) -> None:
    path = write_file(root / "sub" / "deep" / "b.txt", "Two.")
    assert str(path) in noticed(notices)
    path.unlink()
    assert noticed(notices) == {str(path)}


def test_a_new_folder_is_watched_with_all_that_is_in_it(notices: InotifyNotices, root: Path) -> None:
    (root / "new" / "inner").mkdir(parents=True)
    assert str(root / "new") in noticed(notices)
    path = write_file(root / "new" / "inner" / "c.txt", "Three.")
    assert str(path) in noticed(notices)


def test_a_renamed_folder_is_told_of_by_its_new_name(notices: InotifyNotices, root: Path) -> None:
    (root / "sub").rename(root / "other")
    assert noticed(notices) >= {str(root / "sub"), str(root / "other")}
    path = write_file(root / "other" / "deep" / "d.txt", "Four.")
    assert noticed(notices) == {str(path)}


def test_a_folder_that_left_is_no_longer_told_of(notices: InotifyNotices, root: Path) -> None:
    (root / "sub").rename(root.parent / "gone")
    assert str(root / "sub") in noticed(notices)
    write_file(root.parent / "gone" / "deep" / "x.txt", "Elsewhere.")
    path = write_file(root / "y.txt", "Here.")
    assert noticed(notices) == {str(path)}


def test_links_are_neither_followed_nor_confused_with_folders(notices: InotifyNotices, root: Path) -> None:
    """A second name of a folder, which goes again, must not take the first one's notices away."""
    write_file(root.parent / "outside" / "secret.txt", "Not ours.")
    (root / "box").mkdir()
    for name, target in (("up", root.parent), ("alias", root / "sub"), ("out", root.parent / "outside")):
        (root / "box" / name).symlink_to(target)
    noticed(notices)
    (root / "box").rename(root / "crate")
    noticed(notices)
    write_file(root.parent / "outside" / "more.txt", "Not ours.")
    path = write_file(root / "sub" / "e.txt", "Five.")
    assert noticed(notices) == {str(path)}
    for name in ("up", "alias", "out"):
        (root / "crate" / name).unlink()
    (root / "crate").rmdir()
    noticed(notices)
    path = write_file(root / "sub" / "deep" / "f.txt", "Six.")
    assert noticed(notices) == {str(path)}


def test_a_shallow_watch_tells_of_the_folder_alone(root: Path) -> None:
    made = InotifyNotices(str(root), deep=False)
    try:
        write_file(root / "sub" / "deep" / "x.txt", "Below.")
        (root / "sub" / "new").mkdir()
        path = write_file(root / "y.txt", "Here.")
        assert noticed(made) == {str(path)}
    finally:
        made.close()


def test_names_that_are_not_utf8(notices: InotifyNotices, root: Path) -> None:
    name = os.fsdecode(bytes(root) + b"/caf\xe9.txt")
    with open(name, "w") as file:  # noqa: PTH123  (a name that Path cannot print)
        file.write("One.")
    assert name in noticed(notices)


def test_what_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        InotifyNotices(str(tmp_path / "missing"))


def test_waiting_ends_when_it_is_stopped(notices: InotifyNotices) -> None:
    stop = threading.Event()
    stop.set()
    assert notices.wait(stop).paths == frozenset()


def drop_what_waits(notices: InotifyNotices, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue of the kernel is full: what waits in it is gone, and it says so, as inotify(7) has it."""
    read = notices._read_events

    def overflown() -> Iterator[tuple[int, Mask, str]]:
        list(read())
        monkeypatch.setattr(notices, "_read_events", read)
        yield -1, Mask.OVERFLOW, ""

    monkeypatch.setattr(notices, "_read_events", overflown)


def test_dropped_notices_are_told_of_and_new_folders_are_watched_all_the_same(
    notices: InotifyNotices, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop_what_waits(notices, monkeypatch)
    write_file(root / "new" / "inner" / "b.txt", "Two.")
    (root / "sub" / "deep").rename(root / "sub" / "deeper")
    assert notices.wait(threading.Event()) == NoticedChanges(frozenset(), has_lost_notices=True)
    paths = {str(write_file(root / name, "Three.")) for name in ("new/inner/c.txt", "sub/deeper/d.txt")}
    assert noticed(notices) == paths


def test_a_folder_that_went_while_notices_were_dropped_ends_nothing(notices: InotifyNotices, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drop_what_waits(notices, monkeypatch)
    shutil.rmtree(root / "sub")
    assert notices.wait(threading.Event()).has_lost_notices
    path = write_file(root / "c.txt", "Three.")
    assert str(path) in noticed(notices)
