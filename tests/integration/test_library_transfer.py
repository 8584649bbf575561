"""A SQLite library moves into a real PostgreSQL: every table, byte for byte, and all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from core.errors import Conflict, Unavailable
from storage.database import Database, open_database
from storage.library_transfer import Transfer, count_rows, transfer_library
from storage.schema import metadata
from tests.support.databases import postgres_database, row_counts, shared_postgres
from tests.support.empty_library import open_library
from tests.support.full_library import ODD_BYTES, ODD_FLOAT, ODD_JSON, ODD_NUMBER, ODD_TEXT, ROWS, fill_every_table

pytestmark = pytest.mark.integration


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Database]:
    database = open_library(tmp_path)
    fill_every_table(database)
    yield database
    database.close_sync()


@pytest.fixture
def url() -> Iterator[str]:
    """A database that no Vantage has opened yet."""
    with postgres_database(shared_postgres()) as made:
        yield made


@pytest.fixture
def target(tmp_path: Path, url: str) -> Iterator[Database]:
    database = open_database(tmp_path, url)
    yield database
    database.close_sync()


def move(source: Database, target: Database) -> Transfer:
    return transfer_library(source, target, lambda *_: None)


def test_every_table_of_the_file_is_moved(source: Database, target: Database) -> None:
    """Counted in the file itself: a table that a migration makes and nobody declares would be missed."""
    tables = set(source.read_sync(lambda connection: inspect(connection).get_table_names())) - {"alembic_version"}
    done = move(source, target)
    assert set(done.tables) == tables
    assert set(count_rows(source).values()) == {ROWS} == {table.rows for table in done.tables.values()}
    assert set(target.read_sync(count_all).values()) == {ROWS}


def count_all(connection: Connection) -> dict[str, int]:
    return {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in metadata.tables}


def test_what_is_hard_to_write_arrives_as_it_was(source: Database, target: Database) -> None:
    move(source, target)

    def read(connection: Connection) -> tuple[object, ...]:
        return tuple(
            connection.execute(text(query)).scalar_one()
            for query in (
                "SELECT path FROM files WHERE id = 1",
                "SELECT keywords FROM documents WHERE id = 'id 1'",
                "SELECT vectors FROM vectors WHERE document_id = 'id 1'",
                "SELECT mtime_ns FROM files WHERE id = 1",
                "SELECT duration_ms FROM traces WHERE id = 'id 1'",
            )
        )

    assert target.read_sync(read) == source.read_sync(read) == (ODD_TEXT, ODD_JSON, ODD_BYTES * 400, ODD_NUMBER + 1, ODD_FLOAT)


def test_ids_go_on_behind_the_largest(source: Database, target: Database) -> None:
    move(source, target)
    columns = "tenant, path, root, container, size, mtime_ns, inode, state, reason, code, parser, content_hash, attempts, seen_at, settings_version"
    new = f"INSERT INTO files ({columns}) VALUES ('t', '/new', '/', '', 1, 1, '', '', '', '', '', '', 0, 0, '') RETURNING id"
    assert target.write_sync(lambda connection: connection.execute(text(new)).scalar_one()) == ROWS


@pytest.mark.parametrize("doing", ["rows copied", "rows compared"])
def test_interrupted_it_leaves_nothing_and_can_be_run_again(source: Database, target: Database, doing: str) -> None:
    def interrupt(step: str, done: int, total: int) -> None:
        if step == doing and done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        transfer_library(source, target, interrupt)
    assert not any(row_counts(target).values())
    assert not move(source, target).already_there


def test_run_twice_it_finds_the_same_and_another_library_is_never_mixed_in(source: Database, target: Database, tmp_path: Path) -> None:
    first, again = move(source, target), move(source, target)
    assert again.already_there
    assert again.tables == first.tables
    source.write_sync(lambda connection: connection.execute(text("UPDATE notes SET content = 'other words' WHERE id = 'id 1'")))
    with pytest.raises(Conflict, match="whose notes differ"):
        move(source, target)
    source.write_sync(lambda connection: connection.execute(text("DELETE FROM notes WHERE id = 'id 1'")))
    with pytest.raises(Conflict, match=r"holds a library already \(3 documents\)"):
        move(source, target)
    assert set(target.read_sync(count_all).values()) == {ROWS}


def test_what_a_start_wrote_into_an_empty_database_is_replaced(source: Database, target: Database) -> None:
    target.write_sync(lambda connection: connection.execute(text("INSERT INTO meta VALUES ('embedder', 'of a start'), ('id 1', 'x')")))
    move(source, target)
    assert target.read_sync(count_all)["meta"] == ROWS


def test_a_vantage_that_has_the_database_open_is_in_the_way(source: Database, target: Database, tmp_path: Path, url: str) -> None:
    other = open_database(tmp_path, url)
    try:
        with pytest.raises(Conflict, match="Another Vantage has the PostgreSQL database open"):
            move(source, target)
    finally:
        other.close_sync()


def test_what_postgresql_refuses_leaves_nothing_and_is_said(source: Database, target: Database) -> None:
    """SQLite keeps any number in any column; PostgreSQL does not."""
    source.write_sync(lambda connection: connection.execute(text("UPDATE documents SET pages = 9999999999 WHERE id = 'id 1'")))
    with pytest.raises(Unavailable, match=r"9999999999.*out of range"):
        move(source, target)
    assert not any(row_counts(target).values())


def test_a_copy_that_differs_is_taken_back(source: Database, target: Database) -> None:
    trigger = """
    CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.content := trim(NEW.content) || '.'; RETURN NEW; END $$;
    CREATE TRIGGER lose BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION lose();
    """
    target.write_sync(lambda connection: connection.exec_driver_sql(trigger))
    with pytest.raises(Unavailable, match="gives back of notes is not what was written"):
        move(source, target)
    assert not any(row_counts(target).values())
