"""The rows that go when a session, a conversation or a document is forgotten, decided on a person's rows.

What rests on the forgotten alone goes as a whole; what rests on other things too keeps those and loses the words that may be the forgotten one's.
A note whose present words go falls back to its last words that stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.memory import Episode, MemoryItem, Note, NoteVersion
from core.ports import MemoryChange, MemoryVector, PersonMemory, StoredEpisode, StoredNote, StoredObservation
from memory.episodic import group_of
from memory.memory_items import episode_item, note_item, observation_item

STALE_VECTOR = MemoryVector("", np.zeros(0, np.float16))  # a vector that must be made again


@dataclass(frozen=True, slots=True)
class MemoryDeletion:
    """The change to store (rows with a STALE_VECTOR are to be embedded again) and what was removed, as a person reads it."""

    change: MemoryChange
    items: list[MemoryItem] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return self.change == MemoryChange()


@dataclass(frozen=True, slots=True)
class SourcedWords:
    """Some words, and where they come from."""

    document_ids: Sequence[str]
    session_id: str | None
    trace_id: str | None
    text: str


KeptFields = Mapping[str, object]  # the fields of Words that stay otherwise
WordsJudge = Callable[[SourcedWords], KeptFields | None]  # None: the words go; else the fields that change ({} for none)
CopyDetector = Callable[[str], bool]  # whether a text copies words of the documents that went


def named_documents(memory: PersonMemory) -> set[str]:
    """Return every document that a row names."""
    of_episodes = (each for kept in memory.episodes for each in (*kept.episode.results, *kept.episode.cited))
    of_notes = (each for kept in memory.notes for each in kept.note.document_ids)
    of_words = (each for kept in memory.notes for version in kept.note.history for each in version.document_ids)
    of_signs = (kept.observation.document_id for kept in memory.observations)
    return {each for each in (*of_episodes, *of_notes, *of_words, *of_signs, *memory.learned.preferences.frequently_accessed) if each is not None}


def document_deletion(memory: PersonMemory, document_id: str) -> MemoryDeletion:
    def of_words(words: SourcedWords) -> KeptFields | None:
        left = [each for each in words.document_ids if each != document_id]
        if len(left) == len(words.document_ids):
            return {}
        return {"document_ids": left} if left else None

    episodes = {kept.episode.episode_id: _strip_episode(kept.episode, document_id) for kept in memory.episodes}
    gone = [kept for kept in memory.observations if kept.observation.document_id == document_id]
    return _judge_deletion(memory, episodes, of_words, gone, (document_id,))


def copies_deletion(memory: PersonMemory, copies: CopyDetector) -> MemoryDeletion:
    """Return the deletion of rows that name no document and copy its words all the same: what the person said to keep, and what was answered to that.
    Blocks.
    """

    def of_words(words: SourcedWords) -> KeptFields | None:
        return None if copies(words.text) else {}

    def stays(episode: Episode) -> bool:
        return bool(episode.cited) or not (copies(episode.query) or copies(episode.response))

    episodes = {kept.episode.episode_id: kept.episode if stays(kept.episode) else None for kept in memory.episodes}
    runs = [each for each, left in episodes.items() if left is None]
    gone = [kept for kept in memory.observations if kept.observation.trace_id in runs]
    return _judge_deletion(memory, episodes, of_words, gone, ())


def session_deletion(memory: PersonMemory, session_id: str) -> MemoryDeletion:
    """Return the session's runs, what they taught, and the words of notes that were said in it."""

    def of_words(words: SourcedWords) -> KeptFields | None:
        return None if words.session_id == session_id else {}

    episodes = {kept.episode.episode_id: None if kept.episode.session_id == session_id else kept.episode for kept in memory.episodes}
    gone = [kept for kept in memory.observations if kept.session_id == session_id]
    runs = {each for each, left in episodes.items() if left is None} | {kept.observation.trace_id for kept in gone}
    return _judge_deletion(memory, episodes, of_words, gone, sorted(runs))


def conversation_deletion(memory: PersonMemory, conversation_id: str) -> MemoryDeletion:
    """Return the conversation's runs and what was made of them by itself; what the person said to keep stays, without the run that it was said in."""
    episodes = {kept.episode.episode_id: None if kept.episode.conversation_id == conversation_id else kept.episode for kept in memory.episodes}
    gone = [kept for kept in memory.observations if kept.conversation_id == conversation_id]
    return _runs_deletion(memory, episodes, gone)


def run_deletion(memory: PersonMemory, trace_id: str) -> MemoryDeletion:
    """Return one run, as `conversation_deletion` takes out all of a conversation."""
    episodes = {kept.episode.episode_id: None if kept.episode.episode_id == trace_id else kept.episode for kept in memory.episodes}
    return _runs_deletion(memory, {trace_id: None, **episodes}, [kept for kept in memory.observations if kept.observation.trace_id == trace_id])


def _runs_deletion(memory: PersonMemory, episodes: Mapping[str, Episode | None], gone: Sequence[StoredObservation]) -> MemoryDeletion:
    runs = {each for each, left in episodes.items() if left is None} | {kept.observation.trace_id for kept in gone}
    said_in_runs = {kept.note.trace_id for kept in memory.notes if kept.note.source in ("remember", "correction")}

    def of_words(words: SourcedWords) -> KeptFields | None:
        if words.trace_id not in runs:
            return {}
        return {"trace_id": None} if words.trace_id in said_in_runs else None

    return _judge_deletion(memory, episodes, of_words, gone, sorted(runs))


def rows_deletion(
    memory: PersonMemory, *, episodes: Sequence[str] = (), notes: Sequence[str] = (), observations: Sequence[str] = ()
) -> MemoryDeletion:
    """Return the deletion of single rows, with what hangs on them."""
    left = {kept.episode.episode_id: None if kept.episode.episode_id in episodes else kept.episode for kept in memory.episodes}
    gone = [kept for kept in memory.observations if kept.id in observations]
    judged = {kept.note.id: None if kept.note.id in notes else kept.note for kept in memory.notes}
    return _assemble_deletion(memory, left, judged, gone, ())


def _strip_episode(episode: Episode, document_id: str) -> Episode | None:
    """Return the episode without the document. Where the answer cites the document beside others, its words may be the document's: they go, and the
    steps, which name files.
    """
    if document_id not in episode.results and document_id not in episode.cited:
        return episode
    rests_on = episode.cited or episode.results
    if all(each == document_id for each in rests_on):
        return None
    changes = {
        "results": [each for each in episode.results if each != document_id],
        "cited": [each for each in episode.cited if each != document_id],
        "response": "" if document_id in episode.cited else episode.response,
        "thinking_steps": [],
        "expanded_entities": [],
    }
    return episode.model_copy(update=changes)


def _judge_deletion(
    memory: PersonMemory, episodes: Mapping[str, Episode | None], judge: WordsJudge, gone: Sequence[StoredObservation], feedback: Sequence[str]
) -> MemoryDeletion:
    notes = {kept.note.id: _strip_note(kept.note, judge) for kept in memory.notes}
    return _assemble_deletion(memory, episodes, notes, gone, feedback)


def _strip_note(note: Note, judge: WordsJudge) -> Note | None:
    history = [version for each in note.history if (version := _strip_version(each, judge)) is not None]
    kept = judge(SourcedWords(note.document_ids, note.session_id, note.trace_id, f"{note.content}\n{note.context}"))
    if kept is not None:
        return note.model_copy(update={**kept, "history": history})
    if not history:
        return None
    last = history[-1]
    fields = {name: getattr(last, name) for name in ("content", "context", "document_ids", "session_id", "trace_id")}
    words = f"{last.content} {last.context}".casefold()  # keywords of the words that go would tell of them
    keywords = [each for each in note.keywords if each.casefold() in words]
    return note.model_copy(update={**fields, "keywords": keywords, "history": history[:-1]})


def _strip_version(version: NoteVersion, judge: WordsJudge) -> NoteVersion | None:
    kept = judge(SourcedWords(version.document_ids, version.session_id, version.trace_id, f"{version.content}\n{version.context}"))
    return None if kept is None else version.model_copy(update=dict(kept))


def _assemble_deletion(
    memory: PersonMemory,
    episodes: Mapping[str, Episode | None],
    notes: Mapping[str, Note | None],
    gone: Sequence[StoredObservation],
    feedback: Sequence[str],
) -> MemoryDeletion:
    lost_episodes = [kept.episode for kept in memory.episodes if episodes[kept.episode.episode_id] is None]
    lost_notes = [kept.note for kept in memory.notes if notes[kept.note.id] is None]
    items = [*map(episode_item, lost_episodes), *map(observation_item, gone), *map(note_item, lost_notes)]
    change = MemoryChange(
        episodes=_changed_episodes(memory, episodes),
        notes=_changed_notes(memory, notes),
        gone_episodes=[each.episode_id for each in lost_episodes],
        gone_notes=[each.id for each in lost_notes],
        gone_observations=[each.id for each in gone],
        gone_feedback=list(feedback),
    )
    return MemoryDeletion(change, items)


def _changed_episodes(memory: PersonMemory, episodes: Mapping[str, Episode | None]) -> list[StoredEpisode]:
    """Return the episodes with other words, and those whose vector holds the question before them, which went."""
    found, went = [], set()
    for kept in memory.episodes:
        left, group = episodes[kept.episode.episode_id], group_of(kept.episode)
        if left is None:
            went.add(group)
            continue
        if left != kept.episode or group in went:
            found.append(StoredEpisode(left, STALE_VECTOR))
        went.discard(group)
    return found


def _changed_notes(memory: PersonMemory, notes: Mapping[str, Note | None]) -> list[StoredNote]:
    lost = {each for each, left in notes.items() if left is None}
    found = []
    for kept in memory.notes:
        left = notes[kept.note.id]
        if left is None:
            continue
        linked = left.model_copy(update={"links": [each for each in left.links if each not in lost]})
        if linked != kept.note:
            found.append(StoredNote(linked, kept.memory_vector if linked.content == kept.note.content else STALE_VECTOR))
    return found
