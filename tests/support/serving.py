"""A real server in its own process, over a home of its own, for the end-to-end tests."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import httpx

from storage.home import Home
from tests.support.warm_start import SHARED, Command, Process, start_module

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 300.0  # with the sample library it answers once that is indexed, which takes minutes where many programs run


def make_environment(home: Path, **settings: str) -> dict[str, str]:
    """The environment of a Vantage with its own home, no model, and whatever settings are named. Compiled networks, 100 MB, are kept where the tests
    share them (`share_networks`) and in no other home: it is used a few times."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VANTAGE_") or name == "VANTAGE_DATA"}
    shares = str(SHARED in os.environ and home.is_dir()).lower()
    own = {"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_EMBEDDING__KEEP_COMPILED": shares, "PYTHONPATH": str(ROOT)}
    return {**kept, **own, **settings}


@contextlib.contextmanager
def share_networks(home: Path) -> Iterator[None]:
    """Link what other homes of this run compiled into this one, and afterwards what it compiled into the folder of all. Does nothing where the tests
    share no folder, where there is no home yet, or where the two cannot be linked."""
    shared, own = Path(os.environ.get(SHARED, "")) / "compiled", Home(home).compiled_networks
    if SHARED not in os.environ or not home.is_dir():
        yield
        return
    for folder in (shared, own):
        folder.mkdir(mode=0o700, exist_ok=True)
    _link_all(shared, own)
    yield
    _link_all(own, shared)


def _link_all(source: Path, target: Path) -> None:
    for file in source.glob("*.network"):
        with contextlib.suppress(OSError):  # it is there already, the home is gone, or it is on another disk
            (target / file.name).hardlink_to(file)


def run_vantage(home: Path, *arguments: str, timeout: float = 120.0, cold: bool = False, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, share_networks(home):
        process = start_module(Command(arguments, make_environment(home, **settings), home.parent, output, errors), cold=cold)
        try:
            process.wait(timeout)
        except BaseException:
            process.kill()
            process.wait()
            raise
        printed = [_text_of(file) for file in (output, errors)]
    return subprocess.CompletedProcess(arguments, process.wait(), *printed)


def start_interruptible(home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a command that is to be interrupted. Tests that run in the background ignore an interruption, and so would it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "cli", *arguments],
            env=make_environment(home, VANTAGE_INGESTION__WORKERS="1"),
            cwd=home.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


@dataclass
class ServedVantage:
    """A running server. `log` holds what it printed; `open_files` is the most that the system allows it, 0 what it allows this process;
    `start_seconds` is how long it is waited for."""

    home: Path
    settings: dict[str, str] = field(default_factory=dict)
    url: str = ""
    process: Process | None = None
    log: IO[bytes] | None = None
    open_files: int = 0
    start_seconds: float = START_SECONDS
    networks: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def start(self, *arguments: str) -> ServedVantage:
        self.home.mkdir(parents=True, exist_ok=True)
        self.networks.enter_context(share_networks(self.home))
        self.log = (self.home.parent / f"{self.home.name}.log").open("ab")
        command = Command(
            ("serve", "--port", "0", *arguments), make_environment(self.home, **self.settings), self.home.parent, self.log, self.log, new_session=True
        )
        self.process = self._start_limited(command) if self.open_files else start_module(command)
        try:
            self.url = self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def _start_limited(self, command: Command) -> subprocess.Popen[bytes]:
        limited = ["sh", "-c", f'ulimit -n {self.open_files}; exec "$@"', "sh", sys.executable, "-m", "cli", *command.arguments]
        return subprocess.Popen(
            limited, env=dict(command.environment), cwd=command.folder, stdout=self.log, stderr=self.log, start_new_session=command.new_session
        )

    def _wait(self) -> str:
        deadline = time.monotonic() + self.start_seconds
        file = self.home / "server.json"
        with httpx.Client(timeout=5.0, trust_env=False, verify=False) as client:
            while time.monotonic() < deadline:
                if self.process is not None and self.process.poll() is not None:
                    raise RuntimeError(f"the server ended with {self.process.returncode}: {self.read_log()}")
                if file.is_file():
                    url = str(json.loads(file.read_text())["url"])
                    try:
                        if client.get(f"{url}/health").is_success or self.settings:
                            return url
                    except httpx.HTTPError:
                        pass  # bound but not serving yet: the loop tries again until the deadline
                time.sleep(0.05)
        raise RuntimeError(f"no server within {self.start_seconds} s: {self.read_log()}")

    def count_descriptors(self) -> int:
        """How many files, pipes and sockets the process has open. Linux only."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir())) if self.process is not None else 0

    def read_log(self) -> str:
        return (self.home.parent / f"{self.home.name}.log").read_text(errors="replace")[-4000:]

    def stop(self, sign: int = signal.SIGTERM) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(sign)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.log is not None:
            self.log.close()
        self.networks.close()

    def client(self) -> httpx.Client:
        """Reading the certificates of all authorities, which nobody needs for plain http, would take longer than most of its requests."""
        return httpx.Client(base_url=self.url, timeout=60.0, trust_env=False, verify=False)


def read_health(client: httpx.Client) -> dict[str, Any]:
    """GET /health, made for this request however long it takes: otherwise a busy server repeats its last report, or says that it has none."""
    report: dict[str, Any] = client.get("/health", params={"thorough": "true"}).raise_for_status().json()
    return report


def index_and_wait(client: httpx.Client, path: str, *, force: bool = False, seconds: float = 120.0) -> dict[str, object]:
    """POST /index and follow the job to its end, at most so many seconds."""
    job = client.post("/index", json={"path": path, "force": force}).raise_for_status().json()
    return wait_for_job(client, job["id"], seconds)


def wait_for_job(client: httpx.Client, job_id: str, seconds: float = 120.0) -> dict[str, object]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        job: dict[str, object] = client.get(f"/jobs/{job_id}").raise_for_status().json()
        if job["state"] in {"done", "failed", "cancelled"}:
            return job
        time.sleep(0.1)
    raise RuntimeError(f"job {job_id} is not over after {seconds} s")


def parse_events(text: str) -> list[tuple[str, str, dict[str, object]]]:
    """(id, event, data) of a server-sent event stream; comments are left out."""
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            if name in {"id", "event", "data"}:
                fields[name] = fields.get(name, "") + value
        if "event" in fields:
            found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found
