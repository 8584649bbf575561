"""A real Redis of our own for the contract of session memory: no port, a socket in a temporary folder, nothing kept on disk."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def redis_server() -> Iterator[str]:
    """The URL of a Redis: VANTAGE_TEST_REDIS, else one that is started here. Raises FileNotFoundError saying why where neither is there."""
    named = os.environ.get("VANTAGE_TEST_REDIS")
    if named:
        yield named
        return
    binary = shutil.which("redis-server")
    if binary is None:
        raise FileNotFoundError("Redis is not installed (apt-get install redis-server) and VANTAGE_TEST_REDIS names none")
    folder = Path(tempfile.mkdtemp(prefix="vantage-redis-", dir="/tmp"))
    dies = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    options = ["--port", "0", "--unixsocket", str(folder / "socket"), "--save", "", "--appendonly", "no", "--dir", str(folder)]
    try:
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([*dies, binary, *options], stdout=log, stderr=log, cwd=folder)
        try:
            wait_for_redis(folder / "socket", server, folder / "log")
            yield f"unix://{folder / 'socket'}"
        finally:
            server.terminate()
            server.wait(timeout=30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_redis(place: Path, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(150):
        if server.poll() is not None:
            break
        with socket.socket(socket.AF_UNIX) as door:
            if door.connect_ex(str(place)) == 0:
                return
        time.sleep(0.1)
    raise FileNotFoundError(f"Redis did not start: {log.read_text(errors='replace')[-500:]}")
