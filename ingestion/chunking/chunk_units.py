"""Cuts a document into units: the stretches that a chunk does not break, with what a break behind each costs.

Sentences, table rows, list items, functions and lines of code; what does not fit the window is cut into smaller ones, at weaker marks first.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.documents import Block, BlockKind, ExtractedDocument, Section
from core.language.sentences import split_sentences
from ingestion.chunking.code_blocks import split_code
from ingestion.chunking.cohesion import cohesions
from ingestion.chunking.token_counter import TokenCounter, TokenSpans

_ENDS = ".!?…:;。！？\"'”’»)]"
# A break inside a sentence that is too long: where a sentence seems to end in lower case or a clause does, then at weaker marks.
_WEAK_MARKS = ((re.compile(r"[.!?;。；][\"'”’»)\]]*\s+"), 0.08), (re.compile(r"[,:،、，)\]][\"'”’»]*\s+|\s[|–—-]+\s+"), 0.25))
_LONG_SHARE = 4  # a sentence over this part of the window may be broken at its inner full stops
# How much cohesion counts. Measured on benchmarks/chunking.py, the mean of four windows: token recall .773 without, .787, .785 and .783 with .2, .5
# and 1.
_COHESION = 0.3
_MIN_UNITS_COMPARED = 4  # units that a section needs for its boundaries to be compared
_DEPTH = 8  # levels of indentation that are looked into
# What a break costs, where an empty chunk costs 1: between two blocks nothing, between sentences little, behind a heading a lot.
COST_SENTENCE, COST_ROW, COST_LINE, COST_LEAD_IN, COST_FORCED = 0.05, 0.02, 0.25, 4.0, 4.0


@dataclass(frozen=True, slots=True)
class ChunkUnit:
    """A stretch that is not broken. `cost` is that of a break behind it, `is_forced` says that it was cut by force and is a chunk of its own,
    `ends_chunk` that a chunk ends behind it whatever it costs, `header_span` is the span of the column names of the table that it continues.
    `cohesion` says how much more the text before and behind the break has in common than elsewhere in the section."""

    start: int
    end: int
    block: Block
    path: tuple[str, ...]
    cost: float = 0.0
    is_forced: bool = False
    ends_chunk: bool = False
    header_span: tuple[int, int] | None = None
    cohesion: float = 0.0


@dataclass(frozen=True, slots=True)
class UnitCutter:
    """Cuts blocks into units. `room` gives the tokens that a chunk may have that begins with a unit; `characters` bounds a chunk too."""

    document: ExtractedDocument
    meter: TokenCounter
    token_spans: TokenSpans
    characters: int
    room: Callable[[ChunkUnit], int]

    @property
    def text(self) -> str:
        return self.document.text

    def sections(self) -> Iterator[list[ChunkUnit]]:
        """Yield the units of each section; those of a section that is only headings come with the next section."""
        waiting: list[ChunkUnit] = []
        blocks = [block for block in self.document.blocks if block.kind is not BlockKind.FURNITURE]
        position = 0
        for section in self.document.sections or (Section((), 0, len(self.text)),):
            units: list[ChunkUnit] = []
            while position < len(blocks) and blocks[position].start < section.end:
                units += self._units(blocks[position], section)
                if blocks[position].end > section.end:
                    break  # the rest of a block that runs on belongs to the next section
                position += 1
            waiting += self._add_cohesion(units)
            if any(unit.block.kind is not BlockKind.HEADING for unit in units):
                yield waiting
                waiting = []
        if waiting:
            yield waiting

    def _add_cohesion(self, units: list[ChunkUnit]) -> list[ChunkUnit]:
        """Add the cohesion at each boundary to the units of one section, where they are more than one chunk."""
        if len(units) < _MIN_UNITS_COMPARED or self.meter.count(units[0].start, units[-1].end) <= self.room(units[0]):
            return units
        found = cohesions([self.text[unit.start : unit.end] for unit in units])
        return [*(replace(unit, cohesion=value) for unit, value in zip(units, found, strict=False)), units[-1]]

    def _units(self, block: Block, section: Section) -> list[ChunkUnit]:
        start, end = self._trim_span(max(block.start, section.start), min(block.end, section.end))
        if start >= end:
            return []
        whole = ChunkUnit(start, end, block, section.path)
        if block.kind is BlockKind.HEADING:
            pieces = [replace(whole, cost=COST_LEAD_IN)]
        elif block.kind is BlockKind.TABLE and block.table is not None:
            pieces = self._rows(start, end, block, section)
        elif block.kind is BlockKind.LIST_ITEM and self._fits(whole):
            pieces = [whole]
        elif block.kind is BlockKind.CODE:
            pieces = self._code(whole)
        else:
            pieces = self._sentences(start, end, block, section)
        return [unit for piece in pieces for unit in self._cut_to_window(piece)]

    def _sentences(self, start: int, end: int, block: Block, section: Section) -> list[ChunkUnit]:
        spans = [(start + a, start + b) for a, b in split_sentences(self.text[start:end])]
        units = [ChunkUnit(a, b, block, section.path, COST_SENTENCE if self.text[b - 1] in _ENDS else COST_LINE) for a, b in spans]
        behind = COST_LEAD_IN / 4 if block.kind is BlockKind.CAPTION or self.text[end - 1] == ":" else 0.0
        return [piece for unit in [*units[:-1], replace(units[-1], cost=behind)] for piece in self._full_stops(unit)]

    def _rows(self, start: int, end: int, block: Block, section: Section) -> list[ChunkUnit]:
        table = self.document.tables[block.table or 0]
        # A table that goes on over pages is several blocks: this one begins with its own row.
        first = bisect_right([row for row, _ in table.row_spans], start) - 1
        cuts = [start, *(row for row, _ in table.row_spans if start < row < end), end]
        heads = table.row_spans[: table.header_rows]
        header = (heads[0][0], heads[-1][1]) if heads else None
        units = []
        for index, (row, following) in enumerate(pairwise(cuts), start=max(0, first)):
            a, b = self._trim_span(row, following)
            cost = 0.0 if b >= end else COST_LEAD_IN if index < table.header_rows else COST_ROW
            if a < b:
                units.append(ChunkUnit(a, b, block, section.path, cost, header_span=header if index >= table.header_rows else None))
        return units

    # -- code --------------------------------------------------------------------------------------------------------------------------

    def _code(self, whole: ChunkUnit, depth: int = 0) -> list[ChunkUnit]:
        """Cut code: a function that fits is one unit. One that does not shares no chunk with its neighbours."""
        if self._fits(whole):
            return [whole]
        spans = split_code(self.text[whole.start : whole.end]) if depth < _DEPTH else []
        if not spans:
            return self._lines(whole)
        units: list[ChunkUnit] = []
        for a, b in spans:
            start, end = self._trim_span(whole.start + a, whole.start + b)
            if start >= end:
                continue
            inner = self._code(replace(whole, start=start, end=end, cost=COST_ROW * depth), depth + 1)
            if units and len(inner) > 1:
                units[-1] = replace(units[-1], ends_chunk=True)
            units += inner
        return [*units[:-1], replace(units[-1], cost=whole.cost, ends_chunk=True)]

    def _lines(self, whole: ChunkUnit) -> list[ChunkUnit]:
        units, at = [], whole.start
        for line in self.text[whole.start : whole.end].splitlines(keepends=True):
            a, b = self._trim_span(at, at + len(line))
            at += len(line)
            if a < b:
                before_blank = self.text[at : at + 1] == "\n"
                cost = COST_ROW if before_blank else COST_LINE if self.text[at : at + 1].isspace() else COST_SENTENCE
                units.append(replace(whole, start=a, end=b, cost=cost))
        return [*units[:-1], replace(units[-1], cost=whole.cost, ends_chunk=True)]

    # -- units that are too long -------------------------------------------------------------------------------------------------------

    def _fits(self, unit: ChunkUnit) -> bool:
        return unit.end - unit.start <= self.characters and self.meter.count(unit.start, unit.end) <= self.room(unit)

    def _full_stops(self, unit: ChunkUnit) -> list[ChunkUnit]:
        """Cut a long sentence at its inner full stops and semicolons: text in lower case has sentences that do not look like any."""
        if self.meter.count(unit.start, unit.end) * _LONG_SHARE <= self.room(unit):
            return [unit]
        return self._cut_at_marks(unit, *_WEAK_MARKS[0])

    def _cut_at_marks(self, unit: ChunkUnit, marks: re.Pattern[str], cost: float) -> list[ChunkUnit]:
        text = self.text[unit.start : unit.end]
        cuts = [0, *(match.end() for match in marks.finditer(text) if match.end() < len(text)), len(text)]
        units = []
        for a, b in pairwise(cuts):
            start, end = self._trim_span(unit.start + a, unit.start + b)
            if start < end:
                units.append(replace(unit, start=start, end=end, cost=cost))
        return [*units[:-1], replace(units[-1], cost=unit.cost)]

    def _cut_to_window(self, unit: ChunkUnit) -> list[ChunkUnit]:
        """Return `unit`, or the pieces of it that fit the window where it does not."""
        if self._fits(unit):
            return [unit]
        if unit.header_span is None and unit.block.kind not in (BlockKind.TABLE, BlockKind.CODE):
            for marks, cost in _WEAK_MARKS:
                pieces = self._cut_at_marks(unit, marks, cost)
                if len(pieces) > 1:
                    return [each for piece in pieces for each in self._cut_to_window(piece)]
        return self._cut_by_force(unit)

    def _cut_by_force(self, unit: ChunkUnit) -> list[ChunkUnit]:
        room = self.room(unit)
        pieces, at = [], unit.start
        while at < unit.end:
            cut = self._cut(at, unit.end, room)
            a, b = self._trim_span(at, cut)
            if a < b:
                pieces.append(replace(unit, start=a, end=b, cost=COST_FORCED, is_forced=True))
            at = cut
        return [*pieces[:-1], replace(pieces[-1], cost=unit.cost)]

    def _cut(self, start: int, end: int, room: int) -> int:
        """Return where to end a piece from `start` that has at most `room` tokens: behind a token, between two words where one is near."""
        meter = self.meter
        first = meter.first_token(start)
        limit = min(end, start + self.characters)
        last = min(first + room, meter.end_token(limit))
        if last >= meter.end_token(end) and limit == end:
            return self._shrink_to_room(start, end, room)
        near = [meter.ends[index - 1] for index in range(last, first + (last - first) * 3 // 4, -1)]
        near = [edge for edge in near if start < edge <= limit] or [limit]
        spaced = next((edge for edge in near if self.text[edge : edge + 1].isspace()), None)
        edge = spaced or next((edge for edge in near if _is_between_words(self.text, edge)), near[0])
        return self._shrink_to_room(start, edge, room)

    def _shrink_to_room(self, start: int, end: int, room: int) -> int:
        """Return `end`, or less where the piece alone has more than `room` tokens: words that were cut are tokenised differently."""
        while end - start > 1 and len(self.token_spans(self.text[start:end])) > room:
            end = start + max(1, (end - start) * 3 // 4)
        return end

    def _trim_span(self, start: int, end: int) -> tuple[int, int]:
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        return start, end


def weighed_cost(unit: ChunkUnit) -> float:
    """Return what a break behind `unit` costs, its cohesion counted: more inside a subject, less where the words change."""
    return max(0.0, unit.cost + _COHESION * unit.cohesion)


def _is_between_words(text: str, edge: int) -> bool:
    return edge >= len(text) or not (text[edge - 1].isalnum() and text[edge].isalnum())


def split_at_forced_ends(units: Sequence[ChunkUnit]) -> Iterator[Sequence[ChunkUnit]]:
    """Yield `units` cut where a chunk has to end: round what was cut by force, and round code that is too long for one chunk."""
    begin = 0
    for index, unit in enumerate(units):
        if unit.is_forced and index > begin:
            yield units[begin:index]
            begin = index
        if unit.is_forced or unit.ends_chunk:
            yield units[begin : index + 1]
            begin = index + 1
    if begin < len(units):
        yield units[begin:]
