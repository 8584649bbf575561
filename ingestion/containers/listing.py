"""The document of an archive or a mailbox: what it holds, by name, so that "which zip has the lease?" finds it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

from core.documents import ExtractedDocument, Metadata
from core.errors import Empty
from ingestion.builder import DocumentBuilder
from ingestion.containers.names import Names
from ingestion.containers.opening import members
from ingestion.detection import FileType, detect
from ingestion.extractors.source import Source

_NAMED = 500
_SUFFIX = re.compile(r"\.(?:[a-z][a-z0-9]{0,9}|7z)")
_KINDS = {
    FileType.ZIP: "ZIP archive",
    FileType.TAR: "TAR archive",
    FileType.COMPRESSED: "compressed file",
    FileType.MBOX: "mailbox",
    FileType.SIGNED: "signed file",
    FileType.TNEF: "Outlook attachment (winmail.dat)",
}
_TYPES_NAMED = 12


class Listing:
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

    def incomplete(self, sentence: str) -> None:
        """Note that not all members were met, for this reason."""
        self.complete = False
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def document(self) -> ExtractedDocument:
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
    listing, names = Listing(kind), Names()
    for member in members(source, kind):
        if listing.count >= source.limits.members:
            listing.incomplete(too_many(source))
            break
        listing.add(names.unique(member.name))
    return listing.document()


def too_many(source: Source) -> str:
    return f"Only its first {source.limits.members:,} members were read (ingestion.max_members)."
