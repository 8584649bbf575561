"""Headings of a PDF and their levels: by bookmarks, size, weight, face, numbers and the room around them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.pdf.line_heuristics import CAPTION, NUMBERED

# A sentence, a line of a table of contents.
_NO_HEADING = re.compile(r"[.;,]$|\.{3,}|(?:\s\.){3,}|^\d+(?:\.\d+)*\.?\s.*\s\d{1,3}$")
_SECTION_NUMBER = re.compile(
    r"^(?:\(?\d{1,2}\)|\d{1,2}(?:\.\d{1,2}){0,4}\.?|(?:(?i:article|section|chapter|annex)|§)\s*[\dA-Z]+[.:]?)\s+\W{0,2}[^\W\d_a-z]"
)
_RTL_NUMBER = re.compile(r"^[-–]\d")  # "2.5-" of a right-to-left heading
_NO_LETTERS = re.compile(r"[\W_]+")
_HEADING_LENGTH = 120
_LEADING_LENGTH = 80
_LEAST_BEGUN = 5  # words of a line that may be the beginning of a sentence
_REGULAR = 0.5  # part of a style's lines that must head a text before the style counts as one of headings
_TITLE_LINES = 3
_LARGER = 1.0  # points; sizes are measured to half a point
_MOST = 0.35  # part of all lines


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its title, its depth from 1, and the page it points at (from 1, None if nowhere)."""

    title: str
    level: int
    page: int | None


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """The type in which most of the document is set."""

    size: float
    font: str


_Style = tuple[float, bool]


def mark_headings(pages: Sequence[PageText], outline: Sequence[OutlineEntry], body: BodyStyle) -> None:
    """Set `level` on heading lines: those that bookmarks name, those set larger than the body, or bold and alone, and those that head a text in
    another face, under a number or in capitals."""
    by_page = [[line for line in page.lines if _is_body_text(line)] for page in pages]
    lines = [line for page_lines in by_page for line in page_lines]
    _match_outline(pages, outline)
    leading = _leading_line_ids(by_page, body)
    candidates = [line for page_lines in by_page for line in _typographic_headings(page_lines, body, leading)]
    # Where nearly everything is set large (slides, posters, forms) size says nothing.
    if len(candidates) > _MOST * max(1, len(lines)) and len(pages) > 1:
        candidates = []
    levels = _levels_by_style(candidates, lines)
    for line in candidates:
        line.level = line.level or levels[_style(line)]
    if not outline:
        _set_levels_by_number(lines)


def _is_body_text(line: PageLine) -> bool:
    return bool(line.text) and not (line.furniture or line.hidden or line.sideways or line.note)


def _set_levels_by_number(lines: Sequence[PageLine]) -> None:
    """Set levels by numbers, which say how deep a heading lies below those with one number: "3.1" one level below "3."."""
    numbered = [(line, match[1].count(".")) for line in lines if line.level and (match := NUMBERED.match(line.text)) and match[1][0].isdigit()]
    tops = Counter(line.level for line, dots in numbered if not dots)
    top = tops.most_common(1)[0][0] if tops else min((line.level for line, _ in numbered), default=1)
    for line, dots in numbered:
        line.level = min(6, top + dots)


def body_of(pages: Sequence[PageText]) -> BodyStyle:
    """Find the size in which most characters are set, and the face of most of those."""
    lines = [line for page in pages for line in page.lines if _is_body_text(line)]
    sizes: Counter[float] = Counter()
    fonts: Counter[tuple[float, str]] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
        fonts[line.size, line.font] += len(line.text)
    size = sizes.most_common(1)[0][0] if sizes else 0.0
    of_size = Counter({font: count for (at, font), count in fonts.items() if at == size})
    return BodyStyle(size, of_size.most_common(1)[0][0] if of_size else "")


# -- bookmarks ---------------------------------------------------------------------------------------------------------------------------


def _match_outline(pages: Sequence[PageText], outline: Sequence[OutlineEntry]) -> None:
    by_number = {page.number: page for page in pages}
    titles: dict[int, dict[str, list[tuple[int, int]]]] = {}
    for entry in outline:
        title = _letters(entry.title)
        page = by_number.get(entry.page or 0)
        if page is None or len(title) < 2:
            continue
        places = titles.setdefault(page.number, {}) or _titles(page)
        titles[page.number] = places
        for start, count in places.get(title.lstrip("0123456789") or title, ()):
            parts = page.lines[start : start + count]
            if not any(line.level or line.furniture for line in parts):
                for part in parts:
                    part.level = min(6, entry.level)
                break


def _titles(page: PageText) -> dict[str, list[tuple[int, int]]]:
    """Return, for one to three lines that follow one another, their letters without a number in front: where they stand, the shortest first."""
    letters = [_letters(line.text) for line in page.lines]
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for start in range(len(letters)):
        joined = ""
        for count, text in enumerate(letters[start : start + _TITLE_LINES], start=1):
            joined += text
            if not text or len(joined) > 2 * _HEADING_LENGTH:
                break
            places[joined.lstrip("0123456789") or joined].append((start, count))
    return places


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())


# -- type and room -----------------------------------------------------------------------------------------------------------------------


def _typographic_headings(lines: list[PageLine], body: BodyStyle, leading: set[int]) -> list[PageLine]:
    """Return lines of one page that look like headings by their type; `leading` holds the id of each line that heads a text."""
    found: list[PageLine] = []
    in_text = _lines_of_long_runs(lines)
    for index, line in enumerate(lines):
        plain = _may_be_heading(line) and not _shares_its_row(lines, index) and not _ends_caption(lines, index)
        prominent = plain and (id(line) in leading or (index not in in_text and _is_prominent(lines, index, body)))
        if line.level or prominent or (found and _continues_heading(found[-1], lines, index, body)):
            found.append(line)
    return _without_beginnings(found, lines)


def _without_beginnings(found: list[PageLine], lines: list[PageLine]) -> list[PageLine]:
    """Return the headings without those that are the beginning of a sentence."""
    heads = set(map(id, found))
    begun = {id(line) for line, below in pairwise(lines) if id(below) not in heads and _goes_on_below(line, below)}
    return [line for line in found if line.level or id(line) not in begun]


def _goes_on_below(line: PageLine, below: PageLine) -> bool:
    """Return whether the line is the beginning of a sentence: some words, and right below them a text in lower case."""
    begins = 0 < below.y - line.y < 2.6 * line.size and below.text[:1].islower()
    return begins and len(line.text.split()) >= _LEAST_BEGUN and not line.text.endswith(":")


def _continues_heading(heading: PageLine, lines: list[PageLine], index: int, body: BodyStyle) -> bool:
    """Return whether the line is the second line of the heading above it."""
    line = lines[index]
    near = 0 < line.y - heading.y < 1.6 * line.size and abs(line.left - heading.left) < 3 * line.size
    alike = (line.bold or line.size >= 1.12 * body.size) and _style(line) == _style(heading) and line.font == heading.font
    return lines[index - 1] is heading and near and alike and _may_be_heading(line, begins=False)


def _lines_of_long_runs(lines: list[PageLine]) -> set[int]:
    """Return the indices of lines that stand in a run of more than three lines of one style: text that is set large or bold, no headings."""
    found: set[int] = set()
    start = 0
    for index in range(1, len(lines) + 1):
        if index == len(lines) or (*_style(lines[index]), lines[index].font) != (*_style(lines[start]), lines[start].font):
            if index - start > 3 and sum(len(line.text) for line in lines[start:index]) > 150:
                found.update(range(start, index))
            start = index
    return found


def _is_prominent(lines: list[PageLine], index: int, body: BodyStyle) -> bool:
    line = lines[index]
    return line.size >= 1.12 * body.size or (line.bold and line.size >= 0.95 * body.size and _stands_alone(lines, index))


def _may_be_heading(line: PageLine, *, begins: bool = True) -> bool:
    text = line.text
    if not text or len(text) > _HEADING_LENGTH or not line.size or line.hyphenated or len(text.split()) > 16 or line.gap > 1.2:
        return False
    if begins and (text[0].islower() or (text[0] in "•‣◦▪–-*·" and not _RTL_NUMBER.match(text))):
        return False
    if _NO_HEADING.search(text) or CAPTION.match(text):
        return False
    letters = sum(map(str.isalpha, text))
    return letters >= 3 and letters >= 0.5 * len(text.replace(" ", ""))


def _ends_caption(lines: list[PageLine], index: int) -> bool:
    """Return whether a line stands right below a caption that a comma leaves open: "Table 4. Boats by harbour," """
    line, above = lines[index], lines[index - 1]
    return index > 0 and above.text.endswith(",") and CAPTION.match(above.text) is not None and 0 < line.y - above.y < 1.6 * line.size


def _shares_its_row(lines: list[PageLine], index: int) -> bool:
    """Return whether another line lies at the same height: a cell of a table or a form."""
    line = lines[index]
    near = lines[max(0, index - 3) : index] + lines[index + 1 : index + 4]
    return any(abs(other.y - line.y) < 0.4 * min(line.size, other.size) and not other.level for other in near)


def _stands_alone(lines: list[PageLine], index: int) -> bool:
    """Return whether it is a short bold line with more room above than within a paragraph, or a number in front; the line below is not bold."""
    line = lines[index]
    if len(line.text) > _LEADING_LENGTH or line.text.endswith(":"):
        return False
    below = lines[index + 1] if index + 1 < len(lines) else None
    if below is None or (below.bold and not _may_be_heading(below)):
        return False
    return _is_apart(lines, index) or bool(NUMBERED.match(line.text))


def _is_apart(lines: list[PageLine], index: int) -> bool:
    """Return whether there is more room above the line than within a paragraph, or a column begins with it."""
    line = lines[index]
    above = next((other for other in reversed(lines[max(0, index - 3) : index]) if len(other.text) > 1), None)
    return above is None or line.y - above.y > 1.35 * line.size or line.y < above.y


def _leading_line_ids(by_page: Sequence[list[PageLine]], body: BodyStyle) -> set[int]:
    """Return the ids of lines that are set apart from the body's text and head it. Other faces and sizes count where the style does so regularly:
    words of a figure and emphasised sentences use one too.
    """
    heads: dict[tuple[float, str], list[PageLine]] = defaultdict(list)
    uses: Counter[tuple[float, str]] = Counter()
    found: set[int] = set()
    for lines in by_page:
        for index, line in enumerate(lines):
            uses[line.size, line.font] += 1
            if line.size >= 0.95 * body.size and _heads_text(lines, index, body):
                short = _is_short(line, lines[index + 1])
                if short or line.size > body.size:  # not the words in bold with which a paragraph begins
                    heads[line.size, line.font].append(line)
                if short and (_SECTION_NUMBER.match(line.text) or _is_capitals(line.text)):
                    found.add(id(line))
    for (size, font), headings in heads.items():
        differs = font != body.font or size >= body.size + _LARGER
        if differs and len(headings) >= _REGULAR * uses[size, font]:
            found.update(map(id, headings))
    return found


def _heads_text(lines: list[PageLine], index: int, body: BodyStyle) -> bool:
    """Return whether a line with room above stands right over a text in the body's type."""
    line = lines[index]
    below = lines[index + 1] if index + 1 < len(lines) else None
    if below is None or len(line.text) > _LEADING_LENGTH or line.text.endswith(":") or not _is_apart(lines, index):
        return False
    follows = 0 < below.y - line.y < 2.6 * line.size and abs(below.left - line.left) < 4 * line.size
    is_text = below.right - below.left > 12 * below.size and not _SECTION_NUMBER.match(below.text)
    return follows and is_text and abs(below.size - body.size) <= 0.06 * body.size and below.font == body.font


def _is_short(line: PageLine, below: PageLine) -> bool:
    return line.right - line.left < 0.9 * (below.right - below.left)


def _is_capitals(text: str) -> bool:
    return text.isupper() and sum(letter.isalpha() for letter in text) > 3


def _style(line: PageLine) -> _Style:
    return line.size, line.bold


def _levels_by_style(candidates: list[PageLine], lines: list[PageLine]) -> dict[_Style, int]:
    """Return a level for each size and weight: the one that bookmarks gave to lines of the style, else its rank among the styles."""
    votes: dict[_Style, Counter[int]] = defaultdict(Counter)
    for line in lines:
        if line.level:
            votes[_style(line)][line.level] += 1
    ranks = {style: min(6, rank) for rank, style in enumerate(sorted({_style(line) for line in candidates}, reverse=True), start=1)}
    return {style: votes[style].most_common(1)[0][0] if style in votes else min(4, rank) for style, rank in ranks.items()}
