"""A scripted language model and writer: they answer what the test wrote down and fail on any other call."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

from core.answers import Answer, Evidence
from core.errors import ModelUnavailable
from core.ports import ModelMessage, ModelReply, ShownPicture
from core.prompts import Prompt


class ScriptedModel:
    """core.ports.ChatModel. Each call takes the next of `replies`; an exception among them is raised; a call beyond them fails the test."""

    def __init__(self, *replies: str | Exception, name: str = "scripted", answers: bool = True) -> None:
        self.name = name
        self.replies = list(replies)
        self.calls: list[list[ModelMessage]] = []
        self.answers = answers

    async def check_availability(self) -> tuple[bool, str]:
        return self.answers, "" if self.answers else "No model answers at http://localhost:1."

    async def context_tokens(self) -> int:
        return 16_384

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply:
        self.calls.append(list(messages))
        assert self.replies, f"unscripted call of the model: {messages[-1].content[:200]}"
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return ModelReply(reply, input_tokens=10, output_tokens=5)

    async def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        reply = await self.complete(messages)
        for piece in re.findall(r"\S+\s*", reply.text):
            yield piece
        yield reply


class ScriptedDescriber:
    """core.ports.ImageDescriber: `says` of every picture what the test wrote down, an exception is raised; `shown` are the pictures it was given."""

    def __init__(self, says: str | Exception = "A bar chart.", name: str = "eye", *, answers: bool = True) -> None:
        self.name, self.says, self.answers = name, says, answers
        self.shown: list[ShownPicture] = []

    async def check_availability(self) -> tuple[bool, str]:
        return self.answers, "" if self.answers else "No model answers at http://localhost:1."

    async def describe(self, picture: ShownPicture) -> str:
        self.shown.append(picture)
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


class ScriptedWriter:
    """core.ports.Writer: yields `pieces`, then `end` (an Answer, an error to raise, or None to hang until it is cancelled)."""

    name = "scripted"
    prompt: Prompt | None = None

    def __init__(self, pieces: Sequence[str], end: Answer | ModelUnavailable | None) -> None:
        self.pieces, self.end = list(pieces), end
        self.closed = False

    async def write(
        self, tenant: str, question: str, history: Sequence[tuple[str, str]], evidence: Sequence[Evidence]
    ) -> AsyncIterator[str | Answer]:
        try:
            for piece in self.pieces:
                yield piece
                await asyncio.sleep(0)
            if isinstance(self.end, ModelUnavailable):
                raise self.end
            if self.end is None:
                await asyncio.Event().wait()
            else:
                yield self.end
        finally:
            self.closed = True
