"""Five tiers of memory behind one door: working (the run's state, which nobody stores), session, episodic, procedural with profile, and notes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import anyio.to_thread
from anyio import CapacityLimiter

from core.errors import InvalidInput, NotFound, Unavailable
from core.memory import ConsolidationRecord, Forgotten, MemoryItem, MemoryOverview, MemorySection, RecalledMemory, Recollection
from core.ports import (
    Embedder,
    FeedbackRecord,
    MemoryChange,
    MemoryQuestion,
    MemoryStore,
    PersonMemory,
    RunMemory,
    SessionMemory,
    StoredEpisode,
    StoredNote,
    StoredSession,
    TraceStore,
)
from core.runs import Trace
from core.search import Degradation
from memory.consolidation import OBSERVATIONS, LearnFunction, learn_profile, topics_of
from memory.consolidation_service import Consolidator
from memory.deletion import STALE_VECTOR, rows_deletion
from memory.deletion_service import DeletionService
from memory.episodic import is_kept, offer_episodes, one_line, relevance
from memory.line_index import RankedLine, TermAnalyser
from memory.memory_dependencies import MemoryDependencies, MemoryOptions
from memory.memory_items import PROFILE, SESSION, episode_item, note_item, observation_item, profile_items, session_item
from memory.memory_writer import MemoryWriter
from memory.notes import MAX_SAID_CHARACTERS, NoteDraft, best_sentence, edit_note
from memory.notes import offer_notes as note_offers
from memory.observations import cited_documents, observation_from_feedback
from memory.person_index_cache import PersonIndex, PersonIndexCache
from memory.session_tier import SessionTier

_OFFERED = 3
_SEARCHED = 12  # lines that are looked at for the few that are offered
OFFER_RELEVANCE = 0.5  # relevance from which a memory is offered
_RECORDS = 10
_NOTED_INTENTS = frozenset({"document_search", "analysis"})
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class MemoryBackends:
    """The services that memory uses: the rows, the sessions, the stored runs, vectors, the analysis of words, and the learning."""

    store: MemoryStore
    sessions: SessionMemory
    traces: TraceStore
    embedder: Embedder
    terms: TermAnalyser
    learn: LearnFunction


class TieredMemory:
    """core.ports.MemoryManager. `start` begins the hourly consolidation, `close` ends it. `options_of` are the options of a tenant, where they may
    differ."""

    def __init__(
        self,
        backends: MemoryBackends,
        options: MemoryOptions,
        now: Callable[[], datetime],
        options_of: Callable[[str], MemoryOptions] | None = None,
    ) -> None:
        self._store, self._traces = backends.store, backends.traces
        self._sessions = SessionTier(backends.sessions)
        self._index_cache = PersonIndexCache(backends.store, backends.embedder, backends.terms)
        self._writer = MemoryWriter(backends.store, self._index_cache, backends.terms)
        self._options_of = options_of or (lambda _: options)
        self._now, self._terms, self._learn = now, backends.terms, backends.learn
        self._parts = MemoryDependencies(
            backends.store, self._sessions, self._index_cache, self._writer, backends.learn, backends.terms, options, self._options_of, now
        )
        self._deletion, self._consolidator = DeletionService(self._parts), Consolidator(self._parts)
        self._limiter = CapacityLimiter(2)

    def start(self) -> None:
        self._consolidator.start()

    async def close(self) -> None:
        await self._consolidator.close()

    def share(self, tell_changed: Callable[[str, str], None]) -> Callable[[str, str], None]:
        """Have other servers told whose memory changed; return what is to be called with theirs."""
        self._index_cache.tell_changed = tell_changed
        return self._index_cache.invalidate

    def exchange_embedder(self, embedder: Embedder) -> Callable[[], Awaitable[None]]:
        """Embed and search memories by this embedder from now on; each reading and each change uses one embedder from beginning to end. What is
        returned waits until the last change that began before has ended. The store's vectors are the caller's to exchange.
        """
        self._index_cache.exchange_embedder(embedder)
        return self._index_cache.wait_for_changes

    # -- recalling ---------------------------------------------------------------------------------------------------------------------

    async def recall(self, question: MemoryQuestion) -> Recollection:
        tenant, person = question.tenant, question.user_id
        session = await self._recall_session(question)
        if not self._options_of(tenant).enabled:
            return session
        index = await self._index_cache.get(tenant, person)
        episodes, notes = await self._recall_long_term(question, index) if len(index) else ([], [])
        return session.model_copy(update={"episodes": episodes, "notes": notes, "preferences": index.learned.preferences})

    async def _recall_session(self, question: MemoryQuestion) -> Recollection:
        """Return the session's turns; a session store that does not answer costs these and nothing else, and is said."""
        if not question.session_id:
            return Recollection()
        try:
            turns = await self._sessions.turns(question.tenant, question.user_id, question.session_id)
        except Unavailable as error:
            return Recollection(degraded=[Degradation(part="session memory", reason=f"{error} The session's earlier turns are not known here.")])
        return Recollection(turns=turns, turns_from="session" if turns else "")

    async def _recall_long_term(self, question: MemoryQuestion, index: PersonIndex) -> tuple[list[RecalledMemory], list[RecalledMemory]]:
        vector = await index.embedder.embed_query(question.text)

        def search() -> tuple[list[RankedLine], list[RankedLine]]:
            return index.episodes.search(question.text, vector, _SEARCHED), index.notes.search(question.text, vector, _SEARCHED)

        found = await anyio.to_thread.run_sync(search, limiter=self._limiter)
        episodes, notes = ([each for each in tier if relevance(each) >= OFFER_RELEVANCE and each.id not in question.exclude] for tier in found)
        kept = await self._store.episodes(question.tenant, question.user_id, [each.id for each in episodes]) if episodes else {}
        known = await self._store.notes(question.tenant, question.user_id, [each.id for each in notes]) if notes else {}
        offered = note_offers(notes, known.get, _OFFERED) if self._options_of(question.tenant).notes.enabled else []
        return offer_episodes(episodes, kept, _OFFERED), offered

    # -- keeping -----------------------------------------------------------------------------------------------------------------------

    async def keep_run(self, run: RunMemory) -> list[str]:
        tenant, episode = run.tenant, run.episode
        messages = []
        async with self._index_cache.lock(tenant, episode.user_id):
            if episode.session_id:
                # The row first: a session that nobody knows of could not be forgotten. Turns of a time without memory are never read.
                read_until = None if self._options_of(tenant).enabled else episode.timestamp
                row = StoredSession(episode.session_id, self._now(), read_until)
                await self._store.apply_change(tenant, episode.user_id, MemoryChange(sessions=[row]))
                try:
                    await self._sessions.add_turn(tenant, episode, self._main_word(episode.query))
                    messages.append("Kept in the session.")
                except Unavailable as error:
                    messages.append(f"Not kept in the session: {error}")
            if self._options_of(tenant).enabled:
                messages += await self._keep_episode(run)
        return messages

    async def _keep_episode(self, run: RunMemory) -> list[str]:
        episode, messages = run.episode, []
        if run.from_memory:  # its words are in memory already
            episode = episode.model_copy(update={"response": ""})
        sessions = [StoredSession(episode.session_id, self._now(), episode.timestamp)] if episode.session_id else []
        change = MemoryChange(sessions=sessions)
        if is_kept(episode):
            change = replace(change, episodes=[StoredEpisode(episode, STALE_VECTOR)])
            messages.append("Kept as an episode.")
        draft = self._draft_from_run(run)
        if draft is not None:
            notes, words = await self._writer.settle_draft(run.tenant, draft, self._options_of(run.tenant).notes, self._now())
            change = replace(change, notes=notes)
            messages += [words] * bool(words)
        await self._writer.apply_change(run.tenant, episode.user_id, change)
        return messages

    def _draft_from_run(self, run: RunMemory) -> NoteDraft | None:
        """Return the draft of the note that a run is worth, if any: words that a person asked to keep; where answers are to be kept, one that the
        documents gave with high confidence.
        """
        episode, options = run.episode, self._options_of(run.tenant).notes
        if not options.enabled:
            return None
        if run.words_to_remember.strip():
            return NoteDraft(
                episode.user_id, one_line(run.words_to_remember)[:MAX_SAID_CHARACTERS], "", "remember", (), episode.session_id, episode.episode_id
            )
        if not options.from_answers:
            return None
        answered = episode.status == "success" and episode.intent in _NOTED_INTENTS and bool(episode.cited) and not run.from_memory
        if not answered or episode.confidence < options.high_confidence:
            return None
        content = best_sentence(run.answer_sentences)
        if len(content.split()) < _FEWEST_WORDS:
            return None
        about = one_line(episode.query)
        return NoteDraft(episode.user_id, content, about, "high_confidence", tuple(episode.cited[:1]), episode.session_id, episode.episode_id)

    def _main_word(self, query: str) -> str:
        """Return the word of the question that says most: the longest that carries content."""
        words = [word.strip(".,;:!?\"'“”‘’()") for word in query.split()]
        return max((word for word in words if self._terms(word)), key=len, default="")

    # -- learning ----------------------------------------------------------------------------------------------------------------------

    async def learn_from_feedback(self, record: FeedbackRecord) -> None:
        """Learn from a feedback; nothing from a run that is gone, or from another person's."""
        try:
            trace = await self._traces.get(record.tenant, record.trace_id)
        except NotFound:
            return
        if trace.user_id != record.user_id or not self._options_of(record.tenant).enabled:
            return
        async with self._index_cache.lock(record.tenant, record.user_id):
            await self._learn_from(record, trace)

    async def _learn_from(self, record: FeedbackRecord, trace: Trace) -> None:
        tenant, person = record.tenant, record.user_id
        episode = (await self._store.episodes(tenant, person, [trace.id])).get(trace.id)
        observation = observation_from_feedback(record, trace, episode)
        change = MemoryChange()
        if observation is not None:
            before, _ = await self._store.recent_observations(tenant, person, OBSERVATIONS)
            seen = [kept.observation for kept in reversed(before) if kept.id != observation.id]
            learned = await self._store.load_learned(tenant, person)
            preferences = self._learn([*seen, observation.observation], self._now())
            preferences = preferences.model_copy(update={"topics": learned.preferences.topics})
            change = replace(change, observations=[observation], learned=replace(learned, preferences=preferences))
        draft = self._draft_from_feedback(record, trace)
        if draft is not None:
            notes, _ = await self._writer.settle_draft(tenant, draft, self._options_of(tenant).notes, self._now())
            change = replace(change, notes=notes)
        await self._writer.apply_change(tenant, person, change)
        if record.kind == "thumbs_down":
            await self._remove_unconfirmed(tenant, person, trace.id)

    def _draft_from_feedback(self, record: FeedbackRecord, trace: Trace) -> NoteDraft | None:
        about, session = one_line(trace.query), trace.request.get("session_id")
        if not self._options_of(record.tenant).notes.enabled:
            return None
        if record.kind == "correction" and (record.correction or "").strip():
            return NoteDraft(record.user_id, one_line(record.correction or "")[:MAX_SAID_CHARACTERS], about, "correction", (), session, trace.id)
        sentences = [str(each.get("text", "")) for each in trace.response.get("answer_sentences") or []]
        content, cited = best_sentence(sentences), cited_documents(trace)
        if record.kind != "thumbs_up" or trace.status != "success" or not cited or len(content.split()) < _FEWEST_WORDS:
            return None
        return NoteDraft(record.user_id, content, about, "positive_feedback", tuple(cited[:1]), session, trace.id)

    async def _remove_unconfirmed(self, tenant: str, user_id: str, trace_id: str) -> None:
        """Remove the notes of a disliked answer that nothing else confirmed."""
        memory = await self._store.person(tenant, user_id)
        made = [kept.note.id for kept in memory.notes if kept.note.trace_id == trace_id and kept.note.source == "high_confidence"]
        await self._writer.apply_change(tenant, user_id, rows_deletion(memory, notes=made).change)

    # -- seeing and changing -----------------------------------------------------------------------------------------------------------

    async def overview(self, tenant: str, user_id: str, limit: int = 100) -> MemoryOverview:
        store = self._store
        episodes, all_episodes = await store.recent_episodes(tenant, user_id, limit)
        notes, all_notes = await store.recent_notes(tenant, user_id, limit)
        observations, all_observations = await store.recent_observations(tenant, user_id, limit)
        learned = (await store.load_learned(tenant, user_id)).preferences
        turns = [
            session_item(session.session_id, entry)
            for session in await store.sessions(tenant, user_id)
            for entry in reversed(await self._sessions.entries(tenant, user_id, session.session_id))
        ]
        profile = profile_items(learned)
        return MemoryOverview(
            user_id=user_id,
            session=MemorySection(items=turns[:limit], total=len(turns)),
            episodic=MemorySection(items=[episode_item(each) for each in episodes], total=all_episodes),
            procedural=MemorySection(items=[observation_item(each) for each in observations], total=all_observations),
            profile=MemorySection(items=profile[:limit], total=len(profile)),
            notes=MemorySection(items=[note_item(each) for each in notes], total=all_notes),
            preferences=learned,
            consolidations=await store.consolidations(tenant, user_id, _RECORDS),
        )

    async def edit_item(self, tenant: str, user_id: str, item_id: str, text: str) -> MemoryItem:
        words = one_line(text)
        if not words:
            raise InvalidInput("A note needs words. To take it away, remove it.")
        async with self._index_cache.lock(tenant, user_id):
            note = (await self._store.notes(tenant, user_id, [item_id])).get(item_id)
            if note is None:
                await self._require_item(tenant, user_id, item_id)
                raise InvalidInput("Only notes have words that can be edited. This memory can be removed.")
            changed = edit_note(note, words, self._terms, self._options_of(tenant).notes, self._now())
            await self._writer.apply_change(tenant, user_id, MemoryChange(notes=[StoredNote(changed, STALE_VECTOR)]))
        return note_item(changed)

    async def remove_item(self, tenant: str, user_id: str, item_id: str) -> MemoryItem:
        async with self._index_cache.lock(tenant, user_id):
            memory = await self._store.person(tenant, user_id)
            if item_id.startswith(SESSION):
                removed = await self._deletion.forget_turn(tenant, user_id, memory, item_id.removeprefix(SESSION))
            elif item_id.startswith(PROFILE):
                removed = await self._forget_learned(tenant, user_id, memory, item_id)
            else:
                loss = rows_deletion(memory, episodes=[item_id], notes=[item_id], observations=[item_id])
                removed = await self._deletion.forget_rows(tenant, user_id, memory, loss)
        found = next((item for item in removed if item.id == item_id), None)
        if found is None:
            raise _unknown_item_error(item_id)
        return found

    async def _forget_learned(self, tenant: str, user_id: str, memory: PersonMemory, item_id: str) -> list[MemoryItem]:
        """Forget what was learned. A topic is hidden for good; a document, the weights or the strategy go with the observations that they were
        learned from.
        """
        known = {item.id: item for item in profile_items(memory.learned.preferences)}
        if item_id not in known:
            return []
        kind, _, name = item_id.removeprefix(PROFILE).partition(":")
        if kind == "topic":
            hidden = replace(memory.learned, hidden_topics=(*memory.learned.hidden_topics, name))
            topics = topics_of([kept.episode for kept in memory.episodes], self._terms, hidden.hidden_topics)
            learned = replace(hidden, preferences=hidden.preferences.model_copy(update={"topics": topics}))
            await self._writer.apply_change(tenant, user_id, MemoryChange(learned=learned))
        else:
            gone = [kept.id for kept in memory.observations if kind != "document" or kept.observation.document_id == name]
            left = replace(memory, observations=[kept for kept in memory.observations if kept.id not in gone])
            learned = learn_profile(left, [kept.episode for kept in memory.episodes], self._learn, self._terms, self._now())
            await self._writer.apply_change(tenant, user_id, MemoryChange(gone_observations=gone, learned=learned))
        return [known[item_id]]

    async def _require_item(self, tenant: str, user_id: str, item_id: str) -> None:
        memory = await self.overview(tenant, user_id, 500)
        shown = (memory.session, memory.episodic, memory.procedural, memory.profile)
        known = {item.id for section in shown for item in section.items} | set(await self._store.episodes(tenant, user_id, [item_id]))
        if item_id not in known:
            raise _unknown_item_error(item_id)

    # -- forgetting and consolidating --------------------------------------------------------------------------------------------------

    async def forget(self, tenant: str, user_id: str, *, session_id: str | None = None, document_id: str | None = None) -> Forgotten:
        if session_id is None and document_id is None:
            return await self._deletion.forget_person(tenant, user_id)
        parts: list[Forgotten] = []
        if session_id is not None:
            parts.append(await self._deletion.forget_session(tenant, user_id, session_id))
        if document_id is not None:
            parts.append(await self._deletion.forget_document(tenant, user_id, document_id))
        return _join_forgotten(user_id, parts)

    async def forget_documents(self, tenant: str, document_ids: Sequence[str]) -> int:
        mentioning = document_ids[0] if len(document_ids) == 1 else None
        people = await self._store.people(tenant, mentioning=mentioning) if document_ids else []
        return _count_removed([await self._deletion.forget_document(tenant, person, *document_ids) for _, person in people])

    async def forget_copies(self, tenant: str, copies: Callable[[str], bool]) -> int:
        return _count_removed([await self._deletion.forget_copies(tenant, person, copies) for _, person in await self._store.people(tenant)])

    async def forget_run(self, tenant: str, user_id: str, trace_id: str) -> int:
        return _count_removed([await self._deletion.forget_run(tenant, user_id, trace_id)])

    async def forget_conversation(self, tenant: str, conversation_id: str) -> int:
        people = await self._store.people(tenant, mentioning=conversation_id)
        return _count_removed([await self._deletion.forget_conversation(tenant, person, conversation_id) for _, person in people])

    async def prune_episodes(self, before: datetime) -> int:
        return _count_removed([await self._deletion.forget_before(tenant, person, before) for tenant, person in await self._store.people()])

    async def consolidate(self, tenant: str | None = None, user_id: str | None = None) -> list[ConsolidationRecord]:
        return await self._consolidator.consolidate_people(tenant, user_id)


def _join_forgotten(user_id: str, parts: Sequence[Forgotten]) -> Forgotten:
    removed: dict[str, int] = {}
    for part in parts:
        for tier, count in part.removed.items():
            removed[tier] = removed.get(tier, 0) + count
    return Forgotten(user_id=user_id, removed=removed, items=[item for part in parts for item in part.items])


def _count_removed(parts: Sequence[Forgotten]) -> int:
    return sum(sum(part.removed.values()) for part in parts)


def _unknown_item_error(item_id: str) -> NotFound:
    return NotFound(f"There is no memory {item_id[:80]!r}. It may have been removed or forgotten already.")
