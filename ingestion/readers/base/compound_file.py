"""OLE compound files (MS-CFB), the containers of old and of encrypted Office files, opened by olefile within the bounds of what they are."""

from __future__ import annotations

import io
import struct

import olefile

from core.errors import Malformed

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What olefile lets through on damaged containers.
FAILURES = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, struct.error, OverflowError, LookupError, RecursionError)
_DAMAGED = "The OLE container of this file is damaged."
_CUT_OFF = "The OLE container of this file is cut off."
_SMALLEST_SECTOR = 512
_SECTOR_COUNTS = (44, 72)  # in the header: sectors of the allocation table, and those that list them where they are too many for the header
_ENDS_EARLY = "incomplete OLE stream"


def open_container(data: bytes) -> olefile.OleFileIO:
    """Open an OLE container with its storages and streams.

    olefile follows its tables as far as they say, also in circles: what they count is held to the size of the file.

    Raises:
        Malformed: its tables are damaged.
    """
    most = len(data) // _SMALLEST_SECTOR
    if not most:
        raise Malformed(_DAMAGED)
    allocation, listing = (struct.unpack_from("<I", data, at)[0] for at in _SECTOR_COUNTS)
    if listing and max(allocation, listing) > most:
        raise Malformed(_DAMAGED)
    try:
        container = olefile.OleFileIO(io.BytesIO(data))
    except FAILURES as error:
        raise Malformed(_DAMAGED) from error
    container.num_mini_fat_sectors = min(container.num_mini_fat_sectors, most)
    for entry in filter(None, container.direntries):
        entry.size = min(entry.size, len(data))
    return container


def names_at_top(data: bytes) -> frozenset[str]:
    """Return the names of the streams and storages of a container that lie in no storage.

    Raises:
        Malformed: its tables are damaged.
    """
    container = open_container(data)
    return frozenset(entry.name for entry in container.root.kids) if container.root else frozenset()


class CompoundFile:
    """The streams of a compound file by name.

    Raises:
        Malformed: its tables are damaged.
    """

    def __init__(self, data: bytes) -> None:
        self._container = open_container(data)

    def stream(self, name: str) -> bytes:
        """Return the bytes of a stream that lies in no storage; b"" if there is none of that name. One that ends before its size is as long as it is.

        Raises:
            Malformed: it is cut off, or its tables are damaged.
        """
        container = self._container
        if container.get_type([name]) != olefile.STGTY_STREAM:
            return b""
        known = len(container.parsing_issues)
        try:
            content = bytes(container.openstream([name]).read())
        except FAILURES as error:
            raise Malformed(_DAMAGED) from error
        if len(content) < container.get_size([name]) and _ENDS_EARLY not in (message for _, message in container.parsing_issues[known:]):
            raise Malformed(_CUT_OFF)
        return content

    def properties(self) -> olefile.OleMetadata:
        """Return what the file says about itself.

        Raises:
            Malformed: that is damaged.
        """
        try:
            return self._container.get_metadata()
        except FAILURES as error:
            raise Malformed(_DAMAGED) from error
