"""The language model's part in indexing, over one run: asked for each document, given up when it does not answer, and reported."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.documents import BlockKind, Chunk
from core.errors import ModelUnavailable
from core.ports import GraphEnricher, ImageDescriber
from ingestion.enrichment.model_profile import Profiler
from ingestion.indexing.image_captioner import ImageCaptioner
from ingestion.workers.worker_protocol import Extraction

_log = logging.getLogger(__name__)
_MAX_FAILURES_IN_A_ROW = 2  # documents in a row of which the model read nothing; then the run goes on without it


@dataclass(frozen=True, slots=True)
class IndexingModels:
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
    """Counts of what the model left out: documents of which it read nothing, or only a part; `last_reason` is the last reason."""

    unread: int = 0
    partial: int = 0
    failures_in_a_row: int = 0
    last_reason: str = ""

    @property
    def has_given_up(self) -> bool:
        return self.failures_in_a_row >= _MAX_FAILURES_IN_A_ROW

    def count_failure(self, why: str) -> None:
        self.unread += 1
        self.failures_in_a_row += 1
        self.last_reason = why

    def count_skip(self) -> None:
        self.unread += 1

    def count_success(self, unread: str = "") -> None:
        self.failures_in_a_row = 0
        self.partial += bool(unread)
        self.last_reason = unread or self.last_reason


class ModelEnrichment:
    """Adds what models find to what rules and statistics found, and counts what they left out, for the run's notes. A failure never fails a
    document."""

    def __init__(self, readers: IndexingModels = IndexingModels()) -> None:
        self._enricher, self._profiler = readers.graph, readers.profile
        self._graphs, self._profiles = _Tally(), _Tally()
        self._truncated = 0
        self.captioner = ImageCaptioner(readers.pictures)

    async def enrich(self, extraction: Extraction, chunks: Sequence[Chunk], title: str) -> Extraction:
        """Return the extraction with what the model added, or as it is where the model read nothing of it.

        What a model says of pictures is left out, so that it is not read as if the file said it.
        """
        own = [chunk for chunk in chunks if chunk.kind is not BlockKind.DESCRIPTION]
        return await self._enrich_profile(await self._enrich_graph(extraction, own, title) if own else extraction)

    async def _enrich_graph(self, extraction: Extraction, chunks: Sequence[Chunk], title: str) -> Extraction:
        if self._enricher is None or extraction.graph is None:
            return extraction
        if self._graphs.has_given_up:
            self._graphs.count_skip()
            return extraction
        enriched = await self._enricher.enrich(extraction.document, chunks, title, extraction.graph)
        self._truncated += enriched.is_cut
        if enriched.unread_reason:
            _log.warning("The language model did not read all of a document for the knowledge graph: %s", enriched.unread_reason)
        if enriched.unread_reason and enriched.graph is extraction.graph:
            self._graphs.count_failure(enriched.unread_reason)
        else:
            self._graphs.count_success(enriched.unread_reason)
        return replace(extraction, graph=enriched.graph)

    async def _enrich_profile(self, extraction: Extraction) -> Extraction:
        if self._profiler is None:
            return extraction
        if self._profiles.has_given_up:
            self._profiles.count_skip()
            return extraction
        try:
            profile = await self._profiler.profile(extraction.document, extraction.profile)
        except ModelUnavailable as error:
            _log.warning("The language model did not summarise a document: %s", error)
            self._profiles.count_failure(str(error))
            return extraction
        self._profiles.count_success()
        return replace(extraction, profile=profile)

    def notes(self) -> list[str]:
        """Return sentences about the model's part that a person should know at the end of the run."""
        notes = self.captioner.notes()
        if self._enricher is not None and (self._graphs.unread or self._graphs.partial):
            left = [("read nothing of", self._graphs.unread), ("read only a part of", self._graphs.partial)]
            said = " and ".join(f"{verb} {_documents(count)}" for verb, count in left if count)
            notes.append(
                f"{self._enricher.name} {said} for the knowledge graph; what the rules found there stands. To try again, index with --force. "
                f"What went wrong last: {self._graphs.last_reason}"
            )
        if self._enricher is not None and self._truncated:
            notes.append(
                f"{self._enricher.name} read only the beginning of {_documents(self._truncated)} for the knowledge graph (graph.model_characters)."
            )
        if self._profiler is not None and self._profiles.unread:
            notes.append(
                f"{self._profiler.name} did not summarise {_documents(self._profiles.unread)}; their summaries are statistical. "
                f"To try again, index with --force. What went wrong last: {self._profiles.last_reason}"
            )
        return notes


def _documents(count: int) -> str:
    return f"{count} document" if count == 1 else f"{count} documents"
