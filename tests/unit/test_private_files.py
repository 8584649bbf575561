"""What lies in VANTAGE_HOME is its owner's alone, also in one that exists; what is not Vantage's is left as it is."""

from __future__ import annotations

import logging
import stat
from pathlib import Path

import pytest

from storage.database import open_database
from storage.file_permissions import OTHERS_RIGHTS, restrict_to_owner
from storage.home import Home


def written(path: Path, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("words")
    path.chmod(mode)
    return path


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """As an earlier version left it under the umask 022."""
    made = Home(tmp_path / "home")
    for name in (
        "library.db",
        "library.db-wal",
        "library.lock",
        "tokens.db",
        "tokens-next.db-shm",
        "config.yaml",
        "index/1/seg",
        "uploads/a/b/c.txt",
    ):
        written(made.path / name)
    for folder in (made.path, *made.path.rglob("*")):
        if folder.is_dir():
            folder.chmod(0o755)
    return made


def test_an_open_home_is_closed_and_it_is_said_once(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        home.create()
        home.create()
    open_still = [path for path in (home.path, *home.path.rglob("*")) if path.stat().st_mode & OTHERS_RIGHTS]
    assert open_still == []
    assert mode_of(home.path / "index" / "1") == 0o700
    assert mode_of(home.library) == 0o600
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1
    assert said[0].startswith("14 files and folders")


def test_what_is_not_vantage_s_stays_as_it_is(home: Home, tmp_path: Path) -> None:
    other, linked = written(home.path / "notes.txt"), written(tmp_path / "elsewhere.txt")
    (home.uploads / "link.txt").symlink_to(linked)
    home.create()
    assert mode_of(other) == 0o644  # in a folder that nobody else enters
    assert mode_of(linked) == 0o644
    assert mode_of(home.path) == 0o700


def test_a_folder_of_everybody_s_is_not_closed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.path.chmod(0o1777)
    home.create()
    assert mode_of(home.path) == 0o1777
    assert mode_of(home.library) == 0o600
    home.path.chmod(0o755)
    monkeypatch.setenv("HOME", str(home.path))  # a person's own folder
    home.create()
    assert mode_of(home.path) == 0o755


def test_uploads_on_another_disk_are_closed_too(home: Home, tmp_path: Path) -> None:
    file = written(tmp_path / "disk" / "c.txt")
    (home.uploads / "a" / "b" / "c.txt").unlink()
    for folder in ("a/b", "a", ""):
        (home.uploads / folder).rmdir()
    home.uploads.symlink_to(file.parent)
    home.create()
    assert mode_of(file) == 0o600


def test_a_database_elsewhere_is_closed_too(tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.db"
    open_database(tmp_path, f"sqlite:///{file}").close_sync()
    file.chmod(0o644)
    database = open_database(tmp_path, f"sqlite:///{file}")
    try:
        assert {mode_of(path) for path in tmp_path.glob("elsewhere.db*")} == {0o600}
    finally:
        database.close_sync()


def test_what_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    assert restrict_to_owner([tmp_path / "gone"]) == 0
