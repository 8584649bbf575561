"""Answers made of sentences, each with the span that it came from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.documents import BlockKind
from core.search import Degradation, FrozenModel, Passage

OPEN_TABLE = "open_table"  # the signal of an answer that only says what is left open of the table that would answer
OTHER_KIND = "other_kind"  # the signal of an answer that may be of another thing than the figure that is asked for


class Citation(FrozenModel):
    """`quote` is exactly the characters [start:end] of the document's text at `generation`. `number` counts from 1 in reading order."""

    number: int
    document_id: str
    generation: int
    filename: str
    page: int | None
    start: int
    end: int
    quote: str
    section: list[str] = Field(default_factory=list)
    passage_start: int = 0
    passage_end: int = 0


Support = Literal["quoted", "supported", "weak", "unsupported"]


class AnswerSentence(FrozenModel):
    """One sentence (or table row, list item) of an answer. `text` is what is shown, `citations` are numbers into `Answer.citations`.

    An extractive sentence is `quoted`; a written one is `supported`, `weak` or `unsupported` after the check. `highlight` are the offsets
    of the likely short answer inside `text`, None unless the composer is confident. `paragraph` groups sentences.
    """

    text: str
    citations: list[int]
    support: Support
    score: float = 0.0
    paragraph: int = 0
    kind: BlockKind = BlockKind.PARAGRAPH
    highlight: tuple[int, int] | None = None


LeadKind = Literal["span", "cell", "computed", "name", "verdict", "list"]


class Lead(FrozenModel):
    """The answer itself. `text` begins with what stands at [start:end] of the document that `citation` (a number into `Answer.citations`) names,
    and says since when it holds where that changed; of a computed figure that no document writes, [start:end] is the first row that it rests on.
    `chance` in 0..1: how often a lead like this one is right."""

    text: str
    kind: LeadKind
    citation: int
    start: int
    end: int
    chance: float = 0.0


class Answer(FrozenModel):
    """`text` is the sentences joined, each followed by its citations as [1]; `generated_by` is "extractive", "none" or the model's name.

    `found` False means that the evidence was too weak to answer: `text` then says so and the passages are shown as the nearest. `signals` are what
    the reader found (`reader_answerable`, `lead`: probabilities), for judging whether this is an answer.
    """

    text: str
    sentences: list[AnswerSentence] = Field(default_factory=list)
    citations: list[Citation] = Field(default_factory=list)
    generated_by: str = "extractive"
    found: bool = True
    degraded: list[Degradation] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    tokens: dict[str, int] = Field(default_factory=dict)
    lead: Lead | None = None
    signals: dict[str, float] = Field(default_factory=dict)


class EvidenceBlock(FrozenModel):
    """A block of a passage's document, clipped to the passage, so that the composer knows rows, items, headings and furniture.

    Of a table that begins before the passage `header` is the text of its first row, "" where it has none, and `header_start` where that stands.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    header: str = ""
    header_start: int | None = None


class EvidencePage(FrozenModel):
    """A page, sheet or slide of a passage's document as a span of its text."""

    number: int
    start: int
    end: int


class Evidence(FrozenModel):
    """A passage with what an answer needs to know of its document. Evidence is data, never instruction.

    `dated` is the ISO day that the document gives as its own ("" where it gives none), `modified_at` the file's time. `score` is the passage's in
    0..1 relative to the best (h of RETRIEVAL.md); `title` is the document's own, or its file's stem; `pages` are those that the passage reaches into.
    """

    passage: Passage
    filename: str
    title: str
    generation: int
    doc_type: str = ""
    modified_at: str = ""
    dated: str = ""
    score: float = 1.0
    language: str = ""
    blocks: list[EvidenceBlock] = Field(default_factory=list)
    pages: list[EvidencePage] = Field(default_factory=list)

    def page_at(self, place: int) -> int | None:
        """Return the number of the page that the character at `place` stands on; that of the passage where the pages are not known."""
        return next((page.number for page in self.pages if page.start <= place < page.end), self.passage.page)


class Critique(FrozenModel):
    """Diogenes's result. `retrieval_quality` and `answer_quality` in 0..1; `verdict` says whether the evidence answers the question."""

    verdict: Literal["answered", "weak", "not_found"]
    retrieval_quality: float
    answer_quality: float
    probability_answerable: float
    unsupported: list[int] = Field(default_factory=list)
    reasons: list[str] = Field(default_factory=list)


class Confidence(FrozenModel):
    """Themis's result: `value` is calibrated, `factors` are SPEC's (sources, top_score, length, retrieval_quality, certainty, raw)."""

    value: float
    label: Literal["high", "medium", "low"]
    reason: str
    factors: dict[str, float]
    followups: list[str] = Field(default_factory=list)


class StageMove(FrozenModel):
    """Effect of one stage on a result: `by` are the places gained (negative: lost); `from_rank` None where the stage found it."""

    stage: str
    from_rank: int | None
    to_rank: int
    by: int = 0


class Explanation(FrozenModel):
    """Hermes's line for one result: a phrase for the page and the movement in numbers (bars in 0..1, `moves` in the order of the stages)."""

    document_id: str
    phrase: str
    sentence: str
    bars: dict[str, float]
    moves: list[StageMove] = Field(default_factory=list)
