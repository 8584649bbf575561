"""Groups small chunks into larger ones: each level groups the one below it, inside a section, by the same least cost as the chunks themselves.

The small chunks are matched, the larger ones are read (small-to-big). A group ends where the boundary is surest; a function or a table row that
was too long for a small chunk is whole in the first level that can hold it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from core.documents import LargerChunk
from ingestion.chunking.chunk_units import COST_FORCED, COST_LINE, ChunkUnit, weighed_cost
from ingestion.chunking.optimal_breaks import UnbrokenPiece, best_breaks
from ingestion.chunking.token_counter import TokenCounter

_BLOCK_END, _COST_SCALE, _CHANGE = 0.9, 0.08, 0.09


@dataclass(frozen=True, slots=True)
class ChunkUnits:
    """The units of one level-0 chunk without what it repeats, and whether a section ends behind it."""

    units: Sequence[ChunkUnit]
    last_of_section: bool = False

    @property
    def start(self) -> int:
        return self.units[0].start

    @property
    def end(self) -> int:
        return self.units[-1].end

    @property
    def enclosing_at_start(self) -> frozenset[tuple[int, int]]:
        """The classes, functions and rows, too long for one small chunk, that its first unit is a part of."""
        return frozenset(self.units[0].enclosing_spans)

    @property
    def enclosing_at_end(self) -> frozenset[tuple[int, int]]:
        """The classes, functions and rows, too long for one small chunk, that its last unit is a part of."""
        return frozenset(self.units[-1].enclosing_spans)

    @property
    def cost(self) -> float:
        return self.units[-1].cost


def confidence(run: ChunkUnits) -> float:
    """Return how surely a reader would cut behind a chunk, 0..1.

    At a section's end 1, between blocks about .9, rows .7, sentences .5, lines and clauses near 0, where it was cut by force or behind a heading
    0; a little more where the words change, less where they go on.
    """
    if run.last_of_section or run.cost >= COST_LINE * 2:
        return float(run.last_of_section)
    change = max(-_CHANGE, min(_CHANGE, -run.units[-1].cohesion))
    return round(min(max(_BLOCK_END * exp(-run.cost / _COST_SCALE) + change, 0.0), 1.0), 3)


@dataclass(frozen=True, slots=True)
class _Node:
    """A chunk of some level: its places among the runs [first, last], and its place in its own level."""

    first: int
    last: int


def larger_chunks(runs: Sequence[ChunkUnits], meter: TokenCounter, levels: Sequence[int], overlap: float) -> tuple[LargerChunk, ...]:
    """Return the chunks of `levels` (tokens of text, ascending), level by level, each in reading order. `runs[i]` is the chunk with ordinal i.

    Each level's chunks cover the runs without gaps; all but the first of a section begin up to `overlap` of their size earlier, at the beginning
    of a unit, where that fits. Only a single run that is larger than a level by itself exceeds the level's size.
    """
    found: list[LargerChunk] = []
    below = [_Node(place, place) for place in range(len(runs))]
    for level, tokens in enumerate(levels, start=1):
        repeated = int(tokens * overlap)
        nodes = _group_nodes(runs, below, meter, tokens - repeated)
        firsts = [node.first for node in below]
        for ordinal, node in enumerate(nodes):
            start, end = _start_with_overlap(runs, node, meter, (repeated, tokens)), runs[node.last].end
            larger = LargerChunk(
                level=level,
                ordinal=ordinal,
                start=start,
                end=end,
                tokens=meter.count(start, end),
                first_child=bisect_left(firsts, node.first),
                last_child=bisect_right(firsts, node.last) - 1,
                first_chunk=node.first,
                last_chunk=node.last,
                confidence=confidence(runs[node.last]),
            )
            found.append(larger)
        below = nodes
    return tuple(found)


def _group_nodes(runs: Sequence[ChunkUnits], below: Sequence[_Node], meter: TokenCounter, room: int) -> list[_Node]:
    """Group the nodes below into the nodes of one level, section by section."""
    nodes: list[_Node] = []
    begin = 0
    for place, node in enumerate(below):
        if runs[node.last].last_of_section or place == len(below) - 1 or _must_break_behind(runs, node, meter, room):
            part = below[begin : place + 1]
            pieces = [_piece(runs, each, meter, room) for each in part]
            groups = best_breaks(pieces, tokens=room, characters=pieces[-1].end - pieces[0].start)
            nodes += [_Node(part[first].first, part[last - 1].last) for first, last in groups]
            begin = place + 1
    return nodes


def _piece(runs: Sequence[ChunkUnits], node: _Node, meter: TokenCounter, room: int) -> UnbrokenPiece:
    start, end = runs[node.first].start, runs[node.last].end
    inner = runs[node.last].enclosing_at_end & runs[node.last + 1].enclosing_at_start if node.last + 1 < len(runs) else frozenset()
    cost = COST_FORCED if any(meter.count(*each) <= room for each in inner) else weighed_cost(runs[node.last].units[-1])
    return UnbrokenPiece(start, end, meter.first_token(start), meter.end_token(end), room, cost)


def _must_break_behind(runs: Sequence[ChunkUnits], node: _Node, meter: TokenCounter, room: int) -> bool:
    """Return whether a function that is too long even for this level begins or ends behind `node`: it shares no chunk with its neighbours, so that
    a higher level can hold it whole."""
    return any(meter.count(*each) > room for each in runs[node.last].enclosing_at_end ^ runs[node.last + 1].enclosing_at_start)


def _start_with_overlap(runs: Sequence[ChunkUnits], node: _Node, meter: TokenCounter, sizes: tuple[int, int]) -> int:
    """Return where the chunk begins with the overlap in front: the last units of the run before, as many as fit, never over the edge of a section
    or out of a function."""
    start, end = runs[node.first].start, runs[node.last].end
    allowed, most = sizes
    if not node.first or runs[node.first - 1].last_of_section or runs[node.first].enclosing_at_start:
        return start
    for unit in reversed(runs[node.first - 1].units):
        if unit.enclosing_spans or meter.count(unit.start, runs[node.first - 1].end) > allowed or meter.count(unit.start, end) > most:
            break
        start = unit.start
    return start
