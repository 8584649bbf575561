"""Unpacks members of ZIP archives by methods that the standard library does not know (APPNOTE 4.4.5): Zstandard and XZ."""

from __future__ import annotations

import bz2
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any, cast

from core.errors import Malformed, Unsupported
from ingestion.archives.zstandard_stream import open_zstandard
from ingestion.readers.base.source import MEBIBYTE

ZSTANDARD, XZ, AES = 93, 95, 99
LIBRARY_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA})
OWN_METHODS = frozenset({ZSTANDARD, XZ})
_NAMES = {1: "shrunk", 6: "imploded", 9: "Deflate64", 10: "PKWARE imploded", 94: "MP3", 96: "JPEG", 97: "WavPack", 98: "PPMd"}
_NAMES.update(dict.fromkeys(range(2, 6), "reduced"))
_HIDDEN_DIRECTORY, _TAIL = b"PK\x06\x08", 1 << 20
_LOCAL = struct.Struct("<26xHH")
_PIECE = 4096  # bytes taken from the packed data at a time: what they unpack to is in memory at once


def unsupported_method(method: int) -> Unsupported:
    """Make the reason for a member whose method is not read."""
    name = _NAMES.get(method, f"method {method}")
    return Unsupported(f"It is packed in a way that is not read here ({name}). Unpack the archive (7-Zip, The Unarchiver) and index the folder.")


def directory_is_encrypted(file: IO[bytes]) -> bool:
    """Return whether the names of the members are encrypted too (APPNOTE 7.3): an archive that cannot be opened is then not damaged."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _TAIL))
    return _HIDDEN_DIRECTORY in file.read(_TAIL)


def open_packed(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """Open the bytes of a member as they lie in the archive, as a stream.

    Raises:
        Malformed: they lie outside the archive.
    """
    file = archive.fp
    if file is None:
        raise Malformed("The archive was closed.")
    file.seek(entry.header_offset)
    head = file.read(_LOCAL.size)
    if len(head) < _LOCAL.size:
        raise Malformed("The archive is cut off in the middle of it.")
    names = sum(_LOCAL.unpack(head))
    return cast("IO[bytes]", io.BufferedReader(_FilePart(file, entry.header_offset + _LOCAL.size + names, entry.compress_size), 1 << 16))


def open_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    """Open the unpacked bytes of a member whose method the standard library does not know. Its checksum is checked when its end is reached."""
    return cast("IO[bytes]", _ChecksumStream(open_unpacked(open_packed(archive, entry), entry.compress_type), entry.CRC))


def open_unpacked(packed: IO[bytes], method: int) -> IO[bytes]:
    """Return a stream of what the packed bytes hold.

    Raises:
        Unsupported: the method is not read.
    """
    match method:
        case zipfile.ZIP_STORED:
            return packed
        case zipfile.ZIP_DEFLATED:
            return cast("IO[bytes]", _DecompressedStream(packed, zlib.decompressobj(-15)))
        case zipfile.ZIP_BZIP2:
            return bz2.BZ2File(packed)
        case zipfile.ZIP_LZMA:
            return cast("IO[bytes]", _DecompressedStream(packed, zipfile.LZMADecompressor()))  # type: ignore[attr-defined]
        case 93:
            return open_zstandard(packed)
        case 95:
            return cast("IO[bytes]", lzma.LZMAFile(packed))
    raise unsupported_method(method)


class _FilePart(io.RawIOBase):
    """A part of a file, as a stream. The file may be read elsewhere in between."""

    def __init__(self, file: IO[bytes], begin: int, size: int) -> None:
        self._file, self._at, self._end = file, begin, begin + size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._at)
        data = self._file.read(min(len(buffer), self._end - self._at))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


class _PieceStream(io.RawIOBase):
    """A stream that asks for its next piece; b"" is its end."""

    def __init__(self, piece: Callable[[], bytes]) -> None:
        self._piece, self._waiting = piece, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._waiting = self._waiting or self._piece()
        taken = self._waiting[: len(buffer)]
        buffer[: len(taken)] = taken
        self._waiting = self._waiting[len(taken) :]
        return len(taken)


class _DecompressedStream(_PieceStream):
    """A stream of what a decompressor of the standard library makes of packed bytes, little by little.

    Raises EOFError where the packed bytes end too early.
    """

    def __init__(self, packed: IO[bytes], decompressor: Any) -> None:
        super().__init__(self._next_piece)
        self._packed, self._decompressor = packed, decompressor

    def _next_piece(self) -> bytes:
        while not self._decompressor.eof:
            data = self._packed.read(_PIECE)
            if not data:
                raise EOFError("the packed data ends too early")
            if piece := self._decompressor.decompress(data):
                return bytes(piece)
        return b""


class _ChecksumStream(_PieceStream):
    """A stream whose checksum is checked when its end is reached. Raises BadZipFile where it is another."""

    def __init__(self, stream: IO[bytes], expected: int) -> None:
        super().__init__(self._next_piece)
        self._stream, self._expected, self._sum = stream, expected, 0

    def _next_piece(self) -> bytes:
        piece = self._stream.read(MEBIBYTE)
        self._sum = zlib.crc32(piece, self._sum)
        if not piece and self._sum != self._expected:
            raise zipfile.BadZipFile("Bad CRC-32: it was changed")
        return piece
