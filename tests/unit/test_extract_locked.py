"""Encrypted Office files: the password that Office tries first opens them, any other is asked for."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import logging
import os
import random
import struct

import docx
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from core.errors import Encrypted, ExtractionError, LimitExceeded, Malformed, Sealed
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.registry import extract
from tests.support.office_files import docx_bytes
from tests.support.ole_files import compound_bytes

_DEFAULT = "VelvetSweatshop"


def _encrypt(key: bytes, mode: modes.CBC | modes.ECB, data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), mode).encryptor()
    return encryptor.update(data.ljust(-(-len(data) // 16) * 16, b"\0"))


def _agile(package: bytes, password: str, *, name: str = "SHA512", bits: int = 256, told_spins: int = 100) -> bytes:
    salt, key, verifier, spins = os.urandom(16), os.urandom(bits // 8), os.urandom(16), 100
    digest = hashlib.new(name, salt + password.encode("utf-16-le")).digest()
    for number in range(spins):
        digest = hashlib.new(name, struct.pack("<I", number) + digest).digest()

    def wrapped(block: str, value: bytes) -> str:
        return base64.b64encode(_encrypt(hashlib.new(name, digest + bytes.fromhex(block)).digest()[: bits // 8], modes.CBC(salt), value)).decode()

    common = f'blockSize="16" keyBits="{bits}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="{name}"'
    shown = base64.b64encode(salt).decode()
    values = (
        f'encryptedVerifierHashInput="{wrapped("fea7d2763b4b9e79", verifier)}" '
        f'encryptedVerifierHashValue="{wrapped("d7aa0f6d3061344e", hashlib.new(name, verifier).digest())}" '
        f'encryptedKeyValue="{wrapped("146e0be7abacd0d6", key)}"'
    )
    xml = (
        '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption">'
        f'<keyData saltSize="16" {common} saltValue="{shown}"/><keyEncryptors>'
        f'<keyEncryptor><p:encryptedKey xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password" spinCount="{told_spins}" {common} '
        f'saltValue="{shown}" {values}/></keyEncryptor></keyEncryptors></encryption>'
    )
    body = b""
    for number, at in enumerate(range(0, len(package), 4096)):
        vector = hashlib.new(name, salt + struct.pack("<I", number)).digest()[:16]
        body += _encrypt(key, modes.CBC(vector), package[at : at + 4096])
    information = struct.pack("<HHI", 4, 4, 0x40) + xml.encode()
    return compound_bytes({"EncryptionInfo": information, "EncryptedPackage": struct.pack("<Q", len(package)) + body})


def _standard(package: bytes, password: str) -> bytes:
    salt, verifier = os.urandom(16), os.urandom(16)
    digest = hashlib.sha1(salt + password.encode("utf-16-le")).digest()
    for number in range(50_000):
        digest = hashlib.sha1(struct.pack("<I", number) + digest).digest()
    digest = hashlib.sha1(digest + struct.pack("<I", 0)).digest()
    key = hashlib.sha1(bytes(0x36 ^ byte for byte in digest.ljust(64, b"\0"))).digest()[:16]
    header = struct.pack("<IIIIIIII", 0x24, 0, 0x660E, 0x8004, 128, 24, 0, 0) + "AES\0".encode("utf-16-le")
    hashed = _encrypt(key, modes.ECB(), hashlib.sha1(verifier).digest().ljust(32, b"\0"))
    information = struct.pack("<HHII", 4, 2, 0x24, len(header)) + header
    information += struct.pack("<I", 16) + salt + _encrypt(key, modes.ECB(), verifier) + struct.pack("<I", 20) + hashed
    return compound_bytes({"EncryptionInfo": information, "EncryptedPackage": struct.pack("<Q", len(package)) + _encrypt(key, modes.ECB(), package)})


def _document() -> bytes:
    document = docx.Document()
    document.add_paragraph("Only the structure of this file is protected.")
    return docx_bytes(document)


@pytest.mark.parametrize("locked", [_agile, _standard])
def test_the_password_that_office_tries_first_opens_a_file(locked: object) -> None:
    assert callable(locked)
    assert extract(Source(locked(_document(), _DEFAULT), "a.docx")).text == "Only the structure of this file is protected."


@pytest.mark.parametrize("locked", [_agile, _standard])
def test_any_other_password_is_asked_for(locked: object) -> None:
    assert callable(locked)
    with pytest.raises(Encrypted, match="password"):
        extract(Source(locked(_document(), "another"), "a.docx"))


@pytest.mark.parametrize("cut", [600, 1500, 5000])
def test_a_locked_file_that_is_cut_off_is_still_said_to_be_locked(cut: int) -> None:
    data = _agile(_document(), "another")
    with pytest.raises((Encrypted, Malformed)):
        extract(Source(data[:cut] + "EncryptedPackage".encode("utf-16-le"), "a.docx"))


@pytest.mark.parametrize("locked", [_agile, _standard])
def test_the_password_that_is_given_opens_a_file(locked: object) -> None:
    assert callable(locked)
    data = locked(_document(), "another")
    assert "structure" in extract(Source(data, "a.docx", password="another")).text
    with pytest.raises(Encrypted, match="does not open"):
        extract(Source(data, "a.docx", password="wrong"))
    assert extract(Source(locked(_document(), _DEFAULT), "a.docx", password="of another file")).text


@pytest.mark.parametrize(("name", "bits"), [("SHA1", 128), ("SHA256", 256), ("SHA384", 192), ("SHA512", 128)])
def test_every_hash_of_agile_encryption_is_known(name: str, bits: int) -> None:
    """Office 2010 writes SHA-1 with keys of 128 bits."""
    data = _agile(_document(), "another", name=name, bits=bits)
    assert "structure" in extract(Source(data, "a.docx", password="another")).text
    with pytest.raises(Encrypted, match="does not open"):
        extract(Source(data, "a.docx", password="wrong"))


def test_more_rounds_than_the_format_allows_are_not_computed() -> None:
    with pytest.raises(Sealed, match="not known here"):
        extract(Source(_agile(_document(), "another", told_spins=4_000_000_000), "a.docx", password="another"))


def test_a_package_that_is_larger_than_the_limit_is_not_decrypted() -> None:
    with pytest.raises(LimitExceeded, match="max_decompressed_mb"):
        extract(Source(_agile(_document(), "another"), "a.docx", ExtractionLimits(decompressed_bytes=1000), password="another"))


@pytest.mark.parametrize("locked", [_agile, _standard])
def test_no_password_gets_into_a_log(locked: object, caplog: pytest.LogCaptureFixture) -> None:
    assert callable(locked)
    caplog.set_level(logging.DEBUG)
    data = locked(_document(), "rosebud")
    extract(Source(data, "a.docx", password="rosebud"))
    with pytest.raises(Encrypted):
        extract(Source(data, "a.docx", password="sleigh"))
    assert "rosebud" not in caplog.text
    assert "sleigh" not in caplog.text


@pytest.mark.parametrize("seed", range(30))
def test_damaged_locked_packages_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(_agile(_document(), "rosebud", name=chance.choice(["SHA1", "SHA512"]), bits=128))
    container, places = CompoundFile(bytes(data)), range(512, len(data))
    if seed % 2:  # what says how it is encrypted
        places = range(data.find(container.stream("EncryptionInfo")[:64]), len(data))
    for _ in range(chance.randint(1, 30)):
        data[chance.choice(places)] = chance.randrange(256)
    with contextlib.suppress(ExtractionError):
        extract(Source(bytes(data), "a.docx", password="rosebud"))
