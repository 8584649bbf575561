"""E-books (EPUB 2 and 3): the chapters in the order of the spine, under the titles of the table of contents."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import unquote

from core.documents import ExtractedDocument, Metadata
from core.errors import Empty, Malformed, Sealed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.office_package import FAILURES, check_container, parse_xml
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.base.timestamps import parse_timestamp
from ingestion.readers.text.html import place_html

FORMATS = (
    Format(
        name="epub",
        title="e-book",
        kind=FileKind.BOOK,
        viewer=Viewer.TEXT,
        suffixes=(".epub",),
        name_role=NameRole.PROMISES,
        zip_members=("META-INF/container.xml",),
        mime_types=("application/epub+zip",),
        spoken_endings=("epub",),
    ),
)
_DC = "{http://purl.org/dc/elements/1.1/}"
_NCX = "application/x-dtbncx+xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document", "application/x-dtbook+xml"})
_LARGEST = 50 * MEBIBYTE
_DECLARED = re.compile(rb"^<\?xml[^>]+encoding\s*=\s*[\"']([\w-]+)")
# In XHTML these may be closed at once; an HTML parser would take all that follows for their content.
_CLOSED = re.compile(r"<(title|script|style|iframe|textarea|a|b|i|em|strong|span|div|p|td|th|li|h[1-6]|section|video|audio)\b([^<>]*)/>", re.I)
_HEADED = re.compile(r"<h[1-3]\b[^>]*>\s*(?:<[^>]*>\s*)*[^<\s]", re.I)
# Fonts are scrambled so that they cannot be taken out of the book; that is no lock on its text.
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


@dataclass(slots=True)
class _EpubPackage:
    """The package document: `chapters` are the paths of the spine, `titles` the names of the contents by path."""

    package: zipfile.ZipFile
    names: frozenset[str]
    metadata: Metadata = field(default_factory=Metadata)
    chapters: list[str] = field(default_factory=list)
    titles: dict[str, tuple[str, int]] = field(default_factory=dict)


def extract(source: Source) -> ExtractedDocument:
    """Read an .epub without digital rights management.

    Raises:
        Malformed: its container or its package document is damaged.
        Sealed: its chapters are protected.
        LimitExceeded: an archive bomb.
        Empty: no text in it.
    """
    check_container(source.data, source.limits)
    try:
        package = zipfile.ZipFile(io.BytesIO(source.data))
        book = _open_package(package, frozenset(package.namelist()))
    except (*FAILURES, RuntimeError) as error:
        raise Malformed(f"This e-book is damaged and cannot be opened ({type(error).__name__}).") from error
    builder = DocumentBuilder("epub", limit=source.limits.characters)
    lost = 0
    for path in book.chapters[: source.limits.pages]:
        if builder.full:
            break
        lost += not _place_chapter(builder, book, path)
    if lost:
        builder.warn(f"{lost} of {len(book.chapters)} chapters could not be read: they are missing or damaged.")
    if len(book.chapters) > source.limits.pages:
        builder.warn(f"Only the first {source.limits.pages:,} of {len(book.chapters):,} chapters were read.")
    builder.metadata = book.metadata
    return builder.build()


def _open_package(package: zipfile.ZipFile, names: frozenset[str]) -> _EpubPackage:
    path = _find_contents(package, names)
    root = parse_xml(_read_part(package, names, path)) if path in names else None
    if root is None:
        raise Malformed("This e-book is damaged: its list of contents is missing.")
    book = _EpubPackage(package, names, _metadata(root))
    items = {item.get("id") or "": item for item in root.iter("{*}item")}
    chapters = [items.get(reference.get("idref") or "") for reference in root.iter("{*}itemref")]
    book.chapters += [_path_of(item, path) for item in chapters if item is not None and item.get("media-type") in _PAGES]
    _refuse_protected(book)
    for item in _contents_of(items.values()):
        _read_titles(book, _path_of(item, path))
    return book


def _path_of(item: Any, base: str) -> str:
    return _resolve_path(base, item.get("href") or "")


def _contents_of(items: Collection[Any]) -> list[Any]:
    """Return the items with the names of chapters: navigation pages, then NCX."""
    navigation = [item for item in items if "nav" in (item.get("properties") or "").split() and item.get("media-type") != _NCX]
    return [*navigation, *(item for item in items if item.get("media-type") == _NCX)]


def _find_contents(package: zipfile.ZipFile, names: frozenset[str]) -> str:
    """Return the path of the list of contents, as the container names it; "" where there is none."""
    container = parse_xml(_read_part(package, names, "META-INF/container.xml"))
    found = next(container.iter("{*}rootfile"), None) if container is not None else None
    if found is not None:
        return unquote(found.get("full-path") or "")
    return next((name for name in names if name.endswith(".opf")), "")


def _refuse_protected(book: _EpubPackage) -> None:
    """Refuse chapters that digital rights management encrypts: they cannot be read, nor may they."""
    encryption = parse_xml(_read_part(book.package, book.names, "META-INF/encryption.xml")) if "META-INF/encryption.xml" in book.names else None
    for entry in encryption.iter("{*}EncryptedData") if encryption is not None else ():
        method, target = entry.find("{*}EncryptionMethod"), next(entry.iter("{*}CipherReference"), None)
        algorithm = (method.get("Algorithm") or "") if method is not None else ""
        path = normpath(unquote(target.get("URI") or "")) if target is not None else ""
        if path in book.chapters and algorithm not in _FONT_ALGORITHMS:
            raise Sealed("The e-book is protected by digital rights management: only the program it was bought for opens it.")


def _read_part(package: zipfile.ZipFile, names: frozenset[str], name: str) -> bytes:
    if name not in names:
        raise KeyError(name)
    if package.getinfo(name).file_size > _LARGEST:
        raise ValueError("a part is too large")
    return package.read(name)


def _resolve_path(base: str, reference: str) -> str:
    return normpath(join(dirname(base), unquote(reference.split("#", maxsplit=1)[0])))


def _read_titles(book: _EpubPackage, path: str) -> None:
    """Read the names of chapters: of the navigation page, else of the NCX. The first name for a page counts."""
    try:
        root = parse_xml(_read_part(book.package, book.names, path))
    except (*FAILURES, RuntimeError):
        return
    if root is None:
        return
    for point in root.iter("{*}navPoint"):
        target, label = point.find("{*}content"), point.find("{*}navLabel")
        if target is not None and label is not None:
            depth = 1 + sum(1 for _ in point.iterancestors("{*}navPoint"))
            book.titles.setdefault(_resolve_path(path, target.get("src") or ""), (_text(label), depth))
    for navigation in root.iter("{*}nav"):
        if "toc" in (navigation.get("{http://www.idpf.org/2007/ops}type") or "toc"):
            for link in navigation.iter("{*}a"):
                depth = sum(1 for _ in link.iterancestors("{*}ol"))
                book.titles.setdefault(_resolve_path(path, link.get("href") or ""), (_text(link), max(1, depth)))


def _place_chapter(builder: DocumentBuilder, book: _EpubPackage, path: str) -> bool:
    try:
        data = _read_part(book.package, book.names, path)
    except (*FAILURES, RuntimeError):
        return False
    match = _DECLARED.match(data)
    markup = _CLOSED.sub(r"<\1\2></\1>", decode(data, declared=match[1].decode("ascii") if match else "").text)
    title, level = book.titles.get(path, ("", 1))
    if title and not _HEADED.search(markup):
        builder.section(title, level)
    try:
        place_html(builder, markup)
    except Empty:
        return True  # a cover, or a page of pictures
    return True


def _metadata(root: Any) -> Metadata:
    values: dict[str, list[str]] = {}
    for element in root.iter(f"{_DC}*"):
        values.setdefault(element.tag.removeprefix(_DC), []).append(_text(element))
    first = {name: next(filter(None, found), "") for name, found in values.items()}
    extra = {name: first[name] for name in ("publisher", "description", "identifier") if first.get(name)}
    if subjects := ", ".join(filter(None, values.get("subject", []))):
        extra["keywords"] = subjects
    modified = next((_text(meta) for meta in root.iter("{*}meta") if meta.get("property") == "dcterms:modified"), "")
    return Metadata(
        title=first.get("title", ""),
        authors=tuple(filter(None, values.get("creator", [])))[:20],
        created_at=_parse_date(first.get("date", "")),
        modified_at=_parse_date(modified),
        language=first.get("language", "").split("-")[0].lower(),
        extra=extra,
    )


def _text(element: Any) -> str:
    return clean_line("".join(element.itertext()))


def _parse_date(text: str) -> datetime | None:
    """Parse a date as books write it: "2019-05-02", "2019-05", "2019", or a full time."""
    if re.fullmatch(r"\d{4}(-\d\d)?", text):
        text = f"{text}-01-01" if len(text) == 4 else f"{text}-01"
    return parse_timestamp(text)
