"""The values that units state: of several in one sentence the one that is asked for, and which of two spans tell the same thing at another time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from answers.reading import FoundSpan
from answers.rows import cell_places, cells_of
from answers.scoring import ScoredUnit
from answers.units import Role
from core.answers import Evidence
from core.claim_words import label_words
from core.claims import Claim, Stated, claims_of
from core.labels import LABEL_WORDS, labelled_values
from core.sameness import same_thing


def stated_of(unit: ScoredUnit, evidence: Evidence) -> Stated:
    """A unit as the statement of its document, by which claims are compared."""
    passage = evidence.passage
    header: tuple[str, ...] = ()
    if unit.unit.role is Role.ROW and unit.unit.header is not None:
        start, end = (place - passage.start for place in unit.unit.header)
        header = tuple(cells_of(passage.content[start:end]))
    dated = date.fromisoformat(evidence.dated[:10]) if evidence.dated else None
    return Stated(unit.unit.text, passage.document_id, evidence.title, tuple(passage.section), dated, header)


def value_asked(question: str, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> FoundSpan:
    """The span; where it is one of several values of a kind ("10 km/h inside the building and 15 km/h in the yard") and another of them stands under
    more of the question's words, that one; of a form's values that of the label that is asked for."""
    if unit.unit.role is Role.ROW:
        return span
    asked, own = label_words(question), _claim_at(unit, evidence, span)
    labelled = _under_label(asked, unit, span)
    if labelled is not None:
        return labelled
    if own is None:
        return span
    alike = [each for each in claims_of(stated_of(unit, evidence)) if each.kind == own.kind]
    best = max(alike, key=lambda each: (len(asked & each.words), each is own))
    if len(asked & best.words) <= len(asked & own.words):
        return span
    return replace(span, start=unit.unit.start + best.start, end=unit.unit.start + best.end, text=unit.unit.text[best.start : best.end])


def _under_label(asked: frozenset[str], unit: ScoredUnit, span: FoundSpan) -> FoundSpan | None:
    """The value of the label that holds more of what is asked for than the label of the span does; None where the span stands under that label and
    ends with its value."""
    begin = unit.unit.start
    found = labelled_values(asked, unit.unit.text)
    best = max(found, key=lambda each: len(each.label), default=None)
    own = next((each for each in found if each.start <= span.start - begin < each.end), None)
    if best is None or len(best.label) < LABEL_WORDS or (own is not None and own is not best and len(own.label) >= len(best.label)):
        return None
    start = span.start - begin if own is best else best.start
    end = min(span.end - begin, best.end) if own is best else best.end
    return replace(span, start=begin + start, end=begin + end, text=unit.unit.text[start:end])


def is_of_another_column(question: str, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> bool:
    """Whether a row's cell stands under a column that shares no word with what the row leaves open of the question: a limit is no salary."""
    header = stated_of(unit, evidence).header
    places = cell_places(unit.unit.text) if unit.unit.role is Role.ROW else []
    cell = next((place for place, (_, end) in enumerate(places) if span.start - unit.unit.start < end), len(places))
    if cell >= len(header):
        return False
    asked, named = label_words(question) - label_words(unit.unit.text), label_words(header[cell])
    return bool(asked and named and not asked & named and any(letter.isdigit() for letter in span.text))


def tell_same(one: FoundSpan, other: FoundSpan, units: Sequence[ScoredUnit], evidence: Sequence[Evidence]) -> bool:
    """Whether two spans are values of the same thing, which then is told twice or changed: no rivals for the answer."""
    said, told = (stated_of(units[span.unit], evidence[span.source]) for span in (one, other))
    left, right = (_claim_at(units[span.unit], evidence[span.source], span) for span in (one, other))
    return left is not None and right is not None and same_thing(left, right, said, told, related=False)


def _claim_at(unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> Claim | None:
    """The claim whose value the span holds or lies in."""
    start, end = span.start - unit.unit.start, span.end - unit.unit.start
    claims = claims_of(stated_of(unit, evidence))
    return next((each for each in claims if each.kind != "clause" and each.start < end and start < each.end), None)
