"""Which lines of a PDF are headings, and of what level: by bookmarks, size, weight, numbers and the room around them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.extractors.pdf_lines import Line, PageText
from ingestion.extractors.pdf_signs import CAPTION, NUMBERED

# A sentence, a line of a table of contents.
_NO_HEADING = re.compile(r"[.;,]$|\.{3,}|^(?:\d+\.?)+\s.*\s\d{1,3}$")
_HEADING_LENGTH = 120


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its title, its depth from 1, and the page it points at (from 1, None if nowhere)."""

    title: str
    level: int
    page: int | None


def mark_headings(pages: Sequence[PageText], outline: Sequence[OutlineEntry]) -> None:
    """Set `level` on heading lines: those that bookmarks name, then those set larger than the body, or bold and alone."""
    lines = [line for page in pages for line in page.lines if not line.furniture]
    body = body_size(lines)
    _match_outline(pages, outline)
    candidates = [line for page in pages for line in _set_apart([line for line in page.lines if not line.furniture], body)]
    # Where nearly everything is set large (slides, posters, forms) size says nothing.
    if len(candidates) > 0.35 * max(1, len(lines)) and len(pages) > 1:
        candidates = []
    levels = _levels_by_style(candidates, lines)
    for line in candidates:
        line.level = line.level or levels[_style(line)]
    if not outline:
        _level_by_number(lines)


def _level_by_number(lines: Sequence[Line]) -> None:
    """Numbers say how deep a heading lies below those with one number: "3.1" one level below "3."."""
    numbered = [(line, match[1].count(".")) for line in lines if line.level and (match := NUMBERED.match(line.text)) and match[1][0].isdigit()]
    tops = Counter(line.level for line, dots in numbered if not dots)
    top = tops.most_common(1)[0][0] if tops else min((line.level for line, _ in numbered), default=1)
    for line, dots in numbered:
        line.level = min(6, top + dots)


def body_size(lines: Sequence[Line]) -> float:
    """The size in which most characters are set."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _match_outline(pages: Sequence[PageText], outline: Sequence[OutlineEntry]) -> None:
    by_number = {page.number: page for page in pages}
    for entry in outline:
        title = _letters(entry.title)
        page = by_number.get(entry.page or 0)
        if page is None or len(title) < 2:
            continue
        for start, line in enumerate(page.lines):
            if line.level or line.furniture:
                continue
            if count := _lines_of_title(title, page.lines[start : start + 3]):
                for part in page.lines[start : start + count]:
                    part.level = min(6, entry.level)
                break


def _lines_of_title(title: str, lines: Sequence[Line]) -> int:
    """How many of the first lines make up `title` (a number in front may be missing on either side); 0 if they do not."""
    joined = ""
    bare = title.lstrip("0123456789")
    for count, line in enumerate(lines, start=1):
        joined += _letters(line.text)
        if len(joined) > len(title) + 12:
            return 0
        if joined and (joined.lstrip("0123456789") == bare):
            return count
    return 0


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _set_apart(lines: list[Line], body: float) -> list[Line]:
    """Lines of one page that look like headings by their type."""
    found: list[Line] = []
    in_text = _lines_of_long_runs(lines)
    for index, line in enumerate(lines):
        prominent = index not in in_text and _may_be_heading(line) and not _shares_its_row(lines, index) and _is_prominent(lines, index, body)
        if line.level or prominent or (found and _goes_on(found[-1], lines, index)):
            found.append(line)
    return found


def _goes_on(heading: Line, lines: list[Line], index: int) -> bool:
    """Whether the line is the second line of the heading above it."""
    line = lines[index]
    near = 0 < line.y - heading.y < 1.6 * line.size and abs(line.left - heading.left) < 3 * line.size
    return lines[index - 1] is heading and near and line.bold and _style(line) == _style(heading) and _may_be_heading(line)


def _lines_of_long_runs(lines: list[Line]) -> set[int]:
    """Indices of lines that stand in a run of more than three lines of one style: text that is set large or bold, no headings."""
    found: set[int] = set()
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or _style(lines[index]) != _style(lines[start]):
            if index - start > 3 and sum(len(line.text) for line in lines[start:index]) > 150:
                found.update(range(start, index))
            start = index
    return found


def _is_prominent(lines: list[Line], index: int, body: float) -> bool:
    line = lines[index]
    return line.size >= 1.12 * body or (line.bold and line.size >= 0.95 * body and _stands_alone(lines, index))


def _may_be_heading(line: Line) -> bool:
    text = line.text
    if len(text) > _HEADING_LENGTH or not line.size or line.divided or len(text.split()) > 16 or line.gap > 1.2:
        return False
    letters = sum(character.isalpha() for character in text)
    if letters < 3 or letters < 0.5 * len(text.replace(" ", "")):
        return False
    return text[0] not in "•‣◦▪–-*·" and not text[0].islower() and not _NO_HEADING.search(text) and not CAPTION.match(text)


def _shares_its_row(lines: list[Line], index: int) -> bool:
    """Whether another line lies at the same height: a cell of a table or a form."""
    line = lines[index]
    near = lines[max(0, index - 3) : index] + lines[index + 1 : index + 4]
    return any(abs(other.y - line.y) < 0.4 * line.size and not other.level for other in near)


def _stands_alone(lines: list[Line], index: int) -> bool:
    """A short bold line with more room above than within a paragraph, or a number in front; the line below is not bold."""
    line = lines[index]
    if len(line.text) > 80 or line.text.endswith(":"):
        return False
    below = lines[index + 1] if index + 1 < len(lines) else None
    if below is None or (below.bold and not _may_be_heading(below)):
        return False
    above = lines[index - 1] if index else None
    apart = above is None or line.y - above.y > 1.35 * line.size or line.y < above.y
    return apart or bool(NUMBERED.match(line.text))


def _style(line: Line) -> tuple[float, bool]:
    return line.size, line.bold


def _levels_by_style(candidates: list[Line], lines: list[Line]) -> dict[tuple[float, bool], int]:
    """A level for each size and weight: the one that bookmarks gave to lines of the style, else its rank among the styles."""
    votes: dict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
    for line in lines:
        if line.level:
            votes[_style(line)][line.level] += 1
    ranks = {style: min(6, rank) for rank, style in enumerate(sorted({_style(line) for line in candidates}, reverse=True), start=1)}
    return {style: votes[style].most_common(1)[0][0] if style in votes else min(4, rank) for style, rank in ranks.items()}
