"""A document's structure as it is stored: what was packed comes back, also of tables that are written piece by piece."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.documents import ExtractedDocument, Metadata, PageUnit, Table
from storage.blobs import pack_json, pack_structure, unpack_json, unpack_structure

BARE = ExtractedDocument("", (), (), (), (), PageUnit.NONE, Metadata(), "csv")


def _table(rows: int, cell: str) -> Table:
    return Table(
        start=3,
        end=9 * rows + 3,
        rows=tuple((str(row), cell) for row in range(rows)),
        row_spans=tuple((9 * row, 9 * row + 8) for row in range(rows)),
        header_rows=1,
        page=2,
        caption=f"Of “{cell}”",
        spans=((0, 1, 2, 1),),
        last_page=7,
        row_numbers=tuple(row + 4 + (row > 2) * 7 for row in range(rows)),
        column_numbers=(2, 5),
    )


@given(
    st.lists(st.sampled_from([0, 1, 2, 999, 1000, 1001, 2000, 2001]), max_size=3), st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
)
def test_tables_of_any_length_come_back(lengths: list[int], cell: str) -> None:
    document = replace(BARE, tables=tuple(_table(rows, cell) for rows in lengths))
    assert unpack_structure(pack_structure(document), "") == document


def test_what_cannot_be_stored_is_replaced_in_each_piece() -> None:
    rows = _table(2001, "a\x00b\ud800c")
    (table,) = unpack_structure(pack_structure(replace(BARE, tables=(rows,))), "").tables
    assert {row[1] for row in table.rows} == {"a\ufffdb\ufffdc"}
    assert table.caption == "Of “a\ufffdb\ufffdc”"


@given(st.lists(st.integers(1, 2_000_000), max_size=30))
def test_any_numbers_of_rows_come_back(numbers: list[int]) -> None:
    table = replace(_table(1, "a"), row_numbers=tuple(numbers))
    assert unpack_structure(pack_structure(replace(BARE, tables=(table,))), "").tables == (table,)


def test_a_table_of_an_earlier_version_has_no_numbers() -> None:
    document = replace(BARE, tables=(replace(_table(3, "a"), row_numbers=(), column_numbers=()),))
    stored = unpack_json(pack_structure(document))
    for kept in (8, 7):  # without the numbers; without spans and the last page, too
        old = {**stored, "tables": [row[: kept + 1] if kept == 8 else row[:kept] for row in stored["tables"]]}
        (table,) = unpack_structure(pack_json(old), "").tables
        assert (table.rows, table.row_numbers, table.column_numbers) == (document.tables[0].rows, (), ())
