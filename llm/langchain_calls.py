"""Calls on a LangChain chat model in the port's shapes, with a limit for the first piece and for the whole."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from core.errors import ModelUnavailable
from core.ports import ModelMessage, ModelReply
from llm.thought_filter import ThoughtFilter

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

CONTEXT_TOKENS = 16_384  # of a conversation, where a model is made for more or nobody says
TranslateError = Callable[[Exception], ModelUnavailable]


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Seconds until the first piece of a stream, and for a whole call."""

    first: float
    total: float

    @property
    def whole_call(self) -> float:
        """For a reply that is not streamed: these are short ones that a person waits for, so twice the time of a first token is enough."""
        return min(self.total, 2 * self.first)


def to_langchain(messages: Sequence[ModelMessage]) -> list[BaseMessage]:
    # Not for a question that no model answers: importing them takes as long as the whole library takes to open.
    from langchain_core.messages import AIMessage, ChatMessage, HumanMessage, SystemMessage

    kinds: dict[str, type[SystemMessage] | type[HumanMessage] | type[AIMessage]]
    kinds = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    known = ((message, kinds.get(message.role)) for message in messages)
    return [kind(content=message.content) if kind else ChatMessage(role=message.role, content=message.content) for message, kind in known]


async def complete_chat(
    model: BaseChatModel, messages: Sequence[ModelMessage], limits: CallLimits, translate: TranslateError, options: dict[str, Any]
) -> ModelReply:
    """Return one reply as a whole. Raises ModelUnavailable as `translate` makes it."""
    try:
        async with asyncio.timeout(limits.whole_call):
            reply = await model.ainvoke(to_langchain(messages), **options)
    except TimeoutError as error:
        raise ModelUnavailable(_too_slow_message(limits.whole_call)) from error
    except Exception as error:
        raise translate(error) from error
    thoughts = ThoughtFilter()
    return _to_reply(thoughts.feed(reply.text) + thoughts.flush(), reply)


async def stream_chat(
    model: BaseChatModel, messages: Sequence[ModelMessage], limits: CallLimits, translate: TranslateError, is_last: Callable[[AIMessageChunk], bool]
) -> AsyncIterator[str | ModelReply]:
    """Yield text pieces, thinking left out, and last the reply. Closing this generator closes the connection.

    Raises ModelUnavailable when a limit passes, the connection breaks, or the stream ends before a piece that `is_last`.
    """
    thoughts, text, ended = ThoughtFilter(), "", False
    whole: AIMessageChunk | None = None
    deadline, limit = time.monotonic() + limits.total, min(limits.first, limits.total)
    async with aclosing(cast("Any", model.astream(to_langchain(messages)))) as chunks:
        while (chunk := await _next_chunk(chunks, limit, translate)) is not None:
            limit = deadline - time.monotonic()
            whole = chunk if whole is None else whole + chunk
            ended = ended or is_last(chunk)
            if piece := thoughts.feed(chunk.text):
                text += piece
                yield piece
    if not ended or whole is None:
        raise ModelUnavailable("The language model's answer broke off in the middle. Ask again, or look at the model server's log.")
    if piece := thoughts.flush():
        text += piece
        yield piece
    yield _to_reply(text, whole)


async def _next_chunk(chunks: AsyncIterator[AIMessageChunk], seconds: float, translate: TranslateError) -> AIMessageChunk | None:
    try:
        async with asyncio.timeout(max(seconds, 0.001)):
            return await anext(chunks, None)
    except TimeoutError as error:
        raise ModelUnavailable(_too_slow_message(seconds)) from error
    except Exception as error:
        raise translate(error) from error


def _too_slow_message(seconds: float) -> str:
    return (
        f"The language model did not answer within {max(seconds, 0):.0f} s. It may still be loading: try again, take a smaller model, or raise "
        "ollama.first_token_seconds and ollama.timeout."
    )


def _to_reply(text: str, message: AIMessage | AIMessageChunk) -> ModelReply:
    usage = message.usage_metadata
    return ModelReply(text, usage["input_tokens"] if usage else 0, usage["output_tokens"] if usage else 0)
