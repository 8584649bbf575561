"""The results of extractors and the records of the library: one document model for every format.

All offsets are Unicode code points into `ExtractedDocument.text` (Python string indices), half open: `text[start:end]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from core.recognized_lines import PagePlaces

HEADING_SEPARATOR = " › "  # between the headings above a chunk, the outermost first


class BlockKind(StrEnum):
    """Kind of a stretch of text. FURNITURE is a running head, a foot or a page number: kept in the text, never chosen for an answer. DESCRIPTION is
    what a vision model says of a picture: no word of it stands in the file."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CODE = "code"
    CAPTION = "caption"
    QUOTE = "quote"
    NOTE = "note"
    FURNITURE = "furniture"
    DESCRIPTION = "description"


class PageUnit(StrEnum):
    """Unit that counts as a page of this format; the number shown to a person counts from 1."""

    NONE = ""
    PAGE = "page"
    SHEET = "sheet"
    SLIDE = "slide"


@dataclass(frozen=True, slots=True)
class Block:
    """One block in reading order. `level` is 1..6 for a heading and the depth for a list item; `table` indexes `ExtractedDocument.tables`."""

    kind: BlockKind
    start: int
    end: int
    page: int | None = None
    level: int = 0
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text up to the next heading of any level. `path` holds the headings from the outermost inwards; () before the first.
    `language` is its ISO 639-1 code where it is another than the document's, else ""."""

    path: tuple[str, ...]
    start: int
    end: int
    level: int = 0
    page: int | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table as rows of cell texts. `row_spans[i]` is where row i stands in the text; the first `header_rows` rows name the columns.

    `spans` are cells over several rows or columns as (row, column, rows, columns), their text in the first place; `last_page` is where a table
    ends that goes on over several pages, None where it stands on one. `left_out` are the rows that the limits of reading cut off, at least so
    many where they are `uncounted`. `row_numbers` and `column_numbers` are the sheet's own, counted from 1 as a spreadsheet shows them, blank and
    hidden ones included; () where the table is of no sheet, or was read before they were kept.
    """

    start: int
    end: int
    rows: tuple[tuple[str, ...], ...]
    row_spans: tuple[tuple[int, int], ...]
    header_rows: int = 1
    page: int | None = None
    caption: str = ""
    spans: tuple[tuple[int, int, int, int], ...] = ()
    last_page: int | None = None
    left_out: int = 0
    uncounted: bool = False
    row_numbers: tuple[int, ...] = ()
    column_numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the file: [start, end) is the text that carries it, `target` where it leads as the file writes it ("../lease.pdf#page=3")."""

    start: int
    end: int
    target: str


@dataclass(frozen=True, slots=True)
class DocumentFigure:
    """A picture of a document that a vision model may be shown. `offset` is where in the text it stands, `page` and `caption` what is known of its
    place. `data` are the bytes of a small copy (`media_type`, at most 1,024 pixels a side), b"" where reading was not to take the time for one.
    `digest` is the sha256 (hex) of what the file holds of it: the same picture has the same."""

    offset: int
    page: int | None = None
    caption: str = ""
    data: bytes = field(default=b"", repr=False)
    media_type: str = "image/jpeg"
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, sheet or slide: its number from 1, its label ("12", "Q2 costs") and its span. `turned` is the clockwise turn in degrees (0, 90, 180,
    270) that sets upright what was recognised on it."""

    number: int
    label: str
    start: int
    end: int
    turned: int = 0


@dataclass(frozen=True, slots=True)
class Metadata:
    """The file's statements about itself. Times are aware; a naive time in a file is read as UTC."""

    title: str = ""
    authors: tuple[str, ...] = ()
    created_at: datetime | None = None
    modified_at: datetime | None = None
    language: str = ""
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """The whole of a file as text with its structure.

    Blocks are ordered, do not overlap and cover every character that is not white space. Sections cover the text without gaps.
    `warnings` are sentences for the ledger ("3 of 12 pages have no text: scanned?"): a document with warnings is `partial`.
    `unread_pages` are the numbers of pages whose text only recognition (OCR) can read, where it was not asked for; `recognized_pages` those
    that it read, and `places` where the recognised lines stand on their pages.
    `figures` are pictures that no model has described yet: there are none unless descriptions were asked for, and they are not stored.
    """

    text: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    tables: tuple[Table, ...]
    pages: tuple[Page, ...]
    page_unit: PageUnit
    metadata: Metadata
    parser: str
    warnings: tuple[str, ...] = ()
    unread_pages: tuple[int, ...] = ()
    recognized_pages: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    places: tuple[PagePlaces, ...] = ()
    figures: tuple[DocumentFigure, ...] = ()


class ReferenceKind(StrEnum):
    """Way in which a document refers to another: a link of its file, a file's name in the text, an entry of a bibliography, "supersedes",
    "amends", "see Annex B"."""

    LINKS_TO = "links_to"
    NAMES_FILE = "names_file"
    CITES = "cites"
    SUPERSEDES = "supersedes"
    AMENDS = "amends"
    REFERS_TO = "refers_to"


@dataclass(frozen=True, slots=True)
class FoundReference:
    """A mention of another document at [start, end) of a text. `target` is what it names, as written; `keys` are names under which that document may
    be known, as `reference_key` makes them, the likeliest first."""

    kind: ReferenceKind
    target: str
    start: int
    end: int
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentProfile:
    """The findings of statistics and rules about a document. `generated_by` is "statistics" or the model's name.

    `written_on` is the day that the text itself gives as its own. `section_languages` has an entry for each section: its ISO 639-1 code where it
    is another than the document's, else ""; () where no section differs. `references` are what the text says of other documents.
    """

    title: str
    summary: str
    detailed_summary: str
    keywords: tuple[str, ...]
    topics: tuple[str, ...]
    language: str
    doc_type: str
    generated_by: str = "statistics"
    authors: tuple[str, ...] = ()
    written_on: date | None = None
    section_languages: tuple[str, ...] = ()
    references: tuple[FoundReference, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one section, at most the embedding model's window (256 tokens with [CLS], [SEP] and `prefix`).

    `prefix` is the heading line put in front when the chunk is embedded ("Halden lease › 8.2 Termination"); it is no part of the span.
    """

    ordinal: int
    start: int
    end: int
    tokens: int
    section: tuple[str, ...] = ()
    page: int | None = None
    kind: BlockKind = BlockKind.PARAGRAPH
    prefix: str = ""


_DESCRIBED = ", described by "


def description_heading(what: str, model: str) -> str:
    """Return the heading over a model's description of a picture: "Picture on page 12, described by qwen3-vl:8b"."""
    return f"{what}{_DESCRIBED}{model}"


def describing_model(section: Sequence[str]) -> str:
    """Return the model that described what stands under the headings of `section`, as `description_heading` names it; "" where they name none."""
    return section[-1].rpartition(_DESCRIBED)[2] if section and _DESCRIBED in section[-1] else ""


def embedded_text(prefix: str, text: str) -> str:
    """Return what the embedding model reads of a chunk: its heading line, if it has one, and its text below."""
    return f"{prefix}\n{text}" if prefix else text


class DocumentState(StrEnum):
    """The state of a file in the ledger. Only INDEXED and PARTIAL can be asked about."""

    QUEUED = "queued"
    INDEXED = "indexed"
    PARTIAL = "partial"
    SKIPPED = "skipped"
    FAILED = "failed"
    QUARANTINED = "quarantined"


class Document(BaseModel):
    """A document of the library, as SPEC's HTTP section names it. `file_path` is the first of `paths`; times are ISO 8601 in UTC."""

    model_config = ConfigDict(frozen=True)

    id: str
    filename: str
    file_path: str
    paths: list[str]
    file_type: str
    doc_type: str
    title: str
    summary: str
    detailed_summary: str
    keywords: list[str]
    entities: list[str]
    topics: list[str]
    authors: list[str] = []
    language: str
    created_at: datetime | None
    modified_at: datetime | None
    indexed_at: datetime
    file_size: int
    pages: int
    page_unit: PageUnit
    chunks: int
    characters: int
    state: DocumentState
    reason: str
    parser: str
    content_hash: str
    generation: int
    collection: str


class StoredChunk(BaseModel):
    """A chunk read back from the library with its text. `id` is unique in the library and never reused for other text."""

    model_config = ConfigDict(frozen=True)

    id: int
    document_id: str
    generation: int
    ordinal: int
    start: int
    end: int
    page: int | None
    section: list[str]
    kind: BlockKind
    tokens: int
    prefix: str
    text: str


class LedgerLine(BaseModel):
    """One file that was seen. `reason` says in a sentence why it is not (wholly) indexed and what helps; empty when all is well.

    `container` is the path of the archive or message that the file lies in ("" for a file of its own); its own path is then "container!/inner name".
    """

    model_config = ConfigDict(frozen=True)

    path: str
    root: str
    state: DocumentState
    reason: str
    code: str
    parser: str
    content_hash: str
    file_size: int
    modified_at: datetime | None
    seen_at: datetime
    attempts: int
    document_id: str | None
    container: str = ""
