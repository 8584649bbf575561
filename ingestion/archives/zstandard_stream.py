"""Zstandard (RFC 8878) as a stream; windows of more than 128 MiB are refused, as its own program does."""

from __future__ import annotations

import io
from typing import IO, Any, cast

import zstandard

ZSTANDARD = b"\x28\xb5\x2f\xfd"
_WINDOW = 1 << 27
_PIECE = 512  # bytes taken from the packed data at a time: four of them may stand for 128 KiB


def open_zstandard(packed: IO[bytes]) -> IO[bytes]:
    """Open what is packed there, frame by frame. Damage raises OSError, an early end EOFError, when it is read."""
    return cast("IO[bytes]", io.BufferedReader(_ZstandardStream(packed), 1 << 16))


class _ZstandardStream(io.RawIOBase):
    def __init__(self, packed: IO[bytes]) -> None:
        self._packed, self._waiting = packed, b""
        self._unpacker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        self._frame: Any = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._waiting = self._waiting or self._next_piece()
        taken = self._waiting[: len(buffer)]
        buffer[: len(taken)] = taken
        self._waiting = self._waiting[len(taken) :]
        return len(taken)

    def _next_piece(self) -> bytes:
        """Return the next unpacked bytes; b"" behind the last frame."""
        while data := (self._frame.unused_data if self._frame is not None and self._frame.eof else b"") or self._packed.read(_PIECE):
            if self._frame is None or self._frame.eof:
                self._frame = self._unpacker.decompressobj()
            try:
                piece = self._frame.decompress(data)
            except zstandard.ZstdError as error:
                raise OSError(f"damaged Zstandard data: {error}") from error
            if piece:
                return bytes(piece)
        if self._frame is not None and not self._frame.eof:
            raise EOFError("the packed data ends too early")
        return b""
