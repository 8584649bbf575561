"""The time of models in one run: a call ends with it, whatever the model does, and a call outside of runs has none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from core.errors import ModelUnavailable
from core.model_time import limit_model_share, limit_model_time, model_seconds_left
from core.ports import ModelMessage, ModelReply
from llm.model_middleware import TokenCounts, wrap_model

ASK = [ModelMessage("user", "Hello?")]


class Endless:
    """core.ports.ChatModel that says a word and then nothing for ever; `closed` counts the calls that were ended."""

    name = "endless"

    def __init__(self) -> None:
        self.closed = 0

    async def check_availability(self) -> tuple[bool, str]:
        return True, ""

    async def context_tokens(self) -> int:
        return 2048

    async def complete(self, messages: Sequence[ModelMessage], **options: Any) -> ModelReply:
        return await self._never()

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        yield "Well"
        yield await self._never()

    async def _never(self) -> ModelReply:
        try:
            await asyncio.Event().wait()
        finally:
            self.closed += 1
        raise AssertionError("unreachable")


async def test_a_whole_reply_ends_with_the_time() -> None:
    model, counts = Endless(), TokenCounts()
    with limit_model_time(0.05), pytest.raises(ModelUnavailable, match=r"llm\.seconds_per_question"):
        await wrap_model(model, counts).complete(ASK)
    assert (model.closed, counts.failures) == (1, 1)


async def test_a_stream_ends_with_the_time_and_keeps_what_came_before() -> None:
    model, heard = Endless(), list[str | ModelReply]()

    async def listen() -> None:
        async for piece in wrap_model(model, TokenCounts()).stream(ASK):
            heard.append(piece)

    with limit_model_time(0.05), pytest.raises(ModelUnavailable, match="used up"):
        await listen()
    assert (heard, model.closed) == (["Well"], 1)


async def test_waiting_for_a_turn_is_time_too() -> None:
    model = Endless()
    chat = wrap_model(model, TokenCounts(), concurrency=1)
    first = asyncio.create_task(chat.complete(ASK))
    await asyncio.sleep(0)
    with limit_model_time(0.05), pytest.raises(ModelUnavailable, match="used up"):
        await chat.complete(ASK)
    first.cancel()
    await asyncio.wait({first})
    assert first.cancelled()


async def test_the_window_passes_through_every_layer() -> None:
    assert await wrap_model(Endless(), TokenCounts()).context_tokens() == 2048


async def test_time_narrows_and_comes_back() -> None:
    assert model_seconds_left() is None
    with limit_model_share(0.5):
        assert model_seconds_left() is None
    with limit_model_time(100):
        with limit_model_share(0.25):
            left = model_seconds_left()
            assert left is not None
            assert 24 < left <= 25
        with limit_model_time(1000):
            left = model_seconds_left()
            assert left is not None
            assert 99 < left <= 100
    assert model_seconds_left() is None
