"""A name as a document writes it, with its aliases and what the words themselves say of it, packed into one text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

_PACKED = "\0"  # before what is more than a name


class WrittenName(NamedTuple):
    """How a document writes a name. Nothing of it is the caller's to change."""

    name: str
    aliases: tuple[str, ...]
    properties: dict[str, Any]


def pack_name(name: str, aliases: Sequence[str], properties: dict[str, Any]) -> str:
    """Return the name alone where there is nothing else to tell, else all of it as JSON."""
    if not aliases and not properties and not name.startswith(_PACKED):
        return name
    return _PACKED + json.dumps([name, list(aliases), properties], separators=(",", ":"))


@lru_cache(maxsize=4096)
def unpack_name(text: str) -> WrittenName:
    """Return what `pack_name` packed."""
    if not text.startswith(_PACKED):
        return WrittenName(text, (), {})
    name, aliases, properties = json.loads(text[1:])
    return WrittenName(name, tuple(aliases), properties)
