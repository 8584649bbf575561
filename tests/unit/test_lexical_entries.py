"""What the lexical index holds of a chunk: its headings and its text, no word twice."""

from __future__ import annotations

import pytest

from retrieval.lexical_schema import chunk_entries
from tests.support.indexes import DocumentAttributes, document


@pytest.mark.parametrize(
    ("headings", "text", "held"),
    [
        ("Lease › Deposit", "The tenant pays it.", "Lease\nDeposit\nThe tenant pays it."),
        ("Lease › Deposit", "Deposit\n\nThe tenant pays it.", "Lease\nDeposit\n\nThe tenant pays it."),
        ("Lease › Deposit", "Lease\n\nDeposit\n\nThe tenant pays it.", "Lease\n\nDeposit\n\nThe tenant pays it."),
        ("Lease › Deposit", "Deposits are paid early.", "Lease\nDeposit\nDeposits are paid early."),
        ("", "The tenant pays it.", "The tenant pays it."),
    ],
)
def test_headings_stand_in_front_of_the_text_once(headings: str, text: str, held: str) -> None:
    (entry,) = chunk_entries(document("d", text, attributes=DocumentAttributes(headings=headings)))
    assert entry.to_dict()["text"] == [held]
