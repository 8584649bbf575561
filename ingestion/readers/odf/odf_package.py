"""OpenDocument files (ISO 26300): the package or the single flat XML file, its parts, styles and metadata."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, replace
from posixpath import normpath
from typing import IO, Any, cast

from core.documents import Metadata
from core.errors import Encrypted, Malformed
from ingestion.readers.base.deflate_stream import InflatedStream
from ingestion.readers.base.document_builder import clean_line
from ingestion.readers.base.office_package import FAILURES, check_container, parse_xml
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.base.timestamps import parse_timestamp
from ingestion.readers.odf.odf_decryption import PACKAGE, EncryptedParts

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE, DRAW = (f"{{{_URN}{name}:1.0}}" for name in ("office", "text", "table", "drawing"))
STYLE, PRESENTATION, META = (f"{{{_URN}{name}:1.0}}" for name in ("style", "presentation", "meta"))
XLINK = "{http://www.w3.org/1999/xlink}"
_DC = "{http://purl.org/dc/elements/1.1/}"
# OpenOffice 1.x wrote the same elements under other names.
_OLD_NAMES = re.compile(rb"http://openoffice\.org/2000/(office|text|table|drawing|style|presentation|meta)\b")
_LARGEST_PART = 200 * MEBIBYTE


@dataclass(slots=True)
class OdfPackage:
    """The parts of one file: of a zip container, or one flat document. `locked` opens those that are encrypted."""

    archive: zipfile.ZipFile | None
    flat: bytes
    names: frozenset[str] = frozenset()
    locked: EncryptedParts | None = None
    limit: int = _LARGEST_PART
    _root: Any = None

    def part(self, name: str) -> Any | None:
        """Parse a part and return its root element; None where it is absent, too large or damaged. A flat file is all of its parts."""
        if self.archive is None:
            return self._flat_root() if name in ("content.xml", "styles.xml", "meta.xml") else None
        name = normpath(name).lstrip("/")
        if name not in self.names or self.archive.getinfo(name).file_size > _LARGEST_PART:
            return None
        try:
            with self._open_part(self.archive, name, _LARGEST_PART) as stream:
                return parse_xml(modernize_names(stream.read()))
        except (*FAILURES, RuntimeError, Encrypted):  # the password has opened another part: this one was changed
            return None

    def _open_part(self, archive: zipfile.ZipFile, name: str, limit: int) -> IO[bytes]:
        """Return the unpacked bytes of a part, decrypted where it is locked."""
        if self.locked is None or name not in self.locked:
            return archive.open(name)
        return cast("IO[bytes]", InflatedStream(self.locked.decrypt_part(name, archive.read(name)), limit))

    def _flat_root(self) -> Any | None:
        if self._root is None and len(self.flat) <= _LARGEST_PART:
            self._root = parse_xml(modernize_names(self.flat))
        return self._root

    def open_content(self) -> IO[bytes]:
        """Open the content as a stream.

        Raises:
            Malformed: there is none, or it is damaged from the start.
        """
        if self.archive is None:
            return io.BytesIO(self.flat)
        if "content.xml" not in self.names:
            raise Malformed("This OpenDocument file is damaged: its content is missing (content.xml).")
        try:
            member = self._open_part(self.archive, "content.xml", self.limit)
            if b"openoffice.org/2000" in self._open_part(self.archive, "content.xml", self.limit).read(4096):
                return io.BytesIO(modernize_names(member.read()))
        except (*FAILURES, RuntimeError) as error:
            raise Malformed(f"This OpenDocument file is damaged: its content cannot be read ({str(error)[:100]}).") from error
        return member


def modernize_names(content: bytes) -> bytes:
    """Replace the names of OpenOffice 1.x in XML by those of the standard."""
    return _OLD_NAMES.sub(rb"urn:oasis:names:tc:opendocument:xmlns:\1:1.0", content) if b"openoffice.org/2000" in content[:8192] else content


def open_odf(source: Source) -> OdfPackage:
    """Open the package of a file.

    Raises:
        Malformed, LimitExceeded: its container is damaged, or a bomb.
        Encrypted: it needs a password, or another one. Sealed: no password opens it here.
    """
    if not source.data.startswith(b"PK"):
        return OdfPackage(None, source.data)
    check_container(source.data, source.limits)
    try:
        archive = zipfile.ZipFile(io.BytesIO(source.data))
        names = frozenset(archive.namelist())
        manifest = archive.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in names else b""
        if b"encryption-data" in manifest or PACKAGE in names:
            return _open_encrypted(source, archive, names, EncryptedParts(manifest, source.password))
    except (*FAILURES, RuntimeError) as error:
        raise Malformed(f"This OpenDocument file is damaged and cannot be opened ({type(error).__name__}).") from error
    return OdfPackage(archive, b"", names)


def _open_encrypted(source: Source, archive: zipfile.ZipFile, names: frozenset[str], locked: EncryptedParts) -> OdfPackage:
    """Return the package under the password of the source, which is tried first. Encrypted as a whole, it holds the package proper."""
    data = archive.read(locked.proof_part)
    if locked.proof_part != PACKAGE:
        locked.decrypt_part(locked.proof_part, data)
        return OdfPackage(archive, b"", names, locked, source.limits.decompressed_bytes)
    inner = locked.decrypt_part(PACKAGE, data)
    if not inner.startswith(b"PK"):
        inner = InflatedStream(inner, source.limits.decompressed_bytes).read()
    package = open_odf(replace(source, data=inner, password=""))
    if package.archive is None:
        raise Malformed("This OpenDocument file is damaged: what is encrypted in it is no package.")
    return package


def metadata(package: OdfPackage) -> Metadata:
    """Read the metadata of meta.xml."""
    root = package.part("meta.xml")
    holder = next(root.iter(f"{OFFICE}meta"), None) if root is not None else None
    if holder is None:
        return Metadata()
    values = {child.tag: clean_line("".join(child.itertext())) for child in holder if isinstance(child.tag, str)}
    keywords = ", ".join(clean_line(child.text or "") for child in holder.iter(f"{META}keyword"))
    extra = {"subject": values.get(f"{_DC}subject", ""), "description": values.get(f"{_DC}description", ""), "keywords": keywords}
    author = values.get(f"{META}initial-creator") or values.get(f"{_DC}creator", "")
    return Metadata(
        title=values.get(f"{_DC}title", ""),
        authors=(author,) if author else (),
        created_at=parse_timestamp(values.get(f"{META}creation-date", "")),
        modified_at=parse_timestamp(values.get(f"{_DC}date", "")),
        language=values.get(f"{_DC}language", "").split("-")[0].lower(),
        extra={key: value for key, value in extra.items() if value},
    )


# -- styles ------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListLevel:
    """The numbering of one level of a list: `format` is "1", "a", "I" …, "•" for bullets and "" for no label."""

    format: str = "•"
    prefix: str = ""
    suffix: str = ""
    start: int = 1
    shown_levels: int = 1


class OdfStyles:
    """Names of styles with those they are based on, and the styles of lists."""

    def __init__(self, *roots: Any | None) -> None:
        self._parents: dict[str, tuple[str, str]] = {}
        self._lists: dict[str, dict[int, ListLevel]] = {}
        self.hidden: set[str] = set()
        for root in roots:
            for style in root.iter(f"{STYLE}style", f"{TEXT}list-style") if root is not None else ():
                self.add(style)

    def add(self, style: Any) -> None:
        """Remember a style element."""
        name = style.get(f"{STYLE}name") or ""
        if style.tag == f"{TEXT}list-style":
            self._lists[name] = {_number(level.get(f"{TEXT}level"), 1): _list_level(level) for level in style if isinstance(level.tag, str)}
            return
        family = style.get(f"{STYLE}family") or ""
        if family == "paragraph":
            self._parents[name] = (style.get(f"{STYLE}parent-style-name") or "", style.get(f"{STYLE}display-name") or "")
        for properties in style:
            if properties.get(f"{TABLE}display") == "false" or properties.get(f"{PRESENTATION}visibility") == "hidden":
                self.hidden.add(name)

    def names(self, style: str) -> list[str]:
        """Return the names of a paragraph style and of those it is based on, as a person reads them, in lower case."""
        found: list[str] = []
        while style and len(found) < 20:
            parent, shown = self._parents.get(style, ("", ""))
            found.append((shown or re.sub(r"_([0-9a-f]{2})_", lambda match: chr(int(match[1], 16)), style)).lower())
            style = parent
        return found

    def list_level(self, style: str, depth: int) -> ListLevel:
        """Return how the items of a list are labelled at `depth` (from 1)."""
        return self._lists.get(style, {}).get(depth, ListLevel())


def _list_level(level: Any) -> ListLevel:
    if not level.tag.endswith("-number"):
        return ListLevel()
    value = {name: level.get(f"{STYLE}{name}") or "" for name in ("num-format", "num-prefix", "num-suffix")}
    start, shown = _number(level.get(f"{TEXT}start-value"), 1), _number(level.get(f"{TEXT}display-levels"), 1)
    return ListLevel(value["num-format"], value["num-prefix"], value["num-suffix"], start, shown)


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 8 else default


def repeat_count(element: Any, name: str, most: int) -> int:
    """Return how often a cell, row or space is repeated, at least once and at most `most` times."""
    return max(1, min(_number(element.get(name), 1 if len(element.get(name) or "") < 8 else most), most))


def bounded_span(element: Any, name: str) -> int:
    """Return over how many rows or columns a cell stands."""
    return repeat_count(element, f"{TABLE}number-{name}-spanned", 1_000)
