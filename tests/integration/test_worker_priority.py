"""What nobody waits for is read at low priority, so that a computer stays usable while folders are indexed."""

from __future__ import annotations

import os
from pathlib import Path

import psutil
import pytest

from ingestion.workers.pool import ExtractionPool
from ingestion.workers.worker_protocol import Demand

pytestmark = pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no niceness")


async def niceness(path: Path, *demands: Demand) -> int:
    """Of the one worker that read these, one after the other."""
    pool = ExtractionPool(1)
    try:
        for demand in demands:
            assert (await pool.extract(path, demand)).document.text.startswith("Text")
        (worker,) = pool.process_ids
        return int(psutil.Process(worker).nice())
    finally:
        await pool.close()


async def test_only_what_is_urgent_is_read_at_ordinary_priority(tmp_path: Path) -> None:
    path, ours = tmp_path / "a.txt", psutil.Process().nice()
    path.write_text("Text of a file.")
    assert await niceness(path, Demand(urgent=True)) == ours
    assert await niceness(path, Demand()) == max(10, ours)
    assert await niceness(path, Demand(), Demand()) == max(10, ours)  # it does not add up


def test_urgency_reaches_the_worker() -> None:
    assert Demand.from_json(Demand(urgent=True).as_json()) == Demand(urgent=True)
    assert Demand.from_json({}) == Demand()
