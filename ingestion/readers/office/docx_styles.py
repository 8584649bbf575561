"""Styles of Word: whether a paragraph is a heading or a list item, by its style and the styles that one is based on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.documents import BlockKind
from ingestion.readers.office.docx_text import W

_HEADING = re.compile(r"^(?:heading|überschrift|titre|título|titolo|kop|rubrik|nagłówek|заголовок|标题)\s*([1-9])$", re.I)
_KINDS = (
    (re.compile(r"^(?:caption|beschriftung|légende|epígrafe)", re.I), BlockKind.CAPTION),
    (re.compile(r"^(?:intense )?quote|^block text|^zitat", re.I), BlockKind.QUOTE),
    (re.compile(r"^html preformatted|^(?:source )?code\b|^plain code|^verbatim|^listing", re.I), BlockKind.CODE),
    (re.compile(r"^toc \d|^table of figures|^index \d", re.I), BlockKind.FURNITURE),
    (re.compile(r"^footnote text|^endnote text", re.I), BlockKind.NOTE),
)
_MAX_CHAIN = 20


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """`heading` is 1..6 or 0; `list_id` names the list of a list item (or of a numbered heading), "" for none."""

    heading: int = 0
    kind: BlockKind = BlockKind.PARAGRAPH
    list_id: str = ""
    list_depth: int = 0


class Styles:
    """The styles part of a document, resolved on demand."""

    def __init__(self, root: Any | None) -> None:
        self._elements: dict[str, Any] = {}
        self._resolved: dict[str, ParagraphStyle] = {}
        for style in root.findall(f"{W}style") if root is not None else ():
            self._elements[style.get(f"{W}styleId") or ""] = style

    def style_of(self, paragraph: Any) -> ParagraphStyle:
        """Return the style of a `w:p`, its own properties before those of its style."""
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            return ParagraphStyle()
        base = self._named_style(_value(properties, "pStyle"))
        level = _outline_level(properties)
        heading = base.heading if level is None else level
        list_id, depth = _list_of(properties)
        if list_id is None:
            list_id, depth = base.list_id, base.list_depth
        return ParagraphStyle(heading, base.kind, "" if list_id == "0" else list_id, depth if depth is not None else base.list_depth)

    def marks_headings(self, body: Any) -> bool:
        """Return whether any paragraph of the body is a heading by its style."""
        return any(self.style_of(paragraph).heading for paragraph in body.iter(f"{W}p"))

    def looks_like_heading(self, paragraph: Any, text: str) -> bool:
        """Return whether a short paragraph is set bold from end to end, where no style marks headings."""
        if len(text) > 80 or "\n" in text or text[-1] in ".,;:!?" or not any(character.isalpha() for character in text):
            return False
        runs = [run for run in paragraph.iter(f"{W}r") if "".join(part.text or "" for part in run.iter(f"{W}t")).strip()]
        return bool(runs) and all(_is_bold(run) for run in runs) and next(paragraph.iterancestors(f"{W}tc"), None) is None

    def _named_style(self, identifier: str) -> ParagraphStyle:
        if identifier not in self._resolved:
            self._resolved[identifier] = self._resolve(identifier)
        return self._resolved[identifier]

    def _resolve(self, identifier: str) -> ParagraphStyle:
        """Return the style with what those say that it is based on, where it says nothing itself."""
        chain = [(_value(style, "name") or identifier, style.find(f"{W}pPr")) for style in self._chain(identifier)]
        if not chain:  # the styles part is lost; the names of the usual styles tell
            return ParagraphStyle(heading_by_name(identifier) or 0, BlockKind.PARAGRAPH, "", 0)
        heading = next((level for name, properties in chain if (level := _heading_level(name, properties)) is not None), 0)
        kind = next((found for name, _ in chain for pattern, found in _KINDS if pattern.search(name)), BlockKind.PARAGRAPH)
        list_id, depth = _inherited_list([properties for _, properties in chain if properties is not None])
        return ParagraphStyle(heading, kind, "" if list_id in (None, "0") else str(list_id), depth or 0)

    def _chain(self, identifier: str) -> list[Any]:
        chain: list[Any] = []
        while identifier in self._elements and len(chain) < _MAX_CHAIN:
            chain.append(self._elements[identifier])
            identifier = _value(chain[-1], "basedOn")
        return chain


def heading_by_name(name: str) -> int | None:
    """Return the level that the usual names of styles stand for ("heading 2", "Überschrift 1", "Title")."""
    if name.lower() == "title":
        return 1
    match = _HEADING.match(name)
    return min(6, int(match[1])) if match else None


def _heading_level(name: str, properties: Any) -> int | None:
    level = heading_by_name(name)
    return level or (_outline_level(properties) if properties is not None else None)


def _inherited_list(chain: Sequence[Any]) -> tuple[str | None, int | None]:
    """Return the first list that one of the styles names, and the first depth up to there."""
    list_id: str | None = None
    depth: int | None = None
    for properties in chain:
        list_id, found = _list_of(properties)
        depth = found if depth is None else depth
        if list_id is not None:
            break
    return list_id, depth


def _outline_level(properties: Any) -> int | None:
    """Return 1..6 from `w:outlineLvl` (0..8); 0 for body text (9); None where it is not said."""
    value = _value(properties, "outlineLvl")
    if not value.isdecimal():
        return None
    return min(6, int(value) + 1) if int(value) < 9 else 0


def _list_of(properties: Any) -> tuple[str | None, int | None]:
    numbering = properties.find(f"{W}numPr")
    if numbering is None:
        return None, None
    depth = _value(numbering, "ilvl")
    return _value(numbering, "numId") or None, int(depth) if depth.isdecimal() else None


def _is_bold(run: Any) -> bool:
    bold = run.find(f"{W}rPr/{W}b")
    return bold is not None and bold.get(f"{W}val") not in ("0", "false", "off")


def _value(element: Any, name: str) -> str:
    child = element.find(f"{W}{name}")
    return (child.get(f"{W}val") or "") if child is not None else ""
