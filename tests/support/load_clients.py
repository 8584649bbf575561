"""Clients that put load on a server: streams of answers, sockets that never finish their request, and one that asks for /health meanwhile.

Used by `tests/e2e/test_load.py` and `benchmarks/load.py`. Everything ends by itself: each wait has a limit.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

FINAL_EVENT = b"event: done"


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> Address:
        parts = urlsplit(url)
        return cls(parts.hostname or "127.0.0.1", parts.port or 80)


def request_bytes(method: str, path: str, body: object = None, key: str = "", **headers: str) -> bytes:
    """A whole HTTP request; the connection is closed behind it."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Authorization: Bearer {key}"] if key else []
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"] if body is not None else []
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def status_of(reply: bytes) -> int:
    """0 where there is none."""
    return int(reply[9:12]) if reply.startswith(b"HTTP/1.1 ") else 0


def retry_after(reply: bytes) -> float | None:
    """The seconds of Retry-After; None where none stand there."""
    for line in reply.partition(b"\r\n\r\n")[0].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"retry-after":
            return float(value)
    return None


class HalfOpen:
    """Sockets that send a part of a request's head and nothing more."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._sockets: list[socket.socket] = []
        self._outcomes: dict[socket.socket, str] = {}

    def open(self, number: int) -> None:
        for _ in range(number):
            made = socket.create_connection((self._address.host, self._address.port), timeout=10)
            made.sendall(b"GET /documents HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            self._sockets.append(made)

    def outcomes(self) -> Counter[str]:
        """How many were "told" (503 or 408), "dropped" (closed without a word) and are still "held". Never waits."""
        for each in self._sockets:
            if self._outcomes.get(each, "held") == "held":
                self._outcomes[each] = _outcome(each)
        return Counter(self._outcomes.values())

    def close(self) -> None:
        for each in self._sockets:
            each.close()
        self._sockets.clear()
        self._outcomes.clear()


def _outcome(opened: socket.socket) -> str:
    opened.setblocking(False)
    try:
        return "told" if status_of(opened.recv(1 << 16)) in {408, 503} else "dropped"
    except BlockingIOError:
        return "held"
    except OSError:
        return "dropped"


@dataclass(slots=True)
class LoadOutcome:
    """What became of questions: how many had their answer, how many tries were told to wait and how many were still waiting at the end, what went
    otherwise."""

    served: int = 0
    told: Counter[int] = field(default_factory=Counter)
    dropped: int = 0
    waiting: int = 0
    hung: int = 0
    other: Counter[int] = field(default_factory=Counter)


async def exchange(address: Address, request: bytes, seconds: float) -> bytes:
    """All that comes back until the server closes. Raises TimeoutError, OSError."""
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection(address.host, address.port)
        try:
            writer.write(request)
            await writer.drain()
            return await reader.read(-1)
        finally:
            writer.close()


async def ask_all(address: Address, questions: Sequence[str], keys: Sequence[str], *, patience: float, seconds: float) -> LoadOutcome:
    """Ask them at the same time as streams, each with one of the keys in turn. Who is told to wait does so and tries again, until `patience` seconds
    are over; an answer that takes more than `seconds` has hung."""
    asked = LoadOutcome()
    jobs = [
        _ask(address, request_bytes("POST", "/search/stream", {"query": text}, keys[number % len(keys)] if keys else ""), asked, patience, seconds)
        for number, text in enumerate(questions)
    ]
    await asyncio.gather(*jobs)
    return asked


async def _ask(address: Address, request: bytes, asked: LoadOutcome, patience: float, seconds: float) -> None:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            reply = await exchange(address, request, seconds)
        except TimeoutError:
            asked.hung += 1
            return
        except OSError:
            reply = b""
        status, wait = status_of(reply), retry_after(reply)
        if status == 200 and FINAL_EVENT in reply:
            asked.served += 1
            return
        if status in {429, 503} and wait is not None:
            asked.told[status] += 1
        elif not reply:
            asked.dropped += 1
        else:
            asked.other[status] += 1
            return
        await asyncio.sleep(wait or 1.0)
    asked.waiting += 1


class HealthWatch:
    """Asks for /health every so often on a connection of its own, in a thread, so that the load's own work does not count."""

    def __init__(self, address: Address, key: str = "", every: float = 0.1) -> None:
        self._address, self._request, self._every = address, request_bytes("GET", "/health", key=key), every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.seconds: list[float] = []
        self.statuses: Counter[int] = Counter()

    def __enter__(self) -> HealthWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(timeout=30)

    def _run(self) -> None:
        while not self._over.wait(self._every):
            started = time.monotonic()
            self.statuses[self._status()] += 1
            self.seconds.append(time.monotonic() - started)

    def _status(self) -> int:
        try:
            with socket.create_connection((self._address.host, self._address.port), timeout=10) as made:
                made.sendall(self._request)
                return status_of(made.recv(1 << 16))
        except OSError:
            return 0
