"""The approver of an amount: the row of a table of limits whose limit is the smallest that covers it.

"Who may approve an order of £50,000?" over "Operations Director | £40,000", "Finance Director | £100,000" -> the Finance Director
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role, Span
from answers.units.row_wording import cell_places
from core.language.numbers import SCALE, find_power, parse_digits

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:and\s+)?(?:who|whom|whose)\b.*?\b(?:approv\w+|authori[sz]\w+|sign(?:s|ed)?\s+off|decid\w+|releas\w+|allow\w*|permi\w+|order|spend|buy)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(rf"(?<![\w.,])[£€$]?\s?(?P<number>\d[\d,.]*\d)\s?(?P<scale>{SCALE})?(?!\w)(?!\s*(?:%|per\s+cent))", re.IGNORECASE)
_IS_LIMIT = re.compile(r"\b(?:limits?|up\s+to|maximum|max|ceiling|threshold|authority|approv\w+|bis\s+zu|höchst\w*|grenze)\b", re.IGNORECASE)
_UNBOUNDED = re.compile(r"\b(?:above|over|more\s+than|unlimited|no\s+limit|any\s+amount|über|mehr\s+als)\b", re.IGNORECASE)
_MORE_THAN = re.compile(r"\b(?:above|over|more\s+than|exceeding|beyond|über|mehr\s+als)\s+[£€$]?\s?$", re.IGNORECASE)
_LEAST_ROWS, _LEAST_AMOUNT = 3, 100


def approver(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the first cell of the row whose limit is the smallest that covers the amount; of an amount above all limits the row that says "above".
    None without a table of limits, or where two rows cover it alike."""
    said = list(_AMOUNT.finditer(question.text)) if _QUESTION_PATTERN.match(question.text) else []
    if len(said) != 1 or (amount := _amount(said[0])) < _LEAST_AMOUNT:
        return None
    is_more = _MORE_THAN.search(question.text[: said[0].start("number")]) is not None  # a limit of just that does not cover it
    found = []
    for rows in limit_tables(units).values():
        covering = sorted((row for row in rows if row[0] > amount or (row[0] == amount and not is_more)), key=lambda row: row[0])
        if len(covering) == 1 or (len(covering) > 1 and covering[0][0] < covering[1][0]):
            found.append(covering[0][1])
    if len(found) != 1:
        return None
    (span,) = found
    return RuleAnswer(units[span.unit].unit.text[span.start : span.end], (span,), SURE_CHANCE, "cell")


def limit_tables(units: Sequence[ScoredUnit]) -> dict[tuple[int, Span], list[tuple[float, UnitSpan]]]:
    """Return the tables of limits, by their header's place: for each of at least _LEAST_ROWS rows the limit and the first cell."""
    tables: dict[tuple[int, Span], list[tuple[float, UnitSpan]]] = {}
    for place, unit in enumerate(units):
        limit = _limit(unit) if unit.unit.role is Role.ROW and unit.unit.header is not None else None
        if limit is not None and unit.unit.header is not None:
            tables.setdefault((unit.unit.source, unit.unit.header), []).append((limit, UnitSpan(place, *_first_cell(unit.unit.text))))
    return {header: rows for header, rows in tables.items() if len(rows) >= _LEAST_ROWS and _is_of_limits(header, units)}


def _is_of_limits(header: tuple[int, Span], units: Sequence[ScoredUnit]) -> bool:
    source, (start, _) = header
    about = " ".join(unit.unit.text for unit in units if unit.unit.source == source and unit.unit.start == start)
    return _IS_LIMIT.search(about) is not None


def _amount(match: re.Match[str]) -> float:
    return float((parse_digits(match["number"]) or Decimal(0)).scaleb(find_power(match["scale"] or "")))


def _first_cell(row: str) -> tuple[int, int]:
    start, end = cell_places(row)[0]
    return start, end - (len(row[start:end]) - len(row[start:end].rstrip()))


def _limit(unit: ScoredUnit) -> float | None:
    """Return the only amount in a row, infinite where it is a lower bound; None for a row with none or several."""
    row = unit.unit.text
    cells = [row[slice(*place)] for place in cell_places(row)[1:]]
    amounts = [(cell, match) for cell in cells for match in _AMOUNT.finditer(cell)]
    if len(amounts) != 1:
        return None
    cell, match = amounts[0]
    return math.inf if _UNBOUNDED.search(cell[: match.start()]) else _amount(match)
