"""Units that are quoted: one number for a span, the row that names the columns beside a row that needs it, and the passage around."""

from __future__ import annotations

from agents.sources.quotable_units import ChosenUnit, QuotableUnit
from agents.sources.source_documents import SourceDocuments
from agents.sources.unit_citations import UnitCitations
from core.answers import AnswerSentence
from core.ports import DocumentContent
from core.search import RetrievalRequest
from tests.support.graphs import make_paragraphs
from tests.support.ports import FakeLibrary, make_dependencies, make_document

ROW, TOTAL, SENTENCE = "Truck | 2 | 68,500", "Total | | 71,580", "The trucks have a warranty of 24 months."
TEXT = make_paragraphs("# Prices", f"Item | Quantity | Amount\n{ROW}\n{TOTAL}", SENTENCE)


async def opened() -> tuple[SourceDocuments, UnitCitations, dict[str, QuotableUnit]]:
    """A library of one offer, opened; the units of the offer by their text."""
    document, _ = make_document("offer", "/library/offer.txt", "Offer", [])
    library = FakeLibrary([(document, DocumentContent("offer", 7, TEXT.text, TEXT))])
    deps = make_dependencies(library)
    sources = SourceDocuments(library, deps.retriever, RetrievalRequest(text="price", strategy=deps.options.hybrid), deps.options.hybrid)
    await sources.open("offer")
    return sources, UnitCitations(sources, {"offer": document}), {unit.text: unit for unit in sources.units["offer"]}


async def test_a_row_that_needs_its_header_cites_it_too() -> None:
    _, citations, units = await opened()
    assert citations.cite(ChosenUnit("offer", units[ROW])) == [1, 2]
    assert citations.cite(ChosenUnit("offer", units[TOTAL])) == [3]
    assert citations.cite(ChosenUnit("offer", units[ROW])) == [1, 2]
    answer = citations.build_answer([]).answer
    assert [each.quote for each in answer.citations] == [ROW, "Item | Quantity | Amount", TOTAL]
    assert {(each.filename, each.generation) for each in answer.citations} == {("offer.txt", 7)}


async def test_the_passage_is_the_block_where_no_chunk_is_known() -> None:
    _, citations, units = await opened()
    numbers = citations.cite(ChosenUnit("offer", units[SENTENCE], strength=1.3))
    sentence = AnswerSentence(text=SENTENCE, citations=numbers, support="quoted", score=1.0)
    answer, [passage] = citations.build_answer([sentence], ["A note."])
    assert (answer.text, answer.notes) == (f"{SENTENCE} [1]", ["A note."])
    assert (passage.content, passage.chunks, passage.anchor_score) == (SENTENCE, [], 1.0)
    assert list(passage.stages) == ["read"]


async def test_the_passage_is_the_chunk_that_a_search_looked_up() -> None:
    sources, citations, units = await opened()
    found = await sources.search("Prices")
    [span] = await sources.found_spans(found, "offer")
    citations.cite(ChosenUnit("offer", units[TOTAL]))
    [passage] = citations.build_answer([]).passages
    assert (passage.start, passage.end, passage.chunks) == (*span, [found.candidates[0].chunk_id])


async def test_a_document_that_is_gone_is_not_opened() -> None:
    sources, _, _ = await opened()
    assert await sources.open("gone") is None
    assert list(sources.contents) == ["offer"]
