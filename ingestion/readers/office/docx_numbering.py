"""The numbers that Word writes in front of paragraphs ("8.2", "(a)", "•"): they stand in no text, only in the numbering part."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from ingestion.readers.office.docx_text import W

_MAX_LEVEL = 9
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


@dataclass(frozen=True, slots=True)
class _NumberingLevel:
    format: str = "decimal"
    text: str = ""
    start: int = 1


class Numbering:
    """Counts the paragraphs of a document's lists in reading order."""

    def __init__(self, root: Any | None) -> None:
        self._levels: dict[str, dict[int, _NumberingLevel]] = {}
        self._abstract: dict[str, str] = {}
        self._counters: dict[str, list[int]] = defaultdict(lambda: [0] * _MAX_LEVEL)
        if root is not None:
            self._read_levels(root)

    def label(self, number: str, depth: int) -> str:
        """Return the label of the next paragraph of list `number` (a `w:numId`) at `depth` from 0; "" for a list without labels."""
        depth = max(0, min(depth, _MAX_LEVEL - 1))
        abstract = self._abstract.get(number, "")
        levels = self._levels.get(number) or self._levels.get(abstract, {})
        level = levels.get(depth)
        if level is None:
            return "•"
        counters = self._counters[abstract or number]
        counters[depth] = counters[depth] + 1 if counters[depth] else level.start
        counters[depth + 1 :] = [0] * (_MAX_LEVEL - depth - 1)
        if level.format == "bullet":
            return "•"
        if level.format == "none":
            return level.text if "%" not in level.text else ""
        return re.sub(r"%([1-9])", lambda match: _format_label(levels, counters, int(match[1]) - 1, level), level.text)

    def _read_levels(self, root: Any) -> None:
        for abstract in root.findall(f"{W}abstractNum"):
            levels = {_parse_number(level.get(f"{W}ilvl"), 0): _level(level) for level in abstract.findall(f"{W}lvl")}
            self._levels["abstract" + (abstract.get(f"{W}abstractNumId") or "")] = levels
        for number in root.findall(f"{W}num"):
            identifier = number.get(f"{W}numId") or ""
            reference = number.find(f"{W}abstractNumId")
            self._abstract[identifier] = "abstract" + (reference.get(f"{W}val") or "" if reference is not None else "")
            self._override(identifier, number)

    def _override(self, identifier: str, number: Any) -> None:
        """Override a list's numbers: one that begins anew or looks different counts for itself."""
        overrides = number.findall(f"{W}lvlOverride")
        if not overrides:
            return
        levels = dict(self._levels.get(self._abstract[identifier], {}))
        for override in overrides:
            depth = _parse_number(override.get(f"{W}ilvl"), 0)
            own, start = override.find(f"{W}lvl"), override.find(f"{W}startOverride")
            base = _level(own) if own is not None else levels.get(depth, _NumberingLevel())
            levels[depth] = _NumberingLevel(base.format, base.text, _parse_number(start.get(f"{W}val"), 1)) if start is not None else base
        self._levels[identifier] = levels
        self._abstract[identifier] = identifier


def _parse_number(text: str | None, default: int) -> int:
    """Parse a number of the file, as far as a list can count."""
    return int(text) if text and text.isdecimal() and len(text) < 7 else default


def _level(element: Any) -> _NumberingLevel:
    values = {child.tag: child.get(f"{W}val") or "" for child in element}
    start = values.get(f"{W}start", "1")
    return _NumberingLevel(values.get(f"{W}numFmt", "decimal"), values.get(f"{W}lvlText", ""), _parse_number(start, 1))


def _format_label(levels: dict[int, _NumberingLevel], counters: list[int], depth: int, current: _NumberingLevel) -> str:
    level = levels.get(depth, current)
    return format_numeral(counters[depth] or level.start, level.format)


def format_numeral(value: int, style: str) -> str:
    """Write a number in one of Word's styles: "decimal", "lowerLetter", "upperRoman" …"""
    match style:
        case "lowerLetter" | "upperLetter":
            letter = chr(ord("a") + (value - 1) % 26) * min((value - 1) // 26 + 1, 20)
            return letter.upper() if style == "upperLetter" else letter
        case "lowerRoman" | "upperRoman":
            return _roman(value).upper() if style == "upperRoman" else _roman(value)
        case "decimalZero":
            return f"{value:02d}"
        case _:
            return str(value)


def _roman(value: int) -> str:
    written = ""
    for amount, letters in _ROMAN:
        while value >= amount and len(written) < 20:
            written += letters
            value -= amount
    return written
