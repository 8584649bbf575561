"""Pages made to hurt: the table reader considers so much of them and says so."""

from __future__ import annotations

from random import Random

from ingestion.readers.pdf.tables.geometry import MAX_PIECES, MAX_WORDS
from ingestion.readers.pdf.tables.lattice import MAX_UNITS, find_lattices
from ingestion.readers.pdf.tables.rulings import MAX_RULES, merge_rules
from ingestion.readers.pdf.tables.table_model import Rule
from tests.support.pdf_files import PdfFile, text_operator
from tests.support.table_pages import find_file_tables, find_page_tables, rule_operator


def test_a_hundred_thousand_lines() -> None:
    random = Random(7)
    page = [text_operator(72, 700 - 20 * n, f"word {n}") for n in range(4)]
    page += [rule_operator(x := random.random() * 600, y := random.random() * 700, x, y + 40) for _ in range(100_000)]
    warnings: list[str] = []
    assert find_page_tables(page, warnings=warnings) == []
    [warning] = warnings
    assert f"{MAX_PIECES:,}" in warning
    assert "(1)" in warning


def test_a_hundred_thousand_words() -> None:
    page = [text_operator(20 + x, 20 + y / 2, "7 8 9 10 11 12 13 14 15 16", size=2) for y in range(1_500) for x in range(0, 560, 80)]
    warnings: list[str] = []
    find_page_tables(page, warnings=warnings)
    assert len(warnings) == 1
    assert f"{MAX_WORDS:,}" in warnings[0]


def test_a_net_finer_than_any_table() -> None:
    count = 400
    net = [Rule(horizontal, 5.0 * n, 0.0, 5.0 * count) for n in range(count) for horizontal in (True, False)]
    assert count * count > MAX_UNITS
    assert find_lattices(net) == []
    crowd = merge_rules([Rule(True, 5.0 * n, 0.0, 100.0 + n) for n in range(3 * MAX_RULES)])
    assert len(crowd) == MAX_RULES
    assert min(one.length for one in crowd) > 100 + MAX_RULES


def test_forms_inside_themselves_and_empty_pages() -> None:
    file = PdfFile()
    file.page(["/X0 Do", *[text_operator(72, 700 - 20 * n, f"row {n}") for n in range(4)]], "/Annots []")
    file.page([])
    assert find_file_tables(file.bytes()) == []


def test_odd_letters() -> None:
    page = [f"BT /F1 11 Tf 72 {700 - 16 * n} Td <ffad00{n:02x}> Tj ET" for n in range(9)]
    assert find_page_tables(page) == []
