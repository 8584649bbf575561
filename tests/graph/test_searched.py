"""How many documents a question was asked of."""

from __future__ import annotations

import pytest

from core.search import Filters, RetrievalRequest, Strategy
from orchestration.nodes.respond_and_remember import EMPTY_LIBRARY_TEXT
from orchestration.search_scope import count_searched_documents
from tests.graph.test_zeus import ask
from tests.support.ports import FakeLibrary, make_dependencies, sample_library

HYBRID = Strategy(name="hybrid", lexical=0.4, dense=0.6, graph=0.0, time=0.0, min_score=0.3)


@pytest.mark.parametrize(
    ("filters", "asked"),
    [
        (Filters(), 3),
        (Filters(path_prefix="/library/legal"), 1),
        (Filters(file_types=[".docx", ".txt"]), 2),
        (Filters(document_ids=["gone"]), 0),
    ],
)
async def test_the_whole_library_is_counted_and_what_the_limits_leave_of_it(filters: Filters, asked: int) -> None:
    request = RetrievalRequest(text="roof", filters=filters, strategy=HYBRID)
    assert await count_searched_documents(request, "default", sample_library()) == {"asked": asked, "library": 3}


async def test_an_answer_says_of_how_many_documents_it_was_asked() -> None:
    answered, _ = await ask(make_dependencies(), "Who pays for the roof?")
    assert (answered.searched["asked"], answered.searched["library"]) == (3, 3)
    narrowed, _ = await ask(make_dependencies(), "Who pays for the roof?", filters=Filters(path_prefix="/library/legal"))
    assert (narrowed.searched["asked"], narrowed.searched["library"]) == (1, 3)


async def test_what_searched_nothing_counts_nothing() -> None:
    answered, _ = await ask(make_dependencies(), "How many documents are indexed?")
    assert answered.searched == {}


async def test_an_empty_library_says_that_it_is_empty() -> None:
    answered, _ = await ask(make_dependencies(FakeLibrary([])), "How much notice must we give?")
    assert answered.status == "not_found"
    assert answered.answer == answered.response_message == EMPTY_LIBRARY_TEXT
    elsewhere, _ = await ask(make_dependencies(), "Which penguin sails zeppelins?")
    assert elsewhere.status == "not_found"
    assert elsewhere.answer != EMPTY_LIBRARY_TEXT
