"""Which module reads a file of a detected type, by what the readers declare."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from core.documents import ExtractedDocument
from core.errors import Empty
from core.format_table import FORMATS, FileType
from ingestion.readers.base.compound_file import SIGNATURE
from ingestion.readers.base.source import Extractor, Source
from ingestion.readers.detection import detect

# Modules are imported when the first file of their type comes: each brings a library that the others do not need.
EXTRACTORS = {FileType(each.type): each.reader for each in FORMATS}
# Types whose readers take a file of more than `source.LARGE_FILE_BYTES` bytes piece by piece, from `Source.path`.
STREAMED = frozenset(FileType(each.type) for each in FORMATS if each.is_streamed)


def extract(source: Source) -> ExtractedDocument:
    """Detect the type of a file and read it with the reader of that type.

    Raises:
        ExtractionError: one of its five kinds, with a sentence that says why.
    """
    if not source.data:
        raise Empty("The file is empty (0 bytes).")
    if source.data.startswith(SIGNATURE):
        from ingestion.readers.office.office_decryption import is_locked_package, unlock_package

        source = unlock_package(source) if is_locked_package(source.data) else source
    kind = detect(source)
    reader = cast(Extractor, import_module(EXTRACTORS[kind]).extract)
    return reader(source)
