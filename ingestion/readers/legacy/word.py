"""Word 6 to 2003 (.doc, .dot): by LibreOffice where it is installed, else the text with headings, lists, tables and notes, read here."""

from __future__ import annotations

import re
import struct
from dataclasses import replace

from core.documents import BlockKind, ExtractedDocument, Metadata
from core.errors import Encrypted, ExtractionError, Malformed, Sealed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.document_builder import DocumentBuilder, clean_text
from ingestion.readers.base.source import Source
from ingestion.readers.legacy.ciphers import DEFAULT_PASSWORD, rc4_decryptor
from ingestion.readers.legacy.ole_summary import summary
from ingestion.readers.legacy.soffice import convert_document, program
from ingestion.readers.legacy.word_binary import ParagraphProperties, WordBinary, is_encrypted, is_obfuscated, table_stream
from ingestion.readers.rtf.rtf_tables import TableRows

FORMATS = (
    Format(
        name="doc",
        title="Word document",
        kind=FileKind.WORD,
        viewer=Viewer.TEXT,
        suffixes=(".doc",),
        rare_suffixes=(".dot",),
        name_role=NameRole.PROMISES,
        ole_streams=("WordDocument",),
        spoken_with_files=("doc",),
    ),
)
_WORD_97, _WORD_95 = 0xA5EC, 0xA5DC
_FIELD = re.compile("[\x13\x14\x15]")
_WITHOUT_LAYOUT = "Read without Word's layout: tables and lists may be plainer than they are; install LibreOffice to read all of it."
_NOT_CONVERTED = "LibreOffice could not convert it: it was read without Word's layout, tables and lists may be plainer than they are."
_LOCKED = "The document is encrypted: it needs a password."
_WRONG = "The document is encrypted, and the password that was given does not open it."


def extract(source: Source) -> ExtractedDocument:
    """Read a .doc or .dot.

    Raises:
        Malformed: its container or its tables are damaged.
        Encrypted: it needs a password.
        Empty: no text in it.
    """
    container = CompoundFile(source.data)
    document = container.stream("WordDocument")
    if len(document) < 0x60:
        raise Malformed("This Word document is damaged: its text is missing.")
    table, data = container.stream(table_stream(document)), container.stream("Data")
    locked = is_encrypted(document)
    if locked:
        document, table, data = _unlock_streams(document, table, data, source.password)
    office = convert_document(source.data, ".doc", "docx", source.limits) if not locked else None
    if office is not None and (found := _read_converted(source, office, summary(container))):
        return found
    builder = DocumentBuilder("doc", limit=source.limits.characters)
    builder.metadata = summary(container)
    if struct.unpack_from("<H", document)[0] == _WORD_95:
        _place_old_word(builder, document, source)
    else:
        _WordWalker(builder, WordBinary(document, table, data), source.limits.characters).place_document()
    builder.warn(_NOT_CONVERTED if program() is not None and not locked else _WITHOUT_LAYOUT)
    return builder.build()


def _unlock_streams(document: bytes, table: bytes, data: bytes, password: str) -> tuple[bytes, bytes, bytes]:
    """Return the three streams in the clear. What says how they are encrypted stands first in the table's, and in the first 68 bytes of the document.

    Raises:
        Encrypted: it needs another password.
        Sealed: it is encrypted in a way that is not known here.
    """
    if struct.unpack_from("<H", document)[0] != _WORD_97 or is_obfuscated(document):
        raise Sealed("The document is encrypted in a way that is not opened here. Save a copy without a password and index that.")
    for candidate in (password, DEFAULT_PASSWORD):
        if candidate and (decrypt := rc4_decryptor(table, candidate)) is not None:
            size = struct.unpack_from("<I", document, 0x0E)[0]
            clear_table = table[:size] + decrypt(table, 512)[size:]
            return document[:68] + decrypt(document, 512)[68:], clear_table, decrypt(data, 512)
    raise Encrypted(_WRONG if password else _LOCKED)


def _read_converted(source: Source, package: bytes, about: Metadata) -> ExtractedDocument | None:
    """Read the converted file as a .docx; its metadata are those of the original."""
    from ingestion.readers.office import docx

    try:
        document = docx.extract(replace(source, data=package, name=f"{source.stem}.docx"))
    except ExtractionError:
        return None
    return replace(document, parser="doc+libreoffice", metadata=about if about.title or about.authors or about.created_at else document.metadata)


class _WordWalker:
    """Places the parts of a document of Word 97 or later."""

    def __init__(self, builder: DocumentBuilder, word: WordBinary, limit: int) -> None:
        self._builder = builder
        self._word = word
        self._limit = limit
        self._tables = TableRows()

    def place_document(self) -> None:
        self._place_frames("headers")
        self._place_body()
        for story, mark in (("boxes", ""), ("footnotes", "Note: "), ("endnotes", "Note: "), ("comments", "Comment: ")):
            for text, _ in self._paragraphs(story):
                self._builder.block(BlockKind.NOTE if mark else BlockKind.PARAGRAPH, mark + text if text else "")

    def _place_body(self) -> None:
        """Place the text itself. A cell ends with a mark; where the mark's paragraph ends a row, the cells before it are the row."""
        cell: list[str] = []
        for text, properties in self._paragraphs("text"):
            if properties.ends_row:
                self._end_row(properties)
            elif properties.in_table:
                cell.append(text.removesuffix("\x07"))
                if text.endswith("\x07"):
                    self._tables.end_cell("\n".join(cell), 1)
                    cell = []
            else:
                self._tables.place_table(self._builder)
                self._place_paragraph(text.removesuffix("\x07"), properties)
            if self._builder.full:
                return
        self._tables.place_table(self._builder)

    def _end_row(self, properties: ParagraphProperties) -> None:
        self._tables.apply_definition("trowd", None)
        for definition in properties.cells:
            for state, first, on in ((definition.horizontal_merge, "clmgf", "clmrg"), (definition.vertical_merge, "clvmgf", "clvmrg")):
                if state:
                    self._tables.apply_definition(first if state == "first" else on, None)
            self._tables.apply_definition("cellx", definition.edge)
        self._tables.end_row(1)

    def _place_paragraph(self, text: str, properties: ParagraphProperties) -> None:
        text = clean_text(text)
        if properties.heading and 0 < len(text) <= 300:
            self._builder.heading(text, min(6, properties.heading))
        elif properties.is_list_item and text:
            self._builder.list_item(f"• {text}", properties.depth + 1)
        else:
            self._builder.paragraph(text)

    def _place_frames(self, story: str) -> None:
        """Place page headers and footers, each once."""
        seen: set[str] = set()
        for text, _ in self._paragraphs(story):
            line = clean_text(text.replace("\x07", " "))
            if line not in seen and re.search(r"[^\W\d_]", line):
                self._builder.block(BlockKind.FURNITURE, line)
            seen.add(line)

    def _paragraphs(self, story: str) -> list[tuple[str, ParagraphProperties]]:
        """Return (text, properties) of each paragraph and each cell; a cell keeps its mark."""
        found: list[tuple[str, ParagraphProperties]] = []
        pieces: list[str] = []
        fields = _FieldFilter()
        for run, offset, width in self._word.characters(story, self._limit):
            at = 0
            for match in re.finditer("[\r\x07\x0c]", run):
                pieces.append(fields.visible_text(run[at : match.start()]) + ("\x07" if match[0] == "\x07" else ""))
                found.append(("".join(pieces), self._word.paragraph(offset + match.start() * width)))
                pieces, at = [], match.end()
            pieces.append(fields.visible_text(run[at:]))
        if text := "".join(pieces).strip():
            found.append((text, ParagraphProperties()))
        return found


class _FieldFilter:
    """Leaves out the instructions of fields and keeps their results, over the bounds of runs."""

    def __init__(self) -> None:
        self._instructions: list[bool] = []

    def visible_text(self, run: str) -> str:
        parts = []
        at = 0
        for match in _FIELD.finditer(run):
            if not any(self._instructions):
                parts.append(run[at : match.start()])
            at = match.end()
            if match[0] == "\x13" and len(self._instructions) < 50:
                self._instructions.append(True)
            elif match[0] == "\x14" and self._instructions:
                self._instructions[-1] = False
            elif match[0] == "\x15" and self._instructions:
                self._instructions.pop()
        if not any(self._instructions):
            parts.append(run[at:])
        return _replace_word_signs("".join(parts))


def _replace_word_signs(text: str) -> str:
    """Replace signs of Word's own by those that they look like."""
    return text.replace("\x1e", "-").replace("\x0b", "\n").replace("\x1f", "")


def _place_old_word(builder: DocumentBuilder, document: bytes, source: Source) -> None:
    """Place a text of Word 6 or 95, which lies in one stretch, a byte a character."""
    begin, end = struct.unpack_from("<II", document, 0x18)
    count = struct.unpack_from("<I", document, 0x34)[0]
    text = decode(document[begin : min(end, begin + count) if count else end], declared="cp1252", limit=source.limits.characters).text
    fields = _FieldFilter()
    row: list[str] = []
    rows: list[list[str]] = []
    for match in re.finditer("([^\r\x07\x0c]*)([\r\x07\x0c]|$)", text):
        line = fields.visible_text(match[1])
        if match[2] == "\x07" and (line.strip() or not row):
            row.append(line)
        elif match[2] == "\x07":
            rows.append(row)
            row = []
        else:
            rows += [row] if row else []
            builder.table(rows)
            row, rows = [], []
            builder.paragraph(line)
    builder.table(rows)
