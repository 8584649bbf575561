"""The language model's part in indexing, over one run: asked for each document, given up when it does not answer, and reported."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.documents import BlockKind, Chunk
from core.errors import ModelUnavailable
from core.ports import GraphEnricher, ImageDescriber
from ingestion.model_profile import Profiler
from ingestion.protocol import Extraction
from ingestion.seeing import Seeing

_log = logging.getLogger(__name__)
_GIVEN_UP = 2  # documents in a row of which the model read nothing; then the run goes on without it


@dataclass(frozen=True, slots=True)
class ModelReaders:
    """What language models add while indexing: to the knowledge graph, to the profile, and descriptions of pictures. None: rules and statistics
    alone."""

    graph: GraphEnricher | None = None
    profile: Profiler | None = None
    pictures: ImageDescriber | None = None

    @property
    def names(self) -> str:
        """Names of the models in use, as they stand in a document's version."""
        named = (("graph", self.graph), ("profile", self.profile), ("pictures", self.pictures))
        return "/".join(f"{part}={reader.name}" for part, reader in named if reader is not None)


@dataclass(slots=True)
class _Tally:
    """Counts of what the model left out: documents of which it read nothing, or only a part; `why` is the last reason."""

    unread: int = 0
    partly: int = 0
    in_a_row: int = 0
    why: str = ""

    @property
    def given_up(self) -> bool:
        return self.in_a_row >= _GIVEN_UP

    def failed(self, why: str) -> None:
        self.unread += 1
        self.in_a_row += 1
        self.why = why

    def skipped(self) -> None:
        self.unread += 1

    def succeeded(self, unread: str = "") -> None:
        self.in_a_row = 0
        self.partly += bool(unread)
        self.why = unread or self.why


class Enriching:
    """Adds what models find to what rules and statistics found, and counts what they left out, for the run's notes. A failure never fails a
    document."""

    def __init__(self, readers: ModelReaders = ModelReaders()) -> None:
        self._enricher, self._profiler = readers.graph, readers.profile
        self._graphs, self._profiles = _Tally(), _Tally()
        self._cut = 0
        self.seeing = Seeing(readers.pictures)

    async def enrich(self, extraction: Extraction, chunks: Sequence[Chunk], title: str) -> Extraction:
        """Return the extraction with what the model added, or as it is where the model read nothing of it.

        What a model says of pictures is left out, so that it is not read as if the file said it.
        """
        own = [chunk for chunk in chunks if chunk.kind is not BlockKind.DESCRIPTION]
        return await self._described(await self._united(extraction, own, title) if own else extraction)

    async def _united(self, extraction: Extraction, chunks: Sequence[Chunk], title: str) -> Extraction:
        if self._enricher is None or extraction.graph is None:
            return extraction
        if self._graphs.given_up:
            self._graphs.skipped()
            return extraction
        enriched = await self._enricher.enrich(extraction.document, chunks, title, extraction.graph)
        self._cut += enriched.cut
        if enriched.unread:
            _log.warning("The language model did not read all of a document for the knowledge graph: %s", enriched.unread)
        if enriched.unread and enriched.graph is extraction.graph:
            self._graphs.failed(enriched.unread)
        else:
            self._graphs.succeeded(enriched.unread)
        return replace(extraction, graph=enriched.graph)

    async def _described(self, extraction: Extraction) -> Extraction:
        if self._profiler is None:
            return extraction
        if self._profiles.given_up:
            self._profiles.skipped()
            return extraction
        try:
            profile = await self._profiler.profile(extraction.document, extraction.profile)
        except ModelUnavailable as error:
            _log.warning("The language model did not summarise a document: %s", error)
            self._profiles.failed(str(error))
            return extraction
        self._profiles.succeeded()
        return replace(extraction, profile=profile)

    def notes(self) -> list[str]:
        """Return sentences about the model's part that a person should know at the end of the run."""
        notes = self.seeing.notes()
        if self._enricher is not None and (self._graphs.unread or self._graphs.partly):
            left = [("read nothing of", self._graphs.unread), ("read only a part of", self._graphs.partly)]
            said = " and ".join(f"{verb} {_documents(count)}" for verb, count in left if count)
            notes.append(
                f"{self._enricher.name} {said} for the knowledge graph; what the rules found there stands. To try again, index with --force. "
                f"What went wrong last: {self._graphs.why}"
            )
        if self._enricher is not None and self._cut:
            notes.append(
                f"{self._enricher.name} read only the beginning of {_documents(self._cut)} for the knowledge graph (graph.model_characters)."
            )
        if self._profiler is not None and self._profiles.unread:
            notes.append(
                f"{self._profiler.name} did not summarise {_documents(self._profiles.unread)}; their summaries are statistical. "
                f"To try again, index with --force. What went wrong last: {self._profiles.why}"
            )
        return notes


def _documents(count: int) -> str:
    return f"{count} document" if count == 1 else f"{count} documents"
