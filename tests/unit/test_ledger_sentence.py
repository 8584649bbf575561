"""What a person reads first of the ledger."""

from __future__ import annotations

import pytest

from server.ledger_schemas import LedgerCounts, QueueOut
from server.routers.ledger_router import ledger_sentence


@pytest.mark.parametrize(
    ("waiting", "before", "sentence"),
    [
        (0, 0, "1,423 of 1,501 files, 78 need attention"),
        (5, 0, "1,423 of 1,501 files, 78 need attention, 5 waiting"),
        (0, 1303, "1,423 of 1,501 files, 78 need attention, being read again: 120 of 1,423"),
        (5, 1, "1,423 of 1,501 files, 78 need attention, being read again: 1,422 of 1,423, 5 waiting"),
    ],
)
def test_the_sentence(waiting: int, before: int, sentence: str) -> None:
    counts = LedgerCounts(seen=1501, askable=1423, by_state={}, by_reason={})
    queue = QueueOut(waiting=waiting, files_per_second=0.0, chunks_per_second=0.0, seconds_left=None, current="", jobs=[])
    assert ledger_sentence(counts, 78, queue, before) == sentence
