"""The models of a question are opened while a command imports the application: each is handed out once, and no other takes its place."""

from __future__ import annotations

from pathlib import Path

from composition.early_models import EarlyModels
from settings import Settings


def settings_with(home: Path, **embedding: object) -> Settings:
    return Settings.model_validate({"home": home, "embedding": {"threads": 1, **embedding}})


async def test_each_model_is_handed_out_once(tmp_path: Path) -> None:
    settings = settings_with(tmp_path)
    early = EarlyModels(settings)
    first, second = early.make_embedder(settings), early.make_embedder(settings)
    reader = early.open_reader()
    try:
        assert first is not second
        assert first.name == second.name
        assert reader.name.startswith("reader-")
        assert len(await first.embed_query("a deposit")) == first.dimension
    finally:
        for each in (first, second, reader):
            await each.close()


async def test_a_library_of_another_model_is_opened_with_that_one(tmp_path: Path) -> None:
    early = EarlyModels(settings_with(tmp_path))
    other = early.make_embedder(settings_with(tmp_path, model="all-MiniLM-L6-v2"))
    try:
        assert other.name.startswith("all-MiniLM-L6-v2@")
    finally:
        await other.close()
