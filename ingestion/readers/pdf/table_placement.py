"""Tables in the place of the lines that they are made of: nothing of a page is lost, and nothing stands there twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from ingestion.readers.base.page_lines import PageLine, PageText

Box = tuple[float, float, float, float]  # left, top, right, bottom in points of the page as shown
_TOLERANCE = 2.0
_WORD = re.compile(r"\S+")
_LONG = 4  # letters; shorter words stand by chance within others
_NO_LETTERS = re.compile(r"[\W_]+")


class TableOnPages(Protocol):
    """A found table as the placing needs it; `boxes` are its parts as (page, box), the first one on `page`, `rows_per_part` the rows of each part
    (one part holds all where there are none), `repeated_headings` the texts of the heading that stands again in a part."""

    @property
    def page(self) -> int: ...
    @property
    def bbox(self) -> Box: ...
    @property
    def rows(self) -> list[list[str]]: ...
    @property
    def boxes(self) -> list[tuple[int, Box]]: ...
    @property
    def rows_per_part(self) -> list[int]: ...
    @property
    def spans(self) -> list[tuple[int, int, int, int]]: ...
    @property
    def header_rows(self) -> int: ...
    @property
    def caption(self) -> str: ...
    @property
    def last_page(self) -> int | None: ...
    @property
    def repeated_headings(self) -> dict[int, list[str]]: ...


def insert_tables(pages: Sequence[PageText], tables: Sequence[TableOnPages]) -> None:
    """Replace the lines that each table covers by a line on each of its pages that holds its number in `tables`, where the first of them stood.
    Words inside its box that are in none of its cells stay as lines behind it; what hangs over the edge of the box is divided by its words. A
    heading that stands again on a page is a running head there."""
    by_number = {page.number: page for page in pages}
    for number, table in enumerate(tables):
        left = _UnmatchedText([*table.rows, *table.repeated_headings.values()])
        for at, (page_number, box) in enumerate(table.boxes or [(table.page, table.bbox)]):
            if (page := by_number.get(page_number)) is not None:
                place = upright_box(box, page)
                here = [_repeated_heading_line(text, page.number, place) for text in table.repeated_headings.get(at, ())]
                here += [_table_line(page.number, place, number)] if at < max(1, len(table.rows_per_part)) else []
                _insert_table(page, place, left, here)


def upright_box(box: Box, page: PageText) -> Box:
    """Turn a box of the page as it is shown to the page whose text stands upright."""
    match page.rotation:
        case 90:
            return page.width - box[3], box[0], page.width - box[1], box[2]
        case 180:
            return page.width - box[2], page.height - box[3], page.width - box[0], page.height - box[1]
        case 270:
            return box[1], page.height - box[2], box[3], page.height - box[0]
        case _:
            return box


def _insert_table(page: PageText, box: Box, left: _UnmatchedText, here: list[PageLine]) -> None:
    kept: list[PageLine] = []
    inner: list[PageLine] = []
    at: int | None = None
    for line in page.lines:
        inside, outside = _split_line(line, box) if _is_inside(line, box) else ([], [line])
        if inside and at is None:
            at = len(kept)
        inner += inside
        kept += outside
    if not inner and not here:
        return
    at = _place_by_height(kept, box) if at is None else at
    page.lines[:] = kept[:at] + here + left.unmatched_lines(inner) + kept[at:]


def _table_line(page: int, box: Box, number: int) -> PageLine:
    return PageLine("", page, box[0], box[2], box[3], box[3] - box[1], bold=False, table=number)


def _repeated_heading_line(text: str, page: int, box: Box) -> PageLine:
    """Return the heading of a table where it stands again."""
    return PageLine(text, page, box[0], box[2], box[1], 1.0, bold=False, furniture=True)


def _place_by_height(lines: list[PageLine], box: Box) -> int:
    return next((index for index, line in enumerate(lines) if line.size and line.y > box[3]), len(lines))


def _is_inside(line: PageLine, box: Box) -> bool:
    """Return whether the line's middle lies between the upper and the lower edge of the box, and some of it between the sides."""
    if line.table is not None or not line.size:
        return False
    middle = line.y - line.size / 2
    return box[1] - _TOLERANCE <= middle <= box[3] + _TOLERANCE and line.left < box[2] and line.right > box[0]


def overhangs(line: PageLine, box: Box) -> bool:
    """Return whether a part of a line lies in the box of a table, and another beside it."""
    return _is_inside(line, box) and not (line.left >= box[0] - _TOLERANCE and line.right <= box[2] + _TOLERANCE)


def _split_line(line: PageLine, box: Box) -> tuple[list[PageLine], list[PageLine]]:
    """Return the parts of a line inside and outside of the box; words that stand side by side stay together."""
    if not overhangs(line, box):
        return [line], []
    inside: list[PageLine] = []
    outside: list[PageLine] = []
    last: list[PageLine] | None = None
    for word in line.words or _estimated_words(line):
        parts = inside if box[0] - _TOLERANCE <= (word.left + word.right) / 2 <= box[2] + _TOLERANCE else outside
        if parts is last:
            parts[-1] = _append_word(parts[-1], word)
        else:
            parts.append(word)
        last = parts
    return inside, outside


def _estimated_words(line: PageLine) -> list[PageLine]:
    """Return the words of a line that does not know their places, as a recognised one: its letters are taken to be equally wide."""
    step = (line.right - line.left) / max(1, len(line.text))
    found = []
    for match in _WORD.finditer(line.text):
        left = line.left + step * match.start()
        found.append(replace(line, text=match[0], left=left, right=left + step * len(match[0]), hyphenated=False))
    return found or [line]


def _append_word(line: PageLine, word: PageLine) -> PageLine:
    return replace(line, text=f"{line.text} {word.text}", right=word.right, hyphenated=word.hyphenated)


class _UnmatchedText:
    """Words and letters of a table's cells that no line of the page has accounted for yet."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._cells = [_letters(cell) for row in rows for cell in row]
        self._letters = Counter("".join(self._cells))
        self._all = "\n".join(self._cells)
        self._words: Counter[str] = Counter(_letters(word) for row in rows for cell in row for word in _WORD.findall(cell))

    def unmatched_lines(self, lines: Sequence[PageLine]) -> list[PageLine]:
        """Return those words of the lines inside the table that no cell holds: all of them where letters are too many, none where all add up."""
        inside = Counter(_letters("".join(line.text for line in lines)))
        if inside <= self._letters:
            self._letters -= inside
            return []
        unused = self._words.copy()
        found = [(line, self._unmatched_words(_WORD.findall(line.text), unused)) for line in lines]
        return [replace(line, text=" ".join(words), hyphenated=False) for line, words in found if words]

    def _unmatched_words(self, words: Sequence[str], unused: Counter[str]) -> list[str]:
        """Return those words of a line that no cell holds; a sign goes with the word behind it, at the line's end with the one before."""
        missing: list[str] = []
        signs: list[str] = []
        before = False  # whether the last word was missing
        for word in words:
            if not (letters := _letters(word)):
                signs.append(word)
                continue
            before = not self._is_in_cell(letters, unused)
            if before:
                missing += [*signs, word]
            signs = []
        return [*missing, *signs] if before else missing

    def _is_in_cell(self, word: str, unused: Counter[str]) -> bool:
        if unused[word] > 0:
            unused[word] -= 1
            return True
        # A word that the table's reader divides or joins in another way.
        return len(word) >= _LONG and word not in self._words and word in self._all


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())
