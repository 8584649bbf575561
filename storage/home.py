"""VANTAGE_HOME: the one folder that holds all that Vantage stores, who owns it, and where its server is."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from core.errors import ConfigurationError, Conflict
from storage.disk import disk_error, folder_bytes
from storage.file_permissions import restrict_home

# Seconds. The start time is computed from the boot time, which moves a little when the clock is set; an id is not reused that soon.
_SAME_START = 5.0


@dataclass(frozen=True, slots=True)
class Home:
    """The folder's layout. A person can copy, move or delete the whole; `index` and `tokens` can be made again from `library`."""

    path: Path

    @property
    def library(self) -> Path:
        return self.path / "library.db"

    @property
    def index(self) -> Path:
        """The search index's folder."""
        return self.path / "index"

    @property
    def tokens(self) -> Path:
        """Token vectors for late interaction."""
        return self.path / "tokens.db"

    @property
    def next_tokens(self) -> Path:
        """Those of an embedding model that is filled beside the one in use, until the first start after it has taken over."""
        return self.path / "tokens-next.db"

    @property
    def later_tokens(self) -> Path:
        """The same for another model that follows before that start."""
        return self.path / "tokens-later.db"

    @property
    def trees(self) -> Path:
        """Trees of summaries, which can be made again."""
        return self.path / "trees"

    @property
    def uploads(self) -> Path:
        return self.path / "uploads"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def compiled_networks(self) -> Path:
        """Networks as the runtime compiled them; made again where they are missing."""
        return self.path / "compiled"

    @property
    def tokens_lock(self) -> Path:
        """The lock of the one server that keeps token vectors here, where several share the library."""
        return self.path / "tokens.lock"

    @property
    def server_file(self) -> Path:
        return self.path / "server.json"

    @property
    def lock_file(self) -> Path:
        return self.path / "library.lock"

    def create(self) -> None:
        """Make the folder and its sub-folders, for this person's eyes only (0700, as is what stands there already), and see that it can be written.

        Raises ConfigurationError (not a folder, no permission), StorageFull, Unavailable.
        """
        try:
            for folder in (self.path, self.index, self.uploads, self.logs):
                folder.mkdir(mode=0o700, parents=folder == self.path, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path) as probe:
                probe.write(b"\0" * 4096)
                probe.flush()
            restrict_home(self.path)
        except (FileExistsError, NotADirectoryError) as error:
            raise ConfigurationError(
                f"{error.filename or self.path} is a file, and Vantage needs a folder there. Move it, or set VANTAGE_HOME."
            ) from error
        except OSError as error:
            raise disk_error(error, str(self.path)) from error

    def bytes_on_disk(self) -> int:
        """Return bytes of what is kept in the folder: all but the compiled networks, which no document takes and which are made again at any time."""
        return folder_bytes(self.path) - folder_bytes(self.compiled_networks)


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """The process that serves the library: `process_started` (seconds since 1970) tells it from a later one with the same id. `token` is the secret
    by which the commands of this person are known to it. `command` is what it runs: "serve", or "index", "watch" and the like, which serve other
    commands for as long as they run."""

    pid: int
    url: str
    started_at: datetime
    version: str
    process_started: float
    token: str = ""
    command: str = "serve"


class ServerFile:
    """VANTAGE_HOME/server.json: how commands find the running server."""

    def __init__(self, home: Home) -> None:
        self._path = home.server_file

    def write(self, url: str, version: str, started_at: datetime, token: str = "", *, command: str = "serve") -> None:
        """Say that this process serves the library at `url`. Readers see the old file or the new one, never half of one."""
        process = psutil.Process()
        served = ServerRecord(process.pid, url, started_at, version, process.create_time(), token, command)
        record = {**asdict(served), "started_at": started_at.isoformat()}
        try:
            write_atomically(self._path, json.dumps(record))
        except OSError as error:
            raise disk_error(error, str(self._path)) from error

    def read(self) -> ServerRecord | None:
        """Return the running server; None when there is none, its process is gone, or the file is not one that `write` made."""
        try:
            stored = json.loads(self._path.read_text(encoding="utf-8"))
            record = ServerRecord(
                pid=int(stored["pid"]),
                url=str(stored["url"]),
                started_at=datetime.fromisoformat(stored["started_at"]),
                version=str(stored["version"]),
                process_started=float(stored["process_started"]),
                token=str(stored.get("token", "")),
                command=str(stored.get("command", "serve")),
            )
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError):
            return None
        except OSError as error:
            raise disk_error(error, str(self._path)) from error
        return record if is_running(record.pid, record.process_started) else None

    def remove(self) -> None:
        """Take the file away if it is this process's; another server's stays."""
        record = self.read()
        if record is None or record.pid == os.getpid():
            self._path.unlink(missing_ok=True)


class SharedLibraryLock:
    """The right to write a library that lies in PostgreSQL beside others of its servers, on this host and elsewhere: nobody has it to himself as long
    as one of them runs here. It ends with the process."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._file: int | None = None

    def __enter__(self) -> SharedLibraryLock:
        """Take the lock at once or raise Conflict: a process has the library to itself."""
        import fcntl  # there is none on Windows

        try:
            self._file = os.open(self._home.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.__exit__()
            raise Conflict(
                f"A process has the library in {self._home.path} to itself. Stop it, or start all with `workers.queue: postgres`."
            ) from error
        except OSError as error:
            self.__exit__()
            raise disk_error(error, str(self._home.path)) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


class LibraryLock:
    """The right to write the library: one process has it. It ends with the process, however that ends, and with this object: keep it."""

    def __init__(self, home: Home) -> None:
        self._lock = FileLock(home.lock_file, timeout=0, mode=0o600)
        self._owner = home.path / "library.owner"
        self._home = home.path

    def acquire(self) -> None:
        """Take the lock at once or raise Conflict, naming the process that holds it."""
        try:
            self._lock.acquire()
        except Timeout as error:
            raise Conflict(self._conflict_message()) from error
        except NotImplementedError as error:
            raise ConfigurationError(f"The file system of {self._home} cannot lock files. Set VANTAGE_HOME to a folder on a local disk.") from error
        except OSError as error:
            raise disk_error(error, str(self._home)) from error
        try:
            write_atomically(self._owner, str(os.getpid()))
        except OSError as error:
            self._lock.release()
            raise disk_error(error, str(self._owner)) from error

    def release(self) -> None:
        if self._lock.is_locked:
            self._owner.unlink(missing_ok=True)
            self._lock.release()

    @property
    def is_held(self) -> bool:
        return self._lock.is_locked

    def __enter__(self) -> LibraryLock:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def _conflict_message(self) -> str:
        try:
            owner = f"process {int(self._owner.read_text(encoding='ascii'))}"
        except (OSError, ValueError):
            owner = "another process"
        return f"The library in {self._home} is in use by {owner}. Wait until it has ended, or stop it."


def library_owner(home: Home) -> int | None:
    """Return the id of another process that says it holds the library's lock, and lives; None where none does. The lock alone decides: after a crash
    a process that was given the same id later may be taken for the owner.
    """
    try:
        owner = int((home.path / "library.owner").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return owner if owner != os.getpid() and psutil.pid_exists(owner) else None


def is_running(pid: int, process_started: float) -> bool:
    """Return whether the process `pid` lives and is the one that started then."""
    try:
        return abs(psutil.Process(pid).create_time() - process_started) < _SAME_START
    except (psutil.Error, ValueError, OverflowError):
        return False


def write_atomically(path: Path, text: str) -> None:
    """Replace the file at once; only this person may read it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
