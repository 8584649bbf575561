"""Asking a model for a reply of a given shape: render the prompt, call, parse, and ask once more when the reply cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import ModelUnavailable
from core.model_time import share_of_model_time
from core.ports import ChatModel, ModelMessage
from core.prompts import Prompt

Reply = TypeVar("Reply", bound=BaseModel)
SHORT = 200  # tokens: a few fields of a few words; a model that goes on was not answering


@dataclass(frozen=True, slots=True)
class Asked(Generic[Reply]):
    """A parsed reply with what the call cost: tokens in and out over all tries."""

    reply: Reply
    input_tokens: int
    output_tokens: int


def messages_of(prompt: Prompt, variables: Mapping[str, str]) -> list[ModelMessage]:
    """Return the prompt's instruction and the person's part, filled in."""
    instruction, person = prompt.render(variables)
    return [ModelMessage("system", instruction), ModelMessage("user", person)]


async def ask(
    llm: ChatModel, prompt: Prompt, variables: Mapping[str, str], reply: type[Reply], *, max_tokens: int = SHORT, share: float = 1.0
) -> Asked[Reply]:
    """Ask for a reply of the given shape in at most `max_tokens`; a reply that cannot be read is asked for once more with the error. Both together
    take at most this share of the time that models have left in the run.

    Raises ModelUnavailable when the model does not answer or the second reply cannot be read either.
    """
    with share_of_model_time(share):
        return await _asked(llm, messages_of(prompt, variables), reply, max_tokens)


async def _asked(llm: ChatModel, messages: list[ModelMessage], reply: type[Reply], max_tokens: int) -> Asked[Reply]:
    schema = reply.model_json_schema()
    spent = [0, 0]
    for last in (False, True):
        answer = await llm.complete(messages, json_schema=schema, max_tokens=max_tokens)
        spent = [spent[0] + answer.input_tokens, spent[1] + answer.output_tokens]
        try:
            return Asked(reply.model_validate_json(_json_of(answer.text)), *spent)
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


def _json_of(text: str) -> str:
    """The outermost {...} of a reply, past thinking and code fences; the text itself where there is none."""
    text = re.sub(r"<think>.*?</think>", "", text, flags=re.DOTALL)
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text
