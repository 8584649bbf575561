"""What a worker's reply brings, so that the server need not make it, and how the worker is told to keep little memory."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from core.tables import ColumnType
from ingestion.workers import malloc_tuning
from ingestion.workers.pool import ExtractionPool
from ingestion.workers.worker_protocol import Extraction, MemberRead
from tests.support.containers import zip_bytes

TABLE = "Port,Berths,Built\nHalden,12,1924-05-01\nMoss,7,1931-11-30\nLarvik,31,1899-02-17\n"


@pytest.fixture
async def pool() -> AsyncIterator[ExtractionPool]:
    pool = ExtractionPool(1)
    yield pool
    await pool.close()


async def test_tables_come_typed(pool: ExtractionPool, tmp_path: Path) -> None:
    path = tmp_path / "ports.csv"
    path.write_text(TABLE, encoding="utf-8")
    extraction = await pool.extract(path)
    (typed,) = extraction.tables
    assert [column.type for column in typed.columns] == [ColumnType.TEXT, ColumnType.INTEGER, ColumnType.DATE]
    assert [values[1] for values in typed.values] == [12, 7, 31]
    assert extraction.weight > len(TABLE)


async def test_tables_of_members_come_typed(pool: ExtractionPool, tmp_path: Path) -> None:
    path = tmp_path / "ports.zip"
    path.write_bytes(zip_bytes({"ports.csv": TABLE.encode()}))
    members: list[MemberRead] = []

    async def keep(read: MemberRead) -> None:
        members.append(read)

    await pool.extract(path, on_member=keep)
    (read,) = members
    assert isinstance(read.outcome, Extraction)
    assert len(read.outcome.tables) == 1
    assert read.outcome.weight > len(TABLE)


async def test_workers_keep_little_of_what_they_freed(pool: ExtractionPool, tmp_path: Path) -> None:
    path = tmp_path / "ports.csv"
    path.write_text(TABLE, encoding="utf-8")
    await pool.extract(path)
    (worker,) = pool.process_ids
    assert malloc_tuning.MALLOC_ENVIRONMENT.items() <= psutil.Process(worker).environ().items()


def test_the_allocator_takes_the_settings() -> None:
    assert malloc_tuning.tune_malloc() is (sys.platform == "linux" and hasattr(ctypes.CDLL(None), "gnu_get_libc_version"))
    malloc_tuning.trim_heap()
