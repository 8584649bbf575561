"""Finds what a document says of other documents: links, names of files, bibliographies, "supersedes …", "amends …" and "see Annex B". Rules alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from core.documents import BlockKind, ExtractedDocument, FoundReference, ReferenceKind
from core.references import reference_key

_READ_CHARACTERS = 1_000_000  # characters
_MAX_REFERENCES = 1_000  # references of one document
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
    rf"\b(?i:supersedes?|superseding|replaces|replacing|revokes|repeals|withdraws|ersetzt|"
    rf"tritt\s+an\s+die\s+stelle\s+(?:von|der|des)|remplace|sustituye a)\s*[:|]?\s+(?i:and (?:replaces|supersedes)\s+)?"
    rf"(?i:the\s+|our\s+|all\s+previous\s+|die\s+|den\s+|das\s+|la\s+|le\s+)?(?P<name>(?i:version|revision|rev\.?|edition|v\.?)\s*\d\w*(?:\.\w+)*|{_NAMED})"
)
# "the lease of Quay 7 warehouse, Elver Docks": a kind of document in small letters, and what it is of.
_KIND = (
    r"(?:lease|contract|agreement|licen[cs]e|policy|procedure|handbook|manual|guidelines?|rules|regulations|terms|statutes|articles|tariff|price\s+list|"
    r"[^\W\d_]*vertrag(?:e?s)?|[^\W\d_]*vereinbarung|[^\W\d_]*ordnung|[^\W\d_]*satzung|[^\W\d_]*richtlinie|[^\W\d_]*anweisung|[^\W\d_]*preisliste|"
    r"handbuch(?:e?s)?)"
)
_OF = r"(?:\s+(?:of|for|on|über|für|zu|zum|zur)(?:\s+(?:the|our|das|die|den|der|dem))?)?"
_TOLD = (
    rf"(?:(?i:{_KIND}){_OF}(?:\s+[A-ZÀ-Þ0-9][\w.&/’-]*){{1,6}}(?:\s+(?!(?:and|und|dated|vom|of|is|as|from)\b)"
    rf"[a-zà-ÿ][\w-]+){{0,2}}(?:,\s+[A-ZÀ-Þ]\w+(?:\s+[A-ZÀ-Þ]\w+){{0,3}}){{0,2}})"
)
_AMENDS = (
    re.compile(
        rf"\b(?i:amends|amending|changes|varies|varying|modifies|modifying|supplements|supplementing|ändert|ergänzt)\s+(?i:the\s+|our\s+|die\s+|den\s+|das\s+)?"
        rf"(?P<name>{_TOLD}|“[^”\n]{{3,150}}”|\"[^\"\n]{{3,150}}\")"
    ),
    re.compile(
        rf"\b(?i:amendment|addendum|supplement|variation|nachtrag|änderung|ergänzung)(?:\s+(?i:no|nr|number)?\.?\s*\d+)?\s+(?i:to|zum|zur|de[rs]|of)\s+"
        rf"(?i:the\s+|our\s+)?(?P<name>{_TOLD}|“[^”\n]{{3,150}}”|\"[^\"\n]{{3,150}}\")"
    ),
)
_OF_THING = re.compile(rf"(?P<kind>{_KIND})\s+(?:of|for|on)\s+(?:the\s+)?(?P<thing>.+)", re.I)
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
    """Return the references of a document in the order of its text, each place once, at most 1,000."""
    if document.parser == "code":
        return ()
    found: list[FoundReference] = []
    for reference in _iterate_references(document, title):
        if not any(reference.start < other.end and other.start < reference.end for other in found):
            found.append(reference)
        if len(found) >= _MAX_REFERENCES:
            break
    return tuple(sorted(found, key=lambda each: each.start))


def _iterate_references(document: ExtractedDocument, title: str) -> Iterator[FoundReference]:
    text = document.text[:_READ_CHARACTERS]
    for link in document.links:
        if name := _linked_file(link.target):
            yield FoundReference(ReferenceKind.LINKS_TO, link.target, link.start, link.end, (reference_key(name),))
    yield from _entries(document)
    for match in _SUPERSEDES.finditer(text):
        yield from _stated_references(match, ReferenceKind.SUPERSEDES, title)
    for pattern in _AMENDS:
        for match in pattern.finditer(text):
            yield from _amendments(match)
    for match in _FILE.finditer(text):
        part = "quoted" if match["quoted"] else "plain"
        yield FoundReference(ReferenceKind.NAMES_FILE, match[part], match.start(part), match.end(part), (reference_key(match[part]),))
    for match in _REFERS.finditer(text):
        if not _is_own_part(document, match["name"]):
            yield from _stated_references(match, ReferenceKind.REFERS_TO, title)


def _linked_file(target: str) -> str:
    """Return the file name that a link leads to; "" where it leads to no file (the root of a site, a query)."""
    try:
        path = unquote(urlsplit(target.replace("\\", "/")).path)
    except ValueError:
        return ""
    name = PurePosixPath(path).name
    return name if "." in name.strip(".") else ""


def _stated_references(match: re.Match[str], kind: ReferenceKind, title: str) -> Iterator[FoundReference]:
    name = match["name"].strip(' .,;:“”"')
    if version := _VERSION.fullmatch(name):
        # "supersedes version 2": of this very document.
        base = _TRAILING.sub("", title)
        keys = (reference_key(f"{base} {version[1]}"),) if base else ()
    else:
        keys = (reference_key(name),)
    if keys and len(keys[0]) > 2:
        yield FoundReference(kind, name, match.start("name"), match.end("name"), keys)


def _amendments(match: re.Match[str]) -> Iterator[FoundReference]:
    """Yield a document that is changed, under each name that it may go by: "lease of Quay 7, Elver Docks" is also the "Quay 7 lease"."""
    name = match["name"].strip(' .,;:“”"')
    names = [name, name.split(",")[0]]
    while names[-1].split()[-1:] and names[-1].split()[-1].islower() and len(names[-1].split()) > 3:
        names.append(names[-1].rpartition(" ")[0])
    turned = [f"{found['thing']} {found['kind']}" for each in names if (found := _OF_THING.fullmatch(each))]
    keys = tuple(dict.fromkeys(key for each in (*names, *turned) if len(key := reference_key(each)) > 2))[:8]
    if keys:
        yield FoundReference(ReferenceKind.AMENDS, name, match.start("name"), match.end("name"), keys)


def _is_own_part(document: ExtractedDocument, name: str) -> bool:
    """Return whether the document has a heading of that name itself: then it refers to itself."""
    key = reference_key(name)
    return any(section.path and reference_key(section.path[-1]).startswith(key) for section in document.sections)


def _entries(document: ExtractedDocument) -> Iterator[FoundReference]:
    """Yield the entries of a bibliography; keys are what may be a title: what stands in quotes, else the parts between full stops."""
    spans = [(section.start, section.end) for section in document.sections if section.path and _BIBLIOGRAPHY.match(section.path[-1])]
    for block in document.blocks:
        if block.kind in (BlockKind.HEADING, BlockKind.FURNITURE) or not any(start <= block.start < end for start, end in spans):
            continue
        entry = document.text[block.start : min(block.end, block.start + _ENTRY)]
        quoted = _QUOTED.findall(entry)
        keys = tuple(dict.fromkeys(filter(None, map(reference_key, quoted or _parts_of_entry(entry)))))[:4]
        if keys and (_OPENS_ENTRY.match(entry) or quoted or _YEAR.search(entry)) and len(entry.split()) >= 5:
            yield FoundReference(ReferenceKind.CITES, entry, block.start, block.end, keys)


def _parts_of_entry(entry: str) -> list[str]:
    """Return the parts between full stops that are long enough for a title."""
    parts = re.split(r"\.\s+|,\s+(?=[A-Z][a-z]+\s[a-z])|\(\d{4}\)", _OPENS_ENTRY.sub("", entry))
    return [part for part in parts if len(part.split()) >= 3]
