"""A library's rows from SQLite into PostgreSQL, in one transaction: the other database holds all of them, compared one by one, or none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from sqlalchemy import Connection, LargeBinary, Table, func, inspect, select, text
from sqlalchemy.exc import DBAPIError

from core.errors import ConfigurationError, Conflict, Unavailable
from storage.database import Database, find_damage
from storage.schema import counters, meta, metadata

Progress: TypeAlias = Callable[[str, int, int], None]  # what is done, rows so far, rows in all
RawRow: TypeAlias = "tuple[Any, ...]"
RowStream: TypeAlias = "Generator[RawRow, None, None]"

_ROWS, _LARGE_ROWS = 500, 10  # that are read at once; where a row has bytes it may have megabytes of them
_NOT_OURS = {"alembic_version"}
_MADE_BY_A_START = (meta, counters)  # a Vantage that was started over an empty database has written these
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'vantage' AND pid <> pg_backend_pid()"
)


@dataclass(slots=True)
class TableDigest:
    """How many rows, and the sum of their hashes: the same in whatever order they are read."""

    rows: int = 0
    total: int = 0

    def add(self, row: RawRow) -> None:
        self.rows += 1
        self.total = (self.total + int.from_bytes(_hash_row(row), "big")) % (1 << 256)


@dataclass(frozen=True, slots=True)
class Transfer:
    """What was moved: the digest of each table. `already_there`: nothing was, because the other database held the same."""

    tables: dict[str, TableDigest] = field(default_factory=dict)
    already_there: bool = False

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())


@dataclass(slots=True)
class _RowProgress:
    report: Progress
    doing: str
    total: int
    done: int = 0

    def add(self) -> None:
        self.done += 1
        if self.done % _LARGE_ROWS == 0 or self.done == self.total:
            self.report(self.doing, self.done, self.total)


def count_rows(source: Database) -> dict[str, int]:
    """Return table -> rows of a library that can be moved. Raises Unavailable (it is damaged), ConfigurationError (an unknown table). Blocks."""
    return source.read_sync(_count_checked)


def transfer_library(source: Database, target: Database, report: Progress) -> Transfer:
    """Copy every row and compare both databases; whatever ends it before the end leaves nothing in `target`. Blocks.

    The caller holds the library's lock. Raises Conflict where `target` holds another library or is in use, Unavailable where the copies differ.
    """
    counts = count_rows(source)
    return source.read_sync(lambda reading: target.write_sync(lambda writing: _transfer(reading, writing, counts, report)))


def check_target(target: Database, counts: dict[str, int]) -> bool:
    """Check that a library with `counts` may be copied there; return whether one with as many rows is there already. Raises as `transfer_library`."""
    return target.read_sync(lambda connection: _check_target(connection, counts))


def _count_checked(connection: Connection) -> dict[str, int]:
    if damage := find_damage(connection):
        raise Unavailable(f"The library is damaged and is not moved: {damage[0]} `vantage doctor` says more; put it back from a copy first.")
    if unknown := set(inspect(connection).get_table_names()) - set(metadata.tables) - _NOT_OURS:
        raise ConfigurationError(f"The library holds a table that this Vantage does not know: {min(unknown)}. Nothing was moved.")
    return _count(connection)


def _count(connection: Connection) -> dict[str, int]:
    return {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in metadata.sorted_tables}


def _check_target(connection: Connection, counts: dict[str, int]) -> bool:
    if connection.execute(text("SHOW server_encoding")).scalar_one() != "UTF8":
        raise ConfigurationError("The PostgreSQL database is not in UTF-8. Make another: CREATE DATABASE vantage ENCODING 'UTF8' TEMPLATE template0.")
    if connection.execute(_OTHERS).scalar_one():
        raise Conflict("Another Vantage has the PostgreSQL database open. Stop it, then run the command again.")
    present = _count(connection)
    if not any(rows for name, rows in present.items() if name not in {table.name for table in _MADE_BY_A_START}):
        return False
    if present == counts:
        return True
    raise Conflict(
        f"The PostgreSQL database holds a library already ({present['documents']:,} documents), and two are never mixed. "
        "Name an empty database, or drop and make this one again."
    )


def _transfer(reading: Connection, writing: Connection, counts: dict[str, int], report: Progress) -> Transfer:
    there = _check_target(writing, counts)
    total = sum(counts.values())
    if there:
        copied = _digest_tables(reading, _RowProgress(report, "rows read", total))
    else:
        for table in _MADE_BY_A_START:
            writing.execute(table.delete())
        copied = _copy_tables(reading, writing, _RowProgress(report, "rows copied", total))
    different = _differing(copied, _digest_tables(writing, _RowProgress(report, "rows compared", total)))
    if different and there:
        raise Conflict(f"The PostgreSQL database holds a library of the same size whose {different} differ. Name an empty database.")
    if different:
        raise Unavailable(f"What PostgreSQL gives back of {different} is not what was written. Nothing was kept there; the library is as it was.")
    if not there:
        _finish_tables(writing)
    return Transfer(copied, already_there=there)


def _differing(one: dict[str, TableDigest], other: dict[str, TableDigest]) -> str:
    return ", ".join(name for name in one if one[name] != other[name])


def _copy_tables(reading: Connection, writing: Connection, progress: _RowProgress) -> dict[str, TableDigest]:
    digests = {table.name: TableDigest() for table in metadata.sorted_tables}
    for table in metadata.sorted_tables:  # what refers to another table stands behind it
        _copy_rows(writing, table, _counted(_read_rows(reading, table), digests[table.name], progress))
    return digests


def _digest_tables(connection: Connection, progress: _RowProgress) -> dict[str, TableDigest]:
    digests = {table.name: TableDigest() for table in metadata.sorted_tables}
    for table in metadata.sorted_tables:
        for _ in _counted(_read_rows(connection, table), digests[table.name], progress):
            pass
    return digests


def _counted(rows: RowStream, digest: TableDigest, progress: _RowProgress) -> RowStream:
    with closing(rows):
        for row in rows:
            digest.add(row)
            progress.add()
            yield row


def _read_rows(connection: Connection, table: Table) -> RowStream:
    """Yield rows as the database holds them: no column type reads them, so that nothing is written another way than it was."""
    query = f"SELECT {_columns(connection, table)} FROM {_quote(connection, table.name)}"  # noqa: S608 # names of our own
    at_once = _LARGE_ROWS if any(isinstance(column.type, LargeBinary) for column in table.columns) else _ROWS
    with connection.exec_driver_sql(query, execution_options={"stream_results": True, "yield_per": at_once}) as rows:
        for row in rows:
            yield tuple(row)


def _copy_rows(connection: Connection, table: Table, rows: RowStream) -> None:
    driver = cast(Any, connection.connection.driver_connection)  # psycopg's own connection: SQLAlchemy knows no COPY
    command = f"COPY {_quote(connection, table.name)} ({_columns(connection, table)}) FROM STDIN"
    library = cast(Any, connection.dialect.loaded_dbapi)
    try:
        with closing(rows), driver.cursor() as cursor, cursor.copy(command) as copy:
            for row in rows:
                copy.write_row(row)
    except library.Error as error:
        raise DBAPIError(f"COPY {table.name}", None, error) from error


def _finish_tables(connection: Connection) -> None:
    """Let numbers that PostgreSQL gives begin after the largest, and tell its planner what the tables hold."""
    for table in metadata.sorted_tables:
        for column in table.primary_key.columns:
            place = {"table": table.name, "column": column.name}
            sequence = connection.execute(text("SELECT pg_get_serial_sequence(:table, :column)"), place).scalar_one()
            if sequence is not None:
                largest = connection.execute(select(func.coalesce(func.max(column), 0))).scalar_one()
                connection.execute(text("SELECT setval(:sequence, :next, false)"), {"sequence": sequence, "next": largest + 1})
    connection.execute(text("ANALYZE"))


def _columns(connection: Connection, table: Table) -> str:
    return ", ".join(_quote(connection, column.name) for column in table.columns)


def _quote(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote(name)


def _hash_row(row: RawRow) -> bytes:
    """Hash a row so that no two differ and hash alike: each value with its type and its length."""
    digest = hashlib.sha256()
    for value in row:
        content = value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else repr(value).encode()
        digest.update(f"{type(value).__name__}:{len(content)}:".encode())
        digest.update(content)
    return digest.digest()
