"""The Ollama adapter with its real client over real HTTP, against a scripted server: what it says, how it fails, and that cancel means cancel."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from langsmith.utils import tracing_is_enabled

from core.errors import ConfigurationError, ModelUnavailable
from core.ports import ChatModel, ModelMessage, ModelReply
from llm.langchain import LangChainChatModel, ProviderOptions
from llm.model_middleware import TokenCounts, wrap_model
from llm.ollama import OllamaChatModel, OllamaOptions
from tests.support.ollama_server import OllamaServer, Script, ollama_server

ASK = [ModelMessage("system", "Be brief."), ModelMessage("user", "Hello?")]


@asynccontextmanager
async def model(server: OllamaServer, *, name: str = "test-model", first: float = 5.0, total: float = 5.0) -> AsyncIterator[OllamaChatModel]:
    made = OllamaChatModel(OllamaOptions(base_url=server.url, name=name, timeout=total, first_token_seconds=first, max_tokens=50))
    try:
        yield made
    finally:
        await made.close()


async def _found(chat: ChatModel) -> bool:
    return (await chat.check_availability())[0]


async def hear(chat: ChatModel, messages: Sequence[ModelMessage] = ASK) -> tuple[list[str], ModelReply]:
    pieces: list[str] = []
    reply: ModelReply | None = None
    async for piece in chat.stream(messages):
        assert reply is None, "the reply comes last"
        if isinstance(piece, ModelReply):
            reply = piece
        else:
            pieces.append(piece)
    assert reply is not None
    return pieces, reply


async def test_a_stream_gives_pieces_and_then_the_reply() -> None:
    async with ollama_server() as server, model(server) as chat:
        pieces, reply = await hear(chat)
    assert pieces == ["Hello ", "there."]
    assert reply == ModelReply("Hello there.", 11, 5)
    sent = server.requests[0]
    assert [(message["role"], message["content"]) for message in sent["messages"]] == [("system", "Be brief."), ("user", "Hello?")]
    assert sent["stream"] is True
    assert sent["think"] is False
    assert sent["options"]["num_predict"] == 50
    assert sent["options"]["num_ctx"] >= 8192


async def test_a_reply_is_as_long_as_is_asked_and_never_longer_than_the_settings_say() -> None:
    async with ollama_server() as server, model(server) as chat:
        await chat.complete(ASK, max_tokens=20)
        await chat.complete(ASK, max_tokens=200)
        async for _ in chat.stream(ASK, max_tokens=30):
            pass
    assert [request["options"]["num_predict"] for request in server.requests] == [20, 50, 30]
    assert all(request["options"]["num_ctx"] >= 8192 for request in server.requests)


@pytest.mark.parametrize(
    ("told", "tokens"),
    [
        ({"general.architecture": "llama", "llama.context_length": 2048}, 2048),
        ({"qwen3vl.context_length": 262_144}, 16_384),
        ({"llama.context_length": "many"}, 16_384),
        ({}, 16_384),
        (None, 16_384),
    ],
)
async def test_the_window_is_the_models_and_no_more_than_is_asked_of_it(told: dict[str, Any] | None, tokens: int) -> None:
    async with ollama_server() as server, model(server) as chat:
        server.model_info = told
        assert await chat.context_tokens() == tokens
        assert await chat.context_tokens() == tokens
        assert server.paths == ["/api/show"]


async def test_a_window_that_nobody_tells_is_model_unavailable() -> None:
    async with model(OllamaServer(url="http://127.0.0.1:1")) as chat:
        with pytest.raises(ModelUnavailable, match="cannot be reached"):
            await chat.context_tokens()


async def test_a_whole_reply_can_be_asked_for_in_a_shape() -> None:
    schema = {"type": "object", "properties": {"intent": {"type": "string"}}}
    async with ollama_server(scripts=[Script(pieces=('{"intent"', ': "x"}'))]) as server, model(server) as chat:
        reply = await chat.complete(ASK, json_schema=schema)
    assert reply == ModelReply('{"intent": "x"}', 11, 5)
    assert server.requests[0]["stream"] is False
    assert server.requests[0]["format"] == schema


async def test_thinking_is_left_out() -> None:
    scripts = [Script(pieces=("<thi", "nk>secret", "</think>\n", "Yes", "."), thinking="more"), Script(pieces=("<think>a</think>Whole.",))]
    async with ollama_server(scripts=scripts) as server, model(server) as chat:
        pieces, reply = await hear(chat)
        whole = await chat.complete(ASK)
    assert "".join(pieces) == reply.text == "Yes."
    assert whole.text == "Whole."


async def test_available_looks_for_the_model_and_remembers() -> None:
    async with ollama_server() as server, model(server) as chat:
        assert all(await asyncio.gather(*(_found(chat) for _ in range(3))))
        assert server.paths == ["/api/tags"]
    async with ollama_server(models=("other:7b",)) as server, model(server, name="mine:8b") as chat:
        found, reason = await chat.check_availability()
        assert not found
        assert "ollama pull mine:8b" in reason


@pytest.mark.parametrize(("status", "body"), [(500, "{}"), (200, "<html>"), (200, '{"models": 3}'), (200, '["a"]')])
async def test_a_server_that_is_not_ollama_is_not_available(status: int, body: str) -> None:
    async with ollama_server(tags_status=status, tags_body=body) as server, model(server) as chat:
        found, reason = await chat.check_availability()
    assert not found
    assert server.url in reason


async def test_no_server_says_how_to_start_one() -> None:
    async with ollama_server() as server:
        pass
    async with model(server) as chat:
        found, reason = await chat.check_availability()
        assert not found
        assert "ollama serve" in reason
        with pytest.raises(ModelUnavailable, match="ollama serve"):
            await hear(chat)
        with pytest.raises(ModelUnavailable, match="ollama serve"):
            await chat.complete(ASK)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (Script(status=404, error='model "test-model" not found'), "ollama pull test-model"),
        (Script(status=500, error="CUDA out of memory"), "CUDA out of memory"),
        (Script(malformed="this is not JSON"), "protocol"),
        (Script(malformed="[1, 2]"), "protocol"),
        (Script(drop_after=0), "ollama serve"),
        (Script(drop_after=1), "broke the connection"),
        (Script(end=False), "broke off"),
        (Script(error="the model crashed"), "the model crashed"),
    ],
    ids=["404", "500", "not-json", "wrong-json", "drop-before", "drop-within", "no-end", "error-line"],
)
async def test_every_failure_of_a_stream_is_model_unavailable(script: Script, message: str) -> None:
    async with ollama_server(scripts=[script]) as server, model(server) as chat:
        with pytest.raises(ModelUnavailable, match=message):
            await hear(chat)


@pytest.mark.parametrize("script", [Script(status=404, error="x"), Script(status=500, error="x"), Script(malformed="{"), Script(drop_after=0)])
async def test_every_failure_of_a_whole_reply_is_model_unavailable(script: Script) -> None:
    async with ollama_server(scripts=[script]) as server, model(server) as chat:
        with pytest.raises(ModelUnavailable):
            await chat.complete(ASK)


async def test_a_slow_first_token_and_a_slow_stream_are_given_up() -> None:
    async with ollama_server(scripts=[Script(first_delay=30)]) as server, model(server, first=0.2) as chat:
        with pytest.raises(ModelUnavailable, match="first_token_seconds"):
            await hear(chat)
        await asyncio.wait_for(server.disconnected.wait(), 30)
    async with ollama_server(scripts=[Script(piece_delay=30)]) as server, model(server, total=0.4) as chat:
        with pytest.raises(ModelUnavailable, match=r"ollama\.timeout"):
            await hear(chat)
        await asyncio.wait_for(server.disconnected.wait(), 30)
    async with ollama_server(scripts=[Script(first_delay=30)]) as server, model(server, first=0.1, total=60) as chat:
        with pytest.raises(ModelUnavailable, match="did not answer"):
            await chat.complete(ASK)
        await asyncio.wait_for(server.disconnected.wait(), 30)


@pytest.mark.parametrize("wrapped", [False, True])
async def test_cancelling_hangs_up_at_once(wrapped: bool) -> None:
    async with ollama_server(scripts=[Script(piece_delay=30)]) as server, model(server, first=60, total=60) as inner:
        chat = wrap_model(inner, TokenCounts()) if wrapped else inner
        begun = asyncio.Event()

        async def listen() -> None:
            async for _ in chat.stream(ASK):
                begun.set()

        task = asyncio.create_task(listen())
        await asyncio.wait_for(begun.wait(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.disconnected.wait(), 30)


@pytest.mark.parametrize("wrapped", [False, True])
async def test_a_listener_that_stops_listening_hangs_up(wrapped: bool) -> None:
    async with ollama_server(scripts=[Script(piece_delay=0.05, pieces=["x"] * 1000)]) as server, model(server, first=60, total=60) as inner:
        stream = (wrap_model(inner, TokenCounts()) if wrapped else inner).stream(ASK)
        assert await anext(stream) == "x"
        await stream.aclose()  # type: ignore[attr-defined]  # the port names the iterator, every adapter returns a generator
        await asyncio.wait_for(server.disconnected.wait(), 30)


async def test_a_broken_connection_is_tried_once_more_and_nothing_else_is() -> None:
    counts = TokenCounts()
    async with ollama_server(scripts=[Script(drop_after=0), Script()]) as server, model(server) as inner:
        assert (await hear(wrap_model(inner, counts)))[1].text == "Hello there."
        assert len(server.requests) == 2
    assert counts.snapshot() == {"calls": 1, "failures": 0, "cached": 0, "input_tokens": 11, "output_tokens": 5}
    for script, tries in [(Script(drop_after=0), 2), (Script(status=500, error="x"), 1), (Script(drop_after=1), 1)]:
        async with ollama_server(scripts=[script]) as server, model(server) as inner:
            with pytest.raises(ModelUnavailable):
                await hear(wrap_model(inner, counts))
            assert len(server.requests) == tries
    assert counts.failures == 3


async def test_calls_wait_their_turn() -> None:
    async with ollama_server(scripts=[Script(piece_delay=0.02)]) as server, model(server) as inner:
        chat = wrap_model(inner, TokenCounts(), concurrency=2)
        replies = await asyncio.gather(*(hear(chat) for _ in range(6)))
    assert len(replies) == len(server.requests) == 6
    assert server.most_active == 2


async def test_whole_replies_are_remembered_unless_they_are_garbled() -> None:
    counts, schema = TokenCounts(), {"type": "object"}
    async with (
        ollama_server(scripts=[Script(pieces=("no json",)), Script(pieces=("{}",)), Script(pieces=("other",))]) as server,
        model(server) as inner,
    ):
        chat = wrap_model(inner, counts, remembered=1)
        assert (await chat.complete(ASK, json_schema=schema)).text == "no json"
        assert (await chat.complete(ASK, json_schema=schema)).text == "{}"
        assert await chat.complete(ASK, json_schema=schema) == ModelReply("{}")
        assert len(server.requests) == 2
        assert (await chat.complete(ASK)).text == "other"
        await chat.complete(ASK, json_schema=schema)
        assert len(server.requests) == 4
    assert counts.cached == 1


async def test_tracing_is_off_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGCHAIN_TRACING_V2", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "lsv2_key")
    async with ollama_server() as server, ollama_server() as langsmith, model(server) as chat:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", langsmith.url)
        assert tracing_is_enabled() is False
        assert os.environ["LANGSMITH_TRACING"] == "false"
        await hear(chat)
        assert langsmith.paths == []
        assert server.paths == ["/api/chat"]


async def test_a_proxy_has_no_business_on_the_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ollama_server() as proxy, ollama_server() as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        async with model(server) as chat:
            assert (await chat.check_availability())[0]
            await hear(chat)
        assert proxy.paths == []


@pytest.mark.parametrize("url", ["", "localhost:11434", "ftp://localhost", "http://", "http://[::1", "http://localhost:port"])
def test_a_base_url_that_is_none_is_a_configuration_error(url: str) -> None:
    with pytest.raises(ConfigurationError, match="base_url"):
        OllamaChatModel(OllamaOptions(base_url=url, name="x"))


async def test_another_provider_by_name() -> None:
    async with ollama_server() as server, httpx.AsyncHTTPTransport() as transport:
        extra = {"base_url": server.url, "async_client_kwargs": {"transport": transport}}
        chat = LangChainChatModel(ProviderOptions("ollama:test-model", extra=extra))
        pieces, reply = await hear(chat)
        assert "".join(pieces) == reply.text == "Hello there."
        assert (await chat.complete(ASK)).text == "Hello there."
        assert chat.name == "ollama:test-model"
        assert await chat.check_availability() == (True, "")
        server.scripts = [Script(status=500, error="out of order")]
        with pytest.raises(ModelUnavailable, match="out of order"):
            await hear(chat)


@pytest.mark.parametrize(
    ("name", "message"),
    [("gpt", "provider:name"), (":x", "provider:name"), ("nobody:x", "cannot be used"), ("mistralai:x", "langchain-mistralai")],
)
def test_a_provider_that_cannot_be_built_is_a_configuration_error(name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        LangChainChatModel(ProviderOptions(name))
