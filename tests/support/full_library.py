"""A library with rows in every table, made from the columns: what is hard to move is in each, and a new table is filled without anybody's doing."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Float, ForeignKeyConstraint, Integer, LargeBinary, Table, text

from storage.database import Database
from storage.schema import Instant, JsonText, metadata

ROWS = 3
# Nothing of it may change on the way: quotes, COPY's own signs, combining and right-to-left letters, what JSON writes otherwise, an odd path.
ODD_TEXT = "a\tb\\N\\.\r\n\"quoted\" 'O''Hara' e\u0301 \u05e9\u05dc\u05d5\u05dd \U0001f989 \u2028 \ufffd \x01\x7f \U0010ffff00d800"
ODD_JSON = '{"b": [1.0, 1e400, "\\u00e9\\n"],  "a":null}'  # written as no version of ours writes it
ODD_BYTES = bytes(range(256)) + b"\\x00\\N\n"
ODD_FLOAT = 0.1 + 0.2
ODD_NUMBER = (1 << 53) + 1


def fill_every_table(database: Database) -> None:
    database.write_sync(_fill)


def _fill(connection: Connection) -> None:
    for table in metadata.sorted_tables:
        for number in range(ROWS):
            row = {column.name: _value(table, column, number) for column in table.columns}
            names = ", ".join(f'"{name}"' for name in row)
            values = ", ".join(f":v{place}" for place in range(len(row)))
            statement = text(f"INSERT OR REPLACE INTO {table.name} ({names}) VALUES ({values})")
            connection.execute(statement, {f"v{place}": value for place, value in enumerate(row.values())})


def _value(table: Table, column: Column[Any], number: int) -> object:
    """A value for this column: a key counts, and so does what refers to one; the last row has nothing where that is allowed."""
    if column.nullable and number == ROWS - 1:
        return None
    key = column.primary_key or _is_in_foreign_key(table, column)
    match column.type:
        case LargeBinary():
            return ODD_BYTES * (number * 400)
        case Float():
            return ODD_FLOAT * number
        case Instant() | BigInteger():
            return number if key else ODD_NUMBER + number
        case Integer():
            return number
        case JsonText():
            return ODD_JSON
        case _:
            return f"id {number}" if key else ODD_TEXT * number


def _is_in_foreign_key(table: Table, column: Column[Any]) -> bool:
    return any(column.name in key.column_keys for key in table.constraints if isinstance(key, ForeignKeyConstraint))
