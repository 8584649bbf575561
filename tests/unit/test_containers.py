"""Archives, mailboxes and messages: every member is reached, nothing leaves memory, and what is hostile ends with a reason."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import stat
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import NotFound
from ingestion.archives.member_names import MemberNames, guess_code_page, matching_ignore_rule, safe_name
from ingestion.readers.base.source import ExtractionLimits
from ingestion.workers.file_walk import FileWalk
from ingestion.workers.worker_protocol import Demand, Extraction, Failure
from tests.support.containers import (
    LIMITS,
    LOCKED_AES_ZIP,
    LOCKED_ZIP,
    PASSWORD,
    RecordingListener,
    mail,
    mailbox,
    tar_bytes,
    text_or_reason,
    walk_file,
    zip_bytes,
)

LEASE = "The lease of Halden Street ends in May. Notice is three months, given in writing."
REPORT = "The annual report tells of two new shops and a smaller deficit than in the year before."


def put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def reasons(path: Path, demand: Demand = Demand(), limits: ExtractionLimits = LIMITS) -> dict[str, str]:  # noqa: B008
    _, members = walk_file(path, demand, limits)
    return {inner: text_or_reason(read.outcome) for inner, read in members.items()}


def test_every_file_of_a_zip_is_a_document_and_the_zip_lists_them(tmp_path: Path) -> None:
    path = put(tmp_path, "papers.zip", zip_bytes({"legal/lease.txt": LEASE, "report.md": f"# Report\n\n{REPORT}"}))
    result, members = walk_file(path)
    assert {inner: read.container for inner, read in members.items()} == {"legal/lease.txt": "", "report.md": ""}
    assert text_or_reason(members["legal/lease.txt"].outcome) == LEASE
    assert isinstance(result, Extraction)
    assert result.complete
    assert "legal/lease.txt" in result.document.text
    assert "ZIP archive with 2 files: 1 .txt, 1 .md" in result.document.text


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar_archives_are_read_in_one_pass(tmp_path: Path, mode: str) -> None:
    suffix = mode.removeprefix("w").replace(":", ".")
    path = put(tmp_path, f"papers.tar{suffix}", tar_bytes({"lease.txt": LEASE, "sub/report.txt": REPORT}, mode))
    result, members = walk_file(path)
    assert [text_or_reason(read.outcome) for read in members.values()] == [LEASE, REPORT]
    assert "TAR archive" in text_or_reason(result)


@pytest.mark.parametrize(("pack", "suffix"), [(gzip.compress, ".gz"), (bz2.compress, ".bz2"), (lzma.compress, ".xz")])
def test_a_compressed_file_holds_one(tmp_path: Path, pack: object, suffix: str) -> None:
    assert callable(pack)
    path = put(tmp_path, f"lease.txt{suffix}", pack(LEASE.encode()))
    assert reasons(path) == {"lease.txt": LEASE}


def test_a_zip_of_mails_with_attachments_is_walked_to_its_leaves(tmp_path: Path) -> None:
    inner = mail("Old news", "What was said before about the shops.", {"lease.txt": LEASE.encode()})
    outer = mail("Papers", "Please find the report attached.", {"report.txt": REPORT.encode()}, [inner])
    result, members = walk_file(put(tmp_path, "mails.zip", zip_bytes({"in/one.eml": outer})))
    assert isinstance(result, Extraction)
    assert list(members) == [
        "in/one.eml!/report.txt",
        "in/one.eml!/Old news.eml!/lease.txt",
        "in/one.eml!/Old news.eml",
        "in/one.eml",
    ]
    assert members["in/one.eml!/Old news.eml!/lease.txt"].container == "in/one.eml!/Old news.eml"
    assert text_or_reason(members["in/one.eml!/Old news.eml!/lease.txt"].outcome) == LEASE
    assert "Please find the report attached." in text_or_reason(members["in/one.eml"].outcome)


def test_every_message_of_a_mailbox_is_one(tmp_path: Path) -> None:
    box = mailbox([mail("Lease", f"{LEASE}\n\n>From the landlord"), mail("Report/2026", REPORT, {"lease.txt": LEASE.encode()})])
    result, members = walk_file(put(tmp_path, "inbox.mbox", box))
    assert list(members) == ["00001 Lease.eml", "00002 Report_2026.eml!/lease.txt", "00002 Report_2026.eml"]
    assert "From the landlord" in text_or_reason(members["00001 Lease.eml"].outcome)
    assert "Mailbox with 2 messages" in text_or_reason(result)


def test_one_message_that_was_saved_from_a_mailbox_is_a_message(tmp_path: Path) -> None:
    box = mailbox([mail("Lease", f"{LEASE}\n\nFrom there on it is his.")])
    result, members = walk_file(put(tmp_path, "lease.eml", box))
    assert not members
    assert LEASE in text_or_reason(result)
    _, members = walk_file(put(tmp_path, "both.eml", box + mailbox([mail("Report", REPORT)])))
    assert len(members) == 2


def test_names_that_mean_something_to_a_disk_mean_nothing_here(tmp_path: Path) -> None:
    hostile = {"../../etc/passwd.txt": LEASE, "/abs.txt": LEASE, "C:\\win\\a.txt": LEASE, "x/./y.txt": LEASE, "folder!/z.txt": LEASE}
    path = put(tmp_path, "bad.zip", zip_bytes(hostile))
    before = sorted(tmp_path.parent.rglob("*"))
    assert list(reasons(path)) == ["etc/passwd.txt", "abs.txt", "win/a.txt", "x/y.txt", "folder\uff01/z.txt"]
    assert sorted(tmp_path.parent.rglob("*")) == before
    assert safe_name("a\0b\u202e.txt") == "a_b_.txt"
    assert safe_name("..") == "unnamed"
    assert len(safe_name("x" * 70_000 + ".pdf")) <= 1000


def test_names_that_come_twice_are_told_apart() -> None:
    names = MemberNames()
    assert [names.make_unique("a.txt") for _ in range(3)] == ["a.txt", "a (2).txt", "a (3).txt"]
    assert names.make_unique("a (2).txt") == "a (2) (2).txt"


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("Договор аренды.txt", "cp866"), ("賃貸借契約書の写し.txt", "cp932"), ("Übersicht der Ausgaben.txt", "cp437"), ("Miete für März.txt", "utf-8")],
)
def test_names_in_the_code_page_of_their_region(tmp_path: Path, name: str, encoding: str) -> None:
    raw = name.encode(encoding)
    assert guess_code_page([raw]) == encoding
    plain = zip_bytes({"N" * len(raw): LEASE})
    path = put(tmp_path, "old.zip", plain.replace(b"N" * len(raw), raw))
    assert list(reasons(path)) == [name]


def test_links_and_devices_are_not_followed(tmp_path: Path) -> None:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert "links in archives are not followed" in reasons(put(tmp_path, "l.zip", output.getvalue()))["link"]
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as archive_:
        for name, kind in (("sym", tarfile.SYMTYPE), ("hard", tarfile.LNKTYPE), ("dev", tarfile.CHRTYPE), ("pipe", tarfile.FIFOTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive_.addfile(entry)
    said = reasons(put(tmp_path, "l.tar", output.getvalue()))
    assert set(said) == {"sym", "hard", "dev", "pipe"}
    assert not any("root:" in text for text in said.values())


def test_what_the_rules_pass_over_is_one_line_a_folder(tmp_path: Path) -> None:
    path = put(tmp_path, "mac.zip", zip_bytes({"lease.txt": LEASE, "__MACOSX/._lease.txt": "x", "__MACOSX/._b": "y", ".DS_Store": "z"}))
    result, members = walk_file(path, Demand(ignore=("__MACOSX", ".*")))
    assert set(members) == {"lease.txt", "__MACOSX", ".DS_Store"}
    ignored = members["__MACOSX"].outcome
    assert isinstance(ignored, Failure)
    assert ignored.ignored
    assert "with 1 file" in text_or_reason(result)
    assert matching_ignore_rule("a/b/c.tmp", ["*.tmp"]) == ("a/b/c.tmp", "*.tmp")
    assert matching_ignore_rule("a/b/c.txt", ["a/b"]) == ("a/b", "a/b")


# -- hostile input -------------------------------------------------------------------------------------------------------------------


def test_an_archive_in_itself_ends_with_a_reason(tmp_path: Path) -> None:
    nested = zip_bytes({"lease.txt": LEASE})
    for depth in range(8):
        nested = zip_bytes({f"{depth}.zip": nested})
    said = reasons(put(tmp_path, "deep.zip", nested))
    assert next(iter(said.values())).startswith("It lies in 4 other containers")
    assert len(said) == 4


def test_a_bomb_is_stopped_while_it_unpacks(tmp_path: Path) -> None:
    limits = replace(LIMITS, archive_bytes=80 << 20)
    path = put(tmp_path, "bomb.zip", zip_bytes({"zeros.txt": bytes(60 << 20), "lease.txt": LEASE}))
    said = reasons(path, limits=limits)
    assert "archive bomb" in said["zeros.txt"]
    assert said["lease.txt"] == LEASE
    packed = put(tmp_path, "bomb.tar.gz", tar_bytes({"a.txt": bytes(90 << 20), "lease.txt": LEASE}))
    result, _ = walk_file(packed, limits=limits)
    assert "MiB" in text_or_reason(result) + str(result)


def test_too_many_members_are_cut_with_a_warning(tmp_path: Path) -> None:
    path = put(tmp_path, "many.zip", zip_bytes({f"{number}.txt": LEASE for number in range(20)}))
    result, members = walk_file(path, limits=replace(LIMITS, members=5))
    assert len(members) == 5
    assert isinstance(result, Extraction)
    assert not result.complete
    assert "first 5 members" in result.document.warnings[0]


def test_a_damaged_archive_says_so_and_a_torn_one_keeps_what_it_gave(tmp_path: Path) -> None:
    whole = zip_bytes({"lease.txt": LEASE})
    result, _ = walk_file(put(tmp_path, "torn.zip", whole[: len(whole) // 2]))
    assert isinstance(result, Failure)
    torn = tar_bytes({"lease.txt": LEASE, "noise.txt": bytes(range(256)) * 4000}, "w")[:5000]
    result, members = walk_file(put(tmp_path, "torn.tar", torn))
    assert text_or_reason(members["lease.txt"].outcome) == LEASE
    assert isinstance(result, Extraction)
    assert not result.complete
    assert "damaged or cut off" in result.document.warnings[0]
    bad = bytearray(zip_bytes({"a.txt": LEASE, "b.txt": REPORT}, method=zipfile.ZIP_STORED))
    at = bad.find(LEASE.encode())
    bad[at] ^= 0xFF
    said = reasons(put(tmp_path, "flipped.zip", bytes(bad)))
    assert "CRC" in said["a.txt"]
    assert said["b.txt"] == REPORT


# -- what is asked for ---------------------------------------------------------------------------------------------------------------


def test_one_member_alone_is_read_again(tmp_path: Path) -> None:
    path = put(
        tmp_path, "a.zip", zip_bytes({"one.eml": mail("S", "Body text.", {"x.txt": LEASE.encode(), "y.txt": REPORT.encode()}), "z.txt": LEASE})
    )
    result, members = walk_file(path, Demand(only_members=frozenset({"one.eml!/y.txt"})))
    assert list(members) == ["one.eml!/y.txt"]
    assert not isinstance(result, Extraction | Failure)
    _, members = walk_file(path, Demand(only_members=frozenset({"one.eml"})))
    assert set(members) == {"one.eml", "one.eml!/x.txt", "one.eml!/y.txt"}


def test_members_with_known_content_are_not_read(tmp_path: Path) -> None:
    path = put(tmp_path, "a.zip", zip_bytes({"a.txt": LEASE, "b.txt": REPORT}))
    _, members = walk_file(path)
    known = {"a.txt": members["a.txt"].content_hash, "b.txt": "0" * 64}
    _, again = walk_file(path, Demand(known_hashes=known))
    assert again["a.txt"].outcome is None
    assert isinstance(again["b.txt"].outcome, Extraction)


def test_the_bytes_of_a_member_are_given_out(tmp_path: Path) -> None:
    path = put(tmp_path, "a.zip", zip_bytes({"one.eml": mail("S", "Body text.", {"x.txt": LEASE.encode()})}))
    target = io.BytesIO()
    FileWalk(Demand(), LIMITS, RecordingListener()).fetch_member(path, "one.eml!/x.txt", target)
    assert target.getvalue() == LEASE.encode()
    with pytest.raises(NotFound):
        FileWalk(Demand(), LIMITS, RecordingListener()).fetch_member(path, "one.eml!/gone.txt", io.BytesIO())


@pytest.mark.parametrize("data", [LOCKED_ZIP, LOCKED_AES_ZIP])
def test_locked_members_open_with_the_password_alone(tmp_path: Path, data: bytes) -> None:
    path = put(tmp_path, "locked.zip", data)
    assert "needs a password" in reasons(path)["lease.txt"]
    assert "does not open it" in reasons(path, Demand("wrong"))["lease.txt"]
    assert reasons(path, Demand(PASSWORD))["lease.txt"].startswith("The lease of Halden Street")
    assert PASSWORD not in repr(Demand(PASSWORD))


def test_a_locked_member_that_was_changed_is_damaged(tmp_path: Path) -> None:
    data = bytearray(LOCKED_AES_ZIP)
    data[90] ^= 1
    assert "not those that were written" in reasons(put(tmp_path, "locked.zip", bytes(data)), Demand(PASSWORD))["lease.txt"]


def test_large_archives_and_members_are_read_from_disk_not_from_memory(tmp_path: Path) -> None:
    noise = os.urandom(33 << 20) * 2
    inner = zip_bytes({"noise.bin": noise, "lease.txt": LEASE}, method=zipfile.ZIP_STORED)
    path = put(tmp_path, "large.zip", zip_bytes({"inner.zip": inner, "report.txt": REPORT}, method=zipfile.ZIP_STORED))
    result, members = walk_file(path)
    assert text_or_reason(members["inner.zip!/lease.txt"].outcome) == LEASE
    assert text_or_reason(members["report.txt"].outcome) == REPORT
    assert isinstance(result, Extraction)
    assert result.content_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    assert members["inner.zip"].content_hash == hashlib.sha256(inner).hexdigest()
    small = replace(LIMITS, streamed_bytes=10 << 20)
    assert "10 MiB (ingestion.max_streamed_file_mb)" in text_or_reason(walk_file(path, limits=small)[0])
    large = put(tmp_path, "noise.pdf", b"%PDF-1.7\n" + noise)
    assert "64 MiB (ingestion.max_file_mb)" in text_or_reason(walk_file(large, limits=replace(LIMITS, file_bytes=64 << 20))[0])
