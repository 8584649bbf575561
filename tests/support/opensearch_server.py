"""A real OpenSearch for the tests: VANTAGE_TEST_OPENSEARCH_URL, else the one beside the checkout, started once for all processes of a test run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from filelock import FileLock

from retrieval.opensearch.connection_options import OpenSearchOptions

START = Path(__file__).resolve().parents[3] / "shared" / "opensearch" / "bin" / "start"
_SECONDS = 300
# Ends the server and removes what it wrote when the run that wanted it is over, however that came about.
_WATCH = """data=$1 run=$2; shift 2
"$@" & server=$!
while kill -0 "$run" && kill -0 $server; do sleep 0.5; done 2>/dev/null
kill $server 2>/dev/null; wait $server; rm -rf "$data"
"""
_watchers: list[subprocess.Popen[bytes]] = []  # kept: they live longer than the test that asked first


class NoOpenSearchError(Exception):
    """There is no OpenSearch to test with; the message says why."""


def options_of(url: str, index_name: str) -> OpenSearchOptions:
    """Return the options that reach the server at `url`."""
    parts = urlsplit(url)
    return OpenSearchOptions(
        host=parts.hostname or "127.0.0.1",
        port=parts.port or 9200,
        index_name=index_name,
        use_ssl=parts.scheme == "https",
        username=parts.username or "",
        password=parts.password or "",
        verify_certificate=False,
    )


@cache
def shared_server() -> str:
    """Return the URL of the run's server. Raises NoOpenSearchError."""
    named = os.environ.get("VANTAGE_TEST_OPENSEARCH_URL")
    if named:
        return named
    run = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    folder = Path(tempfile.gettempdir()) / f"vantage-opensearch-{run}"
    folder.mkdir(exist_ok=True)
    note = folder / "url"
    with FileLock(folder / "lock"):
        if not note.exists():
            port, data = free_port(), folder / "data"
            watched = ["sh", "-c", _WATCH, "sh", str(folder), str(run), *start_command(port, data)]
            _watchers.append(subprocess.Popen(watched, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True))
            wait_until_ready(port)
            note.write_text(f"http://127.0.0.1:{port}")
    return note.read_text()


def request(reached: OpenSearchOptions, method: str, path: str, body: Any = None) -> Any:
    """Ask the server beside Vantage."""
    sent = urllib.request.Request(f"{reached.address}{path}", json.dumps(body).encode() if body is not None else None, method=method)
    sent.add_header("content-type", "application/json")
    with urllib.request.urlopen(sent, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


def empty_indices(reached: OpenSearchOptions) -> None:
    """Take everything out of the indices of this name, the traces in their statistics included."""
    pattern = f"/{reached.index_name}-*"
    if request(reached, "GET", f"{pattern}/_alias"):
        request(reached, "POST", f"{pattern}/_refresh")
        request(reached, "POST", f"{pattern}/_delete_by_query?refresh=true&conflicts=proceed", {"query": {"match_all": {}}})
        request(reached, "POST", f"{pattern}/_forcemerge?max_num_segments=1")


def start_command(port: int, data: Path, *, is_measured: bool = False, **settings: str) -> list[str]:
    """Return the command that starts a server in `data`, with settings of its own (`__` for a dot); one that is measured as it comes, with the heap
    that it has by default. Raises NoOpenSearchError."""
    if not START.is_file():
        raise NoOpenSearchError("there is no ../shared/opensearch and VANTAGE_TEST_OPENSEARCH_URL names none")
    if shutil.which("java") is None:
        raise NoOpenSearchError("Java is not installed (apt-get install openjdk-17-jre-headless) and VANTAGE_TEST_OPENSEARCH_URL names none")
    chosen = [word for name, value in settings.items() for word in ("--setting", f"{name.replace('__', '.')}={value}")]
    # What runs for a minute or two is not worth compiling with much thought: half the processor seconds of a start.
    begun = ["env"] if is_measured else ["env", "JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1"]
    return [*begun, "bash", str(START), "--port", str(port), "--data", str(data), "--heap", "1g" if is_measured else "512m", *chosen]


def wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_cluster/health?wait_for_status=yellow&timeout=5s", timeout=10):
                return
        except (OSError, urllib.error.URLError):
            time.sleep(0.2)
    raise NoOpenSearchError(f"OpenSearch was not ready after {_SECONDS} seconds")


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


@dataclass
class OwnServer:
    """A server of one test, which may be killed and started again on what it wrote."""

    data: Path
    port: int = field(default_factory=free_port)
    settings: dict[str, str] = field(default_factory=dict)
    is_measured: bool = False
    _running: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def start(self) -> None:
        self.begin_start()
        wait_until_ready(self.port)

    def begin_start(self) -> None:
        """Start it and do not wait: a node of a cluster is ready when others are there."""
        command = start_command(self.port, self.data, is_measured=self.is_measured, **self.settings)
        self._running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def pid(self) -> int:
        assert self._running is not None
        return self._running.pid

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Have it end by itself, with all written."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._running is not None:
            self._running.send_signal(how)
            self._running.wait(timeout=60)
            self._running = None


@contextmanager
def own_server() -> Iterator[OwnServer]:
    """A server of its own. Raises NoOpenSearchError."""
    folder = Path(tempfile.mkdtemp(prefix="vantage-opensearch-"))
    server = OwnServer(folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)
