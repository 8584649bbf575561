"""What a document says of other documents: links, names of files, bibliographies, "supersedes …" and "see Annex B". Rules alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from core.documents import BlockKind, ExtractedDocument, FoundReference, ReferenceKind
from core.references import reference_key

_READ = 1_000_000  # characters
_MOST = 1_000  # references of one document
_ENTRY = 600  # characters of an entry of a bibliography

_SUFFIXES = "pdf docx? xlsx? pptx? od[tsp] rtf eml msg csv md txt html? epub zip".replace(" ", "|")
# A name with blanks counts only in quotes: in a sentence nobody knows where it begins.
_FILE = re.compile(
    rf"[“\"„‘'](?P<quoted>[\w][^“”\"\n]{{0,120}}?\.(?:{_SUFFIXES}))[”\"“’']|(?<![\w/@.])(?P<plain>[\w][\w.()&+-]{{0,120}}?\.(?:{_SUFFIXES}))\b(?![\w/])",
    re.I,
)
_NAMED = (
    r"(?:“[^”\n]{3,150}”|\"[^\"\n]{3,150}\"|(?:[A-Z0-9][\w.&/-]*)(?:\s+(?:(?:of|for|and|the|on|to|in|und|der|für)\s+)*[A-Z0-9(][\w.&/()-]*){0,10})"
)
_SUPERSEDES = re.compile(
    rf"\b(?i:supersedes?|superseding|replaces|replacing|revokes|ersetzt|remplace|sustituye a)\s*[:|]?\s+(?i:and (?:replaces|supersedes)\s+)?"
    rf"(?i:the\s+|our\s+|all\s+previous\s+|die\s+|den\s+|das\s+|la\s+|le\s+)?(?P<name>(?i:version|revision|rev\.?|edition|v\.?)\s*\d\w*(?:\.\w+)*|{_NAMED})"
)
_PART = r"(?:annex|appendix|schedule|exhibit|attachment|enclosure|anlage|anhang|annexe|anexo)"
_REFERS = re.compile(
    rf"\b(?i:see(?:\s+also)?|refer\s+to|as\s+set\s+out\s+in|in\s+accordance\s+with|pursuant\s+to|according\s+to|siehe|gemäß|laut|voir)\s+"
    rf"(?i:the\s+|our\s+|der\s+|die\s+|das\s+|la\s+|le\s+)?(?P<name>(?i:{_PART})\s+[A-Z0-9]{{1,4}}\b|{_NAMED})"
)
_VERSION = re.compile(r"(?:version|revision|rev\.?|edition|v\.?)\s*(\d[\w.]*)", re.I)
_TRAILING = re.compile(r"[\s,;:.()-]*(?:\b(?:version|v\.?|rev\.?|revision)\s*)?\d{0,4}(?:\.\d+)*\s*\)?$", re.I)
_BIBLIOGRAPHY = re.compile(
    r"^\W*(?:[\dIVX]+\W+)?(?:references|bibliography|works cited|literature|literatur(?:verzeichnis)?|références|bibliografía)\W*$", re.I
)
_QUOTED = re.compile(r"[“\"„«]([^”\"“»]{8,200})[”\"“»]")
_YEAR = re.compile(r"\(?\b(?:1[89]|20)\d\d[a-z]?\)?\s*[.,:)]")
_OPENS_ENTRY = re.compile(r"^\s*(?:\[\w+\]|\d{1,3}[.)]|•)\s*")


def find_references(document: ExtractedDocument, title: str) -> tuple[FoundReference, ...]:
    """The references of a document in the order of its text, each place once, at most 1,000."""
    if document.parser == "code":
        return ()
    found: list[FoundReference] = []
    for reference in _all(document, title):
        if not any(reference.start < other.end and other.start < reference.end for other in found):
            found.append(reference)
        if len(found) >= _MOST:
            break
    return tuple(sorted(found, key=lambda each: each.start))


def _all(document: ExtractedDocument, title: str) -> Iterator[FoundReference]:
    text = document.text[:_READ]
    for link in document.links:
        if name := _linked_file(link.target):
            yield FoundReference(ReferenceKind.LINKS_TO, link.target, link.start, link.end, (reference_key(name),))
    yield from _entries(document)
    for match in _SUPERSEDES.finditer(text):
        yield from _stated(match, ReferenceKind.SUPERSEDES, title)
    for match in _FILE.finditer(text):
        part = "quoted" if match["quoted"] else "plain"
        yield FoundReference(ReferenceKind.NAMES_FILE, match[part], match.start(part), match.end(part), (reference_key(match[part]),))
    for match in _REFERS.finditer(text):
        if not _own_part(document, match["name"]):
            yield from _stated(match, ReferenceKind.REFERS_TO, title)


def _linked_file(target: str) -> str:
    """The file name that a link leads to; "" where it leads to no file (the root of a site, a query)."""
    try:
        path = unquote(urlsplit(target.replace("\\", "/")).path)
    except ValueError:
        return ""
    name = PurePosixPath(path).name
    return name if "." in name.strip(".") else ""


def _stated(match: re.Match[str], kind: ReferenceKind, title: str) -> Iterator[FoundReference]:
    name = match["name"].strip(' .,;:“”"')
    if version := _VERSION.fullmatch(name):
        # "supersedes version 2": of this very document.
        base = _TRAILING.sub("", title)
        keys = (reference_key(f"{base} {version[1]}"),) if base else ()
    else:
        keys = (reference_key(name),)
    if keys and len(keys[0]) > 2:
        yield FoundReference(kind, name, match.start("name"), match.end("name"), keys)


def _own_part(document: ExtractedDocument, name: str) -> bool:
    """Whether the document has a heading of that name itself: then it refers to itself."""
    key = reference_key(name)
    return any(section.path and reference_key(section.path[-1]).startswith(key) for section in document.sections)


def _entries(document: ExtractedDocument) -> Iterator[FoundReference]:
    """The entries of a bibliography; keys are what may be a title: what stands in quotes, else the parts between full stops."""
    spans = [(section.start, section.end) for section in document.sections if section.path and _BIBLIOGRAPHY.match(section.path[-1])]
    for block in document.blocks:
        if block.kind in (BlockKind.HEADING, BlockKind.FURNITURE) or not any(start <= block.start < end for start, end in spans):
            continue
        entry = document.text[block.start : min(block.end, block.start + _ENTRY)]
        quoted = _QUOTED.findall(entry)
        parts = quoted or [
            part for part in re.split(r"\.\s+|,\s+(?=[A-Z][a-z]+\s[a-z])|\(\d{4}\)", _OPENS_ENTRY.sub("", entry)) if len(part.split()) >= 3
        ]
        keys = tuple(dict.fromkeys(filter(None, map(reference_key, parts))))[:4]
        if keys and (_OPENS_ENTRY.match(entry) or quoted or _YEAR.search(entry)) and len(entry.split()) >= 5:
            yield FoundReference(ReferenceKind.CITES, entry, block.start, block.end, keys)
