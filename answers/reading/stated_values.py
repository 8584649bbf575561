"""A figure that leads though the reader is not sure of it: the only one of its kind in the sentence that stands first, the one of several whose part
of the sentence says what is asked, or the one that stands right beside the noun that is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answers.questions.answer_kinds import CLOCK, NUMBER, AnswerKind, holds_kind, is_of_another_kind, values_of
from answers.reading.evidence_reading import FoundSpan
from answers.reading.lead import ONLY_VALUE_CHANCE, ChosenLead, add_unit
from answers.reading.named_row_cells import named_row_cell
from answers.reading.short_answers import highlight
from answers.reading.value_choice import is_of_another_clause, make_statement
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.leading_marks import mark_length
from core.answers import Evidence
from core.claim_words import label_words
from core.claims import claims_of
from core.language.content_words import stems
from core.language.inflections import pluralize_english, singularize_english

LEAST_HELD_WEIGHT = 0.75  # of the question's weight in a sentence whose value leads
_BESIDE = 2  # words between a value and its noun, and before or behind it, at most
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_CLAUSE_END = re.compile(r"[.;:,()]")
_WHICH_OR_HOW_MANY = re.compile(r"^\W*(?:which|what|(?P<many>how\s+many))\s+(?P<noun>[a-z]{3,})\b", re.IGNORECASE)
_NONE_AT_ALL = re.compile(r"\bno\b", re.IGNORECASE)
_HOURS = re.compile(
    rf"(?:\b(?:from|between|von|zwischen)\s+)?(?:{CLOCK.pattern})\s*(?:to|until|till|and|[-–—]|bis|und)\s*(?:{CLOCK.pattern})"
    r"(?:\s+(?:on|from|every|daily|each|am|von|täglich)\b[^.;,()\"”]*)?",
    re.IGNORECASE,
)
# They say which kind of value is asked for, not of what: "the notice period", "the length of the notice".
_KIND_WORDS = stems("period periods time times term length duration limit amount rate value figure level frist dauer zeit zeitraum höhe")


def stated_by_first(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], first: ScoredUnit) -> ChosenLead | None:
    """Return what the sentence that stands first leaves no doubt of: a figure or time, hours, a thing by its noun and number, or how many of it; of a
    row the cell that is named by row and column."""
    if (cell := named_row_cell(question, evidence, units, first)) is not None:
        lead = _lead_at(question, units, next(number for number, unit in enumerate(units) if unit is first), cell)
        return replace(lead, kind="cell")
    return value_of_first(question, evidence, units, first) or hours_of_first(question, units, first) or thing_of_first(question, units, first)


def value_of_first(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], first: ScoredUnit) -> ChosenLead | None:
    """Return the figure or time that is asked for in the sentence that stands first, where that holds nearly all of the question: its only one, or
    the only one whose part of the sentence shares more words with the question than the others' do."""
    asks_value = question.answer_kind.is_figure or question.answer_kind is AnswerKind.TIME
    if not asks_value or first.lex < LEAST_HELD_WEIGHT or first.unit.role is Role.ROW:
        return None
    text = first.unit.text
    place = highlight(question, text, mark_length(text)) or _value_in_named_part(question, evidence[first.unit.source], first)
    if place is None or is_of_another_kind(question.answer_kind, text[slice(*place)]) or _may_be_no_year(question, text[slice(*place)]):
        return None
    where = next(number for number, unit in enumerate(units) if unit is first)
    lead = _lead_at(question, units, where, place)
    return None if is_of_another_clause(question.text, first, lead.span) else lead


def hours_of_first(question: Question, units: Sequence[ScoredUnit], first: ScoredUnit) -> ChosenLead | None:
    """Return the only span of hours in the sentence that stands first ("from 05:00 to 23:00 on every day of the week"), where hours are asked for."""
    spans = [match.span() for match in _HOURS.finditer(first.unit.text)] if question.answer_kind is AnswerKind.CLOCK else []
    if len(spans) != 1 or first.unit.role is Role.ROW or first.is_for_another:
        return None
    return _lead_at(question, units, next(number for number, unit in enumerate(units) if unit is first), spans[0])


def thing_of_first(question: Question, units: Sequence[ScoredUnit], first: ScoredUnit) -> ChosenLead | None:
    """Return what the sentence that stands first says with the very noun of the question: the only "aisle 6" for "Which aisle …?", the only
    "24 tablets" for "How many tablets …?"."""
    asked = _WHICH_OR_HOW_MANY.match(question.text)
    if asked is None or first.is_for_another:
        return None
    noun = singularize_english(asked["noun"].lower())
    forms = rf"(?:{re.escape(noun)}|{re.escape(pluralize_english(noun))})\b"
    text = first.unit.text
    if asked["many"]:
        counted = re.compile(rf"\s+(?:[a-z-]+\s+)?{forms}", re.IGNORECASE)
        counts = [*NUMBER.finditer(text), *_NONE_AT_ALL.finditer(text)]
        spans = [(count.start(), behind.end()) for count in counts if (behind := counted.match(text, count.end())) is not None]
    else:
        spans = [match.span() for match in re.finditer(rf"\b{forms}\s+(?:no\.?\s*)?[A-Z]?\d{{1,4}}(?:[.:/-]\d+)*\b", text, re.IGNORECASE)]
    said = {text[start:end].lower() for start, end in spans}
    if len(said) != 1 or said.pop() in question.text.lower():
        return None
    return _lead_at(question, units, next(number for number, unit in enumerate(units) if unit is first), spans[0])


def value_beside_noun(question: Question, units: Sequence[ScoredUnit]) -> ChosenLead | None:
    """Return the figure beside the noun that is asked for, in the best sentence that has one: "nine months" of "at least nine months' written notice"
    for "What is the notice period?". Only where few sentences hold something of the kind that is asked for."""
    noun = _rarest_noun(question)
    if not question.answer_kind.is_particular or not noun:
        return None
    found = [(unit.score, place, span) for place, unit in enumerate(units) if (span := _span_beside(question, unit, noun)) is not None]
    if not found:
        return None
    _, place, span = max(found, key=lambda each: each[0])
    return _lead_at(question, units, place, span)


def _may_be_no_year(question: Question, text: str) -> bool:
    """Return whether four digits alone stand for a time: they may number a house."""
    return question.answer_kind is AnswerKind.TIME and text.isdigit()


def _value_in_named_part(question: Question, evidence: Evidence, unit: ScoredUnit) -> tuple[int, int] | None:
    """Return [start:end] of the value that the question's words stand beside: "10 km/h inside the building and 15 km/h in the yard"."""
    asked = label_words(question.text)
    claims = [
        each
        for each in claims_of(make_statement(unit, evidence))
        if each.kind != "clause" and holds_kind(question.answer_kind, each.text, frozenset())
    ]
    shares = sorted(((len(asked & each.label), each.start, each.end) for each in claims), reverse=True)
    if len(shares) < 2 or shares[0][0] == shares[1][0]:
        return None
    return shares[0][1:]


def _rarest_noun(question: Question) -> str:
    """Return the stem of the question's rarest word that is neither a name nor a word for the kind of value."""
    asked = {term: weight for term, weight in question.idf.items() if term in question.asked_terms - _KIND_WORDS and term.isalpha()}
    return max(asked, key=lambda term: asked[term], default="")


def _span_beside(question: Question, unit: ScoredUnit, noun: str) -> tuple[int, int] | None:
    """Return [start:end] of the only value in a sentence that has the noun within _BESIDE words, none of them in another clause."""
    if not unit.unit.choosable or unit.is_for_another or unit.unit.role is Role.ROW or noun not in unit.terms:
        return None
    text = unit.unit.text
    beside = [span for span in values_of(question.answer_kind, text) if stems(noun) & stems(" ".join(_words_beside(text, *span)))]
    return beside[0] if len(beside) == 1 else None


def _words_beside(text: str, start: int, end: int) -> list[str]:
    before, behind = _CLAUSE_END.split(text[:start])[-1], _CLAUSE_END.split(text[end:], maxsplit=1)[0]
    return [*_WORD.findall(before)[-_BESIDE - 1 :], *_WORD.findall(behind)[: _BESIDE + 1]]


def _lead_at(question: Question, units: Sequence[ScoredUnit], place: int, span: tuple[int, int]) -> ChosenLead:
    unit = units[place].unit
    start, end = span
    return add_unit(
        question,
        units,
        ChosenLead(FoundSpan(unit.source, unit.start + start, unit.start + end, unit.text[start:end], place, 0.0), place, "span", ONLY_VALUE_CHANCE),
    )
