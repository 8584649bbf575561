"""Retrieval stages, answers and language models."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.answers import Answer, Evidence
from core.search import Passage, Retrieval, RetrievalRequest


class Retriever(Protocol):
    """The retrieval stages as Zeus's nodes call them; each adds its StageReport to the Retrieval that it returns."""

    async def retrieve(self, request: RetrievalRequest) -> Retrieval:
        """Run the legs in parallel and fuse them: at most 50 candidates, `score` in 0..1."""
        ...

    async def rerank(self, request: RetrievalRequest, retrieval: Retrieval) -> Retrieval: ...
    async def assemble_passages(self, request: RetrievalRequest, retrieval: Retrieval, limit: int) -> tuple[list[Passage], Retrieval]:
        """Merge adjacent chunks of one section up to the token budget, best first. Where the first `limit` passages are of fewer documents than the
        request wants (`top_k`, if it is no more than `limit`), the best passage of each further document follows."""
        ...


class Composer(Protocol):
    """An extractive answer from evidence: sentences quoted from the documents."""

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer: ...


class Writer(Protocol):
    """A written answer from numbered evidence by a language model, checked sentence by sentence.

    `write` yields text pieces as they come and last the checked Answer. Raises ModelUnavailable (the caller degrades to the composer).
    """

    @property
    def name(self) -> str: ...
    def write(self, tenant: str, question: str, history: Sequence[tuple[str, str]], evidence: Sequence[Evidence]) -> AsyncIterator[str | Answer]: ...


@dataclass(frozen=True, slots=True)
class ModelMessage:
    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ModelReply:
    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class ChatModel(Protocol):
    """A language model. Raises ModelUnavailable with a sentence that says what to do; never returns error text. `max_tokens` bounds one reply; the
    model's own setting does where it is None."""

    @property
    def name(self) -> str: ...
    async def check_availability(self) -> tuple[bool, str]:
        """Return whether it answers and has the model, and the reason if not. Cached for a few seconds."""
        ...

    async def context_tokens(self) -> int:
        """Return the number of tokens that one call holds as the model is served: instruction, evidence and reply together."""
        ...

    async def complete(
        self, messages: Sequence[ModelMessage], *, json_schema: dict[str, Any] | None = None, max_tokens: int | None = None
    ) -> ModelReply: ...
    def stream(self, messages: Sequence[ModelMessage], *, max_tokens: int | None = None) -> AsyncIterator[str | ModelReply]:
        """Yield text pieces and last the whole reply."""
        ...
