"""The holder of an office, by the row of a directory: "Tobias Renn | Warehouse Manager, Quay 7", for "Who is the warehouse manager of Quay 7?".

A deputy's row holds every word of the question, too: the right one is the row whose cell says no more than what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from answers.finders.labelled_values import is_name, speaks_of
from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places
from core.claim_words import label_words
from core.language.office_wording import LEADERS, WHO_LEADS

_LEAST_OFFICE_WORDS = 2
_LONGEST_NAME = 4  # words
_QUESTION_PATTERN = re.compile(
    r"^\W*(?:and\s+|but\s+)?(?:who|wer)(?:['’]?s|\s+(?:is|are|was|ist))\s+(?:(?:the|our|my|your|an?|der|die)\s+)?(?P<office>[^?]+?)"
    r"(?:\s+(?:of|for|at|in|von|für|bei|in)\s+(?:(?:the|our|der|die|das)\s+)?(?P<place>[^?]+?))?\W*$",
    re.IGNORECASE,
)


def responsible_holder(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the name in the only row whose office is to lead what is named: "Wren Halloran | Cold Store Supervisor", for "Who is responsible for the
    cold store?"; None where no row or several say so."""
    asked = WHO_LEADS.match(question.text)
    thing = label_words(asked["thing"]) if asked is not None else frozenset[str]()
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units if thing else ()):
        if unit.unit.role is Role.ROW and (span := _leader(unit.unit.text, thing)) is not None:
            found.setdefault(unit.unit.text[slice(*span)], UnitSpan(place, *span))
    return RuleAnswer(*(next((name, (span,)) for name, span in found.items())), SURE_CHANCE, "name") if len(found) == 1 else None


def _leader(row: str, thing: frozenset[str]) -> tuple[int, int] | None:
    """Return [start:end] of the name in a row with one cell that says to lead the thing and nothing else."""
    places = cell_places(row)
    names = [span for span in places if is_name(row[slice(*span)])]
    offices = [span for span in places if thing < (words := label_words(row[slice(*span)].split(",", maxsplit=1)[0])) and words - thing <= LEADERS]
    return _bare(row, names[0]) if names and len(offices) == 1 and names[0] != offices[0] else None


def _bare(row: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    text = row[start:end]
    return start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())


def office_holder(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the name in the only row whose cell is the office that is asked for, at the place that is named; None where no row or several say so."""
    asked = _QUESTION_PATTERN.match(question.text)
    office = label_words(asked["office"]) if asked is not None else frozenset[str]()
    if asked is None or not office:
        return None
    head = label_words(asked["office"].split()[-1])
    wanted = office | label_words(asked["place"] or "")
    numbers = set(re.findall(r"\d+", question.text))
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        if (
            unit.unit.role is Role.ROW
            and numbers <= set(re.findall(r"\d+", unit.unit.text))
            and (span := _holder(unit.unit.text, head, wanted)) is not None
        ):
            found.setdefault(unit.unit.text[slice(*span)], UnitSpan(place, *span))
    if len(found) != 1:
        return None
    name, where = next(iter(found.items()))
    return RuleAnswer(name, (where,), SURE_CHANCE, "name")


def signing_holder(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the name on the line above the office that is asked for, as letters are signed ("Nancy Holm", "Chief Pilot"), in a document that speaks
    of the place that is named; None where no such lines stand there, or several names do."""
    asked = _QUESTION_PATTERN.match(question.text)
    office = label_words(asked["office"]) if asked is not None else frozenset[str]()
    if asked is None or len(office) < _LEAST_OFFICE_WORDS:
        return None
    place = label_words(asked["place"] or "")
    found: dict[str, UnitSpan] = {}
    for at, (above, below) in enumerate(pairwise(units)):
        signs = above.unit.source == below.unit.source and Role.ROW not in {above.unit.role, below.unit.role} and _is_signature(above.unit.text)
        if signs and label_words(below.unit.text.split(",", maxsplit=1)[0]) == office and speaks_of(place, above, units):
            found.setdefault(above.unit.text, UnitSpan(at, 0, len(above.unit.text)))
    return RuleAnswer(*(next((name, (span,)) for name, span in found.items())), SURE_CHANCE, "name") if len(found) == 1 else None


def _is_signature(line: str) -> bool:
    """Return whether a line is a person's name and nothing else."""
    words = line.split()
    return 2 <= len(words) <= _LONGEST_NAME and all(word[0].isupper() and (word[-1].isalpha() or len(word) == 2) for word in words)


def _holder(row: str, head: frozenset[str], wanted: frozenset[str]) -> tuple[int, int] | None:
    """Return [start:end] of the name in a row, where one of its cells is the office and all that is wanted stands in the row."""
    places = cell_places(row)
    names = [span for span in places if is_name(row[slice(*span)])]
    offices = [span for span in places if _is_office(row[slice(*span)], head, wanted)]
    if not names or len(offices) != 1 or names[0] == offices[0] or not wanted <= label_words(row):
        return None
    return _bare(row, names[0])


def _is_office(cell: str, head: frozenset[str], wanted: frozenset[str]) -> bool:
    """Return whether a cell up to its first comma is of that kind, and says nothing that is not asked for."""
    words = label_words(cell.split(",", maxsplit=1)[0])
    return bool(head) and head <= words <= wanted
