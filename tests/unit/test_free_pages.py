"""Deleted text leaves the disk, and the room that it took goes back, while the library is open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from storage.database import Database, open_database
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.indexing_bench import Bench, bench, write_file

__all__ = ["bench"]

PHRASE = "Zyxquorn granite walrus"


def held(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


def pragma(home: Path, name: str) -> int:
    connection = sqlite3.connect(home / "library.db")
    try:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
    finally:
        connection.close()


async def test_nothing_of_a_removed_document_can_be_read_in_the_open_library(bench: Bench) -> None:
    """Its summary stands there uncompressed."""
    write_file(bench.docs / "keep.txt", "Stays.")
    secret = write_file(bench.docs / "secret.txt", f"{PHRASE}.\n\n" + "More of it. " * 50)
    await bench.run()
    assert PHRASE.encode() in held(bench.home)
    secret.unlink()
    await bench.run()
    assert PHRASE.encode() not in held(bench.home)
    assert (bench.home / "library.db-wal").stat().st_size < 50_000


async def test_a_reader_at_work_only_puts_it_off(bench: Bench) -> None:
    write_file(bench.docs / "keep.txt", "Stays.")
    secret = write_file(bench.docs / "secret.txt", f"{PHRASE}.")
    await bench.run()
    reader = sqlite3.connect(bench.home / "library.db", isolation_level=None)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM documents").fetchone() == (2,)
    secret.unlink()
    await bench.run()
    assert reader.execute("SELECT count(*) FROM documents").fetchone() == (2,)
    reader.execute("COMMIT")
    reader.close()
    await SqlLibraryWriter(bench.database).reclaim_space()
    assert PHRASE.encode() not in held(bench.home)


def filled(database: Database, rows: int) -> None:
    database.write_sync(lambda connection: connection.execute(text("CREATE TABLE filling (id INTEGER PRIMARY KEY, data BLOB)")))
    database.write_sync(
        lambda connection: connection.execute(text("INSERT INTO filling (data) VALUES (zeroblob(3500))"), [{}] * rows) if rows else None
    )


@pytest.mark.parametrize("older", [False, True])
async def test_free_pages_go_back_to_the_disk(tmp_path: Path, older: bool) -> None:
    """Also in a library that an older version made."""
    if older:
        connection = sqlite3.connect(tmp_path / "library.db")
        connection.execute("PRAGMA auto_vacuum=NONE")
        connection.execute("CREATE TABLE first (id INTEGER)")
        connection.execute("DROP TABLE first")
        connection.commit()
        connection.close()
    database = open_database(tmp_path)
    assert pragma(tmp_path, "auto_vacuum") == (0 if older else 2)
    filled(database, 6000)
    await database.reclaim_space()
    full = (tmp_path / "library.db").stat().st_size
    assert full > 6000 * 3500
    database.write_sync(lambda connection: connection.execute(text("DELETE FROM filling WHERE id % 10 > 0")))
    await database.reclaim_space()
    assert (tmp_path / "library.db").stat().st_size < full / 4
    assert pragma(tmp_path, "auto_vacuum") == 2
    assert await database.check_integrity() == []
    assert database.read_sync(lambda connection: connection.execute(text("SELECT count(*) FROM filling")).scalar_one()) == 600
    await database.close()
