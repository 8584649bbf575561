"""A real server in its own process, over a home of its own, for the end-to-end tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 90.0


def make_environment(home: Path, **settings: str) -> dict[str, str]:
    """The environment of a Vantage with its own home, no model, and whatever settings are named. Each home is used a few times: compiled networks,
    100 MB, are not kept in it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VANTAGE_") or name == "VANTAGE_DATA"}
    own = {"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_EMBEDDING__KEEP_COMPILED": "false", "PYTHONPATH": str(ROOT)}
    return {**kept, **own, **settings}


def run_vantage(home: Path, *arguments: str, timeout: float = 120.0, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    command = [sys.executable, "-m", "cli", *arguments]
    return subprocess.run(
        command, env=make_environment(home, **settings), cwd=home.parent, capture_output=True, text=True, timeout=timeout, check=False
    )


@dataclass
class ServedVantage:
    """A running server. `log` holds what it printed; `open_files` is the most that the system allows it, 0 what it allows this process."""

    home: Path
    settings: dict[str, str] = field(default_factory=dict)
    url: str = ""
    process: subprocess.Popen[bytes] | None = None
    log: IO[bytes] | None = None
    open_files: int = 0

    def start(self, *arguments: str) -> ServedVantage:
        self.home.mkdir(parents=True, exist_ok=True)
        self.log = (self.home.parent / f"{self.home.name}.log").open("ab")
        command = [sys.executable, "-m", "cli", "serve", "--port", "0", *arguments]
        if self.open_files:
            command = ["sh", "-c", f'ulimit -n {self.open_files}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(
            command,
            env=make_environment(self.home, **self.settings),
            cwd=self.home.parent,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            self.url = self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def _wait(self) -> str:
        deadline = time.monotonic() + START_SECONDS
        file = self.home / "server.json"
        while time.monotonic() < deadline:
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}: {self.read_log()}")
            if file.is_file():
                url = str(json.loads(file.read_text())["url"])
                try:
                    if httpx.get(f"{url}/health", timeout=5.0, trust_env=False).is_success or self.settings:
                        return url
                except httpx.HTTPError:
                    pass  # bound but not serving yet: the loop tries again until the deadline
            time.sleep(0.05)
        raise RuntimeError(f"no server within {START_SECONDS} s: {self.read_log()}")

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

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60.0, trust_env=False)


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
