"""Libraries whose embedding model is exchanged: models that need no weights, thirty files of which each has a word of its own, questions to them."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import numpy as np
from numpy.typing import NDArray

from bootstrap import open_services
from core.errors import ConfigurationError
from core.ports import Embedder, EncodedPassages, JobRecord
from core.search_schemas import SearchRequest, SearchResponse
from retrieval.embedders.transformer_models import find_model
from server.services import Services
from settings import AUTO_MODEL, Settings, load_settings
from tests.support.embedding import OtherWordEmbedder

FILES = 30
PLACES = ("harbour", "orchard", "quarry", "chapel", "foundry", "viaduct", "brewery", "granary", "tannery", "smithy")


class SwitchableModel(OtherWordEmbedder):
    """Waits at a question that holds the word "wait" until it is let `go`, and embeds passages while it may `write_files`."""

    def __init__(self, name: str, dimension: int, window: int = 256) -> None:
        super().__init__(name, dimension, window)
        self.reached, self.go, self.fill = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.fill.set()

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        await self.fill.wait()
        return await super().embed_passages(texts, with_tokens=with_tokens)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        if "wait" in text:
            self.reached.set()
            await self.go.wait()
        return await super().embed_query(text)


@dataclass
class ModelOpener:
    """Opens the models that the settings name, for "auto" the first of them; keeps what it opened, weakly. A shipped model's name has its version
    behind it. Those `missing` cannot be opened, those `held` fill nothing until they are let."""

    sizes: dict[str, int]
    windows: dict[str, int] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    opened: list[weakref.ref[SwitchableModel]] = field(default_factory=list)

    def __call__(self, settings: Settings) -> Embedder:
        wanted = settings.embedding.model
        name = next(each for each in self.sizes if each not in self.missing) if wanted == AUTO_MODEL else wanted
        if name in self.missing:
            raise ConfigurationError(f"{name} is not installed. Run: pip install {name}")
        shipped = find_model(name)
        made = SwitchableModel(f"{name}@fake" if shipped is not None else name, self.sizes[name], self.windows.get(name, 256))
        if name in self.held:
            made.fill.clear()
        self.opened.append(weakref.ref(made))
        return made

    def let_fill(self, name: str) -> None:
        self.held.discard(name)
        if (model := self.find_model(name)) is not None:
            model.fill.set()

    def find_model(self, name: str) -> SwitchableModel | None:
        found = [model for each in self.opened if (model := each()) is not None and model.name == name]
        return found[-1] if found else None


@asynccontextmanager
async def open_model_library(
    home: Path, model: str, models: Callable[[Settings], Embedder], *, watch: bool = False, reads: bool = False
) -> AsyncIterator[Services]:
    """Open the library; without the reader unless it `reads`: what finds passages is tested, mostly, and reading is a third of a question."""
    environ = {
        "VANTAGE_HOME": str(home / "home"),
        "VANTAGE_OLLAMA__ENABLED": "off",
        "VANTAGE_INGESTION__WATCH__ENABLED": str(watch).lower(),
        "VANTAGE_EMBEDDING__MODEL": model,
        "VANTAGE_SERVER__MAX_QUESTIONS_PER_PERSON": "8",  # several are asked at once, all in one name
        **({} if reads else {"VANTAGE_ANSWERS__READER_ENABLED": "false"}),
    }
    async with open_services(load_settings(environ=environ, folder=home), make=models) as services:
        yield services


def write_files(folder: Path) -> Path:
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.txt").write_text(text_of(number))
    return folder


def place_of(number: int) -> str:
    """A word of its own for each file."""
    return f"{PLACES[number % 10]}{'abc'[number // 10]}"


def text_of(number: int) -> str:
    return f"{place_of(number)} has {place_of(number)} keeper Warden{number}.\n"


def question_of(number: int) -> str:
    return f"who keeps {place_of(number)}"


async def index_folder(services: Services, folder: Path) -> JobRecord:
    job = await services.jobs.queue_run("default", str(folder), "default")
    async for record in services.jobs.events("default", job.id):
        job = record
    return job


async def ask_question(services: Services, question: str, **fields: object) -> SearchResponse:
    run = await services.runs.start(SearchRequest.model_validate({"query": question, "use_memory": False, **fields}))
    return await services.runs.result("default", run)


async def embedder_state(services: Services) -> tuple[str, str]:
    (part,) = [part for part in await services.parts() if part.name == "embedder"]
    return part.state, part.detail


async def wait_for_detail(services: Services, detail: str) -> None:
    with anyio.fail_after(120):
        while (await embedder_state(services))[1] != detail:  # noqa: ASYNC110  (the switch tells nobody)
            await anyio.sleep(0.02)


async def wait_until_gone(models: ModelOpener, name: str) -> None:
    """Wait until nothing holds the model. The product collects in a thread when a switch is over, and a collection beside another does nothing."""
    with anyio.fail_after(60):
        while models.find_model(name) is not None:
            gc.collect()
            await anyio.sleep(0.02)


async def embedder_of_answer(services: Services, response: SearchResponse) -> str:
    return (await services.traces.get("default", response.trace_id)).embedder
