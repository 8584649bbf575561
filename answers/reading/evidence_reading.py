"""The reader's findings in the evidence: spans that may answer, each with the unit that it stands in.

Not all of the evidence is read: pieces of some 300 tokens round the units whose words and passages promise most, so that the time does not grow
with the length of the passages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from answers.scoring.unit_scores import ScoredUnit, header_of
from answers.units.answer_units import CONTEXT_ROLES, Role, Unit
from answers.units.sentence_subjects import title_of
from core.answers import Evidence
from core.errors import VantageError
from core.ports import AnswerReader
from core.search import Degradation

PIECES = 8
CHARACTERS = 1200  # of a piece; with the question it fits one window of the reader
_MOST_WORDS = 8  # of a file's name
_LEAST_BRIDGE_SHARE = 0.6  # of the best unit's score, for a sentence of another document to stand in front of a piece
READER_WEIGHT = 0.5  # of the reader's probability beside a unit's cosine and words


@dataclass(frozen=True, slots=True)
class ReadingPiece:
    """A stretch [start:end] of a document that is read at once."""

    source: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """`text` stands at [start:end] of the document; `unit` is the place of the unit that holds it, `score` the logit over no answer."""

    source: int
    start: int
    end: int
    text: str
    unit: int
    score: float


@dataclass(frozen=True, slots=True)
class EvidenceReading:
    """Spans best first, and the greatest probability that a piece answers (0 where nothing was read)."""

    spans: tuple[FoundSpan, ...] = ()
    answerable: float = 0.0
    degraded: Degradation | None = None


def pieces_of(
    evidence: Sequence[Evidence], units: Sequence[ScoredUnit], limit: int = PIECES, *, unread: frozenset[int] = frozenset()
) -> list[ReadingPiece]:
    """Return the pieces around the most promising units, none overlapping another, in the order of what they promise; none of the `unread` passages
    (places)."""
    places = (place for place, unit in enumerate(units) if unit.unit.role is not Role.HEADER and unit.unit.source not in unread)
    order = sorted(places, key=lambda place: -units[place].score)
    out: list[ReadingPiece] = []
    for place in order:
        unit = units[place].unit
        if len(out) >= limit:
            break
        if any(piece.source == unit.source and piece.start <= unit.start < piece.end for piece in out):
            continue
        out.append(_grow_piece(place, evidence, units, out))
    return out


def _grow_piece(place: int, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], taken: Sequence[ReadingPiece]) -> ReadingPiece:
    """Return a piece grown unit by unit to both sides, up to CHARACTERS, the passage's ends or another piece."""
    source = units[place].unit.source
    first = last = place
    start, end = units[place].unit.start, units[place].unit.end

    def free(other: int) -> bool:
        unit = units[other].unit
        return unit.source == source and not any(piece.source == source and piece.start <= unit.start < piece.end for piece in taken)

    grown = True
    while grown:
        grown = False
        for step in (-1, 1):
            beside = (first if step < 0 else last) + step
            if 0 <= beside < len(units) and free(beside):
                least, most = min(start, units[beside].unit.start), max(end, units[beside].unit.end)
                if most - least <= CHARACTERS:
                    start, end, grown = least, most, True
                    first, last = min(first, beside), max(last, beside)
    passage = evidence[source].passage
    return ReadingPiece(source, max(start, passage.start), min(end, passage.end))


async def read_evidence(
    reader: AnswerReader | None, question: str, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], unread: frozenset[int] = frozenset()
) -> EvidenceReading:
    """Return what the reader finds outside the `unread` passages (places); nothing without a reader. One that cannot be used leaves the answer to
    words and meaning, and the reading says so."""
    if reader is None:
        return EvidenceReading()
    pieces = pieces_of(evidence, units, unread=unread)
    texts = [_text(evidence, piece) for piece in pieces]
    fronts = [_front(piece, evidence, units) for piece in pieces]
    try:
        readings = await reader.read_passages(question, [f"{front}{text}" for front, text in zip(fronts, texts, strict=True)])
    except VantageError as error:
        return EvidenceReading(degraded=Degradation(part="reader", reason=f"The passages were not read for the answer itself: {error}"))
    found = [
        _place_span(piece, text, span.start - len(front), span.end - len(front), span.score, units)
        for piece, text, front, reading in zip(pieces, texts, fronts, readings, strict=True)
        for span in reading.spans
    ]
    spans = [_clip_to_unit(span, units[span.unit], evidence) for span in found if span is not None]
    spans.sort(key=lambda span: -span.score)
    return EvidenceReading(tuple(spans), max((reading.answerable for reading in readings), default=0.0))


def _place_span(piece: ReadingPiece, text: str, start: int, end: int, score: float, units: Sequence[ScoredUnit]) -> FoundSpan | None:
    """Return the span [start:end] of a piece's text in its document; None where it lies in what stands in front of the piece, or in no unit of its
    own."""
    start = max(0, start)
    if end <= start:
        return None
    unit = _unit_at(units, piece.source, piece.start + start, piece.start + end)
    if unit is None or units[unit].unit.role in CONTEXT_ROLES:
        return None
    return FoundSpan(piece.source, piece.start + start, piece.start + end, text[start:end], unit, score)


def with_reading(units: Sequence[ScoredUnit], reading: EvidenceReading) -> list[ScoredUnit]:
    """Return the units with what the reader found in them added to their score."""
    best: dict[int, float] = {}
    for span in reading.spans:
        best[span.unit] = max(best.get(span.unit, -math.inf), span.score)
    return [
        replace(unit, score=unit.score + READER_WEIGHT * likelihood(best[place]), reader_score=best[place]) if place in best else unit
        for place, unit in enumerate(units)
    ]


def likelihood(score: float) -> float:
    """Return a span's logit over no answer as a probability."""
    return 1 / (1 + math.exp(-score)) if score > -700 else 0.0


def _front(piece: ReadingPiece, evidence: Sequence[Evidence], units: Sequence[ScoredUnit]) -> str:
    """Return what the piece is of, for the reader alone: a rent in a lease of Quay 7 is Quay 7's, though its clause does not say so.

    Where a good sentence of another document names this one, and holds words of the question that the piece lacks, that too: "… an album by M. Ward".
    """
    item = evidence[piece.source]
    title = title_of(item) or _words_of_file(item.filename)
    own = [unit for unit in units if unit.unit.source == piece.source]
    held = frozenset[str]().union(*(unit.covered_terms for unit in own if piece.start <= unit.unit.start < piece.end))
    key, document = (own[0].title, own[0].document) if own else ("", "")
    naming = [
        unit
        for unit in units
        if key and unit.document != document and unit.unit.choosable and key in unit.normalised_text and unit.covered_terms - held
    ]
    best = max(naming, key=lambda unit: unit.score, default=None)
    bridged = best is not None and best.score >= _LEAST_BRIDGE_SHARE * max(unit.score for unit in units)
    named = f"{' '.join(best.unit.text.split())} " if best is not None and bridged else ""
    headers = dict.fromkeys(header_of(unit.unit, item).strip() for unit in own if _lacks_header(piece, unit.unit))
    above = "".join(f"{header}\n" for header in headers if header)
    return f"{named}{title}. {above}" if title else f"{named}{above}"


def _lacks_header(piece: ReadingPiece, unit: Unit) -> bool:
    """Return whether the unit is a row that stands in the piece, and its table's header does not."""
    return unit.header is not None and piece.start <= unit.start < piece.end and not piece.start <= unit.header[0] < piece.end


def _words_of_file(filename: str) -> str:
    """Return the words of a file's name where it has any: "lease_quay-7 (final).pdf" is "lease quay 7 final"."""
    words = re.findall(r"[^\W_]+", filename.rpartition(".")[0])
    return " ".join(words[:_MOST_WORDS]) if any(len(word) >= 4 and word.isalpha() for word in words) else ""


def _text(evidence: Sequence[Evidence], piece: ReadingPiece) -> str:
    passage = evidence[piece.source].passage
    return passage.content[piece.start - passage.start : piece.end - passage.start]


def _unit_at(units: Sequence[ScoredUnit], source: int, start: int, end: int) -> int | None:
    """Return the place of the unit of that passage that holds most of the span."""
    shared = [
        (min(end, unit.unit.end) - max(start, unit.unit.start), place)
        for place, unit in enumerate(units)
        if unit.unit.source == source and unit.unit.start < end and start < unit.unit.end
    ]
    return max(shared)[1] if shared else None


def _clip_to_unit(span: FoundSpan, unit: ScoredUnit, evidence: Sequence[Evidence]) -> FoundSpan:
    """Return a span, cut where it reaches over its unit's ends."""
    start, end = max(span.start, unit.unit.start), min(span.end, unit.unit.end)
    passage = evidence[span.source].passage
    return replace(span, start=start, end=end, text=passage.content[start - passage.start : end - passage.start])
