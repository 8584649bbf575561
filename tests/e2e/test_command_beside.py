"""`run_vantage` beside a process that opens the library, indexes or watches: it answers, and waits only where a model is needed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from storage.home import Home, LibraryLock, ServerFile
from tests.support.indexing_bench import write_file
from tests.support.serving import ROOT, make_environment, run_vantage, start_interruptible

_LIGHT = """
import sys
import cli
code = cli.main(sys.argv[1:])
heavy = {"api", "bootstrap", "fastapi", "httpx", "langgraph", "numpy", "openvino", "tantivy"} & set(sys.modules)
sys.exit(f"imported: {sorted(heavy)}" if heavy else code)
"""


class Following(NamedTuple):
    """`vantage watch` without a server, over one file."""

    home: Path
    docs: Path
    process: subprocess.Popen[str]


class Stopped(NamedTuple):
    """A library whose `vantage watch` was interrupted."""

    home: Path
    code: int
    said: str


@contextlib.contextmanager
def watching(folder: Path) -> Iterator[Following]:
    """`vantage watch` over a new library of one file, once it serves others."""
    home, docs = folder / "home", folder / "docs"
    write_file(docs / "key.md", "# Keys\n\nThe archive key is kept by Ingrid Solheim on the second floor.\n")
    assert run_vantage(home, "index", str(docs)).returncode == 0
    process = start_interruptible(home, "watch", str(docs))
    try:
        deadline = time.monotonic() + 90
        while ServerFile(Home(home)).read() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        yield Following(home, docs, process)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def following(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Following]:
    with watching(tmp_path_factory.mktemp("beside")) as found:
        yield found


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    """Another one than `following`, which has to run for the tests that ask for it, in whatever order."""
    with watching(tmp_path_factory.mktemp("stopped")) as found:
        found.process.send_signal(signal.SIGINT)
        _, said = found.process.communicate(timeout=60)
        return Stopped(found.home, found.process.returncode, said)


def test_a_command_that_holds_the_library_serves_the_others(following: Following) -> None:
    home = following.home
    status = json.loads(run_vantage(home, "status", "--json").stdout)
    assert (status["documents"], status["served_by"]) == (1, {"process": following.process.pid, "command": "watch"})
    assert f"`vantage watch` (process {following.process.pid})" in run_vantage(home, "status").stdout
    assert "Ingrid Solheim" in run_vantage(home, "ask", "Who keeps the archive key?").stdout
    assert run_vantage(home, "search", "archive key").stdout.startswith("1. key.md")
    assert "key.md" in run_vantage(home, "ledger").stdout
    write_file(following.docs.parent / "more" / "shed.md", "The spade hangs in the shed.")
    assert run_vantage(home, "index", str(following.docs.parent / "more")).returncode == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="what a process gave up is read in /proc")
def test_what_it_follows_is_read_by_a_confined_process(following: Following) -> None:
    """`vantage watch` reads with the same workers as an indexing server: no network, no writing elsewhere, no new rights."""
    write_file(following.docs / "key.md", "# Keys\n\nThe archive key is kept by Ingrid Solheim on the third floor.\n")
    deadline = time.monotonic() + 60
    while not (readers := readers_of(following.process.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert readers
    for status in readers:
        assert "NoNewPrivs:\t1" in status
        assert "Seccomp:\t2" in status


def readers_of(parent: int) -> list[str]:
    """What /proc says of the processes that read files for another, once they have given up their rights."""
    found = []
    children = " ".join(each.read_text(encoding="ascii") for each in Path(f"/proc/{parent}/task").glob("*/children"))  # a thread's are listed apart
    for child in children.split():
        with contextlib.suppress(OSError):  # it has ended meanwhile
            command, status = (Path(f"/proc/{child}/{name}").read_text(encoding="utf-8") for name in ("cmdline", "status"))
            found += [status] if "ingestion.workers.process" in command and "Seccomp:\t0" not in status else []
    return found


def test_it_serves_nobody_who_cannot_read_its_token(following: Following) -> None:
    record = ServerFile(Home(following.home)).read()
    assert record is not None
    with httpx.Client(base_url=record.url, trust_env=False, verify=False) as http:
        assert http.get("/documents").status_code == 401
        assert http.get("/documents", headers={"Authorization": "Bearer other"}).status_code == 401
        assert http.get("/documents", headers={"Authorization": f"Bearer {record.token}"}).is_success


def test_it_stops_cleanly_and_takes_its_address_away(stopped: Stopped) -> None:
    assert (stopped.code, "Traceback" in stopped.said) == (130, False)
    assert not Home(stopped.home).server_file.exists()
    assert json.loads(run_vantage(stopped.home, "status", "--json").stdout)["served_by"] is None


def test_status_and_ledger_need_no_model_and_no_lock(stopped: Stopped) -> None:
    """Also while another process opens the library: here this one has the lock and serves nobody."""
    for arguments in (("status", "--json"), ("ledger", "--json")):
        command = [sys.executable, "-c", _LIGHT, *arguments]
        done = subprocess.run(command, env=make_environment(stopped.home), cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
    with LibraryLock(Home(stopped.home)):
        status = json.loads(run_vantage(stopped.home, "status", "--json").stdout)
        assert (status["status"], status["served_by"]["process"], status["documents"]) == ("starting", os.getpid(), 1)
        assert status["roots"][0]["watch"] == "on"
        states = [line["state"] for line in json.loads(run_vantage(stopped.home, "ledger", "--state", "indexed", "--json").stdout)]
        assert states == ["indexed"]


def test_a_question_waits_for_a_process_that_opens_the_library(stopped: Stopped) -> None:
    lock = LibraryLock(Home(stopped.home))
    lock.acquire()
    asking = start_interruptible(stopped.home, "ask", "Who keeps the archive key?")
    assert asking.stderr is not None
    try:
        assert f"process {os.getpid()} is opening the library; waiting for it" in asking.stderr.readline()
        lock.release()
        answered, _ = asking.communicate(timeout=90)
    finally:
        lock.release()
        asking.kill()
    assert "Ingrid Solheim" in answered


def test_a_library_that_was_never_made_is_not_made_by_asking(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert json.loads(run_vantage(home, "status", "--json").stdout)["files"] == 0
    assert run_vantage(home, "ledger", "--json").stdout == "[]\n"
    assert run_vantage(home, "ledger").stderr == "No file was seen yet: vantage index FOLDER.\n"
    assert run_vantage(home, "ledger", "--state", "failed").stderr == "No file is failed.\n"
    assert not home.exists()
