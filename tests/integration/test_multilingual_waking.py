"""What a question costs a library that has all its vectors for other languages: nothing is looked for."""

from __future__ import annotations

import anyio
import pytest

from core.ports import Readiness
from core.ports.reembedding import UnfilledDocument
from storage.document_vectors import SqlDocumentVectors
from tests.support.multilingual_library import MultilingualLibrary, T, library, looks_often, wait_until_complete

__all__ = ["library", "looks_often"]


async def test_a_question_wakes_the_filling_only_where_vectors_are_missing(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    unfilled, looked = SqlDocumentVectors.list_unfilled, list[int]()

    async def counted(store: SqlDocumentVectors, limit: int) -> list[UnfilledDocument]:
        looked.append(limit)
        return await unfilled(store, limit)

    await library.write_document("german", "Die Kaution ist hoch.", "de")
    async with library.open_service() as service:
        await wait_until_complete(service, 1)
        monkeypatch.setattr("composition.multilingual_service._POLL_SECONDS", 3600.0)
        monkeypatch.setattr(SqlDocumentVectors, "list_unfilled", counted)
        for _ in range(10):
            assert await service.check_readiness(T, start=True) == Readiness(1, 1)
            await anyio.sleep(0.02)
        assert len(looked) <= 2  # one was due anyway
        await library.write_document("another", "Die Miete ist hoch.", "de")
        assert await service.check_readiness(T, start=True) == Readiness(2, 2)
