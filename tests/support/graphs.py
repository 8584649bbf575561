"""Documents for the tests of the knowledge graph, made in a line, and a store of graphs in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from core.documents import BlockKind, Chunk, ExtractedDocument, Page
from core.errors import NotFound
from core.graph import DocumentGraph, GraphEvidence
from core.ports.graph_store import GraphState, StatementPlace, StoredGraph, stored_parts
from core.search import Filters
from graph.extraction import extract_graph
from graph.mentions import RelationStatement, ShownGraph, SurfaceForm
from tests.support.ingestion import document

THEN = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def make_paragraphs(*texts: str) -> ExtractedDocument:
    """A document of paragraphs; one that begins with "# " is a heading, one with " | " a table whose first row names the columns."""
    return document(
        [
            (BlockKind.HEADING, text[2:]) if text.startswith("# ") else (BlockKind.TABLE, text) if " | " in text else (BlockKind.PARAGRAPH, text)
            for text in texts
        ]
    )


def graph_of(*texts: str, title: str = "") -> DocumentGraph:
    return extract_graph(make_paragraphs(*texts), "file.txt", title)


def names_of(graph: DocumentGraph) -> set[tuple[str, str]]:
    """(type, name) of each entity."""
    return {(each.entity_type.value, each.name) for each in graph.entities}


class MemoryGraphStore:
    """core.ports.graph_store.GraphStore in a dictionary: a chunk for each block of a document. Filters restrict by document id alone."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, str], StoredGraph] = {}
        self.texts_of: dict[str, ExtractedDocument] = {}
        self.pages_of: dict[str, tuple[Page, ...]] = {}
        self._chunks: dict[int, tuple[str, str]] = {}
        self._sequence = 0
        self._first = 1

    def put_document(self, document_id: str, made: ExtractedDocument, title: str = "", tenant: str = "default") -> StoredGraph:
        chunks = [Chunk(ordinal, block.start, block.end, 5) for ordinal, block in enumerate(made.blocks)]
        self._sequence += 1
        graph = extract_graph(made, f"{document_id}.txt", title)
        entities, relationships = stored_parts(graph, chunks, THEN + timedelta(seconds=self._sequence))
        stored = StoredGraph(document_id, 1, self._sequence, self._first, len(chunks), f"{document_id}.txt", title, "rules", entities, relationships)
        for chunk in chunks:
            self._chunks[self._first + chunk.ordinal] = (tenant, made.text[chunk.start : chunk.end])
        self._first += len(chunks)
        self.stored[tenant, document_id] = stored
        self.texts_of[document_id] = made
        return stored

    def remove_document(self, document_id: str, tenant: str = "default") -> None:
        del self.stored[tenant, document_id]

    async def tenants(self) -> list[str]:
        return sorted({tenant for tenant, _ in self.stored})

    async def version(self, tenant: str) -> tuple[int, int]:
        sequences = [each.sequence for (owner, _), each in self.stored.items() if owner == tenant]
        return len(sequences), max(sequences, default=0)

    async def state(self, tenant: str) -> GraphState:
        return GraphState(await self.version(tenant), {each: stored.sequence for (owner, each), stored in self.stored.items() if owner == tenant})

    async def load(self, tenant: str, document_ids: Sequence[str]) -> list[StoredGraph]:
        return [self.stored[tenant, each] for each in document_ids if (tenant, each) in self.stored]

    async def evidence(self, tenant: str, places: Sequence[StatementPlace]) -> dict[StatementPlace, GraphEvidence]:
        found = {}
        for document_id, sequence, ordinal in places:
            if (tenant, document_id) in self.stored and self.stored[tenant, document_id].sequence == sequence:
                said = self.stored[tenant, document_id].relationships[ordinal]
                text = self.texts_of[document_id].text[said.start : said.end]
                found[document_id, sequence, ordinal] = GraphEvidence(
                    document_id=document_id, generation=1, filename=f"{document_id}.txt", chunk_id=None, start=said.start, end=said.end, page=None,
                    text=text,
                )  # fmt: skip
        return found

    async def filter_documents(self, tenant: str, filters: Filters) -> set[str]:
        return {document_id for owner, document_id in self.stored if owner == tenant and document_id in filters.document_ids}

    async def texts(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, str]:
        return {each: self._chunks[each][1] for each in chunk_ids if self._chunks.get(each, ("",))[0] == tenant}

    async def pages(self, tenant: str, document_id: str) -> tuple[Page, ...]:
        if (tenant, document_id) not in self.stored:
            raise NotFound("There is no such document.")
        return self.texts_of[document_id].pages


def shown_edges(shown: ShownGraph) -> Iterator[tuple[SurfaceForm, SurfaceForm, dict[str, list[RelationStatement]]]]:
    """Yield the pairs of names that sentences relate, each once, with the sentences; none with terms."""
    statements, begins = (each.tolist() for each in shown.arrays.stated_pairs(terms=False))
    for begin, end in zip(begins, [*begins, len(statements)][1:], strict=True):
        one, other = (shown.surface(column[statements[begin]]) for column in (shown.arrays.sources, shown.arrays.targets))
        yield one, other, {"said": [shown.statement(each) for each in statements[begin:end]]}
