"""Cuts a document into chunks: pieces of a section that fit the embedding model's window, cut where a reader would cut.

A document becomes units that may not be broken (`ingestion.chunking.chunk_units`: sentences, table rows, list items, functions).
The units of a section are then grouped so that the groups are full, even, and end where the text does: the least total cost over all ways to break
(`ingestion.chunking.optimal_breaks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.documents import BlockKind, Chunk, ExtractedDocument
from ingestion.chunking.chunk_units import ChunkUnit, UnitCutter, split_at_forced_ends, weighed_cost
from ingestion.chunking.optimal_breaks import UnbrokenPiece, best_breaks
from ingestion.chunking.token_counter import TokenCounter, TokenSpans

_SPECIAL_TOKENS = 2  # [CLS] and [SEP]
_SEPARATOR = " › "
# The share of the window that a chunk should fill. Measured on benchmarks/chunking.py, the mean of four windows: .75 finds as much as full chunks
# (token recall .773 and .750) with a fifth less read in vain (IoU .048 and .040), and even chunks are easier to compare.
_FILL = 0.75


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """Sizes of chunks. `tokens` is the window in all: special tokens, prefix and text. `characters` bounds text that makes few tokens (base64, dot
    leaders).

    `overlap` is the share of the window in which a chunk repeats the end of the one before it.
    """

    tokens: int = 256
    characters: int = 4096
    overlap: float = 0.0

    @property
    def name(self) -> str:
        """Short name of what the chunks depend on besides the text: "256 0". Another name makes every file be read again."""
        return f"{self.tokens} {self.overlap:g}"

    @property
    def prefix(self) -> int:
        """Tokens that the heading line may have; a table's header row may have as many again."""
        return self.tokens // 4


def chunk_document(document: ExtractedDocument, title: str, limits: ChunkLimits, token_spans: TokenSpans) -> tuple[Chunk, ...]:
    """Cut `document` into chunks in reading order.

    Every character that is neither white space nor furniture is in exactly one chunk (with an overlap, in at most two neighbours); no chunk
    crosses a section (a section that is only a heading joins the next one), is empty, or begins or ends with white space or furniture.
    `Chunk.tokens` counts special tokens, prefix and text. `token_spans` is the embedder's: offsets [tokens, 2] of the tokens of a text.
    """
    return _Chunker(document, title, limits, token_spans).run()


class _Chunker:
    """Groups the units of one document into its chunks."""

    def __init__(self, document: ExtractedDocument, title: str, limits: ChunkLimits, token_spans: TokenSpans) -> None:
        self._text = document.text
        self._title = " ".join(title.split()) if any(letter.isalpha() for letter in title) else ""  # "184" tells nothing of a text
        self._limits, self._token_spans = limits, token_spans
        self._repeated = int(limits.overlap * limits.tokens)
        self._meter = TokenCounter(document.text, token_spans)
        self._cutter = UnitCutter(document, self._meter, token_spans, limits.characters, self._room)
        self._prefixes: dict[tuple[tuple[str, ...], tuple[int, int] | None], tuple[str, int]] = {}

    def run(self) -> tuple[Chunk, ...]:
        chunks: list[Chunk] = []
        for units in self._cutter.sections():
            groups = list(self._group_units(units))
            for place, group in enumerate(groups):
                lead = self._overlap_units(groups[place - 1], group) if place else ()
                chunks.append(self._chunk(len(chunks), (*lead, *group)))
        return tuple(chunks)

    def _group_units(self, units: Sequence[ChunkUnit]) -> Iterator[Sequence[ChunkUnit]]:
        for part in split_at_forced_ends(units):
            pieces = [self._piece(unit) for unit in part]
            for begin, end in best_breaks(pieces, tokens=self._limits.tokens, characters=self._limits.characters, fill=_FILL):
                yield part[begin:end]

    def _piece(self, unit: ChunkUnit) -> UnbrokenPiece:
        room = max(1, self._room(unit) - self._repeated)
        return UnbrokenPiece(unit.start, unit.end, self._meter.first_token(unit.start), self._meter.end_token(unit.end), room, weighed_cost(unit))

    def _overlap_units(self, before: Sequence[ChunkUnit], group: Sequence[ChunkUnit]) -> Sequence[ChunkUnit]:
        """Return the last units of the chunk before that are repeated in front of `group`; nothing of a heading, nor beside what was cut by force."""
        begin = len(before)
        while begin > 1 and self._repeated and not group[0].is_forced:
            unit = before[begin - 1]
            whole = self._meter.count(unit.start, group[-1].end)
            repeated = self._meter.count(unit.start, before[-1].end)
            if unit.block.kind is BlockKind.HEADING or repeated > self._repeated or whole > self._room(unit):
                break
            if group[-1].end - unit.start > self._limits.characters:
                break
            begin -= 1
        return before[begin:]

    def _room(self, unit: ChunkUnit) -> int:
        """Return the tokens for the text of a chunk that begins with `unit`."""
        return self._limits.tokens - _SPECIAL_TOKENS - self._prefix(unit)[1]

    def _chunk(self, ordinal: int, group: Sequence[ChunkUnit]) -> Chunk:
        start, end = group[0].start, group[-1].end
        prefix, prefix_tokens = self._prefix(group[0])
        text_tokens = len(self._token_spans(self._text[start:end])) if group[0].is_forced else self._meter.count(start, end)
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

    def _prefix(self, unit: ChunkUnit) -> tuple[str, int]:
        """Return the line in front of a chunk that begins with `unit`, and its tokens.

        It holds title and headings, and below them the column names of a table that is continued. Headings that stand in the chunk itself are not
        repeated.
        """
        path, header = (unit.path[:-1], None) if unit.block.kind is BlockKind.HEADING else (unit.path, unit.header_span)
        found = self._prefixes.get((path, header))
        if found is None:
            line = self._heading_line(path)
            if header is not None:
                names = self._shorten(" ".join(self._text[slice(*header)].split()), self._limits.prefix)
                line = f"{line}\n{names}" if line else names
            found = self._prefixes[path, header] = (line, len(self._token_spans(line)) if line else 0)
        return found

    def _heading_line(self, path: tuple[str, ...]) -> str:
        """Return title and headings in at most `limits.prefix` tokens: the middle ones go first, then the outer ones are shortened."""
        parts = [part for part in (self._title, *(" ".join(heading.split()) for heading in path)) if part]
        parts = [part for index, part in enumerate(parts) if not index or part.casefold() != parts[index - 1].casefold()]
        while len(parts) > 2 and len(self._token_spans(_SEPARATOR.join(parts))) > self._limits.prefix:
            del parts[1]
        if len(parts) == 2 and len(self._token_spans(_SEPARATOR.join(parts))) > self._limits.prefix:
            parts = [self._shorten(part, (self._limits.prefix - 1) // 2) for part in parts]
        return self._shorten(_SEPARATOR.join(parts), self._limits.prefix)

    def _shorten(self, text: str, tokens: int) -> str:
        spans = self._token_spans(text)
        end = len(text)
        while len(spans) > tokens and end:
            # Several tokens may end at one character (a syllable that is taken apart): each step is one character at least.
            end = min(int(spans[tokens - 1][1]), end - 1)
            spans = self._token_spans(text[:end])
        return text[:end].rstrip()


def _main_kind(group: Sequence[ChunkUnit]) -> BlockKind:
    """Return the kind that most characters of the chunk have; a heading only where there is nothing else."""
    sizes: dict[BlockKind, int] = {}
    for unit in group:
        if unit.block.kind is not BlockKind.HEADING:
            sizes[unit.block.kind] = sizes.get(unit.block.kind, 0) + unit.end - unit.start
    return max(sizes, key=lambda kind: sizes[kind]) if sizes else BlockKind.HEADING
