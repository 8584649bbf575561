"""From the lines of a PDF to what they are: running heads and page numbers, headings, list items and joined paragraphs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingestion.extractors.pdf_lines import Line, PageText

_PAGE_NUMBER = re.compile(r"^\W*(?:page|seite|página|pagina|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:of|/|von|de|sur|\|)\s*\d{1,4})?\W*$", re.I)
_NUMBERED = re.compile(
    r"^(?:(?:chapter|section|part|article|annex|appendix|kapitel|abschnitt)\s+)?(\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z]|[IVX]{1,4})[.):]?\s+[A-ZÀ-ÞА-Я]",
    re.I,
)
BULLET = re.compile(r"^(?:[•‣◦▪▫■□●○–·*►➢✓-]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\((?:i|ii|iii|iv|v|vi|vii|viii|ix|x)\))\s+\S")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_SENTENCE_END = re.compile(r"[.!?:;]['\"”’)\]]*$")
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")  # scripts without spaces between words
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
CAPTION = re.compile(
    r"^(?:table|figure|fig\.|exhibit|chart|box|tabelle|abbildung|abb\.|tableau|tabla|figura)\s*(?:[A-Z]{1,2}[-.]?)?[\dIVX]+(?:[-.]\d+)*(?:[.:\s]|$)",
    re.I,
)
# A sentence, a line of a table of contents.
_NO_HEADING = re.compile(r"[.;,]$|\.{3,}|^(?:\d+\.?)+\s.*\s\d{1,3}$")
_EDGE = 0.11
_HEADING_LENGTH = 120


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its title, its depth from 1, and the page it points at (from 1, None if nowhere)."""

    title: str
    level: int
    page: int | None


# -- running heads, feet and page numbers ------------------------------------------------------------------------------------------------


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


def _spare_short_pages(pages: Sequence[PageText]) -> None:
    """Where most pages hold nothing but lines that repeat (labels, forms, cards), those lines are the content."""
    filled = [page for page in pages if page.lines]
    if 2 * sum(all(line.furniture for line in page.lines) for page in filled) > len(filled):
        for page in filled:
            for line in page.lines:
                line.furniture = bool(_PAGE_NUMBER.match(line.text)) and len(page.lines) > 1


def _edge_lines(page: PageText) -> list[Line]:
    """Lines in the upper and lower ninth of the page, at most four from each edge."""
    by_height = sorted((line for line in page.lines if line.size), key=lambda line: line.y)
    upper = [line for line in by_height[:4] if line.y < _EDGE * page.height]
    lower = [line for line in by_height[-4:] if line.y > (1 - _EDGE) * page.height]
    return upper + [line for line in lower if line not in upper]


def _is_outermost(line: Line, edge: list[Line]) -> bool:
    """Whether no line of its edge lies between it and the paper's end (others at its own height aside)."""
    same_edge = [other for other in edge if abs(other.y - line.y) < 200]
    return all(other.y <= line.y + 2 for other in same_edge) or all(other.y >= line.y - 2 for other in same_edge)


def _pattern(text: str) -> str:
    return re.sub(r"\d+|\b[ivxlc]+\b", "#", text.lower()).strip()


# -- headings ----------------------------------------------------------------------------------------------------------------------------


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
    numbered = [(line, match[1].count(".")) for line in lines if line.level and (match := _NUMBERED.match(line.text)) and match[1][0].isdigit()]
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
    return apart or bool(_NUMBERED.match(line.text))


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


# -- paragraphs --------------------------------------------------------------------------------------------------------------------------


def group(lines: Sequence[Line]) -> list[list[Line]]:
    """Neighbouring lines that make up one heading, paragraph, list item or foot of the page, in the order of the file."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and _continues(groups[-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _continues(group: list[Line], line: Line) -> bool:
    last = group[-1]
    if last.furniture != line.furniture or last.level != line.level:
        return False
    if line.furniture:
        return abs(last.y - line.y) < 2
    drop = line.y - last.y
    size = max(last.size, line.size, 1.0)
    if abs(drop) < (0.9 if _is_mark(last) or _is_mark(line) else 0.4) * size:
        return True
    if last.level:
        return 0 < drop < 1.9 * size and abs(last.size - line.size) <= 0.5 and len(group) < 4 and not _NUMBERED.match(line.text)
    if BULLET.match(line.text):
        return False
    if drop < 0 or drop > 1.75 * size or min(last.right, line.right) <= max(last.left, line.left):
        return _runs_on(last, line)
    if abs(last.size - line.size) > 0.2 * size:
        return False
    return not _begins_paragraph(group, line, drop)


def _is_mark(line: Line) -> bool:
    """A footnote's number or sign that is raised above its line."""
    return len(line.text) <= 2


def _runs_on(last: Line, line: Line) -> bool:
    """The sentence goes on in the next column."""
    return (
        (last.divided or line.text[:1].islower())
        and not _SENTENCE_END.search(last.text)
        and abs(last.size - line.size) <= 0.5
        and len(last.text) > 20
    )


def _begins_paragraph(group: list[Line], line: Line, drop: float) -> bool:
    """An indented first line, a gap wider than the group's own, or a full stop in a line that ends early."""
    last = group[-1]
    if last.divided or not _SENTENCE_END.search(last.text):
        wide = len(group) > 1 and drop > 1.4 * max(1.0, group[-1].y - group[-2].y) > 0
        return wide and not line.text[:1].islower()
    left, right = min(part.left for part in group), max(part.right for part in group)
    indented = len(group) > 1 and line.left > left + 0.8 * line.size and abs(group[-1].left - left) < 1
    short = last.right < right - 0.15 * (right - left) or (len(group) == 1 and line.right > last.right + 3 * line.size)
    gap = len(group) > 1 and drop > 1.25 * max(1.0, abs(group[-1].y - group[-2].y))
    return indented or short or gap


class Joiner:
    """Joins the lines of a group. Words that a line's end divides are mended: the document itself says which form it uses elsewhere."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._words: set[str] = set()
        for line in lines:
            words = _WORD.findall(line.text.lower())
            self._words.update(words[:-1] if line.divided else words)

    def text(self, group: Sequence[Line]) -> str:
        """The text of a group: prose on one line, rows of a table and short lines each on their own."""
        bounds = _column_bounds(group)
        text = group[0].text
        for (last, line), (left, right) in zip(pairwise(group), bounds, strict=False):
            if last.divided or (text.endswith("-") and line.text[:1].islower() and len(text) > 1 and text[-2].isalpha()):
                text = self._mend(text.removesuffix("-"), line.text)
            elif abs(last.y - line.y) < 0.4 * max(last.size, 1.0) or (_is_mark(last) and abs(last.y - line.y) < 0.9 * line.size):
                text += " " + line.text
            elif _ends_row(last, left, right) or (_is_row(line) and len(last.text.split()) < 8):
                text += "\n" + line.text
            else:
                text += ("" if _CJK.match(text[-1:]) and _CJK.match(line.text) else " ") + line.text
        return text + ("-" if group[-1].divided else "")

    def _mend(self, text: str, following: str) -> str:
        before = re.search(r"[^\W\d_]+(?:-[^\W\d_]+)*$", text)
        after = _WORD.match(following)
        if not before or not after:
            return f"{text}-{following}"
        first, second = before[0].lower(), after[0].lower()
        joined, hyphened = first + second in self._words, f"{first}-{second}" in self._words
        if joined == hyphened:
            joined = following[0].islower()
        return text + following if joined else f"{text}-{following}"


def _column_bounds(group: Sequence[Line]) -> list[tuple[float, float]]:
    """For each line the left and right edge of the column that it stands in: a paragraph may run on in the next one."""
    columns: list[list[Line]] = []
    for line in group:
        if not columns or line.y < columns[-1][-1].y - line.size or line.left >= columns[-1][-1].right:
            columns.append([])
        columns[-1].append(line)
    return [(min(part.left for part in column), max(part.right for part in column)) for column in columns for _ in column]


def _ends_row(line: Line, left: float, right: float) -> bool:
    """Whether the line ends so early that its author must have wanted its end, or is a row of figures."""
    return line.right < left + 0.6 * (right - left) or _is_row(line)


def _is_row(line: Line) -> bool:
    """A row of figures rather than a sentence."""
    words = line.text.split()
    figures = sum(_DIGIT.search(word) is not None for word in words)
    return len(words) >= 3 and figures >= 0.5 * len(words)
