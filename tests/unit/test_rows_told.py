"""A row of a table as a line that can be read alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.units.row_wording import LONGEST_ROW, cell_places, cells_of, describe_row

PEOPLE = ["Name", "Role", "Works for", "Extension"]
MARTA = ["Marta Quill", "Surveyor", "Hollin & Pryce", "210"]


@pytest.mark.parametrize(
    ("header", "cells", "question", "told"),
    [
        (PEOPLE, MARTA, "which firm does marta work for", "Marta Quill: works for Hollin & Pryce"),
        (PEOPLE, MARTA, "what is the extension and role of marta", "Marta Quill: role Surveyor; extension 210"),
        (PEOPLE, MARTA, "tell me about marta", "Marta Quill: role Surveyor; works for Hollin & Pryce; extension 210"),
        (PEOPLE, ["Marta Quill", "", "", ""], "role of marta", "Marta Quill"),
        (["No.", "Action", "Who", "By"], ["1", "Order the pumps", "Jon Reed", "8 May"], "who orders the pumps", "Order the pumps: Jon Reed"),
        (
            ["Action", "Who", "By"],
            ["Order the pumps", "Jon Reed", "8 May"],
            "who orders the pumps and by when",
            "Order the pumps: Jon Reed; by 8 May",
        ),
        (["Action", "Owner", "Due"], ["Order the pumps", "Jon Reed", "8 May"], "when are pumps here", "Order the pumps: due 8 May"),
        (["No.", "Action", "Who", "By"], ["1", "Order the pumps", "Jon Reed", "8 May"], "pumps", "Order the pumps: Jon Reed; by 8 May"),
        ([], ["Landlord", "Hollin & Pryce"], "landlord", "Landlord: Hollin & Pryce"),
        (["name", "alarm_above_celsius"], ["Chamber 1", "-18.0"], "alarm of chamber", "Chamber 1: alarm above celsius -18.0"),
        (PEOPLE, ["", "", "", ""], "role", ""),
        (["VAT rate", "2025"], ["Food", "7 %"], "food in 2025", "Food: 2025 7 %"),
        (["Name", "What for"], ["Marta", "Leases"], "what is marta for", "Marta: what for Leases"),
    ],
)
def test_the_asked_for_columns_are_told(header: Sequence[str], cells: Sequence[str], question: str, told: str) -> None:
    assert describe_row(header, cells, question.split()) == told


def test_a_wide_row_is_bounded_and_a_kept_cell_is_told() -> None:
    header = [f"Column {letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    cells = [f"value {letter} of row" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert len(describe_row(header, cells, ["nothing"]).split()) <= LONGEST_ROW
    assert describe_row(header, cells, ["nothing"], kept=[24]) == "value a of row: column y value y of row"


@given(st.text(alphabet="ab |\t1", max_size=40))
def test_places_are_those_of_the_cells(row: str) -> None:
    assert [row[start:end].strip() for start, end in cell_places(row)] == cells_of(row)
