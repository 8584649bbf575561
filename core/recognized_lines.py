"""Places of recognised text on the picture of its page: what a mark is drawn over when a page has no letters of its own."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

_LOOK_AHEAD = 2  # characters of a block, one behind the other, that may stand in none of its lines
_HYPHENS = frozenset("-\u00ad\u2010\u2011")  # those at the ends of lines are dropped when their word is joined
_PARTS = 10_000  # of a page's side, and of a line's length
_TENTHS = 10
_MOST_BYTES = 16 << 20  # of a page's lines unpacked: the densest page has some hundred thousand


@dataclass(frozen=True, slots=True)
class WordPlace:
    """A word of a line: its span, and where it begins and ends along the line (0..1)."""

    start: int
    end: int
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A line on its page, which is set upright first where it is turned.

    `left`, `top`, `width` and `height` are fractions of the page's width and height (0..1). They are those of the line laid level about its own
    middle: `angle` is the turn in degrees, clockwise, that brings it to where it stands. `start` and `end` are code points of the document's text.
    """

    start: int
    end: int
    left: float
    top: float
    width: float
    height: float
    angle: float = 0.0
    words: tuple[WordPlace, ...] = ()


@dataclass(frozen=True, slots=True)
class PagePlaces:
    """The recognised lines of page `page` (from 1), which lie in [start, end) of the text, as `pack_lines` writes them: a scan of a thousand pages
    has half a million words."""

    page: int
    start: int
    end: int
    packed: bytes


@dataclass(frozen=True, slots=True)
class PageLines:
    """Recognised lines of page `page` (from 1)."""

    page: int
    lines: tuple[LinePlace, ...]


@dataclass(frozen=True, slots=True)
class DocumentPlaces:
    """The known places of a stretch of a document: only pages that were recognised have any."""

    document_id: str
    generation: int
    pages: tuple[PageLines, ...]


def pack_page(page: int, lines: Sequence[LinePlace]) -> PagePlaces:
    """Return the places of one page; `lines` has at least one."""
    return PagePlaces(page, min(line.start for line in lines), max(line.end for line in lines), pack_lines(lines))


def pack_lines(lines: Sequence[LinePlace]) -> bytes:
    """Pack lines as compressed JSON of whole numbers: ten-thousandths of the page or the line, tenths of a degree."""
    rows = [
        [
            line.start,
            line.end - line.start,
            *(round(value * _PARTS) for value in (line.left, line.top, line.width, line.height)),
            round(line.angle * _TENTHS),
            [[word.start - line.start, word.end - word.start, *(round(value * _PARTS) for value in (word.left, word.right))] for word in line.words],
        ]
        for line in lines
    ]
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode())


def unpack_lines(packed: bytes) -> list[LinePlace]:
    """Return what `pack_lines` was given, rounded. Raises ValueError where the bytes are damaged."""
    try:
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(packed, _MOST_BYTES)
        if unpacking.unconsumed_tail:
            raise ValueError(f"the lines of one page have more than {_MOST_BYTES:,} bytes")
        rows = json.loads(plain)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    return [_parse_line(row) for row in rows]


def _parse_line(row: Sequence[Any]) -> LinePlace:
    start, length, left, top, width, height, angle, words = row
    placed = tuple(WordPlace(start + at, start + at + size, begins / _PARTS, ends / _PARTS) for at, size, begins, ends in words)
    return LinePlace(start, start + length, left / _PARTS, top / _PARTS, width / _PARTS, height / _PARTS, angle / _TENTHS, placed)


def locate_lines(block: str, start: int, lines: Sequence[tuple[str, LinePlace]]) -> list[LinePlace]:
    """Return the recognised lines with the spans that they have in a block of text that was made of them.

    `block` begins at `start` of the document; each line comes with its text, in which its own spans count. The block has the lines in their
    order; white space, hyphens at the ends of lines and characters that no reader wants are not as they were. A line of which less than half is
    found is left out.
    """
    found: list[LinePlace] = []
    at = 0
    for text, line in lines:
        where, behind = _match_characters(block, at, text)
        if (placed := _shift_line(line, where, start)) is not None:
            found.append(placed)
            at = behind
    return found


def _match_characters(block: str, at: int, text: str) -> tuple[list[int | None], int]:
    """Return for each character of `text` its place in `block` from `at` on, and where the next line begins."""
    where: list[int | None] = []
    for character in text:
        place = None if character.isspace() else _find_character(block, at, character)
        where.append(place)
        at = at if place is None else place + 1
    return where, at


def _find_character(block: str, at: int, character: str) -> int | None:
    passed = 0
    while at < len(block) and passed <= (0 if character in _HYPHENS else _LOOK_AHEAD):
        if block[at] == character:
            return at
        passed += not block[at].isspace()
        at += 1
    return None


def _shift_line(line: LinePlace, where: Sequence[int | None], start: int) -> LinePlace | None:
    known = [place for place in where if place is not None]
    if not known or 2 * len(known) < len(where):
        return None
    words = []
    for word in line.words:
        inside = [place for place in where[word.start : word.end] if place is not None]
        if inside:
            words.append(replace(word, start=start + inside[0], end=start + inside[-1] + 1))
    return replace(line, start=start + known[0], end=start + known[-1] + 1, words=tuple(words))
