"""Everything that a home holds, read as bytes: files as they lie there, and every value of every table, unpacked."""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path


def find_leftovers(home: Path, words: str) -> list[str]:
    """Where `words` are found, in any case and with anything but letters between them: the file, or the table and its column, and what is around."""
    wanted = re.compile(rb"[\W_]+".join(re.escape(word.encode()) for word in words.casefold().split()))
    return [f"{place}: {around!r}" for place, data in _stored_bytes(home) if (around := _around(wanted, _fold(data)))]


def _around(wanted: re.Pattern[bytes], data: bytes) -> bytes:
    """What is found, with what stands before and behind it. In the pattern itself, that would be tried again from each byte."""
    found = wanted.search(data)
    return data[max(0, found.start() - 80) : found.end() + 40] if found else b""


def _fold(data: bytes) -> bytes:
    return data.replace(b"\\n", b" ").lower()


def _stored_bytes(home: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(home.rglob("*")):
        yield f"the name of {path}", str(path.relative_to(home)).encode()
        if path.is_file():
            yield str(path.relative_to(home)), path.read_bytes()
        if path.suffix == ".db":
            yield from _rows(path)


def _rows(path: Path) -> Iterator[tuple[str, bytes]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            cursor = connection.execute(f'SELECT * FROM "{table}"')
            columns = [each[0] for each in cursor.description]
            for row in cursor:
                for column, value in zip(columns, row, strict=True):
                    if isinstance(value, str | bytes):
                        yield f"{path.name}: {table}.{column}", _unpack(value.encode() if isinstance(value, str) else value)


def _unpack(value: bytes) -> bytes:
    with suppress(zlib.error):
        return zlib.decompress(value)
    return value
