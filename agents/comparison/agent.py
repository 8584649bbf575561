"""The whole of a comparison, from the question to the table and the answer that quotes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.comparison.cell_selection import fill_row
from agents.comparison.comparison_request import parse_comparison
from agents.comparison.comparison_table import CellRow, comparison_table, sets_side_by_side
from agents.comparison.extreme_sides import extreme_sides, lead_with, parse_superlative
from agents.comparison.side_sources import ComparisonSources, find_sources
from agents.sources.source_documents import SourceDocuments
from agents.sources.unit_citations import QuotedAnswer, UnitCitations
from core.documents import Document
from core.insights import Comparison
from core.search import Retrieval

_FOUND_ALONE = "The library is large: only documents that the search found were compared."
_GONE = "A document was removed while the question was answered: what it says is left out."


@dataclass(frozen=True, slots=True)
class ComparisonAnswer:
    """The table, and the answer whose citations its cells name."""

    table: Comparison
    quoted_answer: QuotedAnswer


async def compare(question: str, retrieval: Retrieval, *, documents: SourceDocuments) -> ComparisonAnswer | None:
    """Compare what the question names; None where it names no two sides that the library knows. `retrieval` is what the question's own search
    found."""
    request = parse_superlative(question) or parse_comparison(question)
    sources = await find_sources(request, retrieval, documents=documents)
    if sources is None:
        return None
    rows: list[CellRow] = [fill_row(attribute, sources.sides, sources.texts) for attribute in sources.attributes]
    rows, known, gone = await _drop_removed(rows, documents)
    if not sources.names_attributes:
        sources, rows = _drop_lonely_rows(sources, rows)
    extreme = extreme_sides(request, rows[0]) if request.superlative else None
    if not sets_side_by_side(sources.sides, rows) or (request.asks_for_one and extreme is None):
        return None
    notes = [_FOUND_ALONE] * (request.asks_for_one and not documents.knows_all) + [_GONE] * gone
    told = _tell_rows(sources, rows, UnitCitations(documents, known), notes)
    if extreme is None:
        return told
    return replace(told, quoted_answer=lead_with(extreme, [side.name for side in sources.sides], told.quoted_answer))


def _drop_lonely_rows(sources: ComparisonSources, rows: Sequence[CellRow]) -> tuple[ComparisonSources, list[CellRow]]:
    """Return the rows that two sides and more have and that are not mostly told by rows above, where nobody asked for the others; all of them where
    none is left."""
    kept, told = list[int](), set[tuple[int, int]]()
    for place, cells in enumerate(rows):
        said = {(side, cell.unit.start) for side, cell in enumerate(cells) if cell is not None}
        if len(said) > 1 and 2 * len(said & told) <= len(said):
            kept.append(place)
            told |= said
    kept = kept or list(range(len(rows)))
    return replace(sources, attributes=[sources.attributes[place] for place in kept]), [rows[place] for place in kept]


async def _drop_removed(rows: Sequence[CellRow], documents: SourceDocuments) -> tuple[list[CellRow], dict[str, Document], bool]:
    """Return the rows without the cells of documents that were removed since they were opened, the documents of the others, and whether any was."""
    cited = list(dict.fromkeys(cell.document_id for cells in rows for cell in cells if cell is not None))
    known = await documents.find_named(cited)
    left: list[CellRow] = [[cell if cell is not None and cell.document_id in known else None for cell in cells] for cells in rows]
    return left, known, len(known) < len(cited)


def _tell_rows(sources: ComparisonSources, rows: Sequence[CellRow], citations: UnitCitations, notes: Sequence[str]) -> ComparisonAnswer:
    """Return the rows as a table, and as an answer with the table's note and these."""
    table, sentences = comparison_table(sources.sides, sources.attributes, rows, citations)
    return ComparisonAnswer(table, citations.build_answer(sentences, [each for each in (table.note, *notes) if each]))
