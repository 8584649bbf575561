"""A comparison in a model's words: what the model is asked, and one numbering for its citations and those of the table."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Answer, Citation
from core.insights import Comparison, ComparisonCell

PROMPT = "analysis"


def task_of(question: str, comparison: Comparison) -> str:
    """Return the question as a model gets it, with the sides and what they are compared on; a cell names its citations as numbers of passages."""
    sides = [side.name for side in comparison.sides]
    lines = [
        f"- {row.attribute or 'what is said of them'}{' (they differ)' if row.differs else ''}: "
        + "; ".join(f"{name}: {_passages(cell)}" for name, cell in zip(sides, row.cells, strict=True))
        for row in comparison.rows
    ]
    return "\n".join([question, f"Sides: {', '.join(sides)}.", "Attributes, with the passages of each side:", *lines])


def _passages(cell: ComparisonCell) -> str:
    return f"passage {' and '.join(str(number) for number in cell.citations)}" if cell.found else "nothing found"


def merge_citations(comparison: Comparison, citations: Sequence[Citation], answer: Answer) -> tuple[Comparison, Answer]:
    """Join a table that cites `citations` with an answer that has citations of its own: the cells' are appended, and the same span has one number."""
    listed = list(answer.citations)
    numbers = {(each.document_id, each.start, each.end): each.number for each in listed}
    moved: dict[int, int] = {}
    for citation in citations:
        key = (citation.document_id, citation.start, citation.end)
        if key not in numbers:
            numbers[key] = len(listed) + 1
            listed.append(citation.model_copy(update={"number": numbers[key]}))
        moved[citation.number] = numbers[key]
    rows = [
        row.model_copy(update={"cells": [cell.model_copy(update={"citations": [moved[each] for each in cell.citations]}) for cell in row.cells]})
        for row in comparison.rows
    ]
    return comparison.model_copy(update={"rows": rows}), answer.model_copy(update={"citations": listed})
