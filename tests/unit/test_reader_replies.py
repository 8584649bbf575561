"""What passes from a worker to the server: data of known types, whatever a worker sends."""

from __future__ import annotations

import json
import math
import pickle
import zlib
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from core import errors
from core.documents import Block, BlockKind, DocumentFigure, DocumentProfile, ExtractedDocument, Metadata, PageUnit, Section, Table
from core.errors import Malformed
from core.graph import DocumentGraph, EntityType, FoundEntity, FoundRelationship
from core.recognized_lines import LinePlace, PagePlaces, pack_lines, unpack_lines
from core.tables import Column, ColumnType, RowKind, TypedTable
from ingestion.workers import result_codec
from ingestion.workers.result_codec import make_error, pack_result, unpack_path, unpack_progress, unpack_result
from ingestion.workers.worker_protocol import HEADER, EndOfRequest, Extraction, Failure, FrameKind, MemberRead, ReadResult

TEXT = "Quay 7 \u2028 \N{GRINNING FACE} is let for 1,000 \x00 £.\n"
METADATA = Metadata("Lease", ("Ann",), datetime(2026, 1, 2, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=2))), "en", {"a": "b"})
DOCUMENT = ExtractedDocument(
    TEXT,
    (Block(BlockKind.PARAGRAPH, 0, len(TEXT), 1),),
    (Section(("Lease", "1"), 0, len(TEXT)),),
    (Table(0, 4, (("Quay", "7"),), ((0, 4),), spans=((0, 0, 1, 2),)),),
    (),
    PageUnit.NONE,
    METADATA,
    "txt",
    places=(PagePlaces(1, 0, 4, bytes(range(256))),),
    figures=(DocumentFigure(3, data=b"\xff\xd8\x00"),),
)
PROFILE = DocumentProfile("Lease", "", "", ("quay",), (), "en", "contract", written_on=date(2026, 1, 2))
GRAPH = DocumentGraph(
    (FoundEntity("quay 7", "Quay 7", EntityType.LOCATION, ((0, 6),), properties={"value": 7, "share": 0.5, "of": None, "is": True}),),
    (FoundRelationship(0, 0, "RELATED_TO", 0.5, 0, 6),),
)
TABLES = (TypedTable(1, (Column(name="Sum", type=ColumnType.NUMBER),), (RowKind.DATA,), ((math.inf, -1.5, True, "s", None),), 1),)
EXTRACTION = Extraction(DOCUMENT, PROFILE, "0" * 64, len(TEXT), GRAPH, "", False, TABLES)
FAILURE = Failure("Encrypted", "It needs a password.", "a" * 64, 5, worn=True)


def sent(value: ReadResult | MemberRead) -> tuple[FrameKind, bytes]:
    head, body = pack_result(value)
    kind, size = HEADER.unpack(head)
    assert size == len(body)
    return FrameKind(kind), body


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (EXTRACTION, FrameKind.REPLY),
        (FAILURE, FrameKind.FAILED),
        (EndOfRequest(), FrameKind.ALL_READ),
        (MemberRead("a.zip!/b.txt", "a.zip", None, "0" * 64, 3), FrameKind.MEMBER),
        (MemberRead("b.txt", "", FAILURE), FrameKind.MEMBER),
    ],
)
def test_what_is_sent_comes_whole(value: ReadResult | MemberRead, kind: FrameKind) -> None:
    found, body = sent(value)
    received = unpack_result(found, body)
    assert found is kind
    assert (replace(received, weight=0) if isinstance(received, Extraction) else received) == value


def test_a_member_comes_whole_and_weighs_its_bytes() -> None:
    kind, body = sent(MemberRead("b.txt", "", EXTRACTION))
    assert unpack_result(kind, body) == MemberRead("b.txt", "", replace(EXTRACTION, weight=len(body)))


def changed(path: str, value: Any) -> bytes:
    """The extraction's JSON with another value in one place ("document/blocks/0/end")."""
    whole = json.loads(sent(EXTRACTION)[1])
    at: Any = whole
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("/"))
    for step in steps:
        at = at[step]
    at[last] = value
    return json.dumps(whole).encode()


class Harmful:
    """Whoever unpickles it runs what it names."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("code of a reply was run",)


@pytest.mark.parametrize(
    "body",
    [
        pickle.dumps(Harmful()),
        pickle.dumps(EXTRACTION),
        b"",
        b"null",
        b"[]",
        b'{"document": {"text": 1}}',
        b"[" * 100_000,
        b'{"file_size":' + b"9" * 10_000 + b"}",
        b"\xff\xfe",
        changed("document/blocks/0/end", len(TEXT) + 1),
        changed("document/blocks/0/start", -1),
        changed("document/blocks/0/kind", "macro"),
        changed("document/blocks/0/page", 1 << 60),
        changed("document/tables/0/row_spans/0", [0, 10_000]),
        changed("document/places/0/end", 10_000),
        changed("document/figures/0/offset", 10_000),
        changed("document/blocks", [[1]] * 100_000),
        changed("graph/entities/0/mentions/0", [5, 4]),
        changed("graph/relationships/0/target", 1),
        changed("content_hash", "../../library.db"),
        changed("content_hash", "0" * 63 + "\n"),
        changed("file_size", -1),
        changed("tables/0/values/0/0", {"a": 1}),
    ],
)
def test_a_reply_that_is_none_is_the_files_failure(body: bytes) -> None:
    with pytest.raises(Malformed, match="damaged"):
        unpack_result(FrameKind.REPLY, body)


def test_a_reply_of_too_many_values_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_codec, "MAX_VALUES", 1000)
    with pytest.raises(Malformed, match="more than 1,000 values"):
        unpack_result(FrameKind.REPLY, b"[],[]," * 1000)


def test_progress_and_names_that_are_none_are_failures() -> None:
    assert unpack_progress(b"\x01\0\0\0\x02\0\0\0a.txt") == (1, 2, "a.txt")
    for body in (b"\x01", b"\x01\0\0\0\x02\0\0\0\xff"):
        with pytest.raises(Malformed, match="damaged"):
            unpack_progress(body)
    for body in (b"\xff", b"x" * 100_000):
        with pytest.raises(Malformed, match="damaged"):
            unpack_path(body)


def test_a_frame_that_carries_no_result_has_none() -> None:
    with pytest.raises(Malformed, match="damaged"):
        unpack_result(FrameKind.PIECE, b"{}")


@pytest.mark.parametrize("name", ["Encrypted", "LimitExceeded"])
def test_a_failure_names_an_error_of_ours(name: str) -> None:
    assert type(make_error(Failure(name, "Why."))) is getattr(errors, name)


@pytest.mark.parametrize("name", ["annotations", "__builtins__", "system", "", "__doc__"])
def test_another_name_is_no_error(name: str) -> None:
    assert type(make_error(Failure(name, "Why."))) is Malformed


def test_characters_that_are_none_cost_the_file_and_not_the_reader() -> None:
    kind, body = sent(replace(EXTRACTION, document=replace(DOCUMENT, text="\ud800")))
    failure = unpack_result(kind, body)
    assert isinstance(failure, Failure)
    assert (failure.error, failure.content_hash) == ("Malformed", "0" * 64)
    kind, body = sent(MemberRead("\udcff.txt", "", Failure("Malformed", "\ud800")))
    read = unpack_result(kind, body)
    assert isinstance(read, MemberRead)
    assert (read.path, isinstance(read.outcome, Failure)) == ("?.txt", True)
    kind, body = sent(Failure("Malformed", "no \ud800"))
    assert unpack_result(kind, body) == Failure("Malformed", "no ?")


def test_places_that_unpack_without_end_are_refused() -> None:
    lines = [LinePlace(0, 4, 0.1, 0.1, 0.5, 0.1)]
    assert unpack_lines(pack_lines(lines)) == lines
    with pytest.raises(ValueError, match="more than"):
        unpack_lines(zlib.compress(b" " * (64 << 20)))
