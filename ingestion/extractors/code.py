"""Source code and configuration as text: one block for each function, class or paragraph of the file."""

from __future__ import annotations

import re

from core.documents import ExtractedDocument
from ingestion.builder import DocumentBuilder
from ingestion.extractors.charset import decode
from ingestion.extractors.source import Source

_BLOCK_LINES = 60
_SMALL = 12
# A line at the margin that begins a definition in one of the usual languages, with the lines of decorators and comments above it.
_DEFINITION = re.compile(
    r"^(?:@\w|(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub|unsafe|inline|virtual|extern|const|sealed|override)"
    r"\b[\w()]*\s+)*"
    r"(?:def|class|function|func|fn|fun|interface|struct|enum|trait|impl|module|namespace|type|sub|object|record|create\s+(?:or\s+replace\s+)?(?:table|view|function))\b)",
    re.I,
)
_ABOVE = re.compile(r"^(?:#|//|/\*|\*|--|@|\[|\"\"\"|'''|;)")


def extract(source: Source) -> ExtractedDocument:
    """Code in any language, with its indentation.

    Raises:
        Empty: only white space.
    """
    decoded = decode(source.data, limit=4 * source.limits.characters)
    builder = DocumentBuilder("code", limit=source.limits.characters)
    for piece in _pieces(decoded.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        builder.code("\n".join(piece))
    if decoded.truncated:
        builder.warn(f"The text was cut after {source.limits.characters:,} characters.")
    return builder.build()


def _pieces(lines: list[str]) -> list[list[str]]:
    """Cut before each definition at the margin (with the comment above it) and, in long stretches, at blank lines."""
    pieces: list[list[str]] = [[]]
    for index, line in enumerate(lines):
        if _begins_piece(lines, index, pieces[-1]):
            carried: list[str] = []
            while pieces[-1] and _DEFINITION.match(line) and _ABOVE.match(pieces[-1][-1]):
                carried.insert(0, pieces[-1].pop())
            pieces.append(carried)
        pieces[-1].append(line)
    return [piece for piece in pieces if any(line.strip() for line in piece)]


def _begins_piece(lines: list[str], index: int, piece: list[str]) -> bool:
    line = lines[index]
    if not piece or not line.strip() or line[0].isspace():
        return len(piece) >= 3 * _BLOCK_LINES and bool(line.strip()) and not lines[index - 1].strip()
    if _DEFINITION.match(line) and any(not _ABOVE.match(previous) for previous in piece if previous.strip()):
        return True
    return not lines[index - 1].strip() and len(piece) >= (_SMALL if _ABOVE.match(line) else _BLOCK_LINES)
