"""The end of a search: the answer from its passages becomes the step's writes, with what was computed and what is remembered beside it."""

from __future__ import annotations

from orchestration.answer_generation import AnswerPorts, answer_question
from orchestration.evidence import unquoted_sections
from orchestration.node_adapter import NodeResult
from orchestration.note_answers import with_notes
from orchestration.passages import ReadPassages
from orchestration.response import composed_in_words
from orchestration.state import Keep, State
from orchestration.table_answer import ComputedAnswer


async def answer_passages(
    state: State, read: ReadPassages, computed: ComputedAnswer | None, *, ports: AnswerPorts, keep: Keep, near: float
) -> NodeResult:
    """Answer from the passages. Why nothing was `computed` is said behind the answer; a note of memory that is `near` enough stands beside it, or in
    the place of an answer that was not found."""
    found = read.writes(state["request"].top_k)
    keep(found)
    answered = await answer_question(state, read, computed.answer if computed is not None else None, ports=ports)
    answer, used = with_notes(answered.answer, state, near, ports.stream)
    lost = [each for each in read.retrieval.degraded if each not in state["retrieval"].degraded]
    writes = {**found, "sections": unquoted_sections(found["results"], read.gathered, answer), "answer": answer}
    details = composed_in_words(answer, len(read.gathered.evidence), read.gathered.lost_passages)
    degraded = (*lost, *answer.degraded, *answered.degraded)
    return NodeResult(writes, details, degraded, tokens=answer.tokens, prompts=answered.prompts, memory_used=used)
