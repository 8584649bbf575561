"""What memory says where the documents are silent, and beside them where they speak. Evidence from memory, marked as such."""

from __future__ import annotations

from core.answers import Answer, AnswerSentence, Critique
from core.memory import MemoryUsed, RecalledMemory, Recollection
from orchestration.events import AnswerStream
from orchestration.state import State

GENERATED_BY_MEMORY = "memory"  # `generated_by` of an answer that is a note of the person's own
_SOURCE_VERBS = {"remember": "told me", "correction": "corrected"}  # what the person said in so many words


def answer_from_note(recollection: Recollection, at_least: float) -> tuple[Answer, MemoryUsed] | None:
    """Answer with what the person told or corrected, where it is near enough to the question; None otherwise. `at_least` in 0..1.

    A note that was made from documents never answers: what they said is found in them, with its citation, or not at all.
    """
    told = [note for note in recollection.notes if note.source in _SOURCE_VERBS]
    note = max(told, key=lambda each: each.score, default=None)
    if note is None or note.score < at_least:
        return None
    sentence = AnswerSentence(text=note.text, citations=[], support="quoted", score=note.score)
    answer = Answer(text=note.text, sentences=[sentence], generated_by=GENERATED_BY_MEMORY, notes=["From memory: no document stands behind it."])
    return answer, _memory_use(note, "The documents are silent; the answer is what is remembered.")


def find_related_notes(recollection: Recollection, at_least: float) -> tuple[MemoryUsed, ...]:
    """Return what the person once told or corrected about the same thing: shown beside an answer from documents, never mixed into it."""
    told = [note for note in recollection.notes if note.source in _SOURCE_VERBS and note.score >= at_least]
    return tuple(_memory_use(note, f"You {_SOURCE_VERBS[note.source]} this before; it is shown beside the answer.") for note in told)


def with_notes(answer: Answer, state: State, at_least: float, stream: AnswerStream) -> tuple[Answer, tuple[MemoryUsed, ...]]:
    """Add notes: one answers where the documents are silent, and stands beside their answer where they speak."""
    recollection = state.get("memory", Recollection())
    if answer.found:
        return answer, find_related_notes(recollection, at_least)
    noted = answer_from_note(recollection, at_least)
    if noted is None:
        return answer, ()
    stream.stream_token(noted[0].text)
    return noted[0], (noted[1],)


def critique_of_memory(note_score: float) -> Critique:
    """Return what Diogenes says of an answer from memory: weak, because no document bears it out."""
    return Critique(
        verdict="weak",
        retrieval_quality=0.0,
        answer_quality=1.0,
        probability_answerable=round(min(note_score, 0.6), 4),
        reasons=["The documents are silent; this is remembered, and no document bears it out."],
    )


def _memory_use(note: RecalledMemory, used_for: str) -> MemoryUsed:
    return MemoryUsed(tier=note.tier, item_id=note.item_id, text=note.text, used_for=used_for, score=round(note.score, 4))
