"""The declaration of a format by its reader, and what others ask about formats.

Each reader's module holds its declarations in `FORMATS`. `python -m scripts.write_formats` collects them into `core.format_table`, which detection,
the agents' filters, the server and the page read without importing a reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FileKind(StrEnum):
    """The name by which people call such files: "in the spreadsheets" filters by the suffixes of all formats of this kind."""

    PDF = "pdf"
    IMAGE = "image"
    SPREADSHEET = "spreadsheet"
    WORD = "word"
    PRESENTATION = "presentation"
    MAIL = "mail"
    BOOK = "book"
    WEB = "web"
    TEXT = "text"
    MARKUP = "markup"
    DATA = "data"
    CODE = "code"
    ARCHIVE = "archive"


class Viewer(StrEnum):
    """The view in which the page shows a document."""

    PDF = "pdf"
    PICTURE = "picture"
    SHEET = "sheet"
    SLIDES = "slides"
    MAIL = "mail"
    CODE = "code"
    TEXT = "text"


class NameRole(StrEnum):
    """The claim of a suffix about the content: nothing (`FREE`), that it is binary, so that text under this name is damage (`PROMISES`), or which of
    the text formats it is (`CHOOSES`)."""

    FREE = "free"
    PROMISES = "promises"
    CHOOSES = "chooses"


@dataclass(frozen=True, slots=True)
class Signature:
    """Bytes that stand at `offset` in every file of a format."""

    magic: bytes
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Format:
    """One format, as its reader declares it.

    `title` is its name in messages. Files are recognised by `signatures`, by a member of a ZIP package (`zip_members`), by the `mimetype` that such a
    package gives (`mime_types`), by a stream of an OLE file (`ole_streams`), and texts by their suffix, where `name_role` says so, or whole name
    (`file_names`, lower case). Formats that one detected type covers share its `type`; by default it is the format's own name.

    `rare_suffixes` are read alike, but left out where words or the page filter by kind (templates, older forms). `spoken_endings` are suffixes that
    people say alone ("the docx"), `spoken_with_files` those that need "files" behind them.

    `parsers` are the names that `ExtractedDocument.parser` has for such documents, by default the format's own; `doc_type` is the type of all of them
    where the format decides it. `is_streamed`: its reader takes large files piece by piece from `Source.path`. `inline` gives the media type of
    suffixes that a browser shows without running anything of the file. `reader` is the module whose `extract` reads it; the table fills it in.
    """

    name: str
    title: str
    kind: FileKind
    viewer: Viewer
    suffixes: tuple[str, ...] = ()
    rare_suffixes: tuple[str, ...] = ()
    file_names: tuple[str, ...] = ()
    name_role: NameRole = NameRole.FREE
    type: str = ""
    signatures: tuple[Signature, ...] = ()
    zip_members: tuple[str, ...] = ()
    mime_types: tuple[str, ...] = ()
    ole_streams: tuple[str, ...] = ()
    spoken_endings: tuple[str, ...] = ()
    spoken_with_files: tuple[str, ...] = ()
    parsers: tuple[str, ...] = ()
    doc_type: str = ""
    is_streamed: bool = False
    inline: tuple[tuple[str, str], ...] = ()
    reader: str = ""

    @property
    def all_suffixes(self) -> tuple[str, ...]:
        """Every suffix under which the format comes, the common ones first."""
        return self.suffixes + self.rare_suffixes
