"""From the lines of a PDF to paragraphs: which lines belong together, and how they are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ingestion.readers.base.page_lines import PageLine
from ingestion.readers.pdf.footnotes import NOTE_MARK
from ingestion.readers.pdf.line_heuristics import BULLET, NUMBERED

_WIDEST_STEP = 3.5  # heights of a line
_DIGIT = re.compile(r"\d")
_SENTENCE_END = re.compile(r"[.!?:;]['\"”’)\]]*$")
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")  # scripts without spaces between words
_LEADERS = re.compile(r"\s{0,3}(?:(?:\.\s?){5,}|(?:…\s?){2,}|(?:·\s?){5,})\s*")
_DOTS = (".", "…", "·")
_ENDING = 300  # letters at the end of a line that are looked at
_PAGE = re.compile(r"\s\d{1,4}$")
_LED = re.compile(rf"(?:{_LEADERS.pattern})[\w.-]{{1,8}}$")
_LABELLED = re.compile(r"(?:[A-ZÀ-Þ#][\w#/&.'’-]*)(?: [\w#/&.'’-]+){0,3}:\s+\S")  # "Order type: Premium"
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def group_lines(lines: Sequence[PageLine]) -> list[list[PageLine]]:
    """Group neighbouring lines that make up one heading, paragraph, list item or foot of the page, in the order of the file."""
    groups: list[list[PageLine]] = []
    setting = _setting(lines)
    for line in lines:
        if groups and _continues(groups[-1], line, setting):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


@dataclass(frozen=True, slots=True)
class _Setting:
    """The setting of a page's text: the usual step from line to line, and how wide a full line is."""

    step: float
    width: float


def _setting(lines: Sequence[PageLine]) -> _Setting:
    text = [line for line in lines if line.size and line.table is None and not (line.furniture or line.sideways or line.hidden)]
    steps = [below.y - line.y for line, below in pairwise(text) if 0.8 * line.size < below.y - line.y < _WIDEST_STEP * line.size]
    widths = sorted(line.right - line.left for line in text)
    return _Setting(median(steps) if steps else 0.0, widths[int(0.8 * (len(widths) - 1))] if widths else 0.0)


def _continues(group: list[PageLine], line: PageLine, setting: _Setting) -> bool:
    last = group[-1]
    if _kind(last) != _kind(line):
        return False
    drop = line.y - last.y
    if line.table is not None or line.furniture or line.hidden:
        return line.table is None and abs(drop) < 2
    size = max(last.size, line.size, 1.0)
    if abs(drop) < (0.9 if _is_mark(last) or _is_mark(line) else 0.4) * size:
        return True
    if last.level:
        return _continues_heading(group, line, drop, size)
    if _begins_item(group, line):
        return False
    if not _stands_below(last, line, size, setting):
        return _continues_sentence(last, line)
    return abs(last.size - line.size) <= 0.2 * size and not _begins_paragraph(group, line, drop)


def _continues_heading(group: Sequence[PageLine], line: PageLine, drop: float, size: float) -> bool:
    last = group[-1]
    shares_column = min(last.right, line.right) > max(last.left, line.left)
    return shares_column and 0 < drop < 1.9 * size and abs(last.size - line.size) <= 0.5 and len(group) < 4 and not NUMBERED.match(line.text)


def _begins_item(group: Sequence[PageLine], line: PageLine) -> bool:
    return bool(BULLET.match(line.text) or (line.note and NOTE_MARK.match(line.text) and line.left <= group[0].left + 1))


def _stands_below(last: PageLine, line: PageLine, size: float, setting: _Setting) -> bool:
    """Return whether the line is the next one of its column. Text is set with more space between its lines where the line above was full."""
    drop, is_full = line.y - last.y, last.right - last.left > 0.75 * setting.width
    shares_column = min(last.right, line.right) > max(last.left, line.left)
    return 0 <= drop <= max(1.75 * size, 1.1 * setting.step if is_full else 0.0) and shares_column


def _kind(line: PageLine) -> tuple[bool, bool, bool, bool, int, int | None]:
    """Return the kind of a line; lines of different kinds are never joined."""
    return line.furniture, line.hidden, line.note, line.sideways, line.level, line.table


def _is_mark(line: PageLine) -> bool:
    """Return whether it is a footnote's number or sign that is raised above its line."""
    return len(line.text) <= 2


def _continues_sentence(last: PageLine, line: PageLine) -> bool:
    """Return whether the sentence goes on in the next column."""
    return (
        (last.hyphenated or line.text[:1].islower())
        and not _SENTENCE_END.search(last.text)
        and abs(last.size - line.size) <= 0.5
        and len(last.text) > 20
    )


def _begins_paragraph(group: list[PageLine], line: PageLine, drop: float) -> bool:
    """Return whether a paragraph begins: an indented first line, a gap wider than the group's own, or a full stop in a line that ends early."""
    last = group[-1]
    if last.hyphenated or not _SENTENCE_END.search(last.text):
        wide = len(group) > 1 and drop > 1.4 * max(1.0, group[-1].y - group[-2].y) > 0
        return wide and not line.text[:1].islower()
    left, right = min(part.left for part in group), max(part.right for part in group)
    indented = len(group) > 1 and line.left > left + 0.8 * line.size and abs(group[-1].left - left) < 1
    short = last.right < right - 0.15 * (right - left) or (len(group) == 1 and line.right > last.right + 3 * line.size)
    gap = len(group) > 1 and drop > 1.25 * max(1.0, abs(group[-1].y - group[-2].y))
    return indented or short or gap


class LineJoiner:
    """Joins the lines of a group. Words that a line's end divides are mended: the document itself says which form it uses elsewhere."""

    def __init__(self, lines: Sequence[PageLine]) -> None:
        self._words: set[str] = set()
        for line in lines:
            words = _WORD.findall(line.text.lower())
            self._words.update(words[:-1] if line.hyphenated else words)

    def join_lines(self, group: Sequence[PageLine]) -> str:
        """Join a group to its text: prose on one line, rows of a table, short lines and entries of a table of contents each on their own."""
        if not any(".." in line.text or ". ." in line.text or "…" in line.text or "··" in line.text for line in group):
            return self._join_prose(group)
        texts: list[str] = []
        entry: list[PageLine] = []
        contents = 2 * sum(map(_has_leaders, group)) >= len(group) > 1
        for line, following in zip(group, [*group[1:], None], strict=True):
            entry.append(line)
            goes_on = following is not None and following.text[:1] in _DOTS  # the dots of an entry may stand on its second line
            if _has_leaders(line) or (contents and not goes_on and _PAGE.search(line.text)):
                texts.append(self._join_prose(entry))
                entry = []
        texts += [self._join_prose(entry)] if entry else []
        return "\n".join(_LEADERS.sub(" … ", text).strip() for text in texts)

    def _join_prose(self, group: Sequence[PageLine]) -> str:
        bounds = _column_bounds(group)
        text = group[0].text
        for (last, line), (left, right) in zip(pairwise(group), bounds, strict=False):
            if last.hyphenated or _ends_divided(text, line):
                text = self._mend_hyphenation(text.removesuffix("-"), line.text)
            elif _stands_beside(last, line):
                text += " " + line.text
            elif (
                (_LABELLED.match(last.text) and _LABELLED.match(line.text))
                or _ends_row(last, left, right)
                or (_is_row(line) and len(last.text.split()) < 8)
            ):
                text += "\n" + line.text
            else:
                text += ("" if _CJK.match(text[-1:]) and _CJK.match(line.text) else " ") + line.text
        return text + ("-" if group[-1].hyphenated else "")

    def _mend_hyphenation(self, text: str, following: str) -> str:
        before = re.search(r"[^\W\d_]+(?:-[^\W\d_]+)*$", text)
        after = _WORD.match(following)
        if not before or not after:
            return f"{text}-{following}"
        first, second = before[0].lower(), after[0].lower()
        joined, hyphened = first + second in self._words, f"{first}-{second}" in self._words
        if joined == hyphened:
            joined = following[0].islower()
        return text + following if joined else f"{text}-{following}"


def _stands_beside(last: PageLine, line: PageLine) -> bool:
    """Return whether the line goes on at the height of the last one, or of the text behind a raised mark."""
    return abs(last.y - line.y) < 0.4 * max(last.size, 1.0) or (_is_mark(last) and abs(last.y - line.y) < 0.9 * line.size)


def _ends_divided(text: str, line: PageLine) -> bool:
    """Return whether the text ends with the first part of a word that the line goes on with."""
    return text.endswith("-") and line.text[:1].islower() and text[-2:-1].isalpha()


def _has_leaders(line: PageLine) -> bool:
    """Return whether dots lead to what stands at the line's end."""
    return bool(_LED.search(line.text[-_ENDING:]))


def _column_bounds(group: Sequence[PageLine]) -> list[tuple[float, float]]:
    """Return for each line the left and right edge of the column that it stands in: a paragraph may run on in the next one."""
    columns: list[list[PageLine]] = []
    for line in group:
        if not columns or line.y < columns[-1][-1].y - line.size or line.left >= columns[-1][-1].right:
            columns.append([])
        columns[-1].append(line)
    bounds = [(min(part.left for part in column), max(part.right for part in column)) for column in columns]
    return [bound for bound, column in zip(bounds, columns, strict=True) for _ in column]


def _ends_row(line: PageLine, left: float, right: float) -> bool:
    """Return whether the line ends so early that its author must have wanted its end, or is a row of figures."""
    return line.right < left + 0.6 * (right - left) or _is_row(line)


def _is_row(line: PageLine) -> bool:
    """Return whether a line is a row of figures rather than a sentence."""
    if not _DIGIT.search(line.text):
        return False
    words = line.text.split()
    figures = sum(_DIGIT.search(word) is not None for word in words)
    return len(words) >= 3 and figures >= 0.5 * len(words)
