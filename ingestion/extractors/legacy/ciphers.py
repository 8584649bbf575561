"""Passwords of .xls and .doc (MS-OFFCRYPTO 2.3.5 to 2.3.7): RC4 with a key of 40 bits, RC4 by CryptoAPI, and the obfuscation by XOR.

They keep nobody out today; they are read so that who knows the password can have the document indexed.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable
from functools import partial

from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher

from core.errors import Sealed
from ingestion.extractors.legacy.biff import records

DEFAULT_PASSWORD = "VelvetSweatshop"  # noqa: S105  (published in the format's specification)
_FILEPASS, _BOUNDSHEET, _UNKNOWN = 0x002F, 0x0085, 0x0FFF
# Records that are never encrypted.
_PLAIN = frozenset({0x0809, _FILEPASS, 0x0194, 0x0195, 0x00E1, 0x0196, 0x0138})
_PAD = bytes.fromhex("bbffffbaffffb98000be0f00bf0f00")
_INITIAL = struct.unpack(">15H", bytes.fromhex("e1f01d0fcc9c84c0110c0e10f1ce313e1872e139d40f84f9280ca96a4ec3"))
_MATRIX = struct.unpack(
    ">105H",
    bytes.fromhex(
        "aefc4dd99bb227454e8a9d142a097b61f6c2fda5eb6bc6f79dcf2bbf45638ac605ad0b5a16b42d685ad0037506ea0dd41ba837506ea0dd40d849a0b3"
        "5147a28e553daa7a44d56f45de8aad354a4b9496390d721aeb23c6679cef29ff53fea7fc5fd947d38fa60f6d1eda3db47b68f6d0b86160e3c1c693ad"
        "377b6ef6ddec45a08b4006a10d421a8435086a10aa5144838906022d045a08b4116876b4ed68caf185c31ba7374e6e9c37306e60dcc0a9a1436386c6"
        "1dad33316662ccc489a9037306e60dcc10212042408481081231246248c4"
    ),
)
Keys = Callable[[int], bytes]  # the key of a block of the stream


def rc4_keys(information: bytes, password: str) -> Keys | None:
    """What gives the keys of blocks by the header of the encryption (major and minor version first); None if the password is another.

    Raises:
        Sealed: the header names a way that is not known here.
    """
    if len(information) < 4:
        raise Sealed("The file is encrypted in a way that is not known here. Save a copy without a password and index that.")
    major, minor = struct.unpack_from("<HH", information)
    if (major, minor) == (1, 1) and len(information) >= 52:
        return _short_keys(information[4:20], information[20:36], information[36:52], password)
    if minor == 2 and major in (2, 3, 4) and len(information) >= 12:
        return _crypto_api_keys(information, password)
    raise Sealed("The file is encrypted in a way that is not known here. Save a copy without a password and index that.")


def _short_keys(salt: bytes, verifier: bytes, expected: bytes, password: str) -> Keys | None:
    first = hashlib.md5(password.encode("utf-16-le")).digest()[:5]  # noqa: S324  (the format's own)
    base = hashlib.md5((first + salt) * 16).digest()[:5]  # noqa: S324

    def key(block: int) -> bytes:
        return hashlib.md5(base + struct.pack("<I", block)).digest()  # noqa: S324

    opened = _rc4(key(0), verifier + expected)
    return key if hmac.compare_digest(hashlib.md5(opened[:16]).digest(), opened[16:]) else None  # noqa: S324


def _crypto_api_keys(information: bytes, password: str) -> Keys | None:
    size = struct.unpack_from("<I", information, 8)[0]
    bits = struct.unpack_from("<I", information, 12 + 16)[0] or 40
    at = 12 + size
    salt, verifier, expected = information[at + 4 : at + 20], information[at + 20 : at + 36], information[at + 40 : at + 60]
    base = hashlib.sha1(salt + password.encode("utf-16-le")).digest()  # noqa: S324  (the format's own)

    def key(block: int) -> bytes:
        found = hashlib.sha1(base + struct.pack("<I", block)).digest()[: min(bits, 128) // 8]  # noqa: S324
        return found.ljust(16, b"\0") if bits == 40 else found

    opened = _rc4(key(0), verifier + expected)
    return key if hmac.compare_digest(hashlib.sha1(opened[:16]).digest(), opened[16:36]) else None  # noqa: S324


def _rc4(key: bytes, data: bytes) -> bytes:
    return Cipher(ARC4(key), None).decryptor().update(data)


def rc4_stream(keys: Keys, data: bytes, block_size: int) -> bytes:
    """A whole stream decrypted, block by block."""
    return b"".join(_rc4(keys(number), data[at : at + block_size]) for number, at in enumerate(range(0, len(data), block_size)))


# -- workbooks ---------------------------------------------------------------------------------------------------------------------------


def unlocked_workbook(stream: bytes, header: bytes, password: str) -> bytes | None:
    """The Workbook stream in the clear, of the same length; None if the password is another. `header` is the body of its FilePass record.

    Raises:
        Sealed: the header names a way that is not known here.
    """
    for candidate in dict.fromkeys((password, DEFAULT_PASSWORD) if password else (DEFAULT_PASSWORD,)):
        if len(header) >= 6 and header[:2] == b"\0\0":
            if (array := _xor_array(candidate, *struct.unpack_from("<HH", header, len(header) - 4))) is not None:
                return _with_bodies(stream, partial(_unxored, stream, array))
        elif (keys := rc4_keys(header[2:], candidate)) is not None:
            clear = rc4_stream(keys, stream, 1024)
            return _with_bodies(stream, partial(_part, clear))
    return None


def _with_bodies(stream: bytes, clear: Callable[[int, int], bytes]) -> bytes:
    """The stream with the bodies of its records in the clear, and no longer marked as encrypted."""
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
    """The sixteen bytes of the obfuscation (2.3.7.2); None if the password does not fit the key and the verifier."""
    letters = password.encode("cp1252", errors="replace")[:15]
    check = 0
    for letter in reversed(bytes([len(letters)]) + letters):
        check = ((check >> 14 & 1) | (check << 1 & 0x7FFF)) ^ letter
    if not letters or check ^ 0xCE4B != verifier or _xor_key(letters) != key:
        return None
    padded = letters + _PAD[: 16 - len(letters)]
    return bytes(_rotated(byte ^ (key >> 8 if place % 2 else key & 0xFF), 2) for place, byte in enumerate(padded))


def _xor_key(letters: bytes) -> int:
    key, place = int(_INITIAL[len(letters) - 1]), 0x68
    for letter in reversed(letters):
        for bit in range(7):
            if letter << bit & 0x40:
                key ^= _MATRIX[place]
            place -= 1
    return key


def _rotated(byte: int, bits: int) -> int:
    return (byte << bits | byte >> (8 - bits)) & 0xFF


def _unxored(stream: bytes, array: bytes, begin: int, end: int) -> bytes:
    """A record's body: each byte turned by three bits, under the array from a place that its end gives."""
    return bytes(_rotated(byte, 3) ^ array[(end + place) % 16] for place, byte in enumerate(stream[begin:end]))


def _part(stream: bytes, begin: int, end: int) -> bytes:
    return stream[begin:end]
