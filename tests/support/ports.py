"""A small library in memory with a retriever and a composer over it: the ports of Zeus, deterministic and without a model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from agents.text.question_words import content_words
from core.answers import Answer, AnswerSentence, Citation, Evidence
from core.documents import Block, BlockKind, Document, DocumentState, ExtractedDocument, LedgerLine, Metadata, PageUnit, Section, StoredChunk
from core.errors import NotFound
from core.ownership import shared_library
from core.ports import DocumentContent, DocumentNames, LibraryTotals, Root
from core.search import Candidate, Filters, Passage, Retrieval, RetrievalRequest, StageReport, StageScore
from orchestration.zeus import Dependencies, Options
from tests.support.plain_memory import PlainMemory
from tests.support.stores import THEN, MemoryConversations, MemoryTraces

NOW = datetime(2026, 5, 6, 9, 0, tzinfo=UTC)  # a Wednesday


def make_document(
    document_id: str, path: str, title: str, sections: Sequence[tuple[str, str]], keywords: Sequence[str] = ()
) -> tuple[Document, DocumentContent]:
    """A document of (heading, text) sections; each section's text is its heading, a line break, its text and an empty line."""
    text, blocks, spans = "", [], []
    for heading, body in sections:
        start = len(text)
        blocks.append(Block(BlockKind.HEADING, start, start + len(heading), level=1))
        text += f"{heading}\n"
        blocks.append(Block(BlockKind.PARAGRAPH, len(text), len(text) + len(body)))
        text += f"{body}\n\n"
        spans.append(Section((heading,), start, len(text), level=1))
    filename = path.rsplit("/", 1)[-1]
    document = Document(
        id=document_id, filename=filename, file_path=path, paths=[path], file_type="." + filename.rsplit(".", 1)[-1], doc_type="text", title=title,
        summary=f"About {title}.", detailed_summary=f"About {title}, at length.", keywords=list(keywords), entities=[], topics=[], language="en",
        created_at=None, modified_at=THEN, indexed_at=THEN, file_size=len(text), pages=1, page_unit=PageUnit.NONE, chunks=len(sections),
        characters=len(text), state=DocumentState.INDEXED, reason="", parser="fake", content_hash=document_id * 4, generation=1, collection="default",
    )  # fmt: skip
    extracted = ExtractedDocument(text, tuple(blocks), tuple(spans), (), (), PageUnit.NONE, Metadata(title=title), "fake")
    return document, DocumentContent(document_id, 1, text, extracted)


class FakeLibrary:
    """core.ports.Library over documents of one tenant; a section is a chunk, chunk ids count from 1."""

    def __init__(self, documents: Sequence[tuple[Document, DocumentContent]], tenant: str = "default", roots: Sequence[str] = ("/library",)) -> None:
        self.tenant, self._roots = tenant, roots
        self.by_id = {document.id: document for document, _ in documents}
        self.texts = {document.id: content for document, content in documents}
        self.chunk_list = [chunk for _, content in documents for chunk in _chunks(content)]
        self.chunk_list = [chunk.model_copy(update={"id": number}) for number, chunk in enumerate(self.chunk_list, 1)]

    def _documents_of(self, tenant: str) -> dict[str, Document]:
        return self.by_id if shared_library(tenant) == self.tenant else {}  # whoever has a library of their own reads the tenant's, too

    async def document(self, tenant: str, document_id: str) -> Document:
        if document_id not in self._documents_of(tenant):
            raise NotFound(f"There is no document {document_id}.")
        return self.by_id[document_id]

    async def documents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, Document]:
        return {each: self._documents_of(tenant)[each] for each in document_ids if each in self._documents_of(tenant)}

    async def names(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentNames]:
        return {each: DocumentNames(found.title, found.filename) for each, found in (await self.documents(tenant, document_ids)).items()}

    async def list_documents(
        self, tenant: str, *, filters: Filters, text: str = "", limit: int = 50, cursor: str | None = None
    ) -> tuple[list[Document], int, str | None]:
        found = sorted((each for each in self._documents_of(tenant).values() if passes_filters(each, filters)), key=lambda each: each.filename)
        return found[:limit], len(found), None

    async def content(self, tenant: str, document_id: str) -> DocumentContent:
        await self.document(tenant, document_id)
        return self.texts[document_id]

    async def contents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentContent]:
        return {each: await self.content(tenant, each) for each in await self.documents(tenant, document_ids)}

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        return {chunk.id: chunk for chunk in self.chunk_list if chunk.id in chunk_ids and chunk.document_id in self._documents_of(tenant)}

    async def section_chunks(self, tenant: str, document_id: str, first: int, last: int) -> list[StoredChunk]:
        return [chunk for chunk in self.chunk_list if chunk.document_id == document_id and first <= chunk.ordinal <= last]

    async def sample_chunks(self, tenant: str, limit: int) -> list[StoredChunk]:
        return [chunk for chunk in self.chunk_list if chunk.document_id in self._documents_of(tenant)][:limit]

    async def ledger(
        self, tenant: str, *, states: Sequence[DocumentState] = (), root: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> tuple[list[LedgerLine], int, str | None]:
        return [], 0, None

    async def roots(self, tenant: str) -> list[Root]:
        return [Root(path, "default", THEN, THEN) for path in self._roots] if shared_library(tenant) == self.tenant else []

    async def totals(self, tenant: str) -> LibraryTotals:
        count = len(self._documents_of(tenant))
        return LibraryTotals(count, count, len(self.chunk_list), len(self.chunk_list), 1000, {DocumentState.INDEXED: count}, {})

    def change_text(self, document_id: str, text: str) -> None:
        """Another text for the document, as after an edit that the index has not seen."""
        content = self.texts[document_id]
        self.texts[document_id] = replace(content, generation=content.generation + 1, text=text)


def passes_filters(document: Document, filters: Filters) -> bool:
    return (
        (not filters.file_types or document.file_type in filters.file_types)
        and (not (listed := filters.listed_documents()) or document.id in listed)
        and (filters.path_prefix is None or any(path.startswith(filters.path_prefix + "/") for path in document.paths))
    )


def _chunks(content: DocumentContent) -> list[StoredChunk]:
    return [
        StoredChunk(
            id=0, document_id=content.document_id, generation=1, ordinal=ordinal, start=section.start, end=section.end - 2, page=None,
            section=list(section.path), kind=BlockKind.PARAGRAPH, tokens=20, prefix="", text=content.text[section.start : section.end - 2],
        )
        for ordinal, section in enumerate(content.document.sections)
    ]  # fmt: skip


class FakeRetriever:
    """core.ports.Retriever: the share of the question's content words in a chunk. `fail` maps a stage to what it raises, `hang` stops in one."""

    def __init__(self, library: FakeLibrary) -> None:
        self.library = library
        self.fail: dict[str, Exception] = {}
        self.hang = ""
        self.requests: list[RetrievalRequest] = []

    async def _enter(self, stage: str) -> None:
        if stage in self.fail:
            raise self.fail[stage]
        if stage == self.hang:
            await asyncio.Event().wait()

    async def retrieve(self, request: RetrievalRequest) -> Retrieval:
        self.requests.append(request)
        await self._enter("retrieve")
        wanted = set(content_words(request.text))
        scored = []
        for chunk in self.library.chunk_list:
            document = (await self.library.documents(request.tenant, [chunk.document_id])).get(chunk.document_id)
            title = document.title if document else ""
            score = len(wanted & set(content_words(f"{title} {chunk.text}"))) / max(1, len(wanted))
            if document and passes_filters(document, request.filters) and score > 0:
                scored.append((score, chunk))
        scored.sort(key=lambda pair: (-pair[0], pair[1].id))
        candidates = [
            Candidate(chunk_id=chunk.id, document_id=chunk.document_id, score=score, stages=_stages(rank, score))
            for rank, (score, chunk) in enumerate(scored[:50], 1)
        ]
        best = candidates[0].score if candidates else 0.0
        report = StageReport(stage="fusion", entered=len(scored), left=len(candidates), duration_ms=0.1)
        return Retrieval(candidates=candidates, reports=[report], signals={"dense_top1": best, "lexical_ratio": best, "coverage": best})

    async def rerank(self, request: RetrievalRequest, retrieval: Retrieval) -> Retrieval:
        await self._enter("rerank")
        staged = [
            candidate.model_copy(update={"stages": {**candidate.stages, "rerank": StageScore(rank=rank, score=candidate.score)}})
            for rank, candidate in enumerate(retrieval.candidates, 1)
        ]
        return retrieval.model_copy(update={"candidates": staged})

    async def assemble_passages(self, request: RetrievalRequest, retrieval: Retrieval, limit: int) -> tuple[list[Passage], Retrieval]:
        await self._enter("passages")
        chunks = await self.library.chunks(request.tenant, [candidate.chunk_id for candidate in retrieval.candidates])
        found = [
            Passage(
                content=chunk.text, section=chunk.section, document_id=chunk.document_id, start=chunk.start, end=chunk.end, chunks=[chunk.id],
                page=None, anchor=chunk.id, anchor_score=candidate.score, coherence_score=1.0, stages=candidate.stages,
            )
            for candidate in retrieval.candidates[:limit]
            if (chunk := chunks.get(candidate.chunk_id))
        ]  # fmt: skip
        return found, retrieval


def _stages(rank: int, score: float) -> dict[str, StageScore]:
    return {name: StageScore(rank=rank, score=score) for name in ("lexical", "dense", "fusion")}


class FakeComposer:
    """core.ports.Composer: quotes the paragraph of the first passages, whole."""

    def __init__(self, sentences: int = 2) -> None:
        self.sentences = sentences
        self.questions: list[str] = []
        self.hang = False

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        self.questions.append(question)
        if self.hang:
            await asyncio.Event().wait()
        citations = [_citation(number, each) for number, each in enumerate(evidence[: self.sentences], 1)]
        sentences = [AnswerSentence(text=each.quote, citations=[each.number], support="quoted", score=1.0) for each in citations]
        return Answer(text=" ".join(f"{each.text} [{each.citations[0]}]" for each in sentences), sentences=sentences, citations=citations)


def _citation(number: int, evidence: Evidence) -> Citation:
    block = next(block for block in evidence.blocks if block.kind is BlockKind.PARAGRAPH)
    passage = evidence.passage
    return Citation(
        number=number, document_id=passage.document_id, generation=evidence.generation, filename=evidence.filename, page=None, start=block.start,
        end=block.end, quote=passage.content[block.start - passage.start : block.end - passage.start], section=passage.section,
    )  # fmt: skip


def not_found_answer(question: str, evidence: Sequence[Evidence]) -> Answer:
    return Answer(text="", found=False, generated_by="none")


def coverage_probability(signals: Mapping[str, float]) -> float:
    """The fake probability: the coverage of the question, plainly; without it the share of its words in the best passage, which is the same."""
    return signals.get("coverage", signals.get("lexical_ratio", 0.0))


def sample_library() -> FakeLibrary:
    """Three documents: a lease, a policy and a sheet of notes."""
    lease = make_document(
        "lease", "/library/legal/halden-lease.pdf", "Halden lease",
        [("Termination", "The tenant must give six months of written notice before the end of the lease."),
         ("Repairs", "The landlord pays for the roof and the outer walls, while the tenant keeps windows, doors and floors in repair at all times."),
         ("Rent", "The yearly rent is 48,000 euros, due in four equal payments on the first day of each quarter, and rises with the price index.")],
        ["landlord", "tenant"],
    )  # fmt: skip
    policy = make_document(
        "policy", "/library/travel-policy.docx", "Travel policy",
        [("Hotels", "Hotels are paid up to 140 euros a night; a higher price needs the written approval of the head of the department in advance."),
         ("Trains", "Second class is booked for train journeys under four hours, first class for longer ones, and seats are always reserved.")],
        ["hotel", "approval"],
    )  # fmt: skip
    notes = make_document("notes", "/library/notes.txt", "Meeting notes", [("May", "The roof of the Halden building was mended in May.")])
    return FakeLibrary([lease, policy, notes])


def make_dependencies(library: FakeLibrary | None = None, **changes: object) -> Dependencies:
    """Zeus's dependencies on fakes; `changes` replace fields."""
    library = library or sample_library()
    clock: Callable[[], datetime] = lambda: NOW  # noqa: E731 # a fixed time
    made = Dependencies(
        retriever=FakeRetriever(library),
        library=library,
        composer=FakeComposer(),
        traces=MemoryTraces(),
        conversations=MemoryConversations(),
        memory=PlainMemory(),
        probability=coverage_probability,
        not_found_answer=not_found_answer,
        options=Options(),
        now=clock,
    )
    return replace(made, **changes)  # type: ignore[arg-type] # fields by name
