"""The filled rows of a comparison as a table, and as the sentences of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from agents.comparison.cell_selection import differs
from agents.comparison.sides import Side
from agents.sources.quotable_units import ChosenUnit
from agents.sources.unit_citations import UnitCitations
from core.answers import AnswerSentence
from core.documents import BlockKind
from core.insights import Comparison, ComparisonCell, ComparisonRow, ComparisonSide
from core.language.content_words import stems

CellRow = Sequence[ChosenUnit | None]  # for each side its cell


def sets_side_by_side(sides: Sequence[Side], rows: Sequence[CellRow]) -> bool:
    """Return whether two sides and more have a cell, or the one that has is a document that the question names; and no side is described by what is
    not about it.
    """
    filled = [side for place, side in enumerate(sides) if any(cells[place] is not None for cells in rows)]
    if not filled or (len(filled) < 2 and filled[0].document is None):
        return False
    return not _is_off_topic(sides, rows)


def _is_off_topic(sides: Sequence[Side], rows: Sequence[CellRow]) -> bool:
    """Return whether a side that is no name ("females" beside "male ducks") is described by units that do not speak of it, or only in documents that
    speak of none of the others.
    """
    by_side = [[cell for cells in rows if (cell := cells[place]) is not None] for place in range(len(sides))]
    documents = [{cell.document_id for cell in cells} for cells in by_side]
    for place, side in enumerate(sides):
        if side.document is not None or side.name != side.name.lower() or not by_side[place]:
            continue
        others = set[str]().union(*(found for other, found in enumerate(documents) if other != place))
        if not any(stems(side.name) & stems(cell.unit.text) for cell in by_side[place]) or (others and not documents[place] & others):
            return True
    return False


def comparison_table(
    sides: Sequence[Side], attributes: Sequence[str], rows: Sequence[CellRow], citations: UnitCitations
) -> tuple[Comparison, list[AnswerSentence]]:
    """Return a row for each attribute, written in a paragraph of its own, a line for each cell that was found."""
    sentences: list[AnswerSentence] = []
    table = []
    for paragraph, (attribute, cells) in enumerate(zip(attributes, rows, strict=True)):
        numbers = [[] if cell is None else citations.cite(cell) for cell in cells]
        lines = zip(sides, cells, numbers, strict=True)
        sentences += [_line(side, attribute, cell, cited, paragraph) for side, cell, cited in lines if cell is not None]
        filled = [_cell(*each) for each in zip(cells, numbers, strict=True)]
        table.append(ComparisonRow(attribute=_capitalise(attribute), cells=filled, differs=differs(cells)))
    named = [_side(side) for side in sides]
    return Comparison(sides=named, rows=table, note=_missing_sentence(named, table)), sentences


def _side(side: Side) -> ComparisonSide:
    document = side.document
    return ComparisonSide(name=side.name, document_id=document.id if document else None, filename=document.filename if document else "")


def _cell(chosen: ChosenUnit | None, numbers: list[int]) -> ComparisonCell:
    return ComparisonCell() if chosen is None else ComparisonCell(text=chosen.unit.display_text, citations=numbers, found=True)


def _line(side: Side, attribute: str, chosen: ChosenUnit, numbers: list[int], paragraph: int) -> AnswerSentence:
    what = f"{_capitalise(attribute)}, {side.name}" if attribute else _capitalise(side.name)
    return AnswerSentence(
        text=f"{what}: {chosen.unit.display_text}",
        citations=numbers,
        support="quoted",
        score=min(1.0, chosen.strength),
        paragraph=paragraph,
        kind=BlockKind.TABLE if chosen.unit.cells else BlockKind.LIST_ITEM,  # a line of its own, whatever it was in the document
    )


def _missing_sentence(sides: Sequence[ComparisonSide], rows: Sequence[ComparisonRow]) -> str:
    """A sentence for each side that lacks a cell; "" where none does."""
    missing = [(side.name, [row.attribute for row in rows if not row.cells[place].found]) for place, side in enumerate(sides)]
    return " ".join(
        f"{_capitalise(name)} says nothing of {', '.join(f'“{each}”' for each in absent) if any(absent) else 'this'}."
        for name, absent in missing
        if absent
    )


def _capitalise(words: str) -> str:
    return words[:1].upper() + words[1:]
