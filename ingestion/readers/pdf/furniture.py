"""Running heads, feet and page numbers of a PDF: lines at the edges that repeat."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from ingestion.readers.base.page_lines import PageLine, PageText

_PAGE_NUMBER = re.compile(r"^\W*(?:page|seite|página|pagina|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|/|von|de|sur|\|)\s*\d{1,4})?\W*$", re.I)
_LETTER = re.compile(r"[^\W\d_]")
_EDGE = 0.11
_NUMBER = re.compile(r"^\d{1,3}$")
_FEWEST_NUMBERS = 8


def mark_furniture(pages: Sequence[PageText]) -> None:
    """Set `furniture` on lines at the edges that repeat on other pages (numbers aside), and on page numbers that stand alone there."""
    places: dict[str, set[int]] = defaultdict(set)
    edges = {page.number: _edge_lines(page) for page in pages}
    for number, lines in edges.items():
        for line in lines:
            places[_pattern(line.text)].add(number)
    needed = 2 if len(pages) <= 3 else 3
    for lines in edges.values():
        for line in lines:
            repeated = len(places[_pattern(line.text)]) >= needed and len(_LETTER.findall(line.text)) >= 3
            line.furniture = repeated or (len(pages) > 1 and bool(_PAGE_NUMBER.match(line.text)) and _is_outermost(line, lines))
    _spare_short_pages(pages)
    for page in pages:
        _mark_line_numbers(page)


def _mark_line_numbers(page: PageText) -> None:
    """Mark numbers that count the lines of a page, in a column beside its text."""
    text = sorted(line.left for line in page.lines if line.size and not _NUMBER.match(line.text))
    edge = text[len(text) // 4] if text else 0.0
    lone = [line for line in page.lines if line.size and _NUMBER.match(line.text) and line.right <= edge + 1 and not line.furniture]
    numbers = sorted(lone, key=lambda line: line.y)
    counted = sum(int(below.text) - int(above.text) == 1 for above, below in pairwise(numbers))
    if len(numbers) >= _FEWEST_NUMBERS and counted >= len(numbers) - 2:
        for line in numbers:
            line.furniture = True


def _spare_short_pages(pages: Sequence[PageText]) -> None:
    """Unmark lines that repeat where most pages hold nothing else (labels, forms, cards): they are the content."""
    filled = [page for page in pages if page.lines]
    if 2 * sum(all(line.furniture for line in page.lines) for page in filled) > len(filled):
        for page in filled:
            for line in page.lines:
                line.furniture = bool(_PAGE_NUMBER.match(line.text)) and len(page.lines) > 1


def _edge_lines(page: PageText) -> list[PageLine]:
    """Return lines in the upper and lower ninth of the page, at most four from each edge."""
    by_height = sorted((line for line in page.lines if line.size), key=lambda line: line.y)
    upper = [line for line in by_height[:4] if line.y < _EDGE * page.height]
    lower = [line for line in by_height[-4:] if line.y > (1 - _EDGE) * page.height]
    return upper + [line for line in lower if line not in upper]


def _is_outermost(line: PageLine, edge: list[PageLine]) -> bool:
    """Return whether no line of its edge lies between it and the paper's end (others at its own height aside)."""
    same_edge = [other for other in edge if abs(other.y - line.y) < 200]
    return all(other.y <= line.y + 2 for other in same_edge) or all(other.y >= line.y - 2 for other in same_edge)


def _pattern(text: str) -> str:
    return re.sub(r"\d+|\b[ivxlc]+\b", "#", text.lower()).strip()
