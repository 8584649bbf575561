"""The document of an archive or a mailbox: what it holds, by name, so that "which zip has the lease?" finds it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

from core.documents import ExtractedDocument, Metadata
from core.errors import Empty
from core.format_table import FileType
from core.formats import FileKind, Format, Signature, Viewer
from ingestion.archives.member_names import MemberNames
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import Source
from ingestion.readers.detection import detect
from ingestion.readers.mail.tnef import SIGNATURE as TNEF_SIGNATURE
from ingestion.readers.member_openers import container_members

FORMATS = (
    Format("zip", "ZIP archive", FileKind.ARCHIVE, Viewer.CODE, (".zip",), is_streamed=True),
    Format("tar", "TAR archive", FileKind.ARCHIVE, Viewer.CODE, (".tar", ".tgz", ".tar.gz", ".tar.zst"), is_streamed=True),
    Format("compressed", "compressed file", FileKind.ARCHIVE, Viewer.CODE, (".gz", ".bz2", ".xz", ".zst"), is_streamed=True),
    Format("mbox", "mailbox", FileKind.MAIL, Viewer.MAIL, (".mbox",), spoken_with_files=("mbox",), is_streamed=True),
    Format("signed", "signed file", FileKind.ARCHIVE, Viewer.CODE, (".p7m",)),
    Format("tnef", "Outlook attachment (winmail.dat)", FileKind.ARCHIVE, Viewer.CODE, signatures=(Signature(TNEF_SIGNATURE),)),
)
_NAMED = 500
_SUFFIX = re.compile(r"\.(?:[a-z][a-z0-9]{0,9}|7z)")
_KINDS = {FileType(each.name): each.title for each in FORMATS}
_TYPES_NAMED = 12


class MemberListing:
    """Names of the members of one container. `warnings` are sentences for the ledger, `complete` says that all members were met."""

    def __init__(self, kind: FileType, *, is_archive: bool = True) -> None:
        self.kind, self.is_archive, self.complete = kind, is_archive, True
        self._names: list[str] = []
        self._types: Counter[str] = Counter()
        self.warnings: list[str] = []

    @property
    def count(self) -> int:
        return self._types.total()

    def add(self, name: str) -> None:
        suffix = PurePosixPath(name).suffix.lower()
        self._types[suffix if _SUFFIX.fullmatch(suffix) else "without a known suffix"] += 1
        if len(self._names) < _NAMED:
            self._names.append(name)

    def mark_incomplete(self, sentence: str) -> None:
        """Note that not all members were met, for this reason."""
        self.complete = False
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def build_document(self) -> ExtractedDocument:
        """Build the document that lists the members. Raises Empty where there are none."""
        kind = _KINDS.get(self.kind, self.kind.value.upper())
        if not self.count:
            raise Empty(f"There is nothing in this {kind}.")
        builder = DocumentBuilder(self.kind.value)
        types = ", ".join(f"{count:,} {name}" for name, count in self._types.most_common(_TYPES_NAMED))
        members = "message" if self.kind is FileType.MBOX else "file"
        # Its own name is left to the ledger: archives are renamed and copied without being read again.
        builder.paragraph(f"{kind[0].upper()}{kind[1:]} with {self.count:,} {members}{'' if self.count == 1 else 's'}: {types}.")
        for name in self._names:
            builder.list_item(name)
        if self.count > len(self._names):
            builder.paragraph(f"and {self.count - len(self._names):,} more.")
        for sentence in self.warnings:
            builder.warn(sentence)
        builder.metadata = Metadata(extra={"members": str(self.count)})
        return builder.build()


def extract(source: Source) -> ExtractedDocument:
    """Extract the listing alone: nothing that the archive holds is read.

    Raises:
        Malformed: it cannot be opened.
        Empty: it holds nothing.
    """
    kind = detect(source)
    listing, names = MemberListing(kind), MemberNames()
    for member in container_members(source, kind):
        if listing.count >= source.limits.members:
            listing.mark_incomplete(too_many(source))
            break
        listing.add(names.make_unique(member.name))
    return listing.build_document()


def too_many(source: Source) -> str:
    return f"Only its first {source.limits.members:,} members were read (ingestion.max_members)."
