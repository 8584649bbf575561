"""Passwords of .xls and .doc (MS-OFFCRYPTO 2.3.5 to 2.3.7): RC4 with a key of 40 bits, RC4 by CryptoAPI, and the obfuscation by XOR.

They keep nobody out today; they are read so that who knows the password can have the document indexed. msoffcrypto-tool checks passwords and
decrypts; which bytes are encrypted is known here. Its own writing of whole files takes twelve bytes of memory for each of a workbook's and a
file on the disk, knows no Excel 95, and of a presentation only the last edit.
"""

from __future__ import annotations

import io
import logging
import struct
from collections.abc import Callable
from functools import partial
from typing import Protocol

from msoffcrypto.method.rc4 import DocumentRC4
from msoffcrypto.method.rc4_cryptoapi import DocumentRC4CryptoAPI
from msoffcrypto.method.xor_obfuscation import DocumentXOR

from core.errors import Sealed
from ingestion.readers.legacy.biff import records

DEFAULT_PASSWORD = "VelvetSweatshop"  # noqa: S105  (published in the format's specification)
_UNKNOWN_WAY = "The file is encrypted in a way that is not known here. Save a copy without a password and index that."
_FILEPASS, _BOUNDSHEET, _UNKNOWN = 0x002F, 0x0085, 0x0FFF
# Records that are never encrypted.
_PLAIN = frozenset({0x0809, _FILEPASS, 0x0194, 0x0195, 0x00E1, 0x0196, 0x0138})
# At the level DEBUG the library logs what it makes of passwords.
logging.getLogger("msoffcrypto").setLevel(logging.WARNING)


class BlockDecryptor(Protocol):
    """Decrypts `data`, whose blocks of `block_size` bytes have a key each, by its number; `first` is that of the first block."""

    def __call__(self, data: bytes, block_size: int, first: int = 0) -> bytes: ...


def rc4_decryptor(information: bytes, password: str) -> BlockDecryptor | None:
    """Make the decryptor for an encryption header (major and minor version first); None if the password is another.

    Raises:
        Sealed: the header names a way that is not known here.
    """
    if len(information) < 4:
        raise Sealed(_UNKNOWN_WAY)
    major, minor = struct.unpack_from("<HH", information)
    if (major, minor) == (1, 1) and len(information) >= 52:
        return _short_key_decryptor(information[4:20], information[20:36], information[36:52], password)
    if minor == 2 and major in (2, 3, 4) and len(information) >= 32:
        return _crypto_api_decryptor(information, password)
    raise Sealed(_UNKNOWN_WAY)


def _short_key_decryptor(salt: bytes, verifier: bytes, expected: bytes, password: str) -> BlockDecryptor | None:
    def decrypt(data: bytes, block_size: int, first: int = 0) -> bytes:
        if first:
            raise Sealed(_UNKNOWN_WAY)  # only presentations have objects with numbers, and they only know CryptoAPI
        return bytes(DocumentRC4.decrypt(password, salt, io.BytesIO(data), block_size).getvalue())

    return decrypt if DocumentRC4.verifypw(password, salt, verifier, expected) else None


def _crypto_api_decryptor(information: bytes, password: str) -> BlockDecryptor | None:
    size = struct.unpack_from("<I", information, 8)[0]
    bits = min(struct.unpack_from("<I", information, 12 + 16)[0] or 40, 128)
    at = 12 + size
    salt, verifier, expected = information[at + 4 : at + 20], information[at + 20 : at + 36], information[at + 40 : at + 60]

    def decrypt(data: bytes, block_size: int, first: int = 0) -> bytes:
        return bytes(DocumentRC4CryptoAPI.decrypt(password, salt, bits, io.BytesIO(data), block_size, first).getvalue())

    return decrypt if DocumentRC4CryptoAPI.verifypw(password, salt, bits, verifier, expected) else None


# -- workbooks ---------------------------------------------------------------------------------------------------------------------------


def unlock_workbook(stream: bytes, header: bytes, password: str) -> bytes | None:
    """Return the Workbook stream in the clear, of the same length; None if the password is another. `header` is the body of its FilePass record.

    Raises:
        Sealed: the header names a way that is not known here.
    """
    for candidate in dict.fromkeys((password, DEFAULT_PASSWORD) if password else (DEFAULT_PASSWORD,)):
        if len(header) >= 6 and header[:2] == b"\0\0":
            if (array := _xor_array(candidate, *struct.unpack_from("<HH", header, len(header) - 4))) is not None:
                return _decrypt_bodies(stream, partial(_undo_xor, stream, array))
        elif (decrypt := rc4_decryptor(header[2:], candidate)) is not None:
            clear = decrypt(stream, 1024)
            return _decrypt_bodies(stream, partial(_part, clear))
    return None


def _decrypt_bodies(stream: bytes, clear: Callable[[int, int], bytes]) -> bytes:
    """Return the stream with the bodies of its records in the clear, and no longer marked as encrypted."""
    output = bytearray(stream)
    for kind, begin, end in records(stream):
        if kind == _FILEPASS:
            struct.pack_into("<H", output, begin - 4, _UNKNOWN)
        elif kind not in _PLAIN:
            body = clear(begin, end)
            # Where a sheet begins stands in the clear.
            output[begin:end] = stream[begin : min(begin + 4, end)] + body[4:] if kind == _BOUNDSHEET else body
    return bytes(output)


def _xor_array(password: str, key: int, verifier: int) -> bytes | None:
    """Return the sixteen bytes of the obfuscation (2.3.7.2); None if the password does not fit the key and the verifier."""
    letters = password.encode("cp1252", errors="replace")[:15].decode("latin-1")  # the library takes a letter for its byte
    if not letters or not DocumentXOR.verifypw(letters, verifier) or DocumentXOR.create_xor_key_method1(letters) != key:
        return None
    return bytes(DocumentXOR.create_xor_array_method1(letters))


def _undo_xor(stream: bytes, array: bytes, begin: int, end: int) -> bytes:
    """Restore a record's body: each byte under the array from a place that the record's end gives, and turned by three bits."""
    opened = (byte ^ array[(end + place) % 16] for place, byte in enumerate(stream[begin:end]))
    return bytes((byte << 3 | byte >> 5) & 0xFF for byte in opened)


def _part(stream: bytes, begin: int, end: int) -> bytes:
    return stream[begin:end]
