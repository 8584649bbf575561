"""Figures of a table over its rows: how a column changes, where it is highest and lowest, what it adds up to. Arithmetic over cited cells alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from agents.statements import Statement, stems

_FIGURE = re.compile(r"^[^\w\s-]{0,2}\s?(?P<number>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s?(?:%|[A-Za-z£$€]{1,3})?$")
_TOTAL = re.compile(r"^\W*(?:grand\s+|sub)?(?:total|sum|together|all)\b", re.IGNORECASE)
_LEAST, _MOST = 3, 400  # rows of a series
_COLUMNS = 3
_ADDED = 24  # rows that a person can check a sum over
_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Series:
    """One column of a table, the `place`th: for each row its label, its figure and the row as it stands."""

    name: str
    place: int
    labels: tuple[str, ...]
    values: tuple[Decimal, ...]
    rows: tuple[Statement, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence about a series with the rows that it rests on; `computed` says that its figure stands in no cell."""

    text: str
    rows: tuple[Statement, ...]
    computed: bool


def series_of(question: str, statements: Sequence[Statement]) -> list[Series]:
    """Columns of figures that the question's words name, by column and by what stands above the table, the best first; [] for none."""
    wanted = stems(question)
    tables: dict[tuple[int, int], list[Statement]] = {}
    for statement in statements:
        if statement.header_span is not None:
            tables.setdefault(statement.header_span, []).append(statement)
    found = [series for rows in tables.values() for series in _columns(wanted, rows[:_MOST])]
    best = max((series.share for series in found), default=0.0)
    return sorted((series for series in found if series.share >= _ENOUGH and series.share == best), key=lambda series: -series.share)[:_COLUMNS]


def _columns(wanted: frozenset[str], rows: Sequence[Statement]) -> list[Series]:
    found = []
    for place, name in enumerate(rows[0].header):
        picked = [(row, figure) for row in rows if len(row.cells) > place and (figure := _figure(row.cells[place])) is not None]
        picked = [(row, figure) for row, figure in picked if row.cells[0] and not _TOTAL.match(row.cells[0])]
        named = stems(name)
        if place == 0 or len(picked) < _LEAST or not named & wanted:
            continue
        share = len(named & wanted) / len(named) + 0.1 * len(wanted & stems(" ".join(rows[0].section)))
        kept, figures = [row for row, _ in picked], [figure for _, figure in picked]
        found.append(Series(name, place, tuple(row.cells[0] for row in kept), tuple(figures), tuple(kept), share))
    return found


def _figure(cell: str) -> Decimal | None:
    match = _FIGURE.match(cell.strip())
    try:
        return Decimal(match["number"].replace(",", "")) if match else None
    except InvalidOperation:
        return None


def findings_of(series: Series) -> list[Finding]:
    """From the first to the last row, the highest, the lowest, and the sum of few rows; what is computed says so."""
    first, last = series.values[0], series.values[-1]
    top, low = max(range(len(series.values)), key=series.values.__getitem__), min(range(len(series.values)), key=series.values.__getitem__)
    change = last - first
    way = "unchanged" if not change else f"{'up' if change > 0 else 'down'} {_shown(abs(change))}"
    percent = f" or {abs(change) / abs(first) * 100:.0f} per cent" if change and first else ""
    ends = f"from {_shown(first)} ({series.labels[0]}) to {_shown(last)} ({series.labels[-1]})"
    found = [Finding(f"{series.name} goes {ends}: {way}{percent} (computed from these cells).", (series.rows[0], series.rows[-1]), computed=True)]
    if series.values[top] != series.values[low]:
        found += [
            Finding(f"Highest is {series.labels[top]} with {_shown(series.values[top])}.", (series.rows[top],), computed=False),
            Finding(f"Lowest is {series.labels[low]} with {_shown(series.values[low])}.", (series.rows[low],), computed=False),
        ]
    if len(series.values) <= _ADDED and not any("%" in row.cells[series.place] for row in series.rows):
        total = sum(series.values, Decimal(0))
        said = f"The {len(series.values)} rows add up to {_shown(total)} (computed from the cells of all these rows)."
        found.append(Finding(said, series.rows, computed=True))
    return found


def _shown(value: Decimal) -> str:
    whole = value == value.to_integral_value()
    return f"{int(value):,}" if whole else f"{value.normalize():,f}"
