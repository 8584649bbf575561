"""A comparison in a model's words: its task, and one numbering for words and table."""

from __future__ import annotations

from agents.comparison.model_wording import merge_citations, task_of
from core.answers import Answer, Citation
from core.insights import Comparison, ComparisonCell, ComparisonRow, ComparisonSide


def citation(number: int, start: int, end: int, document: str = "mill") -> Citation:
    return Citation(number=number, document_id=document, generation=7, filename=f"{document}.txt", page=4, start=start, end=end, quote="")


def compared() -> Comparison:
    cells = [ComparisonCell(text="36 months", citations=[1], found=True), ComparisonCell(text="24 months", citations=[2, 3], found=True)]
    return Comparison(
        sides=[ComparisonSide(name="Alder"), ComparisonSide(name="Birch")],
        rows=[ComparisonRow(attribute="Warranty", cells=cells, differs=True), ComparisonRow(attribute="", cells=[ComparisonCell()] * 2)],
    )


def test_the_tables_numbers_follow_those_of_the_words() -> None:
    table = [citation(1, 0, 9), citation(2, 20, 29, "birch"), citation(3, 40, 49, "birch")]
    words = Answer(text="x", citations=[citation(1, 20, 29, "birch"), citation(2, 0, 5)])
    comparison, answer = merge_citations(compared(), table, words)
    assert [(each.number, each.document_id, each.start, each.end) for each in answer.citations] == [
        (1, "birch", 20, 29), (2, "mill", 0, 5), (3, "mill", 0, 9), (4, "birch", 40, 49)
    ]  # fmt: skip
    assert [cell.citations for cell in comparison.rows[0].cells] == [[3], [1, 4]]
    assert merge_citations(compared(), table, Answer(text="x", citations=table)) == (compared(), Answer(text="x", citations=table))


def test_the_task_names_the_passages_of_each_side() -> None:
    assert task_of("Alder or Birch?", compared()) == (
        "Alder or Birch?\nSides: Alder, Birch.\nAttributes, with the passages of each side:\n"
        "- Warranty (they differ): Alder: passage 1; Birch: passage 2 and 3\n- what is said of them: Alder: nothing found; Birch: nothing found"
    )
