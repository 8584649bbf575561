"""`ModelEnricher`: a language model reads a document part by part and adds to what the rules found there."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import anyio.to_thread

from core.documents import Chunk, ExtractedDocument
from core.errors import ModelUnavailable
from core.graph import DocumentGraph, EnrichedGraph
from core.ports import ChatModel
from core.prompt_safety import sanitise_for_prompt
from core.prompts import Prompt
from core.structured_output import ask_model
from graph.claim_grounding import Claims, PartClaims, join_claims

_PART = 3_000  # characters that are read in one call: a longer part gives more names than a reply holds
_FAILURES = 2  # calls in a row without a reply that can be read; then the document is left to the rules
_TITLE = 200
_REPLY_TOKENS = 2_000


class ModelEnricher:
    """core.ports.GraphEnricher over a chat model. `prompt` is graph_extraction.md; of a document at most `characters` are read.

    One call at a time, whatever is indexed at once: a person's question must not wait behind a folder.
    """

    def __init__(self, model: ChatModel, prompt: Prompt, characters: int) -> None:
        self._model, self._prompt, self._characters = model, prompt, characters
        self._turn = anyio.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    async def enrich(self, document: ExtractedDocument, chunks: Sequence[Chunk], title: str, graph: DocumentGraph) -> EnrichedGraph:
        if document.parser == "code":
            return EnrichedGraph(graph)
        parts, cut = group_chunks(chunks, self._characters)
        text = sanitise_for_prompt(document.text)
        readings: list[PartClaims] = []
        failed, why = 0, ""
        for place, (start, end) in enumerate(parts):
            variables = {"title": " ".join(sanitise_for_prompt(title).split())[:_TITLE], "text": text[start:end]}
            try:
                async with self._turn:
                    asked = await ask_model(self._model, self._prompt, variables, Claims, max_tokens=_REPLY_TOKENS)
            except ModelUnavailable as error:
                failed, why = failed + 1, str(error)
                if failed == _FAILURES or place == len(parts) - 1:
                    break
                continue
            failed = 0
            readings.append(PartClaims(start, end, asked.reply))
        unread = f"{len(parts) - len(readings)} of {len(parts)} parts: {why}" if len(readings) < len(parts) else ""
        if not readings:
            return EnrichedGraph(graph, unread, cut)
        return EnrichedGraph(await anyio.to_thread.run_sync(join_claims, text, graph, readings, self.name), unread, cut)


def group_chunks(chunks: Sequence[Chunk], most: int) -> tuple[list[tuple[int, int]], bool]:
    """Return neighbouring chunks put together to parts [start, end) of the text, and whether some are left out: no part begins beyond `most`
    characters in all.
    """
    parts: list[tuple[int, int]] = []
    taken = 0
    for chunk in sorted(chunks, key=lambda each: each.start):
        if taken + chunk.end - chunk.start > most and parts:
            return parts, True
        taken += chunk.end - chunk.start
        if parts and chunk.end - parts[-1][0] <= _PART:
            parts[-1] = parts[-1][0], max(parts[-1][1], chunk.end)
        else:
            parts.append((chunk.start, chunk.end))
    return parts, False
