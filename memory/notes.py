"""Agentic notes: made from what was learned, linked to similar ones, changed when a new one says otherwise, merged and pruned.

The shape follows A-MEM (Xu et al. 2025, https://arxiv.org/abs/2502.12110): content, keywords, tags, context, links, and evolution with history;
everything is decided by rules and vectors here, so that it works without a model.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from core.memory import Note, NoteVersion, RecalledMemory
from memory.episodic import one_line, relevance
from memory.line_index import RankedLine, TermAnalyser
from memory.statements import NoteStatement, describe_change, is_same_statement, parse_statement

NoteSource: TypeAlias = Literal["high_confidence", "positive_feedback", "remember", "correction"]

EDIT_REASON = "You edited it."
SAME_MEANING_COSINE = 0.95  # cosine from which two notes with the same values say the same
MAX_SAID_CHARACTERS = 4000  # characters of a note in a person's own words
_LONGEST = 400  # characters of a note that was made from an answer
_WORD = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_STRENGTH: dict[NoteSource, int] = {"high_confidence": 0, "positive_feedback": 1, "remember": 2, "correction": 3}


@dataclass(frozen=True, slots=True)
class NoteOptions:
    """The settings of `memory.agentic_memory`. `high_confidence`: from which an answer is worth a note (Themis's "high") where `from_answers` says
    that answers are, before anybody praised them."""

    enabled: bool = True
    max_keywords: int = 5
    similarity_threshold: float = 0.7
    max_links: int = 10
    most: int = 2000
    high_confidence: float = 0.75
    from_answers: bool = False


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """A note that is to be made, if nothing says the same yet."""

    user_id: str
    content: str
    context: str
    source: NoteSource
    document_ids: tuple[str, ...] = ()
    session_id: str | None = None
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class SettledDraft:
    """The outcome of a draft: the notes to store (the first is the draft's own, new or changed; none where it was known), and the words for it."""

    notes: tuple[Note, ...] = ()
    message: str = ""


@dataclass(frozen=True, slots=True)
class NeighbourNote:
    """A note that exists, with its cosine to the draft."""

    note: Note
    cosine: float = field(compare=False)


def best_sentence(sentences: Sequence[str]) -> str:
    """Return the first sentence of an answer, which is its best; it rests on the first document that the answer cites, and on no other."""
    kept = one_line(sentences[0]) if sentences else ""
    return kept if len(kept) <= _LONGEST else kept[:_LONGEST].rsplit(" ", 1)[0] + " …"


def embedding_text(content: str, context: str) -> str:
    return f"{content}\n{context}" if context else content


def keywords_of(content: str, context: str, terms: TermAnalyser, limit: int) -> list[str]:
    """Return the words that content and context share first, then the longest of the content; as they are written, at most `limit`."""
    forms: dict[str, str] = {}
    weights: Counter[str] = Counter()
    for text, weight in ((content, 2), (context, 1)):
        for word in _WORD.findall(text):
            for stem in terms(word)[:1]:
                if len(word) > 2 or not word.isascii():
                    forms.setdefault(stem, word)
                    weights[stem] += weight
    order = sorted(weights, key=lambda stem: (-weights[stem], -len(forms[stem]), forms[stem]))
    return [forms[stem] for stem in order[:limit]]


def tags_of(draft: NoteDraft, said: NoteStatement) -> list[str]:
    """Return a note's tags: its origin and the kinds of value that it holds."""
    origin = {"high_confidence": "answer", "positive_feedback": "liked", "remember": "told", "correction": "corrected"}[draft.source]
    kinds = ["number or date"] * bool(said.values) + ["name"] * bool(said.names or said.subject_names)
    return [origin, *kinds]


def settle_draft(draft: NoteDraft, near: Sequence[NeighbourNote], terms: TermAnalyser, options: NoteOptions, now: datetime) -> SettledDraft:
    """Return a draft beside what is known: nothing where it is known, an old note changed where it says otherwise, else a new note with its links.

    `near` are the nearest notes, nearest first. What a person said is changed only by what a person says.
    """
    said = parse_statement(draft.content, terms)
    for each in near:
        if _is_known(draft, said, each, terms):
            return _confirm_note(draft, each.note, now)
    for each in near:
        reason = _replacement_reason(draft, said, each, terms, options)
        if reason and (_is_by_person(draft.source) or not is_said_by_person(each.note)):
            note = _replace_words(each.note, draft, (reason, now), said, (terms, options))
            return SettledDraft((note,), f"A note was changed: {reason}.")
        if reason:
            return SettledDraft()
    return _create_note(draft, near, (said, terms), options, now)


def _is_known(draft: NoteDraft, said: NoteStatement, each: NeighbourNote, terms: TermAnalyser) -> bool:
    if one_line(draft.content).casefold() == one_line(each.note.content).casefold():
        return True
    known = parse_statement(each.note.content, terms)
    # A person who says it in other words means these words.
    return (
        each.cosine >= SAME_MEANING_COSINE and is_same_statement(said, known) and (not _is_by_person(draft.source) or said.subject == known.subject)
    )


def _confirm_note(draft: NoteDraft, note: Note, now: datetime) -> SettledDraft:
    """Repeat a known note: at most its source becomes a stronger one."""
    if _STRENGTH[draft.source] <= _STRENGTH[note.source]:
        return SettledDraft()
    documents = join_documents(note.document_ids, draft.document_ids)
    return SettledDraft((note.model_copy(update={"source": draft.source, "document_ids": documents, "updated_at": now}),), "A note was confirmed.")


def join_documents(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """Return the documents that the same words rest on when they come from two places: both places, or nothing where one of them is a person's word
    alone.
    """
    return list(dict.fromkeys([*one, *other])) if one and other else []


def _replacement_reason(draft: NoteDraft, said: NoteStatement, each: NeighbourNote, terms: TermAnalyser, options: NoteOptions) -> str:
    """Return why the draft replaces the note's words: another answer to the same question from the same place, or another value of the same thing."""
    question = bool(draft.context) and one_line(draft.context).casefold() == one_line(each.note.context).casefold()
    if question and (_is_by_person(draft.source) or list(draft.document_ids[:1]) == each.note.document_ids[:1]):
        return describe_change(parse_statement(each.note.content, terms), said) or "the same question has another answer"
    if each.cosine < options.similarity_threshold:
        return ""
    known = parse_statement(each.note.content, terms)
    again = (
        "said again in other words" if _is_by_person(draft.source) and each.cosine >= SAME_MEANING_COSINE and is_same_statement(said, known) else ""
    )
    return describe_change(known, said) or again


def _is_by_person(source: NoteSource) -> bool:
    return source in ("remember", "correction")


def is_said_by_person(note: Note) -> bool:
    return _is_by_person(note.source) or any(version.reason == EDIT_REASON for version in note.history)


def _replace_words(note: Note, draft: NoteDraft, why: tuple[str, datetime], said: NoteStatement, ways: tuple[TermAnalyser, NoteOptions]) -> Note:
    reason, now = why
    terms, options = ways
    return note.model_copy(
        update={
            "content": draft.content,
            "context": draft.context or note.context,
            "keywords": keywords_of(draft.content, draft.context, terms, options.max_keywords),
            "tags": tags_of(draft, said),
            "source": draft.source,
            "document_ids": list(draft.document_ids),
            "session_id": draft.session_id,
            "trace_id": draft.trace_id,
            "history": [*note.history, version_of(note, reason, now)],
            "updated_at": now,
        }
    )


def version_of(note: Note, reason: str, now: datetime) -> NoteVersion:
    """Return the note's present words as history."""
    return NoteVersion(
        content=note.content,
        context=note.context,
        changed_at=now,
        reason=reason,
        document_ids=note.document_ids,
        session_id=note.session_id,
        trace_id=note.trace_id,
    )


def _create_note(
    draft: NoteDraft, near: Sequence[NeighbourNote], ways: tuple[NoteStatement, TermAnalyser], options: NoteOptions, now: datetime
) -> SettledDraft:
    said, terms = ways
    similar = [each.note for each in near if each.cosine >= options.similarity_threshold]
    linked = [each for each in similar if len(each.links) < options.max_links][: options.max_links]
    note = Note(
        id=uuid.uuid4().hex,
        user_id=draft.user_id,
        content=draft.content,
        keywords=keywords_of(draft.content, draft.context, terms, options.max_keywords),
        tags=tags_of(draft, said),
        context=draft.context,
        source=draft.source,
        links=[each.id for each in linked],
        document_ids=list(draft.document_ids),
        session_id=draft.session_id,
        trace_id=draft.trace_id,
        created_at=now,
        updated_at=now,
    )
    others = tuple(each.model_copy(update={"links": [*each.links, note.id]}) for each in linked)
    links = f", linked to {len(linked)} like it" if linked else ""
    return SettledDraft((note, *others), f"A note was made{links}.")


def edit_note(note: Note, text: str, terms: TermAnalyser, options: NoteOptions, now: datetime) -> Note:
    """Return the note in a person's own words."""
    return note.model_copy(
        update={
            "content": text,
            "keywords": keywords_of(text, note.context, terms, options.max_keywords),
            "history": [*note.history, version_of(note, EDIT_REASON, now)],
            "updated_at": now,
        }
    )


def offer_notes(found: Sequence[RankedLine], note_of: Callable[[str], Note | None], limit: int) -> list[RecalledMemory]:
    """Return the notes as memories, best first."""
    notes = [(each, note_of(each.id)) for each in found]
    return [
        RecalledMemory(
            tier="notes",
            item_id=note.id,
            text=note.content,
            score=round(relevance(each), 4),
            at=note.updated_at,
            document_ids=list(note.document_ids),
            source=note.source,
        )
        for each, note in notes
        if note is not None
    ][:limit]
