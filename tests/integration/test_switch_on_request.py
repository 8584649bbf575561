"""POST /embedder: a library goes to another shipped model and back while it is served, and a restart goes on with what was asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from commands.client import Client, add_lifespan_state
from core.errors import Conflict, InvalidInput, StorageFull
from core.ports import Embedder
from core.search_schemas import SearchRequest
from retrieval.embedders.transformer_models import MODELS
from server.app import build_app
from server.services import Services
from settings import Settings
from storage.home import ServerRecord
from storage.pending_vectors import SqlPendingVectors
from tests.support.model_switch import (
    FILES,
    ModelOpener,
    SwitchableModel,
    ask_question,
    embedder_of_answer,
    embedder_state,
    index_folder,
    open_model_library,
    question_of,
    wait_for_detail,
    write_files,
)

SMALL, GOOD = "all-MiniLM-L6-v2", "granite-embedding-30m-english"
IN_USE = f"{GOOD}@fake"
IN_USE_BUT_BETTER = f"{SMALL}@fake; {GOOD} finds passages better"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_files(tmp_path / "docs")


@pytest.fixture
def models() -> ModelOpener:
    return ModelOpener({GOOD: 192, SMALL: 128})


@asynccontextmanager
async def served(tmp_path: Path, model: str, models: Callable[[Settings], Embedder]) -> AsyncIterator[tuple[Services, Client]]:
    """The library with its routes."""
    async with open_model_library(tmp_path, model, models) as services:
        transport = httpx.ASGITransport(app=add_lifespan_state(build_app(services.settings.server), {"services": services}))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield services, Client(http, served_by=ServerRecord(1, "http://localhost", datetime(2026, 11, 24, tzinfo=UTC), "0.1.0", 0.0))


async def made_by(model: str, tmp_path: Path, folder: Path, models: ModelOpener) -> None:
    async with open_model_library(tmp_path, model, models) as services:
        await index_folder(services, folder)


async def switch(client: Client, model: str) -> dict[str, Any]:
    state: dict[str, Any] = await client.post("/embedder", {"model": model})
    return state


async def finds(services: Services, number: int) -> str:
    """The embedder that a question was answered by; the right file has to be found."""
    response = await ask_question(services, question_of(number), use_hybrid=False, strategy="semantic")
    assert (response.degraded, response.results[0].filename) == ([], f"{number}.txt")
    return await embedder_of_answer(services, response)


def named(models: ModelOpener, name: str) -> SwitchableModel:
    found = models.find_model(name)
    assert found is not None
    return found


async def tokens(tmp_path: Path) -> list[str]:
    return sorted([path.name async for path in anyio.Path(tmp_path / "home").glob("tokens*.db")])


async def test_an_older_library_keeps_its_model_and_says_that_a_better_one_is_there(tmp_path: Path, folder: Path, models: ModelOpener) -> None:
    await made_by(SMALL, tmp_path, folder, models)
    async with served(tmp_path, "auto", models) as (services, client):
        assert await embedder_state(services) == ("ok", IN_USE_BUT_BETTER)
        state = await client.get("/embedder")
        assert (state["model"], state["better"], state["coming"], state["documents"]) == (SMALL, GOOD, "", 0)
        assert state["choices"] == [model.name for model in MODELS if model.is_installed]
        assert f"vantage embedder {GOOD}" in state["advice"]
        assert [part["advice"] for part in (await client.get("/health", thorough=True))["parts"] if part["advice"]] == [state["advice"]]
        assert await finds(services, 3) == f"{SMALL}@fake"


async def test_there_and_back_and_there_again_in_one_process(tmp_path: Path, folder: Path, models: ModelOpener) -> None:
    await made_by(SMALL, tmp_path, folder, models)
    async with served(tmp_path, "auto", models) as (services, client):
        for number, (model, detail) in enumerate([(GOOD, IN_USE), (SMALL, IN_USE_BUT_BETTER), (GOOD, IN_USE)]):
            models.held = {model}
            state = await switch(client, model)
            assert (state["coming"], state["filled"], state["documents"]) == (model, 0, FILES)
            assert (state["better"], state["advice"], bool(state["note"])) == ("", "", True)
            assert await finds(services, number) != f"{model}@fake"
            named(models, f"{model}@fake").fill.set()
            await wait_for_detail(services, detail)
            assert await finds(services, number + 3) == f"{model}@fake"
            assert (await client.get("/embedder"))["note"] == ""
            assert len(await tokens(tmp_path)) == 1
        (folder / "after.txt").write_text("The lighthouse is kept by Petronella.\n")
        assert (await index_folder(services, folder)).progress["files_indexed"] == 1
        assert (await services.library.totals("default")).vectors == FILES + 1
    models.held = set()
    async with served(tmp_path, "auto", models) as (services, _):
        assert await embedder_state(services) == ("ok", IN_USE)
        assert await finds(services, 7) == IN_USE
        assert await tokens(tmp_path) == ["tokens.db"]


async def test_a_restart_goes_on_with_what_was_asked_for(tmp_path: Path, folder: Path, models: ModelOpener) -> None:
    """Also in the middle of a second switch, whose token vectors lie elsewhere than those of the first."""
    await made_by(SMALL, tmp_path, folder, models)
    models.held = {GOOD}
    async with served(tmp_path, "auto", models) as (_, client):
        assert (await switch(client, GOOD))["coming"] == GOOD
    models.held = set()
    async with served(tmp_path, "auto", models) as (services, client):
        await wait_for_detail(services, IN_USE)
        models.held = {SMALL}
        assert (await switch(client, SMALL))["coming"] == SMALL
        assert await tokens(tmp_path) == ["tokens-later.db", "tokens-next.db"]
    models.held = set()
    async with served(tmp_path, "auto", models) as (services, _):
        assert await finds(services, 4) in {IN_USE, f"{SMALL}@fake"}
        await wait_for_detail(services, IN_USE_BUT_BETTER)
        assert await finds(services, 5) == f"{SMALL}@fake"
    async with served(tmp_path, "auto", models) as (services, _):
        assert await embedder_state(services) == ("ok", IN_USE_BUT_BETTER)
        assert await tokens(tmp_path) == ["tokens.db"]


async def test_only_one_switch_at_a_time_and_the_same_one_may_be_asked_for_twice(tmp_path: Path, folder: Path, models: ModelOpener) -> None:
    await made_by(SMALL, tmp_path, folder, models)
    models.held = {GOOD}
    async with served(tmp_path, "auto", models) as (services, client):
        await switch(client, GOOD)
        assert (await switch(client, GOOD))["coming"] == GOOD
        with pytest.raises(Conflict, match=f"A switch to {GOOD} is at work"):
            await switch(client, SMALL)
        slow = await services.runs.start(SearchRequest(query="who keeps harboura and must wait", use_memory=False))
        await named(models, f"{SMALL}@fake").reached.wait()
        named(models, IN_USE).fill.set()
        await wait_for_detail(services, f"{IN_USE}; questions that began before end with {SMALL}@fake")
        with pytest.raises(Conflict, match="still answered"):
            await switch(client, SMALL)
        assert (await switch(client, GOOD))["model"] == GOOD
        named(models, f"{SMALL}@fake").go.set()
        await services.runs.result("default", slow)
        await wait_for_detail(services, IN_USE)


async def test_what_cannot_be_chosen_is_said(tmp_path: Path, folder: Path, models: ModelOpener) -> None:
    await made_by(SMALL, tmp_path, folder, models)
    async with served(tmp_path, "auto", models) as (services, client):
        for name in ("word2vec", "auto", "../granite"):
            with pytest.raises(InvalidInput, match=f"Name one of these: {GOOD}, {SMALL}"):
                await switch(client, name)
        models.missing = {GOOD}
        with pytest.raises(Conflict, match=f"pip install {GOOD}"):
            await switch(client, GOOD)
        assert await embedder_state(services) == ("ok", IN_USE_BUT_BETTER)
        assert (await switch(client, SMALL))["model"] == SMALL  # it is in use


async def test_a_model_that_the_settings_name_wins_and_what_was_asked_for_is_forgotten(tmp_path: Path, folder: Path, models: ModelOpener) -> None:
    await made_by(SMALL, tmp_path, folder, models)
    models.held = {GOOD}
    async with served(tmp_path, "auto", models) as (_, client):
        await switch(client, GOOD)
    models.held = set()
    async with served(tmp_path, SMALL, models) as (services, client):
        assert await embedder_state(services) == ("ok", IN_USE_BUT_BETTER)
        state = await client.get("/embedder")
        assert (state["better"], state["choices"], f"Set embedding.model to {GOOD}" in state["advice"]) == ("", [], True)
        with pytest.raises(Conflict, match=rf"embedding\.model of the settings is {SMALL}"):
            await switch(client, GOOD)
        assert (await switch(client, SMALL))["coming"] == ""
    async with served(tmp_path, "auto", models) as (services, _):
        assert await embedder_state(services) == ("ok", IN_USE_BUT_BETTER)


async def test_an_empty_library_takes_the_model_too_and_keeps_it(tmp_path: Path, models: ModelOpener) -> None:
    async with served(tmp_path, "auto", models) as (services, client):
        await switch(client, SMALL)
        await wait_for_detail(services, IN_USE_BUT_BETTER)
    async with served(tmp_path, "auto", models) as (services, _):
        assert await embedder_state(services) == ("ok", IN_USE_BUT_BETTER)


async def test_a_switch_that_cannot_be_noted_is_not_begun(tmp_path: Path, folder: Path, models: ModelOpener, monkeypatch: pytest.MonkeyPatch) -> None:
    await made_by(SMALL, tmp_path, folder, models)

    async def full(_: SqlPendingVectors, model: str) -> None:
        raise StorageFull(f"No space is left on the disk for {model}.")

    async with served(tmp_path, "auto", models) as (services, client):
        monkeypatch.setattr(SqlPendingVectors, "save_choice", full)
        with pytest.raises(StorageFull):
            await switch(client, GOOD)
        found = models.find_model(IN_USE)
        assert found is None or found.closed
        assert await embedder_state(services) == ("ok", IN_USE_BUT_BETTER)
