"""Which embedding model a library is searched by, and which one is to take over after another was asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import anyio
import anyio.to_thread

from core.errors import VantageError
from core.ports import Embedder
from retrieval.embedders.transformer_models import MODELS
from settings import AUTO_MODEL, Settings
from storage.engine import Database
from storage.next_vectors import KeptEmbedder, SqlNextVectors
from storage.writer import SqlLibraryWriter

logger = logging.getLogger(__name__)

MakeEmbedder: TypeAlias = Callable[[Settings], Embedder]


@dataclass(frozen=True, slots=True)
class Coming:
    """The model that is wanted, while the library is searched by the one named `old`. `record` is what the library notes of it when it takes over."""

    embedder: Embedder
    old: str
    record: KeptEmbedder


@dataclass(frozen=True, slots=True)
class Embedders:
    """`active` is what the library is searched by."""

    active: Embedder
    coming: Coming | None = None


async def open_embedders(settings: Settings, database: Database, make: MakeEmbedder) -> Embedders:
    """The model that is wanted, or, while its vectors are not complete, the one before with the new one as what is coming. With "auto" that is what a
    person chose last, else the one that the library has; a model that the settings name is wanted before all, and forgets what was chosen."""
    store = SqlNextVectors(database)
    kept = await _searched_by(store, database)
    wanted = await _wanted(settings, await _preferred(settings, store, kept), make)
    own = _record(settings, wanted.name)
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
        before = await anyio.to_thread.run_sync(make, with_model(settings, kept))
    except VantageError as error:
        logger.warning("%s, by which the library was searched, cannot be opened any more: %s Its documents are indexed again.", kept.name, error)
        await store.keep(own)
        return Embedders(wanted)
    return Embedders(before, coming)


async def _preferred(settings: Settings, store: SqlNextVectors, kept: KeptEmbedder | None) -> list[KeptEmbedder]:
    """What "auto" stands for in this library, the first that can be opened."""
    chosen = await store.chosen()
    if settings.embedding.model != AUTO_MODEL:
        if chosen:
            await store.choose("")
        return []
    return [*([KeptEmbedder(chosen, chosen)] if chosen else []), *([kept] if kept is not None else [])]


async def _wanted(settings: Settings, preferred: Sequence[KeptEmbedder], make: MakeEmbedder) -> Embedder:
    for each in preferred:
        try:
            return await anyio.to_thread.run_sync(make, with_model(settings, each))
        except VantageError as error:
            logger.warning("The embedding model %s cannot be opened: %s Until it can, another one takes its place.", each.name, error)
    return await anyio.to_thread.run_sync(make, settings)


async def _searched_by(store: SqlNextVectors, database: Database) -> KeptEmbedder | None:
    """The embedder of the library's vectors; None where it has none. A library of an earlier version did not note its settings."""
    counted = await SqlLibraryWriter(database).embedders()
    kept = await store.kept()
    if kept is not None:
        return kept if counted.get(kept.name) else None
    if not counted:
        return None
    name = max(counted, key=lambda each: counted[each])
    return KeptEmbedder(name, model_of(name))


def model_of(name: str) -> str:
    """What the settings call the embedder of that name: a shipped model's is the model's with its version behind it."""
    return next((model.name for model in MODELS if name.startswith(f"{model.name}@")), name)


def _record(settings: Settings, name: str) -> KeptEmbedder:
    chosen = settings.embedding
    return KeptEmbedder(name, model_of(name) if chosen.model == AUTO_MODEL else chosen.model, chosen.query_prefix, chosen.passage_prefix)


def better_model(name: str) -> str:
    """The shipped model that is better than the embedder of that name, one of the other shipped ones; "" where there is none."""
    place = next((place for place, model in enumerate(MODELS) if name.startswith(f"{model.name}@")), 0)
    return MODELS[0].name if place else ""


def with_model(settings: Settings, kept: KeptEmbedder) -> Settings:
    """The settings as if they named that model."""
    changed = {"model": kept.model, "query_prefix": kept.query_prefix, "passage_prefix": kept.passage_prefix}
    return settings.model_copy(update={"embedding": settings.embedding.model_copy(update=changed)})
