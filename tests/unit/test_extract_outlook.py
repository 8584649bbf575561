"""Outlook messages: headers, the three forms of a body, attachments by name, and sealed ones."""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.documents import ExtractedDocument
from core.errors import Empty, Encrypted, ExtractionError
from core.format_table import FileType
from ingestion.readers.base.source import Source
from ingestion.readers.mail.outlook_rtf import decompress_rtf
from ingestion.readers.member_openers import container_members
from ingestion.readers.registry import extract
from tests.support.containers import mail, text_or_reason, walk_file
from tests.support.ole_files import Tree, compound_bytes
from tests.unit.test_sealed_mail import in_pieces

# The example of the standard (MS-OXRTFCP 3.1.1).
_PACKED = bytes.fromhex("2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0")


def _message(
    texts: Mapping[int, str], binary: Mapping[int, bytes] | None = None, attached: list[tuple[str, str]] | None = None, content: bytes = b"content"
) -> bytes:
    sent = int((datetime(2024, 5, 2, 10, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
    tree: dict[str, bytes | Tree] = {f"__substg1.0_{key:04X}001F": value.encode("utf-16-le") for key, value in texts.items()}
    tree |= {f"__substg1.0_{key:04X}0102": value for key, value in (binary or {}).items()}
    tree["__properties_version1.0"] = b"\0" * 32 + struct.pack("<HHIQ", 0x40, 0x0039, 0, sent) + struct.pack("<HHIQ", 3, 0x3FDE, 0, 1252)
    for number, (name, mime) in enumerate(attached or []):
        tree[f"__attach_version1.0_#{number:08X}"] = {
            "__substg1.0_3707001F": name.encode("utf-16-le"),
            "__substg1.0_370E001F": mime.encode("utf-16-le"),
            "__substg1.0_37010102": content,
            "__properties_version1.0": b"\0" * 8
            + struct.pack("<HHIQ", 0x1F, 0x3707, 0, 2 * len(name))
            + struct.pack("<HHIQ", 0x102, 0x3701, 0, len(content))
            + struct.pack("<HHIQ", 3, 0x3705, 0, 1),
        }
    return compound_bytes(tree)


_HEADERS = {0x0037: "Lease", 0x0C1A: "Ann Lee", 0x0C1F: "ann@example.org", 0x0E04: "Bob", 0x001A: "IPM.Note"}


def _read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "a.msg"))


def test_headers_body_and_attachments() -> None:
    document = _read(_message({**_HEADERS, 0x1000: "Dear Bob,\r\n\r\nthe rent is due."}, attached=[("annex.pdf", "application/pdf"), ("b.txt", "")]))
    assert [document.text[block.start : block.end] for block in document.blocks] == [
        "From: Ann Lee <ann@example.org>\nTo: Bob\nDate: 2024-05-02 10:00:00+00:00\nSubject: Lease",
        "Dear Bob,",
        "the rent is due.",
        "Attachments: annex.pdf, b.txt",
    ]
    assert (document.metadata.title, document.metadata.authors) == ("Lease", ("Ann Lee <ann@example.org>",))
    assert document.metadata.created_at == datetime(2024, 5, 2, 10, tzinfo=UTC)


def test_html_is_read_where_there_is_no_text() -> None:
    document = _read(_message(_HEADERS, {0x1013: "<table><tr><td>Café</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>".encode("cp1252")}))
    assert document.tables[0].rows == (("Café", "1"), ("b", "2"))


def _stored(rtf: str) -> bytes:
    data = rtf.encode("cp1252")
    return struct.pack("<4I", len(data) + 12, len(data), 0x414C454D, 0) + data


def test_rtf_is_read_as_the_html_it_wraps_or_as_itself() -> None:
    wrapped = r"{\rtf1\ansi\ansicpg1252\fromhtml1{\fonttbl{\f0 Arial;}}{\*\htmltag84 <h1>}"
    wrapped += r"\htmlrtf {\b\htmlrtf0 Caf\'e9\htmlrtf }\htmlrtf0{\*\htmltag92 </h1>}x}"
    document = _read(_message(_HEADERS, {0x1009: _stored(wrapped)}))
    assert [section.path for section in document.sections][-1] == ("Café",)
    assert _read(_message(_HEADERS, {0x1009: _stored(r"{\rtf1\ansi The rent\par}")})).text.endswith("The rent")


def test_compressed_rtf_as_the_standard_shows_it() -> None:
    assert decompress_rtf(_PACKED, 1000) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert decompress_rtf(b"short", 1000) == b""


@pytest.mark.parametrize("mime", ["application/pgp-encrypted", "application/pkcs7-mime", "application/x-microsoft-rpmsg-message"])
def test_sealed_messages_say_so(mime: str) -> None:
    document = _read(_message(_HEADERS, attached=[("smime.p7m", mime)]))
    assert "encrypted" in document.warnings[0]
    with pytest.raises(Encrypted):
        extract(Source(_message({}, attached=[("", mime)]).replace(struct.pack("<HH", 0x40, 0x0039), b"\0\0\0\0"), "a.msg"))


@pytest.mark.parametrize(
    ("kind", "mime", "round_it"),
    [("IPM.Note.SMIME.MultipartSigned", "multipart/signed", False), ("IPM.Note.SMIME", "application/pkcs7-mime", True)],
)
def test_signed_messages_are_read(kind: str, mime: str, round_it: bool, tmp_path: Path) -> None:
    inner = mail("Lease", "The rent is due in May.", {"offer.txt": b"Miller asks 12,400 euros."})
    beside = (
        b'MIME-Version: 1.0\nContent-Type: multipart/signed; boundary="s"\n\n--s\n'
        + inner
        + b"\n--s\nContent-Type: application/pkcs7-signature\n\n--s--\n"
    )
    data = _message({**_HEADERS, 0x001A: kind}, attached=[("smime.p7m", mime)], content=in_pieces(inner) if round_it else beside)
    document = _read(data)
    assert "The rent is due in May." in document.text
    assert "Attachments: offer.txt" in document.text
    assert not document.warnings
    path = tmp_path / "signed.msg"
    path.write_bytes(data)
    _, members = walk_file(path)
    assert {inner: text_or_reason(read.outcome) for inner, read in members.items()} == {"offer.txt": "Miller asks 12,400 euros."}


def test_attached_files_are_members_by_the_name_they_have_and_objects_are_refused() -> None:
    texts: dict[str, bytes | Tree] = {"__substg1.0_0037001F": "Lease".encode("utf-16-le")}
    texts["__attach_version1.0_#00000000"] = {"__substg1.0_3704001E": b"OFFER~1.TXT", "__substg1.0_37010102": b"12,400 euros"}
    texts["__attach_version1.0_#00000001"] = {"__substg1.0_3707001F": "call.msg".encode("utf-16-le"), "__substg1.0_3701000D": {"x": b"y"}}
    texts["__attach_version1.0_#00000002"] = {"__substg1.0_37010102": b""}
    found = list(container_members(Source(compound_bytes(texts), "a.msg"), FileType.MSG))
    assert [(each.name, each.packed_size) for each in found] == [("OFFER~1.TXT", 12), ("call.msg", 0), ("attachment 3", 0)]
    assert [each.refusal is not None for each in found] == [False, True, False]
    with found[0].open() as file:
        assert file.read() == b"12,400 euros"


def test_an_attachment_that_runs_in_circles_is_no_larger_than_its_message() -> None:
    data = bytearray(_message(_HEADERS, attached=[("a.txt", "text/plain")], content=b"x" * 5000))
    entry = data.index("__substg1.0_37010102".encode("utf-16-le"))
    start = struct.unpack_from("<I", data, entry + 116)[0]
    struct.pack_into("<I", data, entry + 120, 0xFFFFFFF0)
    table = (struct.unpack_from("<I", data, 76)[0] + 1) * 512
    struct.pack_into("<I", data, table + 4 * start, start)
    (member,) = container_members(Source(bytes(data), "a.msg"), FileType.MSG)
    assert member.packed_size <= len(data)


def test_a_message_without_anything_is_empty() -> None:
    data = _message({0x001A: "IPM.Note"}).replace(struct.pack("<HH", 0x40, 0x0039), b"\0\0\0\0")
    with pytest.raises(Empty):
        _read(data)


@pytest.mark.parametrize("seed", range(16))
def test_damaged_messages_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    data = bytearray(_message({**_HEADERS, 0x1000: "the rent"}, {0x1009: _PACKED}, attached=[("a", "b")]))
    for step in range(seed + 512, len(data), 31 + 17 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        _read(bytes(data))
