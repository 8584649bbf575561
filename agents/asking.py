"""How agents ask the model: for a reply of a given shape (`ask`), or for text that is told as it comes (`listen`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.asking import Asked, ask, messages_of
from core.errors import ModelUnavailable
from core.ports import ChatModel, ModelMessage, ModelReply

__all__ = ["Asked", "ask", "listen", "messages_of"]


async def listen(llm: ChatModel, messages: Sequence[ModelMessage], tell: Callable[[str], None]) -> ModelReply:
    """The whole reply, its pieces told as they come. Stopping it stops the model's call. Raises ModelUnavailable, also for an empty reply."""
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
