"""Ollama over HTTP through langchain-ollama's ChatOllama (https://github.com/ollama/ollama/blob/main/docs/api.md)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
from langchain_core.messages import AIMessageChunk
from langchain_ollama import ChatOllama
from ollama import ResponseError

from core.errors import ConfigurationError, ModelUnavailable
from core.ports import ModelMessage, ModelReply
from llm.conversation import Limits, complete, stream
from llm.faults import ConnectionFault
from llm.tracing import switch_tracing_off

CONTEXT_TOKENS = 16_384  # Ollama's own default cuts a long prompt without a word
_CONNECT_SECONDS = 5.0
_CHECK_SECONDS = 3.0
_REMEMBER_SECONDS = 5.0


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
        host = _host(options.base_url)
        self._options = options
        self._limits = Limits(options.first_token_seconds, options.timeout)
        self._transport = httpx.AsyncHTTPTransport()
        client: dict[str, Any] = {
            "transport": self._transport,
            "timeout": httpx.Timeout(options.timeout, connect=_CONNECT_SECONDS),
            "trust_env": host not in {"localhost", "127.0.0.1", "::1"},  # a proxy has no business between a machine and itself
        }
        self._http = httpx.AsyncClient(base_url=options.base_url, **client)
        self._chat = ChatOllama(
            model=options.name,
            base_url=options.base_url,
            temperature=options.temperature,
            num_predict=options.max_tokens,
            num_ctx=CONTEXT_TOKENS,
            reasoning=False,
            async_client_kwargs=client,
        )
        self._checked: tuple[float, tuple[bool, str]] = (-_REMEMBER_SECONDS, (False, ""))
        self._checking = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._options.name

    async def available(self) -> tuple[bool, str]:
        """Whether the server answers and has the model; asked at most every five seconds."""
        async with self._checking:
            if time.monotonic() - self._checked[0] >= _REMEMBER_SECONDS:
                found = await self._ask_tags()
                self._checked = (time.monotonic(), found)
            return self._checked[1]

    async def complete(self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None) -> ModelReply:
        options: dict[str, Any] = {"stream": False} if json_schema is None else {"stream": False, "format": json_schema}
        return await complete(self._chat, messages, self._limits, self._translate, options)

    async def stream(self, messages: Sequence[ModelMessage]) -> AsyncIterator[str | ModelReply]:
        async with aclosing(stream(self._chat, messages, self._limits, self._translate, _is_last)) as pieces:  # type: ignore[type-var]  # an async generator
            async for piece in pieces:
                yield piece

    async def close(self) -> None:
        await self._http.aclose()
        await self._transport.aclose()

    async def _ask_tags(self) -> tuple[bool, str]:
        try:
            response = await self._http.get("/api/tags", timeout=_CHECK_SECONDS)
            response.raise_for_status()
            names = {str(model["name"]) for model in response.json()["models"]}
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            return False, str(self._translate(error))
        if self.name in names or f"{self.name}:latest" in names:
            return True, ""
        return False, self._missing()

    def _missing(self) -> str:
        return f"Ollama at {self._options.base_url} does not have the model {self.name}: run `ollama pull {self.name}`."

    def _translate(self, error: Exception) -> ModelUnavailable:
        """A library's exception as one of ours, with what to do."""
        where = f"Ollama at {self._options.base_url}"
        match error:
            case ModelUnavailable():
                return error
            case ResponseError(status_code=404):
                return ModelUnavailable(self._missing())
            case ResponseError():
                return ModelUnavailable(f"{where} refused the request ({_short(error.error)}). Look at its log, or restart it with `ollama serve`.")
            case httpx.TimeoutException():
                return ConnectionFault(f"{where} does not answer. Look whether it runs, or restart it with `ollama serve`.")
            case httpx.RemoteProtocolError() | httpx.ReadError():
                return ConnectionFault(f"{where} broke the connection. Look at its log, or restart it with `ollama serve`.")
            case httpx.TransportError() | ConnectionError():
                return ConnectionFault(f"{where} cannot be reached: start it with `ollama serve`, or set ollama.base_url.")
            case ValueError() | KeyError() | TypeError() | AttributeError():
                return ModelUnavailable(f"{where} answered with something that is not Ollama's protocol. Check ollama.base_url.")
            case _:
                return ModelUnavailable(f"{where} failed: {_short(str(error))}.")


def _host(url: str) -> str:
    """The host of a base URL. Raises ConfigurationError for what is no HTTP URL."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigurationError(f"ollama.base_url {url!r} is not a URL: {error}.") from error
    if parts.scheme not in {"http", "https"} or not host:
        raise ConfigurationError(f"ollama.base_url {url!r} must look like http://localhost:11434.")
    return host


def _is_last(chunk: AIMessageChunk) -> bool:
    """Ollama says `done` in the last line; a stream that ends without it was cut off."""
    return bool(chunk.response_metadata.get("done"))


def _short(text: str) -> str:
    return " ".join(text.split())[:200] or "no reason given"
