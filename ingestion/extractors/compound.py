"""Streams of OLE compound files (MS-CFB): the container of encrypted Office files."""

from __future__ import annotations

import struct

from core.errors import Malformed

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_END = 0xFFFFFFFA  # this and above: no sector
_ENTRY = 128


class CompoundFile:
    """The streams of a compound file by name.

    Raises:
        Malformed: its tables point outside the file or in circles.
    """

    def __init__(self, data: bytes) -> None:
        if len(data) < 512 or not data.startswith(SIGNATURE):
            raise Malformed("The OLE container of this file is damaged.")
        self._data = data
        shift, mini_shift = struct.unpack_from("<HH", data, 30)
        if shift not in (9, 12) or mini_shift != 6:
            raise Malformed("The OLE container of this file is damaged.")
        self._size, self._mini_size = 1 << shift, 1 << mini_shift
        first_directory, _, self._cutoff, first_mini = struct.unpack_from("<IIII", data, 48)
        self._table = self._allocation_table()
        self._entries = self._directory(self._chain(first_directory))
        self._mini_table = _numbers(self._chain(first_mini)) if first_mini < _END else []
        root = next((entry for entry in self._entries.values() if entry[2] == 5), None)
        self._mini_stream = self._chain(root[0])[: root[1]] if root and root[0] < _END else b""

    def stream(self, name: str) -> bytes:
        """The bytes of a stream; b"" if there is none of that name."""
        start, size, _ = self._entries.get(name, (_END, 0, 0))
        if start >= _END:
            return b""
        if size >= self._cutoff:
            return self._chain(start)[:size]
        return b"".join(self._mini_stream[n * self._mini_size :][: self._mini_size] for n in _follow(self._mini_table, start))[:size]

    def _sector(self, number: int) -> bytes:
        begin = (number + 1) * self._size
        if begin >= len(self._data):
            raise Malformed("The OLE container of this file is cut off.")
        return self._data[begin : begin + self._size]

    def _chain(self, start: int) -> bytes:
        return b"".join(map(self._sector, _follow(self._table, start)))

    def _allocation_table(self) -> list[int]:
        sectors = list(struct.unpack_from("<109I", self._data, 76))
        following, count = struct.unpack_from("<II", self._data, 68)
        for _ in range(min(count, len(self._data) // self._size)):
            if following >= _END:
                break
            *more, following = _numbers(self._sector(following))
            sectors += more
        return [entry for number in sectors if number < _END for entry in _numbers(self._sector(number))]

    def _directory(self, content: bytes) -> dict[str, tuple[int, int, int]]:
        """(first sector, size, type) by name."""
        entries = {}
        for begin in range(0, len(content) - _ENTRY + 1, _ENTRY):
            length, kind = struct.unpack_from("<HB", content, begin + 64)
            name = content[begin : begin + max(0, min(length, 64) - 2)].decode("utf-16-le", errors="replace")
            start, size = struct.unpack_from("<IQ", content, begin + 116)
            if kind:
                entries[name] = (start, size & 0xFFFFFFFF, kind)
        return entries


def _numbers(content: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(content) // 4}I", content[: len(content) // 4 * 4]))


def _follow(table: list[int], start: int) -> list[int]:
    chain: list[int] = []
    while start < _END:
        if start >= len(table) or len(chain) > len(table):
            raise Malformed("The OLE container of this file is damaged.")
        chain.append(start)
        start = table[start]
    return chain
