"""OLE containers: streams by name, and an end for each that is damaged on purpose."""

from __future__ import annotations

import contextlib
import random
import struct
import tracemalloc

import pytest

from core.errors import ExtractionError, Malformed
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from tests.support.ole_files import Tree, compound_bytes, workbook_stream

_SECTOR = 512
_LARGE = bytes(range(256)) * 40


def _allocation_at(data: bytes | bytearray) -> int:
    return (int(struct.unpack_from("<I", data, 76)[0]) + 1) * _SECTOR


def _entry_at(data: bytes | bytearray, name: str) -> int:
    return data.index(name.encode("utf-16-le") + b"\0\0")


def test_small_and_large_streams_are_read_and_others_are_empty() -> None:
    container = CompoundFile(compound_bytes({"Small": b"a few bytes", "Large": _LARGE, "Storage": {"Inner": b"deep"}}))
    assert container.stream("Small") == b"a few bytes"
    assert container.stream("LARGE") == _LARGE
    assert container.stream("Inner") == b""
    assert container.stream("Storage") == b""
    assert container.stream("Absent") == b""


def test_what_is_embedded_does_not_stand_for_the_document_itself() -> None:
    inner: dict[str, bytes | Tree] = {"Workbook": workbook_stream({"Within": [["not this"]]})}
    outer: Tree = {"Workbook": workbook_stream({"Costs": [["this one"]]}), "MBD0001": inner}
    assert extract(Source(compound_bytes(outer), "a.xls")).text.endswith("this one")


def test_a_container_whose_table_is_too_long_for_its_header_is_read() -> None:
    content = random.Random(1).randbytes(20 << 20)
    assert CompoundFile(compound_bytes({"Large": content})).stream("Large") == content


@pytest.mark.parametrize("size", [3000, 50_000, 0xFFFFFFF0])
def test_a_stream_that_runs_in_circles_ends_within_the_size_of_the_file(size: int) -> None:
    data = bytearray(compound_bytes({"Large": _LARGE}))
    struct.pack_into("<I", data, _allocation_at(data), 0)  # its first sector is followed by itself
    struct.pack_into("<I", data, _entry_at(data, "Large") + 120, size)
    tracemalloc.start()
    with contextlib.suppress(Malformed):
        assert len(CompoundFile(bytes(data)).stream("Large")) <= len(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


@pytest.mark.parametrize(("at", "value"), [(44, 0xFFFFFFFF), (64, 0xFFFFFFFF), (72, 0xFFFFFFFF), (72, 5)])
def test_counts_of_sectors_beyond_the_file_take_no_memory(at: int, value: int) -> None:
    data = bytearray(compound_bytes({"Small": b"a few bytes", "Large": _LARGE}))
    struct.pack_into("<I", data, at, value)
    tracemalloc.start()
    with contextlib.suppress(Malformed):
        CompoundFile(bytes(data)).stream("Small")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000


def test_a_list_of_the_table_that_runs_in_circles_is_damage() -> None:
    data = bytearray(compound_bytes({"Large": b"x" * (8 << 20)}))
    listing = struct.unpack_from("<I", data, 68)[0]
    struct.pack_into("<I", data, (listing + 1) * _SECTOR + 508, listing)  # the sector of the list is followed by itself
    struct.pack_into("<I", data, 72, 0x2000000)
    struct.pack_into("<I", data, 44, 0xFFFFFFFF)
    with pytest.raises(Malformed):
        CompoundFile(bytes(data))


def test_a_stream_whose_end_is_missing_is_cut_off() -> None:
    data = compound_bytes({"A": b"a" * 5000, "Large": _LARGE})
    whole = CompoundFile(data).stream("Large")
    moved = bytearray(data)
    start = struct.unpack_from("<I", data, _entry_at(data, "Large") + 116)[0]
    table = _allocation_at(data)
    struct.pack_into("<I", moved, table + 4 * start, len(data) // _SECTOR + 100)
    with pytest.raises(Malformed, match="cut off"):
        CompoundFile(bytes(moved)).stream("Large")
    struct.pack_into("<I", moved, table + 4 * start, 0xFFFFFFFE)  # it says itself that it ends here
    assert CompoundFile(bytes(moved)).stream("Large") == whole[:_SECTOR]


@pytest.mark.parametrize("data", [b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600])
def test_less_than_a_container_is_damage(data: bytes) -> None:
    with pytest.raises(Malformed):
        CompoundFile(data)


def test_entries_that_stand_in_one_endless_line_are_damage() -> None:
    """Entries are a tree: thousands below one another are no file that Office wrote."""
    with pytest.raises(Malformed):
        CompoundFile(compound_bytes({f"S{number}": b"x" for number in range(5000)}))


@pytest.mark.parametrize("seed", range(60))
def test_damaged_containers_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(compound_bytes({"Workbook": workbook_stream({"Costs": [["Area", 1.0]] * 200}), "A": b"small"}))
    places = [range(24, 512), range(_allocation_at(data), _allocation_at(data) + 512), range(512, len(data))][seed % 3]
    for _ in range(chance.randint(1, 20)):
        data[chance.choice(places)] = chance.randrange(256)
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        extract(Source(bytes(data[: chance.choice([len(data), chance.randrange(600, len(data))])]), "a.xls"))
