"""YAML and TOML: values under their keys, as JSON is read, with the comments. What is a template or no valid file is read as code."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

import yaml

from core.documents import BlockKind, ExtractedDocument
from core.errors import Empty
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.text import source_code
from ingestion.readers.text.json_files import place_value

FORMATS = (
    Format("yaml", "YAML", FileKind.DATA, Viewer.CODE, (".yaml", ".yml"), name_role=NameRole.CHOOSES, doc_type="data"),
    Format("toml", "TOML", FileKind.DATA, Viewer.CODE, (".toml",), name_role=NameRole.CHOOSES, doc_type="data"),
)
_LARGEST = 4 * MEBIBYTE  # parsing takes a hundred times the memory of the text
_MAX_VALUES = 300_000
_MAX_DEPTH = 60
_COMMENT = re.compile(r"^\s*#+[ \t]?(.*)$")


class _TooManyError(Exception):
    """Values that refer to one another are more than the file has room for, as in a bomb of aliases."""


def extract(source: Source) -> ExtractedDocument:
    """Read a .yaml, .yml (also several documents in one) or .toml.

    Raises:
        Empty: no value and no comment in it.
    """
    text = decode(source.data, limit=4 * source.limits.characters).text.removeprefix("\ufeff")
    if len(source.data) > _LARGEST:
        return source_code.extract(source)
    parser = "toml" if source.suffix == ".toml" else "yaml"
    try:
        values = [tomllib.loads(text)] if parser == "toml" else list(yaml.load_all(text, Loader=_LOADER))
        plain = [_ValueCopier().copy_value(value, 0) for value in values if value is not None]
    except (tomllib.TOMLDecodeError, yaml.YAMLError, RecursionError, ValueError, TypeError, _TooManyError):
        return source_code.extract(source)
    builder = DocumentBuilder(parser, limit=source.limits.characters)
    comments = _comments(text)
    builder.paragraph(comments.first)
    for value in plain:
        place_value(builder, value, source)
    for comment in comments.others:
        builder.block(BlockKind.NOTE, comment)
    if not builder.has_text:
        raise Empty("There is no value in this file.")
    return builder.build()


# The loader in C is ten times as fast; both make plain values only.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class _ValueCopier:
    """Values with keys of text, written out where they are referred to, up to a bound."""

    values_left: int = _MAX_VALUES

    def copy_value(self, value: Any, depth: int) -> Any:
        self.values_left -= 1
        if self.values_left < 0 or depth > _MAX_DEPTH:
            raise _TooManyError
        if isinstance(value, dict):
            return {str(key): self.copy_value(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple | set):
            return [self.copy_value(item, depth + 1) for item in value]
        return value if isinstance(value, str | int | float | bool | None) else str(value)


@dataclass(frozen=True, slots=True)
class _Comments:
    """`first` stands above all values."""

    first: str
    others: list[str]


def _comments(text: str) -> _Comments:
    """Return comments on lines of their own, those that follow one another together."""
    groups: list[list[str]] = []
    first: list[str] | None = None
    apart, seen_value = True, False
    for line in text.split("\n"):
        match = _COMMENT.match(line.rstrip())
        if match and any(character.isalpha() for character in match[1]):
            if apart:
                groups.append([])
                first = groups[-1] if not seen_value and first is None else first
            groups[-1].append(match[1])
        else:
            seen_value = seen_value or (bool(line.strip()) and not match and line.strip() != "---")
        apart = match is None
    others = ["\n".join(group) for group in groups if group is not first]
    return _Comments("\n".join(first or ()), others)
