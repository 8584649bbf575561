"""Cells over several rows that name each of them: "Anxiety" beside "Count" and "Percentage"."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents import Table

_MOST_ROWS = 50  # rows of one cell: what stands over more divides the table


def spread_merged_cells(table: Table, header_rows: int, body: Sequence[Sequence[str]]) -> dict[tuple[int, int], str]:
    """Return the texts that the rows below a merged cell lack, by their row in the body and their column.

    Only where each of its rows has a name of its own in the next column: a long text beside one name may go over several rows, which it does not
    name.
    """
    found: dict[tuple[int, int], str] = {}
    for top, left, height, breadth in table.spans:
        first = top - header_rows
        rows = range(first, first + height)
        if not (first >= 0 and 1 < height <= _MOST_ROWS and rows.stop <= len(body) and breadth <= 1):
            continue
        text = body[first][left] if left < len(body[first]) else ""
        beside = [body[row][left + 1] if left + 1 < len(body[row]) else "" for row in rows]
        if text and all(beside) and len(set(beside)) == height and not any(body[row][left] for row in rows[1:]):
            found.update({(row, left): text for row in rows[1:]})
    return found
