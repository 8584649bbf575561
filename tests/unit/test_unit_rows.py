"""A row of units below the names of columns is a part of the header."""

from __future__ import annotations

import pytest

from core.documents import Table
from ingestion.tables.column_names import column_names, header_rows

NAMES = ("Kind", "Yield point", "Tensile strength", "Elongation")


@pytest.mark.parametrize(
    ("row", "rows"),
    [
        (("-", "N/mm 2", "N/mm 2", "%"), 2),
        (("", "(kg)", "[EUR]", "%"), 2),
        (("Bars", "890", "1000", "12"), 1),
        (("Bars", "new", "old", "%"), 1),
        (("-", "-", "-", "%"), 1),
    ],
)
def test_units_below_the_names(row: tuple[str, ...], rows: int) -> None:
    cells = (NAMES, row, ("Bars", "890", "1000", "12"), ("Rods", "790", "900", "14"))
    table = Table(0, 0, cells, tuple((0, 0) for _ in cells))
    assert header_rows(table) == rows
    name = column_names(table, rows)[2]
    assert name == (f"Tensile strength › {row[2]}" if rows == 2 else "Tensile strength")
