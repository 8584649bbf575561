"""Attached documents for the tests of Daedalus: files read as the indexer reads them, without a library."""

from __future__ import annotations

from pathlib import Path

from agents.attached.agent import Material
from core.documents import Document, DocumentProfile, DocumentState, ExtractedDocument
from core.ports import DocumentContent
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.workers.process import Extraction, extract_file

LIMITS = ExtractionLimits()


def material_of_file(path: Path) -> Material | None:
    """A file as Prometheus hands it on; None for one that cannot be read."""
    found = extract_file(path, LIMITS)
    return _material(found.document, found.profile, path.name, found.content_hash) if isinstance(found, Extraction) else None


def material_of_text(text: str, name: str = "note.md") -> Material:
    """A text as a file of this name would be read."""
    from ingestion.enrichment.profile import profile_document
    from ingestion.readers.registry import extract

    document = extract(Source(text.encode(), name, LIMITS))
    return _material(document, profile_document(document, name), name, "0" * 64)


def _material(extracted: ExtractedDocument, profile: DocumentProfile, name: str, content_hash: str) -> Material:
    from tests.support.stores import THEN

    document = Document(
        id=name, filename=name, file_path=f"/attached/{name}", paths=[f"/attached/{name}"], file_type=Path(name).suffix, doc_type=profile.doc_type,
        title=profile.title, summary=profile.summary, detailed_summary=profile.detailed_summary, keywords=list(profile.keywords), entities=[],
        topics=list(profile.topics), language=profile.language, created_at=None, modified_at=THEN, indexed_at=THEN, file_size=len(extracted.text),
        pages=len(extracted.pages), page_unit=extracted.page_unit, chunks=1, characters=len(extracted.text), state=DocumentState.INDEXED, reason="",
        parser=extracted.parser, content_hash=content_hash, generation=1, collection="default",
    )  # fmt: skip
    return Material(document, DocumentContent(name, 1, extracted.text, extracted))
