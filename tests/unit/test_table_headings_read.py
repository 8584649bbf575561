"""Second header rows, group rows and merged cells, as rows are typed."""

from __future__ import annotations

from core.documents import ExtractedDocument, Metadata, PageUnit, Table
from core.tables import RowKind, TypedTable
from ingestion.tables.typed_columns import typed_tables

Spans = tuple[tuple[int, int, int, int], ...]


def _typed(text: str, header: int = 1, spans: Spans = ()) -> TypedTable:
    cells = tuple(tuple(cell.strip() for cell in line.split("|")) for line in text.strip().splitlines())
    table = Table(0, 0, cells, tuple((0, 0) for _ in cells), header, None, "", spans)
    (found,) = typed_tables(ExtractedDocument("", (), (), (table,), (), PageUnit.NONE, Metadata(), "csv"))
    return found


def _names(found: TypedTable) -> list[str]:
    return [column.name for column in found.columns]


def test_a_second_row_below_one_name_has_its_parts() -> None:
    found = _typed("""
Group | Members | Results |
 | | Accuracy | Time
Blind | 5 | 34.5%, n=1 | 1199 sec
Mobility | 3 | 95.4%, n=3 | 1416 sec
""")
    assert _names(found) == ["Group", "Members", "Results › Accuracy", "Results › Time"]
    assert found.rows == 2


def test_a_first_row_that_lacks_figures_below_full_names_is_data() -> None:
    found = _typed("""
Group | Members | Results | Time
 | | none | late
Blind | 5 | 34.5%, n=1 | 1199 sec
Mobility | 3 | 95.4%, n=3 | 1416 sec
""")
    assert found.header_rows == 1


def test_a_row_that_numbers_all_columns_is_no_name_and_numbers_below_a_name_are() -> None:
    numbered = _typed("Sl. | Year | Deaths\n(1) | (2) | (3)\n1 | 1990 | 12\n2 | 1991 | 14", header=2)
    parts = _typed("Subject | Lead time | |\n | 1 | 2 | 3\nPupils | 0.3 | 0.6 | 0.8\nTeachers | 0.8 | 1.4 | 1.7", header=2, spans=((0, 1, 1, 3),))
    assert _names(numbered) == ["Sl.", "Year", "Deaths"]
    assert _names(parts)[1:] == ["Lead time › 1", "Lead time › 2", "Lead time › 3"]


def test_the_first_group_of_a_list_is_no_second_row_of_names() -> None:
    found = _typed("Indicators | Weight\nEffects |\nWork | 40\nStudies | 15\nProcesses |\nLeaving early | 15\nStaying | 13", header=2)
    assert _names(found) == ["Indicators", "Weight"]
    assert [kind is RowKind.HEADING for kind in found.kinds] == [True, False, False, True, False, False]


def test_one_missing_figure_in_a_list_is_no_group() -> None:
    found = _typed("Month | Sales\nJanuary | 40\nFebruary | 15\nMarch |\nApril | 15")
    assert set(found.kinds) == {RowKind.DATA}


def test_a_merged_cell_is_spread_only_beside_names_of_its_rows() -> None:
    named = _typed("Illness | | Cases\nAsthma | Count | 31\n | Share | 6.3%", spans=((1, 0, 2, 1),))
    long = _typed("State | District | Remark\nWest | Birbhum | first line\n | | second line", spans=((1, 0, 2, 1),))
    assert named.merged == {(1, 0): "Asthma"}
    assert named.values[1][0] == "Asthma"
    assert not long.merged
