"""Members of winmail.dat, Outlook's packing of attachments (MS-OXTNEF): the text as it was formatted, and the files.

Its attributes stand one behind the other; what belongs to one file begins with the attribute that says how it was shown.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.errors import Malformed
from ingestion.archives.member import Member, member_of_bytes
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import clean_line
from ingestion.readers.base.source import Source
from ingestion.readers.mail.outlook_rtf import decompress_rtf

SIGNATURE = b"\x78\x9f\x3e\x22"
_ATTRIBUTE = struct.Struct("<BII")
_SHOWN, _TITLE, _DATA, _PROPERTIES_OF_FILE, _PROPERTIES, _BODY = 0x9002, 0x8010, 0x800F, 0x9005, 0x9003, 0x800C
_LONG_NAME, _FILE, _TEXT, _HTML, _RTF = 0x3707, 0x3701, 0x1000, 0x1013, 0x1009
_FIXED = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16}
_NARROW, _WIDE, _OBJECT = 0x1E, 0x1F, 0x0D
_STRINGS = frozenset({_NARROW, _WIDE, _OBJECT, 0x102})
_MANY, _NAMED = 0x1000, 0x8000
_MOST_PROPERTIES = 10_000
_OBJECT_HEAD = 16  # an identifier stands before the bytes of an object


@dataclass(slots=True)
class _AttachedFile:
    name: str = ""
    data: bytes = b""
    properties: dict[int, bytes] = field(default_factory=dict)

    def add(self, kind: int, data: bytes) -> None:
        """Take in an attribute; those of other kinds are left out."""
        if kind == _TITLE:
            self.name = decode(data.rstrip(b"\0")).text
        elif kind == _DATA:
            self.data = data
        elif kind == _PROPERTIES_OF_FILE:
            self.properties = _properties(data)

    @property
    def full_name(self) -> str:
        return decode(self.properties.get(_LONG_NAME, b"")).text or self.name

    @property
    def content(self) -> bytes:
        return self.data or self.properties.get(_FILE, b"")


def tnef_members(source: Source) -> Iterator[Member]:
    """Yield the text of the message (as HTML, RTF or plain text, whichever is the richest), then the files.

    Raises:
        Malformed: it is damaged; what came before was given.
    """
    files: list[_AttachedFile] = []
    for kind, data in _attributes(source.data):
        if kind == _SHOWN:
            files.append(_AttachedFile())
        elif kind == _PROPERTIES:
            yield from _text(_properties(data), source.limits.file_bytes)
        elif kind == _BODY and data.strip(b"\0 \r\n"):
            yield member_of_bytes("message.txt", data.rstrip(b"\0"))
        elif files:
            files[-1].add(kind, data)
    for number, file in enumerate(files, 1):
        if file.content:
            yield member_of_bytes(clean_line(file.full_name) or f"attachment {number}", file.content)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 6  # behind the signature and a key
    while at + _ATTRIBUTE.size <= len(data):
        _, kind, size = _ATTRIBUTE.unpack_from(data, at)
        at += _ATTRIBUTE.size
        if at + size > len(data):
            raise Malformed("This winmail.dat is cut off: what comes behind cannot be read.")
        yield kind & 0xFFFF, data[at : at + size]
        at += size + 2  # a checksum follows


def _text(properties: dict[int, bytes], limit: int) -> Iterator[Member]:
    if html := properties.get(_HTML, b"").rstrip(b"\0"):
        yield member_of_bytes("message.html", html)
    elif rtf := decompress_rtf(properties.get(_RTF, b""), limit):
        yield member_of_bytes("message.rtf", rtf)
    elif words := properties.get(_TEXT, b""):
        yield member_of_bytes("message.txt", words)


def _properties(data: bytes) -> dict[int, bytes]:
    """Return the properties of MAPI that are texts or bytes, by identifier; what is damaged ends them (MS-OXTNEF 2.1.3.4)."""
    found: dict[int, bytes] = {}
    try:
        count, at = min(struct.unpack_from("<I", data)[0], _MOST_PROPERTIES), 4
        for _ in range(count):
            kind, identifier = struct.unpack_from("<HH", data, at)
            at = _skip_name(data, at + 4) if identifier >= _NAMED else at + 4
            values, at = _values(data, at, kind)
            if kind & ~_MANY in _STRINGS and values:
                found[identifier] = _decode_value(kind & ~_MANY, values[0])
    except (struct.error, KeyError):
        pass  # those before it stay
    return found


def _decode_value(kind: int, value: bytes) -> bytes:
    """Return text without its end, in UTF-8 where it was UTF-16; an object without what stands before its bytes."""
    if kind == _WIDE:
        return value.decode("utf-16-le", errors="replace").rstrip("\0").encode()
    return value[_OBJECT_HEAD:] if kind == _OBJECT else value.rstrip(b"\0") if kind == _NARROW else value


def _skip_name(data: bytes, at: int) -> int:
    """Return where a property's value begins: a named one has its name before it."""
    by_word, length = struct.unpack_from("<II", data, at + 16)
    return at + 24 + (-(-length // 4) * 4 if by_word else 0)


def _values(data: bytes, at: int, kind: int) -> tuple[list[bytes], int]:
    """Return the values of a property, and where the next one begins. Raises KeyError for a type that the format has not."""
    single, many = kind & ~_MANY, bool(kind & _MANY)
    count = 1
    if many or single in _STRINGS:
        count = struct.unpack_from("<I", data, at)[0]
        at += 4
    values: list[bytes] = []
    for _ in range(min(count, _MOST_PROPERTIES)):
        size = _FIXED.get(single)
        if size is None:
            if single not in _STRINGS:
                raise KeyError(single)
            size = struct.unpack_from("<I", data, at)[0]
            at += 4
        if at + size > len(data):
            raise struct.error("cut off")
        values.append(data[at : at + size])
        at += -(-size // 4) * 4
    return values, at
