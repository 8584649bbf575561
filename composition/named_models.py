"""Language models that a section of the settings names beside the unified one, each opened once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from composition.search_engine import make_model
from core.ports import ChatModel
from settings import Settings

SUMMARY_TEMPERATURE = 0.3  # of what a model makes of the graph's sentences, whatever the unified model's is


class NamedModels:
    """`close` them all at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened: dict[tuple[str, float], tuple[ChatModel | None, Callable[[], Awaitable[None]]]] = {}

    def find(self, name: str, unified: ChatModel | None, temperature: float | None = None) -> ChatModel | None:
        """Return the model of this name ("": the unified one) at a temperature (None: its own). None where no language model is configured."""
        own = self._settings.ollama.unified_model.temperature
        asked = (name, own if temperature is None else temperature)
        if unified is None or asked == ("", own):
            return unified
        if asked not in self._opened:
            self._opened[asked] = make_model(_changed(self._settings, *asked))
        return self._opened[asked][0]

    async def close(self) -> None:
        for _, close in self._opened.values():
            await close()


def open_named_models(stack: AsyncExitStack, settings: Settings) -> NamedModels:
    """Return the models, closed with `stack`."""
    models = NamedModels(settings)
    stack.push_async_callback(models.close)
    return models


def _changed(settings: Settings, name: str, temperature: float) -> Settings:
    """Return the settings with another model in the place of the unified one, or with another temperature of it."""
    unified = settings.ollama.unified_model
    unified = unified.model_copy(update={"name": name or unified.name, "temperature": temperature})
    llm = settings.llm.model_copy(update={"model": settings.llm.model and (name or settings.llm.model)})
    return settings.model_copy(update={"llm": llm, "ollama": settings.ollama.model_copy(update={"unified_model": unified})})
