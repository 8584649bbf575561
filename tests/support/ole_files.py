"""OLE compound files (MS-CFB) and workbooks of Excel 97, made on the spot for tests of the readers of old formats."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Union

from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher

Tree = Mapping[str, Union[bytes, "Tree"]]
_FREE, _END, _FAT, _DIFAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC
_CUTOFF = 4096


class _Writer:
    def __init__(self) -> None:
        self.sectors: list[bytes] = []
        self.table: list[int] = []
        self.mini = b""
        self.mini_table: list[int] = []
        self.entries: list[bytes] = []

    def chain(self, content: bytes) -> int:
        if not content:
            return _END
        first, count = len(self.sectors), -(-len(content) // 512)
        self.sectors += [content[512 * n : 512 * n + 512].ljust(512, b"\0") for n in range(count)]
        self.table += [*range(first + 1, first + count), _END]
        return first

    def mini_chain(self, content: bytes) -> int:
        if not content:
            return _END
        first, count = len(self.mini_table), -(-len(content) // 64)
        self.mini += content.ljust(64 * count, b"\0")
        self.mini_table += [*range(first + 1, first + count), _END]
        return first

    def entry(self, name: str, kind: int, *, right: int = _FREE, child: int = _FREE, start: int = _END, size: int = 0) -> bytes:
        written = name.encode("utf-16-le")
        head = written.ljust(64, b"\0") + struct.pack("<HBB3I", len(written) + 2, kind, 1, _FREE, right, child)
        return head + b"\0" * 36 + struct.pack("<IQ", start, size)

    def children(self, tree: Tree) -> int:
        """Write the entries of a storage; the index of its first child. Siblings stand in one line to the right, shortest name first."""
        names = sorted(tree, key=lambda name: (len(name), name.upper()))
        indexes = list(range(len(self.entries), len(self.entries) + len(names)))
        self.entries += [b""] * len(names)
        for index, name in zip(indexes, names, strict=True):
            right = index + 1 if index < indexes[-1] else _FREE
            content = tree[name]
            if isinstance(content, bytes):
                start = self.chain(content) if len(content) >= _CUTOFF else self.mini_chain(content)
                self.entries[index] = self.entry(name, 2, right=right, start=start, size=len(content))
            else:
                self.entries[index] = self.entry(name, 1, right=right, child=self.children(content))
        return indexes[0] if indexes else _FREE


def compound_bytes(tree: Tree) -> bytes:
    """A compound file with these streams; an inner mapping is a storage."""
    writer = _Writer()
    writer.entries.append(b"")
    first = writer.children(tree)
    writer.entries[0] = writer.entry("Root Entry", 5, child=first, start=writer.chain(writer.mini), size=len(writer.mini))
    directory = writer.chain(b"".join(writer.entries).ljust(-(-len(writer.entries) // 4) * 512, b"\0"))
    mini_table = writer.chain(struct.pack(f"<{len(writer.mini_table)}I", *writer.mini_table)) if writer.mini_table else _END
    mini_sectors = -(-len(writer.mini_table) // 128)
    count, listing = 1, 0
    while count * 128 < len(writer.table) + count + listing:
        count += 1
        listing = max(0, -(-(count - 109) // 127))
    fat_at = len(writer.sectors)
    table = [*writer.table, *[_FAT] * count, *[_DIFAT] * listing]
    table += [_FREE] * (count * 128 - len(table))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + struct.pack("<5H", 0x3E, 3, 0xFFFE, 9, 6) + b"\0" * 10
    header += struct.pack("<7I", count, directory, 0, _CUTOFF, mini_table, mini_sectors, fat_at + count if listing else _END) + struct.pack(
        "<I", listing
    )
    numbers = [*range(fat_at, fat_at + count), *[_FREE] * (109 + 127 * listing - count)]
    header += struct.pack("<109I", *numbers[:109])
    listed = b""
    for number in range(listing):
        following = fat_at + count + number + 1 if number + 1 < listing else _END
        listed += struct.pack("<128I", *numbers[109 + 127 * number :][:127], following)
    return header + b"".join(writer.sectors) + struct.pack(f"<{len(table)}I", *table) + listed


def rc4_stream(keys: Callable[[int], bytes], data: bytes, block_size: int) -> bytes:
    """A stream under RC4, each block with the key of its number."""
    blocks = (data[at : at + block_size] for at in range(0, len(data), block_size))
    return b"".join(Cipher(ARC4(keys(number)), None).decryptor().update(block) for number, block in enumerate(blocks))


# -- Excel 97 ----------------------------------------------------------------------------------------------------------------------------


def record(kind: int, body: bytes = b"") -> bytes:
    """A record of MS-XLS."""
    return struct.pack("<HH", kind, len(body)) + body


def _short(text: str) -> bytes:
    return struct.pack("<BB", len(text), 1) + text.encode("utf-16-le")


def _cell(row: int, column: int, value: str | float, styles: Mapping[tuple[int, int], int]) -> bytes:
    place = struct.pack("<HHH", row, column, styles.get((row, column), 0))
    if isinstance(value, str):
        return record(0x0204, place + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le"))
    return record(0x0203, place + struct.pack("<d", value))


def workbook_stream(
    sheets: Mapping[str, Sequence[Sequence[str | float]]],
    *,
    hidden: Sequence[str] = (),
    formats: Sequence[str] = (),
    styles: Mapping[tuple[int, int], int] | None = None,
    merged: Sequence[tuple[int, int, int, int]] = (),
) -> bytes:
    """The Workbook stream: rows by sheet; style 0 is General, 1 and on are `formats`; `merged` are (top, bottom, left, right) of every sheet."""
    begin = record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 0))
    body = b"".join(record(0x041E, struct.pack("<HHB", 164 + n, len(text), 1) + text.encode("utf-16-le")) for n, text in enumerate(formats))
    for identifier in (0, *range(164, 164 + len(formats))):
        body += record(0x00E0, struct.pack("<HH", 0, identifier) + b"\0" * 16)
    parts = []
    for rows in sheets.values():
        cells = b"".join(_cell(r, c, value, styles or {}) for r, row in enumerate(rows) for c, value in enumerate(row) if value != "")
        areas = b"".join(struct.pack("<4H", *area) for area in merged)
        cells += record(0x00E5, struct.pack("<H", len(merged)) + areas) if merged else b""
        parts.append(record(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 0, 0, 0)) + cells + record(0x000A))
    size = len(begin) + len(body) + sum(4 + 6 + len(_short(name)) for name in sheets) + 4
    listed = b""
    for name, part in zip(sheets, parts, strict=True):
        listed += record(0x0085, struct.pack("<IBB", size, int(name in hidden), 0) + _short(name))
        size += len(part)
    return begin + body + listed + record(0x000A) + b"".join(parts)
