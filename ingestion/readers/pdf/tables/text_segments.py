"""Words to lines, lines to segments, and what a text is: a number, running text, a note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import attrgetter

from ingestion.readers.pdf.tables.table_model import PageWord, Segment, WordLine
from ingestion.readers.pdf.tables.text_direction import words_in_reading_order

WIDE = 0.95  # em: a wider gap between two words starts a new segment
_NUMBERS_APART = 0.5  # em: two numbers farther apart than this are not one
_APART = 0.2  # em: nearer ones stand side by side
_ROWS_BACK = 4
_LETTERS_OF_NUMBER = 40  # a longer text is no number
_NUMBER = re.compile(r"^\W{0,3}(?:US|EUR|USD|GBP|CHF)?\W{0,3}\d[\d.,:%‰$€£¥()+\-–—−/ *†‡#'’]*[A-Za-z]{0,2}[\W_]{0,3}$")
_NO_VALUE = re.compile(r"^(?:[-–—−†‡#*.…]+|n\.?/?a\.?|n\.d\.|nil)$", re.I)
_PLAIN_NUMBER = re.compile(r"^[-–−+$€£]?\d[\d.,]*%?$")
_THOUSANDS = re.compile(r"^\d{3}(?:[.,]\d+)?%?$")
_YEAR = re.compile(r"^(?:19|20)\d\d(?:\s?[-–/]\s?(?:\d{4}|\d\d))?\W{0,2}$")
_LEADERS = re.compile(r"\s*(?:\.\s?){4,}")
_NUMBER_OF_TABLE = re.compile(r"^(?:[A-Z]{1,2}[-.]?)?\d{1,3}(?:[-.]\d+)*[.:]?$")
_NOTE = re.compile(r"^(?:tables?|exhibits?|figures?|sources?|notes?)[:.]?$", re.I)


def is_numeric(text: str) -> bool:
    """Return whether a cell holds a number (with its signs, units of two letters, marks of notes) or says that there is none."""
    text = strip_leaders(text.strip())
    return len(text) <= _LETTERS_OF_NUMBER and bool(_NUMBER.match(text) or _NO_VALUE.match(text))


def strip_leaders(text: str) -> str:
    """Return a cell without the dots that lead the eye to the next one."""
    return _LEADERS.sub(" ", text).strip() if ".." in text or ". ." in text else text


def is_year(text: str) -> bool:
    """Return whether a cell holds a year or two, as headings of columns do."""
    return bool(_YEAR.match(text.strip()))


def is_prose(line: WordLine) -> bool:
    """Return whether a line is running text: nine words and no wide gap."""
    return len(line.segments) == 1 and len(line.words) >= 9


def is_wordy(segment: Segment) -> bool:
    """Return whether a segment has at least four words that are not mostly numbers."""
    texts = [word.text for word in segment.words]
    return len(texts) >= 4 and sum(map(is_numeric, texts)) < 0.35 * len(texts)


def opens_note(line: WordLine) -> bool:
    """Return whether the line begins as a caption, a source or a note does."""
    return bool(_NOTE.match(line.words[0].text))


def is_note(line: WordLine) -> bool:
    """Return whether the line is a caption, a source or a note: "Table 6" alone, or such a word before at least three others."""
    return opens_note(line) and (len(line.words) > 3 or (len(line.words) == 2 and bool(_NUMBER_OF_TABLE.match(line.words[1].text))))


def segments_of(words: Sequence[PageWord], gap: float, cuts: Sequence[float] = ()) -> list[Segment]:
    """Divide the words of one line into segments at gaps wider than `gap` points, between two numbers, and at each x of `cuts`."""
    segments: list[Segment] = []
    current: list[PageWord] = []
    end = 0.0
    for word in sorted(words, key=_left):
        if current:
            left = word.left
            if (
                left - end > gap
                or (left - end > _APART * word.height and _are_two_numbers(current[-1], word, end))
                or (cuts and any(end - 1 <= cut <= left + 1 for cut in cuts))
            ):
                segments.append(Segment(current))
                current = []
            elif end > word.right:
                current.append(word)
                continue
        end = word.right
        current.append(word)
    if current:
        segments.append(Segment(current))
    return segments


_left, _middle = attrgetter("left"), attrgetter("y")


def _are_two_numbers(before: PageWord, after: PageWord, end: float) -> bool:
    """Return whether neighbours are two numbers, not one with a space between its thousands."""
    if not (_PLAIN_NUMBER.match(before.text) and _PLAIN_NUMBER.match(after.text)):
        return False
    if after.left - end > _NUMBERS_APART * after.height:
        return True
    return all(any(mark in word.text for mark in ".,%") for word in (before, after)) and not _THOUSANDS.match(after.text)


class _WordRow:
    """Words that share a height while lines are gathered."""

    __slots__ = ("bottom", "first_height", "top", "words")

    def __init__(self, word: PageWord) -> None:
        self.words = [word]
        self.top, self.bottom = word.top, word.bottom
        self.first_height = word.height

    def includes(self, word: PageWord) -> bool:
        top, bottom, height = self.top, self.bottom, word.height
        overlap = (bottom if bottom < word.bottom else word.bottom) - (top if top > word.top else word.top)
        if overlap <= 0 or overlap <= 0.5 * min(height, bottom - top):
            return False
        self.words.append(word)
        if height >= 0.8 * self.first_height:  # a raised mark does not make the line taller
            self.top, self.bottom = min(top, word.top), max(bottom, word.bottom)
        return True


def _rows_of(words: Iterable[PageWord]) -> list[_WordRow]:
    """Return words in rows, from above."""
    rows: list[_WordRow] = []
    for word in sorted(words, key=_middle):
        for row in rows[: -_ROWS_BACK - 1 : -1]:
            if row.includes(word):
                break
        else:
            rows.append(_WordRow(word))
    return rows


def lines_of(words: Iterable[PageWord], gap: float = WIDE) -> list[WordLine]:
    """Make lines of words, from above, in segments at gaps wider than `gap` em."""
    return sorted([line_of(row.words, gap) for row in _rows_of(words)], key=attrgetter("middle"))


def line_of(words: Sequence[PageWord], gap: float = WIDE) -> WordLine:
    """Make a line of words of one height."""
    ordered = sorted(words, key=_left)
    heights = sorted([word.height for word in ordered])
    half = len(heights) // 2
    size = heights[half] if len(heights) % 2 else (heights[half - 1] + heights[half]) / 2
    return WordLine(ordered, segments_of(ordered, gap * size), size)


def text_of(words: Sequence[PageWord]) -> str:
    """Join words to the text of a cell."""
    if len(words) < 2:
        return words[0].text if words else ""
    rows = _rows_of(words)
    if len(rows) > 1:
        rows.sort(key=_middle_of_row)
    return join_cell_lines([" ".join(words_in_reading_order([word.text for word in sorted(row.words, key=_left)])) for row in rows])


def _middle_of_row(row: _WordRow) -> float:
    return min([word.top for word in row.words]) + max([word.bottom for word in row.words])


def join_cell_lines(lines: Sequence[str]) -> str:
    """Join the lines of one cell to one text; a word that a hyphen divides stays in one piece."""
    text = ""
    for line in lines:
        divided = len(text) > 1 and text[-1] == "-" and text[-2].isalpha() and line[:1].islower()
        text += line if divided or not text else f" {line}"
    return text
