"""Forms that a PDF holds as XFA alone (XML Forms Architecture 3.3): its pages say "please wait", the questions and answers stand in XML.

The template is read in its order: texts, and fields by their caption with the value that the data give them. What is hidden is left out; scripts do
not run, so what they would compute is not there.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.readers.base.document_builder import clean_line, clean_text
from ingestion.readers.base.office_package import FAILURES, parse_xml
from ingestion.readers.base.source import MEBIBYTE

_MOST_PACKETS, _LARGEST = 100, 64 * MEBIBYTE
_MOST_LINES, _MOST_REPEATS, _MAX_DEPTH = 20_000, 1_000, 60
_CONTAINERS = frozenset({"subform", "subformSet", "area", "exclGroup"})
_UNSEEN = frozenset({"hidden", "invisible", "inactive"})


def is_xfa_only(document: Any) -> bool:
    """Return whether the form in an open PDFium document is drawn from XML, so that its pages hold nothing of it."""
    return bool(document.get_formtype() == pdfium.FORMTYPE_XFA_FULL)


def form_lines(document: Any) -> list[str]:
    """Read the texts, questions and answers of the form; none where it is damaged."""
    template, data = None, None
    for content in _packets(document):
        try:
            root = parse_xml(content)
        except FAILURES:
            continue
        for element in root.iter("{*}template", "{*}data"):
            kind = _name(element)
            template = element if kind == "template" and template is None else template
            data = element if kind == "data" and data is None and "xfa-data" in str(element.tag) else data
    return list(_limit_lines(_walk(template, [data] if data is not None else [], 0))) if template is not None else []


def _packets(document: Any) -> Iterator[bytes]:
    for index in range(max(0, min(_MOST_PACKETS, pdfium.FPDF_GetXFAPacketCount(document)))):
        size = ctypes.c_ulong(0)
        if not pdfium.FPDF_GetXFAPacketContent(document, index, None, 0, size) or not 0 < size.value <= _LARGEST:
            continue
        buffer = ctypes.create_string_buffer(size.value)
        if pdfium.FPDF_GetXFAPacketContent(document, index, buffer, size.value, size):
            yield buffer.raw[: size.value]


def _limit_lines(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number >= _MOST_LINES:
            return
        if line:
            yield line


def _walk(element: Any, data: Sequence[Any], depth: int) -> Iterator[str]:
    """Yield the lines of a container. `data` are the groups of data around it, the outermost first."""
    for child in element if depth < _MAX_DEPTH else ():
        kind = _name(child)
        if child.get("presence") in _UNSEEN:
            continue
        if kind == "draw":
            yield _value(child)
        elif kind == "field":
            yield _field(child, data)
        elif kind in _CONTAINERS:
            if kind == "exclGroup":
                yield _caption(child)
            for inner in _groups(child, data):
                yield from _walk(child, inner, depth + 1)


def _groups(container: Any, data: Sequence[Any]) -> list[Sequence[Any]]:
    """Return the data that a container stands for: once for each group of its name, once without any."""
    name = container.get("name")
    found = [child for child in data[-1] if _name(child) == name] if name and data else []
    return [[*data, group] for group in found[:_MOST_REPEATS]] or [data]


def _field(field: Any, data: Sequence[Any]) -> str:
    caption = _caption(field)
    kinds = {_name(child) for ui in field.iterchildren("{*}ui") for child in ui}
    if "button" in kinds:
        return ""
    value = _answer(field, data)
    items = [[clean_line("".join(entry.itertext())) for entry in entries] for entries in field.iterchildren("{*}items")]
    if "checkButton" in kinds:
        return _box(caption, value, items[0][:1] if items else [])
    if len(items) > 1 and value in items[1]:  # what is saved stands beside what is shown
        value = next(iter(items[0][items[1].index(value) :]), value)
    return f"{caption.rstrip(': ')}: {value}" if caption and value else caption or value


def _box(caption: str, value: str, on: Sequence[str]) -> str:
    """Return a box with its caption; `on` is the value that ticks it, "1" where none is named."""
    ticked = value == (on[0] if on else "1")
    return f"{'☒' if ticked else '☐'} {caption}" if caption else ""


def _caption(element: Any) -> str:
    """Return the words beside a field, or those that a screen reader says."""
    caption = next((_value(child) for child in element.iterchildren("{*}caption") if child.get("presence") not in _UNSEEN), "")
    return caption or next((clean_line(tip.text or "") for tip in element.iterfind("{*}assist/{*}toolTip")), "")


def _answer(field: Any, data: Sequence[Any]) -> str:
    """Return the value that the data hold: under the field's own name in the nearest group, or where its binding points; else its default."""
    bind = next(field.iterchildren("{*}bind"), None)
    name = field.get("name") or ""
    if bind is not None and bind.get("match") == "dataRef":
        name = (bind.get("ref") or "").rpartition(".")[2].partition("[")[0]
    for group in reversed(data) if bind is None or bind.get("match") != "none" else ():
        found = next((child for child in group if _name(child) == name), None)
        if found is not None:
            return clean_line("".join(found.itertext()))
    return clean_line(_value(field))


def _value(element: Any) -> str:
    """Return the words in the `value` of an element: plain, or as XHTML."""
    value = next(element.iterchildren("{*}value"), None)
    if value is None:
        return ""
    kinds = [child for child in value if _name(child) not in ("image", "line", "rectangle", "arc")]
    paragraphs = [block for child in kinds for block in child.iter("{*}p")]
    words = ["".join(block.itertext()) for block in paragraphs] or ["".join(child.itertext()) for child in kinds]
    return clean_text("\n".join(words))


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""
