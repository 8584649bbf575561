"""Arabic and Hebrew in the order in which they are read.

PDFium takes the letters of a line from left to right and turns right-to-left runs around letter by letter. What must not be turned around is set
right here: the letters of one glyph (lam-alef, and whole words that a font's table gives to one glyph), and marks that stand on a letter.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from ingestion.readers.pdf.page_characters import Box, Characters

_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
RTL_LETTER = re.compile(f"[{_RIGHT_TO_LEFT}]")
_LINE = re.compile(f"[^\r\n]*[{_RIGHT_TO_LEFT}][^\r\n]*")
_MARKS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]+"
)
_MARKS_AHEAD = re.compile(f"({_MARKS.pattern})(?!{_MARKS.pattern})([{_RIGHT_TO_LEFT}])")
_NOTHING = "\u00ad"  # left out where a line is made, and as long as what it stands for


def text_in_reading_order(characters: Characters) -> str:
    """Return the text of the page in reading order, each character at a place of a character of its glyph."""
    text = characters.text
    if not RTL_LETTER.search(text):
        return text
    return _LINE.sub(lambda match: _reorder_line(characters, match.start(), match[0]), text)


def _reorder_line(characters: Characters, start: int, line: str) -> str:
    letters = list(line)
    boxes = [characters.box(start + place) for place in range(len(line))]
    if _turn_glyphs_back(letters, boxes):
        _drop_unmapped(characters, start, letters)
    return _move_marks_behind("".join(letters), boxes)


def _drop_unmapped(characters: Characters, start: int, letters: list[str]) -> None:
    """Leave out the other glyphs of words whose letters all stand in the first glyph: PDFium gives their numbers as letters, and does not say so of
    those that it takes for signs within a right-to-left run."""
    unmapped = {place for place, letter in enumerate(letters) if not letter.isspace() and characters.is_unmapped(start + place)}
    drawn = {characters.text_object_id(start + place) for place in unmapped}
    for place, letter in enumerate(letters):
        is_sign = not letter.isalnum() and not letter.isspace() and not _MARKS.match(letter)
        if place in unmapped or (is_sign and characters.text_object_id(start + place) in drawn):
            letters[place] = _NOTHING


def _turn_glyphs_back(letters: list[str], boxes: list[Box | None]) -> bool:
    """Turn the letters of one glyph back; whether a glyph stood for more than a ligature."""
    found = False
    at = 0
    while at < len(letters):
        end = at + 1
        while end < len(letters) and _is_same_box(boxes[at], boxes[end]):
            end += 1
        while letters[at].isspace() and at + 1 < end:  # blanks divide it from its neighbours on the side where they stand
            at += 1
        glyph = "".join(letters[at:end])
        if len(RTL_LETTER.findall(glyph)) > 1 and glyph not in _ligatures():
            letters[at:end] = reversed(letters[at:end])
            found = found or glyph[::-1] not in _ligatures()
        at = end
    return found


def _is_same_box(box: Box | None, other: Box | None) -> bool:
    return box is not None and other is not None and box[2] - box[0] > 0.1 and abs(box[0] - other[0]) < 0.1 and abs(box[2] - other[2]) < 0.1


@cache
def _ligatures() -> frozenset[str]:
    """Return the letters of Unicode's own ligatures, in reading order: PDFium takes those apart itself, and in order."""
    forms = (unicodedata.normalize("NFKC", chr(code)) for code in (*range(0xFB1D, 0xFE00), *range(0xFE70, 0xFEFD)))
    return frozenset(form for form in forms if len(form) > 1)


def _move_marks_behind(line: str, boxes: list[Box | None]) -> str:
    """Move marks that stand in front of their letter behind it."""

    def placed(match: re.Match[str]) -> str:
        mark, at, after = match[1], match.start(), match.end() - 1
        before = line[at - 1] if at else " "
        if RTL_LETTER.match(before) and not _stands_on(boxes[at], boxes[after], boxes[at - 1]):
            return match[0]
        return match[2] + mark[::-1]

    return _MARKS_AHEAD.sub(placed, line)


def _stands_on(mark: Box | None, letter: Box | None, other: Box | None) -> bool:
    """Return whether the mark's middle lies above or below `letter` and not `other`."""
    if mark is None or letter is None or other is None or _is_same_box(mark, letter):
        return False
    middle = (mark[0] + mark[2]) / 2
    return letter[0] <= middle <= letter[2] and not other[0] <= middle <= other[2]
