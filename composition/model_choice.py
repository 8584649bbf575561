"""The embedding model that a person asks for while the library is open: what there is to choose, and the switch to it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack

import anyio
import anyio.to_thread

from composition.embedder_health import advised_model, embedder_part
from composition.embedders import MakeEmbedder, PendingEmbedder, select_model, settings_model
from composition.model_switch import ModelSwitches, OpenedLibrary, SwitchTargets, open_switches
from core.errors import ConfigurationError, Conflict, InvalidInput
from core.ports import Embedder
from retrieval.embedders.transformer_models import MODELS
from server.schemas import EmbedderOut
from settings import AUTO_MODEL
from storage.pending_vectors import EmbedderRecord, SqlPendingVectors

logger = logging.getLogger(__name__)


class ModelChoice:
    """Implements `server.services.EmbedderChoice`. What was chosen is kept in the library: with `embedding.model: auto` a restart goes on with it."""

    def __init__(self, opened: OpenedLibrary, switches: ModelSwitches, make: MakeEmbedder) -> None:
        self._opened, self._serving, self._switches, self._make = opened, opened.serving, switches, make
        self._store = SqlPendingVectors(opened.database)
        self._choosing = asyncio.Lock()

    async def state(self) -> EmbedderOut:
        while True:
            before = self._stage()
            found = await self._read_state()
            if before == self._stage():
                return found  # else a part of it is of before the new model took over, and the rest of afterwards

    def _stage(self) -> tuple[str, bool, str]:
        """Return what tells the states of a switch apart."""
        return self._serving.embedder.name, self._serving.pending is not None, self._serving.retiring

    async def _read_state(self) -> EmbedderOut:
        settings, serving = self._opened.settings, self._serving
        pending, filling = serving.pending, serving.filling
        part = await embedder_part(settings, self._opened.database, serving)
        filled, documents = await filling.counts() if filling is not None else (0, 0)
        return EmbedderOut(
            **part.model_dump(),
            model=settings_model(serving.embedder.name),
            choices=[each.name for each in MODELS if each.is_installed] if settings.embedding.model == AUTO_MODEL else [],
            better=advised_model(settings, serving),
            coming=pending.record.model if pending is not None else "",
            filled=filled,
            documents=documents,
            note=serving.status_text if pending is not None else _retiring_text(serving.retiring),
        )

    async def switch(self, model: str) -> EmbedderOut:
        async with self._choosing:
            self._check(model)
            if self._serving.pending is not None:
                self._switches.start()  # opened by a command that only asks, it has not begun yet
            elif model == settings_model(self._serving.embedder.name):
                await self._store.save_choice(model)
            elif self._opened.settings.embedding.model == AUTO_MODEL:
                await self._begin(model)
        return await self.state()

    def _check(self, model: str) -> None:
        """Check that the model can be chosen. Raises InvalidInput, Conflict."""
        named, serving = self._opened.settings.embedding.model, self._serving
        known = [each.name for each in MODELS] if named == AUTO_MODEL else [named, *(each.name for each in MODELS if each.name != named)]
        if self._opened.settings.workers.queue != "in_process" and model != settings_model(serving.embedder.name):
            raise Conflict(
                "Workers embed with the model that is in use. Stop them, set workers.queue to in_process, start Vantage, switch, and set it back "
                "when that is done."
            )
        if model not in known:
            raise InvalidInput(f"There is no embedding model {model!r} to switch to here. Name one of these: {', '.join(known)}.")
        if named not in {AUTO_MODEL, model}:
            raise Conflict(f"embedding.model of the settings is {named}, and what stands there is used. Set it to {model}, and start Vantage again.")
        if serving.pending is not None and serving.pending.record.model != model:
            raise Conflict(f"A switch to {serving.pending.record.model} is at work. Wait for its end; /health says how far it is.")

    async def _begin(self, model: str) -> None:
        """Begin the switch. Raises Conflict while the last one is not wholly over, and where the model cannot be opened: its package is missing, or
        was changed.
        """
        if self._serving.retiring:
            raise Conflict(f"Some questions are still answered by {self._serving.retiring}, which was in use before. Try it again in a minute.")
        wanted = EmbedderRecord("", model)
        try:
            embedder = await anyio.to_thread.run_sync(self._make, select_model(self._opened.settings, wanted))
        except ConfigurationError as error:
            raise Conflict(str(error)) from error
        try:
            await self._start(embedder, model)
        except BaseException:
            if self._serving.pending is None:
                await embedder.close()
            raise

    async def _start(self, embedder: Embedder, model: str) -> None:
        await self._store.delete_other_embedders(embedder.name)
        await self._store.save_choice(model)
        await self._switches.begin_switch(PendingEmbedder(embedder, self._serving.embedder.name, EmbedderRecord(embedder.name, model)))
        self._switches.start()
        logger.info("A switch to %s was asked for; the library is searched by %s until then.", embedder.name, self._serving.embedder.name)


async def open_model_choice(stack: AsyncExitStack, opened: OpenedLibrary, targets: SwitchTargets, make: MakeEmbedder, *, start: bool) -> ModelChoice:
    """Open the choice and (with `start`) continue the switch that is at work already; `stack` stops that one and those that are asked for later."""
    return ModelChoice(opened, await open_switches(stack, opened, targets, start=start), make)


def _retiring_text(retiring: str) -> str:
    return f"Questions that began before end with {retiring}." if retiring else ""
