"""VANTAGE_HOME, its lock and its server file."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

import storage
from core.errors import ConfigurationError, Conflict, StorageFull, Unavailable, VantageError
from storage.disk import disk_error
from storage.home import Home, LibraryLock, ServerFile, is_running

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "deep" / "home")
    made.create()
    return made


# ---------------------------------------------------------------------------------------------------------------- the folder
def test_the_home_is_made_for_its_owner_alone(home: Home) -> None:
    assert [folder.stat().st_mode & 0o777 for folder in (home.path, home.index, home.uploads, home.logs)] == [0o700] * 4
    home.create()
    assert home.bytes_on_disk() == 0
    home.library.write_bytes(b"x" * 10)
    (home.index / "segment").write_bytes(b"x" * 5)
    assert home.bytes_on_disk() == 15
    home.compiled_networks.mkdir()
    (home.compiled_networks / "a.network").write_bytes(b"x" * 100)
    assert home.bytes_on_disk() == 15  # made again at any time


def test_every_path_lies_in_the_home(home: Home) -> None:
    assert all(
        path.parent == home.path for path in (home.library, home.index, home.tokens, home.uploads, home.logs, home.server_file, home.lock_file)
    )


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("mine")
    with pytest.raises(ConfigurationError, match="is a file"):
        Home(tmp_path / "home").create()
    with pytest.raises(ConfigurationError, match="is a file"):
        Home(tmp_path / "home" / "below").create()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ConfigurationError, match="VANTAGE_HOME"):
        Home(tmp_path / "home").create()


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOSPC, StorageFull, "No space left"),
        (errno.EDQUOT, StorageFull, "No space left"),
        (errno.EACCES, ConfigurationError, "VANTAGE_HOME"),
        (errno.EROFS, ConfigurationError, "VANTAGE_HOME"),
        (errno.EIO, Unavailable, "Check the disk"),
    ],
)
def test_what_the_operating_system_reports_is_a_sentence(number: int, kind: type[VantageError], words: str) -> None:
    error = disk_error(OSError(number, os.strerror(number)), "/data/vantage")
    assert type(error) is kind
    assert "/data/vantage" in str(error)
    assert words in str(error)


# ---------------------------------------------------------------------------------------------------------------- the lock
def test_the_lock_is_held_by_one_and_the_other_is_told_by_whom(home: Home) -> None:
    first, second = LibraryLock(home), LibraryLock(home)
    with first:
        assert first.is_held
        with pytest.raises(Conflict, match=f"process {os.getpid()}"):
            second.acquire()
        assert not second.is_held
    with second:
        assert second.is_held
    second.release()


def test_the_lock_ends_with_its_process_however_that_ends(home: Home) -> None:
    program = (
        "import sys, time, pathlib; from storage.home import Home, LibraryLock; "
        f"lock = LibraryLock(Home(pathlib.Path({str(home.path)!r}))); lock.acquire(); print('held', flush=True); time.sleep(60)"
    )
    root = Path(storage.__file__).parent.parent
    holder = subprocess.Popen([sys.executable, "-c", program], cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, stdout=subprocess.PIPE)
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Conflict, match=f"process {holder.pid}"):
            LibraryLock(home).acquire()
        holder.kill()
    with LibraryLock(home) as lock:
        assert lock.is_held


# ---------------------------------------------------------------------------------------------------------------- the server file
def test_the_server_is_found_while_its_process_lives(home: Home) -> None:
    file = ServerFile(home)
    assert file.read() is None
    file.write("http://127.0.0.1:8000", "0.1.0", NOW, "secret")
    found = file.read()
    assert found is not None
    assert (found.pid, found.url, found.version, found.started_at, found.token) == (os.getpid(), "http://127.0.0.1:8000", "0.1.0", NOW, "secret")
    assert home.server_file.stat().st_mode & 0o777 == 0o600
    file.remove()
    assert not home.server_file.exists()
    file.remove()


def test_a_server_that_is_gone_is_not_found(home: Home) -> None:
    file = ServerFile(home)
    file.write("http://127.0.0.1:8000", "0.1.0", NOW)
    stored = json.loads(home.server_file.read_text())
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for pid, started in ((gone.pid, stored["process_started"]), (stored["pid"], stored["process_started"] - 3600), (2**40, 0.0), (-5, 0.0)):
        home.server_file.write_text(json.dumps({**stored, "pid": pid, "process_started": started}))
        assert file.read() is None


def test_another_servers_file_is_not_removed(home: Home) -> None:
    other = psutil.Process(os.getppid())
    file = ServerFile(home)
    file.write("http://127.0.0.1:8000", "0.1.0", NOW)
    stored = {**json.loads(home.server_file.read_text()), "pid": other.pid, "process_started": other.create_time()}
    home.server_file.write_text(json.dumps(stored))
    file.remove()
    found = file.read()
    assert found is not None
    assert found.pid == other.pid


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"pid": "x"}', '{"pid": null}', "\udcff"])
def test_a_damaged_server_file_is_no_server(home: Home, text: str) -> None:
    home.server_file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert ServerFile(home).read() is None


def test_a_process_is_known_by_its_start() -> None:
    assert is_running(os.getpid(), psutil.Process().create_time())
    assert not is_running(os.getpid(), time.time() + 3600)
