"""An answer that is quoted already, rewritten by a model: the quotes are its numbered evidence, and the quoted answer stands where it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answers import Answer, Citation, Evidence
from core.errors import ModelUnavailable
from core.ports import Writer
from core.search import Degradation
from orchestration.answer_generation import write_answer
from orchestration.events import AnswerStream
from orchestration.state import State


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The writer, what is asked with its length, the answer whose quotes are the evidence, and what a person gets where no model writes it."""

    writer: Writer
    question: str
    material: Answer
    fallback: str


async def stream_rewritten(
    quoted: Answer, rewrite: Rewrite | None, gathered: Sequence[Evidence], state: State, stream: AnswerStream
) -> tuple[Answer, tuple[Degradation, ...]]:
    """Return the answer with its text streamed: written and checked where there is a `rewrite`, else quoted.

    What a model began and could not finish is withdrawn, and so is a text of which no sentence stands in the quotes (the writer raises then).
    """
    evidence = quotes_as_evidence(rewrite.material.citations, gathered) if rewrite is not None else []
    if rewrite is None or not evidence:
        stream.show(quoted.text)
        return quoted, ()
    try:
        if len(evidence) < len(rewrite.material.citations):
            raise ModelUnavailable("A document changed while it was read.")  # its passages would be numbered otherwise than the question says
        written = await write_answer(rewrite.writer, rewrite.question, evidence, state, stream)
    except ModelUnavailable as error:
        stream.withdraw_text()
        stream.show(quoted.text)
        return quoted, (Degradation(part="model", reason=f"{error} {rewrite.fallback}"),)
    notes = list(dict.fromkeys([*written.notes, *quoted.notes]))
    return written.model_copy(update={"citations": _restore_passages(written.citations, gathered), "notes": notes}), ()


def quotes_as_evidence(citations: Sequence[Citation], gathered: Sequence[Evidence]) -> list[Evidence]:
    """Return each quote as a passage of its own, in order. One whose passage is gone, because its document changed meanwhile, is left out."""
    found = []
    for citation in citations:
        around = _surrounding_passage(citation, gathered)
        if around is not None:
            found.append(_narrow_evidence(around, citation))
    return found


def _surrounding_passage(citation: Citation, gathered: Sequence[Evidence]) -> Evidence | None:
    """Return the narrowest passage that holds the citation."""
    holding = [
        each
        for each in gathered
        if each.passage.document_id == citation.document_id and each.passage.start <= citation.start and citation.end <= each.passage.end
    ]
    return min(holding, key=lambda each: each.passage.end - each.passage.start, default=None)


def _narrow_evidence(around: Evidence, citation: Citation) -> Evidence:
    passage, start, end = around.passage, citation.start, citation.end
    narrow = passage.model_copy(
        update={
            "content": passage.content[start - passage.start : end - passage.start],
            "start": start,
            "end": end,
            "page": citation.page,
            "section": citation.section,
        }
    )
    blocks = [
        block.model_copy(update={"start": max(block.start, start), "end": min(block.end, end)})
        for block in around.blocks
        if block.start < end and block.end > start
    ]
    return around.model_copy(update={"passage": narrow, "blocks": blocks})


def _restore_passages(citations: Sequence[Citation], gathered: Sequence[Evidence]) -> list[Citation]:
    """Return the citations with the passage that a reader sees around them, not the quote that the model saw."""
    placed = []
    for citation in citations:
        around = _surrounding_passage(citation, gathered)
        bounds = {"passage_start": around.passage.start, "passage_end": around.passage.end} if around is not None else {}
        placed.append(citation.model_copy(update=bounds))
    return placed
