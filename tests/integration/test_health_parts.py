"""What /health says of a library as it really is."""

from __future__ import annotations

from pathlib import Path

from bootstrap import open_services
from settings import load_settings
from storage.home import Home
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import new_document
from tests.support.empty_library import open_library


async def test_passages_of_another_model_are_named(tmp_path: Path) -> None:
    home = tmp_path / "home"
    Home(home).create()
    database = open_library(home)
    await SqlLibraryWriter(database).write_document("default", new_document())
    await database.close()
    settings = load_settings(environ={"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off"}, folder=tmp_path)
    async with open_services(settings) as services:
        parts = {part.name: part for part in await services.parts()}
    assert parts["embedder"].state == "degraded"
    assert "test-embedder" in parts["embedder"].detail
    assert parts["store"].state == "ok"


async def test_an_empty_library_is_well(tmp_path: Path) -> None:
    settings = load_settings(environ={"VANTAGE_HOME": str(tmp_path / "home"), "VANTAGE_OLLAMA__ENABLED": "off"}, folder=tmp_path)
    async with open_services(settings) as services:
        states = {part.name: part.state for part in await services.parts(thorough=True)}
    assert states == {
        "store": "ok",
        "embedder": "ok",
        "index": "ok",
        "rerank": "ok",
        "language model": "off",
        "vision model": "off",
        "session memory": "ok",
        "other languages": "off",
        "reader": "ok",
        "workers": "off",
    }
