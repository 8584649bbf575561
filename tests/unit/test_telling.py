"""Telling a quoted answer in a model's words: the quotes as evidence, the length, and one numbering for words and table."""

from __future__ import annotations

import pytest

from agents.analysis import renumbered, task_of
from agents.summarization import Length, to_condense
from agents.summarization import task_of as summary_task
from core.answers import Answer, Citation, Evidence
from core.documents import BlockKind
from core.insights import Comparison, ComparisonCell, ComparisonRow, ComparisonSide
from orchestration.telling import quotes_as_evidence
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


def compared() -> Comparison:
    cells = [ComparisonCell(text="36 months", citations=[1], found=True), ComparisonCell(text="24 months", citations=[2, 3], found=True)]
    return Comparison(
        sides=[ComparisonSide(name="Alder"), ComparisonSide(name="Birch")],
        rows=[ComparisonRow(attribute="Warranty", cells=cells, differs=True), ComparisonRow(attribute="", cells=[ComparisonCell()] * 2)],
    )


def test_the_tables_numbers_follow_those_of_the_words() -> None:
    table = [citation(1, 0, 9), citation(2, 20, 29, "birch"), citation(3, 40, 49, "birch")]
    words = Answer(text="x", citations=[citation(1, 20, 29, "birch"), citation(2, 0, 5)])
    comparison, answer = renumbered(compared(), table, words)
    assert [(each.number, each.document_id, each.start, each.end) for each in answer.citations] == [
        (1, "birch", 20, 29), (2, "mill", 0, 5), (3, "mill", 0, 9), (4, "birch", 40, 49)
    ]  # fmt: skip
    assert [cell.citations for cell in comparison.rows[0].cells] == [[3], [1, 4]]
    assert renumbered(compared(), table, Answer(text="x", citations=table)) == (compared(), Answer(text="x", citations=table))


def test_the_task_names_the_passages_of_each_side() -> None:
    assert task_of("Alder or Birch?", compared()) == (
        "Alder or Birch?\nSides: Alder, Birch.\nAttributes, with the passages of each side:\n"
        "- Warranty (they differ): Alder: passage 1; Birch: passage 2 and 3\n- what is said of them: Alder: nothing found; Birch: nothing found"
    )


@pytest.mark.parametrize(
    ("length", "read"),
    [(Length(120), Length(360)), (Length(45, 1), Length(135)), (Length(300), Length(600)), (Length(600), Length(600))],
)
def test_a_model_reads_more_than_it_writes(length: Length, read: Length) -> None:
    assert to_condense(length) == read


def test_the_task_names_the_length_and_several_documents() -> None:
    assert summary_task("q", Length(90, 2), 1) == "q\nLength: at most 90 words, in 2 sentences."
    assert summary_task("q", Length(120), 3) == "q\nLength: at most 120 words.\nDocuments: 3, a paragraph for each."
