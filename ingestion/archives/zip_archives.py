"""Members of ZIP archives: names in any code page, links refused, locked members opened with the password (ZipCrypto and AES)."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO

from core.errors import Encrypted, ExtractionError, LimitExceeded, Malformed, Sealed, Unsupported
from ingestion.archives.member import Member
from ingestion.archives.member_names import guess_code_page
from ingestion.archives.zip_aes import open_aes
from ingestion.archives.zip_methods import AES, LIBRARY_METHODS, OWN_METHODS, open_member, unsupported_method
from ingestion.readers.base.source import Source

_UTF8_NAME, _STRONG = 0x800, 0x40
_HEADER = 30  # bytes before a member's name
_SHARED = "Its bytes are those of another member, too, as in an archive bomb."
_LOCKED = "It is locked in its archive: it needs a password."


def zip_members(source: Source) -> Iterator[Member]:
    """Yield the files in the order of the directory; folders are left out.

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
            encoding = guess_code_page(plain)
            shared = _overlapping_members(entries)
            for entry in entries:
                name = entry.filename if entry.flag_bits & _UTF8_NAME else _raw_name(entry).decode(encoding, "replace")
                refusal = LimitExceeded(_SHARED) if id(entry) in shared else _refusal(entry, source.password)
                yield Member(name, _opener(archive, entry, source.password), max(1, entry.compress_size), refusal)


def _overlapping_members(entries: list[zipfile.ZipInfo]) -> set[int]:
    """Return the identities of members that begin within the bytes of another: so a few kilobytes are made to unpack to gigabytes."""
    shared, end = set(), -1
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            shared.add(id(entry))
        end = max(end, entry.header_offset + _HEADER + entry.compress_size)
    return shared


def _raw_name(entry: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a name that zipfile read as cp437."""
    return entry.orig_filename.split("\0")[0].encode("cp437", "replace")


def _refusal(entry: zipfile.ZipInfo, password: str) -> ExtractionError | None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return Unsupported("It is a link; links in archives are not followed.")
    if kind not in {0, stat.S_IFREG}:
        return Unsupported("It is no file but a device or a pipe.")
    if entry.flag_bits & _STRONG:
        return Sealed("It is locked with PKWARE's strong encryption, which is not opened here. Unpack the archive and index the folder.")
    if entry.flag_bits & 1 and not password:
        return Encrypted(_LOCKED)
    if entry.compress_type not in LIBRARY_METHODS | OWN_METHODS | {AES}:
        return unsupported_method(entry.compress_type)
    if entry.flag_bits & 1 and entry.compress_type in OWN_METHODS:
        return Unsupported("It is locked in a way that goes with no other packing than the old ones. Unpack the archive and index the folder.")
    return None


def _opener(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, password: str) -> Callable[[], IO[bytes]]:
    if entry.compress_type == AES:
        return partial(open_aes, archive, entry, password.encode())
    if entry.compress_type in OWN_METHODS:
        return partial(open_member, archive, entry)
    return partial(_open_entry, archive, entry, password)


def _open_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, password: str) -> IO[bytes]:
    """Open a member. Raises Encrypted where the password does not fit."""
    try:
        return archive.open(entry, pwd=password.encode() if entry.flag_bits & 1 else None)
    except RuntimeError as error:
        raise Encrypted("It is locked in its archive, and the password that was given does not open it.") from error
