"""Chunks: pieces of a section that fit the embedding model's window, cut where a reader would cut.

A document becomes units that may not be broken (sentences, table rows, list items, lines of code). The units of a section are then grouped
so that the groups are full, even, and end where the text does: the least total cost over all ways to break, found by dynamic programming as
Knuth and Plass break paragraphs into lines ("Breaking paragraphs into lines", Software: Practice and Experience 11, 1981).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from core.documents import Block, BlockKind, Chunk, ExtractedDocument, Section
from core.sentences import split_sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TokenSpans = Callable[[str], "NDArray[np.int32]"]

_SPECIAL_TOKENS = 2  # [CLS] and [SEP]
_SLAB = 200_000  # characters tokenised in one call, so that a huge text needs no huge token list
_SEPARATOR = " › "
_ENDS = ".!?…:;。！？\"'”’»)]"
# What a break costs, where an empty chunk costs 1: between two blocks nothing, between sentences little, behind a heading a lot.
_COST_SENTENCE, _COST_ROW, _COST_LINE, _COST_LEAD_IN = 0.05, 0.02, 0.25, 4.0


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """`tokens` is the window in all: special tokens, prefix and text. `characters` bounds text that makes few tokens (base64, dot leaders)."""

    tokens: int = 256
    characters: int = 4096

    @property
    def prefix(self) -> int:
        """Tokens that the heading line may have; a table's header row may have as many again."""
        return self.tokens // 4


def chunk(document: ExtractedDocument, title: str, limits: ChunkLimits, token_spans: TokenSpans) -> tuple[Chunk, ...]:
    """Cut `document` into chunks in reading order.

    Every character that is neither white space nor furniture is in exactly one chunk; no chunk crosses a section (a section that is only a
    heading joins the next one), is empty, or begins or ends with white space or furniture. `Chunk.tokens` counts special tokens, prefix and text.
    `token_spans` is the embedder's: offsets [tokens, 2] of the tokens of a text.
    """
    return tuple(_Chunker(document, title, limits, token_spans).run())


@dataclass(frozen=True, slots=True)
class _Unit:
    """A stretch that is not broken. `cost` is that of a break behind it, `alone` says that it was cut by force and is a chunk of its own,
    `header` is the span of the column names of the table that it continues."""

    start: int
    end: int
    block: Block
    path: tuple[str, ...]
    cost: float = 0.0
    alone: bool = False
    header: tuple[int, int] | None = None


class _Meter:
    """Counts the tokens of any stretch of a text that was tokenised once. A stretch that cuts a word may differ by a few tokens."""

    def __init__(self, text: str, token_spans: TokenSpans) -> None:
        self.starts, self.ends = array("i"), array("i")
        for begin, end in _slabs(text):
            spans = token_spans(text[begin:end]) + begin
            self.starts.frombytes(spans[:, 0].astype("int32").tobytes())
            self.ends.frombytes(spans[:, 1].astype("int32").tobytes())

    def first(self, start: int) -> int:
        """Index of the first token that ends behind `start`."""
        return bisect_right(self.ends, start)

    def last(self, end: int) -> int:
        """Index behind the last token that starts before `end`."""
        return bisect_left(self.starts, end)

    def count(self, start: int, end: int) -> int:
        return self.last(end) - self.first(start)


def _slabs(text: str) -> Iterator[tuple[int, int]]:
    """Cut `text` into stretches of about _SLAB characters, at line ends or spaces where there are any."""
    begin = 0
    while begin < len(text):
        end = min(begin + _SLAB, len(text))
        if end < len(text):
            cut = max(text.rfind("\n", begin + _SLAB // 2, end), text.rfind(" ", begin + _SLAB // 2, end))
            end = cut + 1 if cut > begin else end
        yield begin, end
        begin = end


class _Chunker:
    def __init__(self, document: ExtractedDocument, title: str, limits: ChunkLimits, token_spans: TokenSpans) -> None:
        self._document, self._text = document, document.text
        self._title = " ".join(title.split())
        self._limits, self._token_spans = limits, token_spans
        self._meter = _Meter(document.text, token_spans)
        self._prefixes: dict[tuple[tuple[str, ...], tuple[int, int] | None], tuple[str, int]] = {}

    def run(self) -> Iterator[Chunk]:
        ordinal = 0
        for units in self._sections():
            for group in self._groups(units):
                yield self._chunk(ordinal, group)
                ordinal += 1

    # -- units -----------------------------------------------------------------------------------------------------------------------

    def _sections(self) -> Iterator[list[_Unit]]:
        """The units of each section; those of a section that is only headings come with the next section."""
        waiting: list[_Unit] = []
        blocks = [block for block in self._document.blocks if block.kind is not BlockKind.FURNITURE]
        position = 0
        for section in self._document.sections or (Section((), 0, len(self._text)),):
            units: list[_Unit] = []
            while position < len(blocks) and blocks[position].start < section.end:
                units += self._units(blocks[position], section)
                if blocks[position].end > section.end:
                    break  # the rest of a block that runs on belongs to the next section
                position += 1
            waiting += units
            if any(unit.block.kind is not BlockKind.HEADING for unit in units):
                yield waiting
                waiting = []
        if waiting:
            yield waiting

    def _units(self, block: Block, section: Section) -> list[_Unit]:
        start, end = self._trimmed(max(block.start, section.start), min(block.end, section.end))
        if start >= end:
            return []
        if block.kind is BlockKind.HEADING:
            pieces = [_Unit(start, end, block, section.path, _COST_LEAD_IN)]
        elif block.kind is BlockKind.TABLE and block.table is not None:
            pieces = self._rows(start, end, block, section)
        elif block.kind is BlockKind.LIST_ITEM and self._fits(_Unit(start, end, block, section.path)):
            pieces = [_Unit(start, end, block, section.path)]
        elif block.kind is BlockKind.CODE:
            pieces = self._lines(start, end, block, section)
        else:
            pieces = self._sentences(start, end, block, section)
        return [unit for piece in pieces for unit in self._within_window(piece)]

    def _sentences(self, start: int, end: int, block: Block, section: Section) -> list[_Unit]:
        spans = [(start + a, start + b) for a, b in split_sentences(self._text[start:end])]
        units = [_Unit(a, b, block, section.path, _COST_SENTENCE if self._text[b - 1] in _ENDS else _COST_LINE) for a, b in spans]
        behind = _COST_LEAD_IN / 4 if block.kind is BlockKind.CAPTION or self._text[end - 1] == ":" else 0.0
        return [*units[:-1], _Unit(units[-1].start, units[-1].end, block, section.path, behind)]

    def _rows(self, start: int, end: int, block: Block, section: Section) -> list[_Unit]:
        table = self._document.tables[block.table or 0]
        cuts = [start, *(row for row, _ in table.row_spans if start < row < end), end]
        heads = table.row_spans[: table.header_rows]
        header = (heads[0][0], heads[-1][1]) if heads else None
        units = []
        for index, (row, following) in enumerate(pairwise(cuts)):
            a, b = self._trimmed(row, following)
            cost = 0.0 if b >= end else _COST_LEAD_IN if index < table.header_rows else _COST_ROW
            if a < b:
                units.append(_Unit(a, b, block, section.path, cost, header=header if index >= table.header_rows else None))
        return units

    def _lines(self, start: int, end: int, block: Block, section: Section) -> list[_Unit]:
        units, at = [], start
        for line in self._text[start:end].splitlines(keepends=True):
            a, b = self._trimmed(at, at + len(line))
            at += len(line)
            if a < b:
                before_blank = self._text[at : at + 1] == "\n"
                cost = 0.0 if before_blank or at >= end else _COST_LINE if self._text[at : at + 1].isspace() else _COST_SENTENCE
                units.append(_Unit(a, b, block, section.path, cost))
        return units

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        while start < end and self._text[start].isspace():
            start += 1
        while end > start and self._text[end - 1].isspace():
            end -= 1
        return start, end

    # -- units that are too long ------------------------------------------------------------------------------------------------------

    def _fits(self, unit: _Unit) -> bool:
        return unit.end - unit.start <= self._limits.characters and self._meter.count(unit.start, unit.end) <= self._room(unit)

    def _room(self, unit: _Unit) -> int:
        """Tokens for the text of a chunk that begins with `unit`."""
        return self._limits.tokens - _SPECIAL_TOKENS - self._prefix(unit)[1]

    def _within_window(self, unit: _Unit) -> list[_Unit]:
        """`unit`, or the pieces of it that fit the window where it does not."""
        if self._fits(unit):
            return [unit]
        room = self._room(unit)
        pieces, at = [], unit.start
        while at < unit.end:
            cut = self._cut(at, unit.end, room)
            a, b = self._trimmed(at, cut)
            if a < b:
                pieces.append(_Unit(a, b, unit.block, unit.path, _COST_LINE, alone=True, header=unit.header))
            at = cut
        return pieces

    def _cut(self, start: int, end: int, room: int) -> int:
        """Where to end a piece from `start` that has at most `room` tokens: behind a token, between two words where one is near."""
        first = self._meter.first(start)
        limit = min(end, start + self._limits.characters)
        last = min(first + room, self._meter.last(limit))
        if last >= self._meter.last(end) and limit == end:
            return self._measured(start, end, room)
        near = [self._meter.ends[index - 1] for index in range(last, first + (last - first) * 3 // 4, -1)]
        near = [edge for edge in near if start < edge <= limit] or [limit]
        spaced = next((edge for edge in near if self._text[edge : edge + 1].isspace()), None)
        edge = spaced or next((edge for edge in near if _between_words(self._text, edge)), near[0])
        return self._measured(start, edge, room)

    def _measured(self, start: int, end: int, room: int) -> int:
        """`end`, or less where the piece alone has more than `room` tokens: words that were cut are tokenised differently."""
        while end - start > 1 and len(self._token_spans(self._text[start:end])) > room:
            end = start + max(1, (end - start) * 3 // 4)
        return end

    # -- groups ----------------------------------------------------------------------------------------------------------------------

    def _groups(self, units: Sequence[_Unit]) -> Iterator[Sequence[_Unit]]:
        begin = 0
        for index, unit in enumerate(units):
            if unit.alone:
                yield from self._best_groups(units[begin:index])
                yield [unit]
                begin = index + 1
        yield from self._best_groups(units[begin:])

    def _best_groups(self, units: Sequence[_Unit]) -> list[Sequence[_Unit]]:
        """The cheapest way to break `units`: best[j] is the least cost of units[:j], came[j] where its last group begins."""
        first = [self._meter.first(unit.start) for unit in units]
        last = [self._meter.last(unit.end) for unit in units]
        rooms = [self._room(unit) for unit in units]
        best, came = [0.0], [0]
        for j in range(1, len(units) + 1):
            low, place = float("inf"), j - 1
            for i in range(j - 1, -1, -1):
                size = last[j - 1] - first[i]
                if i < j - 1 and (size > self._limits.tokens or units[j - 1].end - units[i].start > self._limits.characters):
                    break
                if i < j - 1 and size > rooms[i]:
                    continue
                cost = best[i] + (1 - size / rooms[i]) ** 2
                if cost < low:
                    low, place = cost, i
            best.append(low + (units[j - 1].cost if j < len(units) else 0.0))
            came.append(place)
        groups: list[Sequence[_Unit]] = []
        end = len(units)
        while end:
            groups.append(units[came[end] : end])
            end = came[end]
        return groups[::-1]

    # -- chunks ----------------------------------------------------------------------------------------------------------------------

    def _chunk(self, ordinal: int, group: Sequence[_Unit]) -> Chunk:
        start, end = group[0].start, group[-1].end
        prefix, prefix_tokens = self._prefix(group[0])
        text_tokens = len(self._token_spans(self._text[start:end])) if group[0].alone else self._meter.count(start, end)
        return Chunk(
            ordinal=ordinal,
            start=start,
            end=end,
            tokens=_SPECIAL_TOKENS + prefix_tokens + text_tokens,
            section=group[-1].path,
            page=group[0].block.page,
            kind=_main_kind(group),
            prefix=prefix,
        )

    def _prefix(self, unit: _Unit) -> tuple[str, int]:
        """The line in front of a chunk that begins with `unit`, and its tokens: title and headings, and below them the column names of a table
        that is continued. Headings that stand in the chunk itself are not repeated."""
        path, header = (unit.path[:-1], None) if unit.block.kind is BlockKind.HEADING else (unit.path, unit.header)
        found = self._prefixes.get((path, header))
        if found is None:
            line = self._heading_line(path)
            if header is not None:
                names = self._shortened(" ".join(self._text[slice(*header)].split()), self._limits.prefix)
                line = f"{line}\n{names}" if line else names
            found = self._prefixes[path, header] = (line, len(self._token_spans(line)) if line else 0)
        return found

    def _heading_line(self, path: tuple[str, ...]) -> str:
        """Title and headings in at most `limits.prefix` tokens: the middle ones go first, then the outer ones are shortened."""
        parts = [part for part in (self._title, *(" ".join(heading.split()) for heading in path)) if part]
        parts = [part for index, part in enumerate(parts) if not index or part.casefold() != parts[index - 1].casefold()]
        while len(parts) > 2 and len(self._token_spans(_SEPARATOR.join(parts))) > self._limits.prefix:
            del parts[1]
        if len(parts) == 2 and len(self._token_spans(_SEPARATOR.join(parts))) > self._limits.prefix:
            parts = [self._shortened(part, (self._limits.prefix - 1) // 2) for part in parts]
        return self._shortened(_SEPARATOR.join(parts), self._limits.prefix)

    def _shortened(self, text: str, tokens: int) -> str:
        spans = self._token_spans(text)
        end = len(text)
        while len(spans) > tokens and end:
            end = int(spans[tokens - 1][1]) if end == len(text) else end - 1
            spans = self._token_spans(text[:end])
        return text[:end].rstrip()


def _main_kind(group: Sequence[_Unit]) -> BlockKind:
    """The kind that most characters of the chunk have; a heading only where there is nothing else."""
    sizes: dict[BlockKind, int] = {}
    for unit in group:
        if unit.block.kind is not BlockKind.HEADING:
            sizes[unit.block.kind] = sizes.get(unit.block.kind, 0) + unit.end - unit.start
    return max(sizes, key=lambda kind: sizes[kind]) if sizes else BlockKind.HEADING


def _between_words(text: str, edge: int) -> bool:
    return edge >= len(text) or not (text[edge - 1].isalnum() and text[edge].isalnum())
