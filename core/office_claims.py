"""Claims about who holds an office, as a sentence says it: "The caretaker is Ms Ada Holm", "Ada Holm succeeded Jon Berg as caretaker"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OfficeHolder:
    """`name` at [start, end) stands under `label`; `predecessor` is whom the sentence names as the one before."""

    label: str
    name: str
    start: int
    end: int
    predecessor: str = ""


_TITLES = r"(?:(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Sir|Dame)\.?\s+)*"
_NAME = (
    rf"{_TITLES}[A-ZÀ-Þ][\w’'-]+(?:\s+(?:[A-ZÀ-Þ]\.|van|von|de|der|den|la|du|di))*(?:\s+[A-ZÀ-Þ][\w’'-]+){{1,2}}|"
    r"(?:Mr|Mrs|Ms|Dr|Herr|Frau)\.?\s+[A-ZÀ-Þ][\w’'-]+"
)
_LABEL = r"(?P<label>[^\W\d][\w’'-]*(?:\s+[\w’'-]+){0,6}?)"
_LABEL_FIRST = re.compile(
    rf"^\W*(?:(?i:the|our|from .{{4,20}} the|der|die|das|unser|unsere|neue[rs]?|since .{{4,24}},?\s+the)\s+)?{_LABEL}\s*"
    rf"(?::|(?i:\b(?:is|are|has\s+been|is\s+now|will\s+be|ist|ist\s+jetzt|ist\s+nun|wird|heißt)\b))\s*"
    rf"(?:(?i:now|jetzt|nun|seit .{{4,24}}?)\s+)?(?P<name>{_NAME})"
)
_NAME_FIRST = re.compile(
    rf"(?P<name>{_NAME})\s+(?i:is|has\s+been|becomes|became|is\s+now|ist|ist\s+jetzt|wird|wurde)\s+(?:(?i:now|jetzt|nun|since|seit|ab)\b[^.;]{{0,24}}?\s)?"
    rf"(?i:the|our|der|die|unser|unsere|neue[rs]?|new)\s+(?:(?i:new|neue[rs]?)\s+)?{_LABEL}(?=[,.;]|\s+(?i:since|from|as|seit|ab|and|und)\b|$)"
)
_FOLLOWED = re.compile(
    rf"(?P<name>{_NAME})\s+(?i:succeeds|succeeded|follows|followed|replaces|replaced|takes\s+over\s+from|took\s+over\s+from|löst|folgt\s+auf)\s+(?P<old>{_NAME})"
    rf"\s+(?i:as|als)\s+(?:(?i:the|our)\s+)?{_LABEL}(?=[,.;]|\s+(?i:since|from|on|seit|ab|and|und)\b|$)"
)
# Labels under which anybody may stand, and several at once.
_OPEN = re.compile(
    r"^(?:from|to|cc|bcc|date|subject|place|present|apologies|dear|signed|by|who|what|it|he|she|they|this|that|there|here|for|between|von|an|betreff|"
    r"anwesend|es|er|sie|note|example|see)\b",
    re.I,
)


def find_office_holders(sentence: str) -> Iterator[OfficeHolder]:
    """Yield the offices that the sentence fills, at most one for each way of saying it."""
    for match in _FOLLOWED.finditer(sentence):
        yield OfficeHolder(match["label"], _strip_titles(match["name"]), *match.span("name"), predecessor=_strip_titles(match["old"]))
        return
    first = _LABEL_FIRST.match(sentence)
    if first is not None and not _OPEN.match(first["label"]):
        yield OfficeHolder(first["label"], _strip_titles(first["name"]), *first.span("name"))
        return
    for match in _NAME_FIRST.finditer(sentence):
        yield OfficeHolder(match["label"], _strip_titles(match["name"]), *match.span("name"))
        return


def _strip_titles(name: str) -> str:
    return re.sub(rf"^{_TITLES}", "", name) or name
