"""Archives locked with AES as WinZip and 7-Zip lock them (AE-2, 256 bits), made on the spot."""

from __future__ import annotations

import hashlib
import hmac
import io
import os
import struct
import zipfile

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

_AES = 99


def locked_zip(name: str, data: bytes, password: str) -> bytes:
    """An archive with one member, stored and locked."""
    salt = os.urandom(16)
    keys = hashlib.pbkdf2_hmac("sha1", password.encode(), salt, 1000, 66)
    counters = b"".join(struct.pack("<QQ", number, 0) for number in range(1, len(data) // 16 + 2))
    stream = Cipher(algorithms.AES(keys[:32]), modes.ECB()).encryptor().update(counters)
    body = bytes(one ^ other for one, other in zip(data, stream, strict=False))
    packed = salt + keys[64:] + body + hmac.new(keys[32:64], body, "sha1").digest()[:10]
    extra = struct.pack("<HHHHBH", 0x9901, 7, 2, 0x4541, 3, zipfile.ZIP_STORED)
    title = name.encode()
    facts = struct.pack("<HHHHIIIHH", 0x801, _AES, 0, 33, 0, len(packed), len(data), len(title), len(extra))
    local = b"PK\3\4" + struct.pack("<H", 51) + facts + title + extra + packed
    entry = b"PK\1\2" + struct.pack("<HH", 51, 51) + facts + struct.pack("<HHHII", 0, 0, 0, 0, 0) + title + extra
    output = io.BytesIO(local + entry + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0))
    return output.getvalue()
