"""Yes or no by what a sentence, an item, a cell or the rows of a table say; no verdict where nothing decides, or two statements differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from answers.finders.rule_answer import LIKELY_CHANCE, SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places
from answers.verdicts.asked_statement import AskedStatement, read_asked_statement
from answers.verdicts.row_verdicts import read_rows
from answers.verdicts.statement_reading import Reading, read_statement, refers_back
from answers.verdicts.verdict_words import say_verdict
from answers.verdicts.word_match import StatementSurroundings, words_in
from core.answers import Evidence

_MOST_WORDS = 40  # of a question
_MOST_BACK = 8  # sentences between a statement and the heading that says what it is about
_LEAST_STATEMENT_WORDS = 3
_LEAST_CELL_WORDS = 4  # of a cell that is read as a statement
_SURE_STRENGTH, _LEAST_STRENGTH = 0.95, 0.6
_NEARLY_AS_STRONG = 0.2
_STATING = frozenset({Role.SENTENCE, Role.ITEM, Role.FIELD, Role.TURN})


class _Decision(NamedTuple):
    """A reading with the units that it rests on."""

    holds: bool
    strength: float
    places: tuple[UnitSpan, ...]


def stated_verdict(question: Question, units: Sequence[ScoredUnit], evidence: Sequence[Evidence] = ()) -> RuleAnswer | None:
    """Return yes or no in the question's language with the statement or rows that decide it; None where none does, where two of nearly one strength
    differ, or where the question was put into English word by word."""
    if question.is_worded or len(question.text.split()) > _MOST_WORDS:
        return None
    asked = read_asked_statement(question.text)
    if asked is None:
        return None
    far = _document_words(units, evidence)
    decisions = [*_read_statements(asked, units, far), *_read_tables(asked, units, evidence, far)]
    decisions = sorted((each for each in decisions if each.strength >= _LEAST_STRENGTH), key=lambda each: -each.strength)
    if not decisions:
        return None
    best = decisions[0]
    if any(each.holds != best.holds and each.strength > best.strength - _NEARLY_AS_STRONG for each in decisions):
        return None
    chance = SURE_CHANCE if best.strength >= _SURE_STRENGTH else LIKELY_CHANCE
    return RuleAnswer(say_verdict(holds=best.holds, language=asked.language), best.places, chance)


def _read_statements(asked: AskedStatement, units: Sequence[ScoredUnit], far: Mapping[str, frozenset[str]]) -> Iterator[_Decision]:
    by_number = bool(asked.numbered) and not asked.begins_with_number  # "in room 310?" is told by "in room 204"
    for place, unit in enumerate(units):
        if (unit.is_for_another and not by_number) or unit.words < _LEAST_STATEMENT_WORDS:
            continue
        for start, end in _statements_in(unit):
            around = StatementSurroundings(_near_words(units, place), far[unit.document])
            reading = read_statement(asked, unit.unit.text[start:end], around)
            if reading is not None:
                yield _decision(place, start, reading)


def _decision(place: int, start: int, reading: Reading) -> _Decision:
    return _Decision(reading.holds, reading.strength, (UnitSpan(place, start + reading.start, start + reading.end),))


def _statements_in(unit: ScoredUnit) -> list[tuple[int, int]]:
    """Return the places of the statements of a unit: all of a sentence, of a row the cells that say something in several words."""
    text = unit.unit.text
    if unit.unit.role in _STATING:
        return [(0, len(text))]
    if unit.unit.role is not Role.ROW:
        return []
    cells = [(start, end) for start, end in cell_places(text) if not text[start:end].rstrip().endswith("?")]
    return [(start, end) for start, end in cells if len(text[start:end].split()) >= _LEAST_CELL_WORDS]


def _document_words(units: Sequence[ScoredUnit], evidence: Sequence[Evidence]) -> dict[str, frozenset[str]]:
    """Return the words of the passages and of the name of each document."""
    texts: dict[str, list[str]] = {}
    for unit in units:
        texts.setdefault(unit.document, [*unit.names, unit.title]).append(unit.unit.text)
    for each in evidence:
        texts.setdefault(each.passage.document_id, []).append(each.passage.content)
    return {document: words_in(said) for document, said in texts.items()}


def _near_words(units: Sequence[ScoredUnit], place: int) -> frozenset[str]:
    """Return the words of the heading above a statement, of its label and its document's name; with the sentences between where it refers back."""
    own = units[place]
    texts = [own.unit.lead_in, own.title, *own.names]
    back = refers_back(own.unit.text)
    for above in reversed(units[max(0, place - _MOST_BACK) : place]):
        if above.unit.source != own.unit.source:
            break
        if above.unit.role is Role.HEADING:
            texts.append(above.unit.text)
            break
        if back and above.unit.role in _STATING:
            texts.append(above.unit.text)
    return words_in(texts)


def _read_tables(
    asked: AskedStatement, units: Sequence[ScoredUnit], evidence: Sequence[Evidence], far: Mapping[str, frozenset[str]]
) -> list[_Decision]:
    return [_Decision(each.holds, each.strength, each.places) for each in read_rows(asked, units, evidence, far)]
