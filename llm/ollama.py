"""Ollama over HTTP through langchain-ollama's ChatOllama (https://github.com/ollama/ollama/blob/main/docs/api.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.ports import ModelMessage, ModelReply
from llm.langchain_calls import CONTEXT_TOKENS, CallLimits, complete_chat, stream_chat
from llm.ollama_http import OllamaHttp
from llm.tracing import switch_tracing_off

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk
    from langchain_ollama import ChatOllama


@dataclass(frozen=True, slots=True)
class OllamaOptions:
    """The `ollama` section of the settings, as SPEC names its fields; seconds."""

    base_url: str
    name: str
    temperature: float = 0.3
    max_tokens: int = 15_000
    timeout: float = 500.0
    first_token_seconds: float = 60.0


class OllamaChatModel:
    """core.ports.ChatModel. Opens no connection before the first call; `close` when done."""

    def __init__(self, options: OllamaOptions) -> None:
        switch_tracing_off()
        self._server = OllamaHttp(options.base_url, options.name, options.timeout)
        self._limits = CallLimits(options.first_token_seconds, options.timeout)
        self._options = options

    @cached_property
    def _chat(self) -> ChatOllama:
        from langchain_ollama import ChatOllama  # half a second that a question does not wait for where no model answers

        options = self._options
        return ChatOllama(
            model=options.name,
            base_url=options.base_url,
            temperature=options.temperature,
            num_predict=options.max_tokens,
            num_ctx=CONTEXT_TOKENS,  # Ollama's own default cuts a long prompt without a word
            reasoning=False,
            async_client_kwargs=self._server.client,
        )

    @property
    def name(self) -> str:
        return self._server.name

    async def check_availability(self) -> tuple[bool, str]:
        """Return whether the server answers and has the model; asked at most every five seconds."""
        return await self._server.check_availability()

    async def context_tokens(self) -> int:
        """Return the tokens that the server says the model was made for, at most CONTEXT_TOKENS. Raises ModelUnavailable."""
        return min(CONTEXT_TOKENS, await self._server.context_tokens() or CONTEXT_TOKENS)

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        options: dict[str, Any] = {"stream": False} if json_schema is None else {"stream": False, "format": json_schema}
        return await complete_chat(self._limited_chat(max_tokens), messages, self._limits, self._server.translate_error, options)

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        chat = self._limited_chat(max_tokens)
        async with aclosing(stream_chat(chat, messages, self._limits, self._server.translate_error, _is_last)) as pieces:  # type: ignore[type-var]  # an async generator
            async for piece in pieces:
                yield piece

    def _limited_chat(self, max_tokens: int | None) -> ChatOllama:
        """Return the chat with replies of at most so many tokens; ChatOllama takes the number as a field alone."""
        if max_tokens is None:
            return self._chat
        return self._chat.model_copy(update={"num_predict": min(max_tokens, self._chat.num_predict or max_tokens)})

    async def close(self) -> None:
        await self._server.close()


def _is_last(chunk: AIMessageChunk) -> bool:
    """Return whether it is the last line. Ollama says `done` in it; a stream that ends without it was cut off."""
    return bool(chunk.response_metadata.get("done"))
