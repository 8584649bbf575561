"""Candidate units of an answer: sentences, table rows, list items, fields and dialogue turns, each with its exact span in the document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

from answers.units.line_kinds import (
    ends_as_label,
    is_caption,
    is_field,
    is_keyed,
    is_legible,
    is_page_mark,
    is_salutation,
    is_short_field,
    is_title,
    is_value,
)
from answers.units.passage_regions import ITEM_LINE, LONGEST_HEADING, ROW_LINE, RULE_LINE, SENTENCE_END, Region, regions_of
from core.answers import Evidence
from core.documents import BlockKind
from core.language.sentences import split_sentences, word_count
from core.language.signature_wording import SIGNATURE_LINE

MOST_UNIT_WORDS = 60
LEAST_UNIT_WORDS = 4
_RUNNING_REPEATS = 3
# Words of a cell that names a column, and of one that describes; rows that do: a form's values ("Tenant", "Rent") are not all as long.
_LONGEST_NAME, _LEAST_DESCRIPTION, _LEAST_DESCRIBED = 3, 6, 3

Span = tuple[int, int]


class Role(StrEnum):
    """The kind of a unit. Questions, headings and labels are kept because their words speak for the units after them, a table's header because its
    rows bring it; none of these is chosen itself."""

    SENTENCE = "sentence"
    ROW = "row"
    ITEM = "item"
    FIELD = "field"
    TURN = "turn"
    QUESTION = "question"
    HEADING = "heading"
    LABEL = "label"
    HEADER = "header"


CONTEXT_ROLES = frozenset({Role.QUESTION, Role.HEADING, Role.LABEL, Role.HEADER})


@dataclass(frozen=True, slots=True)
class Unit:
    """One candidate. `source` indexes the evidence; `start`, `end` are offsets in the document; `block` numbers the blocks of its passage.

    `lead_in` is the heading, label, question or announcing sentence ("It includes:") that it stands under, `header` the span of its table's first
    row (None for that row itself). `list_group` is the start of the heading, label or sentence whose list this unit is an item of, else None.
    """

    source: int
    start: int
    end: int
    text: str
    kind: BlockKind
    role: Role
    block: int
    lead_in: str = ""
    header: Span | None = None
    list_group: int | None = None
    choosable: bool = field(init=False, compare=False, repr=False)  # asked of each unit a dozen times

    def __post_init__(self) -> None:
        object.__setattr__(self, "choosable", self._may_be_chosen())

    def _may_be_chosen(self) -> bool:
        if self.role in CONTEXT_ROLES or (self.role is Role.SENTENCE and (not is_legible(self.text) or is_salutation(self.text))):
            return False
        if self.role in {Role.ROW, Role.FIELD} or word_count(self.text) >= LEAST_UNIT_WORDS:
            return True
        return self.list_group is not None and any(letter.isalnum() for letter in self.text)


@dataclass(slots=True)
class _UnitDraft:
    """A unit in the making, in passage offsets. `is_whole` says that it fills its lines."""

    start: int
    end: int
    text: str
    role: Role
    kind: BlockKind
    block: int
    header: Span | None = None
    is_whole: bool = False
    lead_in: str = ""
    list_group: int | None = None

    @property
    def is_listed(self) -> bool:
        """Whether it stands as one of several under a label: an item, a field, or a short line without an end mark."""
        return self.role in {Role.ITEM, Role.FIELD} or (self.role is Role.SENTENCE and self.is_whole and is_value(self.text))


_CELL = re.compile(r"\s*\|\s*|\t+")
_FIGURE = re.compile(r"^[^\w\s]{0,2}\s?\d[\d.,:/ -]*\s?\S{0,4}$")
_FIGURE_LINE = re.compile(r"[~≈<>≤≥+-]?\s?[$€£¥]?\d[\d.,]*(?:st|nd|rd|th|%|‰)?(?:\s+(?![A-Z][a-z])\S+){0,4}")  # no "3.2 Scope"
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_TURN = re.compile(r"^\s*\[?[^\W\d_][\w.'’ -]{0,38}\]?[:：]\s+\S")
_QUESTION = re.compile(r"[?？][\"'”’»)\]」』）]*$")
_NUMBER = re.compile(r"(\d{1,3})[.)]\s")
_ASKS_IN_FORM = re.compile(r"\d{1,3}[.)]\s[^:]*:$")  # "5. Particulars of the goods or services to be provided:"
_PARTED_SENTENCE = re.compile(r"(?<=[^\W_] )\n\s*\n(?=[a-zà-öø-ÿ])|(?<=[^\W_])\n\s*\n(?=[a-zà-öø-ÿ])")
_SOFT_LINE = 45  # a line at least this long that ends without a mark goes on in the next one
_SOFTER_LINE = 20  # and one this long where the next begins in lower case


def split_units(evidence: Sequence[Evidence]) -> list[Unit]:
    """Return the units of all passages in order, without running heads and feet and without what two passages share."""
    running = _running_lines(evidence)
    units: list[Unit] = []
    seen: set[tuple[str, int, int]] = set()
    for source, item in enumerate(evidence):
        for unit in _passage_units(source, item):
            key = (item.passage.document_id, unit.start, unit.end)
            if key in seen or (unit.role is not Role.ROW and _mask_numbers(unit.text) in running):
                continue
            seen.add(key)
            units.append(unit)
    return units


def _running_lines(evidence: Sequence[Evidence]) -> set[str]:
    """Return short lines without an end mark that, with their digits masked, stand in three or more passages of one document: heads and feet."""
    counts: Counter[tuple[str, str]] = Counter()
    for item in evidence:
        short = [line for line in item.passage.content.splitlines() if line.strip() and word_count(line) <= LONGEST_HEADING]
        lines = {_mask_numbers(line) for line in short if not SENTENCE_END.search(line)}
        counts.update((item.passage.document_id, line) for line in lines)
    return {line for (_, line), count in counts.items() if count >= _RUNNING_REPEATS}


def _mask_numbers(text: str) -> str:
    """Return a line without the numbers of pages; years stay: "January–June 2022" and "January–June 2023" stand over different tables."""
    return re.sub(r"\b(?!(?:19|20)\d\d\b)\d+", "#", " ".join(text.split()).lower())


def _passage_units(source: int, evidence: Evidence) -> Iterator[Unit]:
    text, offset = evidence.passage.content, evidence.passage.start
    pieces: list[_UnitDraft] = []
    for number, region in enumerate(regions_of(evidence)):
        if region.kind is not BlockKind.FURNITURE:
            pieces += _pieces(text, region, number, evidence.title)
    pieces = _join_figures(text, pieces)
    _mark_signers(pieces)
    _join_labels(pieces)
    _assign_lead_ins(pieces)
    for piece in pieces:
        header = None if piece.header is None else (piece.header[0] + offset, piece.header[1] + offset)
        group = None if piece.list_group is None else piece.list_group + offset
        span = (piece.start + offset, piece.end + offset)
        yield Unit(source, *span, piece.text, piece.kind, piece.role, piece.block, piece.lead_in, header, group)


def _join_figures(text: str, pieces: Sequence[_UnitDraft]) -> list[_UnitDraft]:
    """Return the pieces with a figure on a line of its own in one with the words below that go on in lower case: "~70% electricity", "production in
    Israel is powered by …", as brochures set them."""
    joined: list[_UnitDraft] = []
    for piece in pieces:
        above = joined[-1] if joined else None
        if above is not None and _is_figure_line(above) and piece.role is Role.SENTENCE and piece.text[:1].islower():
            whole = text[above.start : piece.end].replace("\n", " ")
            joined[-1] = replace(piece, start=above.start, text=whole)
        else:
            joined.append(piece)
    return joined


def _is_figure_line(piece: _UnitDraft) -> bool:
    """Return whether a piece is a short line that begins with a figure and is no numbered heading, row or sentence."""
    is_line = piece.is_whole and piece.role in {Role.HEADING, Role.LABEL, Role.SENTENCE, Role.ITEM} and piece.kind is not BlockKind.CODE
    return is_line and _FIGURE_LINE.fullmatch(piece.text) is not None and SENTENCE_END.search(piece.text) is None


def _mark_signers(pieces: Sequence[_UnitDraft]) -> None:
    """Make items of the lines below "Signed as a deed": a name there is no label of the next one."""
    signs = False
    for piece in pieces:
        if signs and piece.role is Role.LABEL:
            piece.role = Role.ITEM
        signs = SIGNATURE_LINE.match(piece.text) is not None or (signs and piece.role is Role.ITEM)


def _join_labels(pieces: list[_UnitDraft]) -> None:
    """Keep as a label only the first of lines that all look like labels, where no sentence follows that they could speak for; the others are what it
    labels. What follows a line that ends in ":" is its value, and no label of what comes next: "N/A" in a form."""
    for above, piece in pairwise(pieces):
        if (
            above.role in {Role.SENTENCE, Role.ITEM}
            and above.is_whole
            and piece.is_whole
            and _ASKS_IN_FORM.match(above.text)
            and not _is_next(above, piece)
        ):
            above.role = Role.LABEL
        if piece.role is Role.LABEL and ends_as_label(above.text) and not ends_as_label(piece.text):
            piece.role = Role.ITEM
    place = 0
    while place < len(pieces):
        stop = place
        while stop < len(pieces) and pieces[stop].role is Role.LABEL:
            stop += 1
        run, place = pieces[place:stop], stop + 1
        headed = stop > len(run) and pieces[stop - len(run) - 1].role is Role.HEADING
        speaks = stop < len(pieces) and pieces[stop].role is not Role.HEADING
        if not run or (speaks and len(run) < 3):
            continue
        for piece in run if headed else run[1:]:
            if not ends_as_label(piece.text):
                piece.role = Role.ITEM


def _assign_lead_ins(pieces: Sequence[_UnitDraft]) -> None:
    """Give each piece what it stands under: the first one behind a heading or label, those of its block, and the whole list that begins there."""
    label: _UnitDraft | None = None
    first: _UnitDraft | None = None
    before: _UnitDraft | None = None
    for piece in pieces:
        if piece.role in {Role.HEADING, Role.LABEL, Role.QUESTION}:
            piece.lead_in = label.text if label is not None and first is None else ""
            label, first, before = piece, None, piece
            continue
        if label is not None and _stands_under(label, piece, first, before):
            piece.lead_in = label.text
            if piece.is_listed and label.role is not Role.QUESTION:
                piece.list_group = label.start
                piece.role = Role.ITEM if piece.role is Role.SENTENCE else piece.role
            first = first or (piece if piece.role is not Role.HEADER else None)  # a caption speaks for the first row under the header too
        else:
            label = None
        if piece.role in {Role.SENTENCE, Role.ITEM} and piece.kind is not BlockKind.CODE and ends_as_label(piece.text):
            label, first = piece, None
        before = piece


def _stands_under(label: _UnitDraft, piece: _UnitDraft, first: _UnitDraft | None, before: _UnitDraft | None) -> bool:
    if label.role in {Role.SENTENCE, Role.ITEM} and not piece.is_listed:
        return False  # what announces a list says nothing of a sentence that follows it
    if _is_next(label, piece):
        return False
    if first is None:
        return True
    if label.role is Role.QUESTION or piece.role in {Role.ROW, Role.HEADER}:
        return False
    return (piece.block == first.block and not first.is_listed) or (piece.is_listed and before is not None and before.list_group == label.start)


def _is_next(label: _UnitDraft, piece: _UnitDraft) -> bool:
    """Return whether a piece has the number behind the label's: "6." stands beside "5. Particulars of the goods:", and not under it."""
    one, other = _NUMBER.match(label.text), _NUMBER.match(piece.text)
    return one is not None and other is not None and int(other[1]) == int(one[1]) + 1


def _pieces(text: str, region: Region, block: int, title: str) -> Iterator[_UnitDraft]:
    """Yield the pieces of a region, in order; pages' marks are left out."""
    if region.kind is BlockKind.TABLE:
        for start, end, role, header in _rows(text, region):
            yield _UnitDraft(start, end, text[start:end], role, region.kind, block, header, is_whole=True)
        return
    whole = _trim(text, region.start, region.end)
    body = text[slice(*whole)]
    if region.kind is BlockKind.HEADING or (region.kind is BlockKind.CAPTION and is_title(body)) or is_caption(body):
        yield _UnitDraft(*whole, body, Role.HEADING, region.kind, block, is_whole=True)
    elif region.kind is BlockKind.LIST_ITEM and word_count(body) <= MOST_UNIT_WORDS:
        yield _UnitDraft(*whole, body, Role.ITEM, region.kind, block, is_whole=True)
    else:
        yield from _sentences(text, region, block, " ".join(title.split()).casefold())


def _rows(text: str, region: Region) -> Iterator[tuple[int, int, Role, Span | None]]:
    lines = [_trim(text, match.start(), match.end()) for match in re.compile(r"[^\n]+").finditer(text, region.start, region.end)]
    rows = [line for line in lines if line[1] > line[0] and not RULE_LINE.match(text[slice(*line)])]
    if region.header is not None:  # the table begins before the passage
        yield from ((*row, Role.ROW, region.header if region.header[0] < region.header[1] else None) for row in rows)
        return
    header = rows[0] if _has_header([text[slice(*row)] for row in rows]) else None
    for row in rows:
        yield (*row, Role.HEADER if row == header else Role.ROW, None if row == header else header)


def _has_header(rows: Sequence[str]) -> bool:
    """Return whether the first row names the columns: no cell of it is a figure, while others hold figures, or there are three columns and more, or
    each other row describes something at length ("Type | Description")."""
    if len(rows) < 2 or _figures(rows[0]):
        return False
    if any(_figures(row) for row in rows[1:]) or len(_CELL.split(rows[0].strip(" |"))) >= 3:
        return True
    longest, *others = (max(map(word_count, _CELL.split(row.strip(" |")))) for row in rows)
    return len(others) >= _LEAST_DESCRIBED and longest <= _LONGEST_NAME and min(others) >= _LEAST_DESCRIPTION


def _figures(row: str) -> int:
    """Return the number of cells that are a number with at most a sign and a unit; a year alone may name a column."""
    cells = [cell.strip() for cell in _CELL.split(row.strip(" |"))]
    return sum(bool(_FIGURE.match(cell)) and not _YEAR.match(cell) for cell in cells)


def _sentences(text: str, region: Region, block: int, title: str) -> Iterator[_UnitDraft]:
    body = _joined_lines(text[region.start : region.end]) if region.kind is not BlockKind.CODE else text[region.start : region.end]
    turns = sum(bool(_TURN.match(line)) for line in body.splitlines()) >= 2
    begin = region.start
    for line in body.split("\n"):
        if is_page_mark(line.strip()) and any(letter.isalpha() for letter in line):
            begin += len(line) + 1
            continue
        one = turns and bool(_TURN.match(line)) and word_count(line) <= MOST_UNIT_WORDS
        for first, last in [(0, len(line))] if one else split_sentences(line):
            for start, end in _cut_long(line, first, last):
                span = _trim(text, begin + start, begin + end)
                if span[1] <= span[0]:
                    continue
                whole = not line[:start].strip() and not line[end:].strip()
                role = _role(text[slice(*span)], region.kind, title, whole=whole, turn=turns and bool(_TURN.match(line)))
                yield _UnitDraft(*span, text[slice(*span)], role, region.kind, block, is_whole=whole)
        begin += len(line) + 1


def _role(text: str, kind: BlockKind, title: str, *, whole: bool, turn: bool) -> Role:
    """Return what a sentence of a region is. Only what fills its lines can be a label, a title or a field."""
    if _QUESTION.search(text):
        return Role.QUESTION
    if whole and kind is not BlockKind.DESCRIPTION:
        names = " ".join(text.split()).casefold() == title or (is_title(text) and not is_short_field(text))
        if kind is not BlockKind.CODE and names:
            return Role.LABEL
        if is_field(text):
            return Role.FIELD
    return Role.TURN if turn else Role.SENTENCE


def _joined_lines(text: str) -> str:
    """Return the text with hard line wraps as spaces (same length): a long line without an end mark and a list that ends with a comma go on in the
    next, a shorter one and a paragraph where the next begins in lower case."""
    text = _PARTED_SENTENCE.sub(lambda match: " " * len(match.group()), text)
    lines = text.split("\n")
    out = lines[0]
    for before, line in pairwise(lines):
        goes_on = before.rstrip().endswith(",") and "," in before.rstrip()[:-1]
        long = goes_on or len(before) >= (_SOFTER_LINE if line.lstrip()[:1].islower() else _SOFT_LINE)
        soft = (
            long
            and not SENTENCE_END.search(before)
            and line.strip()
            and not ITEM_LINE.match(line)
            and not ROW_LINE.match(line)
            and not is_keyed(line)
        )
        out += (" " if soft else "\n") + line
    return out


def _cut_long(text: str, start: int, end: int) -> list[Span]:
    """Return the pieces of a piece of over 60 words, cut at "; " and at ". " before lower case, unless that is an abbreviation's; a short one is left
    whole."""
    if word_count(text[start:end]) <= MOST_UNIT_WORDS:
        return [(start, end)]
    spans: list[Span] = []
    for match in re.compile(r"(?:(?<=[^\W\d_]{4})\.(?=\s+[^\W\d_A-Z])|;(?=\s)|；)\s*").finditer(text, start, end):
        if match.group().startswith(".") and not text[match.end() : match.end() + 1].islower():
            continue
        spans.append((start, match.end()))
        start = match.end()
    return [*spans, (start, end)] if start < end else spans


def _trim(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
