"""How figures develop over the rows of a table: from first to last, highest, lowest, and the sum. Arithmetic over cited cells alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from agents.sources.quotable_units import ChosenUnit, QuotableUnit
from agents.sources.source_documents import SourceDocuments, ids_of
from agents.sources.unit_citations import QuotedAnswer, UnitCitations
from core.answers import AnswerSentence
from core.documents import Document
from core.language.content_words import stems
from core.language.numbers import parse_digits
from core.search import Retrieval

_FIGURE = re.compile(r"^[^\w\s-]{0,2}\s?(?P<number>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s?(?:%|[A-Za-z£$€]{1,3})?$")
_TOTAL = re.compile(r"^\W*(?:grand\s+|sub)?(?:total|sum|together|all)\b", re.IGNORECASE)
_LEAST_ROWS, _MOST_ROWS = 3, 400
_MOST_COLUMNS = 3
_MOST_DOCUMENTS = 6  # of the search's first are read
_MOST_ADDED = 24  # rows that a person can check a sum over
_LEAST_SHARE = 0.5  # of a column's words in the question


@dataclass(frozen=True, slots=True)
class Series:
    """One column of a table, the `place`th: for each row its label, its figure and the row as it stands."""

    name: str
    place: int
    labels: tuple[str, ...]
    values: tuple[Decimal, ...]
    rows: tuple[QuotableUnit, ...]
    share: float


@dataclass(frozen=True, slots=True)
class TrendFinding:
    """A sentence about a series with the rows that it rests on; `is_computed` says that its figure stands in no cell."""

    text: str
    rows: tuple[QuotableUnit, ...]
    is_computed: bool


@dataclass(frozen=True, slots=True)
class Trend:
    """The columns of one document that the question names, and what is found in them as an answer."""

    document: Document
    series: list[Series]
    quoted_answer: QuotedAnswer


async def find_trend(question: str, retrieval: Retrieval, *, documents: SourceDocuments) -> Trend | None:
    """Return the first document of `retrieval` whose table has a column of figures that the question names; None where none has."""
    likely, _ = await documents.find_likely(retrieval)
    found = ids_of(retrieval)[:_MOST_DOCUMENTS]
    for document in (each for each in likely if each.id in found):
        await documents.open(document.id)
        series = await asyncio.to_thread(series_of, question, documents.units.get(document.id, []))
        if series:
            return Trend(document, series, trend_answer(document, series, UnitCitations(documents, {document.id: document})))
    return None


def trend_answer(document: Document, series: Sequence[Series], citations: UnitCitations) -> QuotedAnswer:
    """Return a paragraph for each column. Its sentences cite their rows and the row that names the columns."""
    sentences = []
    for paragraph, column in enumerate(series):
        header = citations.cite(ChosenUnit(document.id, column.rows[0]))[1:]
        for finding in findings_of(column):
            rows = [citations.cite(ChosenUnit(document.id, row))[0] for row in finding.rows]
            sentences.append(
                AnswerSentence(
                    text=finding.text,
                    citations=list(dict.fromkeys([*rows, *header])),
                    support="supported" if finding.is_computed else "quoted",
                    score=1.0,
                    paragraph=paragraph,
                )
            )
    return citations.build_answer(sentences, ["What is called computed was worked out from the cited cells; every other figure stands in its cell."])


def series_of(question: str, units: Sequence[QuotableUnit]) -> list[Series]:
    """Find columns of figures that the question's words name, by column and by what stands above the table, the best first; [] for none."""
    wanted = stems(question)
    tables: dict[tuple[int, int], list[QuotableUnit]] = {}
    for unit in units:
        if unit.header_span is not None:
            tables.setdefault(unit.header_span, []).append(unit)
    found = [series for rows in tables.values() for series in _columns(wanted, rows[:_MOST_ROWS])]
    best = max((series.share for series in found), default=0.0)
    return sorted((series for series in found if series.share >= _LEAST_SHARE and series.share == best), key=lambda series: -series.share)[
        :_MOST_COLUMNS
    ]


def _columns(wanted: frozenset[str], rows: Sequence[QuotableUnit]) -> list[Series]:
    found = []
    for place, name in enumerate(rows[0].header):
        picked = [(row, figure) for row in rows if len(row.cells) > place and (figure := _figure(row.cells[place])) is not None]
        picked = [(row, figure) for row, figure in picked if row.cells[0] and not _TOTAL.match(row.cells[0])]
        named = stems(name)
        if place == 0 or len(picked) < _LEAST_ROWS or not named & wanted:
            continue
        share = len(named & wanted) / len(named) + 0.1 * len(wanted & stems(" ".join(rows[0].section)))
        kept, figures = [row for row, _ in picked], [figure for _, figure in picked]
        found.append(Series(name, place, tuple(row.cells[0] for row in kept), tuple(figures), tuple(kept), share))
    return found


def _figure(cell: str) -> Decimal | None:
    match = _FIGURE.match(cell.strip())
    return parse_digits(match["number"], english=True) if match else None


def findings_of(series: Series) -> list[TrendFinding]:
    """Describe a series: from the first to the last row, the highest, the lowest, and the sum of few rows; what is computed says so."""
    first, last = series.values[0], series.values[-1]
    top, low = max(range(len(series.values)), key=series.values.__getitem__), min(range(len(series.values)), key=series.values.__getitem__)
    change = last - first
    way = "unchanged" if not change else f"{'up' if change > 0 else 'down'} {_format_figure(abs(change))}"
    percent = f" or {abs(change) / abs(first) * 100:.0f} per cent" if change and first else ""
    ends = f"from {_format_figure(first)} ({series.labels[0]}) to {_format_figure(last)} ({series.labels[-1]})"
    found = [
        TrendFinding(f"{series.name} goes {ends}: {way}{percent} (computed from these cells).", (series.rows[0], series.rows[-1]), is_computed=True)
    ]
    if series.values[top] != series.values[low]:
        found += [
            TrendFinding(f"Highest is {series.labels[top]} with {_format_figure(series.values[top])}.", (series.rows[top],), is_computed=False),
            TrendFinding(f"Lowest is {series.labels[low]} with {_format_figure(series.values[low])}.", (series.rows[low],), is_computed=False),
        ]
    if len(series.values) <= _MOST_ADDED and not any("%" in row.cells[series.place] for row in series.rows):
        total = sum(series.values, Decimal(0))
        said = f"The {len(series.values)} rows add up to {_format_figure(total)} (computed from the cells of all these rows)."
        found.append(TrendFinding(said, series.rows, is_computed=True))
    return found


def _format_figure(value: Decimal) -> str:
    whole = value == value.to_integral_value()
    return f"{int(value):,}" if whole else f"{value.normalize():,f}"
