"""Names that a sentence says side by side: "Ada Holm, Ned Brock and Ole Lund" did it together."""

from __future__ import annotations

from core.lazy_patterns import compile_when_used

_FULL_NAME = r"[A-ZÀ-Þ][\w’'-]+(?:\s+(?:[A-ZÀ-Þ][\w’'-]+|[A-ZÀ-Þ]\b\.?)){1,3}"
_BEHIND = compile_when_used(rf"(?:,\s+{_FULL_NAME}){{0,4}},?\s+(?:and|und|&)\s+{_FULL_NAME}")
_BEFORE = compile_when_used(rf"(?:{_FULL_NAME},\s+){{0,4}}{_FULL_NAME},?\s+(?:and|und|&)\s+$")
_LONGEST = 160  # characters of names in front of one


def with_names_beside(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a person's name at [start:end] with the names beside it; as it is where none stands there."""
    behind = _BEHIND.match(text, end)
    if behind is not None:
        return start, behind.end()
    before = _BEFORE.search(text[max(0, start - _LONGEST) : start])
    return start - len(before.group()) if before is not None else start, end
