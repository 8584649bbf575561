"""The lead: the answer itself, a span inside a quoted sentence, with how often a span like it is right.

The chance is a logistic over what the reader, the search and the question say of the span. It was fitted on questions with and without their
paragraphs by `benchmarks/answer_reading.py --fit`, right being an F1 of at least .5 with a gold answer; the same number serves as the confidence in
the answer."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from answers.questions.answer_kinds import (
    NUMBER,
    AnswerKind,
    capitalised_spans,
    find_wanted_span,
    holds_kind,
    is_of_another_kind,
    sole_value,
    unit_behind,
)
from answers.questions.question_parts import COMPARISON_WORDS, word_set
from answers.reading.counted_things import make_count_check
from answers.reading.evidence_reading import EvidenceReading, FoundSpan
from answers.reading.misread_spans import is_of_other_words
from answers.reading.row_figures import is_row_of_another, is_row_without_column, is_unsure_cell
from answers.reading.span_extents import complete_span
from answers.reading.value_choice import are_of_same_thing, is_of_another_clause, is_of_another_column, is_of_another_sum, value_asked, words_of_sum
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.leading_marks import mark_length
from answers.units.line_kinds import is_cited_title, is_headline
from core.answers import Evidence, LeadKind
from core.language.firm_names import LEGAL_FORM
from core.language.mail_lines import MAIL_ADDRESS

FEATURES = ("read", "agreed", "rival", "words", "meaning", "passage", "wanted")
COEFFICIENTS = (-5.675, 0.269, 1.107, -0.174, 0.632, 2.762, 2.196, -0.018)
LEAST_LEAD = 0.28  # the least chance of a lead that is shown; over questions of which two in three have no answer, so it is low where there is one
WORDED_GAIN = 0.57  # for a question in another language, whose words and cosines say less: .18 becomes LEAST_LEAD
ONLY_VALUE_CHANCE = 0.5  # how often that is right, at least: .8 where the answer stands there at all (answers/extractive/answer_sentences.py)
_LARGEST_LOGIT = 8.0  # logits are cut to this
# Whom it is not, and whom only the sentence knows, where somebody is asked for.
_NO_ONE = re.compile(
    r"\W*(?:nobody|no[\s-]one|none|nothing|niemand|keiner|i|we|you|he|she|it|they|me|us|him|her|them|ich|wir|er|sie|es)\W*$", re.IGNORECASE
)
_WHAT_TO_DO = re.compile(
    r"^\W*what\s+(?:must|should|shall|do|does|did|can|may|has|have|will|would|is|are|was|were)\b[^?]*\bdo\b(?!\s+\w+\s+for\b)", re.IGNORECASE
)
_MOST_VALUE_WORDS = 4
_HOW_TO = re.compile(r"^\W*(?:how|wie)\s+(?:can|could|do|does|did|should|must|may|to|is|are|was|were|kann|muss|soll|wird|werden)\b", re.IGNORECASE)
_WHICH_THING = re.compile(r"^\W*which\s+(?P<noun>[a-z]{3,})\b", re.IGNORECASE)
# Things that a number is: "which year", "which version".
_NUMBERED = re.compile(
    r"(?i:years?|numbers?|versions?|pages?|sections?|clauses?|chapters?|articles?|floors?|levels?|grades?|sizes?|lines?|rooms?|gates?|platforms?|"
    r"percent\w*|shares?|amounts?|sums?|figures?|values?|rates?|prices?|ages?|scores?|editions?|rounds?|quarters?|centur\w+|decades?|codes?|models?|rows?)$"
)
_TWO_PARTIES = re.compile(
    r"\b(?P<by>by|to|from|with)\s+(?:the\s+)?(?P<one>[A-ZÀ-Þ][\w’'-]*)\b[^.;]{0,60}?\band\b[^.;]{0,60}?\b(?P=by)\s+(?:the\s+)?(?P<other>[A-ZÀ-Þ][\w’'-]*)"
)
_SENTENCE_LETTERS, _LEAST_SENTENCE_WORDS = 0.8, 6  # of a sentence's letters, and words, from which a span is the sentence
_SURE_OF_ACCOUNT = 5.0  # the logit of a reason in a sentence without a word that says so
_LEAST_RELATIVE_CHANCE = 0.6  # of the best lead's chance, in a lead of the same words
_NAMES = re.compile(r"\b(?:[A-ZÀ-Þ][\w-]*|\w*\d\w*)")
_WHERE_TO_GET = re.compile(
    r"^\W*where\s+(?:can|could|may|might|do|does|should)\s+(?:i|we|one|you|people|users|anyone)\s+"
    r"(?:get|find|download|obtain|access|install|buy|order|see|read|try|report|register|apply)\b",
    re.IGNORECASE,
)
_WEB_ADDRESS = re.compile(r"https?://|\bwww\.|\b[\w-]+\.(?:io|com|org|net|gov|edu|eu|de|uk)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://|\bwww\.)[^\s()<>\"]*[^\s()<>\".,;:!?]")
_UNSHOWN = 0.27  # the greatest chance of a lead that is not shown, below LEAST_LEAD
_NEARLY_AS_GOOD = 2.0  # logits
_TRIMMED = " \t\n,;:|*"
_BRACKET_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("„", "“"), ("«", "»"), ('"', '"'))
_ABBREVIATED = re.compile(r"[^\W\d_]\.[^\W\d_]+\.[\s,;:|*]*$")


@dataclass(frozen=True, slots=True)
class ChosenLead:
    """`span` as it is shown, `unit` the place of its unit, `chance` that it is right."""

    span: FoundSpan
    unit: int
    kind: LeadKind
    chance: float


def choose_lead(
    question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], reading: EvidenceReading, *, within: int | None = None
) -> ChosenLead | None:
    """Return the span with the greatest chance, of all or of one unit; None where the reader found none that can be quoted."""
    found: list[ChosenLead] = []
    counts_other = make_count_check(question.text, [unit.unit.text for unit in units])
    pointed = any(unit.in_named_clause for unit in units)
    for span in reading.spans:
        unit = units[span.unit]
        if (within is not None and span.unit != within) or (pointed and not unit.in_named_clause) or not may_lead(question, unit, evidence, span):
            continue
        chance = chance_of(features_of(question, evidence, units, reading, span), WORDED_GAIN if question.is_worded else 0.0)
        place = span.start - unit.unit.start, span.end - unit.unit.start
        other_row = is_row_of_another(question.text, unit, units) or is_row_without_column(words_of_sum(question.text), unit, units, evidence)
        if other_row or counts_other(unit.unit.text, *place) or _is_of_another_thing(question, unit, evidence[span.source], span):
            chance = min(chance, _UNSHOWN)
        shown = _add_brackets(unit, _trim(_cut_to_kind(question, span)))
        found.append(ChosenLead(shown, span.unit, _kind(question, unit), chance))
    best = max(_prefer_address(question, found), key=lambda each: each.chance, default=None)
    if best is None:
        return None
    return _cut_to_value(question, evidence, units, add_unit(question, units, _prefer_named_document(question, units, best, found)))


def _cut_to_value(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], best: ChosenLead) -> ChosenLead:
    """Return the lead as far as it reaches, on the value that is asked for where its unit has several."""
    unit, source = units[best.unit], evidence[best.span.source]
    asked = value_asked(question.text, unit, source, best.span)
    if is_unsure_cell(question.text, unit, source, units, asked):
        best = replace(best, chance=min(best.chance, _UNSHOWN))
    told = best.span if _is_bare_number(question, asked.text) else asked
    return replace(best, span=complete_span(question, unit, told))


def _prefer_address(question: Question, found: list[ChosenLead]) -> list[ChosenLead]:
    """Return, where the question asks where something can be got, those of the leads that hold a web address, if one of them is nearly as good as the
    best; else all. Few sentences hold one, so it leads as an only value does."""
    if not found or _WHERE_TO_GET.match(question.text) is None:
        return found
    best = max(each.span.score for each in found)
    addresses = [each for each in found if _WEB_ADDRESS.search(each.span.text) and each.span.score >= best - _NEARLY_AS_GOOD]
    return [replace(each, chance=max(each.chance, ONLY_VALUE_CHANCE)) for each in addresses] or found


def add_unit(question: Question, units: Sequence[ScoredUnit], lead: ChosenLead) -> ChosenLead:
    """Return the lead with the unit right behind its figure."""
    unit, span = units[lead.unit].unit, lead.span
    at = span.end - unit.start
    more = unit_behind(question.answer_kind, span.text, unit.text[at:]) if unit.role is not Role.ROW and at > 0 else 0
    return replace(lead, span=replace(span, end=span.end + more, text=span.text + unit.text[at : at + more])) if more else lead


def _prefer_named_document(question: Question, units: Sequence[ScoredUnit], best: ChosenLead, found: Sequence[ChosenLead]) -> ChosenLead:
    """Return the best lead; where another document says the same words, and its own name holds what the question names ("C2"), that one's."""
    names = frozenset(re.findall(r"\w+", " ".join(_NAMES.findall(question.text[1:])).casefold()))
    best_key = _value_key(question, best.span)
    same = [best, *(each for each in found if _value_key(question, each.span) == best_key and each.chance >= _LEAST_RELATIVE_CHANCE * best.chance)]
    return max(same, key=lambda each: (len(units[each.unit].names & names), each is best)) if names else best


def may_lead(question: Question, unit: ScoredUnit, evidence: Sequence[Evidence], span: FoundSpan) -> bool:
    """Return whether a span can be the answer at all, whatever its chance: words that are not the question's own, of the kind and the column asked
    for."""
    if (
        unit.is_for_another
        or not any(letter.isalnum() for letter in span.text)
        or _repeats_question(question, span.text)
        or (question.answer_kind is AnswerKind.NAME and _is_one_of_two(unit.unit.text, span.text))
        or (question.answer_kind is AnswerKind.NAME and _NO_ONE.match(span.text) is not None)
        or (question.answer_kind is AnswerKind.NAME and _is_sentence_without_name(question, unit.unit.text, span.text))
        or is_of_another_kind(question.answer_kind, span.text)
        or _gives_no_account(question, unit, span)
        or is_of_other_words(question, unit, span)
        or (question.answer_kind is AnswerKind.ANYTHING and unit.unit.role is Role.SENTENCE and _is_title(unit, evidence, span))
    ):
        return False
    if span.end <= unit.unit.start + mark_length(unit.unit.text, question.text) or is_of_another_clause(question.text, unit, span):
        return False  # "6.1" in front of a sentence is the clause's number
    return not is_of_another_column(question.text, unit, evidence[span.source], span)


def _is_of_another_thing(question: Question, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> bool:
    """Return whether a span can hardly be what is asked for, though its sentence may speak of it: such a one is not shown."""
    if question.answer_kind.is_figure:
        return is_of_another_sum(question.text, unit, evidence)
    if question.answer_kind is not AnswerKind.ANYTHING:
        return False
    is_number = _is_bare_number(question, span.text) and not _stands_beside_noun(question, unit, span)
    return is_number or _is_no_action(question, span.text)


def _is_bare_number(question: Question, text: str) -> bool:
    """Return whether "which <thing>" or how something is done is asked and a span is a number and nothing else: "Seven" is no aisle and no way."""
    asked = _WHICH_THING.match(question.text)
    if asked is None:
        return _HOW_TO.match(question.text) is not None and NUMBER.fullmatch(text.strip()) is not None
    parts = re.split(r"[-–]", text)  # "60-69" is a number, too
    return _NUMBERED.search(asked["noun"]) is None and all(NUMBER.fullmatch(part.strip()) is not None for part in parts)


def _stands_beside_noun(question: Question, unit: ScoredUnit, span: FoundSpan) -> bool:
    """Return whether a number stands right beside the noun that is asked for, as its name: "the 1980 Census", "aisle 7"."""
    asked = _WHICH_THING.match(question.text)
    at, end, text = span.start - unit.unit.start, span.end - unit.unit.start, unit.unit.text
    if asked is None or at < 0:
        return False
    noun = re.escape(asked["noun"].removesuffix("s"))
    return re.match(rf"\s+{noun}s?\b", text[end:], re.IGNORECASE) is not None or re.search(rf"\b{noun}\s+$", text[:at], re.IGNORECASE) is not None


def _is_no_action(question: Question, text: str) -> bool:
    """Return whether it is asked what somebody does or must do, and a span is a few words with a figure ("within three metres"), or with the very
    name that the question has ("the MARL initiative")."""
    if _WHAT_TO_DO.match(question.text) is None or len(text.split()) > _MOST_VALUE_WORDS:
        return False
    return NUMBER.search(text) is not None or any(text[start:end].lower() in question.words for start, end in capitalised_spans(text))


def _is_title(unit: ScoredUnit, evidence: Sequence[Evidence], span: FoundSpan) -> bool:
    """Return whether a unit is a headline, or a title in a list of references: of what it is about nothing is said."""
    passage = evidence[unit.unit.source].passage
    before = passage.content[: max(0, unit.unit.start - passage.start)]
    return (is_headline(unit.unit.text) and is_headline(span.text)) or is_cited_title(before, unit.unit.text)


def _gives_no_account(question: Question, unit: ScoredUnit, span: FoundSpan) -> bool:
    """Return whether a reason is asked for and the unit gives none, or by what means, and it names none. A part of a unit without a reason tells
    what, not why, unless the reader is very sure, and so do a row's cells."""
    if unit.holds_wanted or question.answer_kind not in {AnswerKind.REASON, AnswerKind.MEANS}:
        return False
    is_part = len(span.text) < _SENTENCE_LETTERS * len(unit.unit.text) and (span.score < _SURE_OF_ACCOUNT or _is_value(span.text))
    return question.answer_kind is AnswerKind.MEANS or unit.unit.role is Role.ROW or is_part


def _is_value(text: str) -> bool:
    """Return whether a text is a figure with little beside it: "3.2 tonnes"."""
    return NUMBER.search(text) is not None and len(text.split()) <= _MOST_VALUE_WORDS


def _is_one_of_two(sentence: str, name: str) -> bool:
    """Return whether a sentence names two alike, and a span is one of them: "borne by the Landlord and … by the Tenant" is answered by the
    sentence."""
    said = set(name.split())
    return any(len({found["one"], found["other"]} & said) == 1 for found in _TWO_PARTIES.finditer(sentence) if found["one"] != found["other"])


def _is_sentence_without_name(question: Question, sentence: str, text: str) -> bool:
    """Return whether a span is a whole sentence that names nobody but those whom the question names: "The Landlord's Agent remains the person named
    …"."""
    if len(text) < _SENTENCE_LETTERS * len(sentence) or len(text.split()) < _LEAST_SENTENCE_WORDS:
        return False
    said = (re.sub(r"['’]s?$", "", text[start:end]).lower() for start, end in capitalised_spans(text) if start > 0)
    return all(word in question.words or f"{word}'s" in question.words for word in said)


def _repeats_question(question: Question, text: str) -> bool:
    """Return whether a span holds only words of the question, which then are no answer, unless the question names what to choose from ("… or …")."""
    bare = re.sub(rf"{LEGAL_FORM}\W*$", "", text.replace(",", ""))  # "Marl Ferry, Inc." says no more than "Marl Ferry"
    said = frozenset(word for word in word_set(bare) if f"{word}'s" not in question.words)
    counted = {word for word in said if NUMBER.fullmatch(word)} if not question.answer_kind.is_figure and len(said) > 1 else set[str]()
    return (
        bool(word_set(bare))
        and said - counted <= question.words  # "two weaknesses" names none of them
        and set(re.findall(r"\d+", text)) <= set(re.findall(r"\d+", question.text))
        and COMPARISON_WORDS.search(question.text) is None
    )


def features_of(
    question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], reading: EvidenceReading, span: FoundSpan
) -> tuple[float, ...]:
    """Return the features in the order of FEATURES: the span's logit, whether other passages have the same words, the best logit of other words for
    another thing, the question's share in the unit, the unit's cosine, its passage's score, and whether the span is of the kind that is asked for (-1
    no, 1 yes, 0 not known)."""
    unit, said, value = units[span.unit], _key(span.text), _value_key(question, span)
    same = [each.score for each in reading.spans if each is not span and _value_key(question, each) == value and each.source != span.source]
    others = (each for each in reading.spans if not _are_alike(_key(each.text), said) and not is_of_another_kind(question.answer_kind, each.text))
    other = next((each.score for each in others if not are_of_same_thing(span, each, units, evidence)), -_LARGEST_LOGIT)
    return (
        _cut(span.score),
        float(bool(same)),
        _cut(other),
        unit.lex,
        unit.cosine or 0.0,
        evidence[span.source].score,
        _wanted_feature(question, span.text),
    )


def chance_of(features: Sequence[float], gain: float = 0.0) -> float:
    total = gain + COEFFICIENTS[0] + sum(weight * value for weight, value in zip(COEFFICIENTS[1:], features, strict=True))
    return 1 / (1 + math.exp(-total))


def _wanted_feature(question: Question, text: str) -> float:
    if question.answer_kind is AnswerKind.ANYTHING:
        return 0.0
    if question.answer_kind is AnswerKind.NAME:
        return 1.0 if any(text[a:b].lower() not in question.words for a, b in capitalised_spans(text)) else -1.0
    return 1.0 if holds_kind(question.answer_kind, text, question.words) else -1.0


def _kind(question: Question, unit: ScoredUnit) -> LeadKind:
    if unit.unit.role is Role.ROW:
        return "cell"
    return "name" if question.answer_kind is AnswerKind.NAME else "span"


def _trim(span: FoundSpan) -> FoundSpan:
    """Return the span without the quotes, brackets and commas that it stands between; a bracket that closes inside stays, and so does the end of
    "p.m."."""
    text, start, end, before = span.text, 0, len(span.text), (-1, -1)
    while (start, end) != before and start < end:
        before = start, end
        start = end - len(text[start:end].lstrip(_TRIMMED))
        end = start + len(text[start:end].rstrip(_TRIMMED if _ABBREVIATED.search(text, start, end) else f"{_TRIMMED}."))
        inner = text[start:end]
        if any(inner.startswith(left) and right not in inner[1:] for left, right in _BRACKET_PAIRS):
            start += 1
        elif any(inner.endswith(right) and left not in inner[:-1] for left, right in _BRACKET_PAIRS):
            end -= 1
    return replace(span, start=span.start + start, end=span.start + end, text=text[start:end]) if start < end else span


def _add_brackets(unit: ScoredUnit, span: FoundSpan) -> FoundSpan:
    """Return the span with the bracket beside it that closes or opens its own: "(0123) 456" of "0123) 456"; without one that stays open."""
    start, end, text = span.start - unit.unit.start, span.end - unit.unit.start, unit.unit.text
    if text[start:end] != span.text:
        return span  # it goes on behind its unit
    for address in (*_ADDRESS.finditer(text), *MAIL_ADDRESS.finditer(text)):
        if address.start() < end and start < address.end():
            start, end = min(start, address.start()), max(end, address.end())  # "https://marl.example.org", not "example.org"
    if start > 0 and text[start - 1] == "(" and _first_bracket(span.text) == ")":
        start -= 1
    if text[end : end + 1] == ")" and _first_bracket(span.text[::-1]) == "(":
        end += 1
    elif (at := span.text.rfind(" (")) > 0 and ")" not in span.text[at:]:
        end = start + at
    return replace(span, start=unit.unit.start + start, end=unit.unit.start + end, text=text[start:end])


def _first_bracket(text: str) -> str:
    return next((letter for letter in text if letter in "()"), "")


def _cut_to_kind(question: Question, span: FoundSpan) -> FoundSpan:
    start, end = find_wanted_span(question.answer_kind, span.text)
    return replace(span, start=span.start + start, end=span.start + end, text=span.text[start:end])


@lru_cache(maxsize=1024)  # every span is compared with every other one
def _key(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _value_key(question: Question, span: FoundSpan) -> str:
    """Return the part that is asked for, as leads are compared: "nine months’ written notice" says the same as "nine months" where a time is asked
    for."""
    return _key(sole_value(question.answer_kind, span.text))


def _are_alike(one: str, other: str) -> bool:
    """Return whether one holds the other, word for word ("5 days" is no part of "15 days")."""
    return f" {one} " in f" {other} " or f" {other} " in f" {one} "


def _cut(logit: float) -> float:
    return max(-_LARGEST_LOGIT, min(_LARGEST_LOGIT, logit))
