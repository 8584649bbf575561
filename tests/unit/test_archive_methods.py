"""How members of archives are packed: what is read, and the reason for what is not."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import hmac
import io
import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from ingestion.readers.base.source import ExtractionLimits
from ingestion.workers.worker_protocol import Demand, Extraction
from tests.support.containers import LIMITS, mail, mailbox, text_or_reason, walk_file, zip_bytes

LEASE = "The lease of Halden Street ends in May. Notice is three months, given in writing."


def _lzma_of_zip(data: bytes) -> bytes:
    compressor = zipfile.LZMACompressor()  # type: ignore[attr-defined]
    return bytes(compressor.compress(data) + compressor.flush())


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


_PACKERS: dict[int, Callable[[bytes], bytes]] = {
    0: bytes,
    8: _deflated,
    12: bz2.compress,
    14: _lzma_of_zip,
    93: lambda data: zstandard.ZstdCompressor().compress(data),
    95: lzma.compress,
}


def archive_of(packed: bytes, plain: bytes, method: int, *, flags: int = 0, extra: bytes = b"") -> bytes:
    """A ZIP archive with one member "lease.txt" whose packed bytes are given."""
    name = b"lease.txt"
    head = struct.pack("<HHHH3IH", flags | (2 if method == 14 else 0), method, 0, 33, zlib.crc32(plain), len(packed), len(plain), len(name))
    local = b"PK\3\4" + struct.pack("<H", 20) + head + struct.pack("<H", len(extra)) + name + extra + packed
    entry = b"PK\1\2" + struct.pack("<HH", 20, 20) + head + struct.pack("<HHHHII", len(extra), 0, 0, 0, 0, 0) + name + extra
    return local + entry + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)


def said(folder: Path, data: bytes, password: str = "", name: str = "a.zip", limits: ExtractionLimits = LIMITS) -> dict[str, str]:
    path = folder / name
    path.write_bytes(data)
    _, members = walk_file(path, Demand(password), limits)
    return {inner: text_or_reason(read.outcome) for inner, read in members.items()}


@pytest.mark.parametrize("method", _PACKERS)
def test_every_method_in_use_is_unpacked(tmp_path: Path, method: int) -> None:
    plain = (LEASE * 3000).encode()
    assert said(tmp_path, archive_of(_PACKERS[method](plain), plain, method))["lease.txt"].startswith(LEASE)


@pytest.mark.parametrize("method", [93, 95])
def test_what_was_changed_or_cut_off_is_damaged(tmp_path: Path, method: int) -> None:
    plain = LEASE.encode()
    packed = _PACKERS[method](plain)
    assert "CRC" in said(tmp_path, archive_of(packed, b"another text", method))["lease.txt"]
    assert "damaged" in said(tmp_path, archive_of(packed[:-6], plain, method))["lease.txt"]
    assert "damaged" in said(tmp_path, archive_of(b"\0" * 40, plain, method))["lease.txt"]


@pytest.mark.parametrize("method", [93, 95])
def test_bombs_of_every_method_are_stopped(tmp_path: Path, method: int) -> None:
    plain = bytes(60 << 20)
    assert "archive bomb" in said(tmp_path, archive_of(_PACKERS[method](plain), plain, method))["lease.txt"]


@pytest.mark.parametrize(("method", "word"), [(1, "shrunk"), (6, "imploded"), (9, "Deflate64"), (98, "PPMd"), (77, "method 77")])
def test_what_is_not_unpacked_is_named(tmp_path: Path, method: int, word: str) -> None:
    reason = said(tmp_path, archive_of(b"x" * 20, LEASE.encode(), method))["lease.txt"]
    assert word in reason
    assert "Unpack the archive" in reason


def _aes(packed: bytes, password: bytes, method: int) -> tuple[bytes, bytes]:
    """The encrypted bytes and the extra field of a member (AE-2, 256 bits)."""
    salt = os.urandom(16)
    keys = hashlib.pbkdf2_hmac("sha1", password, salt, 1000, 66)
    counters = b"".join(struct.pack("<QQ", number, 0) for number in range(1, len(packed) // 16 + 2))
    stream = Cipher(algorithms.AES(keys[:32]), modes.ECB()).encryptor().update(counters)
    body = bytes(one ^ other for one, other in zip(packed, stream, strict=False))
    mac = hmac.new(keys[32:64], body, "sha1").digest()[:10]
    return salt + keys[64:] + body + mac, struct.pack("<HHHHBH", 0x9901, 7, 2, 0x4541, 3, method)


@pytest.mark.parametrize("method", _PACKERS)
def test_members_that_are_locked_with_aes_may_be_packed_in_any_way(tmp_path: Path, method: int) -> None:
    plain = (LEASE * 30).encode()
    body, extra = _aes(_PACKERS[method](plain), b"Halden7!", method)
    data = archive_of(body, b"", 99, flags=1, extra=extra)
    assert said(tmp_path, data, "Halden7!")["lease.txt"].startswith(LEASE)
    assert "needs a password" in said(tmp_path, data)["lease.txt"]
    assert "does not open it" in said(tmp_path, data, "another")["lease.txt"]


def test_encryption_that_no_password_opens_here_is_said(tmp_path: Path) -> None:
    assert "strong encryption" in said(tmp_path, archive_of(b"x" * 20, b"", 8, flags=0x41), "x")["lease.txt"]
    path = tmp_path / "hidden.zip"
    path.write_bytes(b"PK\3\4" + bytes(100) + b"PK\6\x08" + bytes(40) + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, 44, 104, 0))
    assert "names of its files are encrypted" in text_or_reason(walk_file(path)[0])


# -- single files and TAR ------------------------------------------------------------------------------------------------------------


def _tar(files: dict[str, bytes]) -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return output.getvalue()


@pytest.mark.parametrize("name", ["papers.tar.zst", "papers.tzst", "papers"])
def test_tar_archives_under_zstandard(tmp_path: Path, name: str) -> None:
    data = zstandard.ZstdCompressor().compress(_tar({"lease.txt": LEASE.encode(), "b/notes.md": b"# Notes\n\nNothing new."}))
    assert said(tmp_path, data, name=name) == {"lease.txt": LEASE, "b/notes.md": "Notes\n\nNothing new."}


def test_a_torn_tar_archive_under_zstandard_keeps_what_it_gave(tmp_path: Path) -> None:
    data = zstandard.ZstdCompressor().compress(_tar({"lease.txt": LEASE.encode(), "noise.txt": os.urandom(3 << 20)}))
    path = tmp_path / "torn.tar.zst"
    path.write_bytes(data[: len(data) // 2])
    result, members = walk_file(path)
    assert text_or_reason(members["lease.txt"].outcome) == LEASE
    assert isinstance(result, Extraction)
    assert "damaged or cut off" in result.document.warnings[0]


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", _PACKERS[93]), (".zstd", _PACKERS[93])]
)
def test_documents_and_mailboxes_that_are_compressed_alone(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    assert said(tmp_path, pack(f"# Lease\n\n{LEASE}".encode()), name=f"lease.md{suffix}") == {"lease.md": f"Lease\n\n{LEASE}"}
    box = mailbox([mail("Lease", LEASE), mail("Report", "Two shops.", {"lease.txt": LEASE.encode()})])
    found = said(tmp_path, pack(box), name=f"inbox.mbox{suffix}")
    assert found["inbox.mbox!/00002 Report.eml!/lease.txt"] == LEASE
    assert found.keys() >= {"inbox.mbox", "inbox.mbox!/00001 Lease.eml", "inbox.mbox!/00002 Report.eml"}
    inner = said(tmp_path, pack(zip_bytes({"lease.txt": LEASE})), name=f"a.zip{suffix}")
    assert inner["a.zip!/lease.txt"] == LEASE


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"7z\xbc\xaf\x27\x1c" + bytes(30), ".7z"),
        (b"Rar!\x1a\x07\0" + bytes(30), ".rar"),
        (b"\x1f\x9d\x90" + bytes(30), ".Z"),
        (b"MSCF" + bytes(40), ".cab"),
    ],
)
def test_archives_of_other_kinds_say_what_to_do(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / "papers"
    path.write_bytes(data)
    assert name in text_or_reason(walk_file(path)[0])
    assert "unpack it" in text_or_reason(walk_file(path)[0])
