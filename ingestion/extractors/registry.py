"""The table from the detected type of a file to the function that reads it."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from core.documents import ExtractedDocument
from core.errors import Empty
from ingestion.detection import FileType, detect
from ingestion.extractors.compound import SIGNATURE
from ingestion.extractors.source import Extractor, Source

# Modules are imported when the first file of their type comes: each brings a library that the others do not need.
EXTRACTORS: dict[FileType, str] = {
    FileType.PDF: "ingestion.extractors.pdf.reader",
    FileType.DOCX: "ingestion.extractors.office.docx",
    FileType.XLSX: "ingestion.extractors.office.xlsx",
    FileType.PPTX: "ingestion.extractors.office.pptx",
    FileType.HTML: "ingestion.extractors.html",
    FileType.MARKDOWN: "ingestion.extractors.markdown",
    FileType.TEXT: "ingestion.extractors.plain",
    FileType.CSV: "ingestion.extractors.delimited",
    FileType.JSON: "ingestion.extractors.jsons",
    FileType.EMAIL: "ingestion.extractors.mail.email",
    FileType.CODE: "ingestion.extractors.code",
    FileType.ZIP: "ingestion.containers.listing",
    FileType.TAR: "ingestion.containers.listing",
    FileType.COMPRESSED: "ingestion.containers.listing",
    FileType.MBOX: "ingestion.containers.listing",
    FileType.ODF: "ingestion.extractors.odf.reader",
    FileType.EPUB: "ingestion.extractors.epub",
    FileType.RTF: "ingestion.extractors.rtf.reader",
    FileType.DOC: "ingestion.extractors.legacy.word",
    FileType.PPT: "ingestion.extractors.legacy.slides",
    FileType.XLS: "ingestion.extractors.legacy.workbooks",
    FileType.MSG: "ingestion.extractors.mail.outlook",
    FileType.XML: "ingestion.extractors.xml_data",
    FileType.YAML: "ingestion.extractors.settings_files",
    FileType.TOML: "ingestion.extractors.settings_files",
    FileType.LATEX: "ingestion.extractors.latex",
    FileType.IMAGE: "ingestion.extractors.images",
    FileType.SIGNED: "ingestion.containers.listing",
    FileType.TNEF: "ingestion.containers.listing",
}
# Types whose readers take a file of more than `source.LARGE` bytes piece by piece, from `Source.path`.
STREAMED: frozenset[FileType] = frozenset(
    {FileType.ZIP, FileType.TAR, FileType.COMPRESSED, FileType.MBOX, FileType.CSV, FileType.TEXT, FileType.JSON, FileType.CODE, FileType.MARKDOWN}
)


def extract(source: Source) -> ExtractedDocument:
    """Read a file by its content.

    Raises:
        ExtractionError: one of its five kinds, with a sentence that says why.
    """
    if not source.data:
        raise Empty("The file is empty (0 bytes).")
    if source.data.startswith(SIGNATURE):
        from ingestion.extractors.office.locked import is_locked_package, unlocked

        source = unlocked(source) if is_locked_package(source.data) else source
    kind = detect(source)
    reader = cast(Extractor, import_module(EXTRACTORS[kind]).extract)
    return reader(source)
