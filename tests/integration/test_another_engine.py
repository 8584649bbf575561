"""The service on other engines than its own: documents are indexed and found, through a restart and a switch of the embedding model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from core.ports import SearchIndex
from retrieval.search_engines import SEARCH_ENGINES, IndexOptions
from tests.support.indexes import open_shared_opensearch
from tests.support.memory_index import InMemoryIndex
from tests.support.model_switch import (
    ModelOpener,
    ask_question,
    embedder_of_answer,
    index_folder,
    open_model_library,
    question_of,
    wait_for_detail,
    write_files,
)


@pytest.mark.parametrize("open_engine", [InMemoryIndex.open, open_shared_opensearch], ids=["memory", "opensearch"])
async def test_the_service_runs_on_whatever_implements_the_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_engine: Callable[[IndexOptions], Awaitable[SearchIndex]]
) -> None:
    monkeypatch.setitem(SEARCH_ENGINES, "embedded", open_engine)
    folder, models = write_files(tmp_path / "docs"), ModelOpener({"alpha": 128, "beta": 192})
    async with open_model_library(tmp_path, "alpha", models) as services:
        assert (await index_folder(services, folder)).state == "done"
        assert (await ask_question(services, question_of(7))).results[0].filename == "7.txt"
    async with open_model_library(tmp_path, "beta", models) as services:  # what was not kept the library brings again
        assert (await ask_question(services, question_of(12))).results[0].filename == "12.txt"
        (folder / "late.txt").write_text("The ferry of the delta is called Halcyon.\n")
        await index_folder(services, folder)
        await wait_for_detail(services, "beta")
        response = await ask_question(services, question_of(3))
        assert (response.results[0].filename, await embedder_of_answer(services, response)) == ("3.txt", "beta")
        assert "Halcyon" in (await ask_question(services, "What is the ferry of the delta called?")).answer
        (folder / "3.txt").unlink()
        await index_folder(services, folder)
        assert "3.txt" not in [result.filename for result in (await ask_question(services, question_of(3))).results]
