"""The content of signed and compressed messages (CMS, RFC 5652, in DER or BER), where a signature goes round it.

No signature is checked: who opens a signed letter reads it, whoever signed it.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from enum import Enum

from core.errors import LimitExceeded, Malformed

_PKCS7 = bytes.fromhex("2a864886f70d0107")  # 1.2.840.113549.1.7
_COMPRESSED = bytes.fromhex("2a864886f70d0109100109")
_AUTHENTICATED = bytes.fromhex("2a864886f70d0109100117")
_SEQUENCE, _OID, _OCTETS, _OUTER = 0x30, 0x06, 0x04, 0xA0
_DEPTH = 30
_ARMOUR = re.compile(rb"-----BEGIN [A-Z0-9 ]+-----\s*([A-Za-z0-9+/=\s]+?)-----END")


class CmsKind(Enum):
    SIGNED = "signed"
    COMPRESSED = "compressed"
    ENCRYPTED = "encrypted"


_KINDS = {_PKCS7 + b"\2": CmsKind.SIGNED, _PKCS7 + b"\3": CmsKind.ENCRYPTED, _AUTHENTICATED: CmsKind.ENCRYPTED, _COMPRESSED: CmsKind.COMPRESSED}
_NAMES = b"|".join(re.escape(name) for name in _KINDS)
_START = re.compile(rb"\x30(?:\x80|[\x00-\x7f]|[\x81-\x84].{1,4}?)\x06.(?:" + _NAMES + rb")", re.S)


@dataclass(frozen=True, slots=True)
class _Value:
    """One value: its tag, and where its content lies. `next` is where what follows begins."""

    tag: int
    begin: int
    end: int
    next: int


def is_cms(data: bytes) -> bool:
    """Return whether these bytes begin as a message of CMS does (not in base64)."""
    return _START.match(data[:64]) is not None


def decode_base64(data: bytes) -> bytes:
    """Decode a message that may be written in base64, with or without lines around it; other bytes are returned as they are."""
    if is_cms(data):
        return data
    armour = _ARMOUR.search(data)
    try:
        decoded = base64.b64decode(b"".join((armour[1] if armour else data).split()), validate=True)
    except binascii.Error:
        return data
    return decoded if is_cms(decoded) else data


def kind_of(data: bytes) -> CmsKind | None:
    """Return the kind of a CMS message; None where it is none."""
    found = _START.match(data[:64])
    return next((kind for name, kind in _KINDS.items() if found[0].endswith(name)), None) if found else None


def content_of(data: bytes, limit: int) -> bytes | None:
    """Return what is signed or compressed, `limit` bytes at most; None where the signature stands alone, or only certificates are there.

    Raises:
        Malformed: it is damaged. LimitExceeded: it unpacks to more than the limit.
    """
    kind = kind_of(data)
    if kind not in (CmsKind.SIGNED, CmsKind.COMPRESSED):
        raise Malformed("This is no signed message.")
    try:
        content = _content(data)
        if content is None or kind is CmsKind.SIGNED:
            return content
        unpacker = zlib.decompressobj()
        unpacked = unpacker.decompress(content, limit + 1)
    except (IndexError, ValueError, zlib.error) as error:
        raise Malformed("This signed message is damaged: what was signed cannot be reached.") from error
    if len(unpacked) > limit:
        raise LimitExceeded("It unpacks to more than a file may have (ingestion.max_file_mb).")
    return unpacked


def _content(data: bytes) -> bytes | None:
    """Return the content of ContentInfo { type, [0] { version, algorithms …, EncapsulatedContentInfo { type, [0] OCTET STRING } … } }."""
    message = _value(data, 0)
    holder = _children(data, message)[1]
    parts = _children(data, _value(data, holder.begin))
    # The algorithm of a compressed message is built alike, and stands before.
    encapsulated = [part for part in parts if part.tag == _SEQUENCE and data[part.begin] == _OID][-1]
    inner = [part for part in _children(data, encapsulated) if part.tag == _OUTER]
    return _octets(data, _value(data, inner[0].begin), 0) if inner else None


def _octets(data: bytes, value: _Value, depth: int) -> bytes:
    """Return the bytes of a string, which may come in pieces (BER)."""
    if not value.tag & 0x20:
        return data[value.begin : value.end]
    if depth > _DEPTH:
        raise ValueError("nested too deep")
    return b"".join(_octets(data, piece, depth + 1) for piece in _children(data, value))


def _children(data: bytes, value: _Value) -> list[_Value]:
    found, at = [], value.begin
    while at < value.end:
        child = _value(data, at)
        found.append(child)
        at = child.next
    return found


def _value(data: bytes, at: int, depth: int = 0) -> _Value:
    """Parse a value. Raises IndexError or ValueError where it reaches beyond the data or nests without end."""
    tag, size = data[at], data[at + 1]
    if tag & 0x1F == 0x1F or depth > _DEPTH:
        raise ValueError("no value that such a message has")
    begin = at + 2
    if size == 0x80:
        end = _find_end(data, begin, depth)
        return _Value(tag, begin, end, end + 2)
    if size > 0x80:
        count = size & 0x7F
        size = int.from_bytes(data[begin : begin + count], "big")
        begin += count
    if begin + size > len(data):
        raise IndexError("cut off")
    return _Value(tag, begin, begin + size, begin + size)


def _find_end(data: bytes, at: int, depth: int) -> int:
    """Find the end of a value without a length: two bytes of zero."""
    while data[at : at + 2] != b"\0\0":
        at = _value(data, at, depth + 1).next
    return at
