"""Headings over several columns: shown by a piece of rule below them, or by standing in the middle of the columns that they name."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from ingestion.readers.pdf.tables.columns import ColumnPiece, TableColumns
from ingestion.readers.pdf.tables.table_model import Rule

_AT = attrgetter("position")
_OFF_CENTER = 1.0  # em


def span_by_rules(pieces: Sequence[ColumnPiece], rules: Sequence[Rule], columns: TableColumns) -> None:
    """Span headings over the columns that a piece of rule right below them covers; `rules` from above."""
    for piece in pieces:
        part = piece.segment
        foot = part.bottom - 0.25 * columns.em
        for rule in rules[bisect_right(rules, foot - 1, key=_AT) :]:
            if rule.position >= foot + 1.1 * columns.em:
                break
            if part.left < rule.start - 3 or part.right > rule.end + 3 or rule.length >= 0.93 * columns.width:
                continue
            first, last = columns.column_at(rule.start + 0.3 * columns.em), columns.column_at(rule.end - 0.3 * columns.em)
            alone = not any(other is not piece and first <= other.first <= last for other in pieces)
            if first <= piece.first and last >= piece.last and last > first and alone:
                piece.first, piece.last = first, last


def span_by_centers(pieces: Sequence[ColumnPiece], named: set[int], extents: dict[int, tuple[float, float]], em: float) -> None:
    """Span headings of one line over the columns in whose middle each stands, where so every column with a name below (`named`) has one heading above
    (those left of all, the names of the rows, aside). `extents` are left and right of the columns' texts.
    """
    own = {column for piece in pieces for column in range(piece.first, piece.last + 1)}
    left_over = named - own
    if not left_over:
        return
    blocks: list[tuple[ColumnPiece, int, int]] = []
    for piece in pieces:
        if piece.first == piece.last and piece.first in named:
            blocks.append((piece, *_block(piece, own, named, extents, em)))
    covered = [column for _, first, last in blocks for column in range(first, last + 1)]
    names_of_rows = set(range(min(covered, default=0)))
    if len(covered) == len(set(covered)) and left_over <= {*covered, *names_of_rows}:
        for piece, first, last in blocks:
            piece.first, piece.last = first, last


def _block(piece: ColumnPiece, own: set[int], named: set[int], extents: dict[int, tuple[float, float]], em: float) -> tuple[int, int]:
    """Return the columns around a heading's that have no other heading, and over whose middle it stands; its own alone where there are none."""
    first = last = piece.first
    while first - 1 in named - own:
        first -= 1
    while last + 1 in named - own:
        last += 1
    best, off = (piece.first, piece.first), _OFF_CENTER * em
    for a in range(first, piece.first + 1):
        for b in range(piece.first, last + 1):
            distance = abs((extents[a][0] + extents[b][1]) / 2 - piece.segment.middle)
            if b > a and distance < off:
                best, off = (a, b), distance
    return best
