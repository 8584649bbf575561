"""Several accounts on one machine: nothing in the home is open to others, and another account is not answered over loopback. One server for all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from storage.database import open_database
from storage.file_permissions import OTHERS_RIGHTS
from storage.home import Home
from tests.support.serving import ServedVantage, index_and_wait

NOBODY = 65534
# What another account tries. It becomes that account once everything is imported, for Python itself may be root's alone.
_TRIES = """
import encodings.idna, http.client, json, os, sys
given = json.load(sys.stdin)
os.setgroups([])
os.setresgid(*[given["account"]] * 3)
os.setresuid(*[given["account"]] * 3)
read = []
for path in given["paths"]:
    try:
        open(path, "rb").read(1)
        read.append(path)
    except OSError:
        pass
answers = {}
for method, path, body in given["requests"]:
    connection = http.client.HTTPConnection(given["host"], given["port"], timeout=60)
    connection.request(method, path, body and json.dumps(body), {"content-type": "application/json"})
    response = connection.getresponse()
    answers[method + " " + path] = [response.status, response.read().decode()]
print(json.dumps({"read": read, "answers": answers}))
"""


@pytest.fixture(scope="module")
def served() -> Iterator[ServedVantage]:
    """Over a home that an earlier version left open, in a folder that everybody may enter, as /home is."""
    folder = Path(tempfile.mkdtemp(prefix="vantage-accounts-"))
    folder.chmod(0o755)
    try:
        (folder / "docs").mkdir(mode=0o700)
        (folder / "docs" / "secret.txt").write_text("The safe in the cellar opens with the code 4711.", encoding="utf-8")
        Home(folder / "home").create()
        open_database(folder / "home").close_sync()
        (folder / "home" / "uploads" / "old.txt").write_text("Saved long ago.")
        for path in (folder / "home", *(folder / "home").rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        made = ServedVantage(folder / "home").start()
        try:
            with made.client() as client:
                client.post("/upload", files={"files": ("note.txt", b"The cellar key hangs behind the door.")}).raise_for_status()
                index_and_wait(client, str(folder / "docs"), force=True)
                client.post("/search", json={"query": "What is the code of the safe?"}).raise_for_status()
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder)


def as_nobody(served: ServedVantage, paths: list[str], requests: list[tuple[str, str, Any]]) -> dict[str, Any]:
    if os.geteuid() != 0:
        pytest.skip("only root may become another account")
    url = urlsplit(served.url)
    given = {"account": NOBODY, "paths": paths, "requests": requests, "host": url.hostname, "port": url.port}
    python = [sys.executable, "-c", _TRIES]
    done = subprocess.run(python, input=json.dumps(given), cwd="/", capture_output=True, text=True, timeout=120, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_nothing_in_the_home_is_open_to_others(served: ServedVantage) -> None:
    paths = [served.home, *served.home.rglob("*")]
    assert {"library.db", "library.db-wal", "server.json", "uploads", "index"} <= {path.name for path in paths}
    assert [str(path) for path in paths if path.lstat().st_mode & OTHERS_RIGHTS] == []
    assert "were open to other accounts" in served.read_log()


def test_another_account_reads_nothing_in_the_home(served: ServedVantage) -> None:
    files = [str(path) for path in served.home.rglob("*") if path.is_file()]
    readable = served.home.parent / "open.txt"
    readable.write_text("everybody's")
    readable.chmod(0o644)
    assert as_nobody(served, [*files, str(readable)], [])["read"] == [str(readable)]


def test_another_account_is_not_answered_over_loopback(served: ServedVantage) -> None:
    secret = str(served.home.parent / "docs" / "secret.txt")
    asked = [("GET", "/health", None), ("POST", "/search", {"query": "What is the code of the safe?"}), ("POST", "/index", {"path": secret})]
    answers = as_nobody(served, [], [*asked, ("GET", "/openapi.json", None), ("GET", "/live", None)])["answers"]
    assert answers.pop("GET /live") == [200, '{"live":true}']
    for status, body in answers.values():
        assert status == 403
        problem = json.loads(body)
        assert problem["code"] == "other_account"
        assert "server.api_keys" in problem["detail"]


def test_the_server_s_own_account_is_answered(served: ServedVantage) -> None:
    with served.client() as client:
        assert client.get("/health", params={"thorough": "true"}).status_code == 200
        assert "4711" in client.post("/search", json={"query": "What is the code of the safe?"}).json()["answer"]
