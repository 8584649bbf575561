"""The two shipped models, the real ones: an older library keeps its model, is switched to the better one and back, and a missing package is said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from bootstrap import open_services
from core.search_schemas import SearchRequest
from retrieval.embedders import transformer_models
from retrieval.embedders.transformer_models import GRANITE, MINILM
from server.schemas import Part
from server.services import Services
from settings import load_settings
from tests.support.model_switch import index_folder

pytestmark = pytest.mark.slow


@asynccontextmanager
async def library(tmp_path: Path, model: str = "") -> AsyncIterator[Services]:
    environ = {"VANTAGE_HOME": str(tmp_path / "home"), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__WATCH__ENABLED": "false"}
    if model:
        environ["VANTAGE_EMBEDDING__MODEL"] = model
    async with open_services(load_settings(environ=environ, folder=tmp_path)) as services:
        yield services


async def embedder_part(services: Services) -> Part:
    (part,) = [part for part in await services.parts() if part.name == "embedder"]
    return part


async def answer(services: Services, number: int) -> str:
    """With the embedder that it was found by in front."""
    run = await services.runs.start(SearchRequest(query=f"Where does crane number {number} stand?", use_memory=False))
    response = await services.runs.result("default", run)
    return f"{(await services.traces.get('default', response.trace_id)).embedder}: {response.answer}"


async def switched(services: Services, model: str) -> None:
    assert (await services.embedder.switch(model)).coming == model
    with anyio.fail_after(120):
        while (await services.embedder.state()).coming:  # noqa: ASYNC110  (the switch tells nobody)
            await anyio.sleep(0.1)


async def test_an_older_library_is_kept_switched_and_switched_back(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(f"The crane number {number} stands at quay {number + 10}.\n")
    async with library(tmp_path, MINILM.name) as services:
        await index_folder(services, folder)
    async with library(tmp_path) as services:
        part = await embedder_part(services)
        assert part.state == "ok"
        assert part.detail.startswith(MINILM.version)
        assert part.detail.endswith(f"{GRANITE.name} finds passages better")
        assert f"vantage embedder {GRANITE.name}" in part.advice
        for model, number in ((MINILM, 1), (GRANITE, 2), (MINILM, 3)):
            if number > 1:
                await switched(services, model.name)
            said = await answer(services, number)
            assert said.startswith(f"{model.version}: ")
            assert f"quay {number + 10}" in said
        assert (await index_folder(services, folder)).progress["files_unchanged"] == 6
    async with library(tmp_path) as services:
        assert f"{MINILM.version}: " in await answer(services, 4)


async def test_without_the_better_models_package_the_other_is_taken_and_its_command_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformer_models, "MODELS", (replace(GRANITE, package="no_such_package_of_weights"), MINILM))
    async with library(tmp_path) as services:
        part = await embedder_part(services)
        assert part.detail.startswith(MINILM.version)
        assert part.advice.startswith(f"Install it: `{GRANITE.install_command}`.")
        assert (await services.embedder.state()).better == ""
