"""A memory over a real database, with a clock that a test moves and episodes to put into it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from core.memory import Episode
from core.ports import FeedbackRecord, RunMemory
from core.runs import Trace
from memory.in_process_session import InProcessSessionMemory
from memory.manager import MemoryBackends, TieredMemory
from memory.memory_dependencies import MemoryOptions
from memory.notes import NoteOptions
from memory.procedural import learn_preferences
from retrieval.analysis import prepare_question_text, text_analyser
from storage.database import Database
from storage.schema import metadata
from storage.sql_memory import SqlMemory
from tests.support.embedding import WordEmbedder
from tests.support.stores import MemoryTraces

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
_ANALYSER = text_analyser()


def terms(text: str) -> list[str]:
    """The product's own analysis of words."""
    found: list[str] = _ANALYSER.analyze(prepare_question_text(text))
    return found


@dataclass
class MovableClock:
    at: datetime = NOON

    def __call__(self) -> datetime:
        return self.at

    def seconds(self) -> float:
        return self.at.timestamp()

    def pass_seconds(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def make_options(**changes: Any) -> MemoryOptions:
    """Options for a test: those of notes by their names, the others as they are. Answers make notes unless the test says otherwise."""
    notes = {"from_answers": True} | {
        name: changes.pop(name) for name in list(changes) if name in NoteOptions.__dataclass_fields__ and name != "enabled"
    }
    return MemoryOptions(notes=NoteOptions(**notes), **changes)


@dataclass
class MemoryWorld:
    """A memory with all that it reaches. `ask` ends a run as Zeus does, and stores its trace."""

    database: Database
    options: MemoryOptions = field(default_factory=make_options)
    clock: MovableClock = field(default_factory=MovableClock)
    traces: MemoryTraces = field(default_factory=MemoryTraces)
    embedder: WordEmbedder = field(default_factory=WordEmbedder)
    runs: int = 0

    def __post_init__(self) -> None:
        self.sessions = InProcessSessionMemory(clock=self.clock.seconds)
        self.store = SqlMemory(self.database)
        self.memory = self.open_again()

    def open_again(self) -> TieredMemory:
        """The memory as another process would open it: nothing in its shelves yet."""
        reached = MemoryBackends(self.store, self.sessions, self.traces, self.embedder, terms, learn_preferences)
        return TieredMemory(reached, self.options, self.clock)

    async def ask_question(self, query: str, answer: str = "", *, tenant: str = "t", **changes: Any) -> str:
        """The run's id. The answer cites `cited`, the documents; `remember` and `from_memory` go to the memory as they are."""
        self.runs += 1
        self.clock.pass_seconds(1)
        remember, from_memory = changes.pop("remember", ""), changes.pop("from_memory", False)
        made = episode(query, answer, episode_id=changes.pop("episode_id", f"run-{self.runs}"), timestamp=self.clock.at, **changes)
        await self.traces.save(make_trace(made, tenant))
        sentences = tuple(re.split(r"(?<=\.) ", answer)) if answer else ()
        await self.memory.keep_run(RunMemory(tenant, made, from_memory=from_memory, words_to_remember=remember, answer_sentences=sentences))
        return made.episode_id

    async def give_feedback(self, run: str, kind: str, *, tenant: str = "t", user_id: str = "ann", **more: Any) -> None:
        """Feedback on a run."""
        self.clock.pass_seconds(1)
        fields = {"result_id": None, "rank": None, "reason": None, "correction": None, **more}
        await self.memory.learn_from_feedback(
            FeedbackRecord(f"f{self.clock.at.timestamp()}", tenant, user_id, run, kind, created_at=self.clock.at, **fields)
        )


def episode(query: str, answer: str = "", **changes: Any) -> Episode:
    fields: dict[str, Any] = {
        "episode_id": "run-1",
        "user_id": "ann",
        "session_id": None,
        "query": query,
        "intent": "document_search",
        "response": answer,
        "results": ["doc-a"] if answer else [],
        "cited": ["doc-a"] if answer else [],
        "confidence": 0.9 if answer else 0.0,
        "status": "success" if answer else "not_found",
        "search_strategy": "semantic",
        "weights": {"lexical": 0.3, "dense": 0.7},
        "thinking_steps": ["Zeus: read lease.pdf"],
        "timestamp": NOON,
    }
    return Episode(**{**fields, **changes})


def make_trace(made: Episode, tenant: str = "t") -> Trace:
    """The stored run: each result was found by words at 1, 2 … and by meaning at 9."""
    results = [
        {"id": document, "stages": {"lexical": {"rank": place, "score": 1.0}, "dense": {"rank": 9, "score": 0.4}}}
        for place, document in enumerate(made.results, 1)
    ]
    return Trace(
        id=made.episode_id,
        tenant=tenant,
        user_id=made.user_id,
        conversation_id=made.conversation_id,
        query=made.query,
        status=made.status,
        started_at=made.timestamp,
        duration_ms=1.0,
        generated_by="extractive",
        routing_path="Zeus",
        request={"query": made.query, "session_id": made.session_id},
        response={
            "answer": made.response,
            "answer_sentences": [{"text": made.response}] if made.response else [],
            "citations": [{"document_id": document} for document in made.cited],
            "results": results,
        },
        nodes=[],
        moves=[],
    )


def count_rows_holding(database: Database, text: str) -> dict[str, int]:
    """Table -> rows with that string in any column, in all of the database; blobs are not looked into."""

    def work(connection: Any) -> dict[str, int]:
        found = {}
        for name, table in metadata.tables.items():
            count = sum(any(text in str(value) for value in row if not isinstance(value, bytes)) for row in connection.execute(select(table)))
            if count:
                found[name] = count
        return found

    return database.read_sync(work)
