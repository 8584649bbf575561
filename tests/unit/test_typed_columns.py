"""Columns are typed by their cells, units read from names and cells, and sums and headings are told from data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import ExtractedDocument, Metadata, PageUnit, Table
from core.tables import Column, ColumnType, RowKind, TypedTable, Value
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from ingestion.tables import typed_columns
from ingestion.tables.typed_columns import typed_tables
from tests.support.attached import LIMITS

SPANS = tuple[tuple[int, int, int, int], ...]


def typed(
    rows: Sequence[Sequence[str]], *, header: int = 1, parser: str = "csv", language: str = "", caption: str = "", spans: SPANS = ()
) -> TypedTable:
    cells = tuple(tuple(row) for row in rows)
    table = Table(0, 0, cells, tuple((0, 0) for _ in cells), header, None, caption, spans)
    (found,) = typed_tables(ExtractedDocument("", (), (), (table,), (), PageUnit.NONE, Metadata(language=language), parser))
    return found


def column(*cells: str, name: str = "Figure", language: str = "", parser: str = "csv") -> tuple[Column, list[Value]]:
    """One column beside another of text."""
    found = typed([("Label", name), *((f"label {place}", cell) for place, cell in enumerate(cells))], language=language, parser=parser)
    return found.columns[1], [row[1] for row in found.values]


@pytest.mark.parametrize(
    ("cells", "kind", "unit", "values"),
    [
        (["1", "20", "-3"], "integer", "", [1, 20, -3]),
        (["1,234.50", "12", "0.5"], "number", "", [1234.5, 12, 0.5]),
        (["1.234,50", "12", "1.000"], "number", "", [1234.5, 12, 1000]),
        (["1 234,5", "2 000", "3,25"], "number", "", [1234.5, 2000, 3.25]),
        (["1'234.50", "1’000", "7"], "number", "", [1234.5, 1000, 7]),
        (["12,34,567", "1,000", "5.5"], "number", "", [1234567, 1000, 5.5]),
        (["(1,200)", "300-", "−5", "+4"], "integer", "", [-1200, -300, -5, 4]),
        (["€1,200.00", "€ 3", "-€5"], "amount", "EUR", [1200, 3, -5]),
        (["1.200,00 €", "3,50 €", "n/a"], "amount", "EUR", [1200, 3.5, None]),
        (["$1.2m", "$900k", "$3"], "amount", "$", [1200000, 900000, 3]),
        (["12%", "8.5 %", "–"], "percent", "%", [12, 8.5, None]),
        (["12 kg", "5.5 kg", "…"], "number", "kg", [12, 5.5, None]),
        (["12*", "7†", "9¹", "4 [a]", "5²)"], "integer", "", [12, 7, 9, 4, 5]),
        (["5.39E-05", "0.0003", "-1.2e3"], "number", "", [0.0000539, 0.0003, -1200]),
        (["(0.4) %", "1.5 %"], "percent", "%", [-0.4, 1.5]),
        (["1 250,00 руб.", "430,50 руб."], "amount", "RUB", [1250, 430.5]),
        (["12 stycznia 2025", "3 marca 2025 r."], "date", "", ["2025-01-12", "2025-03-03"]),
        (["12 января 2025 г.", "3 мая 2025"], "date", "", ["2025-01-12", "2025-05-03"]),
        (["3. tammikuuta 2025", "14 mayıs 2025", "1 srpna 2025"], "date", "", ["2025-01-03", "2025-05-14", "2025-08-01"]),
        (["2026-07-01", "2026-07-02 10:30", "tbd"], "date", "", ["2026-07-01", "2026-07-02T10:30:00", None]),
        (["01.07.2026", "13.2.26"], "date", "", ["2026-07-01", "2026-02-13"]),
        (["3/4/2026", "13/4/2026"], "date", "", ["2026-04-03", "2026-04-13"]),
        (["3/4/2026", "3/14/2026"], "date", "", ["2026-03-04", "2026-03-14"]),
        (["1 July 2026", "2. Juli 2026", "July 3, 2026"], "date", "", ["2026-07-01", "2026-07-02", "2026-07-03"]),
        (["yes", "no", ""], "boolean", "", [True, False, None]),
        (["Ja", "nein"], "boolean", "", [True, False]),
        # what must stay text
        (["3/4/2026", "5/6/2026"], "text", "", ["3/4/2026", "5/6/2026"]),
        (["13/4/2026", "4/13/2026"], "text", "", ["13/4/2026", "4/13/2026"]),
        (["1,234.50", "1.234,50"], "text", "", ["1,234.50", "1.234,50"]),
        (["€5", "$5"], "text", "", ["€5", "$5"]),
        (["12 kg", "7 m"], "text", "", ["12 kg", "7 m"]),
        (["6 Total", "7 Total"], "text", "", ["6 Total", "7 Total"]),
        (["6 months", "7 months"], "integer", "months", [6, 7]),
        (["12%", "300", "7"], "percent", "%", [12, 300, 7]),
        (["300", "12%", "7"], "text", "", ["300", "12%", "7"]),
        (["01067", "10115"], "text", "", ["01067", "10115"]),
        (["4006381333931234", "4006381333931235"], "text", "", ["4006381333931234", "4006381333931235"]),
        (["1.2.3", "1.2.4"], "text", "", ["1.2.3", "1.2.4"]),
        (["10:30", "11:45"], "text", "", ["10:30", "11:45"]),
        (["12", "about 13", "14"], "text", "", ["12", "about 13", "14"]),
        (["", "-", ""], "text", "", [None, None, None]),
    ],
)
def test_a_column_is_typed_by_its_cells(cells: list[str], kind: str, unit: str, values: list[Value]) -> None:
    found, read = column(*cells)
    assert (found.type, found.unit, read) == (kind, unit, values)


def test_what_only_looks_like_thousands_is_read_as_the_file_writes_it() -> None:
    cells = ["1.234", "2.345"]
    assert column(*cells)[1] == [1.234, 2.345]
    assert column(*cells, language="de")[1] == [1234, 2345]
    assert column(*cells, language="de", parser="xlsx")[1] == [1.234, 2.345]


def test_another_column_of_the_table_decides_what_one_leaves_open() -> None:
    found = typed([("A", "B", "C", "D"), ("1.234", "1,5", "3/4/2026", "13/4/2026"), ("2.345", "2,75", "4/4/2026", "14/4/2026")])
    assert [row[0] for row in found.values] == [1234, 2345]
    assert [row[2] for row in found.values] == ["2026-04-03", "2026-04-04"]


@pytest.mark.parametrize(
    ("name", "kind", "unit"),
    [
        ("Revenue (EUR m)", "amount", "EUR m"),
        ("Amount (€k)", "amount", "EUR k"),
        ("Net price EUR", "amount", "EUR"),
        ("Kosten in Mio. EUR", "amount", "EUR Mio."),
        ("freight_gbp", "amount", "GBP"),
        ("£ per year", "amount", "GBP"),
        ("Weight [kg]", "integer", "kg"),
        ("weight_kg", "integer", "kg"),
        ("Share in percent", "percent", "%"),
        ("Share, %", "percent", "%"),
        ("Users (thousands)", "integer", "thousands"),
        ("Check in", "integer", ""),
        ("Impairment (c)", "integer", ""),
        ("Remarks (see below)", "integer", ""),
    ],
)
def test_a_unit_is_read_from_the_name(name: str, kind: str, unit: str) -> None:
    found, _ = column("1", "2", name=name)
    assert (found.name, found.type, found.unit) == (name, kind, unit)


# -- names ---------------------------------------------------------------------------------------------------------------------------


def names(found: TypedTable) -> list[str]:
    return [each.name for each in found.columns]


def test_names_of_several_header_rows_are_joined_and_spans_spread() -> None:
    rows = [("Region", "2023", "", "2024", ""), ("", "Q1", "Q2", "Q1", "Q2"), ("N", "1", "2", "3", "4"), ("S", "1", "2", "3", "4")]
    spans = ((0, 0, 2, 1), (0, 1, 1, 2), (0, 3, 1, 2))
    wanted = ["Region", "2023 › Q1", "2023 › Q2", "2024 › Q1", "2024 › Q2"]
    assert names(typed(rows, header=2, spans=spans)) == wanted
    assert names(typed(rows, header=2)) == wanted  # without spans the gaps say it
    assert names(typed(rows, header=1)) == wanted  # a reader that saw one header row only


def test_a_header_of_years_is_one() -> None:
    found = typed([("Region", "2022", "2023"), ("N", "1", "2"), ("S", "5", "6")], header=0)
    assert (names(found), found.rows) == (["Region", "2022", "2023"], 2)


def test_empty_names_and_the_same_name_twice() -> None:
    rows = [("Item", "", "Price", "Price"), ("a", "1", "2", "3")]
    assert names(typed(rows, caption="Stock")) == ["Item", "Stock", "Price", "Price (2)"]
    assert names(typed(rows)) == ["Item", "column 2", "Price", "Price (2)"]
    assert names(typed([("Price", "Price (2)", "Price"), ("1", "2", "3")])) == ["Price", "Price (2)", "Price (3)"]
    assert names(typed([("1", "2")], header=0)) == ["column 1", "column 2"]


# -- rows that are no data -----------------------------------------------------------------------------------------------------------


def kinds(*rows: tuple[str, ...], header: tuple[str, ...] = ("Item", "Net", "Gross")) -> str:
    """A letter for each row: d(ata), t(otal), h(eading)."""
    return "".join(kind.value[0] for kind in typed([header, *rows]).kinds)


def test_totals_are_told_by_their_label() -> None:
    for label in ("Total", "Grand total", "Gesamt", "Summe:", "Σ", "Total (EUR)", "TOTAL 2024", "Sub-total", "Somme"):
        assert kinds(("a", "1", "2"), ("b", "3", "4"), (label, "9", "9")) == "ddt", label


def test_a_total_of_something_must_add_up() -> None:
    assert kinds(("a", "1", "2"), ("b", "3", "4"), ("Total north", "4", "6"), ("c", "5", "5"), ("d", "1", "1"), ("Total south", "6", "6")) == "ddtddt"
    assert kinds(("Total Energies", "7", "8"), ("a", "1", "2"), ("b", "3", "4")) == "ddd"
    assert kinds(("a", "1", "2"), ("b", "3", "4"), ("Total Energies", "7", "8")) == "ddd"


def test_an_unnamed_last_row_that_adds_up_is_a_total() -> None:
    assert kinds(("a", "1", "2"), ("b", "3", "4"), ("", "4", "6")) == "ddt"
    assert kinds(("a", "1", "2"), ("b", "3", "4"), ("", "4", "7")) == "ddd"
    assert kinds(("All", "4", "6"), ("women", "1", "2"), ("men", "3", "4")) == "tdd"


def test_a_last_row_that_adds_up_in_several_columns_is_a_total_whatever_it_is_called() -> None:
    header = ("District", "Farms", "Cows", "Sheep")
    districts = (("Vessen", "1", "10", "100"), ("Lomar", "2", "20", "200"), ("Osyn", "3", "30", "400"))
    assert kinds(*districts, ("ELVERLAND", "6", "60", "700"), header=header) == "dddt"
    assert kinds(*districts, ("Marl", "6", "60", "710"), header=header) == "dddd"  # one column does not add up
    assert kinds(*(row[:3] for row in districts), ("Marl", "6", "60"), header=header[:3]) == "dddd"  # two columns may do so by chance


def test_tax_between_subtotal_and_total_is_no_data() -> None:
    rows = (("a", "1", "10"), ("b", "3", "20"), ("Subtotal", "", "30"), ("VAT 20 %", "", "6"), ("Total to pay", "", "36"))
    assert kinds(*rows) == "ddttt"
    assert (
        kinds(("Cash", "1", "10"), ("Stock", "1", "20"), ("Total current", "2", "30"), ("Plant", "1", "50"), ("Total assets", "3", "80")) == "ddtdt"
    )


def test_headings_and_repeated_headers_are_no_data() -> None:
    rows = (("North", "", ""), ("a", "1", "2"), ("b", "3", "4"), ("Item", "Net", "Gross"), ("c", "5", "6"), ("d", "7", "8"))
    assert kinds(*rows) == "hddhdd"
    assert kinds(("a", "", ""), ("b", "", ""), ("c", "1", "2")) == "ddd"  # many rows with one cell: a sparse table


def test_average_rows_at_the_end_are_no_data() -> None:
    assert kinds(("a", "1", "2"), ("b", "3", "4"), ("Average", "2", "3")) == "ddt"


# -- bounds --------------------------------------------------------------------------------------------------------------------------


def test_a_row_that_numbers_the_columns_is_no_data() -> None:
    found = typed([("State", "Persons", "Ratio"), ("(1)", "(2)", "(3) = (2)/(1)"), ("North", "14", "2.5"), ("South", "22", "3.5")])
    assert found.kinds == (RowKind.HEADING, RowKind.DATA, RowKind.DATA)
    assert [column.type for column in found.columns] == [ColumnType.TEXT, ColumnType.INTEGER, ColumnType.NUMBER]
    data = typed([("State", "Persons", "Deaths"), ("1", "2", "4"), ("2", "14", "2")])
    assert data.kinds == (RowKind.DATA, RowKind.DATA)


def test_all_of_something_is_a_total_only_where_it_adds_up() -> None:
    kinds = typed([("State", "Loans"), ("Alpha", "10"), ("Beta", "20"), ("ALL STATES", "30")]).kinds
    assert kinds[-1] is RowKind.TOTAL
    assert typed([("Shop", "Loans"), ("Alpha", "10"), ("Beta", "20"), ("All Saints", "7")]).kinds[-1] is RowKind.DATA


def test_what_a_page_hands_on_to_the_next_is_no_data() -> None:
    rows = [
        ("Item", "Amount"),
        ("a", "10"),
        ("b", "20"),
        ("Carried forward", "30"),
        ("Item", "Amount"),
        ("Brought forward", "30"),
        ("c", "5"),
        ("Total", "35"),
    ]
    kinds = typed(rows).kinds
    assert [kind.value for kind in kinds] == ["data", "data", "total", "heading", "total", "data", "total"]
    assert typed([("Posten", "Betrag"), ("a", "10"), ("Übertrag von Seite 1", "10"), ("b", "20")]).kinds[1] is RowKind.TOTAL


def test_marks_of_notes_are_no_part_of_a_name() -> None:
    found = typed([("Year", "Employees[191]", "Sales**", "Area m²"), ("2005", "61,000", "4", "2")])
    assert [column.name for column in found.columns] == ["Year", "Employees", "Sales", "Area m²"]


@pytest.mark.parametrize("caption", ["", "Results (EUR m)", "Results, in thousand EUR"])
def test_a_unit_over_the_whole_table_is_that_of_its_figures(caption: str) -> None:
    corner = "In millions of CHF" if not caption else "Item"
    found = typed(
        [(corner, "2022", "2023", "Margin", "Employees"), ("Sales", "6,684", "7,351", "4 %", "61"), ("Costs", "6,619", "7,278", "5 %", "62")],
        caption=caption,
    )
    unit = {"": "CHF millions", "Results (EUR m)": "EUR m"}.get(caption, "EUR thousand")
    assert [column.unit for column in found.columns] == ["", unit, unit, "%", ""]
    years = typed([(corner, "Year", "Sales"), ("a", "2022", "6,684"), ("b", "2023", "7,351")], caption=caption)
    assert [column.unit for column in years.columns] == ["", "", unit]


def test_a_huge_table_keeps_its_first_rows_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_columns, "MAX_ROWS", 5)
    found = typed([("A", "B"), *(("x", str(place)) for place in range(9))])
    assert (found.rows, len(found.values), len(found.kinds), found.note) == (9, 5, 5, "Only the first 5 of 9 rows are kept as rows.")


CELLS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "-", "1,234.5", "1.234,5", "€5", "5 %", "31/12/2025", "99/99/9999", "Total", "٣٫٥", "１２", "1e9", "(5", "$", "²", "1'2"]),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.lists(CELLS, min_size=0, max_size=5), min_size=0, max_size=8),
    st.integers(0, 4),
    st.lists(st.tuples(*[st.integers(-2, 9)] * 4), max_size=3),
)
def test_no_cell_is_too_odd(rows: list[list[str]], header: int, spans: list[tuple[int, int, int, int]]) -> None:
    found = typed(rows, header=header, spans=tuple(spans))
    assert len(found.kinds) == len(found.values) == found.rows == len(rows) - found.header_rows
    assert len(set(names(found))) == len(found.columns)
    for values in found.values:
        assert len(values) == len(found.columns)
        for place, value in enumerate(values):
            wanted = {ColumnType.TEXT: str, ColumnType.DATE: str, ColumnType.BOOLEAN: bool}.get(found.columns[place].type, float)
            assert value is None or (type(value) is wanted and (not isinstance(value, float) or math.isfinite(value)))
    assert all(kind in RowKind for kind in found.kinds)


def test_a_second_row_shorter_than_the_figures_below_names_no_columns() -> None:
    found = typed([["Year", "", ""], ["Port", "a"], ["Hull", "1", "2", "3"], ["Goole", "4", "5", "6"]], header=1)
    assert len(found.columns) == 4


def test_rows_that_the_limits_of_reading_cut_off_are_counted_with_the_table() -> None:
    text = "\n".join(["Parcel,Weight,Place", *(f"P{place},{place},Marl" for place in range(60))])
    few = replace(LIMITS, cells=90)
    (cut,) = typed_tables(extract(Source(text.encode(), "Parcels.csv", few)))
    assert (cut.rows, len(cut.values), cut.note) == (60, 29, "Only the first 29 of 60 rows are kept as rows.")
    (short,) = typed_tables(extract(Source(text.encode(), "Parcels.csv", replace(LIMITS, characters=300))))
    assert short.rows == 60
    assert len(short.values) < 60
    (whole,) = typed_tables(extract(Source(text.encode(), "Parcels.csv", LIMITS)))
    assert (whole.rows, len(whole.values), whole.note) == (60, 60, "")


def test_where_nobody_counted_the_rows_that_were_cut_off_it_is_said() -> None:
    lines = "\n".join(f'{{"parcel": "P{place}", "weight": {place}}}' for place in range(60))
    (cut,) = typed_tables(extract(Source(lines.encode(), "Parcels.jsonl", replace(LIMITS, cells=60))))
    assert cut.rows > len(cut.values)
    assert cut.note.endswith("rows are kept as rows: there are more.")


def test_rows_whose_names_stand_under_each_heading_again_are_divided_by_them() -> None:
    blocks = (("Younger", "", ""), ("Helped", "1", "2"), ("Other", "3", "4"), ("Older", "", ""), ("Helped", "5", "6"), ("Other", "7", "8"))
    assert kinds(*blocks) == "hddhdd"
    assert kinds(("Younger", "", ""), ("Helped", "1", "2"), ("Older", "", "")) == "ddd"


def test_a_second_header_row_need_not_name_what_the_first_names_alone() -> None:
    rows = [
        ["Country", "Sample", "2007", "2007", "2006", "2006"],
        ["", "", "N", "% Pos", "N", "% Pos"],
        ["Vessen", "25", "109", "0.9", "93", "1.1"],
        ["Halden", "25", "123", "0.8", "290", "0.7"],
    ]
    assert names(typed(rows))[1:4] == ["Sample", "2007 › N", "2007 › % Pos"]
