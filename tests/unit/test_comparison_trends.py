"""Aristotle over figures: what is computed is right and says so, and nothing is read that is no figure."""

from __future__ import annotations

from agents.comparison.trends import findings_of, series_of
from agents.sources.quotable_units import quotable_units
from tests.support.graphs import make_paragraphs

FREIGHT = make_paragraphs(
    "# Freight by month",
    "Month | Road | Air budget | Air actual\nJanuary | 20,400 | 4500 | 3900\nFebruary | 21,150 | 4500 | 4200\nMarch | 21,900 | 4500 | 3800\n"
    "Total | 63,450 | 13500 | 11900",
)


def test_a_column_that_the_question_names() -> None:
    found = series_of("analyse the trend of the actual air freight", quotable_units(FREIGHT))
    assert [series.name for series in found] == ["Air actual"]
    assert found[0].labels == ("January", "February", "March")


def test_findings_are_computed_and_say_so() -> None:
    findings = findings_of(series_of("actual air freight", quotable_units(FREIGHT))[0])
    assert [finding.text for finding in findings] == [
        "Air actual goes from 3,900 (January) to 3,800 (March): down 100 or 3 per cent (computed from these cells).",
        "Highest is February with 4,200.",
        "Lowest is March with 3,800.",
        "The 3 rows add up to 11,900 (computed from the cells of all these rows).",
    ]
    assert [finding.is_computed for finding in findings] == [True, False, False, True]
    assert [row.cells[0] for row in findings[1].rows] == ["February"]


def test_a_flat_column_has_no_highest() -> None:
    findings = findings_of(series_of("air budget", quotable_units(FREIGHT))[0])
    assert len(findings) == 2
    assert "unchanged" in findings[0].text


def test_words_and_short_tables_are_no_series() -> None:
    assert (
        series_of("colour of the truck", quotable_units(make_paragraphs("Truck | Colour | Size\nA | red | x\nB | blue | y\nC | 3 apples | z"))) == []
    )
    assert series_of("size", quotable_units(make_paragraphs("Truck | Size\nA | 1\nB | 2"))) == []
    assert series_of("anything", []) == []


def test_percentages_are_not_added_up() -> None:
    shares = make_paragraphs("Month | Share\nMay | 10 %\nJune | 20 %\nJuly | 15 %")
    assert all("add up" not in finding.text for series in series_of("share", quotable_units(shares)) for finding in findings_of(series))
    assert series_of("share", quotable_units(shares))
