"""`vantage watch`, as a person runs it: without a server it watches by itself and prints each change."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.support.indexing_bench import write_file
from tests.support.serving import ServedVantage, make_environment, run_vantage


def line_with(output: IO[str], *words: str) -> str:
    """The next line that has all words; at the end of the output the test fails."""
    for line in output:
        if all(word in line for word in words):
            return line
    raise AssertionError(f"the command ended without {words}")


def watching(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Tests that run in the background ignore an interruption, and so would the command that they start."""
    command = [sys.executable, "-m", "cli", "watch", *arguments]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            command, env=make_environment(home, VANTAGE_INGESTION__WORKERS="1"), cwd=home.parent, stdout=subprocess.PIPE, text=True
        )
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGINT)
    try:
        return process.wait(timeout=60)
    finally:
        process.kill()
        if process.stdout is not None:
            process.stdout.close()


@pytest.mark.slow
def test_without_a_server_it_watches_by_itself(tmp_path: Path) -> None:
    home, docs = tmp_path / "home", tmp_path / "docs"
    path = write_file(docs / "a.txt", "The lease of Halden.")
    process = watching(home, str(docs))
    assert process.stdout is not None
    try:
        assert "Press Ctrl+C to stop watching." in line_with(process.stdout, "This process watches")
        line_with(process.stdout, "watching", str(docs))
        write_file(docs / "b.txt", "The lease of Ostrava.")
        assert "after" in line_with(process.stdout, "added", "b.txt")
        path.rename(docs / "c.txt")
        assert f"(was {path})" in line_with(process.stdout, "moved", "c.txt")
        (docs / "b.txt").unlink()
        line_with(process.stdout, "removed", "b.txt")
    finally:
        code = interrupted(process)
    assert code == 130
    status = json.loads(run_vantage(home, "watch", "--status", "--json").stdout)
    assert (status["enabled"], status["server_running"], [folder["path"] for folder in status["folders"]]) == (True, False, [str(docs)])
    off = run_vantage(home, "watch", str(docs), "--off")
    assert f"off       {docs}" in off.stdout
    assert ", not watched" in run_vantage(home, "status").stdout
    assert run_vantage(home, "watch", "/elsewhere", "--off").returncode == 1


@pytest.mark.slow
def test_with_a_server_it_switches_there_and_tells_what_that_does(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write_file(docs / "a.txt", "The lease of Halden.")
    server = ServedVantage(tmp_path / "home", {"VANTAGE_INGESTION__WORKERS": "1"}).start()
    process = None
    try:
        process = watching(server.home, str(docs), "--json")
        assert process.stdout is not None
        assert json.loads(line_with(process.stdout, '"watching"'))["path"] == str(docs)
        write_file(docs / "b.txt", "The lease of Ostrava.")
        assert json.loads(line_with(process.stdout, "b.txt"))["change"] == "added"
        assert interrupted(process) == 130
        assert f"watching  {docs}" in run_vantage(server.home, "watch", "--status").stdout
    finally:
        if process is not None:
            process.kill()
        server.stop()
