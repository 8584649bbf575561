"""Passages with what the library knows of their documents: evidence for the answer, and one result per document for the person."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from agents.confidence.agent import UnquotedSection
from core.answers import Answer, Evidence, EvidenceBlock, EvidencePage
from core.documents import Block, Document, ExtractedDocument
from core.language.sentences import word_count
from core.ports import DocumentContent, Library
from core.search import Passage
from core.search_schemas import PassageOut, ResultOut

_SECTIONS = 24  # at most so many open sections are offered to Themis


@dataclass(frozen=True, slots=True)
class GatheredEvidence:
    """`evidence` keeps the order of the passages; `lost_passages` counts the passages whose document changed or went while the question was
    answered."""

    evidence: list[Evidence]
    documents: dict[str, Document]
    contents: dict[str, DocumentContent]
    lost_passages: int

    @property
    def passages(self) -> list[Passage]:
        return [each.passage for each in self.evidence]


async def gather_evidence(passages: Sequence[Passage], tenant: str, library: Library) -> GatheredEvidence:
    """Read the documents of the passages once each. A passage whose text is no longer what stands at its span is left out."""
    ids = list(dict.fromkeys(passage.document_id for passage in passages))
    documents, loaded = await asyncio.gather(library.documents(tenant, ids), library.contents(tenant, ids))
    contents = {document_id: content for document_id, content in loaded.items() if document_id in documents}
    valid = [passage for passage in passages if _is_current(passage, contents.get(passage.document_id))]
    best = max((passage.anchor_score for passage in valid), default=0.0)
    evidence = [_evidence(passage, documents[passage.document_id], contents[passage.document_id], best) for passage in valid]
    return GatheredEvidence(evidence, documents, contents, len(passages) - len(valid))


def _is_current(passage: Passage, content: DocumentContent | None) -> bool:
    return content is not None and content.text[passage.start : passage.end] == passage.content


def _evidence(passage: Passage, document: Document, content: DocumentContent, best: float) -> Evidence:
    return Evidence(
        passage=passage,
        filename=document.filename,
        title=document.title or document.filename.rsplit(".", 1)[0],
        generation=content.generation,
        doc_type=document.doc_type,
        modified_at=document.modified_at.isoformat() if document.modified_at else "",
        dated=document.created_at.date().isoformat() if document.created_at else "",
        score=min(1.0, max(0.0, passage.anchor_score / best)) if best > 0 else 1.0,
        language=document.language,
        blocks=blocks_within(content.document, passage.start, passage.end),
        pages=_pages_within(content.document, passage.start, passage.end),
    )


def _pages_within(document: ExtractedDocument, start: int, end: int) -> list[EvidencePage]:
    """Return the document's pages that touch [start, end), whole."""
    first = bisect_left(document.pages, start + 1, key=lambda page: page.end)
    touched = takewhile(lambda page: page.start < end, islice(document.pages, first, None))
    return [EvidencePage(number=page.number, start=page.start, end=page.end) for page in touched]


def blocks_within(document: ExtractedDocument, start: int, end: int) -> list[EvidenceBlock]:
    """Return the document's blocks that touch [start, end), clipped to it."""
    first = bisect_left(document.blocks, start + 1, key=lambda block: block.end)
    found = []
    for block in document.blocks[first:]:
        if block.start >= end:
            break
        header = _header_before(document, block, start)
        clipped = EvidenceBlock(kind=block.kind, start=max(block.start, start), end=min(block.end, end), level=block.level)
        found.append(clipped.model_copy(update={"header": header[1], "header_start": header[0]}) if header is not None else clipped)
    return found


def _header_before(document: ExtractedDocument, block: Block, start: int) -> tuple[int, str] | None:
    """Return where the header of a table stands that begins before `start`, and its text; None for anything else."""
    if block.table is None or block.start >= start or block.table >= len(document.tables):
        return None
    table = document.tables[block.table]
    first, last = table.row_spans[0] if table.row_spans and table.header_rows else (block.start, block.start)
    return first, document.text[first:last]


def make_results(passages: Sequence[Passage], documents: dict[str, Document], top_k: int) -> list[ResultOut]:
    """Return one result per document, in the order of its best passage; scores in 0..1."""
    grouped: dict[str, list[Passage]] = {}
    for passage in passages:
        if passage.document_id in documents:
            grouped.setdefault(passage.document_id, []).append(passage)
    scale = max(1.0, max((passage.anchor_score for passage in passages), default=1.0))
    return [_result(documents[each], found, scale) for each, found in list(grouped.items())[:top_k]]


def _result(document: Document, passages: list[Passage], scale: float) -> ResultOut:
    best = max(passages, key=lambda passage: passage.anchor_score)
    return ResultOut(
        id=document.id,
        filename=document.filename,
        file_path=document.file_path,
        score=round(min(1.0, max(0.0, best.anchor_score / scale)), 4),
        detailed_summary=document.detailed_summary,
        keywords=document.keywords,
        passages=[_passage_out(passage) for passage in passages],
        title=document.title,
        file_type=document.file_type,
        doc_type=document.doc_type,
        modified_at=document.modified_at,
        page_unit=document.page_unit,
        why="",
        why_sentence="",
        bars={},
        stages=best.stages,
        graph_context=best.graph_context,
    )


def _passage_out(passage: Passage) -> PassageOut:
    return PassageOut.model_validate(passage.model_dump(include=set(PassageOut.model_fields)))


def unquoted_sections(results: Sequence[ResultOut], gathered: GatheredEvidence, answer: Answer) -> list[UnquotedSection]:
    """Return the sections of the results' documents that the answer does not quote, nearest to the quoted ones first; then the documents'
    keywords."""
    found: list[UnquotedSection] = []
    for result in results:
        content, document = gathered.contents.get(result.id), gathered.documents[result.id]
        if content is None:
            continue
        title = document.title or document.filename
        spans = [(citation.start, citation.end) for citation in answer.citations if citation.document_id == result.id]
        found += _unquoted_parts(content, title, spans)[:8]
        found += [UnquotedSection(document_id=result.id, title=title, heading=word, words=document.characters // 6) for word in document.keywords[:3]]
    return found[:_SECTIONS]


def _unquoted_parts(content: DocumentContent, title: str, spans: Sequence[tuple[int, int]]) -> list[UnquotedSection]:
    centre = spans[0][0] if spans else 0
    sections = [
        section
        for section in content.document.sections
        if section.path and not any(start < section.end and end > section.start for start, end in spans)
    ]
    nearest = sorted(sections, key=lambda section: abs(section.start - centre))[:16]
    return [
        UnquotedSection(
            document_id=content.document_id, title=title, heading=section.path[-1], words=word_count(content.text[section.start : section.end][:4000])
        )
        for section in nearest
    ]
