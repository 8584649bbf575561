"""The language model's part in reading the knowledge graph, over one run: asked for each document, given up where it does not answer, and told."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from core.documents import Chunk
from core.ports import GraphEnricher
from ingestion.worker_pool import Extraction

_log = logging.getLogger(__name__)
_GIVEN_UP = 2  # documents in a row of which the model read nothing; then the run goes on without it


class Enriching:
    """Counts what the model left out, so that the run can say it. Without an enricher the rules' graph is all there is."""

    def __init__(self, enricher: GraphEnricher | None = None) -> None:
        self._enricher = enricher
        self._in_a_row = self._unread = self._partly = self._cut = 0
        self._why = ""

    async def enrich(self, extraction: Extraction, chunks: Sequence[Chunk], title: str) -> Extraction:
        """The extraction with the graph that the model added to; as it is where the model read nothing of it."""
        if self._enricher is None or extraction.graph is None:
            return extraction
        if self._in_a_row >= _GIVEN_UP:
            self._unread += 1
            return extraction
        enriched = await self._enricher.enrich(extraction.document, chunks, title, extraction.graph)
        self._cut += enriched.cut
        if enriched.unread:
            self._why = enriched.unread
            _log.warning("The language model did not read all of a document for the knowledge graph: %s", enriched.unread)
        if enriched.unread and enriched.graph is extraction.graph:
            self._unread += 1
            self._in_a_row += 1
        else:
            self._partly += bool(enriched.unread)
            self._in_a_row = 0
        return replace(extraction, graph=enriched.graph)

    def notes(self) -> list[str]:
        """What a person should know of it at the end of the run."""
        if self._enricher is None:
            return []
        notes = []
        if self._unread or self._partly:
            left = [("read nothing of", self._unread), ("read only a part of", self._partly)]
            said = " and ".join(f"{verb} {_documents(count)}" for verb, count in left if count)
            notes.append(
                f"{self._enricher.name} {said} for the knowledge graph; what the rules found there stands. To try again, index with --force. "
                f"What went wrong last: {self._why}"
            )
        if self._cut:
            notes.append(
                f"{self._enricher.name} read only the beginning of {_documents(self._cut)} for the knowledge graph (graph.model_characters)."
            )
        return notes


def _documents(count: int) -> str:
    return f"{count} document" if count == 1 else f"{count} documents"
