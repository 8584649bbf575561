"""Office files that are encrypted with a password that is given, or with the one which Office itself tries first (MS-OFFCRYPTO 2.3.4.5 to 2.3.4.15).

A workbook whose structure alone is protected is stored encrypted under this fixed password, so that everybody can open it. msoffcrypto-tool derives
keys and decrypts. What the file says of its encryption is read here, and whether a password fits is seen by what comes out: that library takes an
unknown hash for SHA-1, refuses the right password of agile encryption with SHA-1 (Office 2010), and any that opens a package which is cut off.
"""

from __future__ import annotations

import base64
import binascii
import io
import logging
import struct
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from msoffcrypto.method.ecma376_agile import ECMA376Agile
from msoffcrypto.method.ecma376_standard import ECMA376Standard

from core.errors import Encrypted, LimitExceeded, Malformed, Sealed
from ingestion.readers.base.compound_file import SIGNATURE, CompoundFile
from ingestion.readers.base.office_package import FAILURES, parse_xml
from ingestion.readers.base.source import Source

_DEFAULT_PASSWORD = "VelvetSweatshop"  # noqa: S105  (published in the format's specification)
_LOCKED = "The file is encrypted: it needs a password."
_UNKNOWN = "The file is encrypted in a way that is not known here. Save a copy without a password and index that."
_WRONG = "The file is encrypted, and the password that was given does not open it."
_MAX_SPINS = 10_000_000  # MS-OFFCRYPTO 2.3.4.10
_HASHES = frozenset({"SHA1", "SHA256", "SHA384", "SHA512"})
_STREAM = "EncryptedPackage"
_BLOCK = 16
PackageDecryptor = Callable[[io.BytesIO], bytes]
# At the level DEBUG the library logs the passwords that it tries.
logging.getLogger("msoffcrypto").setLevel(logging.WARNING)


def is_locked_package(data: bytes) -> bool:
    """Return whether this is an Office package inside an encrypted OLE container."""
    return data.startswith(SIGNATURE) and _STREAM.encode("utf-16-le") in data


def unlock_package(source: Source) -> Source:
    """Decrypt the package with the password of the source, else with the default one.

    Raises:
        Encrypted: it has another password.
        Sealed: it is encrypted in a way that is not known here.
        LimitExceeded: it is larger than the limit.
    """
    decrypt = None
    try:
        container = CompoundFile(source.data)
        information, package = container.stream("EncryptionInfo"), container.stream(_STREAM)
        package = package[: 8 + max(0, len(package) - 8) // _BLOCK * _BLOCK]  # of a block that is cut off nothing is known
        for password in dict.fromkeys((source.password, _DEFAULT_PASSWORD) if source.password else (_DEFAULT_PASSWORD,)):
            decrypt = decrypt or _decryptor(information, package, password)
    except (*FAILURES, Malformed, struct.error, binascii.Error) as error:
        raise Sealed(_UNKNOWN) from error
    if decrypt is None or len(package) < 8:
        raise Encrypted(_WRONG if source.password else _LOCKED)
    size = struct.unpack_from("<Q", package)[0]
    if size > source.limits.decompressed_bytes:
        raise LimitExceeded("The encrypted package is larger than the limit (ingestion.max_decompressed_mb).")
    return replace(source, data=decrypt(io.BytesIO(package)))


def _decryptor(information: bytes, package: bytes, password: str) -> PackageDecryptor | None:
    """Make the decryptor of the package; None if the password is another: only the right key makes a zip container of it.

    Raises:
        Sealed: it is encrypted in a way that is not known here.
    """
    major, minor = struct.unpack_from("<HH", information)
    if (major, minor) == (4, 4):
        decrypt = _agile_decryptor(information[8:], password)
    elif minor == 2 and major in (2, 3, 4):
        decrypt = _standard_decryptor(information, password)
    else:
        raise Sealed(_UNKNOWN)
    return decrypt if decrypt(io.BytesIO(package[: 8 + _BLOCK])).startswith(b"PK") else None


def _standard_decryptor(information: bytes, password: str) -> PackageDecryptor:
    """Make the decryptor of Office 2007: AES in ECB mode, SHA-1."""
    header_size, _, _, cipher, hashed, bits, provider = struct.unpack_from("<7I", information, 8)
    salt = information[12 + header_size + 4 :][:_BLOCK]
    return partial(ECMA376Standard.decrypt, ECMA376Standard.makekey_from_password(password, cipher, hashed, provider, bits, len(salt), salt))


def _agile_decryptor(xml: bytes, password: str) -> PackageDecryptor:
    """Make the decryptor of Office 2010 and later: AES in CBC mode, parameters in XML."""
    root = parse_xml(xml.rstrip(b"\0"))
    data, wrapped = _check_element(root.find(".//{*}keyData")), _check_element(root.find(".//{*}encryptedKey"))
    spins = int(wrapped.get("spinCount") or 0)
    if not 0 < spins <= _MAX_SPINS:
        raise Malformed("an impossible number of rounds")
    key = ECMA376Agile.makekey_from_password(
        password,
        _decode_attribute(wrapped, "saltValue"),
        _hash_name(wrapped),
        _decode_attribute(wrapped, "encryptedKeyValue"),
        spins,
        int(wrapped.get("keyBits") or 0),
    )
    return partial(ECMA376Agile.decrypt, key[: int(data.get("keyBits") or 0) // 8], _decode_attribute(data, "saltValue"), _hash_name(data))


def _check_element(element: Any) -> Any:
    """Check that the `keyData` or `encryptedKey` element is one whose cipher and hash are known."""
    if element.get("cipherAlgorithm") != "AES" or element.get("cipherChaining") != "ChainingModeCBC" or _hash_name(element) not in _HASHES:
        raise Malformed("an unknown cipher")
    return element


def _hash_name(element: Any) -> str:
    return str(element.get("hashAlgorithm") or "").replace("-", "").upper()


def _decode_attribute(element: Any, name: str) -> bytes:
    return base64.b64decode(element.get(name) or "")
