"""Office files that are encrypted with a password that is given, or with the one which Office itself tries first (MS-OFFCRYPTO 2.3.4.5 to 2.3.4.15).

A workbook whose structure alone is protected is stored encrypted under this fixed password, so that everybody can open it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from core.errors import Encrypted, LimitExceeded, Malformed, Sealed
from ingestion.extractors.compound import SIGNATURE, CompoundFile
from ingestion.extractors.office.package import FAILURES, parse_xml
from ingestion.extractors.source import Source

_DEFAULT_PASSWORD = "VelvetSweatshop"  # noqa: S105  (published in the format's specification)
_LOCKED = "The file is encrypted: it needs a password."
_UNKNOWN = "The file is encrypted in a way that is not known here. Save a copy without a password and index that."
_WRONG = "The file is encrypted, and the password that was given does not open it."
_MAX_SPINS = 1_000_000
_SEGMENT = 4096
_VERIFIER_INPUT = bytes.fromhex("fea7d2763b4b9e79")
_VERIFIER_VALUE = bytes.fromhex("d7aa0f6d3061344e")
_KEY_VALUE = bytes.fromhex("146e0be7abacd0d6")
_STREAM = "EncryptedPackage"


def is_locked_package(data: bytes) -> bool:
    """Whether this is an Office package inside an encrypted OLE container."""
    return data.startswith(SIGNATURE) and _STREAM.encode("utf-16-le") in data


def unlocked(source: Source) -> Source:
    """The package under the password of the source, else under the default one.

    Raises:
        Encrypted: it has another password.
        Sealed: it is encrypted in a way that is not known here.
    """
    decrypt = None
    try:
        container = CompoundFile(source.data)
        information, package = container.stream("EncryptionInfo"), container.stream(_STREAM)
        for password in dict.fromkeys((source.password, _DEFAULT_PASSWORD) if source.password else (_DEFAULT_PASSWORD,)):
            decrypt = decrypt or _decryptor(information, password)
    except (*FAILURES, Malformed, struct.error, binascii.Error) as error:
        raise Sealed(_UNKNOWN) from error
    if decrypt is None or len(package) < 8:
        raise Encrypted(_WRONG if source.password else _LOCKED)
    size = struct.unpack_from("<Q", package)[0]
    if size > source.limits.decompressed_bytes:
        raise LimitExceeded("The encrypted package is larger than the limit (ingestion.max_decompressed_mb).")
    return replace(source, data=decrypt(package[8:])[:size])


def _decryptor(information: bytes, password: str) -> Callable[[bytes], bytes] | None:
    """What decrypts the package, None if the password is another."""
    if len(information) < 12:
        return None
    major, minor = struct.unpack_from("<HH", information)
    if (major, minor) == (4, 4):
        return _agile(information[8:], password)
    return _standard(information, password) if minor == 2 and major in (2, 3, 4) else None


# -- standard encryption (Office 2007): AES in ECB mode, SHA-1 ---------------------------------------------------------------------------


def _standard(information: bytes, password: str) -> Callable[[bytes], bytes] | None:
    header_size = struct.unpack_from("<I", information, 8)[0]
    key_bits = struct.unpack_from("<I", information, 12 + 16)[0]
    at = 12 + header_size
    salt, verifier = information[at + 4 : at + 20], information[at + 20 : at + 36]
    expected = information[at + 40 : at + 72]
    digest = _spun("sha1", salt, 50_000, password)
    digest = hashlib.sha1(digest + struct.pack("<I", 0)).digest()  # noqa: S324  (the format's own)
    outer = bytes(0x36 ^ byte for byte in digest.ljust(64, b"\0"))
    inner = bytes(0x5C ^ byte for byte in digest.ljust(64, b"\0"))
    key = (hashlib.sha1(outer).digest() + hashlib.sha1(inner).digest())[: key_bits // 8]  # noqa: S324
    check = hashlib.sha1(_ecb(key, verifier)).digest()  # noqa: S324
    return (lambda package: _ecb(key, package)) if hmac.compare_digest(check, _ecb(key, expected)[:20]) else None


def _ecb(key: bytes, data: bytes) -> bytes:
    decryptor = Cipher(algorithms.AES(key), modes.ECB()).decryptor()  # noqa: S305  (the format's own)
    return decryptor.update(data[: len(data) // 16 * 16])


# -- agile encryption (Office 2010 and later): AES in CBC mode, parameters in XML --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parameters:
    """One `keyData` or `encryptedKey` element."""

    hash: str
    key_size: int
    salt: bytes
    element: Any

    def bytes(self, name: str) -> bytes:
        return base64.b64decode(self.element.get(name) or "")


def _agile(xml: bytes, secret: str) -> Callable[[bytes], bytes] | None:
    root = parse_xml(xml.rstrip(b"\0"))
    data, password = _parameters(root.find(".//{*}keyData")), _parameters(root.find(".//{*}encryptedKey"))
    spins = int(password.element.get("spinCount") or 0)
    if not 0 < spins <= _MAX_SPINS:
        return None
    digest = _spun(password.hash, password.salt, spins, secret)
    value = _unwrapped(password, digest, _VERIFIER_INPUT, "encryptedVerifierHashInput")[:16]
    expected = _unwrapped(password, digest, _VERIFIER_VALUE, "encryptedVerifierHashValue")
    actual = hashlib.new(password.hash, value).digest()
    if not hmac.compare_digest(actual, expected[: len(actual)]):
        return None
    key = _unwrapped(password, digest, _KEY_VALUE, "encryptedKeyValue")[: data.key_size]
    return lambda package: b"".join(_segments(data, key, package))


def _parameters(element: Any) -> _Parameters:
    name = str(element.get("hashAlgorithm") or "").replace("-", "").lower()
    if (
        element.get("cipherAlgorithm") != "AES"
        or element.get("cipherChaining") != "ChainingModeCBC"
        or name not in ("sha1", "sha256", "sha384", "sha512")
    ):
        raise Malformed("an unknown cipher")
    return _Parameters(name, int(element.get("keyBits") or 0) // 8, base64.b64decode(element.get("saltValue") or ""), element)


def _unwrapped(password: _Parameters, digest: bytes, block: bytes, name: str) -> bytes:
    key = hashlib.new(password.hash, digest + block).digest()[: password.key_size].ljust(password.key_size, b"\x36")
    return _cbc(key, password.salt[:16].ljust(16, b"\x36"), password.bytes(name))


def _segments(data: _Parameters, key: bytes, package: bytes) -> list[bytes]:
    pieces = []
    for number, begin in enumerate(range(0, len(package), _SEGMENT)):
        vector = hashlib.new(data.hash, data.salt + struct.pack("<I", number)).digest()[:16]
        pieces.append(_cbc(key, vector, package[begin : begin + _SEGMENT]))
    return pieces


def _cbc(key: bytes, vector: bytes, data: bytes) -> bytes:
    decryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).decryptor()
    return decryptor.update(data[: len(data) // 16 * 16])


def _spun(name: str, salt: bytes, spins: int, password: str) -> bytes:
    digest = hashlib.new(name, salt + password.encode("utf-16-le")).digest()
    for number in range(spins):
        digest = hashlib.new(name, struct.pack("<I", number) + digest).digest()
    return digest
