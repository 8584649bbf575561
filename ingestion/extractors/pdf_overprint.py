"""Text that a file draws twice at one place, for bold letters, a shadow, or as a layer below another one: it is read once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ingestion.extractors.pdf_characters import Characters
from ingestion.extractors.pdf_lines import Line
from ingestion.extractors.pdf_rtl import RTL_LETTER
from ingestion.extractors.pdf_signs import LETTERS

_WORD = re.compile(r"\S+")
_NARROW = 0.4  # width of a letter in heights of its line; text of which a part lies upon another part is narrower
_ROW = 8.0  # points
_REPEATED = 0.25  # part of the words
_NEAR = 0.3  # heights of a line


def read_once(lines: Sequence[Line], characters: Characters) -> list[Line]:
    """The lines without those that repeat another one at its place, and without words that lie upon the same words."""
    kept: list[Line] = []
    same: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for line in lines:
        _leave_out_repeated(line, characters)
        row = round(line.y / _ROW)
        if line.size and any(_at_one_place(line, other) for near in (row - 1, row, row + 1) for other in same.get((line.text, near), ())):
            continue
        same[line.text, row].append(line)
        kept.append(line)
    return kept


def _at_one_place(line: Line, other: Line) -> bool:
    near = _NEAR * line.size
    return abs(line.left - other.left) < near and abs(line.y - other.y) < near and abs(line.right - other.right) < 2 * near


def _leave_out_repeated(line: Line, characters: Characters) -> None:
    """Leave out words of a line that goes back over itself where they repeat a word at its place."""
    words = line.text.split()
    if line.right - line.left > _NARROW * len(line.text) * line.size or len(words) - len(set(words)) < _REPEATED * len(words):
        return
    piece = characters.text[line.start : line.start + line.drawn]
    seen: dict[str, list[float]] = defaultdict(list)
    kept: list[str] = []
    for match in _WORD.finditer(piece):
        box = characters.box(line.start + match.start())
        if box and any(abs(box[0] - left) < _NEAR * line.size for left in seen[match[0]]):
            continue
        kept.append(match[0])
        seen[match[0]] += [box[0]] if box else []
    if len(kept) < len(words) and not RTL_LETTER.search(piece):
        line.text = " ".join(kept).translate(LETTERS)
