"""A row of a table as a line that can be read alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from core.language.content_words import stems
from core.language.stop_words import COLUMN_STOP_WORDS

LONGEST_ROW = 40  # words; a row without an asked-for column is shown up to here

_CELL = re.compile(r"\s*\|\s*|\t+")
_FRAMED_ROW = re.compile(r"\s*\|\s?(?P<cells>.*?)\s?\|\s*", re.DOTALL)
_ASKING_HEADERS = frozenset("who what when where which wer was wann wo".split())
_ANSWERING_HEADERS = {  # what a question's word asks for under another name
    "who": frozenset("who owner person responsible name contact call".split()),
    "when": frozenset("when by date due deadline since until day time".split()),
    "where": frozenset("where place site location room".split()),
    "wer": frozenset("wer name person verantwortlich".split()),
    "wann": frozenset("wann datum frist bis termin".split()),
}
_RELATION = re.compile(r"\b(?:for|by|to|at|in|from|of|with|on|since|until|für|von|an|bei|bis|seit)$", re.IGNORECASE)
_ORDINAL = re.compile(r"^[#\d.\s)(-]*$")


def cells_of(row: str) -> list[str]:
    """Return the cells of a row as it stands in a document, between "|" or tabs; empty cells are kept."""
    return [row[start:end].strip() for start, end in cell_places(row)]


class RowName(NamedTuple):
    """What says of what a row is: the stems of a cell, and the number of its column."""

    column: int
    stems: frozenset[str]


def find_row_name(row: str) -> RowName | None:
    """Return the first cell that has a letter (a number in front of it is the row's own); None where no cell has a word that says something."""
    for column, cell in enumerate(cells_of(row)):
        if any(map(str.isalpha, cell)):
            return RowName(column, stems(cell)) if stems(cell) else None
    return None


def cell_places(row: str) -> list[tuple[int, int]]:
    """Return [start:end] in a row of each of its `cells_of`, in their order. A "|" at the beginning ends an empty cell, unless there is one at the
    end too, as Markdown writes rows."""
    framed = _FRAMED_ROW.fullmatch(row)
    begin, end = framed.span("cells") if framed is not None else (len(row) - len(row.lstrip("\n")), len(row.rstrip("\n")))
    places, at = [], begin
    for match in _CELL.finditer(row, begin, end):
        places.append((at, match.start()))
        at = match.end()
    return [*places, (at, end)]


def describe_row(header_cells: Sequence[str], cells: Sequence[str], question_words: Collection[str], kept: Collection[int] = ()) -> str:
    """Return a row as a line, "Morwenna Pascoe: works for Trevanion & Holt": what names the row, then the columns that the question (its words in
    lower case) asks for.

    `kept` are the places of cells that are shown in any case. Where the question asks for no column by name, all are shown, up to LONGEST_ROW words.
    Without header cells the cells stand behind the first one. Never empty unless all cells are.
    """
    filled = [place for place, cell in enumerate(cells) if cell.strip()]
    if not filled:
        return ""
    name = next((place for place in filled if not _ORDINAL.match(cells[place])), filled[0])
    others = [place for place in filled if place != name and not (place < name and _ORDINAL.match(cells[place]))]
    headers = {place: _plain_header(header_cells[place]) if place < len(header_cells) else "" for place in others}
    wanted = {stem for word in question_words if word not in COLUMN_STOP_WORDS for stem in _stems(word)}
    asked = [place for place in others if place in kept or _is_asked(headers[place], wanted, question_words)]
    described = [_describe_cell(headers[place], cells[place].strip()) for place in asked or others]
    return _join_row(cells[name].strip(), described, bounded=not asked)


def _join_row(name: str, described: Sequence[str], *, bounded: bool) -> str:
    words = len(name.split())
    kept: list[str] = []
    for each in described:
        words += len(each.split())
        if bounded and kept and words > LONGEST_ROW:
            break
        kept.append(each)
    return f"{name}: {'; '.join(kept)}" if kept else name


def _is_asked(header: str, wanted: Collection[str], question_words: Collection[str]) -> bool:
    if header in question_words:
        return True
    words = frozenset(re.findall(r"[^\W_]+", header.lower()))
    if any(words & names for asked, names in _ANSWERING_HEADERS.items() if asked in question_words):
        return True
    return header not in _ASKING_HEADERS and any(stem in wanted for word in words - COLUMN_STOP_WORDS for stem in _stems(word))


def _describe_cell(header: str, cell: str) -> str:
    """Return a cell with its column's name: "works for Trevanion & Holt", "extension 210", "Priya Raman" under "Who"."""
    return cell if not header or header in _ASKING_HEADERS else f"{header} {cell}"


def _plain_header(header: str) -> str:
    """Return a header inside a line: without underscores, its first letter small unless it is an abbreviation or a unit."""
    text = " ".join(header.replace("_", " ").split()).rstrip(":")
    if text[:1].isupper() and (text[1:2].islower() or _RELATION.search(text)):
        return text[0].lower() + text[1:]
    return text.lower() if text.lower() in _ASKING_HEADERS else text


def _stems(word: str) -> set[str]:
    """Return a word and its forms without the endings of plural, past and present ("works", "worked", "working": "work")."""
    found = {word}
    for ending in ("ies", "ing", "es", "ed", "en", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            found.add(word[: -len(ending)] + ("y" if ending == "ies" else ""))
    return found
