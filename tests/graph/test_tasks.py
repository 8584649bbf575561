"""Aristotle and Thoth as nodes over fake ports: what they write, cite and say, and what they do where there is nothing to do."""

from __future__ import annotations

from typing import Any, cast

import pytest

from agents.query_classifier import Classified, apply_rules
from core.exchange import SearchRequest
from core.search import Filters, Query, RetrievalRequest
from orchestration.adapter import Done, Tools
from orchestration.events import RunRecord
from orchestration.nodes.tasks import analyze, summarize
from orchestration.state import ModelState, State
from tests.support.ports import FakeLibrary, make_dependencies, make_document


def offers() -> FakeLibrary:
    alder = make_document(
        "alder", "/library/offers/Alder offer.pdf", "Offer of Alder Trucks",
        [("Warranty", "The trucks carry a warranty of 36 months or 5,000 operating hours, whichever comes first."),
         ("Delivery", "We deliver the trucks nine weeks after your order has arrived at our office.")],
    )  # fmt: skip
    birch = make_document(
        "birch", "/library/offers/Birch offer.txt", "Offer of Birch Lifts",
        [("Warranty", "The trucks have a warranty of 24 months or 3,000 operating hours, whichever comes first."),
         ("Training", "Training of four operators on your site is included in the price of the trucks.")],
    )  # fmt: skip
    return FakeLibrary([alder, birch])


async def run(question: str, library: FakeLibrary, filters: Filters | None = None) -> tuple[Done, Tools]:
    deps = make_dependencies(library)
    request = SearchRequest(query=question)
    record = RunRecord("run", "default", "ann", request, deps.now())
    tools = Tools(deps, record)
    ruling = apply_rules(question)
    found = Classified(intent=ruling.intent, confidence=1.0, rule=ruling.rule, search_text=question, filters=filters or Filters())
    asked = RetrievalRequest(text=question, strategy=deps.options.hybrid, filters=found.filters)
    state = cast(
        State,
        {
            "request": request,
            "query": Query(text=question),
            "model": ModelState(),
            "classification": found,
            "retrieval_request": asked,
            "retrieval": await deps.retriever.retrieve(asked),
        },
    )
    return await (summarize if ruling.rule == "summarisation" else analyze)(state, tools), tools


def check_quotes(writes: dict[str, Any], library: FakeLibrary) -> None:
    answer = writes["answer"]
    for citation in answer.citations:
        assert citation.quote == library.texts[citation.document_id].text[citation.start : citation.end]
    numbers = {citation.number for citation in answer.citations}
    assert all(sentence.citations and set(sentence.citations) <= numbers for sentence in answer.sentences)


async def test_a_comparison_has_a_cited_cell_for_each_side() -> None:
    library = offers()
    done, tools = await run("Alder vs Birch: warranty, training", library)
    comparison = done.writes["comparison"]
    assert [side.document_id for side in comparison.sides] == ["alder", "birch"]
    assert [row.attribute for row in comparison.rows] == ["Warranty", "Training"]
    assert [[cell.found for cell in row.cells] for row in comparison.rows] == [[True, True], [False, True]]
    assert [row.differs for row in comparison.rows] == [True, None]
    check_quotes(done.writes, library)
    cited = {citation.number: citation for citation in done.writes["answer"].citations}
    for row in comparison.rows:
        for side, cell in zip(comparison.sides, row.cells, strict=True):
            assert all(cited[number].document_id == side.document_id for number in cell.citations)
    assert "Alder says nothing of “Training”." in comparison.note
    assert "".join(tools.run.written) == done.writes["answer"].text
    assert {result.id for result in done.writes["results"]} == {"alder", "birch"}
    assert [passage.document_id for passage in done.writes["passages"]]


async def test_sides_that_nobody_knows_are_searched_like_any_question() -> None:
    done, _ = await run("zebras vs giraffes", offers())
    assert "comparison" not in done.writes
    assert "answered as it stands" in done.details
    assert not done.writes["answer"].found


async def test_what_is_given_is_compared_whatever_its_name() -> None:
    done, _ = await run("compare them: warranty", offers(), Filters(document_ids=["birch", "alder"]))
    assert [side.document_id for side in done.writes["comparison"].sides] == ["birch", "alder"]


async def test_other_tenants_have_no_sides() -> None:
    library = offers()
    library.tenant = "somebody else"
    done, _ = await run("Alder vs Birch: warranty", library)
    assert "comparison" not in done.writes


@pytest.mark.parametrize("question", ["Summarise the offer of Alder in one sentence", "summarise the offers"])
async def test_a_summary_is_quoted_and_cited(question: str) -> None:
    library = offers()
    done, tools = await run(question, library)
    answer = done.writes["answer"]
    check_quotes(done.writes, library)
    assert done.writes["summary"] == answer.text == "".join(tools.run.written)
    documents = list(dict.fromkeys(citation.document_id for citation in answer.citations))
    assert documents == (["alder"] if "one" in question else documents)
    assert len(answer.sentences) == 1 if "one" in question else len(documents) == 2


async def test_an_empty_library_has_nothing_to_sum_up() -> None:
    done, _ = await run("summarise everything", FakeLibrary([]))
    assert "summary" not in done.writes
    assert "No text to sum up" in done.details
