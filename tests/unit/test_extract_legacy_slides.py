"""PowerPoint 97: slides in the order of the show with titles, tables and notes."""

from __future__ import annotations

import contextlib
import hashlib
import random
import struct

import pytest

from core.documents import ExtractedDocument
from core.errors import Encrypted, ExtractionError, Malformed, Sealed
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.source import Source
from ingestion.readers.legacy import soffice
from ingestion.readers.registry import extract
from tests.support.ole_files import compound_bytes, rc4_stream


@pytest.fixture(autouse=True)
def no_office(monkeypatch: pytest.MonkeyPatch) -> None:
    """LibreOffice is not installed, whatever this machine has."""
    monkeypatch.setattr(soffice, "_PROGRAMS", ())
    monkeypatch.setattr(soffice, "_PLACES", ())


def _record(kind: int, body: bytes, *, instance: int = 0, container: bool = False) -> bytes:
    return struct.pack("<HHI", instance << 4 | (0xF if container else 0), kind, len(body)) + body


def _holder(kind: int, *children: bytes, instance: int = 0) -> bytes:
    return _record(kind, b"".join(children), instance=instance, container=True)


def _text(kind: int, text: str) -> bytes:
    return _record(3999, struct.pack("<I", kind)) + _record(4000, text.encode("utf-16-le"))


def _shape(*parts: bytes, anchor: tuple[int, int, int, int] | None = None) -> bytes:
    place = _record(0xF00F, struct.pack("<4i", *anchor)) if anchor else b""
    return _holder(0xF004, place, _holder(0xF00D, *parts))


def _slide(*shapes: bytes, notes: int = 0, hidden: bool = False) -> bytes:
    show = _record(1017, b"\0" * 10 + bytes([4 if hidden else 0, 0]))
    return _holder(1006, _record(1007, struct.pack("<I8sIII", 0, b"", 0, notes, 0)), show, _holder(1036, _holder(0xF003, *shapes)))


def _presentation(slides: list[bytes], order: list[int], *, outline: dict[int, bytes] | None = None, notes: bytes = b"", token: int = 0) -> bytes:
    """Slides as they lie in the file, shown in `order`; the outline's texts by slide. Notes have the identifier 900."""
    stream, places = b"", {}
    for number, slide in enumerate([*slides, notes], start=2):
        places[number] = len(stream)
        stream += slide
    listed = b"".join(_record(1011, struct.pack("<5I", 2 + at, 0, 0, 256 + at, 0)) + (outline or {}).get(at, b"") for at in order)
    noted = _record(1011, struct.pack("<5I", 2 + len(slides), 0, 0, 900, 0))
    places[1] = len(stream)
    stream += _holder(1000, _holder(4080, listed), _holder(4080, noted, instance=2))
    directory = len(stream)
    stream += _record(6002, struct.pack(f"<I{len(places)}I", 1 | len(places) << 20, *(places[number] for number in sorted(places))))
    edit = len(stream)
    stream += _record(4085, struct.pack("<IIIIIII", 0, 0, 0xFFFFFFFF, directory, 1, 99, 0))
    user = _record(4086, struct.pack("<IIIHH", 0x14, token, edit, 0, 0))
    return compound_bytes({"PowerPoint Document": stream, "Current User": user})


def _read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "a.ppt"))


def _blocks(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def test_slides_in_the_order_of_the_show_with_titles_outline_and_notes() -> None:
    first = _slide(_shape(_text(1, "Rent\rHeat")), _shape(_text(0, "Costs\x0bof the year")), notes=900)
    second = _slide(_shape(_record(3998, struct.pack("<I", 0))), _shape(_text(4, "A box")), hidden=True)
    notes = _holder(1008, _holder(1036, _shape(_text(2, "Say hello"))))
    document = _read(_presentation([second, first], [1, 0], outline={0: _text(0, "Plan")}, notes=notes))
    assert _blocks(document) == [
        ("heading", "Costs of the year"),
        ("list_item", "Rent"),
        ("list_item", "Heat"),
        ("note", "Say hello"),
        ("heading", "Plan"),
        ("paragraph", "A box"),
    ]
    assert [page.label for page in document.pages] == ["1", "2 (hidden)"]
    assert "LibreOffice" in document.warnings[0]


def test_tables_are_found_by_the_places_of_their_cells() -> None:
    marked = _holder(0xF004, _record(0xF122, struct.pack("<HI", 0x039F, 1), instance=1))
    cells = [
        _shape(_text(4, "Area"), anchor=(0, 0, 10, 20)),
        _shape(_text(4, "Cost"), anchor=(10, 0, 20, 10)),
        _shape(_text(4, "2024"), anchor=(10, 10, 20, 20)),
        _shape(_text(4, "North"), anchor=(0, 20, 10, 30)),
        _shape(_text(4, "7"), anchor=(10, 20, 20, 30)),
    ]
    (table,) = _read(_presentation([_slide(_holder(0xF003, marked, *cells))], [0])).tables
    assert table.rows == (("Area", "Cost"), ("Area", "2024"), ("North", "7"))
    assert table.spans == ((0, 0, 2, 1),)


_SALT, _VERIFIER = bytes(range(16)), bytes(range(40, 56))


def _locked(data: bytes, password: str, *, bits: int = 128) -> bytes:
    """The presentation with each of its objects under RC4 by CryptoAPI; the key's block is the object's number (MS-PPT 2.3.7)."""
    container = CompoundFile(data)
    stream, user = bytearray(container.stream("PowerPoint Document")), container.stream("Current User")
    edit = struct.unpack_from("<I", user, 16)[0]
    directory = struct.unpack_from("<I", stream, edit + 8 + 12)[0]
    count = struct.unpack_from("<I", stream, directory + 8)[0] >> 20
    base = hashlib.sha1(_SALT + password.encode("utf-16-le")).digest()

    def key(block: int) -> bytes:
        return hashlib.sha1(base + struct.pack("<I", block)).digest()[: bits // 8]

    numbers: dict[int, int] = {}
    for number, place in enumerate(struct.unpack_from(f"<{count}I", stream, directory + 12), start=1):
        numbers.setdefault(place, number)  # notes that are empty share their place with what follows
    for place, number in numbers.items():
        end = place + 8 + struct.unpack_from("<I", stream, place + 4)[0]
        stream[place:end] = rc4_stream(lambda _, number=number: key(number), bytes(stream[place:end]), 1 << 20)  # type: ignore[misc]
    sealed = rc4_stream(key, _VERIFIER + hashlib.sha1(_VERIFIER).digest(), 1024)
    header = struct.pack("<8I", 4, 0, 0x6801, 0x8004, bits, 1, 0, 0) + "x\0".encode("utf-16-le")
    information = (
        struct.pack("<HHII", 2, 2, 4, len(header)) + header + struct.pack("<I", 16) + _SALT + sealed[:16] + struct.pack("<I", 20) + sealed[16:]
    )
    session = len(stream)
    stream += _record(12052, information)
    second = len(stream)
    places = struct.unpack_from(f"<{count}I", stream, directory + 12)
    stream += _record(6002, struct.pack(f"<I{count + 1}I", 1 | (count + 1) << 20, *places, session))
    last = len(stream)
    stream += _record(4085, struct.pack("<8I", 0, 0, 0xFFFFFFFF, second, 1, 99, 0, count + 1))
    return compound_bytes({"PowerPoint Document": bytes(stream), "Current User": _record(4086, struct.pack("<IIIHH", 0x14, 0xF3D1C4DF, last, 0, 0))})


def test_encrypted_presentations_open_with_their_password() -> None:
    plain = _presentation([_slide(_shape(_text(0, "Lease"))), _slide(_shape(_text(4, "Two years at Halden.")))], [0, 1])
    data = _locked(plain, "rosebud")
    document = extract(Source(data, "a.ppt", password="rosebud"))
    assert _blocks(document) == [("heading", "Lease"), ("paragraph", "Two years at Halden.")]
    assert "locked" in document.warnings[0]
    with pytest.raises(Encrypted, match="does not open"):
        extract(Source(data, "a.ppt", password="another"))
    with pytest.raises(Encrypted, match="needs a password") as caught:
        _read(data)
    assert not isinstance(caught.value, Sealed)


def test_a_presentation_under_the_password_of_powerpoint_itself_is_open() -> None:
    assert "Lease" in _read(_locked(_presentation([_slide(_shape(_text(0, "Lease")))], [0]), "/01Hannes Ruescher/01")).text


@pytest.mark.parametrize("seed", range(40))
def test_damaged_encrypted_presentations_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    data = bytearray(_locked(_presentation([_slide(_shape(_text(0, "Lease")))], [0]), "rosebud"))
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 30)):
        data[chance.randrange(512, len(data))] = chance.randrange(256)
    with contextlib.suppress(ExtractionError):
        extract(Source(bytes(data), "a.ppt", password="rosebud"))


def test_encrypted_presentations_without_their_tables_are_said_to_be_damaged() -> None:
    with pytest.raises(Malformed, match="encrypted"):
        _read(_presentation([_slide()], [0], token=0xF3D1C4DF))


def test_without_its_tables_all_texts_are_read_with_a_warning() -> None:
    data = compound_bytes({"PowerPoint Document": _slide(_shape(_text(0, "Plan")), _shape(_text(4, "A box"))), "Current User": b"\0" * 40})
    document = _read(data)
    assert document.text == "Plan\n\nA box"
    assert "order of the slides" in document.warnings[0]


def test_a_presentation_without_slides_is_malformed() -> None:
    with pytest.raises(Malformed):
        _read(compound_bytes({"PowerPoint Document": b"x", "Current User": b""}))


@pytest.mark.parametrize("seed", range(16))
def test_damaged_presentations_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    data = bytearray(_presentation([_slide(_shape(_text(0, "Plan")))] * 4, [0, 1, 2, 3]))
    for step in range(seed + 512, len(data), 31 + 17 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        _read(bytes(data))
