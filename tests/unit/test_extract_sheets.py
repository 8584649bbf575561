"""Sheets as tables: blank rows, titles, merged cells and names in two rows."""

from __future__ import annotations

from core.documents import Table
from ingestion.builder import DocumentBuilder, Span
from ingestion.extractors.sheets import group_rows, place_groups


def _tables(rows: list[list[str]], merged: list[Span] | None = None) -> tuple[str, tuple[Table, ...]]:
    builder = DocumentBuilder("test")
    place_groups(builder, group_rows((number, row) for number, row in enumerate(rows, 1) if any(row)), merged or [])
    document = builder.build()
    return document.text, document.tables


def test_a_cell_over_rows_is_repeated_and_kept_as_a_span() -> None:
    _, (table,) = _tables([["Area", "Year", "Cost"], ["North", "2023", "1"], ["", "2024", "2"], ["South", "2023", "3"]], [(2, 0, 2, 1)])
    assert [row[0] for row in table.rows] == ["Area", "North", "North", "South"]
    assert table.spans == ((1, 0, 2, 1),)


def test_names_over_names_make_two_header_rows() -> None:
    rows = [["", "2023", "", "2024", ""], ["Area", "Q1", "Q2", "Q1", "Q2"], ["North", "1", "2", "3", "4"]]
    _, (table,) = _tables(rows, [(1, 1, 1, 2), (1, 3, 1, 2)])
    assert table.header_rows == 2
    assert table.rows[0] == ("", "2023", "2023", "2024", "2024")
    assert table.spans == ((0, 1, 1, 2), (0, 3, 1, 2))


def test_a_title_over_all_columns_is_a_line_above_the_table() -> None:
    text, (table,) = _tables([["Costs of the year", "", ""], ["Area", "", "Cost"], ["North", "", "1"]], [(1, 0, 1, 3)])
    assert text.startswith("Costs of the year\n\nArea | Cost")
    assert (table.caption, table.header_rows, table.spans) == ("Costs of the year", 1, ())


def test_spans_stay_right_below_blank_rows_within_a_table() -> None:
    rows = [["Area", "Cost"], ["North", "1"], ["", ""], ["South", "5"], ["", "6"], ["", "7"]]
    _, (table,) = _tables(rows, [(4, 0, 3, 1)])
    assert [row[0] for row in table.rows] == ["Area", "North", "South", "South", "South"]
    assert table.spans == ((2, 0, 3, 1),)


def test_overlapping_spans_without_end_are_bounded() -> None:
    merged: list[Span] = [(row, 0, 1_000_000, 3) for row in range(1, 2000)]
    _, (table,) = _tables([["a", "b"], *[["x", "1"] for _ in range(3000)]], merged)
    assert len(table.rows) == 3001


def test_columns_that_are_named_again_begin_another_table_and_what_stands_from_edge_to_edge_is_its_title() -> None:
    """Two years in one sheet: the rows of the later year were told as those of the earlier one."""
    years = [
        ["In thousands of EUR", "", "", "January–June 2023"],
        ["", "Sales (a)", "Operating profit", "Depreciation"],
        [],
        ["Area North", "12553", "2713", "-337"],
        ["Area South", "9467", "1570", "-414"],
        [],
        ["In thousands of EUR", "", "", "January–June 2022"],
        ["", "Sales (a)", "Operating profit", "Depreciation"],
        [],
        ["Area North", "12138", "2284", "-348"],
        ["Area South", "9283", "1606", "-411"],
    ]
    _, tables = _tables(years)
    assert [table.caption for table in tables] == ["In thousands of EUR January–June 2023", "In thousands of EUR January–June 2022"]
    assert [(table.header_rows, table.rows[0][1:]) for table in tables] == [(1, ("Sales (a)", "Operating profit", "Depreciation"))] * 2
    assert [row[1] for row in tables[1].rows[1:]] == ["12138", "9283"]
