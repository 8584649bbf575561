"""The characters that can be stored, and the replacement of those that cannot.

PostgreSQL refuses U+0000 in text and UTF-8 has no code for lone surrogates, while a damaged file or an odd file name may hold both. Text is
cleaned where it enters: by the column types of `storage/schema.py` and by `storage/blobs.py`, so that no caller can forget it.
"""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# A non-character that no real path holds; it is escaped itself, so that the mapping stays reversible for every string.
_MARK = "\U0010ffff"
_ESCAPE_IN = re.compile(f"[\x00\ud800-\udfff{_MARK}]")
_ESCAPE_OUT = re.compile(f"{_MARK}([0-9a-f]{{6}})")


def make_storable(text: str) -> str:
    """Return `text` with each NUL and each lone surrogate replaced by U+FFFD: one for one, so that spans into it stay right."""
    return _UNSTORABLE.sub("\ufffd", text)


def encode_path(path: str) -> str:
    """Return a path as it is stored. Reversible, because a file is found again by it: Python names undecodable bytes with lone surrogates."""
    return _ESCAPE_IN.sub(lambda match: f"{_MARK}{ord(match.group()):06x}", path)


def decode_path(stored: str) -> str:
    """Return the path that `encode_path` was given."""
    return _ESCAPE_OUT.sub(lambda match: chr(int(match.group(1), 16)), stored)
