"""Sheets as tables: blank rows, titles, merged cells and names in two rows."""

from __future__ import annotations

import openpyxl

from core.documents import Table
from ingestion.readers.base.document_builder import DocumentBuilder, Span
from ingestion.readers.base.sheet_tables import group_rows, place_groups
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from tests.support.office_files import xlsx_bytes


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


def test_rows_and_columns_keep_the_numbers_of_their_sheet() -> None:
    rows = [[], [], ["", "", "Costs"], ["", "", "Area", "", "Cost"], ["", "", "North", "", "1"], [], [], ["", "", "South", "", "5"]]
    _, (table,) = _tables(rows)
    assert table.rows == (("Area", "Cost"), ("North", "1"), ("South", "5"))
    assert table.row_numbers == (4, 5, 8)
    assert table.column_numbers == (3, 5)


def test_each_table_of_a_sheet_has_its_own_numbers() -> None:
    rows = [["Area", "Cost"], ["North", "1"], [], [], ["Name", "Age", "City"], ["Ada", "36", "Oslo"]]
    _, (first, second) = _tables(rows)
    assert (first.row_numbers, second.row_numbers) == ((1, 2), (5, 6))
    assert (first.column_numbers, second.column_numbers) == ((1, 2), (1, 2, 3))


def test_a_workbook_with_hidden_rows_counts_as_excel_does() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row, area, cost in ((4, "Area", "Cost"), (5, "North", "1"), (6, "West", "2"), (9, "South", "5")):
        sheet.cell(row, 2, area)
        sheet.cell(row, 3, cost)
    sheet.row_dimensions[6].hidden = True
    (table,) = extract(Source(xlsx_bytes(book), "costs.xlsx")).tables
    assert table.row_numbers == (4, 5, 6, 9)
    assert table.column_numbers == (2, 3)


def test_a_preamble_and_blank_lines_of_a_csv_are_counted() -> None:
    data = b'Costs of the year\n\nArea;Cost\nNorth;1\n"South\nSea";2\n\nWest;3\n'
    (table,) = extract(Source(data, "costs.csv")).tables
    assert [row[0] for row in table.rows] == ["Costs of the year", "Area", "North", "South Sea", "West"]
    assert table.row_numbers == (1, 3, 4, 5, 7)
    assert table.column_numbers == (1, 2)


def test_a_table_of_a_page_has_no_numbers() -> None:
    builder = DocumentBuilder("test")
    builder.table([["Area", "Cost"], ["North", "1"]])
    (table,) = builder.build().tables
    assert (table.row_numbers, table.column_numbers) == ((), ())
