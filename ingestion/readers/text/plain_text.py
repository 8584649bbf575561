"""Plain text: paragraphs, lists and the headings that people mark by underlining, numbering or capitals."""

from __future__ import annotations

import re

from core.documents import ExtractedDocument
from core.formats import FileKind, Format, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import Source
from ingestion.readers.text.wrapped_lines import join_wrapped_lines, wrapped_width

# What is clean text under any other name is read as this, too.
FORMATS = (
    Format(
        name="text",
        title="plain text",
        kind=FileKind.TEXT,
        viewer=Viewer.TEXT,
        suffixes=(".txt",),
        rare_suffixes=(".log", ".rst", ".org", ".adoc"),
        spoken_endings=("txt",),
        is_streamed=True,
        inline=((".txt", "text/plain; charset=utf-8"),),
    ),
)
_UNDERLINE = re.compile(r"^([=\-~^#*])\1{2,}$")
# "2.1 Scope", "3. Term", "Chapter 4 ..."; a bare number in front may be a date or an amount.
_NUMBERED = re.compile(
    r"^(?:(?:chapter|section|part|article|annex|appendix|kapitel|abschnitt|artikel|anhang)\s+(\d{1,2}|[A-Z]|[IVX]{1,5})[.):]?|"
    r"(\d{1,2}(?:\.\d{1,2}){1,4})\.?|(\d{1,2}|[IVX]{1,5})\.)\s+\S",
    re.I,
)
_SECTION = re.compile(r"(?:SEC\.|SECTION|ART\.|ARTICLE|§)\s*\d{1,4}[A-Z]?\.\s+[A-Z]")
_BULLET = re.compile(r"^(?:[-*+•‣◦–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")
_ADDRESS = re.compile(r"\s*<(https?://[^<>\s]{60,})>")
_SAMPLE = 1_000_000  # characters that the width of lines is read from
_TERMINATED = re.compile(r"[.!?;,:…]$")


def extract(source: Source) -> ExtractedDocument:
    """Read text in any encoding.

    Raises:
        Empty: only white space.
    """
    limit = 4 * source.limits.characters
    decoded = decode(source.read_beginning(limit + 1), limit=limit)
    builder = DocumentBuilder("text", limit=source.limits.characters)
    place_text(builder, decoded.text)
    if decoded.truncated:
        builder.warn(f"The text was cut after {source.limits.characters:,} characters.")
    return builder.build()


def place_text(builder: DocumentBuilder, text: str) -> None:
    """Put the paragraphs of plain text into `builder`; a form feed begins a new paragraph, and lines that were broken at a width are joined."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    width = wrapped_width([line.rstrip() for line in text[:_SAMPLE].split("\n")])
    for paragraph in re.split(r"\n[^\S\n]*\n", text):
        if builder.full:
            return
        lines = [line.rstrip() for line in paragraph.split("\n") if line.strip()]
        if lines:
            lines, links = _take_out_addresses(lines)
            _place_paragraph(builder, lines, width)
            for words, address in links:
                builder.link(words, address)


def _take_out_addresses(lines: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Take long addresses in angle brackets out of lines, which programs write behind the words of a link; return what is left, and words with
    their address. Lines that are nothing else stay."""
    links = []
    for line in lines:
        end = 0
        for match in _ADDRESS.finditer(line):
            links.append((line[end : match.start()].strip(), match[1]))
            end = match.end()
    kept = [text for line in lines if (text := _ADDRESS.sub("", line)).strip()] if links else lines
    return (kept, [link for link in links if link[0]]) if kept else (lines, [])


def _place_paragraph(builder: DocumentBuilder, lines: list[str], width: int) -> None:
    lines = _place_heading(builder, join_wrapped_lines(lines, width) if width else lines)
    if not lines:
        return
    if (_BULLET.match(lines[0].strip()) and len(lines) > 1) or all(_BULLET.match(line.strip()) for line in lines):
        _place_list(builder, lines)
    else:
        builder.paragraph("\n".join(lines))


def _place_heading(builder: DocumentBuilder, lines: list[str]) -> list[str]:
    """Place a heading that begins the paragraph and return the lines behind it."""
    first = lines[0].strip()
    if len(lines) > 1 and (match := _UNDERLINE.match(lines[1].strip())) and len(first) <= 100 and not _UNDERLINE.match(first):
        builder.heading(first, 1 if match[1] in "=#*" else 2)
        return lines[2:]
    if len(lines) == 1 and (level := heading_level(first)):
        builder.heading(first, level)
        return []
    return [line for line in lines if not _UNDERLINE.match(line.strip())]


def heading_level(line: str) -> int:
    """Return the level of a line that stands alone, if it reads as a heading: numbered ("2.1 Scope"), or short and in capitals. 0 otherwise."""
    if _is_section_of_law(line):
        return 2
    if len(line) > 80 or _TERMINATED.search(line) or len(line.split()) > 12:
        return 0
    if match := _NUMBERED.match(line):
        return min(6, 1 + (match[2] or "").count(".")) if line[match.end() - 1].isupper() else 0
    letters = [character for character in line if character.isalpha()]
    return 1 if len(letters) >= 4 and all(character.isupper() for character in letters) and line[0].isalnum() and line.lower() != line else 0


def _is_section_of_law(line: str) -> bool:
    """Return whether a line is the heading of a law's section, which ends with a full stop: "SEC. 12. REPORTS."."""
    return _SECTION.match(line) is not None and line == line.upper() and len(line.split()) <= 20


def _place_list(builder: DocumentBuilder, lines: list[str]) -> None:
    items: list[list[str]] = []
    for line in lines:
        if _BULLET.match(line.strip()) or not items:
            items.append([line])
        else:
            items[-1].append(line)
    margin = min(len(item[0]) - len(item[0].lstrip()) for item in items)
    for item in items:
        depth = 1 + (len(item[0]) - len(item[0].lstrip()) - margin) // 2
        builder.list_item("\n".join(item), min(6, depth))
