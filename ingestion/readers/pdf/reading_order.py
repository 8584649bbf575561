"""The order in which the lines of a page are read.

Most files hold their text in reading order, and their makers know it better than geometry does: it is kept. A page is put in order by its
white space only where its own order cannot be meant: text that goes on further up without beginning a new column, or that changes between two
columns line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.pdf.rtl import RTL_LETTER

_SLACK = 2.0  # points by which neighbours may overlap
_GUTTER = 0.6  # narrowest white column between two columns, in heights of a line
_COLUMN_LETTERS = 14  # an average line of a column of text has more; shorter ones are cells or labels
_MAX_BLOCKS = 400
_LETTERS_OF_BLOCK = 20
_MIN_ALTERNATING = 4


@dataclass(slots=True)
class _Block:
    """Lines that follow one another in the file and stand together on the page."""

    lines: list[PageLine]
    left: float
    top: float
    right: float
    bottom: float

    def add(self, line: PageLine) -> None:
        self.lines.append(line)
        self.left, self.right = min(self.left, line.left), max(self.right, line.right)
        self.top, self.bottom = min(self.top, _top(line)), max(self.bottom, line.y)


def sort_page_lines(page: PageText) -> None:
    """Put the lines of a page in the order in which they are read: heads, the text, footnotes, what runs sideways, feet, what cannot be seen."""
    placeless = [line for line in page.lines if not line.size]
    head, foot = _furniture(page)
    text = [line for line in page.lines if line.size and not line.furniture]
    hidden = [line for line in text if line.hidden]
    aside = [line for line in text if line.sideways and not line.hidden]
    body = [line for line in text if not (line.sideways or line.hidden or line.note)]
    page.lines[:] = head + _sort_body(body) + placeless + _notes(page) + aside + foot + hidden


def _sort_body(body: Sequence[PageLine]) -> list[PageLine]:
    """Return the lines of the text, block by block where the file goes back and forth."""
    blocks, from_right, alternates = _blocks(body), _runs_from_right(body), _alternates(body)
    if len(blocks) <= _MAX_BLOCKS and (alternates or _goes_back(blocks, from_right=from_right)):
        blocks = _sort_blocks([_block(line) for line in body] if alternates else blocks, from_right=from_right)
    return [line for block in blocks for line in block.lines]


def _furniture(page: PageText) -> tuple[list[PageLine], list[PageLine]]:
    lines = [line for line in page.lines if line.furniture and line.size]
    head = [line for line in lines if line.y < page.height / 2]
    return head, [line for line in lines if line.y >= page.height / 2]


def _notes(page: PageText) -> list[PageLine]:
    """Return the footnotes, column by column."""
    blocks = _blocks([line for line in page.lines if line.note and not (line.furniture or line.hidden)])
    return [line for block in sorted(blocks, key=lambda block: (round(block.left / 100), block.top)) for line in block.lines]


def _top(line: PageLine) -> float:
    return line.y - line.size


def _block(line: PageLine) -> _Block:
    return _Block([line], line.left, _top(line), line.right, line.y)


def _blocks(lines: Sequence[PageLine]) -> list[_Block]:
    blocks: list[_Block] = []
    for line in lines:
        if blocks and _belongs_to_block(blocks[-1], line):
            blocks[-1].add(line)
        else:
            blocks.append(_block(line))
    return blocks


def _belongs_to_block(block: _Block, line: PageLine) -> bool:
    """Return whether the line stands close below the last line of the block, or close behind it on its row."""
    last = block.lines[-1]
    if line.table is not None or last.table is not None:
        return False
    size = max(line.size, last.size)
    if abs(line.y - last.y) < 0.5 * size:
        return -size < line.left - last.right < 2.5 * size
    overlap = min(line.right, block.right) - max(line.left, block.left)
    return 0 < line.y - last.y < 2.2 * size and overlap > 0.5 * min(line.right - line.left, block.right - block.left)


def _runs_from_right(lines: Sequence[PageLine]) -> bool:
    letters = sum(len(line.text) for line in lines)
    return 2 * sum(len(line.text) for line in lines if RTL_LETTER.search(line.text)) > letters


def _goes_back(blocks: Sequence[_Block], *, from_right: bool) -> bool:
    """Return whether a block of some length stands above one that was read before it in the same column, or in a column that is read first beside
    it.
    """
    for index, block in enumerate(blocks):
        if not index or sum(len(line.text) for line in block.lines) < _LETTERS_OF_BLOCK:
            continue
        last = blocks[index - 1]
        behind = block.left >= last.right - _SLACK if from_right else block.right <= last.left + _SLACK
        if behind and (_starts_above(block, last) or _stand_side_by_side(block, last)):
            return True
        if any(_is_above(block, read) for read in blocks[:index]):
            return True
    return False


def _starts_above(block: _Block, last: _Block) -> bool:
    return block.bottom < last.bottom and block.top < last.top - _SLACK


def _stand_side_by_side(block: _Block, last: _Block) -> bool:
    """Return whether these are two columns of text, and no cells of one row."""
    shared = min(last.bottom, block.bottom) - max(last.top, block.top)
    long = min(len(last.lines), len(block.lines)) >= _MIN_ALTERNATING
    return long and shared > 0.5 * min(last.bottom - last.top, block.bottom - block.top) and _is_text([block]) and _is_text([last])


def _is_above(block: _Block, read: _Block) -> bool:
    shared = min(block.right, read.right) - max(block.left, read.left)
    return block.bottom <= _ink_top(read) and shared > 0.5 * min(block.right - block.left, read.right - read.left)


def _alternates(lines: Sequence[PageLine]) -> bool:
    """Return whether two columns of text come line by line: left, right, left, right."""
    pairs = [
        (first, second)
        for first, second in pairwise(lines)
        if abs(first.y - second.y) < 0.5 * first.size and second.left > first.right + _GUTTER * first.size and _is_prose(first) and _is_prose(second)
    ]
    if len(pairs) < _MIN_ALTERNATING or 3 * len(pairs) < len(lines):
        return False
    gutter = max(first.right for first, _ in pairs), min(second.left for _, second in pairs)
    return gutter[0] < gutter[1]


def _is_prose(line: PageLine) -> bool:
    return len(line.text) > 2 * _COLUMN_LETTERS and sum(letter.isdigit() for letter in line.text) < 0.2 * len(line.text)


# -- by white space (after Nagy, Seth: recursive X-Y cut, 1984) ---------------------------------------------------------------------------


def _sort_blocks(blocks: list[_Block], *, from_right: bool) -> list[_Block]:
    """Sort blocks in columns, and from the top down where there are none."""
    if len(blocks) < 2:
        return blocks
    if sides := _columns(blocks):
        first, second = reversed(sides) if from_right else sides
        return _sort_blocks(first, from_right=from_right) + _sort_blocks(second, from_right=from_right)
    bands = _join_bands(_bands(blocks))
    if len(bands) > 1:
        return [block for band in bands for block in _sort_blocks(band, from_right=from_right)]
    return sorted(blocks, key=lambda block: (round(block.top), -block.right if from_right else block.left))


def _bands(blocks: list[_Block]) -> list[list[_Block]]:
    """Return groups of blocks between which white space goes across."""
    bands: list[list[_Block]] = []
    bottom = 0.0
    for block in sorted(blocks, key=lambda block: block.top):
        if bands and _ink_top(block) < bottom:
            bands[-1].append(block)
            bottom = max(bottom, block.bottom)
        else:
            bands.append([block])
            bottom = block.bottom
    return bands


def _ink_top(block: _Block) -> float:
    """Return where a block's ink begins: boxes of letters are higher than the letters, and overlap from line to line."""
    return block.top + 0.3 * block.lines[0].size if block.lines[0].table is None else block.top + _SLACK


def _join_bands(bands: list[list[_Block]]) -> list[list[_Block]]:
    """Join bands that together make up columns: white space may go across two columns by chance."""
    joined: list[list[_Block]] = []
    for band in bands:
        if joined and _columns(joined[-1] + band) and (_columns(joined[-1]) or _columns(band)):
            joined[-1] = joined[-1] + band
        else:
            joined.append(band)
    return joined


def _columns(blocks: list[_Block]) -> tuple[list[_Block], list[_Block]] | None:
    """Return the blocks left and right of the widest white column, where text stands on both sides of it."""
    spans = sorted(blocks, key=lambda block: block.left)
    right, best, at = spans[0].right, 0.0, 0
    for index, block in enumerate(spans[1:], start=1):
        if block.left - right > best and _is_text(spans[:index]) and _is_text(spans[index:]):
            best, at = block.left - right, index
        right = max(right, block.right)
    size = max(line.size for block in blocks for line in block.lines if line.table is None) if any(_lines(blocks)) else 0.0
    if not at or best < min(_GUTTER * size, 8.0):
        return None
    return spans[:at], spans[at:]


def _lines(blocks: Sequence[_Block]) -> list[PageLine]:
    return [line for block in blocks for line in block.lines if line.table is None]


def _is_text(blocks: Sequence[_Block]) -> bool:
    """Return whether these are lines of a column rather than labels or cells."""
    lines = _lines(blocks)
    if not lines:
        return True  # tables only
    return len(lines) > 1 and sum(len(line.text) for line in lines) >= _COLUMN_LETTERS * len(lines)
