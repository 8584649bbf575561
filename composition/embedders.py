"""The embedding model that a library is searched by, and the one that is to take over after another was asked for."""

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
from storage.database import Database
from storage.pending_vectors import EmbedderRecord, SqlPendingVectors
from storage.sql_library_writer import SqlLibraryWriter

logger = logging.getLogger(__name__)

MakeEmbedder: TypeAlias = Callable[[Settings], Embedder]


@dataclass(frozen=True, slots=True)
class PendingEmbedder:
    """The model that is wanted, while the library is searched by the one named `current_name`. `record` is what the library notes of it when it takes
    over.
    """

    embedder: Embedder
    current_name: str
    record: EmbedderRecord


@dataclass(frozen=True, slots=True)
class Embedders:
    """`active` is what the library is searched by."""

    active: Embedder
    pending: PendingEmbedder | None = None


async def open_embedders(settings: Settings, database: Database, make: MakeEmbedder) -> Embedders:
    """Return the model that is wanted, or, while its vectors are not complete, the one before with the new one as what is coming. With "auto" that is
    what a person chose last, else the one that the library has; a model that the settings name is wanted before all, and forgets what was chosen.
    """
    store = SqlPendingVectors(database)
    kept = await _current_embedder(store, database)
    wanted = await _open_wanted(settings, await _preferred_models(settings, store, kept), make)
    own = _record(settings, wanted.name)
    await store.delete_other_embedders(wanted.name)
    if kept is None or kept.name == wanted.name:
        await store.save_embedder(own)
        return Embedders(wanted)
    pending = PendingEmbedder(wanted, kept.name, own)
    if not await store.count_missing(kept.name, wanted.name):
        count = await store.switch_embedder(kept.name, own)
        logger.warning("The library is searched by %s from now on (%d documents; before: %s).", own.name, count, kept.name)
        return Embedders(wanted)
    try:
        before = await anyio.to_thread.run_sync(make, select_model(settings, kept))
    except VantageError as error:
        logger.warning("%s, by which the library was searched, cannot be opened any more: %s Its documents are indexed again.", kept.name, error)
        await store.save_embedder(own)
        return Embedders(wanted)
    return Embedders(before, pending)


async def _preferred_models(settings: Settings, store: SqlPendingVectors, kept: EmbedderRecord | None) -> list[EmbedderRecord]:
    """Return the models that "auto" stands for in this library, in order; the first that can be opened is taken."""
    chosen = await store.load_choice()
    if settings.embedding.model != AUTO_MODEL:
        if chosen:
            await store.save_choice("")
        return []
    return [*([EmbedderRecord(chosen, chosen)] if chosen else []), *([kept] if kept is not None else [])]


async def _open_wanted(settings: Settings, preferred: Sequence[EmbedderRecord], make: MakeEmbedder) -> Embedder:
    for each in preferred:
        try:
            return await anyio.to_thread.run_sync(make, select_model(settings, each))
        except VantageError as error:
            logger.warning("The embedding model %s cannot be opened: %s Until it can, another one takes its place.", each.name, error)
    return await anyio.to_thread.run_sync(make, settings)


async def _current_embedder(store: SqlPendingVectors, database: Database) -> EmbedderRecord | None:
    """Return the embedder of the library's vectors; None where it has none. A library of an earlier version did not note its settings."""
    counted = await SqlLibraryWriter(database).count_by_embedder()
    kept = await store.load_embedder()
    if kept is not None:
        return kept if counted.get(kept.name) else None
    if not counted:
        return None
    name = max(counted, key=lambda each: counted[each])
    return EmbedderRecord(name, settings_model(name))


def settings_model(name: str) -> str:
    """Return the settings' name for the embedder of that name: a shipped model's is the model's with its version behind it."""
    return next((model.name for model in MODELS if name.startswith(f"{model.name}@")), name)


def _record(settings: Settings, name: str) -> EmbedderRecord:
    chosen = settings.embedding
    return EmbedderRecord(name, settings_model(name) if chosen.model == AUTO_MODEL else chosen.model, chosen.query_prefix, chosen.passage_prefix)


def better_model(name: str) -> str:
    """Return the shipped model that is better than the embedder of that name, one of the other shipped ones; "" where there is none."""
    place = next((place for place, model in enumerate(MODELS) if name.startswith(f"{model.name}@")), 0)
    return MODELS[0].name if place else ""


def select_model(settings: Settings, kept: EmbedderRecord) -> Settings:
    """Return the settings as if they named that model."""
    changed = {"model": kept.model, "query_prefix": kept.query_prefix, "passage_prefix": kept.passage_prefix}
    return settings.model_copy(update={"embedding": settings.embedding.model_copy(update=changed)})
