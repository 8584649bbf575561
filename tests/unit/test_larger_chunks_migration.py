"""A library that holds larger chunks loses them when it is opened, and none of its files is read again for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, select, text, update

from storage.database import Database
from storage.schema import documents, files
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, migrate_schema, new_document, open_backend
from tests.support.indexing_bench import Bench, bench, file_counts, write_file

__all__ = ["bench"]


def rename_versions(database: Database, version: str) -> None:
    def work(connection: Connection) -> None:
        for table in (documents, files):
            connection.execute(update(table).values(settings_version=version))

    database.write_sync(work)


def stored_versions(database: Database) -> set[str]:
    queries = [select(table.c.settings_version) for table in (documents, files)]
    return {version for query in queries for version in database.read_sync(lambda connection, query=query: connection.execute(query).scalars().all())}  # type: ignore[misc]


@pytest.mark.parametrize("sizes", ["256+512+1024+2048 0,0.1", "256 0,0", "256+300 0,0.25"])
async def test_no_file_of_an_older_library_is_read_again(bench: Bench, sizes: str) -> None:
    write_file(bench.docs / "rules.txt", "# Harbour rules\n\nBoats leave by six.")
    await bench.run()
    version = bench.indexer().version
    migrate_schema(bench.database, "0017")
    rename_versions(bench.database, version.replace("/256 0/", f"/{sizes}/"))
    assert stored_versions(bench.database) != {version}
    migrate_schema(bench.database, "head")
    assert file_counts((await bench.run()).progress) == {"unchanged": 1}
    assert bench.reader.read == []


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("models/one/512+1024+2048 0.1,0.1/5", "models/one/512 0.1/5"),
        ("m/256+512+1024+2048 0,0.1/5/eye+reader", "m/256 0/5/eye+reader"),
        ("m/256/4", "m/256/4"),
        ("", ""),
    ],
)
async def test_versions_lose_the_sizes_of_larger_chunks(backend: str, tmp_path: Path, old: str, new: str) -> None:
    with open_backend(backend, tmp_path) as database:
        written = await SqlLibraryWriter(database).write_document("default", new_document())
        before = await SqlLibrary(database).chunks("default", written.chunk_ids)
        migrate_schema(database, "0017")
        database.write_sync(lambda connection: _insert_level(connection, written.document_id))
        rename_versions(database, old)
        migrate_schema(database, "head")
        assert stored_versions(database) == {new}
        assert await SqlLibrary(database).chunks("default", written.chunk_ids) == before
        assert not database.read_sync(lambda connection: inspect(connection).has_table("chunk_levels"))


def _insert_level(connection: Connection, document_id: str) -> None:
    row = {"document": document_id, "spans": bytes(32)}
    connection.execute(text("INSERT INTO chunk_levels (document_id, level, tenant, rows, spans) VALUES (:document, 1, 'default', 1, :spans)"), row)
