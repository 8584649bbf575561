"""A PostgreSQL and a Redis of one test, each of which may be killed and started again on what it wrote. Both die with the tests."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.databases import as_own_user, find_postgres, wait_for_postgres
from tests.support.redis_server import wait_for_redis


@dataclass
class OwnStore:
    """A server over a folder. Call `start` in the thread that outlives it."""

    folder: Path
    command: list[str]
    url: str
    _running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = self.folder / "log"
        with log.open("ab") as written:
            self._running = subprocess.Popen(self.command, stdout=written, stderr=written, cwd=self.folder)
        if self.url.startswith("postgresql"):
            wait_for_postgres(self.url, self._running, log)
        else:
            wait_for_redis(self.folder / "socket", self._running, log)

    def kill(self) -> None:
        """End it without a word to its clients. PostgreSQL's processes are several: it is told to leave all at once, as in a power cut."""
        if self._running is not None:
            self._running.send_signal(signal.SIGQUIT if self.url.startswith("postgresql") else signal.SIGKILL)
            self._running.wait(timeout=30)
            self._running = None


@contextmanager
def own_postgres() -> Iterator[OwnStore]:
    """Raises FileNotFoundError saying why where there is none."""
    binaries = find_postgres()
    with _folder("pg") as folder:
        user, data = as_own_user(folder), folder / "data"
        making = [*user, str(binaries / "initdb"), "-D", str(data), "-U", "vantage", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run(making, check=True, capture_output=True, cwd=folder)
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off", "-c", "shared_buffers=32MB"]
        store = OwnStore(
            folder, [*user, str(binaries / "postgres"), "-D", str(data), *options], f"postgresql+psycopg://vantage@/postgres?host={folder}"
        )
        try:
            store.start()
            yield store
        finally:
            store.kill()


@contextmanager
def own_redis() -> Iterator[OwnStore]:
    """One that writes down what it is given. Raises FileNotFoundError saying why where there is none."""
    binary = shutil.which("redis-server")
    if binary is None:
        raise FileNotFoundError("Redis is not installed (apt-get install redis-server)")
    dies = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    with _folder("redis") as folder:
        options = ["--port", "0", "--unixsocket", str(folder / "socket"), "--save", "", "--appendonly", "yes", "--dir", str(folder)]
        store = OwnStore(folder, [*dies, binary, *options], f"unix://{folder / 'socket'}")
        try:
            store.start()
            yield store
        finally:
            store.kill()


@contextmanager
def _folder(name: str) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=f"vantage-own-{name}-", dir="/tmp"))
    folder.chmod(0o755)  # PostgreSQL runs under another account where root starts it
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
