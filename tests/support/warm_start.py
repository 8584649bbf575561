"""Start `python -m cli`, or another module, for a test: as it is, or forked from a process that has imported everything.

A start takes two to three processor seconds of imports, and a command often nothing else. The forked process is a process of its own with the
environment, the folder and the descriptors that it is given; only what happens before the module's `main` is left out. Tests of that start it cold.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Protocol

from tests.support.warm_parent import REPORT

ROOT = Path(__file__).resolve().parents[2]
SHARED = "VANTAGE_TEST_SHARED"
"""The environment variable that names the folder which all processes of a run of the tests share (`tests/conftest.py`)."""


class Process(Protocol):
    """What tests do with a started process; `subprocess.Popen` is one."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...
    def kill(self) -> None: ...


@dataclass(frozen=True)
class Command:
    """A module's `main` with these arguments, in this environment and folder; `output` takes what it prints, `errors` what it complains of."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    output: IO[bytes]
    errors: IO[bytes]
    new_session: bool = False
    module: str = "cli"


class WarmParent:
    """The process that forks."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", "tests.support.warm_parent", str(theirs.fileno())]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            with _default_interruption():
                self._process = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()])
        self._requests = ours

    def start(self, command: Command) -> WarmProcess:
        """Fork a process that runs the command."""
        request = {
            "module": command.module,
            "arguments": command.arguments,
            "environment": dict(command.environment),
            "folder": str(command.folder),
            "new_session": command.new_session,
        }
        ours, theirs = socket.socketpair()
        with theirs:
            descriptors = [command.output.fileno(), command.errors.fileno(), theirs.fileno()]
            socket.send_fds(self._requests, [json.dumps(request).encode()], descriptors)
        return WarmProcess(ours)

    def close(self) -> None:
        """End it, and whatever it started that still runs."""
        self._requests.close()
        self._process.wait()


class WarmProcess:
    """A process that the warm parent forked: the part of `subprocess.Popen` that tests use."""

    def __init__(self, reports: socket.socket) -> None:
        self._reports = reports
        self.pid = self._receive()
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit code; None while it runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit code once it has ended. Raises `subprocess.TimeoutExpired`."""
        if self.returncode is None:
            if not select.select([self._reports], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("vantage", timeout or 0.0)
            self.returncode = self._receive()
            self._reports.close()
        return self.returncode

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _receive(self) -> int:
        report = self._reports.recv(REPORT.size, socket.MSG_WAITALL)
        if len(report) < REPORT.size:
            self._reports.close()
            raise RuntimeError("the process that starts warm processes has ended")
        (number,) = REPORT.unpack(report)
        return int(number)


_chosen: list[Callable[[Command], Process]] = []


def use_warm_starts() -> None:
    """From now on `start_module` forks; the parent is started when it is first needed. Benchmarks, which measure starts, do not ask for it."""
    _chosen[:] = [lambda command: _warm_parent().start(command)]


def start_module(command: Command, *, cold: bool = False) -> Process:
    """Start it; `cold` with its imports, as a person does."""
    return _chosen[0](command) if _chosen and not cold else start_cold(command)


@dataclass(frozen=True)
class Reporting:
    """A started process with the lines that it prints."""

    process: Process
    output: IO[str]

    def finish(self) -> tuple[int, str]:
        """Return its exit code and what it still printed, once it has ended."""
        with self.output:
            printed = self.output.read()
        return self.process.wait(), printed


def start_reporting(module: str, *arguments: str) -> Reporting:
    """Start a module of this repository that prints what it does; what it complains of goes to our own standard error."""
    reading, writing = os.pipe()
    with open(writing, "wb") as output, open(2, "wb", closefd=False) as errors:  # noqa: PTH123  (descriptors)
        process = start_module(Command(arguments, {**os.environ, "PYTHONPATH": str(ROOT)}, ROOT, output, errors, module=module))
    return Reporting(process, open(reading, encoding="utf-8"))  # noqa: PTH123  (a descriptor, closed by `finish`)


def start_cold(command: Command) -> subprocess.Popen[bytes]:
    """Start `python -m`."""
    return subprocess.Popen(
        [sys.executable, "-m", command.module, *command.arguments],
        env=dict(command.environment),
        cwd=command.folder,
        stdout=command.output,
        stderr=command.errors,
        start_new_session=command.new_session,
    )


@cache
def _warm_parent() -> WarmParent:
    parent = WarmParent()
    atexit.register(parent.close)
    return parent


@contextlib.contextmanager
def _default_interruption() -> Iterator[None]:
    """Tests that run in the background ignore an interruption, and so would what they start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
