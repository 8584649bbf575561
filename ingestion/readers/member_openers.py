"""Finds which files hold others, and opens their members."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from core.errors import ExtractionError, Malformed
from core.format_table import FileType
from ingestion.archives.member import FAILURES, Member
from ingestion.readers.base.compound_file import SIGNATURE
from ingestion.readers.base.source import Source
from ingestion.readers.detection import detect

MemberOpener = Callable[[Source], Iterator[Member]]
# What is there only to hold others: its document lists them. All other containers have a text of their own.
ARCHIVES = frozenset({FileType.ZIP, FileType.TAR, FileType.COMPRESSED, FileType.MBOX, FileType.SIGNED, FileType.TNEF})
_OPENERS: dict[str, tuple[str, str]] = {
    "zip": ("ingestion.archives.zip_archives", "zip_members"),
    "tar": ("ingestion.archives.compressed_files", "tar_members"),
    "compressed": ("ingestion.archives.compressed_files", "single_member"),
    "mbox": ("ingestion.archives.mailboxes", "mbox_members"),
    "email": ("ingestion.readers.attachments", "mail_members"),
    "msg": ("ingestion.readers.attachments", "outlook_members"),
    "signed": ("ingestion.readers.mail.signed_files", "signed_members"),
    "tnef": ("ingestion.readers.mail.tnef", "tnef_members"),
    "pdf": ("ingestion.readers.attachments", "pdf_members"),
}
_MARK = b"/EmbeddedFile"
_OBJECT_STREAMS = b"/ObjStm"


def container_type(source: Source) -> FileType | None:
    """Return the type of a file that may hold others; None where it holds none, or its type cannot be recognised (its reader then says why)."""
    if source.data.startswith(SIGNATURE) and "__substg1.0_".encode("utf-16-le") not in source.data:
        return None
    try:
        kind = detect(source)
    except ExtractionError:
        return None
    if kind is FileType.PDF and _MARK not in source.data and _OBJECT_STREAMS not in source.data:
        return None
    return kind if kind.value in _OPENERS else None


def container_members(source: Source, kind: FileType) -> Iterator[Member]:
    """Yield the members of a container.

    Raises:
        Malformed: it is damaged; members before the damage were given.
    """
    module, function = _OPENERS[kind.value]
    opener = cast(MemberOpener, getattr(import_module(module), function))
    try:
        yield from opener(source)
    except FAILURES as error:
        raise Malformed(f"It is damaged: what it holds cannot be read ({type(error).__name__}: {str(error)[:100]}).") from error
