"""Figures of a table's row: whether the column of one is what a question asks for, and whether the row is that of the thing that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from answers.finders.named_cells import column_words, is_column_of_kind
from answers.questions.answer_kinds import AnswerKind, answer_kind_of
from answers.reading.evidence_reading import FoundSpan
from answers.scoring.unit_scores import ScoredUnit, header_of
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places, cells_of
from core.answers import Evidence
from core.language.content_words import stems
from core.language.related_words import other_forms, similar_words

_FIGURE = re.compile(r"\W*[$€£¥]?\s?[-−+]?\d[\d.,'’\s]*\s?(?:%|[^\W\d_]{1,3})?\W*")
_SHARE = re.compile(r"%|\b(?:percent|per\s+cent|prozent|share|rate|ratio)", re.IGNORECASE)
_NUMBERED_NAME = re.compile(r"\b\w[\w-]{2,}\b")
_ROW_NUMBER = re.compile(r"\W*\d{1,3}\W*")  # in front of what the row is called
_NUMBER = re.compile(r"\b\d+\b")
_YEARS = re.compile(r"\b(?:1[89]|20)\d\d\b")
_SEVERAL = 2  # figures of a row, of which any could be meant


def is_unnamed_figure(question: str, unit: ScoredUnit, evidence: Evidence, start: int, end: int) -> bool:
    """Return whether [start:end] of a row is one of several figures, and nothing says that it is the one asked for: its column shares no word with
    the question, or has no name."""
    place = _column_at(unit, start, end)
    return place is not None and len(_figures(unit)) >= _SEVERAL and place not in _asked_columns(question, unit, evidence)


def is_named_figure(question: str, unit: ScoredUnit, evidence: Evidence, span: FoundSpan) -> bool:
    """Return whether a row's figure stands under a column that the question names: its unit may stand nowhere."""
    return _column_at(unit, span.start - unit.unit.start, span.end - unit.unit.start) in _asked_columns(question, unit, evidence)


def is_unsure_cell(question: str, unit: ScoredUnit, evidence: Evidence, units: Sequence[ScoredUnit], span: FoundSpan) -> bool:
    """Return whether a row's cell may be another one than is asked for: of an unnamed column, or of one of two rows that say the same."""
    start, end = span.start - unit.unit.start, span.end - unit.unit.start
    return is_unnamed_figure(question, unit, evidence, start, end) or has_twin_row(question, unit, units)


def tells_no_asked_figure(question: str, units: Sequence[ScoredUnit], evidence: Sequence[Evidence]) -> bool:
    """Return whether all that is told are rows with several figures each, the number of the row aside, of which none stands under a column that the
    question names."""
    return bool(units) and all(
        len(figures := _figures(unit)) >= _SEVERAL and figures.keys().isdisjoint(_asked_columns(question, unit, evidence[unit.unit.source]))
        for unit in units
    )


def is_row_of_another(question: str, unit: ScoredUnit, units: Sequence[ScoredUnit]) -> bool:
    """Return whether the question names a thing by its number ("K2-1901") that stands in another row and not in this one, nor above it."""
    if unit.unit.role is not Role.ROW:
        return False
    named = {name for name in _NUMBERED_NAME.findall(question) if any(map(str.isalpha, name)) and any(map(str.isdigit, name))}
    missing = [name for name in named if name not in unit.unit.text and name not in unit.unit.lead_in]
    return any(name in cells_of(other.unit.text) for name in missing for other in units if other.unit.role is Role.ROW)


def is_row_without_column(words: frozenset[str], unit: ScoredUnit, units: Sequence[ScoredUnit], evidence: Sequence[Evidence]) -> bool:
    """Return whether no column of a row is called one of the words, and one of a row of the same name is: "-6" is not "the sales of" the north."""
    if unit.unit.role is not Role.ROW or words & _called(unit, evidence):
        return False
    named = _words_of_row(unit)[:1]
    return any(named) and any(words & _called(each, evidence) for each in units if _words_of_row(each)[:1] == named)


def _called(unit: ScoredUnit, evidence: Sequence[Evidence]) -> frozenset[str]:
    return stems(f"{header_of(unit.unit, evidence[unit.unit.source])} {unit.unit.text}".replace("_", " "))


def has_twin_row(question: str, unit: ScoredUnit, units: Sequence[ScoredUnit]) -> bool:
    """Return whether another row of the table says the same but for its figures, of which the question names none of this row: under which heading
    each stands only the table tells."""
    figures, said = _figures(unit), frozenset(_NUMBER.findall(question))
    if not figures or said & frozenset(_NUMBER.findall(unit.unit.text)):
        return False
    words = _words_of_row(unit)
    others = [each for each in units if each is not unit and (each.unit.source, each.unit.header) == (unit.unit.source, unit.unit.header)]
    return any(words) and any(_words_of_row(each) == words and each.unit.text != unit.unit.text for each in others)


def _words_of_row(unit: ScoredUnit) -> list[str]:
    figures = _figures(unit)
    return [cell for place, cell in enumerate(cells_of(unit.unit.text)) if place not in figures and figures]


def _column_at(unit: ScoredUnit, start: int, end: int) -> int | None:
    return next((at for at, (first, last) in _figures(unit).items() if first < end and start < last), None)


def _figures(unit: ScoredUnit) -> dict[int, tuple[int, int]]:
    """Return where the cells of a row stand that are figures, by their columns; none of what is no row."""
    if unit.unit.role is not Role.ROW:
        return {}
    text = unit.unit.text
    places = cell_places(text)
    numbered = len(places) > 1 and _ROW_NUMBER.fullmatch(text[slice(*places[0])]) is not None and not _FIGURE.fullmatch(text[slice(*places[1])])
    return {at: (start, end) for at, (start, end) in enumerate(places) if _FIGURE.fullmatch(text[start:end]) and not (numbered and at == 0)}


def _asked_columns(question: str, unit: ScoredUnit, evidence: Evidence) -> set[int]:
    """Return the columns of which the question says a word that the row does not have itself, or that hold the kind of figure that it asks for."""
    kind, header = answer_kind_of(question), cells_of(header_of(unit.unit, evidence))
    alike = stems(" ".join(other for word in question.lower().split() for other in (*other_forms(word), *similar_words(word))))
    asked = (stems(question) | alike) - stems(unit.unit.text) | frozenset(_YEARS.findall(question))
    return {
        place
        for place, (name, cell) in enumerate(zip_longest(header, cells_of(unit.unit.text), fillvalue=""))
        if asked & (stems(name.replace("_", " ")) | column_words(name))
        or is_column_of_kind(kind, name)
        or (kind is AnswerKind.SHARE and _SHARE.search(f"{name} {cell}") is not None)
    }
