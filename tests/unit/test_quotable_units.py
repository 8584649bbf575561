"""A document as units that can be quoted."""

from __future__ import annotations

from agents.sources.quotable_units import QuotableUnit, quotable_units
from core.documents import BlockKind
from tests.support.graphs import make_paragraphs


def units(*texts: str) -> list[QuotableUnit]:
    return quotable_units(make_paragraphs(*texts))


def test_table_rows_have_their_columns() -> None:
    found = units("# Prices", "Item | Quantity | Amount\nTruck | 2 | 68,500\nTotal | | 71,580")
    assert [each.display_text for each in found if each.kind is BlockKind.TABLE] == ["Truck: Quantity 2, Amount 68,500", "Total | 71,580"]
    assert all(each.text for each in found)
    assert units() == []


def test_only_a_row_of_several_figures_needs_its_header() -> None:
    found = units("# Prices", "Item | Quantity | Amount\nTruck | 2 | 68,500\nTotal | | 71,580", "The price is 71,580.")
    assert {each.text: each.needs_header for each in found} == {
        "Truck | 2 | 68,500": True,
        "Total | | 71,580": False,
        "The price is 71,580.": False,
    }
