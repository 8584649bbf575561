"""The input of a reader: the bytes, the file's name and the limits it must keep."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Literal

from core.documents import ExtractedDocument

MEBIBYTE = 1 << 20
LARGE_FILE_BYTES = 64 * MEBIBYTE
ProgressCallback = Callable[[int, int], None]  # pages done, pages in all


def ignore_progress(done: int, of: int) -> None:
    """Ignore how far a reader is."""


@dataclass(frozen=True, slots=True)
class OcrLimits:
    """Limits of recognition (OCR) of pages and pictures: the section `ingestion.ocr` of the settings.

    `engine` auto takes RapidOCR, and Tesseract where it is installed and reads a script that RapidOCR's model does not. `languages` are ISO 639-1
    codes ("de", "ru"); () lets the pages tell. Lines below `min_confidence` (0..1) are left out. `threads` 0 takes half of the processor's cores.
    `describe_images` asks for small copies of at most `max_described` pictures of a file, for a vision model.
    """

    enabled: bool = True
    engine: Literal["auto", "rapidocr", "tesseract"] = "auto"
    languages: tuple[str, ...] = ()
    max_pages: int = 500
    seconds_per_page: float = 30.0
    min_confidence: float = 0.5
    threads: int = 0
    describe_images: bool = False
    max_described: int = 20


@dataclass(frozen=True, slots=True)
class ExtractionLimits:
    """Bounds of reading one file. A file over a hard bound raises `LimitExceeded`; over `pages`, `cells` or `characters` it is cut with a warning.

    `memory_mb` bounds what a worker process may allocate, `seconds` the wall time of one file, `decompressed_bytes` what a zip container may
    unpack to, and `ratio` how many times larger than the container that may be. A worker that has nothing to do for `idle_seconds` ends.

    `most_seconds` bounds a file however many pages or members extend its time. `streamed_bytes` is what a file may have whose reader takes it
    piece by piece (archives, mailboxes, CSV, text), `archive_bytes` what all members of one archive may unpack to together; each container has at
    most `members`, and what lies in more than `nesting` containers is not opened. `confined`: a worker gives up the network and writing outside
    its own folder, where the kernel has the means.
    """

    seconds: float = 60.0
    idle_seconds: float = 120.0
    memory_mb: int = 1024
    file_bytes: int = 512 * MEBIBYTE
    decompressed_bytes: int = 512 * MEBIBYTE
    ratio: int = 250
    members: int = 20_000
    pages: int = 5_000
    cells: int = 2_000_000
    characters: int = 20_000_000
    most_seconds: float = 4 * 3600.0
    streamed_bytes: int = 2048 * MEBIBYTE
    archive_bytes: int = 8192 * MEBIBYTE
    nesting: int = 4
    ocr: OcrLimits = OcrLimits()
    confined: bool = True

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> ExtractionLimits:
        """Rebuild limits from the plain values of `dataclasses.asdict`, after their way through JSON."""
        ocr = {**values.get("ocr", {})}
        ocr["languages"] = tuple(ocr.get("languages", ()))
        return cls(**{**values, "ocr": OcrLimits(**ocr)})


@dataclass(frozen=True, slots=True)
class Source:
    """One file. `name` is its last path part, used only where the content leaves a question open.

    A file of more than `LARGE_FILE_BYTES` bytes whose reader takes it piece by piece (`registry.STREAMED`) comes with its `path`; `data` is then only
    its beginning. `open` reads either kind from its start, and `size` is that of the whole.

    `password` is tried on what is locked ("" where none was given). `recognize` allows text recognition (OCR), which takes seconds a page;
    without it such pages are only counted (`ExtractedDocument.unread_pages`). A reader that works for long calls `progress` with the pages
    that are done and the pages in all: each call gives it the time of one more page.
    """

    data: bytes
    name: str
    limits: ExtractionLimits = ExtractionLimits()
    password: str = field(default="", repr=False)
    recognize: bool = True
    progress: ProgressCallback = ignore_progress
    path: Path | None = None

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self.path.stat().st_size if self.path else len(self.data)

    def open(self) -> BinaryIO:
        """Open the whole file as a seekable stream. The caller closes it."""
        return self.path.open("rb") if self.path else io.BytesIO(self.data)

    def read_beginning(self, limit: int) -> bytes:
        """Return the first bytes of the whole file, `limit` at most."""
        if self.path is None:
            return self.data[:limit]
        with self.open() as stream:
            return stream.read(limit)

    @property
    def suffix(self) -> str:
        """The name's last suffix in lower case with its dot, or ""."""
        return PurePath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        return PurePath(self.name).stem


Extractor = Callable[[Source], ExtractedDocument]
