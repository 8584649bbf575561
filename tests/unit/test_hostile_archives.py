"""Archives and mail that were made to harm, or are as odd as real ones: each ends soon, with a reason for what was not read."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from ingestion.archives.member_names import MemberNames, safe_name
from ingestion.workers.worker_protocol import Extraction, Failure
from tests.support.containers import LIMITS, mail, mailbox, text_or_reason, walk_file, zip_bytes

LEASE = "The lease of Halden Street ends in May. Notice is three months, given in writing."
HEAD = b"From: a@example.org\nTo: b@example.org\nSubject: odd\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n"


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def said(path: Path) -> dict[str, str]:
    return {inner: text_or_reason(read.outcome) for inner, read in walk_file(path)[1].items()}


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def overlapping(plain: bytes, count: int) -> bytes:
    """An archive whose members all stand for the same bytes (D. Fifield, "A better zip bomb", WOOT 2019)."""
    packed = _deflated(plain)
    facts = struct.pack("<HHHHIIIH", 0, 8, 0, 33, zlib.crc32(plain), len(packed), len(plain), 1)
    local = b"PK\3\4" + struct.pack("<H", 20) + facts + struct.pack("<H", 0) + b"a" + packed
    entry = b"PK\1\2" + struct.pack("<HH", 20, 20) + facts + struct.pack("<HHHHII", 0, 0, 0, 0, 0, 0) + b"a"
    return local + entry * count + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(entry) * count, len(local), 0)


def test_members_that_share_their_bytes_are_read_once(tmp_path: Path) -> None:
    found = list(said(put(tmp_path, "bomb.zip", overlapping(LEASE.encode(), 50))).values())
    assert found[0] == LEASE
    assert len(found) == 50
    assert all("another member" in reason for reason in found[1:])


def test_members_that_together_unpack_like_a_bomb_are_stopped(tmp_path: Path) -> None:
    zeros = bytes(40 << 20)
    path = put(tmp_path, "many.zip", zip_bytes({f"{number}.bin": zeros for number in range(16)}))
    reasons = list(said(path).values())
    assert not any("bomb" in reason for reason in reasons[:12])
    assert "as an archive bomb does" in reasons[-1]


def test_very_many_members_and_names_that_come_again_and_again(tmp_path: Path) -> None:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr("a.txt", LEASE)
        entry = archive.infolist()[0]
        archive.filelist.extend([entry] * 99_999)
    result, members = walk_file(put(tmp_path, "many.zip", output.getvalue()), limits=replace(LIMITS, members=500))
    assert isinstance(result, Extraction)
    assert not result.complete
    assert "first 500 members" in result.document.warnings[0]
    assert len(members) == 500
    names = MemberNames()
    assert len({names.make_unique("a.txt") for _ in range(50_000)}) == 50_000


@pytest.mark.parametrize(
    ("name", "shown"),
    [("..", "unnamed"), ("../..", "unnamed"), ("a/../../b.txt", "a/b.txt"), ("\0", "_"), ("a\0.txt", "a_.txt"), ("", "unnamed"), ("/", "unnamed")],
)
def test_names_that_lead_out_or_hold_nothing(name: str, shown: str) -> None:
    assert safe_name(name) == shown


def _tar(*entries: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=form) as archive:
        for entry, data in entries:
            archive.addfile(entry, io.BytesIO(data))
    return output.getvalue()


def _entry(name: str, length: int, **headers: str) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.pax_headers = length, dict(headers)
    return entry


def test_a_tar_member_that_claims_to_be_larger_than_all_disks_ends_at_once(tmp_path: Path) -> None:
    data = _tar((_entry("lease.txt", len(LEASE)), LEASE.encode()), (_entry("huge.txt", 5, size="99999999999999"), b"lease"))
    result, members = walk_file(put(tmp_path, "huge.tar", data))
    assert text_or_reason(members["lease.txt"].outcome) == LEASE
    assert "damaged" in text_or_reason(members["huge.txt"].outcome)
    assert isinstance(result, Extraction)
    assert "longer than the archive" in result.document.warnings[0]


def test_the_holes_of_a_sparse_file_are_a_bomb(tmp_path: Path) -> None:
    head = bytearray(tarfile.TarInfo("sparse.txt").tobuf(tarfile.GNU_FORMAT))
    head[156:157], head[124:136], head[386:398], head[398:410] = b"S", b"%011o\0" % 5, b"%011o\0" % 0, b"%011o\0" % 5
    head[483:495] = b"\x80" + (1 << 40).to_bytes(11, "big")
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    path = put(tmp_path, "sparse.tar", bytes(head) + b"lease".ljust(512, b"\0") + bytes(1024))
    assert "archive bomb" in said(path)["sparse.txt"]


def test_names_in_tar_headers_are_made_safe(tmp_path: Path) -> None:
    names = ("..", "../../x.txt", "/etc/abs.txt", ".")
    data = _tar(*((_entry(name, 5), b"lease") for name in names), (_entry("p", 5, path="a\r/../\u202ec.txt"), b"lease"))
    assert list(said(put(tmp_path, "names.tar", data))) == ["unnamed", "x.txt", "etc/abs.txt", "unnamed (2)", "a_/_c.txt"]


# -- mail ----------------------------------------------------------------------------------------------------------------------------


def test_a_mail_with_a_thousand_attachments(tmp_path: Path) -> None:
    files = {f"{number}.txt": f"Lease number {number} of Halden Street.".encode() for number in range(1000)}
    result, members = walk_file(put(tmp_path, "many.eml", mail("Many", LEASE, files)))
    assert len(members) == 1000
    assert text_or_reason(members["999.txt"].outcome) == "Lease number 999 of Halden Street."
    assert "499.txt and 500 more" in text_or_reason(result)


@pytest.mark.parametrize("depth", [60, 300, 5000])
@pytest.mark.parametrize("kind", ["message/rfc822", "multipart/mixed"])
def test_messages_in_messages_without_end(tmp_path: Path, depth: int, kind: str) -> None:
    data = HEAD
    for level in range(depth):
        wrap = (
            HEAD + b"Content-Type: message/rfc822\n\n"
            if kind == "message/rfc822"
            else b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (level, level)
        )
        data = data + wrap if kind != "message/rfc822" else wrap + data
    result, _ = walk_file(put(tmp_path, "deep.eml", data + b"Content-Type: text/plain\n\nThe lease.\n"))
    assert isinstance(result, Extraction) or "nested too deeply" in result.message  # type: ignore[union-attr]


def test_character_sets_that_nobody_knows(tmp_path: Path) -> None:
    data = HEAD + b'Content-Type: text/plain; charset="=?nonsense?="\nContent-Transfer-Encoding: 8bit\n\nGr\xfc\xdfe aus Halden, the lease ends.\n'
    assert "Grüße aus Halden" in text_or_reason(walk_file(put(tmp_path, "a.eml", data))[0])
    data = HEAD + b"Content-Type: text/plain; charset=\xff\xfe\nContent-Transfer-Encoding: base64\n\n!!!!not base64\n"
    assert "Subject: odd" in text_or_reason(walk_file(put(tmp_path, "b.eml", data))[0])


def test_sentences_that_begin_like_the_line_before_a_message(tmp_path: Path) -> None:
    body = "Dear Ben,\n\nFrom there on it is his.\n\nFrom 2020 on too.\n\nFrom May 10:00 it is open.\n\nFrom 9:30: tea.\n\nBye"
    found = said(put(tmp_path, "from.mbox", mailbox([mail("First", body), mail("Second", LEASE)])))
    assert list(found) == ["00001 First.eml", "00002 Second.eml"]
    assert "From May 10:00 it is open." in found["00001 First.eml"]


@pytest.mark.parametrize(
    "line",
    ["From - Mon May  4 09:00:00 2026", "From ada@example.org Mon May  4 09:00:00 2026", "From x 2026-05-04 09:00:00", "From ada 9:00 4 May 26"],
)
def test_lines_before_messages_as_programs_write_them(tmp_path: Path, line: str) -> None:
    box = b"".join(line.encode() + b"\n" + mail(subject, LEASE) + b"\n" for subject in ("First", "Second"))
    assert len(said(put(tmp_path, "a.mbox", box))) == 2


def test_an_archive_that_holds_nothing_says_so(tmp_path: Path) -> None:
    result, _ = walk_file(put(tmp_path, "empty.zip", zip_bytes({})))
    assert isinstance(result, Failure)
    assert "nothing in this ZIP archive" in result.message
