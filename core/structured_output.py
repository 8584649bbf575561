"""Asking a model for a reply of a given shape: render the prompt, call, parse, and ask once more when the reply cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import ModelUnavailable
from core.model_time import limit_model_share
from core.ports import ChatModel, ModelMessage
from core.prompts import Prompt

Reply = TypeVar("Reply", bound=BaseModel)
SHORT_REPLY_TOKENS = 200  # tokens: a few fields of a few words; a model that goes on was not answering


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[Reply]):
    """A parsed reply with what the call cost: tokens in and out over all tries."""

    reply: Reply
    input_tokens: int
    output_tokens: int


def render_messages(prompt: Prompt, variables: Mapping[str, str]) -> list[ModelMessage]:
    """Return the prompt's instruction and the person's part, filled in."""
    instruction, person = prompt.render(variables)
    return [ModelMessage("system", instruction), ModelMessage("user", person)]


async def ask_model(
    llm: ChatModel, prompt: Prompt, variables: Mapping[str, str], reply: type[Reply], *, max_tokens: int = SHORT_REPLY_TOKENS, share: float = 1.0
) -> ParsedReply[Reply]:
    """Ask for a reply of the given shape in at most `max_tokens`; a reply that cannot be read is asked for once more with the error. Both together
    take at most this share of the time that models have left in the run.

    Raises ModelUnavailable when the model does not answer or the second reply cannot be read either.
    """
    with limit_model_share(share):
        return await _ask_until_parsed(llm, render_messages(prompt, variables), reply, max_tokens)


async def _ask_until_parsed(llm: ChatModel, messages: list[ModelMessage], reply: type[Reply], max_tokens: int) -> ParsedReply[Reply]:
    schema = reply.model_json_schema()
    spent = [0, 0]
    for last in (False, True):
        answer = await llm.complete(messages, json_schema=schema, max_tokens=max_tokens)
        spent = [spent[0] + answer.input_tokens, spent[1] + answer.output_tokens]
        try:
            return ParsedReply(reply.model_validate_json(_extract_json(answer.text)), *spent)
        except ValidationError as error:
            if last:
                raise ModelUnavailable(f"{llm.name} gave a reply that could not be read, twice.") from error
            problems = "; ".join(f"{'.'.join(map(str, item['loc'])) or 'reply'}: {item['msg']}" for item in error.errors()[:5])
            messages = [
                *messages,
                ModelMessage("assistant", answer.text[:2000]),
                ModelMessage("user", f"That was not the JSON asked for ({problems})."),
            ]
    raise AssertionError("unreachable")


def _extract_json(text: str) -> str:
    """Return the outermost {...} of a reply, past thinking and code fences; the text itself where there is none."""
    text = re.sub(r"<think>.*?</think>", "", text, flags=re.DOTALL)
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text
