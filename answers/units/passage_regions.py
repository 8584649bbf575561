"""The stretches of a passage that are read alike: paragraphs, list items, headings, tables; from its blocks, else from the patterns of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.answers import Evidence
from core.documents import BlockKind
from core.language.sentences import word_count

LONGEST_HEADING = 14  # words

ROW_LINE = re.compile(r"^[^\n]*?(?:\S[ \t]*\|[ \t]*\S|\S\t+\S)[^\n]*$")
RULE_LINE = re.compile(r"^[\s|:+=\-–—_]+$")
ITEM_LINE = re.compile(r"^\s*(?:[-*•◦▪‣·–—]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)])\s+\S")
SENTENCE_END = re.compile(r"[.!?…:;。！？：；][\"'”’»)\]」』”’）]*\s*$")
# "Registration number: 44-81-A" is a field, "Chapter 3: Results" a heading.
_VALUE = re.compile(
    r"^(?!\W*(?:chapter|part|section|article|clause|appendix|annex|schedule|kapitel|teil|abschnitt|anhang)\b)[^:]{2,50}[:：]\s+\S", re.IGNORECASE
)
_HEADING = re.compile(r"^\s*#{1,6}\s+\S")
# What no heading is: a clause behind a comma in lower case, or an end in a word that something follows.
_HALF_SENTENCE = re.compile(
    r"^\W*[A-ZÀ-Þ][^\n,]{8,},\s+[a-zà-ÿ][^\n]{12,}$|\b(?:and|or|the|an?|of|to|with|by|for|in|on|from|that|which|und|oder|der|die|das|den|mit|von|für|auf)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Region:
    """The span [start:end] in the passage. `header` is the span of a table's header that stands before the passage (so its places are below 0), empty
    where the table has none."""

    kind: BlockKind
    start: int
    end: int
    header: tuple[int, int] | None = None


def regions_of(evidence: Evidence) -> list[Region]:
    """Return the passage's blocks in passage offsets; what no block covers, and a passage without blocks, is read by its line patterns."""
    text, offset = evidence.passage.content, evidence.passage.start
    regions: list[Region] = []
    covered = 0
    for block in sorted(evidence.blocks, key=lambda block: block.start):
        start, end = max(block.start - offset, covered), min(block.end - offset, len(text))
        if end <= start or not text[start:end].strip():
            continue
        regions += _guess_regions(text, covered, start)
        first = block.header_start - offset if block.header_start is not None else None
        _append_region(regions, Region(block.kind, start, end, (first, first + len(block.header)) if first is not None else None), text)
        covered = end
    return regions + _guess_regions(text, covered, len(text))


def _append_region(regions: list[Region], region: Region, text: str) -> None:
    """Append a region; a paragraph that begins in lower case behind one that has not ended is its second half: columns and pages part what is one
    sentence."""
    last = regions[-1] if regions else None
    parted = (
        last is not None
        and last.kind is region.kind is BlockKind.PARAGRAPH
        and text[region.start : region.start + 1].islower()
        and not text[last.end : region.start].strip()
        and (word_count(text[last.start : last.end]) > LONGEST_HEADING or _HALF_SENTENCE.search(text, last.start, last.end) is not None)
        and not SENTENCE_END.search(text[max(last.start, last.end - 40) : last.end])
    )
    if last is not None and parted:
        regions[-1] = Region(last.kind, last.start, region.end)
    else:
        regions.append(region)


def _guess_regions(text: str, start: int, end: int) -> list[Region]:
    if not text[start:end].strip():
        return []
    regions: list[Region] = []
    for kind, begin, stop in _guess_lines(text, start, end):
        last = regions[-1] if regions else None
        if last is not None and last.kind is kind and kind in {BlockKind.TABLE, BlockKind.PARAGRAPH} and "\n\n" not in text[last.end : begin]:
            regions[-1] = Region(kind, last.start, stop)
        else:
            regions.append(Region(kind, begin, stop))
    return regions


def _guess_lines(text: str, start: int, end: int) -> Iterator[tuple[BlockKind, int, int]]:
    lines = [(match.start(), match.end()) for match in re.compile(r"[^\n]+").finditer(text, start, end) if match.group().strip()]
    rows = [bool(ROW_LINE.match(text[begin:stop]) or (RULE_LINE.match(text[begin:stop]) and "|" in text[begin:stop])) for begin, stop in lines]
    for index, (begin, stop) in enumerate(lines):
        beside = (index > 0 and rows[index - 1]) or (index + 1 < len(lines) and rows[index + 1])
        follows = index + 1 < len(lines)
        yield (
            _guess_kind(text[begin:stop], in_table=rows[index] and beside, follows=follows and "\n\n" in text[stop : lines[index + 1][0]]),
            begin,
            stop,
        )


def _guess_kind(line: str, *, in_table: bool, follows: bool) -> BlockKind:
    if in_table:
        return BlockKind.TABLE
    if ITEM_LINE.match(line):
        return BlockKind.LIST_ITEM
    stands_apart = follows and word_count(line) <= LONGEST_HEADING and not SENTENCE_END.search(line) and not _VALUE.search(line)
    if _HEADING.match(line) or (stands_apart and any(letter.isalpha() for letter in line)):
        return BlockKind.HEADING
    return BlockKind.PARAGRAPH
