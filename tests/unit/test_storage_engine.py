"""Opening a library: migrations, settings of the connection, and what a person reads when it goes wrong."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.types import TypeDecorator, TypeEngine

import storage
from core.errors import ConfigurationError, StorageFull, Unavailable
from core.ports import WriteResult
from core.search import Filters
from storage.database import Database, open_database
from storage.migrations import HEAD
from storage.schema import metadata
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_backend("sqlite", tmp_path) as found:
        yield found


def elsewhere(statement: str) -> subprocess.Popen[bytes]:
    """A process of its own that runs the statement."""
    root = Path(storage.__file__).parent.parent
    program = f"import pathlib, sys; from storage.database import open_database; {statement}"
    return subprocess.Popen([sys.executable, "-c", program], cwd=root, env={**os.environ, "PYTHONPATH": str(root)})


def pragma(database: Database, name: str) -> object:
    return database.read_sync(lambda connection: connection.execute(text(f"PRAGMA {name}")).scalar_one())


def types_differ(context: MigrationContext, _found: object, _column: object, found: TypeEngine[Any], declared: TypeEngine[Any]) -> bool:
    """By kind and collation: Alembic's own comparison takes "C" and pg_catalog."C" for two collations."""
    wanted = declared.dialect_impl(context.dialect)
    wanted = wanted.impl_instance if isinstance(wanted, TypeDecorator) else wanted
    kinds = found._type_affinity is wanted._type_affinity
    return not kinds or getattr(found, "collation", None) != getattr(wanted, "collation", None)


# ---------------------------------------------------------------------------------------------------------------- schema
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_migrations_make_exactly_the_schema(backend: str, tmp_path: Path) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection, opts={"compare_type": types_differ}), metadata))

    with open_backend(backend, tmp_path) as database:
        assert database.read_sync(differences) == []


def test_the_newest_revision_is_the_one_that_needs_no_migration() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(storage.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_opening_an_up_to_date_library_imports_no_alembic(tmp_path: Path) -> None:
    open_database(tmp_path).close_sync()
    with elsewhere(f"open_database(pathlib.Path({str(tmp_path)!r})).close_sync(); sys.exit('alembic' in sys.modules)") as process:
        assert process.wait(60) == 0


def test_a_library_opens_from_any_folder_even_with_odd_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "100% of José's ?x=1#files"
    home.mkdir()
    monkeypatch.chdir(tmp_path)
    open_database(home).close_sync()
    assert (home / "library.db").is_file()


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_processes_may_open_a_new_library_at_once(backend: str, tmp_path: Path) -> None:
    if backend == "postgres":
        with open_backend(backend, tmp_path) as database:
            url = database._engine.url.render_as_string(hide_password=False)
    else:
        url = ""
    opening = f"open_database(pathlib.Path({str(tmp_path)!r}), {url!r}).close_sync()"
    with elsewhere(opening) as first, elsewhere(opening) as second:
        assert (first.wait(60), second.wait(60)) == (0, 0)


def test_a_library_of_a_newer_version_says_what_to_do(tmp_path: Path) -> None:
    open_database(tmp_path).close_sync()
    with sqlite3.connect(tmp_path / "library.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0999'")
    connection.close()
    with pytest.raises(ConfigurationError, match=r"newer Vantage \(schema 0999.*Install"):
        open_database(tmp_path)


def test_tables_of_another_program_are_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.db") as connection:
        connection.execute("CREATE TABLE documents (id INTEGER)")
    connection.close()
    with pytest.raises(ConfigurationError, match="another program"):
        open_database(tmp_path)


# ---------------------------------------------------------------------------------------------------------------- connections
def test_sqlite_is_set_up_for_one_writer_and_many_readers(database: Database) -> None:
    assert pragma(database, "journal_mode") == "wal"
    assert pragma(database, "foreign_keys") == 1
    assert pragma(database, "synchronous") == 1
    assert pragma(database, "secure_delete") == 1
    assert pragma(database, "busy_timeout") == 10_000


async def test_a_reader_does_not_wait_for_the_writer_and_sees_one_state(database: Database) -> None:
    def writing(connection: Connection) -> tuple[int, int]:
        connection.execute(text("INSERT INTO meta VALUES ('a', '1')"))
        during = database.read_sync(lambda other: int(other.execute(text("SELECT count(*) FROM meta")).scalar_one()))
        return during, int(connection.execute(text("SELECT count(*) FROM meta")).scalar_one())

    assert await database.write(writing) == (0, 1)


async def test_an_error_inside_a_write_leaves_nothing(database: Database) -> None:
    def failing(connection: Connection) -> None:
        connection.execute(text("INSERT INTO meta VALUES ('a', '1')"))
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        await database.write(failing)
    assert await database.read(lambda connection: connection.execute(text("SELECT count(*) FROM meta")).scalar_one()) == 0


async def test_a_write_whose_task_is_cancelled_is_whole_and_blocks_nobody(database: Database) -> None:
    begun, finish = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        connection.execute(text("INSERT INTO meta VALUES ('a', '1')"))
        begun.set()
        finish.wait(10)
        connection.execute(text("INSERT INTO meta VALUES ('b', '1')"))

    task = asyncio.create_task(database.write(slow))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    other = asyncio.create_task(database.write(lambda connection: connection.execute(text("INSERT INTO meta VALUES ('c', '1')")).rowcount))
    await asyncio.sleep(0)
    finish.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await other == 1
    names = await database.read(lambda connection: connection.execute(text("SELECT name FROM meta ORDER BY name")).scalars().all())
    assert names == ["a", "b", "c"]


async def test_many_writers_and_readers_at_once(database: Database) -> None:
    writer, library = SqlLibraryWriter(database), SqlLibrary(database)
    documents = [new_document(DocumentSample(f"/docs/{number}.txt", f"Text {number}. " * 9)) for number in range(40)]

    async def read() -> int:
        return len((await library.list_documents("default", filters=Filters(), limit=100))[0])

    done = await asyncio.gather(*(writer.write_document("default", document) for document in documents), *(read() for _ in range(40)))
    assert len({written.document_id for written in done[:40] if isinstance(written, WriteResult)}) == 40
    assert await read() == 40


async def test_the_integrity_check_is_empty_for_a_sound_library(database: Database) -> None:
    await SqlLibraryWriter(database).write_document("default", new_document())
    assert await database.check_integrity() == []


# ---------------------------------------------------------------------------------------------------------------- what goes wrong
async def test_a_full_disk_is_a_sentence_and_harms_nothing(database: Database, tmp_path: Path) -> None:
    writer = SqlLibraryWriter(database)
    await writer.write_document("default", new_document())
    pages = int(str(pragma(database, "page_count")))
    incompressible = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(200_000))

    def limited(connection: Connection) -> None:
        connection.execute(text(f"PRAGMA max_page_count={pages + 2}"))

    for _ in range(8):  # a limit of the connection: set it on each that the pool may give
        database.read_sync(limited)
    with pytest.raises(StorageFull, match="No space left"):
        await writer.write_document("default", new_document(DocumentSample("/docs/big.txt", incompressible, chunk_length=1000)))
    assert list(await writer.known_files("default", "/docs")) == ["/docs/lease.txt"]
    assert await database.check_integrity() == []


def test_a_file_that_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"This is a text of mine, and by no means a database.\n" * 100)
    with pytest.raises(ConfigurationError, match="not a Vantage library"):
        open_database(tmp_path)


async def test_a_damaged_library_says_so(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    for number in range(30):
        await SqlLibraryWriter(database).write_document("default", new_document(DocumentSample(f"/docs/{number}.txt", f"{number} text " * 400)))
    await database.close()
    path = tmp_path / "library.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xff" * (len(whole) - 8192))
    with pytest.raises(Unavailable, match="damaged"):
        open_database(tmp_path)


async def test_a_library_that_another_process_keeps_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 0.05)
    database = open_database(tmp_path)
    blocker = sqlite3.connect(tmp_path / "library.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(Unavailable, match="busy"):
            await SqlLibraryWriter(database).add_root("default", "/docs", "default")
    finally:
        blocker.close()
        await database.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://localhost/x", "names mysql"),
        ("not a url", "not a database URL"),
        ("sqlite://", "names sqlite"),
        ("oracle+cx://scott:tiger@h/d", "names oracle"),
    ],
)
def test_a_url_that_cannot_be_used(url: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=words) as caught:
        open_database(tmp_path, url)
    assert "tiger" not in str(caught.value)


def test_a_postgresql_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="does not answer") as caught:
        open_database(tmp_path, "postgresql://ada:secret@127.0.0.1:9/vantage")
    assert "secret" not in str(caught.value)


def test_a_home_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be opened"):
        open_database(tmp_path / "missing")
