"""Presentations of PowerPoint 97 to 2003 under a password: each object is encrypted for itself with RC4 (MS-PPT 2.3.7, MS-OFFCRYPTO 2.3.5)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import partial

from core.errors import Encrypted, Malformed, Sealed
from ingestion.readers.legacy.ciphers import BlockDecryptor, rc4_decryptor

_PASSWORD_OF_POWERPOINT = "/01Hannes Ruescher/01"  # noqa: S105  (published: MS-OFFCRYPTO 2.4.2.3; a password for changes alone is stored under it)
_LOCKED = "The presentation is encrypted: it needs a password."
_WRONG = "The presentation is encrypted, and the password that was given does not open it."
_UNKNOWN = "The presentation is encrypted in a way that is not known here. Save a copy without a password and index that."
_DAMAGED = "This PowerPoint presentation is encrypted, and the list of what is encrypted in it is damaged."
_USER_EDIT, _PERSIST_DIRECTORY, _SESSION = 4085, 6002, 12052
_SESSION_AT = 28  # of the edit: the number of the object that says how the others are encrypted
_MAX_EDITS, _MAX_OBJECTS = 10_000, 500_000


def unlock_stream(stream: bytes, current_edit: int, password: str) -> bytes:
    """Decrypt the objects of the stream, whose length stays the same. The password with which PowerPoint itself begins is tried as well.

    Raises:
        Encrypted: it needs a password, or another one. Sealed: it is encrypted in a way that is not known here.
        Malformed: its tables are damaged.
    """
    objects, session = _objects(stream, current_edit)
    information = _body(stream, session, _SESSION)
    if information is None:
        raise Malformed(_DAMAGED)
    decrypt = _decryptor(information, password)
    output, decrypted = bytearray(stream), 0
    for offset, number in objects.items():
        if offset == session or offset + 8 > len(stream):
            continue
        decrypted += len(opened := _decrypt_object(stream, offset, partial(decrypt, first=number)))
        if decrypted > 2 * len(stream):
            raise Malformed(_DAMAGED)
        output[offset : offset + len(opened)] = opened
    return bytes(output)


def _decryptor(information: bytes, password: str) -> BlockDecryptor:
    try:
        for candidate in (password, _PASSWORD_OF_POWERPOINT) if password else (_PASSWORD_OF_POWERPOINT,):
            if (decrypt := rc4_decryptor(information, candidate)) is not None:
                return decrypt
    except (struct.error, ValueError) as error:
        raise Sealed(_UNKNOWN) from error
    raise Encrypted(_WRONG if password else _LOCKED)


def _decrypt_object(stream: bytes, offset: int, decrypt: Callable[[bytes, int], bytes]) -> bytes:
    """Return one object in the clear: its length stands in its first eight bytes, which are encrypted with it."""
    size = 8 + int(struct.unpack_from("<I", decrypt(stream[offset : offset + 8], 8), 4)[0])
    piece = stream[offset : offset + size]
    return decrypt(piece, len(piece))


def _objects(stream: bytes, edit: int) -> tuple[dict[int, int], int]:
    """Return the number of every object by its place, also of those that a later edit replaced, and the place of the one that says how they are
    encrypted.
    """
    objects: dict[int, int] = {}
    session, wanted = -1, -1
    seen: set[int] = set()
    while edit not in seen and len(seen) < _MAX_EDITS and (body := _body(stream, edit, _USER_EDIT)) is not None and len(body) >= 20:
        seen.add(edit)
        edit, directory = struct.unpack_from("<II", body, 8)
        if wanted < 0 and len(body) >= _SESSION_AT + 4:
            wanted = struct.unpack_from("<I", body, _SESSION_AT)[0]
        for number, offset in _directory(_body(stream, directory, _PERSIST_DIRECTORY) or b""):
            objects.setdefault(offset, number)
            session = offset if session < 0 and number == wanted else session
            if len(objects) > _MAX_OBJECTS:
                raise Malformed(_DAMAGED)
    return objects, session


def _directory(body: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at + 4 <= len(body):
        head = struct.unpack_from("<I", body, at)[0]
        first, count = head & 0xFFFFF, min(head >> 20, (len(body) - at - 4) // 4)
        yield from zip(range(first, first + count), struct.unpack_from(f"<{count}I", body, at + 4), strict=True)
        at += 4 + 4 * max(count, head >> 20)


def _body(stream: bytes, offset: int, kind: int) -> bytes | None:
    if offset < 0 or offset + 8 > len(stream):
        return None
    _, found, size = struct.unpack_from("<HHI", stream, offset)
    return stream[offset + 8 : offset + 8 + size] if found == kind else None
