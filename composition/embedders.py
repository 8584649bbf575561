"""Which embedding model a library is searched by, and which one is filled beside it after the settings named another."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import anyio
import anyio.to_thread

from composition.engine import DEFAULT_MODEL, make_embedder
from core.errors import VantageError
from core.ports import Embedder
from ingestion.refilling import VectorFilling
from settings import Settings
from storage.engine import Database
from storage.next_vectors import KeptEmbedder, SqlNextVectors
from storage.writer import SqlLibraryWriter

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Embedders:
    """`active` is what the library is searched by; `filling` brings in the one that the settings name, where that is another."""

    active: Embedder
    filling: VectorFilling | None = None

    def start(self) -> None:
        """Go on filling, where there is something to fill."""
        if self.filling is not None:
            self.filling.start()

    async def close(self) -> None:
        if self.filling is not None:
            await self.filling.close()
        await self.active.close()


async def open_embedders(settings: Settings, database: Database) -> Embedders:
    """The model of the settings, or, while its vectors are not complete, the one before with the filling of the new one beside it."""
    store = SqlNextVectors(database)
    wanted = await anyio.to_thread.run_sync(make_embedder, settings)
    own = _record(settings, wanted.name)
    kept = await _searched_by(store, database, wanted.name)
    await store.forget(wanted.name)
    if kept is None or kept.name == wanted.name:
        await store.keep(own)
        return Embedders(wanted)
    if not await store.unfilled(kept.name, wanted.name, 1):
        same = wanted.window >= settings.ingestion.chunk_tokens
        count = await store.switch(kept.name, own, same_chunks=same)
        logger.warning("The library is searched by %s from now on (%d documents; before: %s).", own.name, count, kept.name)
        return Embedders(wanted)
    try:
        before = await anyio.to_thread.run_sync(make_embedder, _with(settings, kept))
    except VantageError as error:
        logger.warning("%s, by which the library was searched, cannot be opened any more: %s Its documents are indexed again.", kept.name, error)
        await store.keep(own)
        return Embedders(wanted)
    return Embedders(before, VectorFilling(store, kept.name, wanted))


async def _searched_by(store: SqlNextVectors, database: Database, wanted: str) -> KeptEmbedder | None:
    """The embedder of the library's vectors; None where it has none. A library of an earlier version did not note its settings."""
    counted = await SqlLibraryWriter(database).embedders()
    kept = await store.kept()
    if kept is not None:
        return kept if counted.get(kept.name) else None
    if wanted in counted or not counted:
        return None
    name = max(counted, key=lambda each: counted[each])
    return KeptEmbedder(name, DEFAULT_MODEL if name.startswith(f"{DEFAULT_MODEL}@") else name)


def _record(settings: Settings, name: str) -> KeptEmbedder:
    chosen = settings.embedding
    return KeptEmbedder(name, chosen.model, chosen.query_prefix, chosen.passage_prefix)


def _with(settings: Settings, kept: KeptEmbedder) -> Settings:
    changed = {"model": kept.model, "query_prefix": kept.query_prefix, "passage_prefix": kept.passage_prefix}
    return settings.model_copy(update={"embedding": settings.embedding.model_copy(update=changed)})
