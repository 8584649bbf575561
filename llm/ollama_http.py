"""An Ollama server as both adapters reach it: the connection, whether it has a model and what that can do, and its faults in our words."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from urllib.parse import urlsplit

import httpx

from core.errors import ConfigurationError, ModelUnavailable
from llm.faults import ConnectionFault

CONNECT_SECONDS = 5.0
_CHECK_SECONDS = 3.0
_REMEMBER_SECONDS = 5.0
_SIGHT = "vision"
_UNASKED = -1


class OllamaHttp:
    """One model of one server. Opens no connection before the first request; `close` when done. Raises ConfigurationError for what is no URL.

    `sees`: the model has to take pictures. `client` are the arguments for another httpx client of the same kind on the same connections.
    """

    def __init__(self, base_url: str, name: str, timeout: float, *, sees: bool = False) -> None:
        host = _host(base_url)
        self.base_url, self.name, self._sees = base_url, name, sees
        # Reading the certificates of all authorities takes a while: only where they are asked for. Redirects are not followed.
        self._transport = httpx.AsyncHTTPTransport(verify=urlsplit(base_url).scheme != "http")
        self.client: dict[str, Any] = {
            "transport": self._transport,
            "timeout": httpx.Timeout(timeout, connect=CONNECT_SECONDS),
            "trust_env": host not in {"localhost", "127.0.0.1", "::1"},  # a proxy has no business between a machine and itself
        }
        self.http = httpx.AsyncClient(base_url=base_url, **self.client)
        self._context: int | None = _UNASKED
        self._checked: tuple[float, tuple[bool, str]] = (-_REMEMBER_SECONDS, (False, ""))
        self._checking = asyncio.Lock()

    async def check_availability(self) -> tuple[bool, str]:
        """Return whether the server answers and has the model, and it can do what is asked of it; looked at at most every five seconds."""
        async with self._checking:
            if time.monotonic() - self._checked[0] >= _REMEMBER_SECONDS:
                found = await self._query_server()
                self._checked = (time.monotonic(), found)
            return self._checked[1]

    async def context_tokens(self) -> int | None:
        """Return tokens that the model was made to hold at once; None where the server does not say. Asked once. Raises ModelUnavailable."""
        if self._context == _UNASKED:
            try:
                response = await self.http.post("/api/show", json={"model": self.name}, timeout=_CHECK_SECONDS)
                response.raise_for_status()
                told = response.json().get("model_info") or {}
            except (httpx.HTTPError, ValueError, AttributeError) as error:
                raise self.translate_error(error) from error
            lengths = [value for name, value in told.items() if name.endswith(".context_length") and isinstance(value, int) and value > 0]
            self._context = min(lengths, default=None)
        return self._context

    async def list_models(self) -> list[str]:
        """Return the names of the models that the server has. Raises ModelUnavailable."""
        try:
            response = await self.http.get("/api/tags", timeout=_CHECK_SECONDS)
            response.raise_for_status()
            return sorted(str(model["name"]) for model in response.json()["models"])
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise self.translate_error(error) from error

    async def close(self) -> None:
        await self.http.aclose()
        await self._transport.aclose()

    async def _query_server(self) -> tuple[bool, str]:
        try:
            if not {self.name, f"{self.name}:latest"} & set(await self.list_models()):
                return False, self._missing_message()
            return await self._query_vision() if self._sees else (True, "")
        except ModelUnavailable as error:
            return False, str(error)
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            return False, str(self.translate_error(error))

    async def _query_vision(self) -> tuple[bool, str]:
        """Ask whether the model sees pictures. Servers older than 0.6 do not say what a model can do: it is then found out by asking."""
        response = await self.http.post("/api/show", json={"model": self.name}, timeout=_CHECK_SECONDS)
        response.raise_for_status()
        abilities = response.json().get("capabilities")
        if not isinstance(abilities, list) or _SIGHT in abilities:
            return True, ""
        return False, f"The model {self.name} does not take pictures: set ollama.vision_model to one that does, such as qwen3-vl:8b."

    def _missing_message(self) -> str:
        return f"Ollama at {self.base_url} does not have the model {self.name}: run `ollama pull {self.name}`."

    def translate_error(self, error: Exception) -> ModelUnavailable:
        """Return a library's exception as one of ours, with what to do."""
        where = f"Ollama at {self.base_url}"
        match error:
            case ModelUnavailable():
                return error
            case httpx.TimeoutException():
                return ConnectionFault(f"{where} does not answer. Look whether it runs, or restart it with `ollama serve`.")
            case httpx.RemoteProtocolError() | httpx.ReadError():
                return ConnectionFault(f"{where} broke the connection. Look at its log, or restart it with `ollama serve`.")
            case httpx.TransportError() | ConnectionError():
                return ConnectionFault(f"{where} cannot be reached: start it with `ollama serve`, or set ollama.base_url.")
            case ValueError() | KeyError() | TypeError() | AttributeError():
                return ModelUnavailable(f"{where} answered with something that is not Ollama's protocol. Check ollama.base_url.")
            case _:
                return self._refusal_error(where, error)

    def _refusal_error(self, where: str, error: Exception) -> ModelUnavailable:
        from ollama import ResponseError  # no question waits for the package where no server answers

        match error:
            case ResponseError(status_code=404):
                return ModelUnavailable(self._missing_message())
            case ResponseError():
                return ModelUnavailable(f"{where} refused the request ({_shorten(error.error)}). Look at its log, or restart it with `ollama serve`.")
            case _:
                return ModelUnavailable(f"{where} failed: {_shorten(str(error))}.")


def _host(url: str) -> str:
    """Return the host of a base URL. Raises ConfigurationError for what is no HTTP URL."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigurationError(f"ollama.base_url {url!r} is not a URL: {error}.") from error
    if parts.scheme not in {"http", "https"} or not host:
        raise ConfigurationError(f"ollama.base_url {url!r} must look like http://localhost:11434.")
    return host


def _shorten(text: str) -> str:
    return " ".join(text.split())[:200] or "no reason given"
