"""Running heads and feet with page numbers: rules set them off as they do a table's heading, and a table must not begin with one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingestion.readers.pdf.tables.table_model import PageWord

_NUMBER = re.compile(r"\d+")
_PAGE = re.compile(r"\b(?:page|seite|p[aá]gina|sida|side|strona|pagina|страница|стр\.)\s+\d{1,4}\b", re.I)
_SAME_HEIGHT = 6.0  # points
_MOST = 64  # lines that are remembered
_LONGEST = 40  # words

_Line = tuple[str, ...]


class RunningHeads:
    """Remembers the first and the last line of pages. A line whose number has grown by as much as the pages' is one with the page's number, and so
    is one that says "page 8": no heading of a table that goes on is."""

    def __init__(self) -> None:
        self._seen: dict[tuple[_Line, int], tuple[int, list[int]]] = {}

    def strip_running_heads(self, words: list[PageWord], number: int) -> list[PageWord]:
        """Return the words of page `number` without those of its running head and foot."""
        if not words:
            return words
        highest, lowest = min(words, key=lambda word: word.y), max(words, key=lambda word: word.y)
        left_out = [line for line in (_words_on_height(highest, words), _words_on_height(lowest, words)) if self._is_running_head(line, number)]
        gone = {id(word) for line in left_out for word in line}
        return [word for word in words if id(word) not in gone] if gone else words

    def _is_running_head(self, line: Sequence[PageWord], number: int) -> bool:
        texts = [word.text for word in line]
        if _PAGE.search(" ".join(texts)):
            return len(texts) <= _LONGEST
        numbers = [int(digits) for text in texts for digits in _NUMBER.findall(text) if len(digits) < 7]
        if not numbers or len(texts) > _LONGEST:
            return False
        key = tuple(_NUMBER.sub("#", text) for text in texts), round(line[0].bottom / _SAME_HEIGHT)
        page, before = self._seen.pop(key, (0, []))
        self._seen[key] = number, numbers
        if len(self._seen) > _MOST:
            del self._seen[next(iter(self._seen))]
        grown = [now - then for then, now in zip(before, numbers, strict=False) if now != then]
        return page > 0 and len(before) == len(numbers) and grown == [number - page]


def _words_on_height(first: PageWord, words: Sequence[PageWord]) -> list[PageWord]:
    """Return the words on the height of one, from the left."""
    return sorted([word for word in words if word.top < first.y < word.bottom], key=lambda word: word.left)
