"""Opening the library's database, and the one way to read and write it."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import anyio.to_thread
from anyio import CapacityLimiter
from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

import storage.community_tables
import storage.deletion_tables
import storage.document_tables
import storage.graph_tables
import storage.insight_tables
import storage.memory_tables
import storage.ontology_tables
import storage.pending_vector_tables
import storage.place_tables
import storage.reference_tables
import storage.session_tables
import storage.shared_run_tables
import storage.watch_tables  # noqa: F401 # their tables join the metadata
from core.errors import ConfigurationError
from storage.database_errors import repeat_undone, translate_errors
from storage.emptied_library import check_not_emptied
from storage.file_permissions import restrict_to_owner
from storage.home import Home
from storage.migrations import HEAD
from storage.vacuum import reclaim_step

Result = TypeVar("Result")

READERS = 6
BUSY_SECONDS = 10
# Any number that nothing else in this PostgreSQL database uses for an advisory lock: "Vantage" in ASCII.
WRITER_LOCK = 0x56616E74616765
_SIZE = text("SELECT pg_database_size(current_database())")
_PRAGMAS = (
    # In WAL mode a commit is handed to the operating system before it returns, so it survives kill -9 of this process; NORMAL leaves out the
    # fsync per commit, so that only a power cut may take the last transactions (never the consistency). FULL would cost one fsync per commit.
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA cache_size=-8000",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA journal_size_limit=67108864",
    # A deleted document leaves no text behind in the file's free pages.
    "PRAGMA secure_delete=ON",
)


class Database:
    """An open library. `read` and `write` run a function with a connection in a thread: readers several at a time, one writer.

    Both raise Unavailable, StorageFull or ConfigurationError with a sentence for a person (`storage/database_errors.py`).
    """

    def __init__(self, engine: Engine, home: Path, place: str) -> None:
        self._engine = engine
        self._home = home
        self._place = place
        self._readers = CapacityLimiter(READERS)
        self._writers = CapacityLimiter(1)
        # The limiter counts waiting tasks of one event loop; the lock also holds when a task was cancelled while its thread still writes.
        self._write_lock = threading.Lock()

    @property
    def location(self) -> str:
        """The library's file, or its URL without the password."""
        return self._place

    @property
    def dialect(self) -> str:
        return self._engine.dialect.name

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Read with `work`, which sees one unchanging state of the library, however many queries it makes."""
        return await anyio.to_thread.run_sync(self.read_sync, work, limiter=self._readers)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Write with `work`, which happens wholly or not at all. Once this returns, the change survives the death of the process. PostgreSQL may undo
        it for the sake of another's: then `work` is called again."""
        return await anyio.to_thread.run_sync(self.write_sync, work, limiter=self._writers)

    async def write_apart(self, work: Callable[[Connection], Result]) -> Result:
        """Write as `write` does, without taking turns with the other writers: for rows that only who locks them changes. SQLite has one writer."""
        if self.dialect == "sqlite":
            return await self.write(work)
        return await anyio.to_thread.run_sync(self._write_apart, work, limiter=self._readers)

    def _write_apart(self, work: Callable[[Connection], Result]) -> Result:
        def transaction() -> Result:
            with self._engine.begin() as connection:
                return work(connection)

        with translate_errors(self._place, self._home):
            return repeat_undone(transaction)

    def read_sync(self, work: Callable[[Connection], Result]) -> Result:
        """Read as `read`, for a caller that is in a thread already."""
        with translate_errors(self._place, self._home), self._engine.connect() as connection:
            if self.dialect == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                return work(connection)

    def write_sync(self, work: Callable[[Connection], Result]) -> Result:
        """Write as `write`, for a caller that is in a thread already."""

        def transaction() -> Result:
            with self._engine.connect() as connection:
                connection.execution_options(vantage_writes=True)
                with connection.begin():
                    if self.dialect == "postgresql":
                        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITER_LOCK})
                    return work(connection)

        with self._write_lock, translate_errors(self._place, self._home):
            return repeat_undone(transaction)

    async def reclaim_space(self) -> None:
        """Reclaim space after something was deleted: empty the log, in which it can still be read (in the file it is overwritten, `secure_delete`),
        and give free pages back to the disk where they are more than a quarter of the file, a few at a time. PostgreSQL sees to this by itself.

        A reader keeps the log from being emptied for as long as it reads; the next call does it then.
        """
        while self.dialect == "sqlite" and await anyio.to_thread.run_sync(self._reclaim_step, limiter=self._writers):
            pass

    def _reclaim_step(self) -> bool:
        """Return whether there is more to give back."""
        with self._write_lock, translate_errors(self._place, self._home):
            pooled = self._engine.raw_connection()
            try:
                return reclaim_step(cast(sqlite3.Connection, pooled.dbapi_connection))
            finally:
                pooled.close()

    async def check_integrity(self) -> list[str]:
        """Return the findings of the database's own check, for `doctor`: sentences, empty when all is well."""
        return await self.read(find_damage)

    async def bytes_on_disk(self) -> int:
        """Return bytes of what is kept under VANTAGE_HOME, the index counted; with PostgreSQL also the database's own size."""
        own = await self.read(lambda connection: int(connection.execute(_SIZE).scalar_one())) if self.dialect == "postgresql" else 0
        return own + await anyio.to_thread.run_sync(Home(self._home).bytes_on_disk, limiter=self._readers)

    async def close(self) -> None:
        await anyio.to_thread.run_sync(self.close_sync, limiter=self._writers)

    def close_sync(self) -> None:
        with self._write_lock:
            self._engine.dispose()


def open_database(home: Path, url: str = "") -> Database:
    """Open the library, making it or bringing its schema up to date first. Blocks; a library that is up to date takes milliseconds.

    `url` empty: `home`/library.db. Raises ConfigurationError (a bad URL, not a library, an emptied one, written by a newer Vantage, no permission),
    StorageFull, Unavailable.
    """
    target = _database_url(home, url)
    if target.get_backend_name() == "sqlite":
        check_not_emptied(Path(str(target.database)), home)
        restrict_to_owner(Path(f"{target.database}{end}") for end in ("", "-wal", "-shm"))  # SQLite makes the two like the first
    database = Database(
        _sqlite_engine(target) if target.get_backend_name() == "sqlite" else _postgres_engine(target), home, _display_location(target)
    )
    try:
        _upgrade_schema(database)
    except BaseException:
        database.close_sync()
        raise
    return database


def open_current_database(home: Path, url: str = "") -> Database | None:
    """Return the library as it stands, for a command that only reads and holds no lock; None where there is none, or where its schema has to be made
    or changed first, which is the owner's to do. Blocks. Raises as `open_database` does.
    """
    target = _database_url(home, url)
    sqlite_file = target.get_backend_name() == "sqlite"
    if sqlite_file and not Path(target.database or "").is_file():
        return None
    database = Database(_sqlite_engine(target) if sqlite_file else _postgres_engine(target), home, _display_location(target))
    try:
        if database.read_sync(_schema_revision) == HEAD:
            return database
    except BaseException:
        database.close_sync()
        raise
    database.close_sync()
    return None


def _display_location(target: URL) -> str:
    return target.database or "memory" if target.get_backend_name() == "sqlite" else _without_secrets(target).render_as_string(hide_password=True)


def _without_secrets(target: URL) -> URL:
    """Return the URL without the secrets that its options may hold; its own password is hidden where it is written."""
    return target.difference_update_query([name for name in target.query if "password" in name])


def connection_arguments(url: str) -> dict[str, Any]:
    """Return how psycopg is to connect to the PostgreSQL database of a URL. Raises ConfigurationError for anything else."""
    target = _database_url(Path(), url)
    if target.get_backend_name() != "postgresql":
        raise ConfigurationError(f"`storage.url` names {target.drivername}, and workers need PostgreSQL: postgresql+psycopg://user@host/database.")
    _, named = target.get_dialect()().create_connect_args(target)
    return {"connect_timeout": BUSY_SECONDS, "application_name": "vantage", **named}


def url_without_password(url: str) -> str:
    """Return a PostgreSQL URL as it may be shown and written into a file. Raises ConfigurationError for anything else."""
    target = _database_url(Path(), url)
    if target.get_backend_name() != "postgresql":
        raise ConfigurationError("The library moves to PostgreSQL: name it as postgresql+psycopg://user@host/database.")
    return _without_secrets(target)._replace(password=None).render_as_string()


def _database_url(home: Path, url: str) -> URL:
    if not url:
        return URL.create("sqlite", database=str(home / "library.db"))
    try:
        target = make_url(url)
    except ArgumentError as error:
        raise ConfigurationError("`storage.url` is not a database URL. Write it as postgresql+psycopg://user@host/database.") from error
    match target.drivername:
        case "sqlite" if target.database and target.database != ":memory:":
            return target
        case "postgresql" | "postgres" | "postgresql+psycopg":
            return target.set(drivername="postgresql+psycopg")
        case other:
            raise ConfigurationError(f"`storage.url` names {other}; Vantage stores in PostgreSQL (postgresql+psycopg://…) or a file (sqlite:///…).")


def _sqlite_engine(target: URL) -> Engine:
    engine = create_engine(target, connect_args={"timeout": BUSY_SECONDS}, pool_size=READERS + 1, max_overflow=2)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # BEGIN is ours: Python's own begins too late and never IMMEDIATE
        if connection.execute("PRAGMA page_count").fetchone()[0] == 0:  # of a file with anything in it this would wait for its writer
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        _use_wal(connection)
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer that began as a reader cannot become one when somebody else wrote meanwhile: take the lock at once.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("vantage_writes") else "BEGIN")

    return engine


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode, in which readers never wait for the writer, and a crash leaves whole transactions. Switching to it does not heed the busy
    timeout: two processes that open a new library at once must wait by themselves.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _postgres_engine(target: URL) -> Engine:
    try:
        return create_engine(
            target,
            pool_size=READERS + 1,
            max_overflow=2,
            pool_pre_ping=True,
            connect_args={"connect_timeout": BUSY_SECONDS, "application_name": "vantage"},
        )
    except ModuleNotFoundError as error:
        raise ConfigurationError("`storage.url` names PostgreSQL, whose driver is not installed: pip install 'vantage[postgres]'.") from error


def _upgrade_schema(database: Database) -> None:
    if database.read_sync(_schema_revision) == HEAD:
        return
    database.write_sync(_migrate)


def _schema_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    current = _schema_revision(connection)
    if current is None and inspect(connection).has_table("documents"):
        raise ConfigurationError("The database holds tables of another program. Give Vantage a database of its own in `storage.url`.")
    if current is not None and current not in {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}:
        raise ConfigurationError(
            f"This library was written by a newer Vantage (schema {current}, this one knows up to {HEAD}). "
            "Install that version or a newer one, or set VANTAGE_HOME to another folder."
        )
    command.upgrade(config, "head")


def find_damage(connection: Connection) -> list[str]:
    """Return the findings of SQLite's own checks as sentences, empty when all is well, and for another database."""
    if connection.dialect.name != "sqlite":
        return []
    found = [str(row[0]) for row in connection.execute(text("PRAGMA quick_check(20)"))]
    broken = connection.execute(text("PRAGMA foreign_key_check")).fetchall()
    return [line for line in found if line != "ok"] + [f"A row of {row[0]} belongs to nothing." for row in broken[:20]]
