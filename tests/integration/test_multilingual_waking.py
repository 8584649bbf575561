"""What a question costs a library that has all its vectors for other languages: nothing is looked for."""

from __future__ import annotations

import anyio
import pytest

from core.ports import Readiness
from core.ports.refilling import Unfilled
from storage.document_vectors import SqlDocumentVectors
from tests.support.multilingual_library import Library, T, complete, library, looks_often

__all__ = ["library", "looks_often"]


async def test_a_question_wakes_the_filling_only_where_vectors_are_missing(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    unfilled, looked = SqlDocumentVectors.unfilled, list[int]()

    async def counted(store: SqlDocumentVectors, limit: int) -> list[Unfilled]:
        looked.append(limit)
        return await unfilled(store, limit)

    await library.write("german", "Die Kaution ist hoch.", "de")
    async with library.service() as service:
        await complete(service, 1)
        monkeypatch.setattr("composition.multilingual._LOOK", 3600.0)
        monkeypatch.setattr(SqlDocumentVectors, "unfilled", counted)
        for _ in range(10):
            assert await service.ready(T, start=True) == Readiness(1, 1)
            await anyio.sleep(0.02)
        assert len(looked) <= 2  # one was due anyway
        await library.write("another", "Die Miete ist hoch.", "de")
        assert await service.ready(T, start=True) == Readiness(2, 2)
