"""OpenDocument packages locked under a password, by the primitives that the standard names (ODF 1.2 part 3, chapter 4; ODF 1.4; LibreOffice 24.2)."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import zipfile
import zlib

from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

_SPACES = 'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" xmlns:loext="urn:org:documentfoundation:names:experimental"'
_ROUNDS = 1000


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _compress(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def _entry(name: str, size: int, data: str, algorithm: str, start: str, derivation: str) -> str:
    return (
        f'<manifest:file-entry manifest:full-path="{name}" manifest:size="{size}"><manifest:encryption-data {data}>'
        f"<manifest:algorithm {algorithm}/>{start}<manifest:key-derivation {derivation}/></manifest:encryption-data></manifest:file-entry>"
    )


def _aes(name: str, content: bytes, password: bytes) -> tuple[str, bytes]:
    salt, vector, packed = os.urandom(16), os.urandom(16), _compress(content)
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha256(password).digest(), salt, _ROUNDS, 32)
    padding = 16 - len(packed) % 16
    padded = packed + os.urandom(padding - 1) + bytes([padding])
    entry = _entry(
        name,
        len(content),
        'manifest:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" '
        f'manifest:checksum="{_text(hashlib.sha256(packed[:1024]).digest())}"',
        f'manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" manifest:initialisation-vector="{_text(vector)}"',
        '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" manifest:key-size="32"/>',
        f'manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="{_ROUNDS}" manifest:salt="{_text(salt)}"',
    )
    return entry, Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor().update(padded)


def _blowfish(name: str, content: bytes, password: bytes) -> tuple[str, bytes]:
    salt, vector, packed = os.urandom(16), os.urandom(8), _compress(content)
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha1(password).digest(), salt, _ROUNDS, 16)
    entry = _entry(
        name,
        len(content),
        f'manifest:checksum-type="SHA1/1K" manifest:checksum="{_text(hashlib.sha1(packed[:1024]).digest())}"',
        f'manifest:algorithm-name="Blowfish CFB" manifest:initialisation-vector="{_text(vector)}"',
        "",
        f'manifest:key-derivation-name="PBKDF2" manifest:iteration-count="{_ROUNDS}" manifest:salt="{_text(salt)}"',
    )
    return entry, Cipher(Blowfish(key), CFB(vector)).encryptor().update(packed)


_WAYS = {"aes": _aes, "blowfish": _blowfish}


def locked_parts(package: bytes, password: bytes, way: str = "aes") -> bytes:
    """Every part encrypted for itself: "aes" as LibreOffice does since 3.5, "blowfish" as OpenOffice did."""
    output, entries = io.BytesIO(), []
    with zipfile.ZipFile(io.BytesIO(package)) as plain, zipfile.ZipFile(output, "w") as archive:
        for name in plain.namelist():
            content = plain.read(name)
            if name != "mimetype":
                entry, content = _WAYS[way](name, content, password)
                entries.append(entry)
            archive.writestr(name, content)
        archive.writestr("META-INF/manifest.xml", f"<manifest:manifest {_SPACES}>{''.join(entries)}</manifest:manifest>")
    return output.getvalue()


def locked_whole(package: bytes, password: bytes, *, before: bool = True, packed: bool = False, memory: int = 64) -> bytes:
    """The whole package encrypted with AES-GCM under a key of Argon2id. `before`: the vector stands before the data, as LibreOffice writes it."""
    salt, vector = os.urandom(16), os.urandom(12)
    start = hashlib.sha256(password).digest()
    key = Argon2id(salt=salt, length=32, iterations=1, lanes=2, memory_cost=min(memory, 64)).derive(start)
    body = AESGCM(key).encrypt(vector, _compress(package) if packed else package, None)
    entry = _entry(
        "encrypted-package",
        len(package),
        "",
        f'manifest:algorithm-name="http://www.w3.org/2009/xmlenc11#aes256-gcm" manifest:initialisation-vector="{_text(vector)}"',
        '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2001/04/xmlenc#sha256" manifest:key-size="32"/>',
        'manifest:key-derivation-name="urn:org:documentfoundation:names:experimental:office:manifest:argon2id" manifest:key-size="32" '
        f'loext:argon2-iterations="1" loext:argon2-memory="{memory}" loext:argon2-lanes="2" manifest:salt="{_text(salt)}"',
    )
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as plain, zipfile.ZipFile(output, "w") as archive:
        archive.writestr("mimetype", plain.read("mimetype"))
        archive.writestr("encrypted-package", (vector if before else b"") + body)
        archive.writestr("META-INF/manifest.xml", f"<manifest:manifest {_SPACES}>{entry}</manifest:manifest>")
    return output.getvalue()
