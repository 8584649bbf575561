"""PowerPoint 97 to 2003 (.ppt, .pps, .pot): by LibreOffice where it is installed, else slides, titles, tables and notes, read here."""

from __future__ import annotations

import struct
from dataclasses import replace

from core.documents import BlockKind, ExtractedDocument, Metadata, PageUnit
from core.errors import ExtractionError, Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line, clean_text
from ingestion.readers.base.source import Source
from ingestion.readers.base.table_grid import guess_header_rows
from ingestion.readers.legacy.ole_summary import summary
from ingestion.readers.legacy.powerpoint_binary import BODIES, TITLES, PowerPointBinary, SlideContent, SlideText
from ingestion.readers.legacy.powerpoint_decryption import unlock_stream
from ingestion.readers.legacy.soffice import convert_document, program

FORMATS = (
    Format(
        name="ppt",
        title="PowerPoint presentation",
        kind=FileKind.PRESENTATION,
        viewer=Viewer.SLIDES,
        suffixes=(".ppt",),
        rare_suffixes=(".pps", ".pot"),
        name_role=NameRole.PROMISES,
        ole_streams=("PowerPoint Document",),
        spoken_endings=("ppt",),
    ),
)
_ENCRYPTED_TOKEN = 0xF3D1C4DF
_WITHOUT_LAYOUT = "Read without PowerPoint's layout: charts and drawings may be missing; install LibreOffice Impress to read all of it."
_NOT_CONVERTED = "LibreOffice could not convert it: it was read without PowerPoint's layout, charts and drawings may be missing."
_LOCKED_LAYOUT = (
    "Read without PowerPoint's layout, as it is locked: charts and drawings may be missing; save a copy without a password to read all of it."
)


def extract(source: Source) -> ExtractedDocument:
    """Read a .ppt, .pps or .pot.

    Raises:
        Malformed: its container is damaged.
        Encrypted: it needs a password, or another one.
        Empty: no slide holds any text.
    """
    container = CompoundFile(source.data)
    stream, user = container.stream("PowerPoint Document"), container.stream("Current User")
    token, edit = struct.unpack_from("<II", user, 12) if len(user) >= 20 else (0, -1)
    if len(stream) < 8:
        raise Malformed("This PowerPoint presentation is damaged: its slides are missing.")
    locked = token == _ENCRYPTED_TOKEN or bool(container.stream("EncryptedSummary"))
    if locked:
        stream = unlock_stream(stream, edit, source.password)
    office = convert_document(source.data, ".ppt", "pptx", source.limits) if not locked else None
    if office is not None and (found := _read_converted(source, office, summary(container))):
        return found
    builder = DocumentBuilder("ppt", page_unit=PageUnit.SLIDE, limit=source.limits.characters)
    builder.metadata = summary(container)
    _place_presentation(builder, PowerPointBinary(stream, edit), source)
    builder.warn(_LOCKED_LAYOUT if locked else _WITHOUT_LAYOUT if program() is None else _NOT_CONVERTED)
    return builder.build()


def _read_converted(source: Source, package: bytes, about: Metadata) -> ExtractedDocument | None:
    from ingestion.readers.office import pptx

    try:
        document = pptx.extract(replace(source, data=package, name=f"{source.stem}.pptx"))
    except ExtractionError:
        return None
    return replace(document, parser="ppt+libreoffice", metadata=about if about.title or about.authors or about.created_at else document.metadata)


def _place_presentation(builder: DocumentBuilder, presentation: PowerPointBinary, source: Source) -> None:
    slides = presentation.slides(source.limits.pages)
    if slides is None:
        builder.warn("The order of the slides is damaged: all texts were read as they lie in the file.")
        for text in presentation.all_texts():
            _place_text(builder, text)
        return
    for number, slide in enumerate(slides, start=1):
        builder.page(f"{number} (hidden)" if slide.hidden else str(number))
        _place_slide(builder, slide)


def _place_slide(builder: DocumentBuilder, slide: SlideContent) -> None:
    """Place the title first, then the shapes in their order, then the notes."""
    texts = [text for shape in slide.shapes for text in shape.texts]
    title = next((text for text in texts if text.kind in TITLES and len(text.text) <= 300), None)
    if title is not None:
        builder.heading(clean_line(title.text.replace("\x0b", " ")), 1)
    else:
        builder.section()
    for shape in slide.shapes:
        for text in shape.texts:
            if text is not title:
                _place_text(builder, text)
        builder.table(shape.rows, header_rows=guess_header_rows(shape.rows), spans=shape.spans)
    for note in slide.notes:
        builder.block(BlockKind.NOTE, note)


def _place_text(builder: DocumentBuilder, text: SlideText) -> None:
    lines = [line for line in clean_text(text.text.replace("\x0b", " ")).split("\n") if line]
    if text.kind in BODIES and len(lines) > 1:
        for line in lines:
            builder.list_item(line)
    else:
        builder.paragraph("\n".join(lines))
