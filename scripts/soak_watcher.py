"""The watcher's soak: a real server follows folders in which everything happens, is killed and started again, and must hold in the end what a
fresh index of the folders holds."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import httpx

from scripts.soak_library import LibraryContents, differences, read_library, request_rereading, title_changes
from scripts.soak_operations import RandomFolders

ROOT = Path(__file__).resolve().parents[1]
_START_SECONDS = 120.0
_QUIET_SECONDS = 3.0  # without a change until all is taken for done
_QUIET_AT_MOST = 600.0


@dataclass(frozen=True)
class SoakPlan:
    """`kills` are spread over the operations; every third stop is an orderly one."""

    operations: int
    seed: int
    kills: int
    probes: int = 10


@dataclass
class SoakServer:
    """A `vantage serve` of its own. `starts` counts how often it was started."""

    home: Path
    url: str = ""
    process: subprocess.Popen[bytes] | None = None
    log: IO[bytes] | None = None
    starts: int = 0

    def environment(self, home: Path | None = None) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("VANTAGE_")}
        chosen = {"VANTAGE_HOME": str(home or self.home), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__WORKERS": "1"}
        return {**kept, **chosen, "PYTHONPATH": str(ROOT)}

    def start(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        self.starts += 1
        self.log = (self.home.parent / "server.log").open("ab")
        command = [sys.executable, "-m", "cli", "serve", "--port", "0"]
        self.process = subprocess.Popen(
            command, env=self.environment(), cwd=self.home.parent, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True
        )
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}: {self.read_log()}")
            if self._is_answering():
                return
            time.sleep(0.1)
        raise RuntimeError(f"no server within {_START_SECONDS} s: {self.read_log()}")

    def _is_answering(self) -> bool:
        try:
            record = json.loads((self.home / "server.json").read_text())
            self.url = str(record["url"])
            return bool(record["pid"] == self._pid) and httpx.get(f"{self.url}/health", timeout=5.0, trust_env=False).is_success
        except (OSError, ValueError, KeyError, httpx.HTTPError):
            return False

    @property
    def _pid(self) -> int:
        return self.process.pid if self.process is not None else 0

    def stop(self, sign: int = signal.SIGTERM) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(sign)
            try:
                self.process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.log is not None:
            self.log.close()

    def read_log(self) -> str:
        return (self.home.parent / "server.log").read_text(errors="replace")[-4000:]

    def get(self, path: str) -> Any:
        return httpx.get(f"{self.url}{path}", timeout=120.0, trust_env=False).raise_for_status().json()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return httpx.post(f"{self.url}{path}", json=body, timeout=120.0, trust_env=False).raise_for_status().json()


@dataclass
class SoakReport:
    """The result of a soak. `seconds` are those from the last write of a file until it could be asked about, measured while nothing else happened."""

    operations: dict[str, int]
    starts: int
    seconds_taken: float
    documents: int
    lines: int
    probes: list[float] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def soak(place: Path, plan: SoakPlan, say: Callable[[str], None] = lambda _: None) -> SoakReport:
    """Run the plan in `place`, an empty folder. Blocks for as long as it takes."""
    started = time.monotonic()
    chance = random.Random(plan.seed)  # noqa: S311  (a soak must be repeatable)
    folders = RandomFolders([place / "first", place / "second"], place / "outside", chance)
    folders.prepare()
    server = SoakServer(place / "home")
    server.start()
    try:
        for root in folders.roots:
            server.post("/index", {"path": str(root)})
        _run_operations(server, folders, plan, say)
        say("waiting until all is taken in")
        wait_until_quiet(server)
        probes = [probe(server, folders.roots[0], number) for number in range(plan.probes)]
        wait_until_quiet(server)
    finally:
        server.stop()
    say("indexing the folders afresh")
    have = asyncio.run(read_library(server.home))
    want = index_anew(server, place / "fresh", folders, have)
    return SoakReport(
        operations=folders.names,
        starts=server.starts,
        seconds_taken=time.monotonic() - started,
        documents=len(have.documents),
        lines=len(have.ledger),
        probes=sorted(probes),
        differences=differences(have, want),
    )


def _run_operations(server: SoakServer, folders: RandomFolders, plan: SoakPlan, say: Callable[[str], None]) -> None:
    chance = random.Random(plan.seed + 1)  # noqa: S311
    stops = set(chance.sample(range(1, plan.operations), min(plan.kills, plan.operations - 1)))
    for number in range(plan.operations):
        if number in stops:
            kill = chance.random() < 0.67
            server.stop(signal.SIGKILL if kill else signal.SIGTERM)
            for _ in range(chance.randrange(20)):  # these are seen by nobody
                folders.step()
            server.start()
            say(f"{number} operations, {'killed' if kill else 'stopped'} and started again")
        folders.step()
        pause = chance.random()
        if pause < 0.15:
            time.sleep(chance.uniform(0.0, 0.2))
        elif pause > 0.995:
            time.sleep(chance.uniform(0.5, 2.0))


def wait_until_quiet(server: SoakServer) -> None:
    """Wait until every folder is watched and nothing waits, for a while. Raises RuntimeError where that does not come."""
    deadline = time.monotonic() + _QUIET_AT_MOST
    quiet_since, before = time.monotonic(), ""
    while time.monotonic() < deadline:
        status = server.get("/watcher/status")
        queue = server.get("/ledger/summary")["queue"]
        busy = status["waiting"] or queue["waiting"] or queue["jobs"] or any(folder["state"] != "watching" for folder in status["folders"])
        now = json.dumps([status["recent"][:1], [folder["last_event_at"] for folder in status["folders"]]])
        if busy or now != before:
            quiet_since, before = time.monotonic(), now
        if time.monotonic() - quiet_since > _QUIET_SECONDS:
            return
        time.sleep(0.25)
    raise RuntimeError(f"the watcher does not come to rest: {status}")


def probe(server: SoakServer, folder: Path, number: int) -> float:
    """Write a file, and ask until it is reported: seconds from its last write until it could be asked about."""
    path = folder / f"probe {number}.txt"
    path.write_text(f"The probe of number {number} says soakword.\n")
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for event in server.get("/watcher/status")["recent"]:
            if event["path"] == str(path) and event["seconds"] is not None:
                return float(event["seconds"])
        time.sleep(0.1)
    raise RuntimeError(f"{path} was not taken in: {server.get('/watcher/status')}")


def index_anew(server: SoakServer, home: Path, folders: RandomFolders, have: LibraryContents) -> LibraryContents:
    """Index the folders anew and return what that index holds. Of copies that have no title but their names, those give it that gave it in `have`."""
    _index(server, home, folders)
    want = asyncio.run(read_library(home))
    if naming := title_changes(have, want):
        asyncio.run(request_rereading(home, naming))
        _index(server, home, folders)
        want = asyncio.run(read_library(home))
    return want


def _index(server: SoakServer, home: Path, folders: RandomFolders) -> None:
    for root in folders.roots:
        command = [sys.executable, "-m", "cli", "index", str(root), "--json"]
        done = subprocess.run(command, env=server.environment(home), cwd=home.parent, capture_output=True, text=True, timeout=3600, check=False)
        if not done.stdout.strip():
            raise RuntimeError(f"indexing {root} afresh failed: {done.stderr[-2000:]}")
