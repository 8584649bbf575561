"""Links of a PDF page that lead out of the file: to an address, or to another file."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.readers.base.document_builder import clean_line
from ingestion.readers.base.page_lines import PageLine, PageLink
from ingestion.readers.pdf.page_characters import Characters

_MAX_LINKS = 500
_MAX_TARGET = 2_000
_SLACK = 1.0


def read_links(document: Any, page: Any, text_page: Any, characters: Characters) -> tuple[PageLink, ...]:
    """Read the links of an open page, each with the text that carries it."""
    links: list[PageLink] = []
    position, link, area = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while len(links) < _MAX_LINKS and pdfium.FPDFLink_Enumerate(page, position, link):
        target = _target(document, link)
        if target and pdfium.FPDFLink_GetAnnotRect(link, area):
            left, right = sorted((area.left, area.right))
            bottom, top = sorted((area.bottom, area.top))
            anchor = clean_line(text_page.get_text_bounded(left, bottom + _SLACK, right, top - _SLACK))
            links.append(PageLink(characters.turn_box(left, bottom, right, top), anchor, target))
    return tuple(links)


def _target(document: Any, link: Any) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    match pdfium.FPDFAction_GetType(action) if action else 0:
        case pdfium.PDFACTION_URI:
            return _read_narrow_string(lambda buffer, size: pdfium.FPDFAction_GetURIPath(document, action, buffer, size))
        case pdfium.PDFACTION_REMOTEGOTO | pdfium.PDFACTION_LAUNCH:
            return _read_narrow_string(lambda buffer, size: pdfium.FPDFAction_GetFilePath(action, buffer, size))
        case _:
            return ""


def _read_narrow_string(ask: Callable[[Any, int], int]) -> str:
    size = ask(None, 0)
    if not 1 < size <= _MAX_TARGET:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(buffer, size)
    return buffer.value.decode("utf-8", errors="replace")


def links_on(links: Sequence[PageLink], lines: Sequence[PageLine]) -> list[PageLink]:
    """Return the links that lie on one of the lines (or on the table whose place a line holds)."""
    return [link for link in links if any(_lies_on(link, line) for line in lines)]


def _lies_on(link: PageLink, line: PageLine) -> bool:
    x, y = (link.box[0] + link.box[2]) / 2, (link.box[1] + link.box[3]) / 2
    return line.left - _SLACK <= x <= line.right + _SLACK and line.y - line.size <= y <= line.y + _SLACK
