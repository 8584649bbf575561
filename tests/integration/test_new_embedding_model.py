"""Another embedding model in the settings, a real one: searches go on by the old one while the new one is filled, which then takes over."""

from __future__ import annotations

import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest

from bootstrap import open_services
from core.ports import JobRecord
from core.search_schemas import SearchRequest
from retrieval.embedders.transformer_models import MINILM
from server.services import Services
from settings import load_settings

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="the extra `models` is not installed"),
]


@asynccontextmanager
async def library(tmp_path: Path, model: str = "") -> AsyncIterator[Services]:
    environ = {"VANTAGE_HOME": str(tmp_path / "home"), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__WATCH__ENABLED": "false"}
    if model:
        environ["VANTAGE_EMBEDDING__MODEL"] = model
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of torch's own imports
        async with open_services(load_settings(environ=environ, folder=tmp_path)) as services:
            yield services


async def indexed(services: Services, folder: Path) -> JobRecord:
    job = await services.jobs.queue_run("default", str(folder), "default")
    async for record in services.jobs.events("default", job.id):
        job = record
    return job


async def answer(services: Services, question: str) -> str:
    run = await services.runs.start(SearchRequest(query=question))
    return (await services.runs.result("default", run)).answer


async def embedder_part(services: Services) -> tuple[str, str]:
    (part,) = [part for part in await services.parts() if part.name == "embedder"]
    return part.state, part.detail


async def test_searches_go_on_while_a_new_model_is_filled_and_it_takes_over_without_a_restart(tmp_path: Path) -> None:
    folder, model = tmp_path / "docs", str(MINILM.folder() / "model")
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(f"The crane number {number} stands at quay {number + 10}.\n")
    async with library(tmp_path) as services:
        await indexed(services, folder)
        before = (await embedder_part(services))[1]
    async with library(tmp_path, model) as services:
        assert "quay 13" in await answer(services, "Where does crane number 3 stand?")
        (folder / "late.txt").write_text("The late ferry is called Halcyon.\n")
        assert (await indexed(services, folder)).progress["files_indexed"] == 1  # the others are not read again
        assert "Halcyon" in await answer(services, "What is the late ferry called?")
        with anyio.fail_after(120):
            while (await embedder_part(services))[1] != model:  # noqa: ASYNC110  (the switch tells nobody)
                await anyio.sleep(0.1)
        assert before != model
        assert "quay 13" in await answer(services, "Where does crane number 3 stand?")
        assert (await indexed(services, folder)).progress["files_unchanged"] == 7
    async with library(tmp_path, model) as services:
        assert await embedder_part(services) == ("ok", model)
        assert "quay 13" in await answer(services, "Where does crane number 3 stand?")
        assert (await services.library.totals("default")).vectors == 7
