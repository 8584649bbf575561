"""Footnotes of a PDF: small print at the foot of a column that begins with a mark. They are read behind the page's text, which runs on above them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingestion.readers.base.page_lines import PageLine, PageText

NOTE_MARK = re.compile(r"^(?:\d{1,3}[).\]]?\s?|[*†‡§¶]{1,3}\s?)(?=\W{0,2}[^\W\d_])")
_LONE_MARK = re.compile(r"^(?:\d{1,3}|[*†‡§¶]{1,3})[).\]]?$")
_SMALL = 0.92
_MAX_LINES = 800


def mark_notes(pages: Sequence[PageText], body: float) -> None:
    """Set `note` on the lines of footnotes; `body` is the size in which most of the document is set."""
    for page in pages:
        if len(page.lines) <= _MAX_LINES:
            _mark_page_notes(page, body)


def _mark_page_notes(page: PageText, body: float) -> None:
    lines = [line for line in page.lines if line.size and not (line.furniture or line.hidden or line.sideways)]
    small = [line for line in lines if _is_small(line, body)]
    large = [line for line in lines if not _is_small(line, body)]
    for line in small:
        is_low = not line.note and line.y >= 0.4 * page.height
        if is_low and _begins_note(line, small) and _ends_text(line, large):
            _mark_from(line, small)


def _ends_text(line: PageLine, large: Sequence[PageLine]) -> bool:
    """Return whether text stands in the line's column, and all of it above."""
    column = [other for other in large if _shares_column(other, line)]
    return bool(column) and all(other.y < line.y for other in column)


def _is_small(line: PageLine, body: float) -> bool:
    return bool(line.text) and line.size <= _SMALL * body


def _mark_from(first: PageLine, small: Sequence[PageLine]) -> None:
    """Mark the lines of the column from `first` on."""
    for line in small:
        line.note = line.note or (line.y >= first.y - 0.6 * first.size and _shares_column(line, first))


def _begins_note(line: PageLine, small: Sequence[PageLine]) -> bool:
    if NOTE_MARK.match(line.text):
        return True
    beside = (
        other for other in small if other is not line and abs(other.y - line.y) < 0.9 * other.size and 0 <= other.left - line.left < 4 * other.size
    )
    return bool(_LONE_MARK.match(line.text)) and any(len(other.text) > 3 for other in beside)


def _shares_column(line: PageLine, other: PageLine) -> bool:
    return min(line.right, other.right) > max(line.left, other.left)
