"""Databases for the contract suites: SQLite always, PostgreSQL where one can be reached or started; and documents to put into them."""

from __future__ import annotations

import atexit
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, func, inspect, make_url, select, text
from sqlalchemy.exc import OperationalError

import storage
from core.documents import Block, BlockKind, Chunk, DocumentProfile, ExtractedDocument, Metadata, Page, PageUnit, Section, Table
from core.ports import FileStamp, NewDocument
from storage.database import Database, open_database
from storage.schema import metadata
from tests.support.empty_library import open_library

DIMENSION = 8


# ---------------------------------------------------------------------------------------------------------------- servers
@contextmanager
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL whose databases may be made and dropped: VANTAGE_TEST_POSTGRES, else one of our own in a temporary folder.

    Raises FileNotFoundError saying why when neither is there.
    """
    named = os.environ.get("VANTAGE_TEST_POSTGRES")
    if named:
        yield named
        return
    find_postgres()  # before anything is made
    folder = Path(tempfile.mkdtemp(prefix="vantage-pg-", dir="/tmp"))
    try:
        with _server(folder) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def find_postgres() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) if Path("/usr/lib/postgresql").exists() else []
    on_path = shutil.which("initdb")
    if not found and not on_path:
        raise FileNotFoundError("PostgreSQL is not installed (apt-get install postgresql) and VANTAGE_TEST_POSTGRES names none")
    return found[-1].parent if found else Path(on_path or "").resolve().parent


def as_own_user(folder: Path) -> list[str]:
    """PostgreSQL refuses to run as root: then it runs as its own user, or nobody. It dies with the tests, however they end."""
    dies = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
    if os.geteuid() != 0:
        return dies
    if not dies:
        raise FileNotFoundError("PostgreSQL does not run as root, and setpriv is missing (apt-get install util-linux)")
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]
    os.chown(folder, user.pw_uid, user.pw_gid)
    return [*dies, "--reuid", str(user.pw_uid), "--regid", str(user.pw_gid), "--clear-groups"]


class OwnPostgres:
    """A server of its own in a folder, which may be ended and started again on what it wrote."""

    def __init__(self, folder: Path) -> None:
        self._binaries, self._folder, self._user = find_postgres(), folder, as_own_user(folder)
        self.url = f"postgresql+psycopg://vantage@/postgres?host={folder}"
        self._running: subprocess.Popen[bytes] | None = None
        making = [str(self._binaries / "initdb"), "-D", str(folder / "data"), "-U", "vantage", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run([*self._user, *making, "--no-sync"], check=True, capture_output=True, cwd=folder)

    def start(self) -> None:
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self._folder}", "-c", "fsync=off", "-c", "shared_buffers=32MB"]
        serving = [*self._user, str(self._binaries / "postgres"), "-D", str(self._folder / "data"), *options]
        with (self._folder / "log").open("ab") as log:
            self._running = subprocess.Popen(serving, stdout=log, stderr=log, cwd=self._folder)
        wait_for_postgres(self.url, self._running, self._folder / "log")

    def stop(self) -> None:
        """End it, and whoever is connected loses the connection."""
        if self._running is not None:
            self._running.send_signal(signal.SIGINT)
            self._running.wait(timeout=30)


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    server = OwnPostgres(folder)
    try:
        server.start()
        yield server.url
    finally:
        server.stop()


def wait_for_postgres(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    engine = create_engine(url)
    for _ in range(150):
        if server.poll() is not None:
            raise FileNotFoundError(f"PostgreSQL did not start: {log.read_text(errors='replace')[-500:]}")
        try:
            with engine.connect():
                break
        except OperationalError:
            time.sleep(0.1)
    engine.dispose()


@contextmanager
def postgres_database(server: str) -> Iterator[str]:
    """A fresh, empty database on that server; dropped afterwards."""
    name = f"vantage_{uuid.uuid4().hex[:12]}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"))
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()


# ---------------------------------------------------------------------------------------------------------------- libraries
BACKENDS = (pytest.param("sqlite", id="sqlite"), pytest.param("postgres", id="postgres", marks=pytest.mark.integration))


@contextmanager
def open_backend(backend: str, home: Path) -> Iterator[Database]:
    """An empty library on that back end. Skips the test with the reason where PostgreSQL cannot be had."""
    if backend == "postgres":
        database = open_database(home, shared_postgres())
        database.write_sync(_empty_tables)
    else:
        database = open_library(home)
    try:
        yield database
    finally:
        database.close_sync()


def shared_postgres() -> str:
    """The URL of one database for all tests of this process, or a skip that says why there is none."""
    found = _shared_postgres()
    if not found.startswith("postgresql"):
        pytest.skip(found)
    return found


@cache
def _shared_postgres() -> str:
    stack = ExitStack()
    try:
        url = stack.enter_context(postgres_database(stack.enter_context(postgres_server())))
    except FileNotFoundError as error:
        return str(error)
    atexit.register(stack.close)
    return url


def _empty_tables(connection: Connection) -> None:
    """Every table that there is: those of modules that no test has imported are not in `metadata`, and refer to others."""
    tables = [name for name in inspect(connection).get_table_names() if name != "alembic_version"]
    connection.execute(text(f"TRUNCATE {', '.join(tables)} CASCADE"))


def migrate_schema(database: Database, revision: str) -> None:
    """Bring an open library to an earlier revision, or from there to the newest ("head")."""
    config = Config()
    config.set_main_option("script_location", str(Path(storage.__file__).parent / "migrations").replace("%", "%%"))

    def work(connection: Connection) -> None:
        config.attributes["connection"] = connection
        (command.upgrade if revision == "head" else command.downgrade)(config, revision)

    database.write_sync(work)


def row_counts(database: Database) -> dict[str, int]:
    """Table -> rows, over all tenants; what waits to be erased is apart (`storage.deletions`)."""
    counted = {name: table for name, table in metadata.tables.items() if not name.startswith("deleted_")}
    query = {name: select(func.count()).select_from(table) for name, table in counted.items()}
    return database.read_sync(lambda connection: {name: connection.execute(each).scalar_one() for name, each in query.items()})


# ---------------------------------------------------------------------------------------------------------------- documents
@dataclass(frozen=True)
class DocumentSample:
    """What differs between the documents of a test; `new_document` makes the rest."""

    path: str = "/docs/lease.txt"
    text: str = "The lease ends in May.\nNotice is three months."
    root: str = "/docs"
    collection: str = "default"
    title: str = "Lease"
    doc_type: str = "contract"
    language: str = "en"
    mtime_ns: int = 1_700_000_000_000_000_000
    modified_at: datetime | None = None
    warnings: tuple[str, ...] = ()
    settings_version: str = "s1"
    chunk_length: int = 20


def stamp(path: str, size: int = 40, mtime_ns: int = 1_700_000_000_000_000_000, inode: int = 7) -> FileStamp:
    return FileStamp(path, size, mtime_ns, inode)


def new_document(sample: DocumentSample | None = None) -> NewDocument:
    """A document whose chunks cover its text in pieces of `chunk_length`, with vectors that follow from the text."""
    sample = sample or DocumentSample()
    body = sample.text
    pieces = tuple(
        Chunk(number, start, min(start + sample.chunk_length, len(body)), 5, (sample.title, f"Part {number}"), 1, prefix=sample.title)
        for number, start in enumerate(range(0, len(body), sample.chunk_length))
    )
    return NewDocument(
        stamp=stamp(sample.path, len(body), sample.mtime_ns),
        root=sample.root,
        collection=sample.collection,
        content_hash=content_hash(body),
        file_type=Path(sample.path).suffix or ".txt",
        document=make_extracted(sample),
        profile=DocumentProfile(sample.title, "A summary.", "A longer summary.", ("lease", "notice"), ("law",), sample.language, sample.doc_type),
        chunks=pieces,
        vectors=vectors_of(body, len(pieces)),
        embedder="test-embedder",
        settings_version=sample.settings_version,
    )


def content_hash(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()


def vectors_of(body: str, rows: int) -> np.ndarray[tuple[int, int], np.dtype[np.float16]]:
    seed = int(content_hash(body)[:8], 16)
    return np.random.default_rng(seed).normal(size=(rows, DIMENSION)).astype(np.float16)


def make_extracted(sample: DocumentSample) -> ExtractedDocument:
    end = len(sample.text)
    return ExtractedDocument(
        text=sample.text,
        blocks=(Block(BlockKind.PARAGRAPH, 0, end, 1, 0, None), Block(BlockKind.TABLE, end, end, 1, 0, 0)),
        sections=(Section((sample.title,), 0, end, 1, 1),),
        tables=(Table(end, end, (("Item", "Price"), ("Rent", "900")), ((end, end), (end, end)), 1, 1, "Costs"),),
        pages=(Page(1, "1", 0, end),),
        page_unit=PageUnit.PAGE,
        metadata=Metadata("Lease", ("A. Writer",), datetime(2020, 1, 2, tzinfo=UTC), sample.modified_at, "en", {"producer": "a test"}),
        parser="text",
        warnings=sample.warnings,
    )
