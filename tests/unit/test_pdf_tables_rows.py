"""Rows of tables in PDFs that are easily read apart: cells that go on below, tables of one row, tables set under one another, days as headings."""

from __future__ import annotations

import pypdfium2

from core.documents import BlockKind, ExtractedDocument
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.tables import page_tables
from ingestion.readers.pdf.tables.geometry import read_geometry
from ingestion.readers.pdf.tables.table_headings import count_heading_rows
from ingestion.readers.pdf.tables.table_model import TableGrid
from ingestion.readers.pdf.tables.table_parts import split_table
from ingestion.readers.registry import extract
from tests.support.pdf_files import one_page, text_operator
from tests.support.table_pages import find_page_tables, row_operators, ruled_table

WORDS = ("first", "second", "third", "fourth", "fifth", "sixth", "last")
XS = [60, 160, 260, 460]


def read(page: list[str]) -> ExtractedDocument:
    return extract(Source(one_page(page), "a.pdf"))


def texts(document: ExtractedDocument, kind: BlockKind) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is kind]


def test_a_line_that_hangs_below_a_cell_again_and_again_belongs_to_it() -> None:
    page = row_operators(XS, 700, ["Voucher", "Day", "What for", "Paid"])
    for at, (number, port, paid) in enumerate([("V-1", "Skagen", "420.00"), ("V-2", "Esbjerg", "77.50"), ("V-3", "Aarhus", "1,090.00")]):
        page += row_operators(XS, 680 - 24 * at, [number, f"0{at + 2}/05/2023", "Ferry ticket", paid])
        page += [text_operator(260, 668 - 24 * at, f"for the crew to {port} and back")]
    [table] = find_page_tables(page)
    assert table.rows[1:] == [
        ["V-1", "02/05/2023", "Ferry ticket for the crew to Skagen and back", "420.00"],
        ["V-2", "03/05/2023", "Ferry ticket for the crew to Esbjerg and back", "77.50"],
        ["V-3", "04/05/2023", "Ferry ticket for the crew to Aarhus and back", "1,090.00"],
    ]


def test_names_above_one_row_of_figures_are_a_table_and_words_are_not() -> None:
    names = ["Begin", "End", "Boats", "Gross", "Net"]
    xs = [60, 140, 220, 300, 400]
    [table] = find_page_tables([*row_operators(xs, 700, names), *row_operators(xs, 688, ["2 May", "9 May", "48", "$12,500.00", "$11,250.00"])])
    assert (table.rows[0], table.rows[1][-1], table.header_rows) == (names, "$11,250.00", 1)
    assert not find_page_tables([*row_operators(xs, 700, names), *row_operators(xs, 688, ["Mira", "Olt", "Harbour", "master", "Skagen"])])
    assert not find_page_tables([*row_operators(xs, 700, ["Tel.:", "12", "Fax:", "13", "x"]), *row_operators(xs, 688, ["1", "2", "3", "4", "5"])])


def test_a_foot_that_is_printed_over_a_table_is_no_cell_of_it() -> None:
    rows = [["No", "Boat", "Berth", "Due"], ["1", "Astrid", "17 B", "420"], ["2", "Freja", "4 A", "77"], ["3", "Signe", "9 C", "109"]]
    page = [operator for at, row in enumerate(rows) for operator in row_operators(XS, 700 - 10 * at, row, size=8)]
    page += [text_operator(60, 685.2, "All dues are subject to the terms of the harbour master of the town.", size=6.5)]
    document = pypdfium2.PdfDocument(one_page(page))
    [grid] = page_tables.find_page_tables(read_geometry(document, 1))
    document.close()
    assert grid.rows == rows


def test_days_over_several_columns_name_them() -> None:
    names = [["Loans", "12/31/2021", "", "12/31/2022", ""], ["", "000s", "%", "000s", "%"]]
    body = [["Boats", "4,151", "25.0", "4,090", "27.5"], ["Quays", "361", "2.2", "331", "2.2"], ["Cranes", "553", "3.3", "497", "3.3"]]
    box = (0.0, 0.0, 400.0, 100.0)
    assert count_heading_rows(TableGrid([*names, *body], [(0, 0, 2, 1), (0, 1, 1, 2), (0, 3, 1, 2)], box, is_ruled=True)) == 2
    assert count_heading_rows(TableGrid([["Boats", "12/31/2021", "12/31/2022"], *(row[:3] for row in body)], [], box, is_ruled=True)) == 0


def test_tables_set_under_one_another_with_the_same_names_come_apart() -> None:
    names = ["Berths in:", "2021", "2022"]
    rows = [["Quiet harbour plan", "", ""], names, ["Skagen", "12", "14"], ["Esbjerg", "31", "33"]]
    rows += [["Busy harbour plan", "", ""], names, ["Skagen", "22", "27"], ["Esbjerg", "40", "44"]]
    found = split_table(rows, 2, [(0, 0, 1, 3), (4, 0, 1, 3)])
    assert [(piece.title, piece.rows, piece.header_rows, piece.spans) for piece in found] == [
        ("Quiet harbour plan", rows[1:4], 1, []),
        ("Busy harbour plan", rows[5:], 1, []),
    ]
    assert [len(split_table(table, count, [])) for table, count in ((rows[:4], 2), (rows, 1), ([names, *rows[1:]], 2))] == [1, 1, 1]
    assert [piece.title for spans in ([], [(0, 0, 1, 3)]) for piece in split_table(rows[:4], 2, spans)] == ["", "Quiet harbour plan"]


def test_lists_side_by_side_with_titles_of_their_own_come_apart() -> None:
    rows = [
        ["Mayor", "", "", "Bridge", ""],
        ["Astrid Lund", "N", "219", "Yes", "104"],
        ["Nils Holm", "S", "61", "No", "214"],
        ["Sheriff", "", "", "", ""],
        ["Mira Olt", "N", "70", "Ferry", ""],
        ["Ole Brandt", "N", "88", "Tunnel", ""],
        ["Karla Vest", "S", "188", "Yes", "133"],
        ["Ellen Kold", "N", "12", "No", "180"],
    ]
    left, right = split_table(rows, 0, [])
    assert left.rows == [row[:3] for row in rows]
    assert right.rows == [row[3:] for row in rows if row[3]]
    regular = [
        ["Town", "Boats", "Master", "Age"],
        *([f"Town {at}", str(at), f"Master {at}", str(40 + at)] for at in range(6)),
        ["Total", "15", "", ""],
    ]
    assert len(split_table(regular, 1, [])) == 1


def test_each_label_of_a_form_begins_a_line() -> None:
    lines = ["Boat: Astrid of Skagen", "Order type: Dry dock and paint", "Billing contact: dock@skagen.example", "Berth: nine"]
    form = [text_operator(60, 700 - 14 * row, line) for row, line in enumerate(lines)]
    document = read(form)
    assert "\n".join(lines) in document.text


def test_headings_side_by_side_and_the_end_of_a_caption_are_not_joined_to_headings() -> None:
    page = [text_operator(400, 730, "SKAGEN DOCKS", size=16), text_operator(60, 712, "Orders", size=16)]
    page += [text_operator(60, 690 - 14 * row, f"The {word} boat was lifted out of the water and painted.") for row, word in enumerate(WORDS)]
    page += [text_operator(60, 560, "Table 4. Boats in the harbours of the north,", font="F2"), text_operator(60, 546, "2021 and 2022", font="F2")]
    page += ruled_table([60, 160, 260, 360], 530, [["Harbour", "Boats", "Days"], ["Skagen", "12", "14"], ["Esbjerg", "31", "33"]])
    document = read(page)
    assert texts(document, BlockKind.HEADING) == ["SKAGEN DOCKS", "Orders"]
    assert texts(document, BlockKind.CAPTION) == ["Table 4. Boats in the harbours of the north, 2021 and 2022"]
