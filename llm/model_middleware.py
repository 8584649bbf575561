"""The layers that wrap every model once, from the outside in: a cache, counters, the run's time, a limit on calls at a time, one more try on a
broken connection.

Each layer is a core.ports.ChatModel around another one. Nothing else in Vantage retries a model.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass
from typing import Any, cast

from core.errors import ModelUnavailable
from core.model_time import model_seconds_left
from core.ports import ChatModel, ModelMessage, ModelReply
from llm.faults import ConnectionFault

_USED_UP = "The time that the language model has in one question (llm.seconds_per_question) is used up."


@dataclass(slots=True)
class TokenCounts:
    """Counts of the requests and tokens of a process's models."""

    calls: int = 0
    failures: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def snapshot(self) -> dict[str, int]:
        return asdict(self)

    def add_reply(self, reply: ModelReply) -> None:
        self.input_tokens += reply.input_tokens
        self.output_tokens += reply.output_tokens


def wrap_model(model: ChatModel, counts: TokenCounts, *, concurrency: int = 2, remembered: int = 128) -> ChatModel:
    """Return the model in all its layers, from the outside in: cache, counts, the run's time, limit, retry."""
    return CacheLayer(CountingLayer(DeadlineLayer(ConcurrencyLayer(RetryLayer(model), concurrency)), counts), counts, remembered)


class _ModelLayer:
    """Layer that passes everything on; a derived one overrides what it changes."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    async def check_availability(self) -> tuple[bool, str]:
        return await self._inner.check_availability()

    async def context_tokens(self) -> int:
        return await self._inner.context_tokens()

    def _open_stream(self, messages: Sequence[ModelMessage], max_tokens: int | None) -> Any:
        """Return the inner stream as a context that closes it at once when the outer one is closed or cancelled."""
        return aclosing(cast("Any", self._inner.stream(messages, max_tokens=max_tokens)))


class RetryLayer(_ModelLayer):
    """Layer that tries once more after a broken connection, for a stream only while nothing of it has been passed on."""

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        try:
            return await self._inner.complete(messages, json_schema=json_schema, max_tokens=max_tokens)
        except ConnectionFault:
            return await self._inner.complete(messages, json_schema=json_schema, max_tokens=max_tokens)

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        begun = False
        try:
            async with self._open_stream(messages, max_tokens) as pieces:
                async for piece in pieces:
                    begun = True
                    yield piece
            return
        except ConnectionFault:
            if begun:
                raise
        async with self._open_stream(messages, max_tokens) as pieces:
            async for piece in pieces:
                yield piece


class ConcurrencyLayer(_ModelLayer):
    """At most `concurrency` calls at a time; the others wait their turn."""

    def __init__(self, inner: ChatModel, concurrency: int) -> None:
        super().__init__(inner)
        self._turns = asyncio.Semaphore(concurrency)

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        async with self._turns:
            return await self._inner.complete(messages, json_schema=json_schema, max_tokens=max_tokens)

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        async with self._turns, self._open_stream(messages, max_tokens) as pieces:
            async for piece in pieces:
                yield piece


class DeadlineLayer(_ModelLayer):
    """Layer that ends a call with the time that models have in the run that makes it, waiting for a turn included. Raises ModelUnavailable then."""

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        left = model_seconds_left()
        try:
            async with asyncio.timeout(left) as limit:
                return await self._inner.complete(messages, json_schema=json_schema, max_tokens=max_tokens)
        except TimeoutError as error:
            raise (ModelUnavailable(_USED_UP) if limit.expired() else error) from error

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        async with self._open_stream(messages, max_tokens) as pieces:
            while (piece := await _await_next_piece(pieces)) is not None:
                yield piece


async def _await_next_piece(pieces: AsyncIterator[str | ModelReply]) -> str | ModelReply | None:
    """Return the next piece, None at the end. The limit is set anew for each piece: between two of them the caller's own time must not be cut short
    in the caller's code.
    """
    try:
        async with asyncio.timeout(model_seconds_left()) as limit:
            return await anext(pieces, None)
    except TimeoutError as error:
        raise (ModelUnavailable(_USED_UP) if limit.expired() else error) from error


class CountingLayer(_ModelLayer):
    """Counts calls, failures and tokens."""

    def __init__(self, inner: ChatModel, counts: TokenCounts) -> None:
        super().__init__(inner)
        self._counts = counts

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        self._counts.calls += 1
        try:
            reply = await self._inner.complete(messages, json_schema=json_schema, max_tokens=max_tokens)
        except Exception:  # whatever broke the call, it is counted and goes on
            self._counts.failures += 1
            raise
        self._counts.add_reply(reply)
        return reply

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        self._counts.calls += 1
        try:
            async with self._open_stream(messages, max_tokens) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelReply):
                        self._counts.add_reply(piece)
                    yield piece
        except Exception:  # whatever broke the stream, it is counted and goes on
            self._counts.failures += 1
            raise


class CacheLayer(_ModelLayer):
    """Cache of whole replies by the hash of model, messages, schema and length, at no cost. Streams are not remembered: who asks again for an answer
    wants a new one, and whether a text was any good is known only after it.
    """

    def __init__(self, inner: ChatModel, counts: TokenCounts, capacity: int) -> None:
        super().__init__(inner)
        self.counts = counts
        self._capacity = capacity
        self._known: OrderedDict[str, str] = OrderedDict()

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        key = self._key(messages, json_schema, max_tokens)
        if key in self._known:
            self._known.move_to_end(key)
            self.counts.cached += 1
            return ModelReply(self._known[key])
        reply = await self._inner.complete(messages, json_schema=json_schema, max_tokens=max_tokens)
        if _is_useful(reply.text, json_schema):
            self._known[key] = reply.text
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)
        return reply

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        async with self._open_stream(messages, max_tokens) as pieces:
            async for piece in pieces:
                yield piece

    def _key(self, messages: Sequence[ModelMessage], schema: dict[str, Any] | None, max_tokens: int | None) -> str:
        parts = [self.name, [(message.role, message.content) for message in messages], schema, max_tokens]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _is_useful(text: str, schema: dict[str, Any] | None) -> bool:
    """Return whether a reply is not empty, and JSON where JSON was asked for: a garbled reply must not be remembered."""
    if schema is None:
        return bool(text.strip())
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
