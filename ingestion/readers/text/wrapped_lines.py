"""Joins the lines of text that was broken at a fixed width (typewriter pages, mails, `<pre>`) into the lines that its author meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

# What begins a line of its own: a bullet, a number, a quoted mail's mark, a rule.
_BEGINS_ANEW = re.compile(
    r"\s*[\"'`“‘«]*(?:[-*+–](?=\s)|[-=~^#*_]{3,}|[•‣◦>|§]|\(?(?:\d{1,3}[.)]|[a-zA-Z]\)|[ivx]{2,5}\))(?=\s|$|\()|\((?:\d{1,3}|[a-zA-Z]|[ivx]{2,5})\)|\[\[|https?://|"
    r"(?:Sec|SEC|Art|ART)\.\s*\d|(?:Section|SECTION|Article|ARTICLE|Chapter|CHAPTER|Part|PART|Title|TITLE)\s+[\dIVX]+[.:\-–—])"
)
_SET_IN_COLUMNS = re.compile(r"\S(?: {3,}|\t+ *)\S|[|│┃┼+]-*[|│┃┼+]|^\s*\|")
_CLOSED = re.compile(r"[.:;!?…][\"'”’»)\]]*$")
_NARROWEST, _WIDEST = 45, 110
_LEAST_FULL = 4  # pairs of lines that show the width
_LEAST_SHARE = 0.5  # of lines with one behind them that are full
_LEAST_OPEN = 0.4  # of full lines behind which the next begins with a small letter
_NEARLY = 0.88  # of the width: where the author broke a little earlier


def wrapped_width(lines: Sequence[str]) -> int:
    """Return the width at which prose was broken into `lines`; 0 where it was not: code, tables, verses, one line for a paragraph.

    A line is full where the next one's first word would not have fitted behind it.
    """
    prose = [line for line in lines if len(line.split()) >= 4 and not _SET_IN_COLUMNS.search(line)]
    if len(prose) <= _LEAST_FULL:
        return 0
    width = sorted(map(len, prose))[int(len(prose) * 0.97)]
    if not _NARROWEST <= width <= _WIDEST:
        return 0
    pairs = [(line, after) for line, after in pairwise(lines) if line.strip() and after.strip() and not _begins_anew(line, after)]
    full = [after.lstrip() for line, after in pairs if _is_full(line, after, width * _NEARLY)]
    small = sum(after[:1].islower() for after in full)
    return width if len(full) >= max(_LEAST_FULL, _LEAST_SHARE * len(pairs)) and small >= _LEAST_OPEN * len(full) else 0


def join_wrapped_lines(lines: Sequence[str], width: int) -> list[str]:
    """Return the lines of a paragraph with each that was broken at `width` joined to the next; each keeps its own indentation."""
    joined: list[str] = []
    before = ""
    for line in lines:
        if joined and _goes_on(before, line, width):
            joined[-1] = joined[-1] + ("" if re.search(r"\w-$", joined[-1]) else " ") + line.strip()
        else:
            joined.append(line)
        before = line
    return joined


def _goes_on(line: str, after: str, width: int) -> bool:
    if _begins_anew(line, after) or _SET_IN_COLUMNS.search(line) or _SET_IN_COLUMNS.search(after):
        return False
    if _CLOSED.search(line):
        return _is_full(line, after, width)
    return _is_full(line, after, width * _NEARLY) or (len(line) >= width / 2 and after.lstrip()[:1].islower())


def _is_full(line: str, after: str, width: float) -> bool:
    return len(line) + 1 + len(after.split(maxsplit=1)[0]) > width


def _begins_anew(line: str, after: str) -> bool:
    """Return whether `after` cannot go on with `line`: it has a bullet or a number, or is set in behind a closed sentence."""
    if _BEGINS_ANEW.match(after):
        return True
    return bool(_CLOSED.search(line)) and _indent(after) > _indent(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
