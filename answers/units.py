"""Candidate units of an answer: sentences, table rows, list items and dialogue turns, each with its exact span in the document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from core.answers import Evidence
from core.documents import BlockKind
from core.sentences import split_sentences, word_count

LONGEST = 60
SHORTEST = 4
_RUNNING_WORDS, _RUNNING_REPEATS = 14, 3

Span = tuple[int, int]


class Role(StrEnum):
    """What a unit is. Questions and headings are kept because their words speak for the unit after them, a table's header because its rows
    bring it; none of these is chosen itself."""

    SENTENCE = "sentence"
    ROW = "row"
    ITEM = "item"
    TURN = "turn"
    QUESTION = "question"
    HEADING = "heading"
    HEADER = "header"


@dataclass(frozen=True, slots=True)
class Unit:
    """One candidate. `source` indexes the evidence; `start`, `end` are offsets in the document; `block` numbers the blocks of its passage.

    `lead` is the heading or question directly before it, `header` the span of its table's first row (None for that row itself).
    """

    source: int
    start: int
    end: int
    text: str
    kind: BlockKind
    role: Role
    block: int
    lead: str = ""
    header: Span | None = None

    @property
    def choosable(self) -> bool:
        if self.role in {Role.QUESTION, Role.HEADING, Role.HEADER}:
            return False
        return self.role is Role.ROW or word_count(self.text) >= SHORTEST


@dataclass(frozen=True, slots=True)
class _Region:
    kind: BlockKind
    start: int
    end: int


_ROW = re.compile(r"^[^\n]*?(?:\S[ \t]*\|[ \t]*\S|\S\t+\S)[^\n]*$")
_CELL = re.compile(r"\s*\|\s*|\t+")
_FIGURE = re.compile(r"^[^\w\s]{0,2}\s?\d[\d.,:/ -]*\s?\S{0,4}$")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_RULE = re.compile(r"^[\s|:+=\-–—_]+$")
_ITEM = re.compile(r"^\s*(?:[-*•◦▪‣·–—]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)])\s+\S")
_TURN = re.compile(r"^\s*\[?[^\W\d_][\w.'’ -]{0,38}\]?[:：]\s+\S")
_HEADING = re.compile(r"^\s*#{1,6}\s+\S")
_ENDED = re.compile(r"[.!?…:;。！？：；][\"'”’»)\]」』”’）]*\s*$")
_QUESTION = re.compile(r"[?？][\"'”’»)\]」』）]*$")
_SOFT_LINE = 45  # a line at least this long that ends without a mark goes on in the next one


def split_units(evidence: Sequence[Evidence]) -> list[Unit]:
    """The units of all passages in order, without running heads and feet and without what two passages share."""
    running = _running_lines(evidence)
    units: list[Unit] = []
    seen: set[tuple[str, int, int]] = set()
    for source, item in enumerate(evidence):
        for unit in _passage_units(source, item):
            key = (item.passage.document_id, unit.start, unit.end)
            if key in seen or (unit.role is not Role.ROW and _masked(unit.text) in running):
                continue
            seen.add(key)
            units.append(unit)
    return units


def _running_lines(evidence: Sequence[Evidence]) -> set[str]:
    """Short lines without an end mark that, with their digits masked, stand in three or more passages of one document: heads and feet."""
    counts: Counter[tuple[str, str]] = Counter()
    for item in evidence:
        short = [line for line in item.passage.content.splitlines() if line.strip() and word_count(line) <= _RUNNING_WORDS]
        lines = {_masked(line) for line in short if not _ENDED.search(line)}
        counts.update((item.passage.document_id, line) for line in lines)
    return {line for (_, line), count in counts.items() if count >= _RUNNING_REPEATS}


def _masked(text: str) -> str:
    return re.sub(r"\d+", "#", " ".join(text.split()).lower())


def _passage_units(source: int, evidence: Evidence) -> Iterator[Unit]:
    text, offset = evidence.passage.content, evidence.passage.start
    lead = ""
    for number, region in enumerate(_regions(evidence)):
        if region.kind is BlockKind.FURNITURE:
            continue
        for start, end, role, header in _pieces(text, region):
            span = Unit(source, start + offset, end + offset, text[start:end], region.kind, role, number, lead, _moved(header, offset))
            yield span
            if role is not Role.HEADER:  # a caption speaks for the first row under the header
                lead = span.text if role in {Role.QUESTION, Role.HEADING} else ""


def _moved(span: Span | None, offset: int) -> Span | None:
    return None if span is None else (span[0] + offset, span[1] + offset)


def _regions(evidence: Evidence) -> list[_Region]:
    """The passage's blocks in passage offsets; what no block covers, and a passage without blocks, is read by its line patterns."""
    text, offset = evidence.passage.content, evidence.passage.start
    regions: list[_Region] = []
    covered = 0
    for block in sorted(evidence.blocks, key=lambda block: block.start):
        start, end = max(block.start - offset, covered), min(block.end - offset, len(text))
        if end <= start:
            continue
        regions += _guess_regions(text, covered, start)
        regions.append(_Region(block.kind, start, end))
        covered = end
    return regions + _guess_regions(text, covered, len(text))


def _guess_regions(text: str, start: int, end: int) -> list[_Region]:
    if not text[start:end].strip():
        return []
    regions: list[_Region] = []
    for kind, begin, stop in _guess_lines(text, start, end):
        last = regions[-1] if regions else None
        if last is not None and last.kind is kind and kind in {BlockKind.TABLE, BlockKind.PARAGRAPH} and "\n\n" not in text[last.end : begin]:
            regions[-1] = _Region(kind, last.start, stop)
        else:
            regions.append(_Region(kind, begin, stop))
    return regions


def _guess_lines(text: str, start: int, end: int) -> Iterator[tuple[BlockKind, int, int]]:
    lines = [(match.start(), match.end()) for match in re.compile(r"[^\n]+").finditer(text, start, end) if match.group().strip()]
    rows = [bool(_ROW.match(text[begin:stop]) or (_RULE.match(text[begin:stop]) and "|" in text[begin:stop])) for begin, stop in lines]
    for index, (begin, stop) in enumerate(lines):
        beside = (index > 0 and rows[index - 1]) or (index + 1 < len(lines) and rows[index + 1])
        follows = index + 1 < len(lines)
        yield (
            _guess_kind(text[begin:stop], in_table=rows[index] and beside, follows=follows and "\n\n" in text[stop : lines[index + 1][0]]),
            begin,
            stop,
        )


def _guess_kind(line: str, *, in_table: bool, follows: bool) -> BlockKind:
    if in_table:
        return BlockKind.TABLE
    if _ITEM.match(line):
        return BlockKind.LIST_ITEM
    if _HEADING.match(line) or (follows and word_count(line) <= _RUNNING_WORDS and not _ENDED.search(line)):
        return BlockKind.HEADING
    return BlockKind.PARAGRAPH


def _pieces(text: str, region: _Region) -> Iterator[tuple[int, int, Role, Span | None]]:
    """(start, end, role, header row) of each unit of a region."""
    if region.kind is BlockKind.TABLE:
        yield from _rows(text, region)
    elif region.kind is BlockKind.HEADING:
        yield (*_trimmed(text, region.start, region.end), Role.HEADING, None)
    elif region.kind is BlockKind.LIST_ITEM and word_count(text[region.start : region.end]) <= LONGEST:
        yield (*_trimmed(text, region.start, region.end), Role.ITEM, None)
    else:
        yield from _sentences(text, region)


def _rows(text: str, region: _Region) -> Iterator[tuple[int, int, Role, Span | None]]:
    lines = [_trimmed(text, match.start(), match.end()) for match in re.compile(r"[^\n]+").finditer(text, region.start, region.end)]
    rows = [line for line in lines if line[1] > line[0] and not _RULE.match(text[slice(*line)])]
    header = rows[0] if _has_header([text[slice(*row)] for row in rows]) else None
    for row in rows:
        yield (*row, Role.HEADER if row == header else Role.ROW, None if row == header else header)


def _has_header(rows: Sequence[str]) -> bool:
    """Whether the first row names the columns: no cell of it is a figure, while others hold figures or there are three columns and more."""
    if len(rows) < 2 or _figures(rows[0]):
        return False
    return any(_figures(row) for row in rows[1:]) or len(_CELL.split(rows[0].strip(" |"))) >= 3


def _figures(row: str) -> int:
    """Cells that are a number with at most a sign and a unit; a year alone may name a column."""
    cells = [cell.strip() for cell in _CELL.split(row.strip(" |"))]
    return sum(bool(_FIGURE.match(cell)) and not _YEAR.match(cell) for cell in cells)


def _sentences(text: str, region: _Region) -> Iterator[tuple[int, int, Role, Span | None]]:
    body = _joined_lines(text[region.start : region.end]) if region.kind is not BlockKind.CODE else text[region.start : region.end]
    turns = sum(bool(_TURN.match(line)) for line in body.splitlines()) >= 2
    begin = 0
    for line in body.split("\n") if turns else [body]:
        spans = [(0, len(line))] if turns and _TURN.match(line) and word_count(line) <= LONGEST else split_sentences(line)
        for first, last in spans:
            for start, end in _cut(line, first, last):
                span = _trimmed(text, region.start + begin + start, region.start + begin + end)
                if span[1] > span[0]:
                    role = Role.QUESTION if _QUESTION.search(line[start:end]) else Role.TURN if turns and _TURN.match(line) else Role.SENTENCE
                    yield (*span, role, None)
        begin += len(line) + 1


def _joined_lines(text: str) -> str:
    """The text with hard line wraps as spaces (same length): a long line without an end mark goes on in the next."""
    lines = text.split("\n")
    out = lines[0]
    for before, line in pairwise(lines):
        soft = len(before) >= _SOFT_LINE and not _ENDED.search(before) and line.strip() and not _ITEM.match(line) and not _ROW.match(line)
        out += (" " if soft else "\n") + line
    return out


def _cut(text: str, start: int, end: int) -> list[Span]:
    """A piece over 60 words is cut at ". " before lower case and at "; "; a short one is left whole."""
    if word_count(text[start:end]) <= LONGEST:
        return [(start, end)]
    spans: list[Span] = []
    for match in re.compile(r"(?:\.(?=\s+[^\W\d_A-Z])|;(?=\s)|；)\s*").finditer(text, start, end):
        if match.group().startswith(".") and not text[match.end() : match.end() + 1].islower():
            continue
        spans.append((start, match.end()))
        start = match.end()
    return [*spans, (start, end)] if start < end else spans


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
