"""The quotes of an answer as evidence for the model that rewrites it."""

from __future__ import annotations

import pytest

from core.answers import Citation, Evidence
from core.documents import BlockKind
from orchestration.rewrite_with_model import quotes_as_evidence
from tests.support.evidence import evidence

TEXT = "The mill was sold in 2021. It stands by the river."
WHOLE = evidence(TEXT, document="mill", start=100, blocks=[(BlockKind.PARAGRAPH, 0, len(TEXT))])


def citation(number: int, start: int, end: int, document: str = "mill") -> Citation:
    return Citation(
        number=number, document_id=document, generation=7, filename=f"{document}.txt", page=4, start=start, end=end, quote="", section=["Sale"]
    )


def test_a_quote_is_a_passage_of_its_own_in_its_block() -> None:
    [found] = quotes_as_evidence([citation(1, 127, 150)], [WHOLE])
    assert (found.passage.content, found.passage.start, found.passage.end) == ("It stands by the river.", 127, 150)
    assert (found.passage.page, found.passage.section) == (4, ["Sale"])
    assert [(block.start, block.end) for block in found.blocks] == [(127, 150)]


@pytest.mark.parametrize("lost", [citation(1, 127, 151), citation(1, 99, 120), citation(1, 127, 150, "other")])
def test_a_quote_whose_passage_is_gone_is_left_out(lost: Citation) -> None:
    assert quotes_as_evidence([lost], [WHOLE]) == []
    assert quotes_as_evidence([lost], []) == []


def test_the_narrowest_passage_lends_its_title() -> None:
    narrow = WHOLE.model_copy(update={"title": "narrow", "passage": WHOLE.passage.model_copy(update={"content": TEXT[27:], "start": 127})})
    found: list[Evidence] = quotes_as_evidence([citation(1, 127, 150)], [WHOLE, narrow])
    assert [(each.title, each.passage.content) for each in found] == [("narrow", "It stands by the river.")]
