"""Members of ZIP archives that are encrypted with AES (the AE-1 and AE-2 formats of WinZip: https://www.winzip.com/en/support/aes-encryption/)."""

from __future__ import annotations

import hashlib
import hmac
import io
import struct
import zipfile
from typing import IO

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from core.errors import Encrypted, LimitExceeded, Malformed
from ingestion.archives.zip_methods import open_packed, open_unpacked
from ingestion.readers.base.source import MEBIBYTE

_EXTRA = 0x9901
_KEY_BYTES = {1: 16, 2: 24, 3: 32}
_ROUNDS, _CHECK, _MAC = 1000, 2, 10
_LARGEST = 512 * MEBIBYTE


def open_aes(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, password: bytes) -> IO[bytes]:
    """Open the decrypted, unpacked bytes of a member as a stream. They are decrypted in memory.

    Raises:
        Encrypted: the password does not fit.
        Malformed: the data was changed, or is no AES member.
        LimitExceeded: it is too large.
        Unsupported: it is packed in a way that is not read.
    """
    key_bytes, method = _parameters(entry)
    data = _read_packed(archive, entry)
    salt, check, body, mac = _split_packed(data, key_bytes)
    keys = hashlib.pbkdf2_hmac("sha1", password, salt, _ROUNDS, 2 * key_bytes + _CHECK)
    if not hmac.compare_digest(keys[2 * key_bytes :], check):
        raise Encrypted("It is locked in its archive, and the password that was given does not open it.")
    if not hmac.compare_digest(hmac.new(keys[key_bytes : 2 * key_bytes], body, "sha1").digest()[:_MAC], mac):
        raise Malformed("It is damaged: its encrypted bytes are not those that were written.")
    return open_unpacked(io.BytesIO(_decrypt_counter_mode(keys[:key_bytes], body)), method)


def _parameters(entry: zipfile.ZipInfo) -> tuple[int, int]:
    """Return the bytes of the key and the compression method below the encryption, from the extra field 0x9901."""
    extra, at = entry.extra, 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        if kind == _EXTRA and size >= 7 and at + 11 <= len(extra):
            strength, method = struct.unpack_from("<BH", extra, at + 8)
            if strength in _KEY_BYTES:
                return _KEY_BYTES[strength], method
        at += 4 + size
    raise Malformed("It is damaged: how it was encrypted is not said.")


def _read_packed(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.compress_size > _LARGEST:
        raise LimitExceeded(f"An encrypted member may have {_LARGEST / MEBIBYTE:,.0f} MiB. Unpack the archive and index the folder.")
    data = open_packed(archive, entry).read()
    if len(data) < entry.compress_size:
        raise Malformed("The archive is cut off in the middle of it.")
    return data


def _split_packed(data: bytes, key_bytes: int) -> tuple[bytes, bytes, bytes, bytes]:
    salt = key_bytes // 2
    if len(data) < salt + _CHECK + _MAC:
        raise Malformed("It is damaged: its encrypted bytes are cut off.")
    return data[:salt], data[salt : salt + _CHECK], data[salt + _CHECK : -_MAC], data[-_MAC:]


def _decrypt_counter_mode(key: bytes, body: bytes) -> bytes:
    """Decrypt with AES in counter mode with a little-endian counter from 1, which libraries (big-endian) do not offer: blocks of the counter are
    encrypted and laid over the data."""
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305  (of a counter: that is counter mode)
    pieces = []
    for start in range(0, len(body), MEBIBYTE):
        piece = body[start : start + MEBIBYTE]
        first = start // 16 + 1
        counters = b"".join(struct.pack("<QQ", number, 0) for number in range(first, first + -(-len(piece) // 16)))
        stream = encryptor.update(counters)[: len(piece)]
        pieces.append((int.from_bytes(piece, "little") ^ int.from_bytes(stream, "little")).to_bytes(len(piece), "little"))
    return b"".join(pieces)
