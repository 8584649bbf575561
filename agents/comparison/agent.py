"""The whole of a comparison, from the question to the table and the answer that quotes it."""

from __future__ import annotations

from dataclasses import dataclass

from agents.comparison.cell_selection import fill_row
from agents.comparison.comparison_request import parse_comparison
from agents.comparison.comparison_table import comparison_table, sets_side_by_side
from agents.comparison.extreme_sides import extreme_sides, lead_with, parse_superlative
from agents.comparison.side_sources import find_sources
from agents.sources.source_documents import SourceDocuments
from agents.sources.unit_citations import QuotedAnswer, UnitCitations
from core.insights import Comparison
from core.search import Retrieval


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
    rows = [fill_row(attribute, sources.sides, sources.texts) for attribute in sources.attributes]
    extreme = extreme_sides(request, rows[0]) if request.superlative else None
    if not sets_side_by_side(sources.sides, rows) or (request.superlative and request.group and extreme is None):
        return None
    cited = [cell.document_id for cells in rows for cell in cells if cell is not None]
    citations = UnitCitations(documents, await documents.find_named(list(dict.fromkeys(cited))))
    table, sentences = comparison_table(sources.sides, sources.attributes, rows, citations)
    quoted = citations.build_answer(sentences, [table.note] if table.note else [])
    return ComparisonAnswer(table, quoted if extreme is None else lead_with(extreme, [side.name for side in sources.sides], quoted))
