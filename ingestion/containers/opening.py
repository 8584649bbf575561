"""Finds which files hold others, and opens their members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from core.errors import ExtractionError, Malformed
from core.format_table import FileType
from ingestion.containers.member import FAILURES, Member
from ingestion.detection import detect
from ingestion.extractors.compound import SIGNATURE
from ingestion.extractors.source import Source

Opener = Callable[[Source], Iterator[Member]]
# What is there only to hold others: its document lists them. All other containers have a text of their own.
ARCHIVES = frozenset({FileType.ZIP, FileType.TAR, FileType.COMPRESSED, FileType.MBOX, FileType.SIGNED, FileType.TNEF})
_OPENERS: dict[str, tuple[str, str]] = {
    "zip": ("ingestion.containers.zips", "members"),
    "tar": ("ingestion.containers.compressed", "tar_members"),
    "compressed": ("ingestion.containers.compressed", "single_member"),
    "mbox": ("ingestion.containers.mailboxes", "members"),
    "email": ("ingestion.containers.attachments", "mail_members"),
    "msg": ("ingestion.containers.attachments", "outlook_members"),
    "signed": ("ingestion.containers.signed", "members"),
    "tnef": ("ingestion.containers.tnef", "members"),
    "pdf": ("ingestion.containers.attachments", "pdf_members"),
}
_MARK = b"/EmbeddedFile"
_OBJECT_STREAMS = b"/ObjStm"


def container_type(source: Source) -> FileType | None:
    """Return the type of a file that may hold others; None where it holds none, or its type cannot be told (its reader then says why)."""
    if source.data.startswith(SIGNATURE) and "__substg1.0_".encode("utf-16-le") not in source.data:
        return None
    try:
        kind = detect(source)
    except ExtractionError:
        return None
    if kind is FileType.PDF and _MARK not in source.data and _OBJECT_STREAMS not in source.data:
        return None
    return kind if kind.value in _OPENERS else None


def members(source: Source, kind: FileType) -> Iterator[Member]:
    """Yield the members of a container.

    Raises:
        Malformed: it is damaged; members before the damage were given.
    """
    module, function = _OPENERS[kind.value]
    opener = cast(Opener, getattr(import_module(module), function))
    try:
        yield from opener(source)
    except FAILURES as error:
        raise Malformed(f"It is damaged: what it holds cannot be read ({type(error).__name__}: {str(error)[:100]}).") from error
