"""The settings of section `ingestion`: which folders, how files are read, text recognition, watching."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator

from settings_server import Count, Fraction, SettingsSection

EVERY_TENANT = "*"


class OcrSettings(SettingsSection):
    """Text recognition of scanned pages and pictures. `languages` are ISO 639-1 codes ([]: the pages tell); `threads` 0 takes half of the cores.

    A page that takes longer than `seconds_per_page`, and pages after the first `max_pages` of a file, stay unread with a warning.

    `describe_images`: a vision model (`ollama.vision_model`) says what pictures and figures show, at most `max_described` of each document. It is
    off because a model on this machine takes seconds to minutes for each.
    """

    enabled: bool = True
    engine: Literal["auto", "rapidocr", "tesseract"] = "auto"
    languages: list[Annotated[str, Field(pattern="^[a-z]{2}$")]] = Field(default_factory=list)
    max_pages: Count = 500
    seconds_per_page: Annotated[float, Field(gt=0)] = 30.0
    min_confidence: Fraction = 0.5
    threads: Annotated[int, Field(ge=0, le=64)] = 0
    describe_images: bool = False
    max_described: Annotated[int, Field(ge=1, le=200)] = 20


class WatchSettings(SettingsSection):
    """Indexed folders keep themselves current while a server runs. `enabled` is where the switch stands until somebody uses it.

    A file is read when its size and time were still for `settle_seconds`; one that never rests, after `longest_wait_seconds` as it is then. Folders
    whose file system reports no changes, or that hold more than `max_folders` folders, are looked at every `poll_seconds`, and each folder is
    compared as a whole every `compare_hours`. `gitignore` follows .gitignore and .vantageignore.
    """

    enabled: bool = True
    settle_seconds: Annotated[float, Field(gt=0, le=60)] = 0.5
    longest_wait_seconds: Annotated[float, Field(gt=0)] = 300.0
    poll_seconds: Annotated[float, Field(gt=0)] = 30.0
    max_folders: Count = 100_000
    compare_hours: Annotated[float, Field(gt=0)] = 12.0
    gitignore: bool = True


class ConfiguredRoot(SettingsSection):
    """A folder that a server with API keys may index: for one tenant, for every tenant ("*"), or ("") for the tenant who indexes it first."""

    path: Path
    tenant: str = ""


class IngestionSettings(SettingsSection):
    """The folders that are served, and the limits of reading one file. `roots` are the only folders that a server with API keys may index: each a
    path, or {path, tenant} (`ConfiguredRoot`).

    `use_model`: the language model writes summary, keywords and topics of each document, a call for each.

    Archives, mailboxes, CSV and plain text are read piece by piece and may have `max_streamed_file_mb`; what an archive holds may have
    `max_archive_mb` together. `max_seconds` bounds one file with all its pages and members.

    `confine_readers`: the processes that read files give up the network and writing outside of their own folder, where the kernel has the means.
    """

    roots: list[ConfiguredRoot] = Field(default_factory=list)
    workers: Annotated[int, Field(ge=0, le=64)] = 0
    seconds_per_file: Annotated[float, Field(gt=0)] = 60.0
    memory_mb: Annotated[int, Field(ge=256)] = 1024
    confine_readers: bool = True
    max_file_mb: Count = 512
    max_decompressed_mb: Count = 512
    max_streamed_file_mb: Count = 2048
    max_archive_mb: Count = 8192
    max_members: Count = 20_000
    max_nesting: Annotated[int, Field(ge=1, le=20)] = 4
    max_seconds: Annotated[float, Field(gt=0)] = 14_400.0
    max_pages: Count = 5000
    max_characters: Count = 20_000_000
    chunk_tokens: Annotated[int, Field(ge=32, le=8192)] = 256
    chunk_overlap: Annotated[float, Field(ge=0.0, le=0.5)] = 0.0
    embed_batch: Annotated[int, Field(ge=1, le=512)] = 8
    commit_every_seconds: Annotated[float, Field(gt=0)] = 2.0
    use_model: bool = False
    ignore: list[str] = Field(
        default_factory=lambda: [
            ".*",
            "~$*",
            "*.tmp",
            "*.part",
            "*.crdownload",
            "__pycache__",
            "node_modules",
            "__MACOSX",
            "Thumbs.db",
            "desktop.ini",
        ]
    )
    ocr: OcrSettings = OcrSettings()
    watch: WatchSettings = WatchSettings()

    @field_validator("roots", mode="before")
    @classmethod
    def _read_plain_roots(cls, roots: object) -> object:
        """Accept a path alone: a root of no tenant in particular."""
        return [{"path": root} if isinstance(root, str | Path) else root for root in roots] if isinstance(roots, list) else roots
