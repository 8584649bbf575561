"""Rows of a short table whose column is what the question asks for, all of them: whom to "call", by the column "call"; the "limits", by columns of
what is at most, at least, above or below; "which types", by a first column "Type". Configurations in JSON and YAML have such tables, and no sentence
that says it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.named_lists import MOST_MEMBERS
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.language.content_words import stems

_WHOM = re.compile(
    r"\b(?:who|whom)\s+(?:to|(?:do|should|must|shall|can|would)\s+(?:we|i|you|one|they)|(?:is|has|have|needs?|ought)\s+to\s+be|gets?|are|is|will\s+be|must\s+be|should\s+be)\s+"
    r"(?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_ASKS_FOR_ONE = re.compile(r"\b(?:first|second|third|fourth|last|next|1st|2nd|3rd|step|number|nobody|no\s+one)\b|\d", re.IGNORECASE)
_LIMITS = re.compile(r"\b(?:limits|thresholds|limit values|maxima|minima)\b", re.IGNORECASE)
_LIMIT_WORDS = frozenset({"limit", "max", "min", "maximum", "minimum", "above", "below", "threshold", "upper", "lower"})
_KINDS = re.compile(
    r"^\W*(?:(?:what|which|list|welche)\s+)?(?:(?:are|all|the|different|various|main|verschiedenen)\s+)*"
    r"(?P<kinds>types|kinds|sorts|categories|classes|forms|arten|typen|kategorien)\b",
    re.IGNORECASE,
)
_KIND_WORDS = stems("type kind sort category class form art typ kategorie")
_LEAST_WORD_SHARE = 0.3  # of the question's other words in the names of the document and in the table
_LEAST_SHARE_OF_KINDS = 0.5  # the same where kinds are asked for: nearly every library has a column "Type"


def asked_rows(question: Question, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the rows, in their order, of the only table that has the column, or those of them that the question names, which may be one; none where
    no table of what is asked about has the column, or several have."""
    asked = _WHOM.search(question.text) or _LIMITS.search(question.text) or _KINDS.match(question.text)
    if asked is None or _ASKS_FOR_ONE.search(question.text):
        return []
    others = stems(f"{question.text[: asked.start()]} {question.text[asked.end() :]}")
    found = _rows_of_kinds(others, units) if asked.re is _KINDS else _rows_by_column(stems(asked.groupdict().get("verb") or ""), others, units)
    return found[0] if len(found) == 1 and len(found[0]) <= MOST_MEMBERS else []


def _rows_by_column(verb: frozenset[str], others: frozenset[str], units: Sequence[ScoredUnit]) -> list[list[ScoredUnit]]:
    return [
        _named_rows(others - _table_words(header), rows)
        for header, rows in _tables(units)
        if _is_asked(_columns(header), verb) and _is_about(others, header, rows)
    ]


def _rows_of_kinds(others: frozenset[str], units: Sequence[ScoredUnit]) -> list[list[ScoredUnit]]:
    return [rows for header, rows in _tables(units) if _has_kinds(header, others) and _is_about(others, header, rows, _LEAST_SHARE_OF_KINDS)]


def _has_kinds(header: ScoredUnit, others: frozenset[str]) -> bool:
    """Return whether the first column says of what kind each row is: "Type", or "Type of scale" where scales are asked for; not "Art. no."."""
    words = [word for word in _columns(header)[0] if word not in {"of", "the", "von", "der"}]
    return bool(stems(" ".join(words)) & _KIND_WORDS) and all(stems(word) & (_KIND_WORDS | others) for word in words)


def _named_rows(others: frozenset[str], rows: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the rows that have one of the words; all where none has."""
    named = [row for row in rows if others & stems(row.unit.text)]
    return named or list(rows)


def _tables(units: Sequence[ScoredUnit]) -> list[tuple[ScoredUnit, list[ScoredUnit]]]:
    headers = {(unit.document, unit.unit.start): unit for unit in units if unit.unit.role is Role.HEADER}
    rows: dict[tuple[str, int], list[ScoredUnit]] = {}
    for unit in units:
        if unit.unit.role is Role.ROW and unit.unit.header is not None:
            rows.setdefault((unit.document, unit.unit.header[0]), []).append(unit)
    return [(headers[place], sorted(members, key=lambda unit: unit.unit.start)) for place, members in rows.items() if place in headers]


def _columns(header: ScoredUnit) -> list[list[str]]:
    """Return the words of each column's name."""
    return [[word.lower() for word in re.findall(r"[^\W\d_]+", cell)] for cell in re.split(r"\||\t", header.unit.text)]


def _is_asked(columns: Sequence[Sequence[str]], verb: frozenset[str]) -> bool:
    if verb:
        return any(len(column) == 1 and stems(column[0]) == verb for column in columns)
    return any(_LIMIT_WORDS & set(column) for column in columns)


def _is_about(others: frozenset[str], header: ScoredUnit, rows: Sequence[ScoredUnit], least: float = _LEAST_WORD_SHARE) -> bool:
    """Return whether the table, or the name of its document, is about what else the question says; a question of nothing else is about any."""
    held = _table_words(header).union(*(stems(row.unit.text) for row in rows))
    return len(others & held) >= least * len(others)


def _table_words(header: ScoredUnit) -> frozenset[str]:
    """Return the words of the columns and of the document's names."""
    return stems(f"{header.unit.text} {' '.join(header.names)}")
