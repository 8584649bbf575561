"""Which embedding model a library is searched by, and which one is to take over after the settings named another."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import anyio
import anyio.to_thread

from composition.engine import DEFAULT_MODEL
from core.errors import VantageError
from core.ports import Embedder
from settings import Settings
from storage.engine import Database
from storage.next_vectors import KeptEmbedder, SqlNextVectors
from storage.writer import SqlLibraryWriter

logger = logging.getLogger(__name__)

MakeEmbedder: TypeAlias = Callable[[Settings], Embedder]


@dataclass(frozen=True, slots=True)
class Coming:
    """The model that the settings name, while the library is searched by the one named `old`. `record` is what the library notes of it when it takes
    over."""

    embedder: Embedder
    old: str
    record: KeptEmbedder


@dataclass(frozen=True, slots=True)
class Embedders:
    """`active` is what the library is searched by."""

    active: Embedder
    coming: Coming | None = None


async def open_embedders(settings: Settings, database: Database, make: MakeEmbedder) -> Embedders:
    """The model of the settings, or, while its vectors are not complete, the one before with the new one as what is coming."""
    store = SqlNextVectors(database)
    wanted = await anyio.to_thread.run_sync(make, settings)
    own = _record(settings, wanted.name)
    kept = await _searched_by(store, database, wanted.name)
    await store.forget(wanted.name)
    if kept is None or kept.name == wanted.name:
        await store.keep(own)
        return Embedders(wanted)
    coming = Coming(wanted, kept.name, own)
    if not await store.missing(kept.name, wanted.name):
        count = await store.switch(kept.name, own)
        logger.warning("The library is searched by %s from now on (%d documents; before: %s).", own.name, count, kept.name)
        return Embedders(wanted)
    try:
        before = await anyio.to_thread.run_sync(make, _with(settings, kept))
    except VantageError as error:
        logger.warning("%s, by which the library was searched, cannot be opened any more: %s Its documents are indexed again.", kept.name, error)
        await store.keep(own)
        return Embedders(wanted)
    return Embedders(before, coming)


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
