"""OpenDocument files under a password (ODF 1.2 and 1.3, part "Packages", chapter 4; ODF 1.4 and LibreOffice 24.2 for a package encrypted as a whole).

Every part is packed, then encrypted under a key of its own: the password is hashed (SHA-1 or SHA-256), the hash drawn out by PBKDF2 or Argon2id. AES
in CBC mode and Blowfish (OpenOffice, ODF 1.1) come with a checksum of the part's first kilobyte, AES in GCM mode checks itself.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import hmac
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
from cryptography.hazmat.decrepit.ciphers.modes import CFB
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from core.errors import Encrypted, LimitExceeded, Malformed, Sealed
from ingestion.readers.base.office_package import FAILURES, parse_xml

PACKAGE = "encrypted-package"
_LOCKED = "The file is encrypted: it needs a password."
_WRONG = "The file is encrypted, and the password that was given does not open it."
_UNKNOWN = "The file is encrypted in a way that is not known here. Save a copy without a password and index that."
_OPENPGP = "The file is encrypted for the holders of certain OpenPGP keys, so no password opens it. Save a copy without encryption and index that."
_TOO_SLOW = "Its encryption asks for more computing than a file may take. Save a copy without a password and index that."
_MOST_ROUNDS = 30_000_000  # of PBKDF2 for all parts together: about half a minute
_MOST_MEMORY = 256 * 1024  # KiB of Argon2id; LibreOffice asks for 64 MiB
_MOST_PASSES = 4 * 1024 * 1024  # KiB that Argon2id goes over in all
_CHECKED = 1024
_GCM_VECTOR = 12


@dataclass(frozen=True, slots=True)
class _PartEncryption:
    """The encryption of one part, as its `encryption-data` gives it."""

    cipher: str
    vector: bytes
    start_hash: str
    derivation: str
    key_size: int
    salt: bytes
    rounds: int
    memory: int
    lanes: int
    checksum_type: str
    checksum: bytes


class EncryptedParts:
    """The parts of a package that are encrypted, and the password that opens them.

    Raises:
        Encrypted: no password was given. Sealed: it is encrypted in a way that no password opens here. Malformed: its manifest is damaged.
    """

    def __init__(self, manifest: bytes, password: str) -> None:
        try:
            self._locks = dict(_read_encryptions(parse_xml(manifest)))
        except (*FAILURES, binascii.Error) as error:
            raise Sealed(_UNKNOWN) from error
        if not self._locks:
            raise Sealed(_OPENPGP if b"encrypted-key" in manifest else _UNKNOWN)
        if not password:
            raise Encrypted(_LOCKED)
        self._passwords = list(dict.fromkeys((password.encode(), password.encode("cp1252", errors="replace"))))
        self._rounds_left = _MOST_ROUNDS
        self._keys: dict[str, bytes] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._locks

    @property
    def proof_part(self) -> str:
        """The part on which a password is tried."""
        return next((name for name in (PACKAGE, "content.xml") if name in self._locks), next(iter(self._locks)))

    def decrypt_part(self, name: str, data: bytes) -> bytes:
        """Decrypt a part; what it returns is packed as it was.

        Raises:
            Encrypted: the password is another. Sealed: its cipher is not known here. LimitExceeded: its key takes too long to make.
        """
        lock = self._locks[name]
        if name in self._keys:
            candidates = [self._keys[name]]
        else:
            candidates = [self._key(lock, password) for password in (self._passwords if _allows_old_passwords(lock) else self._passwords[:1])]
        for key in candidates:
            if (clear := _decrypt(lock, key, data)) is not None:
                self._keys[name] = key
                return clear
        raise Encrypted(_WRONG)

    def _key(self, lock: _PartEncryption, password: bytes) -> bytes:
        start = hashlib.new(lock.start_hash, password, usedforsecurity=False).digest()
        if lock.derivation == "argon2id":
            if not 0 < lock.memory <= _MOST_MEMORY or not 0 < lock.rounds * lock.memory <= _MOST_PASSES:
                raise LimitExceeded(_TOO_SLOW)
            kdf = Argon2id(salt=lock.salt, length=lock.key_size, iterations=lock.rounds, lanes=lock.lanes, memory_cost=lock.memory)
            return kdf.derive(start)
        self._rounds_left -= lock.rounds
        if self._rounds_left < 0:
            raise LimitExceeded(_TOO_SLOW)
        return hashlib.pbkdf2_hmac("sha1", start, lock.salt, lock.rounds, lock.key_size)


def _allows_old_passwords(lock: _PartEncryption) -> bool:
    """Return whether programs of that time hashed passwords in the code page of Windows, too (OpenOffice, LibreOffice before 3.5)."""
    return lock.start_hash == "sha1"


# -- what the manifest says --------------------------------------------------------------------------------------------------------------


def _read_encryptions(manifest: Any) -> Iterator[tuple[str, _PartEncryption]]:
    for entry in manifest.iter("{*}file-entry"):
        data = next(entry.iterchildren("{*}encryption-data"), None)
        name = _attribute(entry, "full-path")
        if data is not None and (algorithm := _child(data, "algorithm")) is not None:
            yield name, _read_encryption(data, algorithm, _child(data, "key-derivation"), _child(data, "start-key-generation"))


def _read_encryption(data: Any, algorithm: Any, derivation: Any, start: Any) -> _PartEncryption:
    """Read how a part is encrypted. Raises ValueError where a number or a name is none that the standard knows, Malformed where the derivation is
    missing.
    """
    if derivation is None:
        raise Malformed(_UNKNOWN)
    kind = _last_word(_attribute(derivation, "key-derivation-name"))
    rounds = _attribute(derivation, "argon2-iterations" if kind == "argon2id" else "iteration-count")
    return _PartEncryption(
        cipher=_last_word(_attribute(algorithm, "algorithm-name")),
        vector=base64.b64decode(_attribute(algorithm, "initialisation-vector")),
        start_hash=_hash_name(_attribute(start, "start-key-generation-name") if start is not None else ""),
        derivation=_check_known(kind, "pbkdf2", "argon2id"),
        key_size=_parse_bounded(_attribute(derivation, "key-size") or "16", 1, 64),
        salt=base64.b64decode(_attribute(derivation, "salt")),
        rounds=_parse_bounded(rounds, 1, 1 << 31),
        memory=_parse_bounded(_attribute(derivation, "argon2-memory") or "0", 0, 1 << 31),
        lanes=_parse_bounded(_attribute(derivation, "argon2-lanes") or "1", 1, 64),
        checksum_type=_attribute(data, "checksum-type").lower(),
        checksum=base64.b64decode(_attribute(data, "checksum")),
    )


def _child(element: Any, name: str) -> Any | None:
    return next(element.iterchildren(f"{{*}}{name}"), None)


def _attribute(element: Any, name: str) -> str:
    """Return an attribute in whichever namespace its writer took: the standard's, LibreOffice's own, OpenOffice's."""
    return next((str(value) for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _last_word(name: str) -> str:
    return name.rpartition("#")[2].rpartition(":")[2].lower()


def _check_known(name: str, *names: str) -> str:
    if name not in names:
        raise ValueError(name)
    return name


def _parse_bounded(text: str, least: int, most: int) -> int:
    if not text.isdecimal() or len(text) > 10 or not least <= int(text) <= most:
        raise ValueError(text)
    return int(text)


def _hash_name(name: str) -> str:
    """Return the hash's name: SHA-1 for files without one."""
    return _check_known(_last_word(name).replace("-", "") or "sha1", "sha1", "sha256", "sha512")


# -- ciphers -----------------------------------------------------------------------------------------------------------------------------


def _decrypt(lock: _PartEncryption, key: bytes, data: bytes) -> bytes | None:
    """Return the part in the clear; None where the key is another.

    Raises:
        Sealed: the cipher is not known here.
    """
    try:
        if lock.cipher.endswith("-gcm"):
            body = data.removeprefix(lock.vector) if len(lock.vector) == _GCM_VECTOR else data
            return AESGCM(key).decrypt(lock.vector, body, None)
        if lock.cipher.startswith("blowfish"):
            clear = Cipher(Blowfish(key), CFB(lock.vector)).decryptor().update(data)
        elif lock.cipher.endswith("-cbc"):
            clear = Cipher(algorithms.AES(key), modes.CBC(lock.vector)).decryptor().update(data[: len(data) // 16 * 16])
            clear = clear[: -clear[-1]] if clear and 0 < clear[-1] <= 16 else clear
        else:
            raise Sealed(_UNKNOWN)
    except InvalidTag:
        return None
    except ValueError as error:
        raise Sealed(_UNKNOWN) from error
    return clear if _matches_checksum(lock, clear) else None


def _matches_checksum(lock: _PartEncryption, clear: bytes) -> bool:
    """Return whether the checksum is that of the part (of its first kilobyte, where its name says so); without one, whether the part can be
    unpacked.
    """
    if not lock.checksum:
        with contextlib.suppress(zlib.error):
            return len(zlib.decompressobj(-15).decompress(clear, _CHECKED)) > 0
        return False
    sample = clear[:_CHECKED] if "1k" in lock.checksum_type else clear
    name = "sha256" if "sha256" in lock.checksum_type else "sha1"
    return hmac.compare_digest(hashlib.new(name, sample, usedforsecurity=False).digest(), lock.checksum)
