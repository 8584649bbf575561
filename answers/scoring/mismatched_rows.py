"""Rows that are not meant: those of another year's table, where two stand under "January–June 2023" and "January–June 2022", the totals of groups,
which say nothing of whom they are, and the other rows of a table of which the question names one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from answers.scoring.unit_scores import ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import find_row_name
from core.language.content_words import stems

_TOTAL = re.compile(r"[\s|]*(?:sub-?\s?totals?|totals?|sums?|summe|gesamt|zwischensumme)\s*(?:\||\t|:)", re.IGNORECASE)
_ASKS_FOR_TOTAL = re.compile(r"\b(?:sub-?)?totals?\b|\b(?:sum|altogether|overall|in\s+all|insgesamt|summe|gesamt\w*)\b", re.IGNORECASE)
_LEAST_TOTALS = 2  # total rows of one table: each is of a part of it
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def mark_other_rows(question: str, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the units, with the rows of tables whose caption names only other years than the question, totals of groups where no total is asked for,
    and rows beside one that the question names, marked as those of another."""
    asked = frozenset(_YEAR.findall(question))
    others = {place for years, rows in _tables(units) if years and asked and years.isdisjoint(asked) for place in rows}
    if _ASKS_FOR_TOTAL.search(question) is None:
        for _, rows in _tables(units):
            totals = [place for place in rows if _TOTAL.match(units[place].unit.text)]
            others.update(totals if len(totals) >= _LEAST_TOTALS else ())
    others |= _rows_of_other_names(question, units)
    return [replace(unit, is_for_another=True) if place in others else unit for place, unit in enumerate(units)]


def _rows_of_other_names(question: str, units: Sequence[ScoredUnit]) -> set[int]:
    """Return the places of the rows beside those whose whole name the question says ("Kentucky", of all states): of whom they are is no guess. Rows
    that hold the name elsewhere are no others ("manager: Ada Holm"), nor are those without one of their own, which go on with the row above; and
    where the question names half of the rows it names none."""
    asked = stems(question)
    tables: dict[tuple[str, tuple[int, int]], list[int]] = {}
    for place, unit in enumerate(units):
        if unit.unit.role is Role.ROW and unit.unit.header is not None:
            tables.setdefault((unit.document, unit.unit.header), []).append(place)
    return set().union(*(_rows_beside_named(asked, units, rows) for rows in tables.values()))


def _rows_beside_named(asked: frozenset[str], units: Sequence[ScoredUnit], rows: Sequence[int]) -> set[int]:
    called = {place: name for place in rows if (name := find_row_name(units[place].unit.text)) is not None}
    named = {name for name in called.values() if name.stems <= asked}
    held = {place for place in rows if any(name.stems <= stems(units[place].unit.text) for name in named)}
    columns = {name.column for name in named}
    is_clear = 0 < 2 * len(held) < len(rows)
    return {place for place, name in called.items() if place not in held and name.column in columns} if is_clear else set()


def _tables(units: Sequence[ScoredUnit]) -> Iterator[tuple[frozenset[str], list[int]]]:
    """Yield the years that each table's caption names, and the places of its rows."""
    for place, header in enumerate(units):
        if header.unit.role is not Role.HEADER:
            continue
        above = units[place - 1].unit if place else None
        caption = above.text if above is not None and above.source == header.unit.source and above.role is not Role.ROW else header.unit.lead_in
        rows = place + 1
        while rows < len(units) and units[rows].unit.role is Role.ROW and units[rows].unit.source == header.unit.source:
            rows += 1
        yield frozenset(_YEAR.findall(caption)), list(range(place + 1, rows))
