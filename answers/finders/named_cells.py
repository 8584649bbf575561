"""The cell that a question names by its row and its column: "What is Tobias Renn's extension?", "At what temperature does the alarm of Chamber 1 go
off?" of a table with the columns "name" and "alarm_above_celsius"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from answers.finders.labelled_values import is_name
from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import AnswerKind, holds_kind, is_of_another_kind, strip_asking_words
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places, cells_of
from core.claim_words import label_words
from core.language.months import ENGLISH_MONTH, ENGLISH_MONTHS, short_months
from core.language.quarters import quarter_of, without_quarter
from core.language.word_files import join_alternatives

_MONTHS = {short: ENGLISH_MONTHS[number - 1] for short, number in short_months("en").items()}
_SHORT_MONTH = re.compile(rf"\b(?:{join_alternatives(_MONTHS)})\b", re.IGNORECASE)
_MONTH_OF_YEAR = re.compile(rf"\b({ENGLISH_MONTH})\s+((?:19|20)\d\d)\b", re.IGNORECASE)
# What something should be is the column of targets: "What temperature must Chamber 2 keep?" asks for "target_celsius".
_ASKS_FOR_TARGET = re.compile(r"\b(?:must|should|shall|keep|keeps|kept|set|maintained?|held|required|soll|sollte|muss)\b", re.IGNORECASE)
_TARGET = re.compile(r"\b(?:target|set\s?point|nominal|required|soll\w*)\b", re.IGNORECASE)
_LEAST_WORD_SHARE = 0.5  # of the question's words in the row's name and the column's
_COMPUTES = re.compile(
    r"""
        \b(?:
              differences?|between|compared?|than|by\s+how\s+m\w+|exceed\w*|under|over|above|below|more|less|fewer
            | change[ds]?|growth|rise|rose|fall|fell|total|sum|average|mean|median|altogether|highest|lowest|most|least
            | largest|smallest|first|last|each|every|per|why|respectively|both|jeweils|beide\w*|unterschied\w*|insgesamt|durchschnitt\w*
        )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ORDINAL = re.compile(r"[#\d.\s)(-]*$")
_UNIT_WORDS: dict[AnswerKind, frozenset[str]] = {  # in a header they say what its figures are
    AnswerKind.TEMPERATURE: frozenset("celsius fahrenheit temperature temperatur temp degrees grad".split()),
    AnswerKind.SPEED: frozenset("speed kmh kph mph geschwindigkeit".split()),
    AnswerKind.WEIGHT: frozenset("weight kg tonnes tons gewicht load".split()),
    AnswerKind.MONEY: frozenset("price cost costs amount estimate fee charge £ $ € eur usd gbp preis kosten betrag".split()),
    AnswerKind.DURATION: frozenset("minutes hours days weeks months years minuten stunden tage wochen monate jahre duration".split()),
}


def named_cell(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the only cell whose row is called what the question names, under the column with most of its other words; None where there are several,
    or where row and column hold less than half of the question."""
    if asks_computation(question.text):
        return None
    quarter = quarter_of(question.text)
    said = without_quarter(question.text) if quarter is not None else question.text
    asked = label_words(strip_asking_words(said)) | _months(said) | _quarter_words(quarter)
    found: dict[str, tuple[UnitSpan, bool]] = {}
    for place, header, row in rows_under_headers(units):
        if (cell := _cell(question, asked, header, row)) is not None:
            found.setdefault(" ".join(row.split()), (UnitSpan(place, cell.start, cell.end), cell.dated))
    if len(found) != 1:
        return None
    span, dated = next(iter(found.values()))
    return RuleAnswer(units[span.unit].unit.text[span.start : span.end], (span,), SURE_CHANCE, "cell", is_dated=dated)


def rows_under_headers(units: Sequence[ScoredUnit]) -> Iterator[tuple[int, Sequence[str], str]]:
    """Yield the rows that follow a header of their passage at once: the unit's place, the names of the columns, the row's text."""
    header: ScoredUnit | None = None
    for place, unit in enumerate(units):
        if unit.unit.role is Role.HEADER:
            header = unit
        elif unit.unit.role is not Role.ROW or header is None or header.unit.source != unit.unit.source:
            header = None
        else:
            yield place, cells_of(header.unit.text), unit.unit.text


def asks_computation(text: str) -> bool:
    """Return whether a question asks for something that no cell says by itself: a difference, a sum, the highest, the
    values of several."""
    return _COMPUTES.search(text) is not None


class _Cell(NamedTuple):
    """The span [start:end] of a row; `dated` whether its column is that of a month that the question names."""

    start: int
    end: int
    dated: bool


def _cell(question: Question, asked: frozenset[str], header: Sequence[str], row: str) -> _Cell | None:
    """Return the cell that is asked for in a row that is called what the question names."""
    cells, places = cells_of(row), cell_places(row)
    name = next((at for at, cell in enumerate(cells) if cell and not _ORDINAL.match(cell)), None)
    named = (_quarter_words(quarter_of(cells[name])) or label_words(cells[name])) if name is not None else frozenset[str]()
    numbers = set(re.findall(r"\d+", cells[name])) if name is not None else set()
    if name is not None and not named <= asked and is_name(cells[name]):
        named &= asked  # "Amina's extension"
    if name is None or not named or not named <= asked or not numbers <= set(re.findall(r"\d+", question.text)) or len(cells) > len(header):
        return None
    ranked = sorted(((_fit(question, asked - named, header[at], cells[at]), at) for at in range(len(cells)) if at != name), reverse=True)
    if not ranked or ranked[0][0] <= 0 or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
        return None
    best = ranked[0][1]
    said = (
        len(named | (column_words(header[best]) & asked)) + is_column_of_kind(question.answer_kind, header[best]) + _is_target(question, header[best])
    )
    if (quarter := quarter_of(question.text)) is not None and quarter not in {quarter_of(each) for each in (*header, cells[name])}:
        return None  # the figure of the year
    dated = quarter is not None or not _months(question.text).isdisjoint(_months(header[best]))
    return _Cell(*places[best], dated) if said >= _LEAST_WORD_SHARE * len(asked) else None


def _fit(question: Question, asked: frozenset[str], header: str, cell: str) -> int:
    """Return how many of the words a column's name has, its unit among them; 0 for an empty cell or one of another kind than is asked for."""
    shared = len(column_words(header) & asked) + _is_target(question, header)
    if not shared or not cell.strip() or (question.answer_kind.is_figure and not any(letter.isdigit() for letter in cell)):
        return 0
    if question.answer_kind is AnswerKind.NAME and not holds_kind(AnswerKind.NAME, f"- {cell}", question.words):
        return 0
    return 0 if is_of_another_kind(question.answer_kind, cell) else shared + is_column_of_kind(question.answer_kind, header)


def _is_target(question: Question, header: str) -> bool:
    return _ASKS_FOR_TARGET.search(question.text) is not None and _TARGET.search(header.replace("_", " ")) is not None


def column_words(header: str) -> frozenset[str]:
    """Return the words of a column's name, with the months in full: "Actual Jan to Sep" is that of January to September."""
    text = _SHORT_MONTH.sub(lambda match: _MONTHS[match.group().lower()], header.replace("_", " "))
    return label_words(text) | _months(text) | _quarter_words(quarter_of(header))


def _months(text: str) -> frozenset[str]:
    """Return months with their years: "£ per year from 1 May 2026" is the column for "from May 2026", beside one "until 30 April 2026"."""
    return frozenset(f"{month.lower()} {year}" for month, year in _MONTH_OF_YEAR.findall(text))


def _quarter_words(quarter: int | None) -> frozenset[str]:
    """Return the one word by which a quarter is compared, however it is written; none for None."""
    return frozenset() if quarter is None else frozenset({f"q{quarter}"})


def is_column_of_kind(kind: AnswerKind, header: str) -> bool:
    """Return whether a column's name says that its figures are of a kind: "Estimate £", "target_celsius"."""
    return not _UNIT_WORDS.get(kind, frozenset()).isdisjoint(re.findall(r"[^\W\d_]+|[£$€]", header.lower()))
