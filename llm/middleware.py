"""What wraps every model once, as an onion: a cache, counters, a limit on calls at a time, one more try on a broken connection.

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

from core.ports import ChatModel, ModelMessage, ModelReply
from llm.faults import ConnectionFault


@dataclass(slots=True)
class TokenCounts:
    """What the models of a process did so far."""

    calls: int = 0
    failures: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def snapshot(self) -> dict[str, int]:
        return asdict(self)

    def add(self, reply: ModelReply) -> None:
        self.input_tokens += reply.input_tokens
        self.output_tokens += reply.output_tokens


def wrap(model: ChatModel, counts: TokenCounts, *, concurrency: int = 2, remembered: int = 128) -> ChatModel:
    """The model in all its layers, from the outside in: cache, counts, limit, retry."""
    return Remembered(Counted(Limited(Retried(model), concurrency), counts), counts, remembered)


class _Layer:
    """Passes everything on; a layer overrides what it changes."""

    def __init__(self, inner: ChatModel) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    async def available(self) -> tuple[bool, str]:
        return await self._inner.available()

    def _pieces(self, messages: Sequence[ModelMessage]) -> Any:
        """The inner stream as a context that closes it at once when the outer one is closed or cancelled."""
        return aclosing(cast("Any", self._inner.stream(messages)))


class Retried(_Layer):
    """Tries once more after a broken connection, for a stream only while nothing of it has been passed on."""

    async def complete(self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None) -> ModelReply:
        try:
            return await self._inner.complete(messages, json_schema=json_schema)
        except ConnectionFault:
            return await self._inner.complete(messages, json_schema=json_schema)

    async def stream(self, messages: Sequence[ModelMessage]) -> AsyncIterator[str | ModelReply]:
        begun = False
        try:
            async with self._pieces(messages) as pieces:
                async for piece in pieces:
                    begun = True
                    yield piece
            return
        except ConnectionFault:
            if begun:
                raise
        async with self._pieces(messages) as pieces:
            async for piece in pieces:
                yield piece


class Limited(_Layer):
    """At most `concurrency` calls at a time; the others wait their turn."""

    def __init__(self, inner: ChatModel, concurrency: int) -> None:
        super().__init__(inner)
        self._turns = asyncio.Semaphore(concurrency)

    async def complete(self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None) -> ModelReply:
        async with self._turns:
            return await self._inner.complete(messages, json_schema=json_schema)

    async def stream(self, messages: Sequence[ModelMessage]) -> AsyncIterator[str | ModelReply]:
        async with self._turns, self._pieces(messages) as pieces:
            async for piece in pieces:
                yield piece


class Counted(_Layer):
    """Counts calls, failures and tokens."""

    def __init__(self, inner: ChatModel, counts: TokenCounts) -> None:
        super().__init__(inner)
        self._counts = counts

    async def complete(self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None) -> ModelReply:
        self._counts.calls += 1
        try:
            reply = await self._inner.complete(messages, json_schema=json_schema)
        except Exception:
            self._counts.failures += 1
            raise
        self._counts.add(reply)
        return reply

    async def stream(self, messages: Sequence[ModelMessage]) -> AsyncIterator[str | ModelReply]:
        self._counts.calls += 1
        try:
            async with self._pieces(messages) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelReply):
                        self._counts.add(piece)
                    yield piece
        except Exception:
            self._counts.failures += 1
            raise


class Remembered(_Layer):
    """Remembers whole replies by the hash of model, messages and schema, at no tokens. Streams are not remembered: who asks again for an answer
    wants a new one, and whether a text was any good is known only after it."""

    def __init__(self, inner: ChatModel, counts: TokenCounts, capacity: int) -> None:
        super().__init__(inner)
        self._counts = counts
        self._capacity = capacity
        self._known: OrderedDict[str, str] = OrderedDict()

    async def complete(self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None) -> ModelReply:
        key = self._key(messages, json_schema)
        if key in self._known:
            self._known.move_to_end(key)
            self._counts.cached += 1
            return ModelReply(self._known[key])
        reply = await self._inner.complete(messages, json_schema=json_schema)
        if _is_useful(reply.text, json_schema):
            self._known[key] = reply.text
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)
        return reply

    async def stream(self, messages: Sequence[ModelMessage]) -> AsyncIterator[str | ModelReply]:
        async with self._pieces(messages) as pieces:
            async for piece in pieces:
                yield piece

    def _key(self, messages: Sequence[ModelMessage], schema: dict[str, Any] | None) -> str:
        parts = [self.name, [(message.role, message.content) for message in messages], schema]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _is_useful(text: str, schema: dict[str, Any] | None) -> bool:
    """Not empty, and JSON where JSON was asked for: a garbled reply must not be remembered."""
    if schema is None:
        return bool(text.strip())
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
