"""A server after an upgrade of its readers: everything is read again by itself, and each question meanwhile finds what it found before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from bootstrap import open_services
from server.services import Services
from settings import load_settings
from tests.support.model_switch import ModelOpener, ask_question, index_folder, question_of, text_of

FILES = 12


@asynccontextmanager
async def library(home: Path, tokens: int) -> AsyncIterator[Services]:
    """`tokens` is the size of the chunks: with another one every document is to be read again, as with other readers."""
    environ = {
        "VANTAGE_HOME": str(home / "home"),
        "VANTAGE_OLLAMA__ENABLED": "off",
        "VANTAGE_EMBEDDING__MODEL": "alpha",
        "VANTAGE_INGESTION__CHUNK_TOKENS": str(tokens),
    }
    async with open_services(load_settings(environ=environ, folder=home), make=ModelOpener({"alpha": 192})) as services:
        yield services


async def test_every_question_is_answered_while_everything_is_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.txt").write_text(text_of(number))
    async with library(tmp_path, 256) as services:
        await index_folder(services, folder)
        assert await services.ledger.count_outdated("default", services.jobs.version) == 0
    over, answered = asyncio.Event(), 0
    async with library(tmp_path, 200) as services:

        async def asking(first: int) -> None:
            nonlocal answered
            number = first
            while not over.is_set():
                response = await ask_question(services, question_of(number % FILES), use_hybrid=False)
                assert ([result.filename for result in response.results][:1], response.degraded) == ([f"{number % FILES}.txt"], [])
                answered += 1
                number += 5

        async def waiting() -> None:
            with anyio.fail_after(120):
                while await services.ledger.count_outdated("default", services.jobs.version):  # noqa: ASYNC110  (it tells nobody)
                    await anyio.sleep(0.02)
            over.set()

        await asyncio.gather(waiting(), asking(0), asking(1))
        lines, total, _ = await services.library.ledger("default", limit=100)
        assert (total, {line.state.value for line in lines}) == (FILES, {"indexed"})
    assert answered > 0
