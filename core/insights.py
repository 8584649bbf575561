"""Results of Daedalus's three agents about an attached document, and Aristotle's comparison."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.search import FrozenModel


class CitedText(FrozenModel):
    """A sentence of the document: `text` is what is shown, [start, end) where it stands in the document's text at its generation."""

    text: str
    start: int
    end: int
    page: int | None = None


class ActionItem(CitedText):
    """Something that somebody has to do; `owner` and `due` are the document's words for who and by when, "" where it does not say."""

    owner: str = ""
    due: str = ""


class SemanticAnalysis(FrozenModel):
    """Hypatia's result. `structure` in words ("9 sections, 3 tables, 12 pages"); `sentiment` is the tone; `complexity` is simple, moderate or
    complex with the measure behind it in `measures` (words per sentence, long words, readability …); `complexity_note` names the formula, or
    says why none applies."""

    document_type: str
    key_concepts: list[str] = Field(default_factory=list)
    structure: str = ""
    sentiment: Literal["positive", "neutral", "negative", "mixed"] = "neutral"
    complexity: Literal["simple", "moderate", "complex"] = "moderate"
    complexity_note: str = ""
    measures: dict[str, float] = Field(default_factory=dict)


class DocumentInsights(FrozenModel):
    """Mnemosyne's result: every line cited. `executive_summary` has 2 or 3 sentences."""

    executive_summary: list[CitedText] = Field(default_factory=list)
    key_points: list[CitedText] = Field(default_factory=list)
    entities: list[str] = Field(default_factory=list)
    action_items: list[ActionItem] = Field(default_factory=list)
    questions_raised: list[CitedText] = Field(default_factory=list)


class AttachedFile(FrozenModel):
    """One attached document after Daedalus: read or not, with the reason; `cached` says that the result was known by its content hash.

    `document_id` of a file that could not be found is what was asked for. `generated_by` is "rules" or the model's name.
    """

    document_id: str
    filename: str
    state: Literal["read", "partial", "failed"]
    reason: str = ""
    generation: int = 0
    pages: int = 0
    characters: int = 0
    cached: bool = False
    generated_by: str = "rules"
    analysis: SemanticAnalysis | None = None
    insights: DocumentInsights | None = None


class AttachedReport(FrozenModel):
    """SPEC's Daedalus result beside the answer."""

    files: list[AttachedFile]
    agents_used: list[str]
    thinking_steps: list[str]


_MOSTLY = 0.6  # of the cells of a comparison


class ComparisonSide(FrozenModel):
    """Side of a comparison: its name in the question and the document that speaks for it."""

    name: str
    document_id: str | None = None
    filename: str = ""


class ComparisonCell(FrozenModel):
    """`text` quotes the side's document, `citations` are numbers of the response's citations; found False shows "not found"."""

    text: str = ""
    citations: list[int] = Field(default_factory=list)
    found: bool = False


class ComparisonRow(FrozenModel):
    attribute: str
    cells: list[ComparisonCell]
    differs: bool | None = None


class Comparison(FrozenModel):
    """Aristotle's table: one cell for each side in every row."""

    sides: list[ComparisonSide]
    rows: list[ComparisonRow]
    note: str = ""

    @property
    def is_mostly_filled(self) -> bool:
        """Whether every side is a document, and most of the cells are found."""
        found = [cell.found for row in self.rows for cell in row.cells]
        return bool(found) and all(side.document_id for side in self.sides) and sum(found) >= _MOSTLY * len(found)
