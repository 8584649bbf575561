"""Packed bytes that are in memory, as a stream of what they unpack to."""

from __future__ import annotations

import io
import zlib

from core.errors import LimitExceeded
from ingestion.readers.base.source import MEBIBYTE


class InflatedStream(io.RawIOBase):
    """Raw deflate data as a stream, so that a bomb is unpacked no further than its reader asks, and never further than `limit` bytes.

    Raises:
        LimitExceeded: it unpacks to more than the limit. EOFError: it ends too early. zlib.error: it is damaged.
    """

    def __init__(self, data: bytes, limit: int | None = None) -> None:
        self._waiting, self._inflater = data, zlib.decompressobj(-15)
        self._left = limit

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes: `size` at most, or all that are left where it is negative."""
        if size is not None and size >= 0:
            return self._next_piece(size)
        return b"".join(iter(lambda: self._next_piece(MEBIBYTE), b""))

    def _next_piece(self, size: int) -> bytes:
        if self._inflater.eof or not size:
            return b""
        piece = self._inflater.decompress(self._waiting, size)
        self._waiting = self._inflater.unconsumed_tail
        if not piece and not self._inflater.eof:
            raise EOFError("the packed data ends too early")
        if self._left is not None:
            self._left -= len(piece)
            if self._left < 0:
                raise LimitExceeded("A part of the file unpacks to more than the limit (ingestion.max_decompressed_mb).")
        return piece
