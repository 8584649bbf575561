"""A vision model on an Ollama server: /api/chat with a picture in `images` (https://github.com/ollama/ollama/blob/main/docs/api.md)."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from dataclasses import dataclass
from typing import Any

import httpx
from ollama import ResponseError

from core.errors import ModelUnavailable
from core.language.sentences import split_sentences
from core.ports import ShownPicture
from core.prompt_safety import sanitise_for_prompt
from core.prompts import Prompt
from llm.ollama_http import OllamaHttp
from llm.thought_filter import ThoughtFilter

_CONTEXT_TOKENS = 8_192  # a picture of 1,024 pixels takes some 1,300
_MOST_TOKENS = 500
_MOST_CHARACTERS = 1_500
_LONGEST_REPLY = 4 << 20  # bytes: a server that sends more than this for a few sentences is none of Ollama's
_CONTEXT_CHARACTERS = 300  # of title, section and caption each
_NOTHING = re.compile(r"\W*nothing\W*", re.IGNORECASE)
_MARKDOWN = re.compile(r"^\s*(?:[-*•]|#{1,6}|\d{1,2}[.)])\s+|\*\*|__|`+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class VisionOptions:
    """`timeout` in seconds bounds one description."""

    base_url: str
    name: str
    timeout: float = 500.0


class OllamaDescriber:
    """core.ports.ImageDescriber. `prompt` is picture_description.md. One picture at a time: a person's question must not wait.

    Opens no connection before the first call; `close` when done.
    """

    def __init__(self, options: VisionOptions, prompt: Prompt) -> None:
        self._server = OllamaHttp(options.base_url, options.name, options.timeout, sees=True)
        self._prompt, self._timeout = prompt, options.timeout
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._server.name

    async def check_availability(self) -> tuple[bool, str]:
        return await self._server.check_availability()

    async def describe(self, picture: ShownPicture) -> str:
        request = self._build_request(picture)
        async with self._turn:
            try:
                async with asyncio.timeout(self._timeout):
                    reply = await self._send_request(request)
            except TimeoutError as error:
                raise ModelUnavailable(
                    f"{self.name} did not describe a picture within {self._timeout:.0f} s. Take a smaller model, or raise ollama.timeout."
                ) from error
            except Exception as error:
                raise self._server.translate_error(error) from error
        return _clean_reply(reply)

    async def close(self) -> None:
        await self._server.close()

    def _build_request(self, picture: ShownPicture) -> dict[str, Any]:
        given = {"title": picture.title, "section": picture.section, "caption": picture.caption}
        variables = {key: " ".join(sanitise_for_prompt(value).split())[:_CONTEXT_CHARACTERS] or "none" for key, value in given.items()}
        instruction, person = self._prompt.render(variables)
        shown = {"role": "user", "content": person, "images": [base64.b64encode(picture.data).decode("ascii")]}
        return {
            "model": self.name,
            "messages": [{"role": "system", "content": instruction}, shown],
            "stream": False,
            "think": False,
            "options": {"temperature": 0.0, "num_predict": _MOST_TOKENS, "num_ctx": _CONTEXT_TOKENS},
        }

    async def _send_request(self, request: dict[str, Any]) -> str:
        async with self._server.http.stream("POST", "/api/chat", json=request) as response:
            body = await _read_bounded(response)
        if response.status_code != httpx.codes.OK:
            raise ResponseError(body.decode("utf-8", "replace")[:500], response.status_code)
        reply = json.loads(body)
        content = reply["message"]["content"]
        if not isinstance(content, str):
            raise TypeError("message.content is no text")
        return _drop_torn_end(content) if reply.get("done_reason") == "length" else content


async def _read_bounded(response: httpx.Response) -> bytes:
    body = b""
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > _LONGEST_REPLY:
            raise ValueError("the reply is too long")
    return body


def _drop_torn_end(text: str) -> str:
    """Return a reply that was cut at its limit, without the sentence that it breaks off in, where there is another."""
    spans = list(split_sentences(text))
    return text[: spans[-2][1]] if len(spans) > 1 else text


def _clean_reply(reply: str) -> str:
    """Return the reply as sentences on one line: what was thought aloud, marks of markdown and repetitions left out; "" where it says that there is
    nothing to say.
    """
    thoughts = ThoughtFilter()
    text = " ".join(_MARKDOWN.sub("", sanitise_for_prompt(thoughts.feed(reply) + thoughts.flush())).split())
    if not text or _NOTHING.fullmatch(text):
        return ""
    return _fitting_sentences([text[start:end].strip() for start, end in split_sentences(text)])


def _fitting_sentences(sentences: list[str]) -> str:
    """Return whole sentences as far as they fit; a model that goes round in circles is cut where it begins to."""
    kept: list[str] = []
    length = 0
    for sentence in filter(None, sentences):
        if length + len(sentence) > _MOST_CHARACTERS or sentence in kept:
            break
        kept.append(sentence)
        length += len(sentence) + 1
    if kept:
        return " ".join(kept)
    return sentences[0][: _MOST_CHARACTERS - 2].rsplit(" ", 1)[0].rstrip() + " …"
