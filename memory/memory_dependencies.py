"""The dependencies of memory: its options, and the parts that the manager, the forgetting and the consolidation share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from core.ports import MemoryStore
from memory.consolidation import LearnFunction
from memory.line_index import TermAnalyser
from memory.memory_writer import MemoryWriter
from memory.notes import NoteOptions
from memory.person_index_cache import PersonIndexCache
from memory.session_tier import SessionTier


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """The settings of `memory`. `episodes_max` is kept for each person, the oldest go first."""

    enabled: bool = True
    episodes_max: int = 10_000
    consolidation_seconds: float = 3600.0
    notes: NoteOptions = field(default_factory=NoteOptions)


@dataclass(frozen=True, slots=True)
class MemoryDependencies:
    """The parts that memory is made of. `options_of` are those of a tenant, who may have switched memory or its notes otherwise."""

    store: MemoryStore
    sessions: SessionTier
    index_cache: PersonIndexCache
    writer: MemoryWriter
    learn: LearnFunction
    terms: TermAnalyser
    options: MemoryOptions
    options_of: Callable[[str], MemoryOptions]
    now: Callable[[], datetime]
