"""Passwords that are given with a file: the right one opens it, a wrong one is said to be wrong, none is asked for."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import random
import struct
from collections.abc import Callable

import pytest

from core.errors import Encrypted, ExtractionError, Sealed
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.source import Source
from ingestion.readers.legacy import soffice
from ingestion.readers.legacy.biff import records
from ingestion.readers.registry import extract
from tests.support.ole_files import compound_bytes, rc4_stream, record, workbook_stream
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
    moved = _marked(b"\1\0" + header)
    return compound_bytes({"Workbook": _with_bodies(moved, rc4_stream(key, moved, 1024))})


def _marked(header: bytes) -> bytes:
    """A workbook that says that it is encrypted; the sheets lie further on by the length of the new record."""
    rows: list[list[str | float]] = [["Area", "Cost"]]
    rows += [[f"North {n}", float(n)] for n in range(90)]
    plain, locked = workbook_stream({"Costs": rows}), record(0x002F, header)
    stream = bytearray(plain[:20] + locked + plain[20:])
    for kind, begin, _ in records(bytes(stream)):
        if kind == 0x0085:
            struct.pack_into("<I", stream, begin, struct.unpack_from("<I", stream, begin)[0] + len(locked))
    return bytes(stream)


def _with_bodies(moved: bytes, sealed: bytes) -> bytes:
    """The stream with the bodies of its records as they are in `sealed`, where they are encrypted."""
    stream = bytearray(moved)
    for kind, begin, end in records(moved):
        if kind not in (0x0809, 0x002F):
            first = begin + 4 * (kind == 0x0085)
            stream[first:end] = sealed[first:end]
    return bytes(stream)


# What Excel writes for the password "abc", and the sixteen bytes that it then takes (MS-OFFCRYPTO 2.3.7.2, each turned by three bits).
_XOR_HEADER, _XOR_BYTES = bytes.fromhex("00004a511acc"), bytes.fromhex("accca4abd6bac3bad6a32b45d37929bb")


def _obfuscated() -> bytes:
    moved = _marked(_XOR_HEADER)
    sealed = bytearray(moved)
    for _, begin, end in records(moved):
        for at in range(begin, end):
            byte = moved[at] ^ _XOR_BYTES[(at - begin + end) % 16]
            sealed[at] = (byte << 5 | byte >> 3) & 0xFF
    return compound_bytes({"Workbook": _with_bodies(moved, bytes(sealed))})


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


def test_workbooks_that_are_obfuscated_open_with_their_password() -> None:
    assert "North 89 | 89" in extract(Source(_obfuscated(), "a.xls", password="abc")).text
    for wrong in ("abd", "a password that is longer than fifteen letters", "ключ"):
        with pytest.raises(Encrypted, match="does not open"):
            extract(Source(_obfuscated(), "a.xls", password=wrong))


def test_no_password_gets_into_a_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for way in (_short, _long):
        extract(Source(_workbook(way, "rosebud"), "a.xls", password="rosebud"))
    assert "rosebud" not in caplog.text


@pytest.mark.parametrize("seed", range(30))
def test_damaged_locked_workbooks_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    chance = random.Random(seed)
    made = [lambda: _workbook(_short, "abc"), lambda: _workbook(_long, "abc"), _obfuscated][seed % 3]
    data = bytearray(made())
    for _ in range(chance.randint(1, 40)):
        data[chance.randrange(512, 800 if seed % 2 else len(data))] = chance.randrange(256)
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        extract(Source(bytes(data), "a.xls", password="abc"))


def test_a_header_that_is_cut_off_is_no_way_that_is_known() -> None:
    with pytest.raises(Sealed):
        extract(Source(compound_bytes({"Workbook": _marked(b"\1\0" + _long("abc")[0][:20])}), "a.xls", password="abc"))
