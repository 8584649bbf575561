"""Language models that a section of the settings names beside the unified one, each opened once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from composition.search_engine import make_model
from core.ports import ChatModel
from settings import Settings


class NamedModels:
    """`close` them all at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened: dict[str, tuple[ChatModel | None, Callable[[], Awaitable[None]]]] = {}

    def find(self, name: str, unified: ChatModel | None) -> ChatModel | None:
        """Return the model of this name; the unified one for "". None where no language model is configured."""
        if not name or unified is None:
            return unified
        if name not in self._opened:
            self._opened[name] = make_model(_naming(self._settings, name))
        return self._opened[name][0]

    async def close(self) -> None:
        for _, close in self._opened.values():
            await close()


def open_named_models(stack: AsyncExitStack, settings: Settings) -> NamedModels:
    """Return the models, closed with `stack`."""
    models = NamedModels(settings)
    stack.push_async_callback(models.close)
    return models


def _naming(settings: Settings, name: str) -> Settings:
    """Return the settings with another model in the place of the unified one."""
    if settings.llm.model:
        return settings.model_copy(update={"llm": settings.llm.model_copy(update={"model": name})})
    unified = settings.ollama.unified_model.model_copy(update={"name": name})
    return settings.model_copy(update={"ollama": settings.ollama.model_copy(update={"unified_model": unified})})
