"""Members of ZIP archives: names in any code page, links refused, locked members opened with the password (ZipCrypto and AES)."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

from core.errors import Encrypted, ExtractionError, Malformed, Unsupported
from ingestion.containers.member import Member
from ingestion.containers.names import code_page
from ingestion.containers.zip_aes import AES_METHOD, open_aes
from ingestion.extractors.source import Source

_UTF8_NAME = 0x800
_LOCKED = "It is locked in its archive: it needs a password."
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, AES_METHOD}
_NAMED = {1: "shrunk", 6: "imploded", 9: "Deflate64", 93: "Zstandard", 95: "XZ", 96: "JPEG", 97: "WavPack", 98: "PPMd"}


def members(source: Source) -> Iterator[Member]:
    """Files in the order of the directory; folders are left out.

    Raises:
        Malformed: the directory is damaged or not there.
    """
    with source.open() as file:
        try:
            archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, EOFError) as error:
            raise Malformed(f"The archive is damaged or cut off: its directory cannot be read ({str(error)[:100]}).") from error
        with archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            plain = [_raw_name(entry) for entry in entries if not entry.flag_bits & _UTF8_NAME]
            encoding = code_page(plain)
            for entry in entries:
                name = entry.filename if entry.flag_bits & _UTF8_NAME else _raw_name(entry).decode(encoding, "replace")
                refusal = _refusal(entry, source.password)
                yield Member(name, _opener(archive, entry, source.password), max(1, entry.compress_size), refusal)


def _raw_name(entry: zipfile.ZipInfo) -> bytes:
    """The bytes of a name that zipfile read as cp437."""
    return entry.orig_filename.split("\0")[0].encode("cp437", "replace")


def _refusal(entry: zipfile.ZipInfo, password: str) -> ExtractionError | None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return Unsupported("It is a link; links in archives are not followed.")
    if kind not in {0, stat.S_IFREG}:
        return Unsupported("It is no file but a device or a pipe.")
    if entry.flag_bits & 1 and not password:
        return Encrypted(_LOCKED)
    if entry.compress_type not in _METHODS:
        method = _NAMED.get(entry.compress_type, f"method {entry.compress_type}")
        return Unsupported(f"It is packed in a way that is not read here ({method}). Unpack the archive and index the folder.")
    return None


def _opener(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, password: str) -> Callable[[], IO[bytes]]:
    if entry.compress_type == AES_METHOD:
        return partial(open_aes, archive, entry, password.encode())
    return partial(_open, archive, entry, password)


def _open(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, password: str) -> IO[bytes]:
    """Raises Encrypted where the password does not fit."""
    try:
        return archive.open(entry, pwd=password.encode() if entry.flag_bits & 1 else None)
    except RuntimeError as error:
        raise Encrypted("It is locked in its archive, and the password that was given does not open it.") from error
