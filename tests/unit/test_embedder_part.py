"""What /health says of the embedding model, and what `vantage doctor` and `vantage embedder` make of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from commands import doctor, embedder_command
from commands.client import Client, add_lifespan_state
from composition import model_choice
from composition.active_search import ActiveSearch
from composition.embedder_health import advised_model, embedder_part
from composition.embedders import MakeEmbedder
from composition.model_switch import ModelSwitches, OpenedLibrary
from composition.search_engine import SearchEngine
from retrieval.embedders import transformer_models
from retrieval.embedders.transformer_models import GRANITE, MINILM
from server.app import build_app
from server.failed_tries import FailedTries
from server.schemas import EmbedderOut, Part
from settings import AUTO_MODEL, EmbeddingSettings, Settings
from settings_server import ServerSettings
from storage.home import Home, ServerRecord
from tests.support.embedding import OtherWordEmbedder
from tests.support.empty_library import open_library

Connect = Callable[..., AbstractAsyncContextManager[Client]]


def serving(name: str, tmp_path: Path) -> ActiveSearch:
    return ActiveSearch(OtherWordEmbedder(name), cast(SearchEngine, None), tmp_path / "tokens.db")


def settings(tmp_path: Path, model: str = AUTO_MODEL) -> Settings:
    return Settings(home=tmp_path, embedding=EmbeddingSettings(model=model))


async def part_of(name: str, tmp_path: Path, model: str = AUTO_MODEL) -> Part:
    database = open_library(tmp_path)
    try:
        return await embedder_part(settings(tmp_path, model), database, serving(name, tmp_path))
    finally:
        await database.close()


@pytest.mark.parametrize("name", [GRANITE.version, "intfloat/e5-small"])
async def test_nothing_is_advised_for_the_best_model_and_for_one_of_a_persons_own(name: str, tmp_path: Path) -> None:
    part = await part_of(name, tmp_path)
    assert (part.state, part.detail, part.advice) == ("ok", name, "")
    assert advised_model(settings(tmp_path), serving(name, tmp_path)) == ""


async def test_a_better_model_is_advised(tmp_path: Path) -> None:
    part = await part_of(MINILM.version, tmp_path)
    assert (part.state, part.detail) == ("ok", f"{MINILM.version}; {GRANITE.name} finds passages better")
    assert part.advice.startswith(f"Switch with `vantage embedder {GRANITE.name}`")
    assert advised_model(settings(tmp_path), serving(MINILM.version, tmp_path)) == GRANITE.name


async def test_where_the_settings_name_the_model_they_are_what_helps(tmp_path: Path) -> None:
    part = await part_of(MINILM.version, tmp_path, MINILM.name)
    assert part.advice.startswith(f"Set embedding.model to {GRANITE.name} and start Vantage again")
    assert advised_model(settings(tmp_path, MINILM.name), serving(MINILM.version, tmp_path)) == ""


async def test_a_package_that_is_missing_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformer_models, "MODELS", (replace(GRANITE, package="no_such_package_of_weights"), MINILM))
    part = await part_of(MINILM.version, tmp_path)
    assert part.advice.startswith(f"Install it: `{GRANITE.install_command}`. Switch with")
    assert advised_model(settings(tmp_path), serving(MINILM.version, tmp_path)) == ""


async def test_a_state_is_never_of_before_and_after_a_switch_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new model takes over while the state is read: `vantage embedder` told the old one as the last word, one run in some dozens."""
    active = serving(MINILM.version, tmp_path)

    async def read_slowly(*_: object) -> Part:
        part = Part(name="embedder", state="ok", detail=active.embedder.name)
        active.embedder = OtherWordEmbedder(GRANITE.version)
        return part

    monkeypatch.setattr(model_choice, "embedder_part", read_slowly)
    database = open_library(tmp_path)
    try:
        opened = OpenedLibrary(settings(tmp_path), Home(tmp_path), database, active)
        found = await model_choice.ModelChoice(opened, cast(ModelSwitches, None), cast(MakeEmbedder, None)).state()
    finally:
        await database.close()
    assert (found.detail, found.model) == (GRANITE.version, GRANITE.name)


def state(**changed: Any) -> dict[str, Any]:
    made = EmbedderOut(
        name="embedder",
        state="ok",
        detail="small; good is filled",
        model="small",
        choices=["small", "good"],
        better="",
        coming="good",
        filled=1,
        documents=3,
        note="It comes.",
    )
    return made.model_copy(update=changed).model_dump()


OVER = state(detail="good", model="good", coming="", filled=0, documents=0, note="")

SERVER = ServerRecord(1, "http://localhost", datetime(2026, 11, 24, tzinfo=UTC), "0.1.0", 0.0)


def connected(answers: list[dict[str, Any]], *, running: bool, asked: list[tuple[str, Any]]) -> Connect:
    """Stands in for `commands.client.connect`: a server that gives these answers, one after the other, and notes what it was asked."""

    def reply(request: httpx.Request) -> httpx.Response:
        asked.append((f"{request.method} {request.url.path}", json.loads(request.content) if request.content else None))
        return httpx.Response(200, json=answers.pop(0))

    @asynccontextmanager
    async def connect(*_: Any) -> AsyncIterator[Client]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(reply), base_url="http://localhost") as http:
            yield Client(http, served_by=SERVER if running else None)

    return connect


async def test_a_running_server_is_asked_and_not_waited_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[tuple[str, Any]] = []
    monkeypatch.setattr(embedder_command, "connect", connected([state(), state()], running=True, asked=asked))
    assert await embedder_command.embedder(None, "good", as_json=False) == 0
    assert await embedder_command.embedder(None, None, as_json=True) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert (first, json.loads(second)) == ("small; good is filled", state())
    assert asked == [("POST /embedder", {"model": "good"}), ("GET /embedder", None)]


async def test_without_a_server_it_is_done_to_the_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[tuple[str, Any]] = []
    ending = {**OVER, "note": "Questions that began before end with small."}
    monkeypatch.setattr(embedder_command, "_POLL_SECONDS", 0.0)
    monkeypatch.setattr(embedder_command, "connect", connected([state(), state(filled=2), ending, OVER], running=False, asked=asked))
    assert await embedder_command.embedder(None, "good", as_json=False) == 0
    assert capsys.readouterr().out == "good\n"
    assert [line for line, _ in asked] == ["POST /embedder", "GET /embedder", "GET /embedder", "GET /embedder"]


async def test_doctor_prints_what_a_part_advises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    parts = [{"name": "embedder", "state": "ok", "detail": "small", "advice": "Switch."}, {"name": "store", "state": "ok", "detail": "of before"}]
    health = {"parts": parts, "library": {"documents": 1, "chunks": 2, "bytes_on_disk": 3}}
    monkeypatch.setenv("VANTAGE_HOME", str(tmp_path))
    monkeypatch.setattr(doctor, "connect", connected([health], running=True, asked=[]))
    await doctor.doctor(None, as_json=False)
    assert "✓ embedder: small\n    → Switch.\n✓ store: of before\n" in capsys.readouterr().out


class NoSessions:
    """Nobody has signed in with a browser."""

    async def find_key(self, session_id: str, keys: Iterable[str]) -> str | None:
        assert keys
        assert not session_id
        return None


class Choice:
    async def state(self) -> EmbedderOut:
        return EmbedderOut.model_validate(OVER)

    async def switch(self, model: str) -> EmbedderOut:
        return EmbedderOut.model_validate(state(coming=model))


async def test_with_keys_any_key_may_switch_and_nobody_else(tmp_path: Path) -> None:
    keyed = Settings(home=tmp_path, server=ServerSettings(api_keys=["0123456789abcdef:acme:ann"]))
    services = SimpleNamespace(settings=keyed, metrics=None, token="0" * 32, embedder=Choice(), sessions=NoSessions(), tries=FailedTries(10, 60))
    transport = httpx.ASGITransport(app=add_lifespan_state(build_app(keyed.server), {"services": services}))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
        assert [(await http.get("/embedder")).status_code, (await http.post("/embedder", json={"model": "good"})).status_code] == [401, 401]
        key = {"Authorization": "Bearer 0123456789abcdef"}
        answer = await http.post("/embedder", json={"model": "good"}, headers=key)
        assert (answer.status_code, answer.json()["coming"]) == (202, "good")
        assert (await http.post("/embedder", json={"model": ""}, headers=key)).status_code == 422
