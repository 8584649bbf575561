"""Signed and encrypted mail and files: what a signature goes round is read, what is encrypted says so, what is damaged ends with a reason."""

from __future__ import annotations

import base64
import contextlib
import datetime
import random
import struct
import zlib
from functools import cache
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.hazmat.primitives.serialization.pkcs7 import PKCS7EnvelopeBuilder, PKCS7Options, PKCS7SignatureBuilder
from cryptography.x509.oid import NameOID

from core.errors import ExtractionError, LimitExceeded, Malformed, Sealed, Unsupported
from ingestion.readers.base.source import Source
from ingestion.readers.mail import cms
from ingestion.readers.mail.protected_mail import strip_armour
from ingestion.readers.registry import extract
from ingestion.workers.worker_protocol import Extraction, Failure
from tests.support.containers import mail, mailbox, text_or_reason, walk_file, zip_bytes

LEASE = "The lease of Halden Street ends in May. Notice is three months, given in writing."
HEAD = "From: ada@example.org\nTo: ben@example.org\nSubject: Lease\nDate: Mon, 04 May 2026 09:00:00 +0000\nMIME-Version: 1.0\n"
HEAD += "Message-ID: <1@example.org>\n"
SEALED_TEXT = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"


@cache
def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


@cache
def _certificate() -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Ada")])
    begin = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(_key().public_key()).serial_number(7)
    return builder.not_valid_before(begin).not_valid_after(begin + datetime.timedelta(days=3650)).sign(_key(), hashes.SHA256())


def signed(content: bytes, *options: PKCS7Options) -> bytes:
    builder = PKCS7SignatureBuilder().set_data(content).add_signer(_certificate(), _key(), hashes.SHA256())
    return builder.sign(Encoding.DER, [PKCS7Options.Binary, *options])


def encrypted(content: bytes) -> bytes:
    return PKCS7EnvelopeBuilder().set_data(content).add_recipient(_certificate()).encrypt(Encoding.DER, [PKCS7Options.Binary])


def carried(data: bytes, kind: str = "signed-data", head: str = HEAD) -> bytes:
    """A message whose body is these bytes of CMS."""
    lines = base64.encodebytes(data).decode()
    return (
        f'{head}Content-Type: application/pkcs7-mime; smime-type={kind}; name="smime.p7m"\nContent-Transfer-Encoding: base64\n'
        f'Content-Disposition: attachment; filename="smime.p7m"\n\n{lines}'
    ).encode()


def _length(size: int) -> bytes:
    return bytes([size]) if size < 128 else b"\x84" + size.to_bytes(4, "big")


def _value(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return bytes([tag]) + _length(len(body)) + body


def _endless(tag: int, *parts: bytes) -> bytes:
    """A value without a length (BER)."""
    return bytes([tag, 0x80]) + b"".join(parts) + b"\0\0"


_SIGNED_DATA, _DATA = bytes.fromhex("06092a864886f70d010702"), bytes.fromhex("06092a864886f70d010701")
_COMPRESSED, _ZLIB = bytes.fromhex("060b2a864886f70d0109100109"), bytes.fromhex("060b2a864886f70d0109100308")


def in_pieces(content: bytes) -> bytes:
    """A signed message as programs write it that stream: no lengths, the content in pieces."""
    pieces = [_value(4, content[at : at + 50]) for at in range(0, len(content), 50)]
    inner = _endless(0x30, _DATA, _endless(0xA0, _endless(0x24, *pieces)))
    return _endless(0x30, _SIGNED_DATA, _endless(0xA0, _endless(0x30, b"\2\1\1", _value(0x31), inner, _value(0x31))))


def compressed(content: bytes) -> bytes:
    inner = _value(0x30, _DATA, _value(0xA0, _value(4, zlib.compress(content))))
    return _value(0x30, _COMPRESSED, _value(0xA0, _value(0x30, b"\2\1\0", _value(0x30, _ZLIB), inner)))


def read(data: bytes, name: str = "a.eml") -> tuple[str, tuple[str, ...]]:
    document = extract(Source(data, name))
    return document.text, document.warnings


@pytest.mark.parametrize("wrap", [signed, in_pieces, compressed, lambda data: signed(carried(compressed(data), head=""))])
def test_the_body_inside_a_signature_is_read(wrap: object, tmp_path: Path) -> None:
    assert callable(wrap)
    inner = mail("Inner", LEASE, {"offer.txt": b"Miller asks 12,400 euros."})
    data = carried(wrap(inner))
    text, warnings = read(data)
    assert LEASE in text
    assert "Attachments: offer.txt" in text
    assert "smime" not in text
    assert not warnings
    path = tmp_path / "signed.eml"
    path.write_bytes(data)
    _, members = walk_file(path)
    assert {inner: text_or_reason(read.outcome) for inner, read in members.items()} == {"offer.txt": "Miller asks 12,400 euros."}


def test_a_signature_beside_the_body_leaves_the_body_as_it_is() -> None:
    body = f"Content-Type: text/plain\n\n{LEASE}\n"
    data = (
        f'{HEAD}Content-Type: multipart/signed; protocol="application/pkcs7-signature"; boundary="x"\n\n--x\n{body}\n--x\n'
        f"Content-Type: application/pkcs7-signature; name=smime.p7s\nContent-Transfer-Encoding: base64\n\nMIIA\n--x--\n"
    )
    text, warnings = read(data.encode())
    assert LEASE in text
    assert not warnings


def test_encrypted_mail_says_what_it_is(tmp_path: Path) -> None:
    data = carried(encrypted(LEASE.encode()), "enveloped-data")
    text, (warning,) = read(data)
    assert "Subject: Lease" in text
    assert "S/MIME" in warning
    assert "decrypted copy" in warning
    pgp = (
        f'{HEAD}Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="x"\n\n--x\n'
        "Content-Type: application/pgp-encrypted\n\nVersion: 1\n\n--x\nContent-Type: application/octet-stream; name=encrypted.asc\n\n"
        f"{SEALED_TEXT}--x--\n"
    ).encode()
    text, (warning,) = read(pgp)
    assert "hQEMA" not in text
    assert "OpenPGP" in warning
    path = tmp_path / "sealed.mbox"
    path.write_bytes(mailbox([data, pgp]))
    _, members = walk_file(path)
    assert len(members) == 2
    assert all(isinstance(read.outcome, Extraction) for read in members.values())
    with pytest.raises(Sealed):
        extract(Source(carried(encrypted(b"x"), "enveloped-data", head="MIME-Version: 1.0\nX-A: b\nX-C: d\nMessage-ID: <>\n"), "a.eml"))


def test_marks_of_openpgp_in_the_text() -> None:
    plain = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{LEASE}\n- -- \nAda\n"
    plain += "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    text, sealed = strip_armour(plain)
    assert (text.split(), sealed) == ([*LEASE.split(), "--", "Ada"], False)
    text, sealed = strip_armour("Dear Ben,\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\nAda")
    assert (text, sealed) == ("Dear Ben,\n\nAda", True)
    assert strip_armour("-----BEGIN PGP MESSAGE-----\ntorn")[1]
    body, (warning,) = read(f"{HEAD}\nDear Ben,\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n".encode())
    assert "Dear Ben" in body
    assert "hQEMA" not in body
    assert "encrypted" in warning


# -- files ---------------------------------------------------------------------------------------------------------------------------


def said(folder: Path, data: bytes, name: str) -> dict[str, str]:
    path = folder / name
    path.write_bytes(data)
    result, members = walk_file(path)
    return {"": text_or_reason(result)} | {inner: text_or_reason(read.outcome) for inner, read in members.items()}


@pytest.mark.parametrize(
    "written",
    [bytes, base64.b64encode, base64.encodebytes, lambda data: b"-----BEGIN PKCS7-----\n" + base64.encodebytes(data) + b"-----END PKCS7-----\n"],
)
def test_signed_files_are_read_under_their_own_name(tmp_path: Path, written: object) -> None:
    assert callable(written)
    found = said(tmp_path, written(signed(b"<bill><sum>12,400</sum></bill>")), "bill.xml.p7m")
    assert "12,400" in found["bill.xml"]
    assert "Signed file with 1 file" in found[""]
    assert said(tmp_path, written(in_pieces(f"# Lease\n\n{LEASE}".encode())), "lease.md.p7m")["lease.md"].endswith(LEASE)
    mailed = said(tmp_path, written(signed(mail("Lease", LEASE))), "smime.p7m")
    assert LEASE in mailed[next(name for name in mailed if name.endswith(".eml") or name == "smime")]


def test_signatures_alone_and_encrypted_files_say_what_they_are(tmp_path: Path) -> None:
    assert "stands beside the file" in said(tmp_path, signed(LEASE.encode(), PKCS7Options.DetachedSignature), "lease.pdf.p7s")[""]
    assert "S/MIME" in said(tmp_path, encrypted(LEASE.encode()), "lease.pdf.p7m")[""]
    assert "OpenPGP" in said(tmp_path, b"-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n", "lease.pdf.asc")[""]
    assert "OpenPGP" in said(tmp_path, b"\x85\x01\x0c\x03" + bytes(range(200)), "lease.pdf.gpg")[""]
    with pytest.raises(Unsupported):
        extract(Source(signed(LEASE.encode(), PKCS7Options.DetachedSignature), "a.p7s"))


def test_a_compressed_bomb_in_a_message_is_stopped() -> None:
    with pytest.raises(LimitExceeded):
        cms.content_of(compressed(bytes(1 << 22)), 1 << 20)
    deep = b"\x24\x80" * 5000
    with pytest.raises(Malformed):
        cms.content_of(
            _endless(0x30, _SIGNED_DATA, _endless(0xA0, _endless(0x30, b"\2\1\1", _value(0x31), _endless(0x30, _DATA, _endless(0xA0, deep))))),
            1 << 20,
        )


@pytest.mark.parametrize("seed", range(40))
def test_damaged_signatures_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(in_pieces(LEASE.encode()) if seed % 2 else signed(LEASE.encode()))
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    with contextlib.suppress(ExtractionError):
        cms.content_of(bytes(data[: chance.randrange(20, len(data))]), 1 << 20)
    with contextlib.suppress(ExtractionError):
        extract(Source(carried(bytes(data)), "a.eml"))


# -- winmail.dat ---------------------------------------------------------------------------------------------------------------------


def _attribute(level: int, kind: int, data: bytes) -> bytes:
    return struct.pack("<BII", level, kind | 0x60000, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def _property(kind: int, identifier: int, value: bytes) -> bytes:
    return struct.pack("<HHII", kind, identifier, 1, len(value)) + value.ljust(-(-len(value) // 4) * 4, b"\0")


def winmail(html: str, files: dict[str, bytes], *, long: bool = True) -> bytes:
    """Outlook's packing of a message's text and its files."""
    named = struct.pack("<HH", 0x1F, 0x8005) + bytes(16) + struct.pack("<II", 1, 8) + "abc\0".encode("utf-16-le")
    named += struct.pack("<II", 1, 4) + "x\0".encode("utf-16-le")
    text = struct.pack("<I", 3) + struct.pack("<HHI", 3, 0x3FDE, 65001) + named + _property(0x102, 0x1013, html.encode())
    made = b"\x78\x9f\x3e\x22\1\0" + _attribute(1, 0x9006, bytes(4)) + _attribute(1, 0x9003, text)
    for number, (name, data) in enumerate(files.items()):
        made += _attribute(2, 0x9002, bytes(14)) + _attribute(2, 0x8010, f"FILE~{number}.TXT\0".encode())
        made += _attribute(2, 0x800F, data)
        if long:
            made += _attribute(2, 0x9005, struct.pack("<I", 1) + _property(0x1F, 0x3707, f"{name}\0".encode("utf-16-le")))
    return made


def test_what_outlook_packs_into_winmail_dat_is_read(tmp_path: Path) -> None:
    packed = winmail(f"<p>{LEASE}</p>", {"Übersicht 2026.txt": b"Miller asks 12,400 euros.", "b.zip": zip_bytes({"c.txt": LEASE})})
    found = said(tmp_path, mail("Lease", "See attached.", {"winmail.dat": packed}), "a.eml")
    assert found["winmail.dat!/message.html"] == LEASE
    assert found["winmail.dat!/Übersicht 2026.txt"] == "Miller asks 12,400 euros."
    assert found["winmail.dat!/b.zip!/c.txt"] == LEASE
    short = said(tmp_path, winmail("", {"x": b"Miller asks 12,400 euros."}, long=False), "winmail.dat")
    assert short["FILE~0.TXT"] == "Miller asks 12,400 euros."


@pytest.mark.parametrize("seed", range(40))
def test_damaged_winmail_dat_keeps_what_it_gave_or_says_so(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(winmail(f"<p>{LEASE}</p>", {"a.txt": b"Miller asks 12,400 euros.", "b.txt": b"y" * 100}))
    for _ in range(chance.randint(0, 8)):
        data[chance.randrange(6, len(data))] = chance.randrange(256)
    path = tmp_path / "winmail.dat"
    path.write_bytes(data[: chance.randrange(30, len(data))])
    result, _ = walk_file(path)
    assert isinstance(result, Extraction | Failure)
    if isinstance(result, Failure):
        assert result.error in {"Malformed", "Empty"}
