"""Members of TAR archives and of single compressed files (gzip, bzip2, xz, Zstandard): read in one pass, never unpacked to disk."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import IO, cast

from core.errors import ExtractionError, LimitExceeded, Malformed, Unsupported
from ingestion.archives.member import FAILURES, Member
from ingestion.archives.zstandard_stream import ZSTANDARD, open_zstandard
from ingestion.readers.base.charset import decode
from ingestion.readers.base.source import MEBIBYTE, Source

GZIP, BZIP2, XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00"
_TAR_MAGIC, _TAR_AT, _TAR_BLOCK = b"ustar", 257, 512
_TAR_SUFFIXES = (".tar.gz", ".tgz", ".tar.bz2", ".tbz", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tzst")
_EMPTY_READS = 16
_SUFFIXES = (".gz", ".gzip", ".bz2", ".xz", ".z", ".zst", ".zstd")


def open_decompressed(file: IO[bytes]) -> IO[bytes]:
    """Return the stream that is compressed in `file`, or `file` itself."""
    head = file.read(6)
    file.seek(0)
    if head.startswith(GZIP):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if head.startswith(BZIP2):
        return cast("IO[bytes]", bz2.BZ2File(file))
    if head.startswith(XZ):
        return cast("IO[bytes]", lzma.LZMAFile(file))
    return open_zstandard(file) if head.startswith(ZSTANDARD) else file


def is_tar(source: Source) -> bool:
    """Return whether a TAR archive is in the file, compressed or not."""
    with source.open() as file:
        try:
            head = open_decompressed(file).read(_TAR_BLOCK)
        except FAILURES:
            return False
    old = source.name.lower().endswith((".tar", *_TAR_SUFFIXES)) and len(head) == _TAR_BLOCK
    return head[_TAR_AT:].startswith(_TAR_MAGIC) or (old and _has_valid_checksum(head))


def _has_valid_checksum(head: bytes) -> bool:
    """Return whether the header of an archive from before "ustar" adds up."""
    try:
        tarfile.TarInfo.frombuf(head, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def tar_members(source: Source) -> Iterator[Member]:
    """Yield the files of a TAR archive in order; folders are left out.

    Raises:
        Malformed: the archive is damaged; members before the damage were given.
        LimitExceeded: what lies between the members unpacks to more than the limits allow.
    """
    with source.open() as file:
        counted = _BoundedStream(open_decompressed(file), source.limits.archive_bytes)
        try:
            with tarfile.open(fileobj=cast("IO[bytes]", counted), mode="r|") as archive:
                for entry in archive:
                    archive.members = []  # type: ignore[attr-defined]  # the library keeps them all otherwise
                    if not entry.isdir():
                        yield Member(_tar_name(entry.name), partial(_tar_file, archive, entry), _packed_size(entry), _refusal(entry))
        except FAILURES as error:
            raise Malformed(f"The archive is damaged or cut off: what comes behind cannot be read ({str(error)[:100]}).") from error


def _tar_name(name: str) -> str:
    """Decode a name. Names are bytes; those that are no UTF-8 are read as text of their region."""
    data = name.encode("utf-8", "surrogateescape")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return decode(data).text


def _tar_file(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> IO[bytes]:
    return archive.extractfile(entry) or io.BytesIO()


def _packed_size(entry: tarfile.TarInfo) -> int:
    """Return how many bytes of the archive an entry takes, where that is given: the holes of a sparse file take none."""
    pieces: list[tuple[int, int]] | None = getattr(entry, "sparse", None)
    return max(1, sum(size for _, size in pieces)) if pieces is not None else 0


def _refusal(entry: tarfile.TarInfo) -> ExtractionError | None:
    if entry.issym() or entry.islnk():
        return Unsupported("It is a link; links in archives are not followed.")
    if not entry.isfile():
        return Unsupported("It is no file but a device or a pipe.")
    return None


class _BoundedStream(io.RawIOBase):
    """A stream that ends with LimitExceeded: what a TAR archive skips is unpacked, too.

    Behind its end it gives nothing a few times, then EOFError: a member may claim to be as large as all disks together, and is looked for block by
    block.
    """

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream, self._left, self._limit, self._empty = stream, limit, limit, 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        self._empty += not data
        if self._left < 0:
            raise LimitExceeded(f"It unpacks to more than {self._limit / MEBIBYTE:,.0f} MiB (ingestion.max_archive_mb).")
        if self._empty > _EMPTY_READS:
            raise EOFError("a member is longer than the archive")
        return data


def single_member(source: Source) -> Iterator[Member]:
    """Yield the one file that is compressed here, named as the compressed one without its last suffix."""
    with source.open() as file, closing(open_decompressed(file)) as stream:
        yield Member(_single_name(source), lambda: stream, source.size)


def _single_name(source: Source) -> str:
    name = source.name
    if name.lower().endswith(_SUFFIXES):
        return name.rsplit(".", 1)[0] or "content"
    return f"{name} (unpacked)"
