"""A document as sentences, list items and table rows, each with the span that it stands at; and how much each says of the whole."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agents.text.question_words import tokens
from core.documents import Block, BlockKind, ExtractedDocument
from core.insights import CitedText
from core.language.sentences import opens_mid_thought, split_sentences, word_count
from core.language.stop_words import STOP_WORDS

MOST_CHARACTERS = 300_000  # characters that are studied: what a person wants to know of a book stands in its first hundred pages
_MOST_LINES = 4_000
_WRAPPED_LENGTH = 50  # a line of so many characters without a closing mark goes on in the next
_PROSE_KINDS = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE, BlockKind.NOTE})
_MARK = re.compile(r"(?:[•◦▪●‣·*–—-]|\d{1,2}[.)]|\(?[a-z]\))\s+")
_QUOTED_MAIL = re.compile(r"^[ \t]*>", re.M)
_DEPENDENT_OPENING = re.compile(
    r"""
        ^(?:
              it|they|this|these|that|those|he|she|we|you|there|here|but|and|or|also|however|therefore|instead|otherwise
            | for\s+example|in\s+addition|as\s+a\s+result|er|sie|es|dies\w*|aber|jedoch|il|elle|ce|cela|esto?
        )\b
    """,
    re.I | re.VERBOSE,
)
_LABELLED = re.compile(r"^[^.:!?]{2,40}:\s")
_TERMINATED = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_SUMMARY_HEADING = re.compile(
    r"summary|abstract|conclusion|decision|recommend|key (?:points|findings)|zusammenfassung|fazit|résumé|resumen|conclusi[oó]n", re.I
)


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """`text` is the document's [start, end) with its white space made single; `section` the headings above it; `place` counts from 0."""

    text: str
    start: int
    end: int
    kind: BlockKind
    section: tuple[str, ...]
    page: int | None
    place: int

    def to_cited_text(self) -> CitedText:
        return CitedText(text=self.text, start=self.start, end=self.end, page=self.page)


def lines_of(document: ExtractedDocument) -> list[DocumentLine]:
    """Split a document into sentences of prose and items of lists in reading order, in the first 300,000 characters; no headings, tables, code or
    running heads."""
    found: list[DocumentLine] = []
    starts = [section.start for section in document.sections]
    for block in document.blocks:
        if block.start >= MOST_CHARACTERS or len(found) >= _MOST_LINES:
            break
        if block.kind in _PROSE_KINDS:
            place = bisect_right(starts, block.start) - 1
            path = document.sections[place].path if place >= 0 else ()
            found += [_line(document, block, span, path, len(found) + offset) for offset, span in enumerate(_spans(document.text, block))]
    return found


def _line(document: ExtractedDocument, block: Block, span: tuple[int, int], path: tuple[str, ...], place: int) -> DocumentLine:
    return DocumentLine(" ".join(document.text[span[0] : span[1]].split()), *span, block.kind, path, block.page, place)


def _spans(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Sentences of a block; a line that is merely wrapped does not end one. The bullet of an item, and mail that is quoted, are left out."""
    body = _unwrap(text[block.start : min(block.end, block.start + MOST_CHARACTERS)])
    for start, end in split_sentences(body):
        mark = _MARK.match(body, start, end) if block.kind is BlockKind.LIST_ITEM else None
        if not _is_quoted(text, block.start + start, block.start + end) and (mark is None or mark.end() < end):
            yield block.start + (mark.end() if mark else start), block.start + end


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Return whether the text stands in the lines of an older mail, each behind a ">"."""
    return bool(_QUOTED_MAIL.search(text[text.rfind("\n", 0, start) + 1 : end]))


def _unwrap(body: str) -> str:
    """The text, of equal length, with a space for each line break within a sentence."""
    lines = body.split("\n")
    joined = [lines[0]]
    for before, line in pairwise(lines):
        goes_on = (len(before) >= _WRAPPED_LENGTH and before.rstrip()[-1:] not in ".:;!?") or opens_mid_thought(line)
        joined += [" " if goes_on and line.strip() else "\n", line]
    return "".join(joined)


def is_whole(line: DocumentLine) -> bool:
    """Return whether the line can be read by itself: a sentence that begins and ends, of six words and more, mostly letters."""
    text = line.text
    if not 25 <= len(text) <= 420 or opens_mid_thought(text) or "://" in text or not _TERMINATED.search(text):
        return False
    letters = sum(character.isalpha() for character in text)
    return letters > 0.6 * len(text.replace(" ", "")) and word_count(text) >= 6


def is_item(line: DocumentLine) -> bool:
    """Return whether the line is an item of a list that says something by itself."""
    return line.kind is BlockKind.LIST_ITEM and 20 <= len(line.text) <= 420 and word_count(line.text) >= 4 and "://" not in line.text


def words_of(line: DocumentLine) -> frozenset[str]:
    return frozenset(word for word in tokens(line.text) if word not in STOP_WORDS and (len(word) > 2 or not word.isascii()))


def centrality(lines: Sequence[DocumentLine], topics: str) -> dict[DocumentLine, float]:
    """Return how much each line says of the whole: the weights of its words, damped by their number, a word weighing by how many lines share it
    (those of nearly all lines and of one alone weigh nothing) and twice where `topics` (title and keywords) names it, as in extractive summarisation
    since Luhn (1958); more for an early line and for one under "Summary", less for one that leans on the line before."""
    words = {line: words_of(line) for line in lines}
    shared = Counter(word for each in words.values() for word in each)
    common = max(4.0, 0.3 * len(lines)) if len(lines) > 12 else math.inf
    named = set(tokens(topics))
    scores = {}
    for line in lines:
        weighted = [word for word in words[line] if (shared[word] > 1 or word in named) and (shared[word] <= common or word in named)]
        weight = sum(math.log1p(shared[word]) * (2.0 if word in named else 1.0) for word in weighted) / (6.0 + len(words[line]) ** 0.75)
        early = 1.0 + 0.6 / (1.0 + line.place / 3.0) + 0.1 * (1.0 - line.place / max(1, len(lines)))
        front = 1.3 if line.section and _SUMMARY_HEADING.search(line.section[-1]) else 1.0
        scores[line] = weight * early * front * (0.6 if _DEPENDENT_OPENING.match(line.text) or _LABELLED.match(line.text) else 1.0)
    return scores


def overlap(one: DocumentLine, other: DocumentLine) -> float:
    """Return the share of the shorter line's words that the other has too."""
    first, second = words_of(one), words_of(other)
    return len(first & second) / max(1, min(len(first), len(second)))
