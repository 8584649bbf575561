"""The values that units state: of several in one sentence the one that is asked for, and which of two spans say the same thing of another time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from answers.questions.answer_kinds import NUMBER, AnswerKind, answer_kind_of, holds_kind, is_of_another_kind, values_of
from answers.reading.evidence_reading import FoundSpan
from answers.scoring.unit_scores import ScoredUnit, header_of
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places, cells_of
from core.answers import Evidence
from core.claim_comparison import is_same_thing
from core.claim_words import label_words
from core.claims import Claim, DocumentStatement, claims_of
from core.labels import MIN_LABEL_WORDS, labelled_values
from core.language.content_words import stems
from core.language.related_words import other_forms, similar_words

_PART_OF_WHOLE = re.compile(r"\d\s+(?:out\s+of|of|von)\s+(?:the\s+)?\d", re.IGNORECASE)  # "31 of 38" is one answer


def make_statement(unit: ScoredUnit, evidence: Evidence) -> DocumentStatement:
    """Return a unit as the statement of its document, by which claims are compared."""
    passage = evidence.passage
    header: tuple[str, ...] = ()
    if unit.unit.role is Role.ROW and (above := header_of(unit.unit, evidence)):
        header = tuple(cells_of(above))
    dated = date.fromisoformat(evidence.dated[:10]) if evidence.dated else None
    return DocumentStatement(unit.unit.text, passage.document_id, evidence.title, tuple(passage.section), dated, header)


def value_asked(question: str, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> FoundSpan:
    """Return the span; where it is one of several values of a kind ("10 km/h inside the building and 15 km/h in the yard") and another of them stands
    under more of the question's words, that one; of a form's values that of the label that is asked for."""
    if unit.unit.role is Role.ROW:
        return _move_to_named_column(question, unit, evidence, _cut_to_cell(question, unit, evidence, span))
    if _PART_OF_WHOLE.search(span.text) is not None:
        return span
    span = _value_in_own_clause(question, unit, span)
    if (grouped := _value_of_named_group(question, unit, span)) is not None:
        return grouped
    asked, own = label_words(question), _claim_at(unit, evidence, span)
    labelled = _value_under_label(asked, unit, span)
    if labelled is not None and (stems(labelled.text) or re.search(r"\d", labelled.text)):
        return labelled  # and not the "the" of a sentence with a colon
    if own is None:
        return span
    alike = [each for each in claims_of(make_statement(unit, evidence)) if each.kind == own.kind]
    best = max(alike, key=lambda each: (len(asked & each.label), each is own))
    if len(asked & best.label) <= len(asked & own.label):
        return span
    return replace(span, start=unit.unit.start + best.start, end=unit.unit.start + best.end, text=unit.unit.text[best.start : best.end])


def _cut_to_cell(question: str, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> FoundSpan:
    """Return the span; where it runs over several cells of a row, the one of them that is asked for: whose column shares the most words with the
    question, of those a cell of the wanted kind, the first."""
    begin, text = unit.unit.start, unit.unit.text
    header, kind = make_statement(unit, evidence).header, answer_kind_of(question)
    asked = label_words(question)
    places = [(place, start, end) for place, (start, end) in enumerate(cell_places(text)) if start < span.end - begin and span.start - begin < end]
    if len(places) < 2:
        return span

    def fits(cell: tuple[int, int, int]) -> tuple[int, bool, bool]:
        place, start, end = cell
        named = len(asked & label_words(header[place])) if place < len(header) else 0
        return named, holds_kind(kind, text[start:end], frozenset()), any(letter.isalnum() for letter in text[start:end])

    _, start, end = max(places, key=fits)
    return replace(span, start=begin + start, end=begin + end, text=text[start:end])


def _move_to_named_column(question: str, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> FoundSpan:
    """Return the cell of the only column of which the question says more than of the span's own: "in billions of dollars" beside a column "in
    billions of pounds"."""
    begin, text, header = unit.unit.start, unit.unit.text, make_statement(unit, evidence).header
    places, asked = cell_places(text), stems(question) - stems(text)
    own = next((place for place, (_, end) in enumerate(places) if span.start - begin < end), len(places))
    if own >= len(header):
        return span
    said = [asked & stems(header[place].replace("_", " ")) if place < len(header) else frozenset[str]() for place in range(len(places))]
    more = [place for place, words in enumerate(said) if words > said[own] and len(words) > 1 and text[slice(*places[place])].strip()]
    if len(more) != 1 or is_of_another_kind(answer_kind_of(question), text[slice(*places[more[0]])]):
        return span
    start, end = places[more[0]]
    return replace(span, start=begin + start, end=begin + end, text=text[start:end])


def _value_under_label(asked: frozenset[str], unit: ScoredUnit, span: FoundSpan) -> FoundSpan | None:
    """Return the value of the label that holds more of what is asked for than the label of the span does; None where the span stands under that label
    and ends with its value."""
    begin = unit.unit.start
    found = labelled_values(asked, unit.unit.text)
    best = max(found, key=lambda each: len(each.label), default=None)
    own = next((each for each in found if each.start <= span.start - begin < each.end), None)
    if best is None or len(best.label) < MIN_LABEL_WORDS or (own is not None and own is not best and len(own.label) >= len(best.label)):
        return None
    start = span.start - begin if own is best else best.start
    end = min(span.end - begin, best.end) if own is best else best.end
    return replace(span, start=begin + start, end=begin + end, text=unit.unit.text[start:end])


def is_of_another_column(question: str, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> bool:
    """Return whether a row's cell stands under a column that shares no word with what the row leaves open of the question: a limit is no salary."""
    header = make_statement(unit, evidence).header
    span = _cut_to_cell(question, unit, evidence, span) if unit.unit.role is Role.ROW else span
    places = cell_places(unit.unit.text) if unit.unit.role is Role.ROW else []
    cell = next((place for place, (_, end) in enumerate(places) if span.start - unit.unit.start < end), len(places))
    if cell >= len(header):
        return False
    asked, named = label_words(question) - label_words(unit.unit.text), label_words(header[cell])
    similar = stems(" ".join(other for word in question.lower().split() for other in (*other_forms(word), *similar_words(word))))
    if ((stems(question) | similar) - stems(unit.unit.text)) & stems(header[cell]):
        return False  # "spent" under "Total costs"
    return bool(asked and named and not asked & named and any(letter.isdigit() for letter in span.text))


# Sums of money that documents call by their name, or by a word that means it: whatever else is paid is none of them.
_NAMED_SUM = re.compile(
    r"^\W*(?:what|which|how\s+(?:much|high|large))\b[^?]{0,40}?\b(?P<noun>revenues?|turnover|sales|income|profits?|earnings|salary|salaries|wages?|tax(?:es)?|"
    r"fines?|penalt(?:y|ies)|deposits?|premiums?|dividends?|budgets?)\b",
    re.IGNORECASE,
)


def words_of_sum(question: str) -> frozenset[str]:
    """Return the word by which a question asks for a sum, with those that mean the same; none where it asks for none."""
    asked = _NAMED_SUM.match(question)
    noun = asked["noun"].lower() if asked is not None else ""
    return stems(" ".join((noun, *other_forms(noun), *similar_words(noun)))) if noun else frozenset()


def is_of_another_sum(question: str, unit: ScoredUnit, evidence: Evidence) -> bool:
    """Return whether a sum is asked for by its name (revenue, salary, tax) and neither the unit nor what it stands under has that word or one that
    means the same."""
    words = words_of_sum(question)
    if not words:
        return False
    passage = evidence.passage
    around = (
        f"{unit.unit.text} {unit.unit.lead_in} {header_of(unit.unit, evidence)} {' '.join(passage.section)} {evidence.title} {' '.join(unit.names)}"
    )
    return words.isdisjoint(stems(around))


_CLAUSES = re.compile(r"(?:,|;)\s+(?:and|but|while|whereas|although|und|aber|während)\s+|;\s+|\s+(?:while|whereas|während)\s+", re.IGNORECASE)
_LEAST_ALIKE_WORDS = 2  # words that two clauses share which say the same of two things
_PROPER = re.compile(r"(?<=\s)[A-ZÀ-Þ][^\W\d_]{2,}")


def is_of_another_clause(question: str, unit: ScoredUnit, span: FoundSpan) -> bool:
    """Return whether a sentence says of several things the same each, and the span stands in the clause of another one than the question names:
    "Hungary found 1.4 %, and Germany found none", asked about Germany."""
    if unit.unit.role is Role.ROW:
        return False
    text, names = unit.unit.text, {name for name in _PROPER.findall(question) if name in unit.unit.text}
    ends = [0, *(match.end() for match in _CLAUSES.finditer(text)), len(text)]
    if not names or len(ends) == 2:
        return False  # nothing is named that another clause could be about, or there is no other
    clauses = [text[start:end] for start, end in pairwise(ends)]
    own = sum(end <= span.start - unit.unit.start for end in ends[1:-1])
    held = [{name for name in names if name in clause} for clause in clauses]
    alike = [_alike_words(clauses[own], clause) for clause in clauses]
    if not any(other - held[own] and words >= _LEAST_ALIKE_WORDS for other, words in zip(held, alike, strict=True)):
        return False
    return any(name not in question for name in _PROPER.findall(f" {clauses[own]}"))


def _value_in_own_clause(question: str, unit: ScoredUnit, span: FoundSpan) -> FoundSpan:
    """Return the only length of time, share or sum of the clause that has the words of the question, where the span stands in one that has none of
    them: "cranes every twelve months, and chains every six months", asked about chains."""
    text, at, kind = unit.unit.text, span.start - unit.unit.start, answer_kind_of(question)
    ends = [0, *(match.end() for match in _CLAUSES.finditer(text)), len(text)]
    clauses = list(pairwise(ends))
    words = [stems(text[start:end]) & stems(question) for start, end in clauses]
    own = next((place for place, (start, end) in enumerate(clauses) if start <= at < end), None)
    if own is None or len(clauses) < 2:
        return span
    telling = [(held - frozenset().union(*words[:place], *words[place + 1 :])) & _things(question) for place, held in enumerate(words)]
    others = [clause for clause, only in zip(clauses, telling, strict=True) if only]
    if telling[own] or len(others) != 1:
        return span
    start, end = others[0]
    values = values_of(AnswerKind.DURATION if kind is AnswerKind.FREQUENCY else kind, text[start:end])
    if len(values) != 1:
        return span
    first, last = (unit.unit.start + start + place for place in values[0])
    return replace(span, start=first, end=last, text=text[start + values[0][0] : start + values[0][1]])


# What a figure is of: "17.8 percent of the 3-year-olds", "20 students from Italy".
_GROUP_BEHIND = re.compile(r"\s+(?:[^\W\d]+\s+)?(?:of|among|from|von|der|aus|unter)\s+(?:the\s+|all\s+|den\s+)?(?P<group>[\w-]+)", re.IGNORECASE)


def _value_of_named_group(question: str, unit: ScoredUnit, span: FoundSpan) -> FoundSpan | None:
    """Return the only share or number of a sentence that is of the group which the question names, where others are of other groups: "13.8 percent of
    the 4-year-olds and 17.8 percent of the 3-year-olds", asked about those of three years; None where none is, or several are."""
    text, at, kind = unit.unit.text, span.start - unit.unit.start, answer_kind_of(question)
    if kind not in {AnswerKind.SHARE, AnswerKind.NUMBER}:
        return None
    figures = [match.span() for match in NUMBER.finditer(text) if holds_kind(kind, match.group(), frozenset())]
    groups = [(figure, found["group"].casefold()) for figure in figures if (found := _GROUP_BEHIND.match(text, figure[1])) is not None]
    words = frozenset(re.findall(r"[\w-]+", question.casefold()))
    named = [figure for figure, group in groups if group in words]
    is_one_of_them = any(at <= figure[0] < at + len(span.text) for figure, _ in groups)
    if not is_one_of_them or len(named) != 1 or len(groups) < 2:
        return None
    start, end = named[0]
    return replace(span, start=unit.unit.start + start, end=unit.unit.start + end, text=text[start:end])


def _things(question: str) -> frozenset[str]:
    """Return the stems of a question's words that are no forms of a verb: a clause that goes on without its verb lacks only that."""
    return stems(" ".join(word for word in re.findall(r"[^\W\d_]+", question) if not word.endswith(("ed", "ing"))))


def _alike_words(one: str, other: str) -> int:
    return len(label_words(one) & label_words(other))


def are_of_same_thing(one: FoundSpan, other: FoundSpan, units: Sequence[ScoredUnit], evidence: Sequence[Evidence]) -> bool:
    """Return whether two spans are values of the same thing, said twice or changed: no rivals for the answer."""
    statement, other_statement = (make_statement(units[span.unit], evidence[span.source]) for span in (one, other))
    left, right = (_claim_at(units[span.unit], evidence[span.source], span) for span in (one, other))
    return left is not None and right is not None and is_same_thing(left, right, statement, other_statement, related=False)


def _claim_at(unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> Claim | None:
    """Return the claim whose value the span holds or lies in."""
    start, end = span.start - unit.unit.start, span.end - unit.unit.start
    claims = claims_of(make_statement(unit, evidence))
    return next((each for each in claims if each.kind != "clause" and each.start < end and start < each.end), None)
