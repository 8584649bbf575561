"""Any chat model that LangChain knows, named "provider:name" (extra `langchain` and the provider's own package)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk

from core.errors import ConfigurationError, ModelUnavailable
from core.ports import ModelMessage, ModelReply
from llm.faults import ConnectionFault
from llm.langchain_calls import CONTEXT_TOKENS, CallLimits, complete_chat, stream_chat
from llm.tracing import switch_tracing_off


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """`model` is "provider:name"; limits in seconds. `extra` goes to the provider's class as it is."""

    model: str
    temperature: float = 0.3
    max_tokens: int = 15_000
    timeout: float = 500.0
    first_token_seconds: float = 60.0
    extra: dict[str, Any] | None = None


class LangChainChatModel:
    """core.ports.ChatModel over a LangChain chat model. Raises ConfigurationError where the model cannot be built."""

    def __init__(self, options: ProviderOptions) -> None:
        switch_tracing_off()
        self._options = options
        self._limits = CallLimits(options.first_token_seconds, options.timeout)
        self._chat = _build_model(options)

    @property
    def name(self) -> str:
        return self._options.model

    async def check_availability(self) -> tuple[bool, str]:
        """Return that it is available: a provider has no cheap question; what is wrong shows at the first call."""
        return True, ""

    async def context_tokens(self) -> int:
        """Return what LangChain's profile of the model says; CONTEXT_TOKENS where it knows the model's size not."""
        limit = (getattr(self._chat, "profile", None) or {}).get("max_input_tokens")
        return limit if isinstance(limit, int) and limit > 0 else CONTEXT_TOKENS

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        """Return one reply. `json_schema` and `max_tokens` are left to the prompt: providers differ in how they take them, and the caller reads the
        reply strictly.
        """
        del json_schema, max_tokens
        return await complete_chat(self._chat, messages, self._limits, self._translate, {})

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        del max_tokens
        async with aclosing(stream_chat(self._chat, messages, self._limits, self._translate, _is_last)) as pieces:  # type: ignore[type-var]  # an async generator
            async for piece in pieces:
                yield piece

    async def close(self) -> None:
        """Do nothing: the provider's class owns its connections."""

    def _translate(self, error: Exception) -> ModelUnavailable:
        if isinstance(error, ModelUnavailable):
            return error
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        kind = ConnectionFault if "connect" in type(error).__name__.lower() else ModelUnavailable
        return kind(f"The model {self.name} failed ({type(error).__name__}: {reason}). Check its key, its name and the network.")


def _build_model(options: ProviderOptions) -> BaseChatModel:
    provider, _, name = options.model.partition(":")
    if not provider or not name:
        raise ConfigurationError(f"llm.model {options.model!r} must be written provider:name, for example anthropic:claude-haiku-4-5.")
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as error:
        raise ConfigurationError("llm.model needs the extra `langchain`. Run: pip install 'vantage[langchain]'") from error
    try:
        model = init_chat_model(
            name, model_provider=provider, temperature=options.temperature, max_tokens=options.max_tokens, **(options.extra or {})
        )
    except ImportError as error:
        raise ConfigurationError(f"llm.model {options.model!r} needs its provider's package: {error}") from error
    except Exception as error:
        raise ConfigurationError(f"llm.model {options.model!r} cannot be used: {' '.join(str(error).split())[:300]}") from error
    if not isinstance(model, BaseChatModel):
        raise ConfigurationError(f"llm.model {options.model!r} is not a chat model.")
    return model


def _is_last(chunk: AIMessageChunk) -> bool:
    """Return whether it is the last chunk. LangChain marks that itself; a broken connection raises instead."""
    return chunk.chunk_position == "last"
