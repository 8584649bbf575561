"""Passwords that are given with a file: the right one opens it, a wrong one is said to be wrong, none is asked for."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable

import pytest

from core.errors import Encrypted
from ingestion.extractors.compound import CompoundFile
from ingestion.extractors.legacy import soffice
from ingestion.extractors.legacy.biff import records
from ingestion.extractors.legacy.ciphers import rc4_stream
from ingestion.extractors.registry import extract
from ingestion.extractors.source import Source
from tests.support.ole_files import compound_bytes, record, workbook_stream
from tests.support.word_files import doc_bytes

_SALT, _VERIFIER = bytes(range(16)), bytes(range(40, 56))


def _short(password: str) -> tuple[bytes, Callable[[int], bytes]]:
    """The header of RC4 with 40 bits, and the keys of its blocks (MS-OFFCRYPTO 2.3.6)."""
    first = hashlib.md5(password.encode("utf-16-le")).digest()[:5]
    base = hashlib.md5((first + _SALT) * 16).digest()[:5]

    def key(block: int) -> bytes:
        return hashlib.md5(base + struct.pack("<I", block)).digest()

    sealed = rc4_stream(key, _VERIFIER + hashlib.md5(_VERIFIER).digest(), 1024)
    return struct.pack("<HH", 1, 1) + _SALT + sealed, key


def _long(password: str) -> tuple[bytes, Callable[[int], bytes]]:
    """The header of RC4 by CryptoAPI with 128 bits (2.3.5)."""
    base = hashlib.sha1(_SALT + password.encode("utf-16-le")).digest()

    def key(block: int) -> bytes:
        return hashlib.sha1(base + struct.pack("<I", block)).digest()[:16]

    header = struct.pack("<8I", 4, 0, 0x6801, 0x8004, 128, 1, 0, 0) + "x\0".encode("utf-16-le")
    sealed = rc4_stream(key, _VERIFIER + hashlib.sha1(_VERIFIER).digest(), 1024)
    return struct.pack("<HHII", 2, 2, 4, len(header)) + header + struct.pack("<I", 16) + _SALT + sealed[:16] + struct.pack("<I", 20) + sealed[
        16:
    ], key


def _workbook(way: Callable[[str], tuple[bytes, Callable[[int], bytes]]], password: str) -> bytes:
    header, key = way(password)
    rows: list[list[str | float]] = [["Area", "Cost"]]
    rows += [[f"North {n}", float(n)] for n in range(90)]
    plain = workbook_stream({"Costs": rows})
    locked = record(0x002F, b"\1\0" + header)
    # The sheets lie further on by the length of the new record.
    moved = plain[:20] + locked + plain[20:]
    stream = bytearray(moved)
    sealed = rc4_stream(key, moved, 1024)
    for kind, begin, end in records(moved):
        if kind == 0x0085:
            struct.pack_into("<I", stream, begin, struct.unpack_from("<I", moved, begin)[0] + len(locked))
            stream[begin + 4 : end] = sealed[begin + 4 : end]
        elif kind not in (0x0809, 0x002F):
            stream[begin:end] = sealed[begin:end]
    return compound_bytes({"Workbook": bytes(stream)})


@pytest.mark.parametrize("way", [_short, _long])
def test_workbooks_open_with_their_password(way: Callable[[str], tuple[bytes, Callable[[int], bytes]]]) -> None:
    data = _workbook(way, "rosebud")
    assert "North 89 | 89" in extract(Source(data, "a.xls", password="rosebud")).text
    with pytest.raises(Encrypted, match="does not open"):
        extract(Source(data, "a.xls", password="wrong"))
    with pytest.raises(Encrypted, match="needs a password"):
        extract(Source(data, "a.xls"))


def test_a_workbook_under_the_password_of_excel_itself_is_open() -> None:
    assert "North 89" in extract(Source(_workbook(_short, "VelvetSweatshop"), "a.xls")).text


@pytest.mark.parametrize("way", [_short, _long])
def test_documents_open_with_their_password(way: Callable[[str], tuple[bytes, Callable[[int], bytes]]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soffice, "_PROGRAMS", ())
    monkeypatch.setattr(soffice, "_PLACES", ())
    header, key = way("rosebud")
    plain = doc_bytes([("Lease\r", 1, b""), ("Two years.\r", 0, b"")], flags=0x0300, before_table=header)
    container = CompoundFile(plain)
    document, table = container.stream("WordDocument"), container.stream("1Table")
    sealed = document[:68] + rc4_stream(key, document, 512)[68:]
    data = compound_bytes({"WordDocument": sealed, "1Table": table[: len(header)] + rc4_stream(key, table, 512)[len(header) :]})
    assert extract(Source(data, "a.doc", password="rosebud")).text == "Lease\n\nTwo years."
    with pytest.raises(Encrypted, match="does not open"):
        extract(Source(data, "a.doc", password="wrong"))
