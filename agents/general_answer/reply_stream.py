"""A model's reply as text that is shown while it comes. (Replies of a given shape: `core.structured_output`.)"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.errors import ModelUnavailable
from core.ports import ChatModel, ModelMessage, ModelReply


async def stream_reply(llm: ChatModel, messages: Sequence[ModelMessage], tell: Callable[[str], None]) -> ModelReply:
    """Pass each piece of the reply to `tell` as it comes, and return the whole. Cancelling it cancels the model's call.

    Raises ModelUnavailable, also for an empty reply.
    """
    stream = llm.stream(messages)
    reply: ModelReply | None = None
    told = ""
    try:
        async for piece in stream:
            if isinstance(piece, ModelReply):
                reply = piece
            else:
                told += piece
                tell(piece)
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
    if not told.strip():
        raise ModelUnavailable(f"{llm.name} gave an empty reply.")
    return ModelReply(told, reply.input_tokens, reply.output_tokens) if reply else ModelReply(told)
