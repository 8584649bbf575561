"""Packages of Office files: bounds on the zip container, and a repair for those that the libraries refuse."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from posixpath import dirname, join, normpath
from typing import Any, TypeVar

from lxml import etree

from core.documents import Metadata
from core.errors import LimitExceeded, Malformed, Sealed
from ingestion.readers.base.document_builder import clean_line
from ingestion.readers.base.source import MEBIBYTE, ExtractionLimits, Source
from ingestion.readers.base.timestamps import parse_timestamp

OpenedPackage = TypeVar("OpenedPackage")
# What zipfile, lxml and the three libraries let through on damaged packages.
FAILURES = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    etree.LxmlError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    NotImplementedError,
    EOFError,
    OSError,
    OverflowError,
    SyntaxError,  # what the parser of the standard library raises
)
# ISO 29500 strict names everything differently from what the libraries know (transitional); their meaning is the same.
_STRICT = b"http://purl.oclc.org/ooxml/"
_NAMESPACES = (
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"),
    (b"http://purl.oclc.org/ooxml/officeDocument/", b"http://schemas.openxmlformats.org/officeDocument/2006/"),
    (b"http://purl.oclc.org/ooxml/drawingml/", b"http://schemas.openxmlformats.org/drawingml/2006/"),
    (b"http://purl.oclc.org/ooxml/wordprocessingml/", b"http://schemas.openxmlformats.org/wordprocessingml/2006/"),
    (b"http://purl.oclc.org/ooxml/spreadsheetml/", b"http://schemas.openxmlformats.org/spreadsheetml/2006/"),
    (b"http://purl.oclc.org/ooxml/presentationml/", b"http://schemas.openxmlformats.org/presentationml/2006/"),
)
# Templates, slide shows and files with macros are built like documents; python-docx and python-pptx know only some of their types.
_MAIN_TYPES = (
    (
        re.compile(
            rb"application/vnd\.(?:openxmlformats-officedocument\.wordprocessingml\.template|ms-word\.(?:document|template)\.macroEnabled(?:Template)?)\.main\+xml"
        ),
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    ),
    (
        re.compile(
            rb"application/vnd\.(?:openxmlformats-officedocument\.presentationml\.(?:template|slideshow)"
            rb"|ms-powerpoint\.(?:presentation|template|slideshow)\.macroEnabled)\.main\+xml"
        ),
        b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    ),
)
_RELATIONSHIP = re.compile(rb"<(?:\w+:)?Relationship\b[^>]*?/>")
_OVERRIDE = re.compile(rb"<(?:\w+:)?Override\b[^>]*?PartName\s*=\s*[\"']/?([^\"']*)[\"'][^>]*?/>")
_ATTRIBUTE = re.compile(rb"\b(Target|TargetMode)\s*=\s*[\"']([^\"']*)[\"']")
_SMALL = 50 * MEBIBYTE


def open_package(source: Source, load: Callable[[io.BytesIO], OpenedPackage], kind: str) -> OpenedPackage:
    """Open the package with `load`, repaired first if it must be (strict names, lost parts, other main types).

    Raises:
        LimitExceeded: it unpacks to more than the limits allow.
        Sealed: its parts are encrypted.
        Malformed: it cannot be opened, not even repaired.
    """
    check_container(source.data, source.limits)
    try:
        if not _is_strict(source.data):
            return load(io.BytesIO(source.data))
    except FAILURES:
        pass  # the repaired package gets its chance, and its error tells
    try:
        return load(io.BytesIO(repair_package(source.data)))
    except FAILURES as error:
        raise Malformed(
            f"This {kind} is damaged and cannot be opened ({type(error).__name__}: {str(error).partition(chr(10))[0][:120].rstrip(chr(46))})."
        ) from error


def check_container(data: bytes, limits: ExtractionLimits) -> None:
    """Refuse archive bombs by the sizes that the directory declares; zipfile never unpacks more of a member than that."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = package.infolist()
    except FAILURES as error:
        raise Malformed(f"The container of this file is damaged ({error}).") from error
    if any(member.flag_bits & 1 for member in members):
        raise Sealed("Parts of the file are encrypted in a way that is not opened here. Save a copy without a password and index that.")
    total = sum(member.file_size for member in members)
    if len(members) > limits.members:
        raise LimitExceeded(f"It holds {len(members):,} parts; the limit is {limits.members:,}.")
    if total > limits.decompressed_bytes:
        size, limit = total / MEBIBYTE, limits.decompressed_bytes / MEBIBYTE
        raise LimitExceeded(f"It unpacks to {size:,.0f} MiB; the limit is {limit:,.0f} MiB (ingestion.max_decompressed_mb).")
    if total > _SMALL and total > limits.ratio * len(data):
        raise LimitExceeded(f"It unpacks to {total / len(data):,.0f} times its size, as an archive bomb does; the limit is {limits.ratio:,}.")


def _is_strict(data: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return "_rels/.rels" in package.namelist() and package.getinfo("_rels/.rels").file_size < MEBIBYTE and _STRICT in package.read("_rels/.rels")


def repair_package(data: bytes) -> bytes:
    """Rewrite the package: strict names as transitional ones, unreadable parts and relationships to absent parts left out."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package, zipfile.ZipFile(output, "w", zipfile.ZIP_STORED) as copy:
        parts: dict[str, bytes] = {}
        for member in package.infolist():
            try:
                parts[member.filename] = package.read(member)
            except (*FAILURES, RuntimeError):
                continue
        for name, content in parts.items():
            copy.writestr(name, _repair_part(name, content, parts))
    return output.getvalue()


def _repair_part(name: str, content: bytes, parts: dict[str, bytes]) -> bytes:
    if not name.endswith((".xml", ".rels")):
        return content
    if _STRICT in content:
        for strict, transitional in _NAMESPACES:
            content = content.replace(strict, transitional)
    if name == "[Content_Types].xml":
        for pattern, main_type in _MAIN_TYPES:
            content = pattern.sub(main_type, content)
        content = _OVERRIDE.sub(lambda match: match[0] if match[1].decode("utf-8", errors="replace") in parts else b"", content)
    if name.endswith(".rels"):
        folder = dirname(dirname(name))
        content = _RELATIONSHIP.sub(lambda match: match[0] if _has_target(match[0], folder, parts) else b"", content)
    return content


def _has_target(relationship: bytes, folder: str, parts: dict[str, bytes]) -> bool:
    attributes = dict(_ATTRIBUTE.findall(relationship))
    if attributes.get(b"TargetMode") == b"External":
        return True
    target = attributes.get(b"Target", b"").decode("utf-8", errors="replace").split("#")[0]
    path = target.lstrip("/") if target.startswith("/") else normpath(join(folder, target))
    return path in parts


def parse_xml(content: bytes) -> Any:
    """Parse XML and return its root element; entities are not expanded and nothing is fetched."""
    return etree.fromstring(content, parser=etree.XMLParser(resolve_entities=False, no_network=True, recover=True))


def core_metadata(data: bytes) -> Metadata:
    """Read the metadata of the core properties part. The three libraries would fill in defaults and the present time where it says nothing."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            root = _core_properties(package)
    except FAILURES:
        return Metadata()
    values = {etree.QName(child).localname: clean_line(child.text or "") for child in root.iterchildren("*")} if root is not None else {}
    extra = {key.lower(): values[key] for key in ("subject", "keywords", "category", "description", "lastModifiedBy") if values.get(key)}
    return Metadata(
        title=values.get("title", ""),
        authors=tuple(name for part in values.get("creator", "").split(";") if (name := part.strip())),
        created_at=parse_timestamp(values.get("created", "")),
        modified_at=parse_timestamp(values.get("modified", "")),
        language=values.get("language", "").split("-")[0].lower(),
        extra=extra,
    )


def _core_properties(package: zipfile.ZipFile) -> Any | None:
    names = set(package.namelist())
    for link in parse_xml(package.read("_rels/.rels")) if "_rels/.rels" in names else ():
        target = str(link.get("Target", "")).lstrip("/")
        if str(link.get("Type", "")).lower().endswith("/core-properties") and target in names and package.getinfo(target).file_size < MEBIBYTE:
            return parse_xml(package.read(target))
    return None
