"""From the characters of a PDF page to its lines, as PDFium divides them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.pdf import pdfium_ffi as pdf_calls
from ingestion.readers.pdf.annotations import has_annotations
from ingestion.readers.pdf.hidden_text import mark_hidden
from ingestion.readers.pdf.line_heuristics import LETTERS
from ingestion.readers.pdf.overprint import CoveredTexts, drop_repeated_lines, is_overprinted
from ingestion.readers.pdf.page_characters import Box, Characters, Ink, OpenPage, is_bold
from ingestion.readers.pdf.pdf_links import read_links
from ingestion.readers.pdf.rtl import RTL_LETTER, text_in_reading_order
from ingestion.readers.pdf.table_heuristics import may_hold_table
from ingestion.readers.pdf.table_placement import overhangs, upright_box

# PDFium puts this noncharacter where a hyphen at a line's end divides a word, instead of the hyphen and the line break.
_DIVIDED = "\ufffe"
_PIECE = re.compile(r"[^\r\n\ufffe]+")
_SPACES = re.compile(r"\s+")
_WORD = re.compile(r"\S+")
_LEADING_NUMBER = re.compile(r"\s*(?:[\d.]+|[A-Z]\.?|[IVX]+\.?)\s")
_SHORT = 125
_GUTTER = 1.2  # heights of a line; the space between words of justified prose is narrower
_TWO_COLUMNS = 50  # letters
_FEWEST_ROWS = 3
_SAMPLED_LINES = 5
_MEASURED_LINES = 10


TableBoxFinder = Callable[[OpenPage], list[Box]]


def read_page(document: Any, number: int, look: TableBoxFinder | None = None) -> PageText:
    """Read page `number` (from 1) of an open pypdfium2 document. Where the page may hold a table, `look` is called while it is open (loading it again
    would cost as much as all else): it gives the boxes of those that it finds, on the page as it is shown.

    Raises:
        pypdfium2.PdfiumError: PDFium cannot load the page.
    """
    with closing(document[number - 1]) as page:
        with closing(page.get_textpage()) as text_page:
            reader = _LineReader(page, text_page, number)
            lines = reader.read_lines()
            layers = CoveredTexts(page, text_page) if is_overprinted(lines, reader.characters) else None
            if layers is None or not layers.has_covered:
                return _assemble_page(document, reader, lines, look)
        layers.remove_covered(page)
        with closing(page.get_textpage()) as text_page:
            if not layers.restore_fuller(text_page):
                return _read_open_page(document, page, text_page, number, look)
    with closing(document[number - 1]) as page:
        layers.remove_covered(page)
        with closing(page.get_textpage()) as text_page:
            return _read_open_page(document, page, text_page, number, look)


def _read_open_page(document: Any, page: Any, text_page: Any, number: int, look: TableBoxFinder | None) -> PageText:
    reader = _LineReader(page, text_page, number)
    return _assemble_page(document, reader, reader.read_lines(), look)


def _assemble_page(document: Any, reader: _LineReader, lines: list[PageLine], look: TableBoxFinder | None) -> PageText:
    page, characters = reader.page, reader.characters
    opened = OpenPage(reader.number, page, characters, reader.text, pdf_calls.objects_on(page))
    mark_hidden(opened, lines, reader.inks)
    lines = drop_repeated_lines(reader.split_columns(lines), characters)
    width, height = page.get_size()
    read = PageText(
        reader.number,
        *((height, width) if reader.rotation in (90, 270) else (width, height)),
        lines,
        reader.rotation,
        characters.undecoded_share(),
        may_hold_table(opened.objects, lines),
        has_annotations(page),
        read_links(document, page, reader.text_page, characters),
        pdfium.FPDFPage_CountObjects(page.raw) + pdfium.FPDFPage_GetAnnotCount(page.raw),
        _largest_picture_share(opened),
    )
    if read.tabular and look is not None:
        for box in look(opened):
            reader.split_into_words(lines, upright_box(box, read))
    return read


def _largest_picture_share(opened: OpenPage) -> float:
    """Return the part of the paper that the largest picture covers, alone or within a form (drawings that are drawn as one)."""
    boxes = [pdf_calls.box_of(item) for kind, item in opened.objects if kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)]
    if not boxes:
        return 0.0
    left, bottom, right, top = opened.page.get_bbox()
    largest: float = max(max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1]) for box in boxes)
    return largest / float(max(1.0, (right - left) * (top - bottom)))


class _LineReader:
    """Makes lines of one page's characters."""

    def __init__(self, page: Any, text_page: Any, number: int) -> None:
        self.page, self.text_page, self.number = page, text_page, number
        self.characters = characters = Characters(page, text_page)
        self.text = text_in_reading_order(characters)
        self.inks: dict[int, Ink] = {}
        self.rotation = 0
        self._shown: int = page.get_rotation()

    def read_lines(self) -> list[PageLine]:
        pieces = [(match[0], match.start(), match) for match in _pieces(self.text)]
        self._turn_upright(pieces)
        lines: list[PageLine] = []
        for piece, start, match in pieces:
            middle = self._sample_place(piece, start)
            line = self.make_line(piece, start, middle)
            line.hyphenated = self.text.startswith(_DIVIDED, match.end())
            if line.size and (ink := self.characters.ink(middle)) is not Ink.DARK:
                self.inks[len(lines)] = ink
            lines.append(line)
        self._measure_gaps(lines)
        return lines

    def _turn_upright(self, pieces: list[tuple[str, int, re.Match[str]]]) -> None:
        """Tell boxes as on the page turned so that most of its text stands upright."""
        step = max(1, len(pieces) // _SAMPLED_LINES)
        turns: Counter[int] = Counter()
        for piece, start, _ in pieces[::step]:
            turns[self.characters.upright_rotation(self._sample_place(piece, start))] += len(piece)
        if turns:
            self.characters.rotation = turns.most_common(1)[0][0]
            self.rotation = (self.characters.rotation - self._shown) % 360

    def _measure_gaps(self, lines: list[PageLine]) -> None:
        """Measure the spaces of short lines that are bold or larger than most of the page, and of some others."""
        sizes: Counter[float] = Counter()
        for line in lines:
            sizes[line.size] += len(line.text)
        usual = sizes.most_common(1)[0][0] if sizes else 0.0
        step = max(1, len(lines) // _MEASURED_LINES)
        for index, line in enumerate(lines):
            if index % step == 0 or (len(line.text) < _SHORT and (line.bold or line.size > 1.1 * usual)):
                left, right, _ = self._widest_gap(line)
                line.gap = (right - left) / max(line.size, 1.0)

    def split_columns(self, lines: list[PageLine]) -> list[PageLine]:
        """Divide lines of two columns of prose that PDFium takes for one line because the file draws them row by row."""
        wide = [line for line in lines if line.gap > _GUTTER and len(line.text) > _TWO_COLUMNS and not RTL_LETTER.search(line.text)]
        gaps = [self._widest_gap(line) for line in wide]
        if len(gaps) < _FEWEST_ROWS:
            return lines
        left, right = max(gap[0] for gap in gaps), min(gap[1] for gap in gaps)
        prose = all(_is_prose(line.text[:place]) and _is_prose(line.text[place:]) for line, (_, _, place) in zip(wide, gaps, strict=True))
        if right - left < _GUTTER * wide[0].size or not prose:
            return lines
        return [part for line in lines for part in self._split_line(line, left, right)]

    def _split_line(self, line: PageLine, left: float, right: float) -> list[PageLine]:
        """Split a line at the white column between `left` and `right`."""
        if line.left > left or line.right < right:
            return [line]
        piece = self.text[line.text_start : line.text_start + line.text_length]
        for match in _SPACES.finditer(piece.rstrip()):
            before, after = self.characters.box(line.text_start + match.start() - 1), self.characters.box(line.text_start + match.end())
            if match.start() and before and after and before[2] <= left + 1 and after[0] >= right - 1:
                parts = [self.make_line(piece[: match.start()], line.text_start), self.make_line(piece[match.end() :], line.text_start + match.end())]
                parts[1].hyphenated = line.hyphenated
                return parts
        return [line]

    def _sample_place(self, piece: str, start: int) -> int:
        """Return the place of a letter or figure in the first third of a line."""
        first = len(piece) - len(piece.lstrip())
        last = len(piece.rstrip()) - 1
        middle = first + (last - first) // 3
        while middle < last and not piece[middle].isalnum():
            middle += 1
        return start + middle

    def make_line(self, piece: str, start: int, middle: int | None = None) -> PageLine:
        """Return the line or word that stands in `piece` of the text, from place `start` on; one without any box has no size."""
        characters = self.characters
        first = start + len(piece) - len(piece.lstrip())
        middle = self._sample_place(piece, start) if middle is None else middle
        last = start + len(piece.rstrip()) - 1
        found = [box for place in sorted({first, middle, last}) if (box := characters.box(place))]
        text = piece.strip().translate(LETTERS)
        if not found:
            return PageLine(text, self.number, 0.0, 0.0, 0.0, 0.0, bold=False, text_start=start, text_length=len(piece))
        sideways = characters.upright_rotation(middle) != characters.rotation
        left, right, y, size = _extent(found, sideways=sideways)
        font = characters.font_name(middle)
        bold = is_bold(font) and all(is_bold(characters.font_name(place)) for place in (first, last))
        return PageLine(text, self.number, left, right, y, size, bold, sideways=sideways, text_start=start, text_length=len(piece), font=font)

    def split_into_words(self, lines: Sequence[PageLine], box: Box) -> None:
        """Divide the lines that hang over the edge of a table's box into their words."""
        for line in lines:
            if line.text_length and not line.words and overhangs(line, box):
                text = self.text[line.text_start : line.text_start + line.text_length]
                words = [self.make_line(match[0], line.text_start + match.start()) for match in _WORD.finditer(text)]
                words[-1].hyphenated = line.hyphenated
                line.words = tuple(words)

    def _widest_gap(self, line: PageLine) -> tuple[float, float, int]:
        """Return where the widest space between two words of a line begins and ends, and its place in the line's text."""
        piece, start, box = self.text[line.text_start : line.text_start + line.text_length], line.text_start, self.characters.box
        widest, room = (0.0, 0.0, 0), 0.0
        number = _LEADING_NUMBER.match(piece)
        first = number.end() if number else 1
        for match in _SPACES.finditer(piece.rstrip()):
            space, end = match.span()
            if space < first or not (before := box(start + space - 1)) or not (after := box(start + end)):
                continue
            if after[0] - before[2] > room and abs(before[3] - after[3]) < 3:
                widest, room = (before[2], after[0], space), after[0] - before[2]
        return widest


def _pieces(text: str) -> list[re.Match[str]]:
    """Return the stretches of a page's text between line ends that hold more than blanks."""
    return [match for match in _PIECE.finditer(text) if not match[0].isspace()]


def _is_prose(text: str) -> bool:
    return len(text) > _TWO_COLUMNS // 3 and sum(letter.isdigit() for letter in text) < 0.2 * len(text)


def _extent(boxes: list[Box], *, sideways: bool) -> tuple[float, float, float, float]:
    """Return left, right, bottom and size of a line from the boxes of some of its characters."""
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    middle = len(boxes) // 2
    if sideways:
        return left, right, max(box[3] for box in boxes), round(2 * sorted(box[2] - box[0] for box in boxes)[middle]) / 2
    size = sorted(box[3] - box[1] for box in boxes)[middle]
    return left, right, sorted(box[3] for box in boxes)[middle], round(2 * size) / 2
